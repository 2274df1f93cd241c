//! The tables of docs/DEPENDENCIES.md are those of Cargo.lock, for Linux.

#![cfg(all(target_os = "linux", not(miri)))]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const BUILT_IN: &str = "## In the built library";
const TO_BUILD: &str = "## To build and to test";

/// A crate by name, version and licence.
type Crate = [String; 3];

/// The crates that cargo resolves, without this one.
fn resolved(arguments: &[&str]) -> BTreeSet<Crate> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p}|{l}"]);
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    // libc v0.2.0|MIT OR Apache-2.0, with the folder or the kind of some crates in parentheses before the bar.
    let found = text.lines().filter_map(|line| {
        let (package, licence) = line.split_once('|')?;
        let (name, rest) = package.split_once(" v")?;
        let version = rest.split(' ').next()?;
        Some([name, version, licence].map(str::to_string))
    });
    let mut found: BTreeSet<Crate> = found.collect();
    let all = found.len();
    found.retain(|[name, ..]| name != env!("CARGO_PKG_NAME"));
    assert_eq!(found.len(), all - 1, "{text}");
    found
}

/// The crates of the table under a heading; each has a reason as well.
fn listed(heading: &str) -> BTreeSet<Crate> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/DEPENDENCIES.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (_, section) = text.split_once(heading).unwrap_or_else(|| panic!("no {heading:?}"));
    let section = section.split("\n## ").next().expect("a first part");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    let row = |row: &str| {
        let cells: Vec<_> = row.split(" | ").map(str::trim).collect();
        let [name, version, licence, why] = cells[..] else { panic!("not four cells: {row}") };
        assert!(!why.is_empty(), "no reason: {row}");
        [name.trim_end_matches('`'), version, licence].map(str::to_string)
    };
    rows.map(row).collect()
}

fn compare(heading: &str, arguments: &[&str]) {
    let (listed, resolved) = (listed(heading), resolved(arguments));
    let difference = |a: &BTreeSet<Crate>, b: &BTreeSet<Crate>| a.difference(b).cloned().collect::<Vec<_>>();
    let (missing, wrong) = (difference(&resolved, &listed), difference(&listed, &resolved));
    assert!(
        missing.is_empty() && wrong.is_empty(),
        "docs/DEPENDENCIES.md, {heading}\nmissing: {missing:?}\nnot of Cargo.lock: {wrong:?}"
    );
}

#[test]
fn every_crate_in_the_library_is_listed_with_its_version_and_licence() {
    compare(BUILT_IN, &["--edges", "normal"]);
}

#[test]
fn every_crate_that_builds_or_tests_it_is_listed_with_its_version_and_licence() {
    compare(TO_BUILD, &["--edges", "build,dev", "--depth", "1"]);
}
