"""The report as one HTML page that needs nothing else: no script, no font, no picture from elsewhere.

It is XML as well, so that a test can read it.
"""
import html
import pathlib
import struct

import report_svg

FORMS = {"none": "exact form", "tanh": "tanh form"}
TYPES = {"f32": "float", "f64": "double"}
PEERS = "python3 -m venv {0}\n{0}/bin/python -m pip install -r benches/peers_requirements.txt\nmake report VENV={0}\n"


BEYOND = ' class="beyond"'


def escape(text):
    return html.escape(str(text))


def words(function):
    """forward_none_f32: forward, exact form, float."""
    direction, form, type_name = function.replace("gradient", "backward").split("_")
    return direction, FORMS[form], TYPES[type_name]


def name_cell(function):
    direction, form, type_name = words(function)
    return f'<th scope="row">{direction}, {type_name}<small>{form}</small></th>'


def decimal(value, type_name):
    """The shortest decimal that is read as this value again."""
    if type_name == "f64":
        return repr(value)
    texts = (f"{value:.{digits}g}" for digits in range(1, 10))
    return next(text for text in texts if struct.pack("<f", float(text)) == struct.pack("<f", value))


def hexadecimal(value):
    mantissa, exponent = value.hex().split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{exponent}"


def witness(row):
    type_name = row["function"].rsplit("_", 1)[1]
    text = ""
    for name in ("x", "dy"):
        if row[name] is not None:
            text += (f'<div><i class="unit">{name} =</i> <code>{decimal(row[name], type_name)}</code>'
                     f"<small><code>{hexadecimal(row[name])}</code></small></div>")
    return f"<td>{text}</td>"


def errors_table(rows, kind, caption):
    lines = [f'<div class="table"><p class="caption">{caption}</p><table class="errors" id="{kind}">',
             '<thead><tr><th scope="col">function</th><th scope="col">worst error, ULP</th><th scope="col">found at'
             '</th><th scope="col">checked</th></tr></thead>', "<tbody>"]
    for row in rows:
        width = min(100, 100 * row["error"] / row["bound"])
        is_beyond = not row["error"] <= row["bound"]
        lines.append(
            f'<tr data-function="{row["function"]}" data-error="{row["error"]:.4f}" '
            f'data-x="{decimal(row["x"], row["function"][-3:])}">{name_cell(row["function"])}'
            f'<td{BEYOND if is_beyond else ""}>'
            f'{row["error"]:.4f} <i class="unit">ULP</i>{" above the bound" if is_beyond else ""}'
            f'<span class="bar"><i style="width: {width:.1f}%"></i></span></td>'
            f'{witness(row)}<td>{escape(row["checked"])}</td></tr>')
    return "\n".join([*lines, "</tbody></table></div>"])


def speed_table(table, data):
    names = [contestant["name"] for contestant in table["contestants"]]
    lines = ['<div class="table"><p class="caption">ns per element, and how many times libgelu\'s time that is. '
             f"{escape(data)}, 131,072 elements, one thread, called from Python.</p>",
             "<table><thead><tr><th scope=\"col\">function</th>",
             *(f'<th scope="col" class="number">{escape(name)}</th>' for name in names), "</tr></thead>", "<tbody>"]
    for row in table["rows"]:
        if row["data"] != data:
            continue
        ns, cells = row["ns"], []
        for name in names:
            if name == "libgelu":
                cells.append(f'<td class="number own">{ns[name]:.3f}</td>')
            elif name in ns:
                cells.append(f'<td class="number">{ns[name]:.3f}<small>{ns[name] / ns["libgelu"]:.1f} ×</small></td>')
            else:
                cells.append('<td class="number soft">–</td>')
        lines.append(f'<tr>{name_cell("_".join((row["direction"], row["form"], row["type"])))}{"".join(cells)}</tr>')
    return "\n".join([*lines, "</tbody></table></div>"])


def legend(names):
    line = '<svg viewBox="0 0 26 10" aria-hidden="true"><path class="curve {}" d="M0 6H26" /></svg>'
    items = [f"<li>{line.format(report_svg.style(name))}{escape(text)}</li>" for name, text in names.items()]
    return '<ul class="legend">' + "".join(items) + "</ul>"


def accuracy_figure(curves):
    names = dict.fromkeys(name for _, errors in curves.values() for name in errors)
    names = ["libgelu", *(name for name in names if name != "libgelu")]
    panels = []
    for function, (x, errors) in curves.items():
        direction, form, _ = words(f"{function}_f32")
        svg = report_svg.accuracy(f"{direction}, {form}, float", x, errors)
        panels.append(f"<div><h3>{direction}, {form}</h3>\n{svg}</div>")
    return "\n".join([
        '<figure id="accuracy-picture">', legend({name: name for name in names}),
        '<div class="panels">', *panels, "</div>",
        "<figcaption>The largest error among the floats in each 400th of the range, in units in the last place of the "
        "exact value; lower is better. Dotted: 1 ULP, libgelu's bound. At 10⁷ no digit is right.</figcaption>",
        "</figure>"])


