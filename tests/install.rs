//! What make install, make dist and CMakeLists.txt give to programs that are built with them: each finds the header and
//! the library, wherever the tree has been moved to, and runs.

// Release only: the bindings are the same in debug.
#![cfg(all(target_os = "linux", not(debug_assertions)))]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use support::compiler::{self, root};
use support::soname;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What examples/hello.c and hello.cpp print.
const HELLO: &str = "GELU(-6) = -5.9195258e-09 in float, -5.919525870226189e-09 in double\n";

/// A new folder, with a blank in its name, for one test.
fn place(name: &str) -> PathBuf {
    let place = compiler::scratch("install").join(format!("a {name}"));
    // What the test before left may be read-only.
    let _ = Command::new("chmod").args(["-R", "u+w"]).arg(&place).output();
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).expect("the target folder is writable");
    place
}

/// A copy of the libraries that cargo built for this test, which no other build replaces.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let copy = place("build");
        for name in ["libgelu.so", "libgelu.a"] {
            fs::copy(compiler::built().join(name), copy.join(name)).expect("a copy");
        }
        copy
    })
}

/// Runs a command of sh in a folder, as a user would who has set nothing but the variables given.
fn sh(place: &Path, command: &str, variables: &[(&str, &Path)]) -> Output {
    let mut sh = Command::new("sh");
    sh.args(["-e", "-c", command]).current_dir(place);
    // Cargo sets the first, and make check the others.
    for name in ["LD_LIBRARY_PATH", "MAKEFLAGS", "PREFIX", "DESTDIR", "LIBDIR", "INCLUDEDIR", "DOCDIR"] {
        sh.env_remove(name);
    }
    sh.env("SOURCES", root()).env("BUILT", built()).envs(variables.iter().copied());
    sh.output().expect("sh runs")
}

/// The same where it is to succeed; returns what it prints.
fn good(place: &Path, command: &str, variables: &[(&str, &Path)]) -> String {
    let output = sh(place, command, variables);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// make with the libraries that are built: cargo is not to be called.
fn make(arguments: &str) -> String {
    format!("make -s -C \"$SOURCES\" CARGO=false LIB=\"$BUILT\" {arguments}")
}

/// A tree that was installed with DESTDIR, moved, and made read-only.
fn moved_tree(name: &str) -> PathBuf {
    let place = place(name);
    good(&place, &make("install DESTDIR=\"$PWD/stage\" PREFIX=/opt/gelu"), &[]);
    let tree = place.join("moved tree");
    fs::rename(place.join("stage/opt/gelu"), &tree).expect("the tree can be moved");
    good(&place, "chmod -R a-w 'moved tree'", &[]);
    tree
}

/// The files and links below a folder, and the folders without any.
fn files(tree: &Path) -> BTreeSet<String> {
    let listed = good(tree, "find . ! -type d -o -empty | sed 's|^[.]/||'", &[]);
    listed.lines().map(str::to_string).collect()
}

/// A shared program names the library by its soname; a static one does not name it.
fn check_needed(program: &Path, is_shared: bool) {
    let command = "LC_ALL=C readelf -d \"$PROGRAM\" | grep NEEDED || :";
    let needed = good(root(), command, &[("PROGRAM", program)]);
    assert_eq!(needed.contains(&format!("[{}]", soname())), is_shared, "{}: {needed}", program.display());
    assert_eq!(needed.contains("gelu"), is_shared, "{}: {needed}", program.display());
}

fn has(tool: &str) -> bool {
    let is_there = Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        support::skip(&format!("needs {tool}: apt-get install {tool}"));
    }
    is_there
}

/// Builds the examples by pkg-config against a tree, and runs them.
fn use_by_pkg_config(tree: &Path, place: &Path) {
    let (pc, lib) = (tree.join("lib/pkgconfig"), tree.join("lib"));
    let variables = [("PKG_CONFIG_PATH", &*pc), ("LD_LIBRARY_PATH", &*lib)];
    for (compiler, source, name) in [("cc", "hello.c", "c"), ("c++", "hello.cpp", "cpp")] {
        for (flags, way, is_shared) in [
            ("--cflags --libs", "-Wall -Werror", true),
            ("--cflags --libs", "-Wl,--as-needed -Wl,--fatal-warnings", true),
            ("--cflags --libs --static", "", true),
            ("--cflags --libs --static", "-static", false),
        ] {
            // A path with a blank comes quoted for the shell.
            let command = format!(
                "flags=$(pkg-config {flags} gelu)\n\
                 eval \"{compiler} {way} '$SOURCES/examples/{source}' $flags -o {name}\" && ./{name}"
            );
            assert_eq!(good(place, &command, &variables), HELLO, "{command}");
            check_needed(&place.join(name), is_shared);
        }
    }
}

