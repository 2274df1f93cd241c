//! The gateway for MATLAB and Octave, built by `make mex` and run in Octave.

// A gateway is built and Octave started several times; the library behind it is tested in debug builds elsewhere.
#![cfg(all(target_os = "linux", not(debug_assertions)))]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::compiler::{built, root};
use support::{FUNCTIONS, Random, Real};

fn has_octave() -> bool {
    let runs =
        |tool: &str| Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    let found = runs("octave-cli") && runs("mkoctfile");
    if !found {
        support::skip("octave-cli and mkoctfile are missing: apt-get install octave octave-dev gnuplot-nox");
    }
    found
}

fn run(command: &mut Command) -> Output {
    // Cargo's library path is not for Octave.
    let output = command.env_remove("LD_LIBRARY_PATH").output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    output
}

/// A folder with the gateway in it, built with these flags of mkoctfile.
fn gateway(name: &str, flags: &str) -> PathBuf {
    let folder = support::compiler::scratch("octave").join(name);
    fs::create_dir_all(&folder).expect("a writable folder");
    let archive = folder.join("libgelu.a");
    run(Command::new(root().join("tools/static_library.sh")).arg(built().join("libgelu.a")).arg(&archive));
    // The archive is there, and cargo is not to build another.
    let mut make = Command::new("make");
    make.current_dir(root()).args(["-s", "-o", "static", "mex"]);
    make.arg(format!("MEX_DIR={}", folder.display())).arg(format!("MEX_LIBRARY={}", archive.display()));
    make.arg(format!("MEXFLAGS=-Wall -Wextra -Werror {flags}"));
    run(&mut make);
    folder
}

fn octave(gateway: &Path, script: &Path, argument: &Path) -> String {
    let mut octave = Command::new("octave-cli");
    octave.args(["--no-init-file", "--no-history", "--path"]).arg(root().join("examples/matlab"));
    octave
        .arg("--path")
        .arg(root().join("tests/octave"))
        .arg("--path")
        .arg(gateway)
        .arg(script)
        .arg(argument);
    let output = run(&mut octave);
    // Octave 7 says so after any MEX function, even one that does nothing.
    let printed = String::from_utf8_lossy(&output.stderr);
    let printed = printed.replace("error: ignoring const execution_exception& while preparing to exit\n", "");
    assert_eq!(printed, "");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// x, dy and the result of the C function, for each function of a type.
fn write_results<T: Real>(folder: &Path, class: &str) {
    let mut random = Random(11);
    let x: Vec<T> = (0..1000).map(|_| random.argument::<T>()).filter(|x| x == x).collect();
    for function in FUNCTIONS {
        let dy: Vec<T> = x.iter().map(|_| T::from_f64(random.signed() * 3.0)).collect();
        let mut out = vec![T::NAN; x.len()];
        let status = if function.backward {
            T::backward(&dy, &x, &mut out, function.approximation)
        } else {
            T::forward(&x, &mut out, function.approximation)
        };
        assert_eq!(status, 0);
        let all = [&x, &dy, &out].into_iter().flatten();
        let bytes: Vec<u8> =
            all.flat_map(|value| value.bits().to_ne_bytes()[..size_of::<T>()].to_vec()).collect();
        fs::write(folder.join(format!("{}_{class}.bin", function.name())), bytes).expect("a writable folder");
    }
}

fn keeps_its_promises(name: &str, flags: &str) {
    if !has_octave() {
        return;
    }
    let folder = gateway(name, flags);
    write_results::<f32>(&folder, "single");
    write_results::<f64>(&folder, "double");
    assert_eq!(octave(&folder, &root().join("tests/octave/test_gelu.m"), &folder), "passed\n");
}

#[test]
fn values_shapes_and_errors_are_right_and_clear_all_does_no_harm() {
    keeps_its_promises("separate", "");
}

#[test]
fn values_shapes_and_errors_are_right_with_interleaved_complex_numbers_too() {
    keeps_its_promises("interleaved", "-R2018a");
}

#[test]
fn the_example_draws_its_picture() {
    if !has_octave() {
        return;
    }
    let folder = gateway("example", "");
    let picture = folder.join("picture.png");
    let _ = fs::remove_file(&picture);
    octave(&folder, &root().join("examples/matlab/example.m"), &picture);
    let bytes = fs::read(&picture).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 10_000, "{} bytes", bytes.len());
}

/// Octave has no nnet.layer.Layer to derive from; tests/octave has one with the properties that MATLAB documents.
#[test]
fn the_layer_for_matlab_gives_what_the_functions_give() {
    if !has_octave() {
        return;
    }
    let folder = gateway("layer", "");
    assert_eq!(octave(&folder, &root().join("tests/octave/test_layer.m"), &folder), "passed\n");
}
