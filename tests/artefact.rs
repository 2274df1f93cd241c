//! What the shared library asks of the dynamic linker and of the process that loads it, as readelf and nm show it.

#![cfg(all(target_os = "linux", not(miri)))]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use support::compiler::{built, compiler, root, scratch};
use support::soname;

/// The libraries that may be needed; the dynamic linker, whose name tells the processor, is one more.
const NEEDED: [&str; 2] = ["libc.so.6", "libgcc_s.so.1"];

/// What a network, another program or a change to files is reached through.
const OUTSIDE: &str = "socket connect bind listen accept send recv getaddrinfo \
    fork vfork posix_spawn posix_spawnp execl execv execve execvp system popen \
    creat fopen fopen64 mkdir rename unlink unlinkat rmdir ftruncate64";

/// Calls the library, with workers, and prints which variables and files it asks for: its own getenv and open come
/// before those of the C library.
const WATCHER: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <gelu.h>

static int is_watching;

char *getenv(const char *name)
{
    if (is_watching)
        printf("variable %s\n", name);
    return NULL;
}

int open64(const char *path, int flags, ...)
{
    if (is_watching)
        printf("%s %s\n", (flags & (O_ACCMODE | O_CREAT)) == O_RDONLY ? "reads" : "writes", path);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
}

int open(const char *path, int flags, ...)
{
    return open64(path, flags);
}

enum { N = 1000000 };

static float x[N], y[N];

int main(void)
{
    is_watching = 1;
    int status = gelu_forward_f32(x, y, N, GELU_APPROXIMATION_NONE);
    gelu_set_num_threads(4);
    status |= gelu_backward_f32(x, x, y, N, GELU_APPROXIMATION_TANH);
    gelu_shutdown();
    is_watching = 0;
    return status != GELU_OK;
}
"#;

/// Runs a tool on the library and returns what it prints.
fn of_library(tool: &str, arguments: &[&str]) -> String {
    output(Command::new(tool).args(arguments).arg(built().join("libgelu.so")).env("LC_ALL", "C"))
}

