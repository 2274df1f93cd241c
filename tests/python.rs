//! examples/python/gelu.py keeps its promises: runs tests/python with a Python that has numpy.
//!
//! GELU_TEST_PYTHON names the one to use.

// In debug builds the same Python code would run again, on a library that others test.
#![cfg(all(target_os = "linux", not(debug_assertions)))]

mod support;

use std::process::Command;

use support::compiler::{library_folder, root, scratch};

/// The Python to use, with a module; the last two are the system's, and a place for PyTorch.
fn python_with(module: &str) -> Option<String> {
    let candidates = match std::env::var("GELU_TEST_PYTHON") {
        Ok(python) => vec![python],
        Err(_) => ["python3", "/usr/bin/python3", "/opt/peers/bin/python"].map(String::from).to_vec(),
    };
    candidates.into_iter().find(|python| {
        let import = Command::new(python).args(["-c", &format!("import {module}")]).output();
        import.is_ok_and(|import| import.status.success())
    })
}

/// Runs tests of tests/python, and prints what they say.
fn run(python: &str, tests: &[&str]) {
    let libraries = library_folder(&scratch("python"));
    let mut command = Command::new(python);
    // No compiled files in the sources; a warning in the module itself is an error.
    command.args(["-B", "-W", "error:::gelu", "-m", "unittest", "-v"]).args(tests);
    command.current_dir(root().join("tests/python"));
    command
        .env("PYTHONPATH", root().join("examples/python"))
        .env("GELU_LIBRARY", libraries.join("libgelu.so"));
    // Cargo sets it, to folders with other copies of the library.
    command.env_remove("LD_LIBRARY_PATH");
    let output = command.output().expect("Python runs");
    println!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}");
}

#[test]
fn the_python_module_keeps_its_promises() {
    match python_with("numpy") {
        Some(python) => run(&python, &["test_gelu", "test_processes"]),
        None => support::skip("no python3 with numpy: apt-get install python3-numpy"),
    }
}

#[test]
fn the_python_module_agrees_with_pytorch_where_that_is_installed() {
    match python_with("torch, numpy").or_else(|| python_with("numpy")) {
        Some(python) => run(&python, &["test_torch"]),
        None => support::skip("no python3 with numpy: apt-get install python3-numpy"),
    }
}
