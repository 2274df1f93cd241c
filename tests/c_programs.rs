//! The programs of c_tests/, built with the system's compilers and run against the shared and the static
//! library, on every instruction set of this machine.
//!
//! A program prints nothing on success, so that a word of the library's would be seen, and ends with 0.
//!
//! GELU_TEST_RUNNER is a command that the programs are run under, such as `valgrind -q --error-exitcode=9`;
//! they may then take ten times as long.

#![cfg(all(target_os = "linux", not(miri)))]

mod support;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::OnceLock;
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant};

use support::compiler::{self, built, root};
use support::soname;

/// Of one program on one instruction set; the slowest takes half a minute in a debug build on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(300);

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// What the static library needs from the system besides the C library.
const SYSTEM_LIBRARIES: [&str; 3] = ["-lpthread", "-ldl", "-lm"];

#[derive(Clone, Copy, Debug)]
enum Link {
    Shared,
    Static,
    /// The program loads the library itself.
    None,
}

/// The folder for what these tests make, one for each profile.
fn scratch() -> &'static Path {
    static SCRATCH: OnceLock<PathBuf> = OnceLock::new();
    SCRATCH.get_or_init(|| {
        let scratch = compiler::scratch("c_programs");
        compiler::library_folder(&scratch);
        scratch
    })
}

/// The C or C++ compiler, with a standard and all warnings.
fn compiler_for(cpp: bool, standard: &str) -> Command {
    let mut command = compiler::compiler(cpp, scratch());
    add_flags(&mut command, cpp, standard);
    command
}

fn add_flags(command: &mut Command, cpp: bool, standard: &str) {
    command.arg(format!("-std={standard}")).args(WARNINGS).arg("-I").arg(root().join("include"));
    if !cpp {
        // For C++ the compiler warns about this warning.
        command.arg("-Wstrict-prototypes");
    }
}

/// Runs a compiler or another tool, which is to succeed, and returns what it prints.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// Builds c_tests/`source` and returns the program.
fn build(source: &str, link: Link) -> PathBuf {
    build_as(&format!("{}-{link:?}", source.replace('.', "-")), source, link)
}

/// The same under a name of its own, for a test that runs at the same time as another of that program.
fn build_as(name: &str, source: &str, link: Link) -> PathBuf {
    let program = scratch().join(name);
    let cpp = source.ends_with(".cpp");
    let mut command = compiler_for(cpp, if cpp { "c++17" } else { "c11" });
    command.arg(root().join("c_tests").join(source)).arg("-o").arg(&program);
    match link {
        Link::Shared => {
            let libraries = scratch().join("lib");
            command.arg("-L").arg(&libraries).arg("-lgelu");
            command.arg(format!("-Wl,-rpath,{}", libraries.display()));
        }
        Link::Static => {
            command.arg("-DGELU_STATIC").arg(built().join("libgelu.a"));
        }
        Link::None => {}
    }
    output(command.args(SYSTEM_LIBRARIES));
    program
}

/// One run of a program.
struct Run<'a> {
    program: &'a Path,
    arguments: Vec<String>,
    environment: Vec<(&'a str, &'a str)>,
}

impl Run<'_> {
    /// Runs the program, which is to end in time with 0 and print nothing.
    fn check(&self) {
        let name = self.program.file_name().expect("a name").to_string_lossy();
        let about = format!("{name} {} with {:?}", self.arguments.join(" "), self.environment);
        let log = scratch().join(format!("{name}.log"));
        let file = File::create(&log).expect("the target folder is writable");
        let (mut command, timeout) = under_runner(self.program);
        command.args(&self.arguments);
        // Cargo sets it, and through it the dynamic linker would find the old copy that built() warns of.
        command.env_remove("LD_LIBRARY_PATH");
        command
            .env_remove("GELU_NUM_THREADS")
            .env_remove("GELU_MAX_ISA")
            .envs(self.environment.iter().copied());
        command.stdout(file.try_clone().expect("another handle")).stderr(file);
        // A group of its own, so that a program that hangs is ended with its children.
        let child = command.process_group(0).spawn().unwrap_or_else(|error| panic!("{about}: {error}"));
        let status = wait(child, timeout);
        let printed = String::from_utf8_lossy(&fs::read(&log).expect("the log")).into_owned();
        match status {
            None => panic!("{about}: still running after {timeout:?}\n{printed}"),
            Some(status) => {
                let signal = status.signal();
                assert!(status.success(), "{about}: {status}, signal {signal:?}\n{printed}");
            }
        }
        assert_eq!(printed, "", "{about}: something was printed");
    }
}

