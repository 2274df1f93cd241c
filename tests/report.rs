//! `make report` writes one HTML page that is right, holds all that it shows, and is readable on a phone and in the dark.
//!
//! The quick mode, which samples the floats, on the library that cargo built for this test.

// In debug builds the same page would come of a library that others test.
#![cfg(all(target_os = "linux", not(debug_assertions), not(miri)))]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use support::compiler::{library_folder, root, scratch};
use support::reference::{parse_f64, ulp_error_f32, ulp_error_f64};
use support::{FUNCTIONS, Function, data, skip};

/// Narrower than most phones.
const PHONE: u32 = 360;
const DESKTOP: u32 = 1200;

/// A page around the report at both widths, with the script that measures it there.
const FRAME: &str = include_str!("report_frame.html");

fn is_there(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn has_python() -> bool {
    let has_python = is_there("python3");
    if !has_python {
        skip("needs python3 (apt-get install python3)");
    }
    has_python
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The page and its path, made once; None without Python.
fn page() -> Option<&'static (String, PathBuf)> {
    static PAGE: OnceLock<Option<(String, PathBuf)>> = OnceLock::new();
    let make = || {
        let (folder, libraries) = (scratch("report"), library_folder(&scratch("report")));
        let path = folder.join("made by the test/index.html");
        let mut command = Command::new("python3");
        command.arg(root().join("tools/report.py")).arg("--quick");
        command.arg("--library").arg(libraries.join("libgelu.so"));
        command.arg("--work").arg(folder.join("work")).arg(&path);
        // Cargo sets it, to folders with other copies of the library.
        let output = command.env_remove("LD_LIBRARY_PATH").output().expect("python3 runs");
        assert!(output.status.success(), "{command:?}\n{}", text(&output.stderr));
        Some((fs::read_to_string(&path).expect("the page"), path))
    };
    PAGE.get_or_init(|| if has_python() { make() } else { None }).as_ref()
}

/// The value of an attribute in the text of a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> &'a str {
    let start = format!("{name}=\"");
    let at = tag.find(&start).unwrap_or_else(|| panic!("{name} in {tag}")) + start.len();
    tag[at..].split('"').next().expect("the attribute ends")
}

/// The functions, worst errors and witnesses of the page's table.
fn rows(page: &str) -> Vec<(&str, f64, &str)> {
    let start = page.find("id=\"worst-errors\"").expect("the table");
    let table = page[start..].split("</table>").next().expect("the table ends");
    let tags = table.split("<tr ").skip(1).map(|row| row.split('>').next().expect("the tag ends"));
    let row = |tag| {
        let error = attribute(tag, "data-error").parse().expect("a number");
        (attribute(tag, "data-function"), error, attribute(tag, "data-x"))
    };
    tags.map(row).collect()
}

#[test]
fn the_page_shows_the_worst_error_of_each_function_within_1_ulp_and_where_it_is() {
    let Some((page, _)) = page() else { return };
    let names = ["f32", "f64"].map(|name| FUNCTIONS.map(|function| format!("{}_{name}", function.name())));
    let rows = rows(page);
    assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), names.concat());
    for (name, error, x) in rows {
        // 0.5 is the best that rounding allows, and where nothing was measured there is less.
        assert!((0.5..=1.0).contains(&error), "{name}: {error}");
        assert!(x.parse::<f64>().expect("a witness").is_finite(), "{name}: {x}");
        if let Some(name) = name.strip_suffix("_f32") {
            let x: f32 = x.parse().expect("a float");
            let function = Function::of_name(name);
            let exact = function.call(&[f64::from(x)])[0];
            let again = ulp_error_f32(function.call(&[x])[0], exact);
            assert_eq!(format!("{again:.4}"), format!("{error:.4}"), "{name} at {x:e}");
        }
    }
    assert!(page.contains("every 1009th of the floats, 4,240,030 for each function"), "it sampled");
    if page.contains("Fresh points need MPFR") {
        skip("the errors of double at fresh points need libmpfr-dev (apt-get install libmpfr-dev)");
    }
}

