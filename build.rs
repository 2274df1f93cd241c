//! Writes include/gelu.h from src, and names the shared library for the dynamic linker.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The sources that the header is made from.
const SOURCES: [&str; 4] = ["src/status.rs", "src/args.rs", "src/host.rs", "src/capi.rs"];

const HEADER: &str = "include/gelu.h";

fn main() {
    for path in SOURCES.iter().chain(&["build.rs", "cbindgen.toml", "Cargo.toml", HEADER]) {
        println!("cargo::rerun-if-changed={path}");
    }
    let out = PathBuf::from(variable("OUT_DIR"));
    let header = header();
    // What a test compares: the header as it should be, and as it was found.
    fs::write(out.join("gelu.h"), &header).expect("OUT_DIR is writable");
    let found = fs::read_to_string(HEADER).unwrap_or_default();
    fs::write(out.join("found.h"), found).expect("OUT_DIR is writable");
    write_if_changed(Path::new(HEADER), &header);
    let elf = ["linux", "android", "freebsd", "netbsd", "openbsd", "dragonfly", "illumos", "solaris"];
    if elf.contains(&variable("CARGO_CFG_TARGET_OS").as_str()) {
        let soname = format!("libgelu.so.{}", abi_version());
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{soname}");
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
        link_soname(&out, &soname);
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// The part of the version that stays while programs need not be linked anew.
fn abi_version() -> String {
    let (major, minor) = (variable("CARGO_PKG_VERSION_MAJOR"), variable("CARGO_PKG_VERSION_MINOR"));
    if major == "0" { format!("0.{minor}") } else { major }
}

/// A program linked with target/<profile>/libgelu.so looks for the soname beside it.
fn link_soname(out: &Path, soname: &str) {
    #[cfg(unix)]
    if let Some(profile) = out.ancestors().nth(3) {
        // It is there already, or the folder is laid out in another way and nobody looks for it.
        let _ = std::os::unix::fs::symlink("libgelu.so", profile.join(soname));
    }
    #[cfg(not(unix))]
    let _ = (out, soname);
}

/// The text of the header.
fn header() -> String {
    let config = cbindgen::Config::from_file("cbindgen.toml").expect("cbindgen.toml is valid");
    let mut builder = cbindgen::Builder::new().with_config(cbindgen::Config {
        header: Some(introduction()),
        after_includes: Some(macros()),
        ..config
    });
    for source in SOURCES {
        builder = builder.with_src(source);
    }
    let mut text = Vec::new();
    builder.generate().expect("cbindgen reads the sources").write(&mut text);
    let text = String::from_utf8(text).expect("the header is UTF-8");
    // rustdoc wants a heading for what C documentation calls a precondition.
    let text = text.replace(" * # Safety\n * ", " * @pre ");
    // cbindgen ends its C++ guards with comments that C90 does not have.
    text.replace("// __cplusplus", "/* __cplusplus */").replace("// extern \"C\"", "/* extern \"C\" */")
}

/// The documentation of src/capi.rs as a whole, as a comment, which is the main page of the C reference.
fn introduction() -> String {
    let source = fs::read_to_string("src/capi.rs").expect("src/capi.rs is readable");
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let text: String = lines.map(|line| format!(" *{line}\n")).collect();
    format!(
        "/* Generated from src/capi.rs by build.rs; edit that file instead. */\n\n\
         /**\n * @mainpage libgelu\n *\n{text} */\n\n\
         /**\n * @file\n * The C interface of libgelu.\n */"
    )
}

fn macros() -> String {
    let [major, minor, patch] = ["MAJOR", "MINOR", "PATCH"].map(|part| {
        let value = variable(&format!("CARGO_PKG_VERSION_{part}"));
        format!(
            "/** The {} version of this header. */\n#define GELU_VERSION_{part} {value}\n",
            part.to_lowercase()
        )
    });
    format!(
        "\n{major}{minor}{patch}\n\
         /**\n * Stands before each function of the library. Define GELU_STATIC where the static library is linked;\n \
         * it matters on Windows only.\n */\n\
         #if defined(_WIN32) && !defined(GELU_STATIC)\n\
         #define GELU_API __declspec(dllimport)\n\
         #else\n\
         #define GELU_API\n\
         #endif"
    )
}

fn write_if_changed(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    // Where the sources are read-only, as in a registry, the header that came with them serves.
    let _ = path.parent().map(fs::create_dir_all);
    if fs::write(path, text).is_err() {
        println!("cargo::warning=include/gelu.h is not current and cannot be written");
    }
}
