//! include/gelu.h is what build.rs makes of the sources.

/// What this build made.
const GENERATED: &str = include_str!(concat!(env!("OUT_DIR"), "/gelu.h"));

/// The header that this build found.
const FOUND: &str = include_str!(concat!(env!("OUT_DIR"), "/found.h"));

#[test]
fn the_committed_header_is_current() {
    assert!(FOUND == GENERATED, "include/gelu.h was not current; the build has written it anew: commit it");
}

#[test]
fn the_version_macros_are_those_of_the_crate() {
    for (part, value) in [
        ("MAJOR", env!("CARGO_PKG_VERSION_MAJOR")),
        ("MINOR", env!("CARGO_PKG_VERSION_MINOR")),
        ("PATCH", env!("CARGO_PKG_VERSION_PATCH")),
    ] {
        let line = format!("#define GELU_VERSION_{part} {value}");
        assert!(GENERATED.lines().any(|text| text == line), "{line}");
    }
}

#[test]
fn every_function_is_documented() {
    let lines: Vec<&str> = GENERATED.lines().collect();
    let functions: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].starts_with("GELU_API")).collect();
    assert!(functions.len() >= 10);
    for i in functions {
        assert_eq!(lines[i - 1].trim(), "*/", "no comment above {}", lines[i]);
    }
}

#[test]
fn no_comment_needs_more_than_c90() {
    assert!(!GENERATED.contains("//"));
}