/// Runs a command, which is to succeed and to print no error, and returns what it prints.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let is_good = output.status.success() && output.stderr.is_empty();
    assert!(is_good, "{command:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// The dynamic section: tags such as NEEDED, each with its value.
fn dynamic() -> Vec<(String, String)> {
    let text = of_library("readelf", &["-d", "-W"]);
    let entry = |line: &str| {
        let (tag, value) = line.trim().strip_prefix("0x")?.split_once('(')?.1.split_once(')')?;
        Some((tag.to_string(), value.trim().to_string()))
    };
    let entries: Vec<_> = text.lines().filter_map(entry).collect();
    assert!(entries.iter().any(|(tag, _)| tag == "SONAME"), "not understood:\n{text}");
    entries
}

/// The segments: types such as GNU_STACK, each with its flags, some of R, W and E.
fn segments() -> Vec<(String, String)> {
    let text = of_library("readelf", &["-l", "-W"]);
    // Type, offset, two addresses, two sizes, the flags with blanks between them, the alignment.
    let segment = |line: &str| {
        let words: Vec<_> = line.split_whitespace().collect();
        let is_segment = words.len() >= 7 && words[1..6].iter().all(|word| word.starts_with("0x"));
        is_segment.then(|| (words[0].to_string(), words[6..words.len() - 1].concat()))
    };
    let segments: Vec<_> = text.lines().filter_map(segment).collect();
    assert!(segments.contains(&("LOAD".to_string(), "RE".to_string())), "not understood:\n{text}");
    segments
}

#[test]
fn relocations_are_done_at_load_and_read_only_afterwards() {
    let (dynamic, segments) = (dynamic(), segments());
    assert!(segments.iter().any(|(name, _)| name == "GNU_RELRO"), "{segments:?}");
    // A linker tells it by a tag, in the flags, or both.
    let is_now = |(tag, value): &(String, String)| match tag.as_str() {
        "BIND_NOW" => true,
        "FLAGS" => value.split_whitespace().any(|flag| flag == "BIND_NOW"),
        "FLAGS_1" => value.split_whitespace().any(|flag| flag == "NOW"),
        _ => false,
    };
    assert!(dynamic.iter().any(is_now), "{dynamic:?}");
}

#[test]
fn the_stack_is_not_executable() {
    let segments = segments();
    let stacks: Vec<_> = segments.iter().filter(|(name, _)| name == "GNU_STACK").collect();
    // Without the segment the stack would be executable on some processors.
    assert!(matches!(stacks[..], [(_, flags)] if !flags.contains('E')), "{segments:?}");
}

#[test]
fn no_relocation_changes_code() {
    let dynamic = dynamic();
    let changes = |(tag, value): &(String, String)| {
        tag == "TEXTREL" || (tag == "FLAGS" && value.split_whitespace().any(|flag| flag == "TEXTREL"))
    };
    assert!(!dynamic.iter().any(changes), "{dynamic:?}");
}

#[test]
fn no_segment_is_writable_and_executable() {
    let segments = segments();
    assert!(!segments.iter().any(|(_, flags)| flags.contains('W') && flags.contains('E')), "{segments:?}");
}

#[test]
fn no_path_to_search_libraries_in_is_set() {
    let dynamic = dynamic();
    assert!(!dynamic.iter().any(|(tag, _)| tag == "RPATH" || tag == "RUNPATH"), "{dynamic:?}");
}

#[test]
fn only_the_c_library_the_unwinder_and_the_dynamic_linker_are_needed() {
    let dynamic = dynamic();
    let needed: Vec<_> = dynamic
        .iter()
        .filter(|(tag, _)| tag == "NEEDED")
        .map(|(_, value)| value.split(['[', ']']).nth(1).expect("a name in brackets"))
        .collect();
    assert!(needed.contains(&"libc.so.6"), "{needed:?}");
    let is_expected = |name: &&str| NEEDED.contains(name) || name.starts_with("ld-linux");
    assert!(needed.iter().all(is_expected), "{needed:?}");
}

#[test]
fn nothing_that_reaches_a_network_or_a_program_or_changes_files_is_imported() {
    let listed = of_library("nm", &["-D", "--undefined-only"]);
    // U malloc@GLIBC_2.2.5
    let names = listed.lines().filter_map(|line| line.split_whitespace().last()?.split('@').next());
    let imported: BTreeSet<_> = names.collect();
    assert!(imported.contains("malloc"), "not understood:\n{listed}");
    let outside: Vec<_> = OUTSIDE.split_whitespace().filter(|name| imported.contains(name)).collect();
    assert!(outside.is_empty(), "{outside:?}");
}

#[test]
fn two_variables_and_the_files_that_tell_the_number_of_cores_are_read_and_no_others() {
    let scratch = scratch("artefact");
    let (source, program, link) =
        (scratch.join("watcher.c"), scratch.join("watcher"), scratch.join(soname()));
    fs::write(&source, WATCHER).expect("the target folder is writable");
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(built().join("libgelu.so"), &link).expect("the target folder is writable");
    let mut compiler = compiler(false, &scratch);
    compiler.args(["-std=c11", "-Wall", "-Wextra", "-rdynamic", "-I"]).arg(root().join("include"));
    compiler.arg(&source).arg(&link).arg("-o").arg(&program);
    output(compiler.arg(format!("-Wl,-rpath,{}", scratch.display())));
    // Cargo sets it, and through it the dynamic linker would find another copy.
    let printed = output(Command::new(&program).env_remove("LD_LIBRARY_PATH"));

    let asked = |what: &'static str| printed.lines().filter_map(move |line| line.strip_prefix(what));
    let variables: BTreeSet<_> = asked("variable ").collect();
    assert_eq!(variables, BTreeSet::from(["GELU_MAX_ISA", "GELU_NUM_THREADS"]), "{printed}");
    // What the affinity and the quotas of the control groups leave.
    let tells_cores =
        |path: &str| path == "/proc/self/cgroup" || path == "/proc/self/mountinfo" || is_quota(path);
    assert!(asked("reads ").all(tells_cores), "{printed}");
    assert!(asked("reads ").next().is_some(), "nothing was watched");
    assert_eq!(asked("writes ").next(), None, "{printed}");
}

fn is_quota(path: &str) -> bool {
    ["/cpu.max", "/cpu.cfs_quota_us", "/cpu.cfs_period_us"].iter().any(|end| path.ends_with(end))
}