/// Configures and builds one of the examples/cmake, and runs its programs.
fn use_by_cmake(example: &str, flags: &str, place: &Path, variables: &[(&str, &Path)]) {
    let flags = format!("-S \"$SOURCES/examples/cmake/{example}\" {flags}");
    build_and_run_by_cmake(&flags, place, variables);
}

fn build_and_run_by_cmake(flags: &str, place: &Path, variables: &[(&str, &Path)]) {
    let command = format!("cmake -B build -Werror=dev {flags} && cmake --build build");
    good(place, &command, variables);
    for (program, is_shared) in [("hello_shared", true), ("hello_static", false)] {
        let program = place.join("build").join(program);
        assert_eq!(good(place, "\"$PROGRAM\"", &[("PROGRAM", &program)]), HELLO, "{}", program.display());
        check_needed(&program, is_shared);
    }
}

#[test]
fn what_is_installed_is_this_and_nothing_of_it_is_left_by_uninstall() {
    let place = place("stage");
    let variables =
        "DESTDIR=\"$PWD/root\" PREFIX=/usr LIBDIR=/usr/lib/some-linux INCLUDEDIR=/usr/include/here";
    good(&place, "mkdir -p root/usr/lib/some-linux && echo > root/usr/lib/some-linux/of_another.so", &[]);
    good(&place, &make(&format!("install {variables}")), &[]);

    let usr = place.join("root/usr");
    let of_another = "lib/some-linux/of_another.so".to_string();
    let library = format!("libgelu.so.{VERSION}");
    let mut expected = BTreeSet::from([of_another.clone()]);
    let libraries = [&*library, &soname(), "libgelu.so", "libgelu.a"].map(str::to_string);
    let found_by =
        ["pkgconfig/gelu.pc", "cmake/gelu/gelu-config.cmake", "cmake/gelu/gelu-config-version.cmake"];
    let found_by = found_by.map(str::to_string);
    expected.extend(libraries.iter().chain(&found_by).map(|name| format!("lib/some-linux/{name}")));
    let documents = ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "DEPENDENCIES.md"];
    expected.extend(documents.map(|name| format!("share/doc/gelu/{name}")));
    let headers = fs::read_dir(root().join("include")).expect("the headers");
    let headers = headers.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    expected.extend(headers.map(|name| format!("include/here/{name}")));
    assert_eq!(files(&usr), expected);
    for link in [&*soname(), "libgelu.so"] {
        assert_eq!(
            fs::read_link(usr.join("lib/some-linux").join(link)).expect("a link"),
            Path::new(&library)
        );
    }

    // So that it goes with another Rust library in one program.
    let visible = good(&usr, "nm -g --defined-only lib/some-linux/libgelu.a | grep ' [A-Z] '", &[]);
    assert!(visible.lines().all(|line| line.contains(" T gelu_")), "{visible}");

    good(&place, &make(&format!("uninstall {variables}")), &[]);
    // Folders that others use as well stay.
    let shared = ["include/here", "lib/some-linux/cmake", "lib/some-linux/pkgconfig", "share/doc"];
    let left = shared.map(str::to_string).into_iter().chain([of_another]);
    assert_eq!(files(&usr), left.collect());
}