#[test]
fn without_mpfr_the_worst_double_errors_are_those_at_the_committed_values() {
    if !has_python() {
        return;
    }
    // First two errors that the values do not reach: one below a power of two, and one of a subnormal.
    let code = "import sys, report\nprint(report.ulps(1 + 2**-52, 1.0, -0.25), report.ulps(15e-324, 1e-323, 0.25))\n\
                for row in report.at_committed_values(report.Library(sys.argv[1])):\n    \
                print(row['function'], format(row['error'], '.4f'), repr(row['x']))";
    let library = library_folder(&scratch("report")).join("libgelu.so");
    let mut command = Command::new("python3");
    command.args(["-B", "-c", code]).arg(library).env("PYTHONPATH", root().join("tools"));
    let output = command.env_remove("LD_LIBRARY_PATH").output().expect("python3 runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut expected = "2.25 0.75\n".to_string();
    for function in FUNCTIONS {
        let records = parse_f64(&data(&format!("{}_f64.bin", function.name())));
        let results = function.call(&records.iter().map(|record| record.x).collect::<Vec<_>>());
        let error = |(record, got): (&_, f64)| {
            let record: &support::reference::F64Record = record;
            (ulp_error_f64(got, record.rounded, record.rest), record.x)
        };
        let errors = records.iter().zip(results).map(error);
        let (error, x) = errors.reduce(|a, b| if b.0 > a.0 { b } else { a }).expect("records");
        expected += &format!("{}_f64 {error:.4} {x}\n", function.name());
    }
    assert_eq!(text(&output.stdout), expected);
}

#[test]
fn the_page_holds_all_that_it_shows_and_says_what_was_measured() {
    let Some((page, path)) = page() else { return };
    for outside in ["://", "src=", "<script", "<link", "<iframe", "@import", "url(", "<base"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    assert_eq!(attribute(page, "data-version"), env!("CARGO_PKG_VERSION"));
    let isa = gelu::capi::gelu_isa();
    // SAFETY: the library gives a static text.
    let isa = unsafe { std::ffi::CStr::from_ptr(isa) }.to_str().expect("ASCII");
    assert_eq!(attribute(page, "data-isa"), isa);
    for words in ["<dt>Processor</dt>", "<dt>Date</dt>", "float_errors", "libm_table.py", "make report VENV="]
    {
        assert!(page.contains(words), "{words}");
    }
    assert!(page.contains("libm loop") && !page.contains("PyTorch 2"), "no peers were asked for");
    // Every element is closed in its place: the page is XML too.
    let parse = "import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])";
    let output = Command::new("python3").args(["-c", parse]).arg(path).output().expect("python3 runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// The text of the page around the report, after its script has measured it.
fn measured(page: &str, is_dark: bool) -> Vec<String> {
    let folder = scratch("report").join(if is_dark { "dark" } else { "light" });
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the target folder is writable");
    let attribute = page.replace('&', "&amp;").replace('"', "&quot;");
    let frames = [PHONE, DESKTOP].map(|width| {
        format!(
            "<iframe style=\"width: {width}px; height: 800px; border: 0\" srcdoc=\"{attribute}\"></iframe>\n"
        )
    });
    let file = folder.join("frame.html");
    fs::write(&file, FRAME.replace("FRAMES", &frames.concat())).expect("the target folder is writable");
    let mut command = Command::new("chromium");
    command.args("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run".split(' '));
    command.args("--disable-background-networking --disable-component-update --disable-sync".split(' '));
    command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    if is_dark {
        command.arg("--blink-settings=preferredColorScheme=0");
    }
    let output = command.args(["--timeout=10000", "--dump-dom"]).arg(&file).output().expect("chromium runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let dump = text(&output.stdout);
    let result = dump.split("<pre id=\"measured\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let result = result.unwrap_or_else(|| panic!("{dump}"));
    result.lines().map(str::to_string).collect()
}

#[test]
fn the_page_renders_on_a_phone_and_on_a_desk_in_light_and_dark() {
    let Some((page, _)) = page() else { return };
    if !is_there("chromium") {
        skip("needs chromium (apt-get install chromium)");
        return;
    }
    for is_dark in [false, true] {
        for (line, width) in measured(page, is_dark).iter().zip([PHONE, DESKTOP]) {
            let number = |name: &str| -> f64 {
                attribute(line, name).parse().unwrap_or_else(|error| panic!("{name} of {line}: {error}"))
            };
            assert_eq!(number("width"), f64::from(width), "{line}");
            assert!(number("content-width") <= f64::from(width), "it is wider than the window: {line}");
            assert_eq!((number("rows"), number("panels"), number("speed")), (8.0, 4.0, 1.0), "{line}");
            assert!(number("least-picture-width") >= 0.35 * f64::from(width), "{line}");
            assert!(number("curve-height") >= 50.0, "nothing is drawn: {line}");
            assert!(number("least-text") >= 9.0, "too small to read: {line}");
            assert!(number("widest-table") <= f64::from(width), "the table of errors is cut off: {line}");
            assert_eq!(number("background") < 128.0, is_dark, "{line}");
            assert_eq!(number("ink") > 128.0, is_dark, "{line}");
        }
    }
}

#[test]
fn make_report_hands_on_where_to_write_the_peers_and_the_flags() {
    let make = |variables: &[&str]| {
        let mut command = Command::new("make");
        command.args(["-n", "report"]).args(variables).current_dir(root());
        // Those of a make that runs this test.
        for name in ["MAKEFLAGS", "MAKELEVEL", "REPORT", "VENV", "REPORT_FLAGS"] {
            command.env_remove(name);
        }
        text(&command.output().expect("make runs").stdout)
    };
    let last = |printed: String| printed.lines().last().expect("a command").to_string();
    let library = "python3 tools/report.py --library 'target/release/libgelu.so'";
    assert_eq!(last(make(&[])), format!("{library}   'target/report/index.html'"));
    let all = make(&["REPORT=my page.html", "VENV=my peers", "REPORT_FLAGS=--quick"]);
    assert_eq!(last(all), format!("{library} --venv 'my peers' --quick 'my page.html'"));
}

#[test]
fn a_missing_library_or_environment_gets_the_command_that_makes_it() {
    if !has_python() {
        return;
    }
    let folder = scratch("report-errors");
    let run = |arguments: &[&Path]| {
        let mut command = Command::new("python3");
        let output =
            command.arg(root().join("tools/report.py")).args(arguments).output().expect("python3 runs");
        assert_eq!(output.status.code(), Some(1));
        text(&output.stderr)
    };
    let page = folder.join("index.html");
    let printed = run(&[Path::new("--library"), &folder.join("libgelu.so"), &page]);
    assert!(printed.ends_with("libgelu.so is missing: run make first\n"), "{printed}");
    let library = library_folder(&scratch("report")).join("libgelu.so");
    let printed = run(&[Path::new("--library"), &library, Path::new("--venv"), &folder, &page]);
    assert!(printed.contains("python3 -m venv") && printed.contains("peers_requirements.txt"), "{printed}");
    assert!(!page.exists());
}
