//! The examples for callers in other languages build and run, and print the right values and the text of an error.

// In debug builds the same programs would run again, on a library that others test.
#![cfg(all(target_os = "linux", not(debug_assertions)))]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::compiler::{self, library_folder, root};
use support::skip;

const IN_FLOAT: &str = "GELU(-6) = -5.9195258e-09, derivative -3.5468709e-08; ";
const IN_DOUBLE: &str = "GELU(-6) = -5.919525870226189e-09, derivative -3.546870945390202e-08; ";
const ERROR: &str = "status 2: the approximation is neither none (0) nor tanh (1)\n";

/// A folder of its own for one language's programs.
fn scratch(language: &str) -> PathBuf {
    let folder = compiler::scratch("callers").join(language);
    fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

fn libraries() -> PathBuf {
    library_folder(&compiler::scratch("callers"))
}

fn example(path: &str) -> PathBuf {
    root().join("examples").join(path)
}

/// Whether the tool is there; if not, the test is to end.
fn have(tool: &str, package: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    if !found {
        skip(&format!("no {tool}: apt-get install {package}"));
    }
    found
}

/// A command that finds the library by GELU_LIBRARY alone: cargo sets the other variable, to folders with other copies.
fn command(tool: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(tool);
    command.env("GELU_LIBRARY", libraries().join(support::soname())).env_remove("LD_LIBRARY_PATH");
    command
}

/// Runs the command, which is to succeed, and returns what it prints.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}\n{printed}{}", String::from_utf8_lossy(&output.stderr));
    printed
}

/// Languages write one exponent as E-09, e-09 and e-9.
fn check(printed: &str, values: &str) {
    let plain = |text: &str| text.replace("E-", "e-").replace("e-0", "e-");
    assert_eq!(plain(printed), plain(&format!("{values}{ERROR}")));
}

/// The linker's flags for the library, which a program finds again where it is.
fn link_flags() -> [String; 3] {
    let libraries = libraries().display().to_string();
    [format!("-L{libraries}"), "-lgelu".to_string(), format!("-Wl,-rpath,{libraries}")]
}

#[test]
fn fortran_calls_it_by_iso_c_binding() {
    if !have("gfortran", "gfortran") {
        return;
    }
    let folder = scratch("fortran");
    let mut build = command("gfortran");
    build
        .args(["-std=f2018", "-Wall", "-Wextra", "-Werror", "-o", "hello"])
        .arg(example("fortran/hello.f90"));
    output(build.args(link_flags()).current_dir(&folder));
    check(&output(&mut command(folder.join("hello"))), IN_FLOAT);
}

#[test]
fn go_calls_it_by_cgo() {
    if !have("go", "golang-go") {
        return;
    }
    let folder = scratch("go");
    let quoted = |flags: &[String]| flags.iter().map(|flag| format!("'{flag}' ")).collect::<String>();
    let mut build = command("go");
    build.args(["build", "-o", "hello"]).arg(example("go/hello.go")).current_dir(&folder);
    build
        .env("CGO_ENABLED", "1")
        .env("CGO_CFLAGS", quoted(&[format!("-I{}", root().join("include").display())]));
    output(build.env("CGO_LDFLAGS", quoted(&link_flags())));
    check(&output(&mut command(folder.join("hello"))), IN_FLOAT);
}

#[test]
fn node_calls_it_by_koffi() {
    if !have("node", "nodejs") || !have("npm", "npm") {
        return;
    }
    let folder = scratch("node");
    let copy = |name: &str, to: &str| {
        fs::copy(example("node").join(name), folder.join(to)).expect("a writable folder");
    };
    let lock = |path: &Path| fs::read(path).ok();
    // What npm installed for this lock stays.
    if lock(&folder.join("installed.json")) != lock(&example("node/package-lock.json")) {
        copy("package.json", "package.json");
        copy("package-lock.json", "package-lock.json");
        let mut npm = command("npm");
        npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder);
        let installed = npm.output().expect("npm runs");
        if !installed.status.success() {
            return skip(&format!(
                "npm ci in examples/node fails:\n{}",
                String::from_utf8_lossy(&installed.stderr)
            ));
        }
        copy("package-lock.json", "installed.json");
    }
    copy("hello.js", "hello.js");
    check(&output(command("node").arg("hello.js").current_dir(&folder)), IN_FLOAT);
}

#[test]
fn java_calls_it_by_jna() {
    let jna = Path::new("/usr/share/java/jna.jar");
    if !have("javac", "default-jdk-headless") {
        return;
    }
    if !jna.exists() {
        return skip("no JNA: apt-get install libjna-java");
    }
    check(&output(command("java").arg("-cp").arg(jna).arg(example("java/Hello.java"))), IN_FLOAT);
}

#[test]
fn luajit_calls_it_by_its_ffi() {
    if have("luajit", "luajit") {
        check(&output(command("luajit").arg(example("lua/hello.lua"))), IN_FLOAT);
    }
}

#[test]
fn r_calls_it_by_a_gateway_in_c() {
    if !have("Rscript", "r-base-core") {
        return;
    }
    let folder = scratch("r");
    for name in ["gelu.c", "hello.R"] {
        fs::copy(example("r").join(name), folder.join(name)).expect("a writable folder");
    }
    let include = root().join("include");
    let mut build = command("R");
    build.args(["CMD", "SHLIB", "gelu.c"]).current_dir(&folder);
    build.env("PKG_CFLAGS", format!("-Wall -Wextra -Wpedantic -Werror '-I{}'", include.display()));
    output(build.env("PKG_LIBS", link_flags().map(|flag| format!("'{flag}'")).join(" ")));
    check(&output(command("Rscript").arg("hello.R").current_dir(&folder)), IN_DOUBLE);
}
