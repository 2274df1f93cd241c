//! Every fenced snippet of the README works as it stands there, in order, in one folder and one shell, and prints what the
//! README says.
//!
//! A source names its file in a comment that is its first line, and the commands after it use that file. The programs in C
//! are the other way round: the first is examples/hello.c, and the others are declarations.

#![cfg(target_os = "linux")]

mod support;

use std::fs;

use support::compiler::root;

/// What is to be done for a snippet.
#[derive(Debug, PartialEq)]
enum Step<'a> {
    /// A program, which is that of an example.
    Program(&'a str),
    /// Declarations in C, which agree with the header.
    Declarations(&'a str),
    /// A file to write.
    Source { path: &'a str, text: &'a str },
    /// Commands, and what each of them, or the last, prints.
    Commands { commands: &'a str, output: Option<&'a str> },
}

/// The language and the text of each fenced snippet.
fn snippets(readme: &str) -> Result<Vec<(&str, &str)>, String> {
    let mut snippets = Vec::new();
    let mut rest = readme;
    while let Some((_, after)) = rest.split_once("```") {
        let (language, after) = after.split_once('\n').ok_or("a fence without a line after it")?;
        let (text, after) = after.split_once("```").ok_or(format!("a snippet without an end: {language}"))?;
        snippets.push((language, text));
        rest = after;
    }
    Ok(snippets)
}

fn steps(readme: &str) -> Result<Vec<Step<'_>>, String> {
    let mut steps = Vec::new();
    for (language, text) in snippets(readme)? {
        // The file that the commands after it are to use.
        let unused = match steps.last() {
            Some(&Step::Source { path, .. }) => Some(path.trim_end_matches("/CMakeLists.txt")),
            _ => None,
        };
        if unused.is_some_and(|path| language != "sh" || !text.contains(path)) {
            return Err(format!("nothing uses {}", unused.unwrap_or_default()));
        }
        let step = match (language, steps.last_mut()) {
            ("sh", _) => Step::Commands { commands: text, output: None },
            ("text", Some(Step::Commands { output: output @ None, .. })) => {
                *output = Some(text);
                continue;
            }
            ("c", _) if text.contains("main(") => Step::Program(text),
            ("c", _) => Step::Declarations(text),
            ("cpp" | "cmake" | "python" | "matlab", _) => {
                let first = text.lines().next().unwrap_or_default();
                let name = first.split_once(' ').filter(|(mark, _)| ["//", "#", "%"].contains(mark));
                let path =
                    name.map(|(_, path)| path).filter(|path| path.contains('.') && !path.contains(' '));
                let path = path.ok_or(format!("no file is named by the first line: {first}"))?;
                Step::Source { path, text }
            }
            _ => return Err(format!("no way to run this {language}: {text}")),
        };
        steps.push(step);
    }
    match steps.last() {
        Some(Step::Source { path, .. }) => Err(format!("nothing uses {path}")),
        _ => Ok(steps),
    }
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("the README")
}

#[test]
fn the_program_in_the_readme_is_the_example() {
    let readme = readme();
    let steps = steps(&readme).unwrap_or_else(|error| panic!("{error}"));
    let programs: Vec<_> = steps.iter().filter(|step| matches!(step, Step::Program(_))).collect();
    let example = fs::read_to_string(root().join("examples/hello.c")).expect("the example");
    assert_eq!(programs, [&Step::Program(&example)]);
}