/// The command for a program, and how long it may take.
fn under_runner(program: &Path) -> (Command, Duration) {
    let runner = std::env::var("GELU_TEST_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    match words.next() {
        None => (Command::new(program), TIMEOUT),
        Some(first) => {
            let mut command = Command::new(first);
            command.args(words).arg(program);
            (command, TIMEOUT * 10)
        }
    }
}

/// Waits for the end, or ends the process and its children and returns None.
fn wait(mut child: Child, timeout: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the child can be waited for") {
            return Some(status);
        }
        if start.elapsed() > timeout {
            let group = i32::try_from(child.id()).expect("a process id");
            // SAFETY: kill has no preconditions; the group was made for this child, which is not reaped yet.
            unsafe { libc::kill(-group, libc::SIGKILL) };
            child.wait().expect("the child can be waited for");
            return None;
        }
        sleep(Duration::from_millis(10));
    }
}

/// Whether GELU_TEST_RUNNER names a program, far slower than the processor, that is to run the tests' programs.
fn has_runner() -> bool {
    std::env::var_os("GELU_TEST_RUNNER").is_some()
}

/// The instruction sets of this machine, best first. Valgrind knows no AVX-512.
fn levels() -> Vec<&'static str> {
    let names = gelu::dispatch::available().map(|backend| backend.name.to_str().expect("an ASCII name"));
    names.filter(|&name| !(has_runner() && name == "avx512")).collect()
}

/// Builds a program and runs it on every instruction set; under a runner, on the best.
fn check(source: &str, link: Link, arguments: &[&str]) {
    let program = build(source, link);
    let count = if has_runner() { 1 } else { usize::MAX };
    for level in levels().into_iter().take(count) {
        let arguments = arguments.iter().map(|argument| argument.to_string()).collect();
        Run { program: &program, arguments, environment: vec![("GELU_MAX_ISA", level)] }.check();
    }
}

/// Two tests, named for the promise, that run one program against both libraries.
macro_rules! programs {
    ($($name:ident: $source:literal $($argument:expr)*;)*) => {
        mod shared_library {
            use super::*;
            $(#[test]
            fn $name() {
                check($source, Link::Shared, &[$($argument),*]);
            })*
        }
        mod static_library {
            use super::*;
            $(#[test]
            fn $name() {
                check($source, Link::Static, &[$($argument),*]);
            })*
        }
    };
}

programs! {
    values_are_right: "values.c" concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/cases.csv");
    statuses_version_and_isa_have_texts: "information.c";
    special_values_are_right_at_every_index: "special_values.c";
    errors_come_in_order_and_write_nothing: "errors.c";
    in_place_misaligned_and_read_only_buffers_give_the_same_bits: "aliasing.c";
    strided_buffers_get_the_same_bits_and_keep_what_is_between: "strided.c";
    the_number_of_threads_is_kept_and_changes_no_bit: "threads.c";
    a_system_that_refuses_threads_is_no_error: "refused_threads.c";
    threads_that_the_system_gives_again_are_used: "given_again.c";
    the_hosts_own_pool_changes_no_bit_and_cannot_do_harm: "host_pool.c";
    a_child_after_fork_goes_on_calling: "fork.c" if has_runner() { "5" } else { "100" };
    the_floating_point_environment_is_kept_and_changes_no_bit: "fp_environment.c";
    cplusplus_programs_use_it: "cplusplus.cpp";
}

