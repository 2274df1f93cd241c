//! A program in C hunts for the worst error of each function against multi-precision values (MPFR), at fresh
//! points every time, on every instruction set of this machine.
//!
//! GELU_FRESH_POINTS is the number of points for each function and instruction set (20000 without it; the portable
//! backend gets a tenth), GELU_SEED the seed, which is the clock's otherwise and stands in every line. Without MPFR the
//! tests are skipped, unless GELU_TEST_NO_SKIP is set. `-- --nocapture` shows the worst errors.

#![cfg(all(target_os = "linux", not(miri)))]

mod support;

use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use gelu::dispatch;
use support::compiler::{self, built, root};

/// All that no other test takes every argument of.
const FUNCTIONS: [&str; 8] = [
    "forward_none",
    "backward_none",
    "forward_tanh",
    "backward_tanh",
    "gradient_none",
    "gradient_tanh",
    "gradient_none_f32",
    "gradient_tanh_f32",
];

const POINTS: u64 = 20_000;

const FLAGS: [&str; 6] = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wstrict-prototypes"];

/// What the program needs from the system, and what the static library does.
const LIBRARIES: [&str; 5] = ["-lmpfr", "-lgmp", "-lm", "-lpthread", "-ldl"];

/// What is there exactly if the program can be built.
const PROBE: &str = "#include <mpfr.h>\nint main(void) { return mpfr_buildopt_tls_p() == 2; }\n";

/// The folder for what these tests make.
fn scratch() -> PathBuf {
    compiler::scratch("fresh_points")
}

/// What the compiler says when it fails.
fn compile(sources: &[PathBuf], program: &Path) -> Result<(), String> {
    let mut command = compiler::compiler(false, &scratch());
    command.args(FLAGS).arg("-DGELU_STATIC").arg("-I").arg(root().join("include")).args(sources);
    command.arg(built().join("libgelu.a")).args(LIBRARIES).arg("-o").arg(program);
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let error = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("{command:?}\n{error}")) }
}

/// The program, built once; None where the tests are skipped.
fn program() -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    PROGRAM.get_or_init(build).as_deref()
}

fn build() -> Option<PathBuf> {
    let probe = scratch().join("probe.c");
    fs::write(&probe, PROBE).expect("the target folder is writable");
    if let Err(error) = compile(&[probe], &scratch().join("probe")) {
        let missing = "needs libmpfr-dev (apt-get install libmpfr-dev)";
        assert!(std::env::var_os("GELU_TEST_NO_SKIP").is_none(), "{missing}\n{error}");
        // Not println!, which a test that passes does not show.
        writeln!(std::io::stderr(), "skipped: {missing}").expect("the standard error is open");
        return None;
    }
    let folder = root().join("c_tests/fresh_points");
    let files = fs::read_dir(&folder).expect("the folder of the program");
    let sources: Vec<PathBuf> = files
        .map(|file| file.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    let program = scratch().join("fresh_points");
    compile(&sources, &program).unwrap_or_else(|error| panic!("{error}"));
    Some(program)
}

/// A number from the environment.
fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|error| panic!("{variable}={text}: {error}")))
}

/// Runs the program, prints its results and returns what is wrong. Its progress goes to the standard error.
fn run(program: &Path, isa: &str, arguments: &[String]) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(arguments).env("GELU_MAX_ISA", isa).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    print!("{text}");
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("{} on {isa}: {}\n{text}", arguments.join(" "), output.status))
    }
}

#[test]
fn the_oracle_agrees_with_the_definition_and_the_committed_values() {
    let Some(program) = program() else { return };
    let folder = root().join("tests/data").into_os_string().into_string().expect("a UTF-8 path");
    if let Err(error) = run(program, "portable", &["selftest".to_string(), folder]) {
        panic!("{error}");
    }
}

#[test]
fn no_fresh_point_is_beyond_the_bounds() {
    let Some(program) = program() else { return };
    let points = number("GELU_FRESH_POINTS").unwrap_or(POINTS);
    let seed = number("GELU_SEED").unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
        now.as_secs()
    });
    println!("GELU_SEED={seed} GELU_FRESH_POINTS={points}");
    let mut jobs = Vec::new();
    for backend in dispatch::available() {
        let isa = backend.name.to_str().expect("an ASCII name");
        let points = if isa == "portable" { points.div_ceil(10) } else { points };
        jobs.extend(
            FUNCTIONS.map(|function| (isa, [function.to_string(), points.to_string(), seed.to_string()])),
        );
    }
    let jobs = Mutex::new(jobs.into_iter());
    let errors = Mutex::new(Vec::new());
    let next = || jobs.lock().expect("no panic").next();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                while let Some((isa, arguments)) = next() {
                    if let Err(error) = run(program, isa, &arguments) {
                        errors.lock().expect("no panic").push(error);
                    }
                }
            });
        }
    });
    let errors = errors.into_inner().expect("no panic");
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}