#[test]
fn a_snippet_that_no_test_can_run_is_refused() {
    let good = "a\n```sh\nls\n```\nb\n```text\nfile\n```\n```cpp\n// a.cpp\n```\n```sh\nc++ a.cpp\n```\n";
    let expected = [
        Step::Commands { commands: "ls\n", output: Some("file\n") },
        Step::Source { path: "a.cpp", text: "// a.cpp\n" },
        Step::Commands { commands: "c++ a.cpp\n", output: None },
    ];
    assert_eq!(steps(good).as_deref(), Ok(&expected[..]));
    for (bad, message) in [
        ("```rust\nf();\n```\n", "no way to run this rust"),
        ("```\nls\n```\n", "no way to run this"),
        ("```text\nfile\n```\n", "no way to run this text"),
        ("```sh\nls\n```\n```text\na\n```\n```text\nb\n```\n", "no way to run this text"),
        ("```sh\nls\n", "a snippet without an end"),
        ("```python\nprint(1)\n```\n```sh\nls\n```\n", "no file is named"),
        ("```python\n# a.py\n```\n", "nothing uses a.py"),
        ("```python\n# a.py\n```\n```sh\nls\n```\n", "nothing uses a.py"),
        ("```cmake\n# app/CMakeLists.txt\n```\n```text\n1\n```\n", "nothing uses app"),
    ] {
        let error = steps(bad).expect_err(bad);
        assert!(error.contains(message), "{bad}: {error}");
    }
}

// Debug builds would run the same commands again.
#[cfg(not(debug_assertions))]
mod run {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Output};

    use super::{Step, readme, steps};
    use crate::support::compiler::{self, root};
    use crate::support::skip;

    /// Words of a snippet that want a tool: how to see whether it is there, and the packages of Debian that bring it.
    const TOOLS: [(&str, &str, &str); 11] = [
        ("pkg-config", "pkg-config --version", "pkg-config"),
        ("cmake", "cmake --version", "cmake"),
        ("mex", "mkoctfile --version", "octave-dev"),
        ("octave-cli", "octave-cli --version", "octave"),
        ("python3", "python3 -c 'import numpy'", "python3-numpy"),
        ("gfortran", "gfortran --version", "gfortran"),
        ("go", "go version", "golang-go"),
        ("java", "java --version && test -e /usr/share/java/jna.jar", "default-jdk-headless libjna-java"),
        ("luajit", "luajit -v", "luajit"),
        ("R", "R --version", "r-base-core"),
        ("npm", "cd examples/node && npm ci", "nodejs npm, and see that npm reaches its registry"),
    ];

    /// In place of cargo: the library is built already, so that it has only to be put where it is wanted.
    const CARGO: &str = r#"#!/bin/sh