def speed_figure(sizes, isa, version):
    best = {}
    for points in sizes["levels"].values():
        for n, _, ns in points:
            best[n] = min(ns, best.get(n, ns))
    curves, names = {}, {}
    for level, points in sizes["levels"].items():
        name = "libgelu" if level == isa else f"libgelu {level}"
        curves[name] = [(n, ns) for n, ns, _ in points]
        names[name] = f"libgelu, {level}"
    if sizes["torch"]:
        curves["PyTorch"] = sizes["torch"]
        names["PyTorch"] = f"PyTorch {version}, called from Python"
    names["memcpy"] = "memcpy, the copy limit"
    pictures = [report_svg.speed(sorted(best.items()), curves, is_wide) for is_wide in (True, False)]
    return "\n".join([
        '<figure id="speed-picture">', legend(names), *pictures,
        "<figcaption>Forward, float, exact form, N(0, 1), one thread, called from C; lower is better. A call reads and "
        "writes every element once, and so does memcpy.</figcaption></figure>"])


def tiles(rows, table):
    """The four numbers that the page begins with."""
    def worst(type_name):
        return max(row["error"] for row in rows if row["function"].endswith(type_name) and row["dy"] is None)

    ns = next(row["ns"] for row in table["rows"] if row["data"] == "N(0, 1)")
    sample = ", a sample" if any("sample" in row["checked"] for row in rows) else ", every float"
    items = [(f"{worst('f32'):.2f}", "ULP", f"worst error of the float functions{sample}"),
             (f"{worst('f64'):.2f}", "ULP", "worst error found of the double functions"),
             (f"{ns['libgelu']:.2f}", "ns", "for one float of the exact form, one thread")]
    if "libm loop" in ns:
        items.append((f"{ns['libm loop'] / ns['libgelu']:.0f}", "×", "as fast as a loop over libm"))
    return '<ul class="tiles">' + "".join(
        f"<li><b>{number} <small>{unit}</small></b><span>{text}</span></li>" for number, unit, text in items) + "</ul>"


def accuracy_section(rows, curves):
    ones = [row for row in rows if row["dy"] is None]
    any_dy = [row for row in rows if row["dy"] is not None]
    parts = ["<h2>Accuracy</h2>",
             "<p>The error of a result is its distance from the real value of the formula, in units in the last place "
             "(ULP) of that value. 0.5 is the best that rounding allows.</p>", accuracy_figure(curves),
             errors_table(ones, "worst-errors", "The worst error of each function and the argument that gives it; "
                          "backward with dy = 1. Promised: at most 1 ULP.")]
    if any_dy:
        parts.append(errors_table(any_dy, "any-dy", "Backward with any dy. Promised: at most 1.5 ULP of the product."))
    parts.append('<p class="soft">The exact value of a float result is that of the double function, whose own error is '
                 "2⁻²⁹ of these units. Double, and any dy, are compared with multi-precision values: the worst found, "
                 "not a proven bound.</p>")
    return parts


def speed_section(table, sizes, isa, has_peers):
    torch = sizes.get("torch_version", "")
    data = list(dict.fromkeys(row["data"] for row in table["rows"]))
    parts = ["<h2>Speed</h2>", speed_figure(sizes, isa, torch), speed_table(table, data[0])]
    if len(data) > 1:
        others = (speed_table(table, name) for name in data[1:])
        parts += ["<details><summary>Other data</summary>", *others, "</details>"]
    versions = [f"{contestant['name']} {contestant['version']}" for contestant in table["contestants"]]
    parts.append(f'<p class="soft">{escape(", ".join(versions))}. The libm loop is the formula written in C over erf, '
                 "exp and tanh, cc -O2. MKL Φ, where it stands, is the normal distribution function alone, without the "
                 "product with x. The minimum of many repetitions, the contestants in turn.</p>")
    if not has_peers:
        parts.append("<p>To see PyTorch, onnxruntime and MKL beside it, in both pictures and the table:</p>"
                     f"<pre><code>{escape(PEERS.format('target/peers'))}</code></pre>")
    return parts


def page(version, isa, rows, curves, table, sizes, notes, commands, has_peers, facts):
    style = pathlib.Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    facts = {"Version": version, "Instruction set": isa, **facts}
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    body = [
        "<h1>libgelu on this machine</h1>",
        '<p class="soft">The GELU activation and its derivative: what they cost here, and how exact they are.</p>',
        tiles(rows, table), *(f'<p class="note">{escape(note)}</p>' for note in notes),
        f'<dl class="facts" data-version="{escape(version)}" data-isa="{escape(isa)}">{listed}</dl>',
        *accuracy_section(rows, curves), *speed_section(table, sizes, isa, has_peers),
        "<h2>Commands</h2>",
        "<p>What was run, in this order, from the folder of the sources:</p>",
        f"<pre><code>{escape(chr(10).join(commands))}</code></pre>",
    ]
    return "\n".join([
        "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8" />',
        '<meta name="viewport" content="width=device-width, initial-scale=1" />',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\" />",
        f"<title>libgelu {escape(version)} on this machine</title>", f"<style>\n{style}</style>", "</head>",
        "<body>", "<main>", *body, "</main>", "</body>", "</html>", ""])