#[test]
fn programs_find_folders_of_other_names_too() {
    if !has("cmake") || !has("pkg-config") {
        return;
    }
    let place = place("lib64");
    let folders = "LIBDIR=/usr/lib/some-linux INCLUDEDIR=/usr/include/here";
    good(&place, &make(&format!("install DESTDIR=\"$PWD/root\" PREFIX=/usr {folders}")), &[]);
    let lib = place.join("root/usr/lib/some-linux");
    let pc = lib.join("pkgconfig");
    let command =
        "eval \"cc '$SOURCES/examples/hello.c' $(pkg-config --cflags --libs gelu) -o hello\" && ./hello";
    let variables = [("PKG_CONFIG_PATH", &*pc), ("LD_LIBRARY_PATH", &*lib)];
    assert_eq!(good(&place, command, &variables), HELLO);

    // The other language for each than in the examples.
    let project = "cmake_minimum_required(VERSION 3.16)\nproject(hello LANGUAGES C CXX)\n\
        find_package(gelu CONFIG REQUIRED)\n\
        add_executable(hello_shared \"$ENV{SOURCES}/examples/hello.cpp\")\n\
        target_link_libraries(hello_shared gelu::gelu)\n\
        add_executable(hello_static \"$ENV{SOURCES}/examples/hello.c\")\n\
        target_link_libraries(hello_static gelu::gelu_static)\n";
    fs::write(place.join("CMakeLists.txt"), project).expect("a writable folder");
    let flags = "-S . -D gelu_DIR=\"$PWD/root/usr/lib/some-linux/cmake/gelu\"";
    build_and_run_by_cmake(flags, &place, &[]);
}

#[test]
fn programs_find_a_moved_read_only_tree_by_pkg_config() {
    if !has("pkg-config") {
        return;
    }
    let tree = moved_tree("pkg-config");
    use_by_pkg_config(&tree, &place("pkg-config consumer"));
}

#[test]
fn programs_find_a_moved_read_only_tree_by_cmake() {
    if !has("cmake") {
        return;
    }
    let tree = moved_tree("cmake");
    let before = files(&tree);
    use_by_cmake("installed", "-D CMAKE_PREFIX_PATH=\"$TREE\"", &place("cmake consumer"), &[("TREE", &tree)]);
    assert_eq!(files(&tree), before);
}

#[test]
fn the_versions_that_pkg_config_cmake_the_header_and_the_library_tell_are_one() {
    if !has("cmake") || !has("pkg-config") {
        return;
    }
    let (tree, place) = (moved_tree("versions"), place("versions consumer"));
    let pc = tree.join("lib/pkgconfig");
    assert_eq!(
        good(&place, "pkg-config --modversion gelu", &[("PKG_CONFIG_PATH", &pc)]),
        format!("{VERSION}\n")
    );

    let project = "cmake_minimum_required(VERSION 3.16)\nproject(version NONE)\n\
        find_package(gelu CONFIG REQUIRED)\nfile(WRITE version.txt \"${gelu_VERSION}\")\n";
    fs::write(place.join("CMakeLists.txt"), project).expect("a writable folder");
    good(&place, "cmake -S . -B build -D CMAKE_PREFIX_PATH=\"$TREE\"", &[("TREE", &tree)]);
    assert_eq!(fs::read_to_string(place.join("version.txt")).expect("the version"), VERSION);

    let program = "#include <stdio.h>\n#include <gelu.h>\nint main(void)\n{\n\
        printf(\"%d.%d.%d %s\", GELU_VERSION_MAJOR, GELU_VERSION_MINOR, GELU_VERSION_PATCH, gelu_version());\n\
        return 0;\n}\n";
    fs::write(place.join("version.c"), program).expect("a writable folder");
    let command = "cc version.c -I\"$TREE/include\" -L\"$TREE/lib\" -lgelu -Wl,-rpath,\"$TREE/lib\" -o version && \
        ./version";
    assert_eq!(good(&place, command, &[("TREE", &tree)]), format!("{VERSION} {VERSION}"));
}