#[test]
fn threads_may_load_call_and_unload_the_library() {
    let library = scratch().join("lib/libgelu.so");
    check("unload.c", Link::None, &[library.to_str().expect("a UTF-8 path"), "gelu_forward_f32"]);
}

#[test]
fn two_copies_and_one_in_a_name_space_of_its_own_work_at_once() {
    let (library, copy) = (scratch().join("lib/libgelu.so"), scratch().join("libgelu_copy.so"));
    fs::copy(&library, &copy).expect("a writable folder");
    let [library, copy] = [&library, &copy].map(|path| path.to_str().expect("a UTF-8 path"));
    check("copies.c", Link::None, &[library, copy]);
}

fn exit(link: Link) {
    let program = build("exit.c", link);
    for way in ["return", "at-exit", "during-calls", "quick-exit", "from-a-thread", "the-last-thread"] {
        for _ in 0..if has_runner() { 1 } else { 10 } {
            Run { program: &program, arguments: vec![way.to_string()], environment: vec![] }.check();
        }
    }
}

#[test]
fn the_process_may_end_right_after_a_large_call_and_during_one_shared() {
    exit(Link::Shared);
}

#[test]
fn the_process_may_end_right_after_a_large_call_and_during_one_static() {
    exit(Link::Static);
}

/// In a debug build every temporary has a place on the stack.
#[cfg(not(debug_assertions))]
#[test]
fn the_first_calls_may_come_from_64_threads_with_small_stacks_crowd() {
    let program = build("crowd.c", Link::Shared);
    for level in levels() {
        let environment = vec![("GELU_NUM_THREADS", "4"), ("GELU_MAX_ISA", level)];
        Run { program: &program, arguments: vec![], environment }.check();
    }
}

/// A debug build would take minutes.
#[cfg(not(debug_assertions))]
#[test]
fn more_elements_than_32_bits_count_are_right_at_both_ends_and_between_very_large() {
    let program = build("very_large.c", Link::Shared);
    Run { program: &program, arguments: vec![], environment: vec![] }.check();
}

/// GELU_SOAK_SECONDS is how long it takes, 2 without it.
#[test]
fn random_calls_threads_pools_and_forks_change_no_bit_soak() {
    let seconds = std::env::var("GELU_SOAK_SECONDS").unwrap_or_else(|_| "2".to_string());
    let program = build("soak.c", Link::Shared);
    Run { program: &program, arguments: vec![seconds], environment: vec![("GELU_NUM_THREADS", "4")] }.check();
}

/// A control group with a quota of one core, which ends with this value; None where there can be none.
struct Quota(PathBuf);

impl Quota {
    fn one_core() -> Option<Self> {
        let name = format!("gelu-test-{}", std::process::id());
        let new = |folder: &str, settings: &[(&str, &str)]| {
            let group = Self(Path::new(folder).join(&name));
            fs::create_dir(&group.0).ok()?;
            let set = |(file, value): &(&str, &str)| fs::write(group.0.join(file), value);
            settings.iter().all(|setting| set(setting).is_ok()).then_some(group)
        };
        new("/sys/fs/cgroup/cpu", &[("cpu.cfs_period_us", "100000"), ("cpu.cfs_quota_us", "100000")])
            .or_else(|| new("/sys/fs/cgroup", &[("cpu.max", "100000 100000")]))
    }
}

