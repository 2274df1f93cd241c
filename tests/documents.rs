//! Every path that a document names is there.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The documents at the root and in docs.
fn documents() -> Vec<PathBuf> {
    let folders = [root().to_path_buf(), root().join("docs")];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// The parts of a text between two marks.
fn between<'a>(text: &'a str, open: &str, close: char) -> Vec<&'a str> {
    text.split(open).skip(1).filter_map(|after| after.split_once(close)).map(|(part, _)| part).collect()
}

/// Words in backticks that are paths of the repository: with a slash, and no other sign that paths here do not have. What
/// is built, and what is elsewhere in the system, is not looked for.
fn quoted_paths(text: &str) -> Vec<&str> {
    let is_path = |word: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._/-".contains(c);
        word.contains('/')
            && word.chars().all(plain)
            && !word.starts_with("target/")
            && !word.starts_with('/')
    };
    text.split('`').skip(1).step_by(2).filter(is_path).collect()
}

/// The names of targets in `make NAME`.
fn targets(text: &str) -> Vec<&str> {
    let commands = text.split('`').filter_map(|words| words.strip_prefix("make "));
    commands.filter_map(|command| command.split_whitespace().next()).collect()
}

/// What a document names and is not there.
fn missing(document: &Path, text: &str) -> Vec<String> {
    // Snippets are run elsewhere, and their fences are backticks too.
    let text: String = text.split("```").step_by(2).collect();
    let makefile = fs::read_to_string(root().join("Makefile")).expect("the Makefile");
    let links =
        between(&text, "](", ')').into_iter().filter(|link| !link.contains("://") && !link.starts_with('#'));
    let links = links.filter(|link| !document.with_file_name(link).exists());
    let paths = quoted_paths(&text).into_iter().filter(|path| !root().join(path).exists());
    let targets = targets(&text).into_iter().filter(|name| !makefile.contains(&format!("\n{name}:")));
    links.chain(paths).chain(targets).map(str::to_string).collect()
}

#[test]
fn every_path_and_make_target_that_a_document_names_is_there() {
    let documents = documents();
    assert!(documents.len() > 8, "{documents:?}");
    for document in documents {
        let text = fs::read_to_string(&document).expect("a document");
        assert_eq!(missing(&document, &text), [""; 0], "{}", document.display());
    }
}

#[test]
fn what_is_not_there_is_found() {
    let text = "[a](docs/ACCURACY.md) [b](docs/none.md) `src/lib.rs` `src/none.rs` `make` `make doc` `make none`\n\
        ```sh\nmake nothing # `src/nothing.rs`\n```\n`target/release/x.so` `/usr/local` `-lgelu` [c](https://x.org/y)";
    assert_eq!(missing(&root().join("README.md"), text), ["docs/none.md", "src/none.rs", "none"]);
}