#[test]
fn cmake_refuses_a_version_with_another_abi() {
    if !has("cmake") {
        return;
    }
    let (tree, place) = (moved_tree("requests"), place("requests consumer"));
    let project = "cmake_minimum_required(VERSION 3.19)\nproject(request NONE)\n\
        find_package(gelu ${WANTED} CONFIG REQUIRED)\n";
    fs::write(place.join("CMakeLists.txt"), project).expect("a writable folder");
    let abi = soname().replace("libgelu.so.", "");
    let is_found = |wanted: &str| {
        let command = format!(
            "rm -rf build && cmake -S . -B build -D WANTED='{wanted}' -D CMAKE_PREFIX_PATH=\"$TREE\""
        );
        let output = sh(&place, &command, &[("TREE", &tree)]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success() || error.contains(&format!("version: {VERSION}")),
            "{wanted}: {error}"
        );
        output.status.success()
    };
    for wanted in [&*abi, VERSION, &format!("{VERSION};EXACT"), &format!("{abi}...<99"), "0.0.1...99"] {
        assert!(is_found(wanted), "{wanted}");
    }
    for wanted in ["99", "0.0.1", &format!("{abi}.999"), &format!("{abi}9"), "98...99", "0.0.1...<0.0.2"] {
        assert!(!is_found(wanted), "{wanted}");
    }
}

#[test]
fn an_archive_of_the_libraries_works_wherever_it_is_unpacked() {
    if !has("cmake") || !has("pkg-config") {
        return;
    }
    let place = place("dist");
    // Without that make dist would have cargo build target/release first.
    good(&place, &make("dist CARGO=true DIST=\"$PWD\""), &[]);
    good(&place, "sha256sum -c --quiet *.sha256 && mkdir else && tar -C else -xf *.tar.gz", &[]);
    let name = good(&place, "ls else", &[]);
    assert!(name.starts_with(&format!("libgelu-{VERSION}-{}-", std::env::consts::ARCH)), "{name}");
    use_by_pkg_config(&place.join("else").join(name.trim()), &place);

    let flags = "-D GELU_ARCHIVE=\"$(ls \"$PWD\"/*.tar.gz)\" -D GELU_SHA256=$(cut -d ' ' -f 1 *.sha256)";
    use_by_cmake("prebuilt", flags, &place, &[]);
}

#[test]
fn a_project_that_takes_the_sources_builds_them_through_cargo_and_once() {
    if !has("cmake") {
        return;
    }
    let place = place("subdirectory");
    // A folder of its own, since cargo test and cargo build replace one another's libraries. It starts with the crates
    // that cargo has built already, so that only the library is left to do.
    let target = compiler::scratch("install").join("cargo");
    if !target.exists() {
        let command = "mkdir -p \"$TARGET/release/deps\" && cd \"$BEFORE\" && \
            cp -a build .fingerprint \"$TARGET/release\" && cp -a deps/*.rlib deps/*.rmeta deps/*.d deps/*.so \
            \"$TARGET/release/deps\"";
        good(&place, command, &[("TARGET", &target), ("BEFORE", &compiler::built().join(".."))]);
    }
    // A build script of that time may have left it.
    let _ = fs::remove_file(target.join("release").join(soname()));
    use_by_cmake("subdirectory", "-D GELU_CARGO_TARGET_DIR=\"$TARGET\"", &place, &[("TARGET", &target)]);
    let again = good(&place, "cmake --build build", &[]);
    assert!(!again.contains("Linking") && !again.contains("Generating"), "{again}");

    for (kind, profile) in [("Debug", "dev"), ("RelWithDebInfo", "release")] {
        let command = format!(
            "cmake -S \"$SOURCES/examples/cmake/subdirectory\" -B {kind} -G 'Unix Makefiles' \
             -D CMAKE_BUILD_TYPE={kind} && make -n -C {kind} gelu_cargo"
        );
        let printed = good(&place, &command, &[]);
        assert!(printed.contains(&format!("--profile {profile} ")), "{printed}");
    }
}

#[test]
fn an_install_of_a_library_older_than_its_sources_or_to_a_relative_path_is_refused_and_writes_nothing() {
    let place = place("refused");
    let old = place.join("old");
    good(&place, "cp -r \"$BUILT\" old && touch -d 2000-01-01 old/*", &[]);
    for (built, arguments, message) in [
        (&*old, "DESTDIR=\"$PWD/stage\"", "run make first"),
        (built(), "DESTDIR=\"$PWD/stage\" PREFIX=usr", "usr is not an absolute path"),
        (built(), "DESTDIR=\"$PWD/stage\" LIBDIR=lib64", "lib64 is not an absolute path"),
    ] {
        let output = sh(&place, &make(&format!("install {arguments}")), &[("BUILT", built)]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(message), "{error}");
        assert!(!place.join("stage").exists(), "{arguments}");
    }
}