impl Drop for Quota {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn a_quota_of_the_control_group_is_respected() {
    let Some(group) = Quota::one_core() else {
        return support::skip("needs a control group of its own for processor time (run as root)");
    };
    let program = build_as("quota", "environment.c", Link::Shared);
    let command = format!(
        "echo $$ > {}/cgroup.procs && exec {} 1 {}",
        group.0.display(),
        program.display(),
        levels()[0]
    );
    output(Command::new("sh").args(["-c", &command]).env_remove("LD_LIBRARY_PATH"));
}

fn environment(link: Link) {
    let program = build("environment.c", link);
    let run = |threads: usize, isa: &str, one_core: bool, environment: &[(&'static str, &'static str)]| {
        let mut arguments = vec![threads.to_string(), isa.to_string()];
        arguments.extend(one_core.then(|| "one-core".to_string()));
        Run { program: &program, arguments, environment: environment.to_vec() }.check();
    };
    let cores = available_parallelism().map_or(1, usize::from);
    let levels = levels();
    let best = levels[0];
    run(cores, best, false, &[]);
    run(1, best, true, &[]);
    for (text, threads) in [("3", 3), ("1", 1), ("0", cores), ("abc", cores), ("", cores), ("-2", cores)] {
        run(threads, best, false, &[("GELU_NUM_THREADS", text)]);
    }
    // A wish counts for more than the cores.
    run(4, best, true, &[("GELU_NUM_THREADS", "4")]);
    for text in ["nonsense", "", "PORTABLE", "sse9"] {
        run(cores, best, false, &[("GELU_MAX_ISA", text)]);
    }
    for text in ["portable", "avx2", "avx512", "neon"] {
        let isa = if levels.contains(&text) { text } else { best };
        run(cores, isa, false, &[("GELU_MAX_ISA", text)]);
    }
}

#[test]
fn environment_variables_and_affinity_are_respected_shared() {
    environment(Link::Shared);
}

#[test]
fn environment_variables_and_affinity_are_respected_static() {
    environment(Link::Static);
}

#[test]
fn the_header_compiles_alone_in_every_standard() {
    let c = ["c99", "c11", "c17", "c2x"].map(|standard| (false, standard));
    let cpp = ["c++98", "c++11", "c++20"].map(|standard| (true, standard));
    let source = |cpp: bool| scratch().join(if cpp { "header.cpp" } else { "header.c" });
    for cpp in [false, true] {
        // Twice, for its guard.
        fs::write(source(cpp), "#include \"gelu.h\"\n#include \"gelu.h\"\n").expect("a writable folder");
    }
    for (cpp, standard) in c.into_iter().chain(cpp) {
        let mut command = compiler_for(cpp, standard);
        output(command.arg("-fsyntax-only").arg(source(cpp)));
        let clang = if cpp { "clang++" } else { "clang" };
        if Command::new(clang).arg("--version").output().is_ok_and(|output| output.status.success()) {
            let mut command = Command::new(clang);
            add_flags(&mut command, cpp, standard);
            output(command.arg("-fsyntax-only").arg(source(cpp)));
        }
    }
}

/// The functions that the header declares: its words that start with gelu_ and stand before a parenthesis.
fn declared() -> BTreeSet<String> {
    let header = fs::read_to_string(root().join("include/gelu.h")).expect("the header");
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut functions = BTreeSet::new();
    for (start, _) in header.match_indices("gelu_") {
        let length = header[start..].find(|c| !is_word(c)).expect("the header does not end in a word");
        if header[start + length..].starts_with('(') {
            functions.insert(header[start..start + length].to_string());
        }
    }
    functions
}

#[test]
fn the_shared_library_exports_the_functions_of_the_header_and_nothing_else() {
    let library = built().join("libgelu.so");
    let listed = output(Command::new("nm").args(["-D", "--defined-only"]).arg(library));
    let exported: BTreeSet<String> =
        listed.lines().filter_map(|line| line.split_whitespace().last()).map(str::to_string).collect();
    assert_eq!(exported, declared());
    assert!(exported.len() >= 10);
}

#[test]
fn the_shared_library_has_its_soname_and_stays_mapped() {
    let dynamic = output(Command::new("readelf").args(["-d", "-W"]).arg(built().join("libgelu.so")));
    let has = |tag: &str, value: &str| dynamic.lines().any(|line| line.contains(tag) && line.contains(value));
    assert!(has("(SONAME)", &format!("[{}]", soname())), "{dynamic}");
    assert!(has("(FLAGS_1)", "NODELETE"), "{dynamic}");
}

/// The archive for embedding, made of the one that cargo built.
fn embedded() -> &'static Path {
    static EMBEDDED: OnceLock<PathBuf> = OnceLock::new();
    EMBEDDED.get_or_init(|| {
        let archive = scratch().join("static/libgelu.a");
        output(
            Command::new(root().join("tools/static_library.sh")).arg(built().join("libgelu.a")).arg(&archive),
        );
        archive
    })
}

