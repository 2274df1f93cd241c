//! The API reference for C and C++ that doxygen makes of the headers.

// The headers are the same whatever the library's profile is.
#![cfg(all(target_os = "linux", not(debug_assertions), not(miri)))]

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use support::compiler::{root, scratch};

/// Runs doxygen on the project's configuration, with headers of a folder: whether it succeeds, and its warnings.
fn doxygen(headers: &Path, pages: &Path) -> (bool, String) {
    let configuration = fs::read_to_string(root().join("docs/Doxyfile")).expect("the configuration");
    let file = pages.join("Doxyfile");
    let (headers, out) = (headers.display(), pages.display());
    let changes = format!(
        "INPUT = \"{headers}/gelu.h\" \"{headers}/gelu.hpp\"\nSTRIP_FROM_PATH = \"{headers}\"\n\
         STRIP_FROM_INC_PATH = \"{headers}\"\nOUTPUT_DIRECTORY = \"{out}\"\n"
    );
    fs::write(&file, configuration + &changes).expect("the target folder is writable");
    let output = Command::new("doxygen").arg(&file).output().expect("doxygen runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout) + &text(&output.stderr))
}

fn is_missing() -> bool {
    let is_missing = Command::new("doxygen").arg("--version").output().is_err();
    if is_missing {
        support::skip("needs doxygen (apt-get install doxygen)");
    }
    is_missing
}

#[test]
fn every_name_of_the_headers_with_its_parameters_and_result_is_in_the_reference() {
    if is_missing() {
        return;
    }
    let pages = scratch("doxygen");
    assert_eq!(doxygen(&root().join("include"), &pages), (true, String::new()));
    let page =
        |name: &str| fs::read_to_string(pages.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    // The introduction is what a reader sees first, and leads to the functions.
    let main = page("index.html");
    for words in
        ["Gaussian Error Linear Unit", "Accuracy</h1>", "GELU_NUM_THREADS", "gelu_8h.html", "gelu_8hpp.html"]
    {
        assert!(main.contains(words), "{words}");
    }
    assert!(page("gelu_8h.html").contains("gelu_backward_f64_strided"));
    assert!(page("namespacegelu.html").contains("try_backward_strided"));
}

#[test]
fn a_parameter_a_result_or_a_macro_without_words_fails() {
    if is_missing() {
        return;
    }
    for (name, header, words) in [
        ("parameter", "gelu.h", " * @param n the number of elements.\n"),
        ("result", "gelu.hpp", " * @return GELU_OK, or an error's status with y untouched.\n"),
        ("macro", "gelu.h", "/**\n * The output was written.\n */\n"),
    ] {
        let folder = scratch(&format!("doxygen-{name}"));
        for file in ["gelu.h", "gelu.hpp"] {
            let text = fs::read_to_string(root().join("include").join(file)).expect("the header");
            let changed = if file == header { text.replacen(words, "", 1) } else { text.clone() };
            assert_eq!(file == header, changed != text, "{words}");
            fs::write(folder.join(file), changed).expect("the target folder is writable");
        }
        let (succeeds, printed) = doxygen(&folder, &folder);
        assert!(!succeeds && printed.contains("is not documented"), "{name}: {printed}");
    }
}