set -eu
case "$*" in
"build --release --locked --target-dir "* | "build --locked --lib --profile release --target-dir "*) ;;
*) echo "the test of the README knows no: cargo $*" >&2; exit 1 ;;
esac
for folder; do :; done
mkdir -p "$folder/release"
cp "$BUILT/libgelu.so" "$BUILT/libgelu.a" "$folder/release"
ln -sf libgelu.so "$folder/release/$SONAME"
"#;

    /// A user with a home and a copy of the sources.
    struct User {
        home: PathBuf,
        sources: PathBuf,
    }

    impl User {
        fn new() -> Self {
            let place = compiler::scratch("readme");
            let user = Self { home: place.join("home"), sources: place.join("libgelu") };
            // In the home the caches of tools stay.
            for old in [&user.sources, &user.home.join(".local"), &user.environment()] {
                let _ = fs::remove_dir_all(old).or_else(|_| fs::remove_file(old));
            }
            for folder in [&user.sources, &user.home, &user.tools()] {
                fs::create_dir_all(folder).expect("the target folder is writable");
            }
            let copy =
                "for entry in *; do case $entry in target) ;; *) cp -r \"$entry\" \"$TO\" ;; esac; done";
            let copied =
                Command::new("sh").args(["-ec", copy]).current_dir(root()).env("TO", &user.sources).status();
            assert!(copied.expect("sh runs").success());
            let cargo = user.tools().join("cargo");
            fs::write(&cargo, CARGO).expect("the target folder is writable");
            fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("the file is the user's");
            user
        }

        /// Where what stands in for the system's tools is.
        fn tools(&self) -> PathBuf {
            self.home.join("tools")
        }

        /// What the user's shell has exported so far.
        fn environment(&self) -> PathBuf {
            self.home.join("environment")
        }

        /// Runs commands as if they were typed after those before.
        fn run(&self, commands: &str) -> Output {
            let script = format!(
                "test ! -e \"$BEFORE\" || . \"$BEFORE\"\ncd \"$PWD\"\n{commands}export -p >\"$BEFORE\"\n"
            );
            let mut sh = Command::new("sh");
            sh.args(["-e", "-c", &script]).current_dir(&self.sources);
            // Cargo and make set these.
            for name in ["LD_LIBRARY_PATH", "CARGO", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"] {
                sh.env_remove(name);
            }
            // What is found by way of the home.
            if let Some(home) = std::env::var_os("HOME") {
                for (name, folder) in [("RUSTUP_HOME", ".rustup"), ("PYENV_ROOT", ".pyenv")] {
                    let folder = Path::new(&home).join(folder);
                    if std::env::var_os(name).is_none() && folder.exists() {
                        sh.env(name, folder);
                    }
                }
            }
            let path = std::env::var("PATH").expect("a path in UTF-8");
            sh.env("PATH", format!("{}:{path}", self.tools().display())).env("HOME", &self.home);
            sh.env("BEFORE", self.environment());
            sh.env("BUILT", compiler::built()).env("SONAME", crate::support::soname());
            sh.output().expect("sh runs")
        }

        /// Whether all tools are there that the commands name.
        fn has_tools_for(&self, commands: &str) -> bool {
            let words = || commands.split(|c: char| c.is_whitespace() || "$()&".contains(c));
            let missing = TOOLS.iter().find(|(word, probe, _)| {
                words().any(|other| other == *word) && !self.run(&format!("({probe})\n")).status.success()
            });
            if let Some((word, _, packages)) = missing {
                skip(&format!("no {word} for the README's commands: apt-get install {packages}"));
            }
            missing.is_none()
        }
    }

    #[test]
    fn every_snippet_works_in_order_and_prints_what_the_readme_says() {
        let user = User::new();
        let readme = readme();
        for step in steps(&readme).unwrap_or_else(|error| panic!("{error}")) {
            match step {
                Step::Program(_) => {}
                Step::Declarations(text) => {
                    let header = fs::read_to_string(root().join("include/gelu.h")).expect("the header");
                    for name in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
                        assert!(
                            !name.starts_with("gelu_") || header.contains(name),
                            "{name} is not in gelu.h"
                        );
                    }
                    fs::write(user.sources.join("declarations.c"), text).expect("a writable folder");
                    let compile =
                        "cc -Wall -Wextra -Werror -Iinclude -include gelu.h -fsyntax-only declarations.c\n";
                    check(compile, &user.run(compile), None);
                }
                Step::Source { path, text } => {
                    let path = user.sources.join(path);
                    fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
                    fs::write(path, text).expect("a writable folder");
                }
                Step::Commands { commands, output } => {
                    if user.has_tools_for(commands) {
                        check(commands, &user.run(commands), output);
                    }
                }
            }
        }
    }

    fn check(commands: &str, ran: &Output, expected: Option<&str>) {
        let [printed, errors] = [&ran.stdout, &ran.stderr].map(|bytes| String::from_utf8_lossy(bytes));
        println!("{commands}{printed}{errors}");
        assert!(ran.status.success(), "{commands}{printed}{errors}");
        // Each of the commands may print the text. What make and cmake say on their way may come before.
        let Some(expected) = expected else { return };
        let mut before = &*printed;
        while let Some(rest) = before.strip_suffix(expected) {
            before = rest;
        }
        let is_said = before.len() < printed.len() && (before.is_empty() || commands.contains("make "));
        assert!(is_said, "{commands}printed\n{printed}and not\n{expected}");
    }
}
