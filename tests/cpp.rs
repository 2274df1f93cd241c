//! include/gelu.hpp, compiled by every C++ compiler that is there, in standards from C++17 on, with and without
//! exceptions, with warnings as errors.

// The header is the same whatever the library's profile is.
#![cfg(all(target_os = "linux", not(debug_assertions), not(miri)))]

mod support;

use std::path::PathBuf;
use std::process::Command;

use support::compiler::{built, compiler, root, scratch};
use support::{skip, soname};

const WARNINGS: [&str; 7] =
    ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Werror"];

/// The system's compiler and clang++, by name, each with the warnings and the place of the headers.
fn compilers() -> Vec<(&'static str, Command)> {
    let mut compilers = vec![("system", compiler(true, &scratch("cpp")))];
    if Command::new("clang++").arg("--version").output().is_ok_and(|output| output.status.success()) {
        let mut clang = Command::new("clang++");
        clang.arg("-Wdocumentation");
        compilers.push(("clang", clang));
    } else {
        skip("needs clang++ (apt-get install clang)");
    }
    for (_, command) in &mut compilers {
        command.args(WARNINGS).arg("-I").arg(root().join("include"));
    }
    compilers
}

/// Whether a command succeeds, and what it prints.
fn run(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout) + &text(&output.stderr))
}

fn succeeds_silently(command: &mut Command) {
    let (succeeds, printed) = run(command);
    assert!(
        succeeds && printed.is_empty(),
        "{:?} {:?}\n{printed}",
        command.get_program(),
        command.get_args()
    );
}

/// Builds c_tests/cpp_header.cpp with its second translation unit in each standard and runs it.
fn check(name: &str, standards: &[&str], flags: &[&str]) {
    let scratch = scratch("cpp");
    let library = scratch.join(soname());
    // Two tests may make it at once.
    let _ = std::os::unix::fs::symlink(built().join("libgelu.so"), &library);
    for standard in standards {
        for (compiler, mut command) in compilers() {
            let program: PathBuf = scratch.join(format!("{name}-{compiler}-{standard}"));
            command.args(flags).args(["-O0", "-g0"]).arg(format!("-std={standard}")).arg("-o").arg(&program);
            for source in ["cpp_header.cpp", "cpp_header_types.cpp"] {
                command.arg(root().join("c_tests").join(source));
            }
            command.arg(&library).arg(format!("-Wl,-rpath,{}", scratch.display())).arg("-lpthread");
            succeeds_silently(&mut command);
            // Cargo sets it, and through it the dynamic linker would find another copy.
            succeeds_silently(Command::new(program).env_remove("LD_LIBRARY_PATH"));
        }
    }
}

#[test]
fn every_form_gives_the_bits_of_c_and_errors_are_exceptions_and_statuses() {
    check("exceptions", &["c++17", "c++20"], &[]);
}

#[test]
fn without_exceptions_and_type_information_the_forms_that_return_a_status_are_there() {
    check("no-exceptions", &["c++17"], &["-fno-exceptions", "-fno-rtti"]);
}

#[test]
fn the_newest_standard_compiles_and_refuses_the_same() {
    for (_, mut command) in compilers() {
        let source = root().join("c_tests/cpp_header_types.cpp");
        succeeds_silently(command.args(["-std=c++2b", "-fsyntax-only"]).arg(source));
    }
}

#[test]
fn an_older_standard_and_an_ignored_status_are_refused_in_clear_words() {
    for (standard, source, words) in [
        ("c++14", "#include <gelu.hpp>\n", "gelu.hpp needs C++17 or later"),
        (
            "c++17",
            "#include <gelu.hpp>\nvoid f(float *x);\nvoid f(float *x) { gelu::try_forward(x, x, 1); }\n",
            "nodiscard",
        ),
    ] {
        let file = scratch("cpp").join(format!("refused-{standard}.cpp"));
        std::fs::write(&file, source).expect("the target folder is writable");
        for (_, mut command) in compilers() {
            command.arg(format!("-std={standard}")).arg("-fsyntax-only").arg(&file);
            let (succeeds, printed) = run(&mut command);
            assert!(!succeeds && printed.contains(words), "{command:?}\n{printed}");
        }
    }
}