/// The names that a file defines for others.
fn global_names(nm: &mut Command) -> BTreeSet<String> {
    let listed = output(nm);
    listed
        .lines()
        .filter(|line| line.contains(' '))
        .filter_map(|line| line.split_whitespace().last())
        .map(str::to_string)
        .collect()
}

#[test]
fn the_archive_for_embedding_shows_the_names_of_the_header_and_nothing_else() {
    assert_eq!(global_names(Command::new("nm").args(["-g", "--defined-only"]).arg(embedded())), declared());
}

/// Links C source with the archive for embedding.
fn embed(name: &str, source: &str, flags: &[&str], others: &[&Path]) -> PathBuf {
    let (file, made) = (scratch().join(format!("{name}.c")), scratch().join(name));
    fs::write(&file, source).expect("a writable folder");
    let mut command = compiler_for(false, "c11");
    command.arg("-DGELU_STATIC").args(flags).arg(&file).args(others).arg("-o").arg(&made);
    output(command.arg("-lgcc_s").args(SYSTEM_LIBRARIES));
    made
}

const PLUGIN: &str = "#include <gelu.h>\n\
    __attribute__((visibility(\"default\"))) int32_t plugin_gelu(const float *x, float *y, size_t n, int32_t form);\n\
    int32_t plugin_gelu(const float *x, float *y, size_t n, int32_t form) { return gelu_forward_f32(x, y, n, form); }\n";

#[test]
fn a_plugin_that_embeds_the_library_exports_only_its_own_and_may_be_unloaded_while_workers_live() {
    let flags = ["-shared", "-fPIC", "-fvisibility=hidden", "-Wl,--exclude-libs,ALL"];
    let plugin = embed("plugin.so", PLUGIN, &flags, &[embedded()]);
    let exported = global_names(Command::new("nm").args(["-D", "--defined-only"]).arg(&plugin));
    assert_eq!(exported, BTreeSet::from(["plugin_gelu".to_string()]));
    let program = build("unload.c", Link::None);
    for threads in ["1", "4"] {
        let arguments = vec![plugin.to_str().expect("a UTF-8 path").to_string(), "plugin_gelu".to_string()];
        Run { program: &program, arguments, environment: vec![("GELU_NUM_THREADS", threads)] }.check();
    }
}

const OTHER: &str = "#[unsafe(no_mangle)] pub extern \"C\" fn other_sum(n: u64) -> u64 {\n\
    std::thread::spawn(move || (1..=n).collect::<Vec<u64>>().iter().sum()).join().unwrap_or(0)\n}\n";

const BOTH: &str = "#include <gelu.h>\n#include <stdint.h>\nuint64_t other_sum(uint64_t n);\n\
    int main(void) { float x[1] = {-6.0f}, y[1]; return gelu_forward_f32(x, y, 1, 0) != 0 || y[0] != -0x1.96c966p-28f \
    || other_sum(100) != 5050; }\n";

#[test]
fn a_program_may_hold_another_rust_library_in_either_order() {
    let (source, other) = (scratch().join("other.rs"), scratch().join("libother.a"));
    fs::write(&source, OTHER).expect("a writable folder");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    output(
        Command::new(rustc).args(["--edition=2024", "--crate-type=staticlib", "-o"]).arg(&other).arg(&source),
    );
    for (name, flags) in [
        ("both", &[][..]),
        ("both-lto", &["-O2", "-flto"][..]),
        ("both-sections", &["-Wl,--gc-sections", "-ffunction-sections", "-pie", "-fPIE"][..]),
    ] {
        for (order, others) in [("first", [embedded(), &other]), ("last", [&other, embedded()])] {
            let program = embed(&format!("{name}-{order}"), BOTH, flags, &others);
            Run { program: &program, arguments: vec![], environment: vec![] }.check();
        }
    }
}
