//! The system's C and C++ compilers, for tests that build programs against the library.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where the libraries under test are: GELU_TEST_LIBRARIES, say of a build for a sanitizer, or where cargo puts those that it
/// builds for this very test, target/<profile>/deps. (Those one level up are copies that `cargo build` makes and `cargo
/// test` does not renew.)
pub fn built() -> PathBuf {
    std::env::var_os("GELU_TEST_LIBRARIES").map_or_else(deps, PathBuf::from)
}

fn deps() -> PathBuf {
    std::env::current_exe().expect("the path of this test").parent().expect("a folder").to_path_buf()
}

/// A folder for what the tests named make, one for each profile.
pub fn scratch(tests: &str) -> PathBuf {
    let deps = deps();
    let profile = deps.parent().and_then(Path::file_name).expect("target/<profile>/deps");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(tests).join(profile);
    std::fs::create_dir_all(&scratch).expect("the target folder is writable");
    scratch
}

/// A folder in `scratch` with the shared library under the names that linkers and programs look for.
pub fn library_folder(scratch: &Path) -> PathBuf {
    // One test makes it, and the others, which may be using it, find it made.
    static MAKING: Mutex<()> = Mutex::new(());
    let _making = MAKING.lock();
    let (libraries, library) = (scratch.join("lib"), built().join("libgelu.so"));
    std::fs::create_dir_all(&libraries).expect("the target folder is writable");
    for name in ["libgelu.so", &super::soname()] {
        let link = libraries.join(name);
        if !std::fs::read_link(&link).is_ok_and(|target| target == library) {
            let _ = std::fs::remove_file(&link);
            std::os::unix::fs::symlink(&library, link).expect("the target folder is writable");
        }
    }
    libraries
}

/// The C or C++ compiler for the target of this test.
pub fn compiler(cpp: bool, scratch: &Path) -> Command {
    // Cargo tells build scripts the host and the target, but not tests.
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("-vV").output().expect("rustc runs").stdout;
    let version = String::from_utf8(version).expect("UTF-8");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let arch = std::env::consts::ARCH;
    let target = if host.starts_with(arch) { host.to_string() } else { format!("{arch}-unknown-linux-gnu") };
    let mut build = cc::Build::new();
    build.cpp(cpp).host(host).target(&target).out_dir(scratch).opt_level(2).debug(true);
    // No output for a build script, and no flags of rustc's.
    build.cargo_metadata(false).inherit_rustflags(false);
    build.get_compiler().to_command()
}
