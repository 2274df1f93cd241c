//! The examples with threads of their own, the quickstart and the measurement of cold calls work; the README's other
//! commands are those of readme.rs.

#![cfg(target_os = "linux")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A new folder that looks like the project's root to commands, with this build's libraries.
fn workplace(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(place.join("target/release")).expect("a folder for the test");
    // The libraries that cargo built for this test; those one level up only `cargo build` renews.
    let test = std::env::current_exe().expect("the test's own path");
    let built = test.parent().expect("target/<profile>/deps");
    for (name, at) in [
        ("include", Path::new(ROOT).join("include")),
        ("examples", Path::new(ROOT).join("examples")),
        ("benches", Path::new(ROOT).join("benches")),
        ("target/release/libgelu.so", built.join("libgelu.so")),
        (&format!("target/release/{}", support::soname()), built.join("libgelu.so")),
    ] {
        std::os::unix::fs::symlink(at, place.join(name)).expect("a link");
    }
    place
}

fn shell(place: &Path, command: &str) -> Output {
    let mut sh = Command::new("sh");
    // Cargo sets the library path to its own folders, and that goes before the program's.
    let output = sh.args(["-e", "-c", command]).current_dir(place).env_remove("LD_LIBRARY_PATH").output();
    let output = output.expect("sh runs");
    println!("{command}\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

#[test]
fn the_examples_with_threads_of_their_own_work() {
    let place = workplace("host-pool");
    for (name, flags) in [("openmp", "-fopenmp"), ("pthreads", "-pthread")] {
        let build = format!(
            "cc -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 {flags} -Iinclude examples/{name}.c \
             -Ltarget/release -lgelu -Wl,-rpath,\"$PWD/target/release\" -o {name} && ./{name}"
        );
        let output = shell(&place, &build);
        assert!(output.status.success(), "{build}");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(printed, "GELU(-6) = -5.9195258e-09, GELU(3) = 2.9959502\n");
    }
}

#[test]
fn the_quickstart_reads_real_activations_and_refuses_damaged_files() {
    let place = workplace("quickstart");
    let build = "cc -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 -Iinclude examples/quickstart.c \
                 -Ltarget/release -lgelu -Wl,-rpath,\"$PWD/target/release\" -o quickstart";
    assert!(shell(&place, build).status.success());

    let data =
        fs::read(place.join("examples/data/minilm_mlp_preactivations_f32.npy")).expect("the example's data");
    let good = shell(&place, "./quickstart examples/data/minilm_mlp_preactivations_f32.npy");
    let text = String::from_utf8_lossy(&good.stdout).into_owned();
    assert!(good.status.success() && good.stderr.is_empty(), "{text}");
    assert!(text.contains("98304 floats, shape (64, 1536), from -17.1886 to 24.775"), "{text}");
    assert!(text.contains("in place: the same bits"), "{text}");

    let changed = |from: &[u8], to: &[u8]| {
        let mut bytes = data.clone();
        let at = data.windows(from.len()).position(|window| window == from).expect("it is there");
        bytes[at..at + to.len()].copy_from_slice(to);
        bytes
    };
    for (what, bytes, message) in [
        ("empty", Vec::new(), "not an .npy file"),
        ("another-kind", b"\x89PNG\r\n\x1a\n0123456789".to_vec(), "not an .npy file"),
        ("cut-in-header", data[..60].to_vec(), "the header is damaged"),
        ("cut-in-values", data[..data.len() - 1].to_vec(), "the file ends before the last value"),
        ("longer", [&data[..], &[0]].concat(), "the file goes on after the last value"),
        ("doubles", changed(b"<f4", b"<f8"), "not an array of little-endian 32-bit floats"),
        ("fortran", changed(b"False", b"True "), "not an array of little-endian 32-bit floats"),
        ("no-shape", changed(b"(64, 1536)", b"(64; 1536)"), "the header is damaged"),
        ("huge-shape", changed(b"(64, 1536), }", b"(9999999999,9"), "the header is damaged"),
        ("future", changed(b"NUMPY\x01", b"NUMPY\x09"), "an .npy format this program does not know"),
    ] {
        let file = format!("{what}.npy");
        fs::write(place.join(&file), bytes).expect("a damaged file");
        let output = shell(&place, &format!("./quickstart {file}"));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{what}: {error}");
        assert!(error.starts_with(&format!("{file}: {message}")), "{what}: {error}");
        assert!(output.stdout.is_empty(), "{what}");
    }
    let missing = shell(&place, "./quickstart missing.npy");
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).starts_with("missing.npy: No such file"));
}

#[test]
fn cold_calls_prints_every_function_and_peer_and_refuses_one_that_computes_something_else() {
    let place = workplace("cold-calls");
    let build = "cc -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 -Iinclude benches/cold_calls.c -ldl -lm -o cold_calls";
    assert!(shell(&place, build).status.success());
    let peer = "#include <math.h>\n#include <stddef.h>\n\
        void f(size_t bytes, const float *x, float *y, const void *unused) {\n\
        (void)unused; for (size_t i = 0; i < bytes / 4; i++) y[i] = x[i] / FACTOR * (1 + erff(x[i] * 0.70710678f)); }\n";
    fs::write(place.join("peer.c"), peer).expect("a peer");
    for (name, factor) in [("right", 2), ("wrong", 3)] {
        let build = format!("cc -O2 -shared -fPIC -DFACTOR={factor} peer.c -lm -o {name}.so");
        assert!(shell(&place, &build).status.success());
    }
    let run = "./cold_calls target/release/libgelu.so --repeat 3 --walks 0,1 --peer";
    let output = shell(&place, &format!("{run} right=./right.so:f"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    let (table, csv) = text.split_once("\n\ncontestant,function,walk_mib,n,us\n").expect("a table and CSV");
    assert_eq!(table.lines().count(), 2 + 7 * 2, "{table}");
    assert_eq!(csv.lines().count(), 7 * 2 * 7, "{csv}");
    assert!(table.contains("| right f32 forward none | 1 MiB |"), "{table}");
    assert!(csv.contains("libgelu,f64 forward tanh,0,16384,"), "{csv}");

    let output = shell(&place, &format!("{run} wrong=./wrong.so:f"));
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
}
