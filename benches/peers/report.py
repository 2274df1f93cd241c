"""The measured numbers as Markdown."""

BEGIN, END = "<!-- bench-peers: begin -->", "<!-- bench-peers: end -->"

COLUMNS = [(t, d, f) for t in ("f32", "f64") for f in ("none", "tanh") for d in ("forward", "backward")]
NORMAL, TAIL = "N(0, 1)", "negative tail"
# The least ratio PyTorch / libgelu on N(0, 1), by instruction set, in the order of COLUMNS.
FLOORS = {"avx512": (1.6, 2.5, 7, 6, 2.6, 3, 3.3, 3), "avx2": (1.9, 2.2, 7, 6, 3.6, 3.5, 4.3, 3.5)}
LEAST_TAIL_F64 = 1.5
LEAST_OF_XNNPACK = {"avx512": 0.95, "avx2": 0.9}
MOST_OVER_NORMAL = {"N(0, 2²)": 1.3, "real activations": 1.3}
MOST_TAIL_F32 = {"forward": 2, "backward": 2.5}
MOST_OVER_NORMAL_ANY = 3
# libgelu / XNNPACK after a walk of so many MiB.
MOST_COLD = {8: 1.3, 64: 2}
LEAST_OF_MEMCPY = 0.75
LEAST_TWO_THREADS = 1.7
MOST_OVER_ERFF, MOST_16_OVER_1 = 3, {"f32": 1.5, "f64": 2}


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def key(row):
    return row["type"], row["direction"], row["form"]


def title(function):
    return " ".join(function)


def floors(isa, data, row):
    """The least ratio peer / libgelu of a row, for the peers that have one."""
    found = {}
    if isa in FLOORS and data == NORMAL:
        found["PyTorch"] = dict(zip(COLUMNS, FLOORS[isa]))[key(row)]
        found["XNNPACK"] = LEAST_OF_XNNPACK[isa]
    elif isa in FLOORS and data == TAIL and row["type"] == "f64":
        found["PyTorch"] = LEAST_TAIL_F64
    return {name: least for name, least in found.items() if name in row["ns"]}


class Report:
    """Collects the lines, and the numbers that miss what is asked of them."""

    def __init__(self):
        self.lines = []
        self.misses = []

    def ask(self, what, value, bound, least):
        """The bound as text; a value on the wrong side of it is noted."""
        if value < bound if least else value > bound:
            self.misses.append(f"{what}: {value:.2f}, asked for {'at least' if least else 'at most'} {bound}")
        return f"{'≥' if least else '≤'} {bound}"

    def text(self, *lines):
        self.lines += [*lines, ""]

    def skipped(self, texts):
        for text in texts:
            self.text(f"Skipped: {text}.")

    def machine(self, machine, version, first):
        self.text(f"Machine: {machine}.")
        names = [f"libgelu {version}"] + [f"{c['name']} {c['version']}".strip() for c in first.get("contestants", [])
                                          if c["name"] != "libgelu"]
        self.text(", ".join(names) + ".")
        self.text("One process pinned to one core, one thread, 131,072 elements unless another number stands there,",
                  "the same buffers for all, the contestants in turn, the minimum of the repetitions. \"MKL Φ\" is",
                  "CdfNorm in HA mode: Φ alone, without the product with x. \"libm loop\" is the formula written over",
                  "libm in C, `cc -O2`. The negative tail is uniform in −14 … 0 (f32) and −38 … −4 (f64); the real",
                  "activations are those of `examples/data`, repeated up to the size. The peers lose accuracy in the",
                  "tail; the table compares time alone.")
        if any(c["name"] == "XNNPACK" for c in first.get("contestants", [])):
            self.text("XNNPACK is its micro-kernel f32-vgelu alone, without the library's own dispatch and threads.")

    def speed(self, heading, result):
        self.text(f"### ns per element, {heading}")
        self.skipped(result["skipped"])
        names = [c["name"] for c in result["contestants"]]
        self.lines += table(["", "instruction set", "one call with one element, µs"],
                            [[c["name"], c["isa"], f"{c['call_us']:.2f}"] for c in result["contestants"]])
        self.text("The clock of libgelu and XNNPACK is in C. The other calls go through Python, which is part of their",
                  "figures: µs of the last column / 131,072. Asked is a ratio to libgelu's time.")
        for data in dict.fromkeys(row["data"] for row in result["rows"]):
            self.text(f"**{data}**")
            rows, any_asked = [], False
            for row in result["rows"]:
                if row["data"] != data:
                    continue
                ns = row["ns"]
                cells = [title(key(row))]
                cells += [f"{ns[name]:.3f}" if name in ns else "" for name in names]
                cells += [f"{ns[name] / ns['libgelu']:.2f}" if name in ns else "" for name in names[1:]]
                asked = [f"{name} " + self.ask(f"{heading}, {data}, {name} / libgelu, {title(key(row))}",
                                               ns[name] / ns["libgelu"], least, True)
                         for name, least in floors(result["isa"], data, row).items()]
                any_asked |= bool(asked)
                rows.append([*cells, ", ".join(asked)])
            head = ["", *names, *(f"{name} / libgelu" for name in names[1:])]
            if not any_asked:
                rows = [row[:-1] for row in rows]
            self.lines += table(head + (["asked"] if any_asked else []), rows)

    def spread(self, heading, result):
        self.text(f"### Time by data, {heading}")
        self.text("libgelu's time as a multiple of its time on N(0, 1), measured beside it. \"Worst\" is the largest",
                  "over these and sets made to be hard: subnormal inputs, results and dy, the zero of g′, infinities,",
                  "NaN, every bit pattern, one element in 2 to 32 in the tail.")
        rows = []
        for row in result["rows"]:
            ratios, name = row["ratios"], title(key(row))
            worst = max(ratios, key=ratios.get)
            cells = [name]
            for data, bound in MOST_OVER_NORMAL.items():
                cells.append(f"{ratios[data]:.2f}" if data in ratios else "")
                if data in ratios:
                    self.ask(f"{heading}, {data} over N(0, 1), {name}", ratios[data], bound, False)
            self.ask(f"{heading}, {worst} over N(0, 1), {name}", ratios[worst], MOST_OVER_NORMAL_ANY, False)
            tail = f"{ratios[TAIL]:.2f}"
            if row["type"] == "f32":
                tail += ", " + self.ask(f"{heading}, {TAIL} over N(0, 1), {name}", ratios[TAIL],
                                        MOST_TAIL_F32[row["direction"]], False)
            rows.append(cells + [tail, f"{ratios[worst]:.2f}", worst])
        head = ["", *(f"{data}, ≤ {bound}" for data, bound in MOST_OVER_NORMAL.items()), TAIL,
                f"worst, ≤ {MOST_OVER_NORMAL_ANY}", "on"]
        self.lines += table(head, rows)

    def cold(self, heading, rows):
        self.text(f"### Cold calls, {heading}")
        self.text("µs of one call on n warm elements, from C, the median of many: right after the same call, and after",
                  "reading another buffer of 8 MiB (tables and code then come from the last level of cache) or 64 MiB",
                  "(from memory, where that cache is not larger). `benches/cold_calls.c` says how it is measured.")
        us = {(row["contestant"], row["function"], row["walk_mib"], row["n"]): row["us"] for row in rows}
        lines, ratios = {}, {}
        for (who, function, walk, n), time in us.items():
            after = f"{walk} MiB" if walk else "the same call"
            lines.setdefault((who, function, walk), [f"{who} {function}", after]).append(f"{time:.2f}")
            if who == "libgelu":
                continue
            ratio = us["libgelu", function, walk, n] / time
            ratios.setdefault((who, walk), [f"libgelu / {who} {function}", after]).append(f"{ratio:.2f}")
            if walk in MOST_COLD:
                self.ask(f"{heading}, cold after {walk} MiB, {n:,} elements, libgelu / {who}", ratio,
                         MOST_COLD[walk], False)
        lengths = dict.fromkeys(f"{row['n']:,}" for row in rows)
        self.lines += table(["", "after", *lengths], [*lines.values(), *ratios.values()])
        if ratios:
            bounds = ", ".join(f"at most {most} after {walk} MiB" for walk, most in MOST_COLD.items())
            self.text(f"Asked of these ratios: {bounds}.")

    def memory(self, heading, result):
        self.text(f"### From memory, {heading}")
        self.text("128 MiB in and 128 MiB out, f32 forward, one thread; bytes in and out counted.")
        self.skipped(result.get("skipped", []))
        rows = []
        for name, rate in result["rate"].items():
            ratio = rate / result["rate"]["memcpy"]
            asked = self.ask(f"{heading}, from memory, {name} / memcpy", ratio, LEAST_OF_MEMCPY, True) \
                if name.startswith("libgelu") else ""
            rows.append([name, f"{rate:.2f}", f"{ratio:.2f}", asked])
        self.lines += table(["", "GB/s", "of memcpy", "asked"], rows)

    def threads(self, heading, result):
        self.text(f"### Two threads, {heading}")
        self.skipped(result["skipped"])
        if not result["rows"]:
            return
        self.text("Speed with two threads as a multiple of that with one, two cores: of the minima, and in brackets of",
                  "the medians. Asked: at least 1.7 at 1,048,576 elements, never slower at 16,384 and below (0.95 is",
                  "taken as the noise of the measurement).")
        lengths = list(dict.fromkeys(row["n"] for row in result["rows"]))
        rows = {}
        for row in result["rows"]:
            name = title(key(row))
            cells = rows.setdefault(name, [name])
            cells.append(f"{row['least']:.2f} ({row['median']:.2f})")
            large = row["n"] == lengths[-1]
            self.ask(f"{heading}, two threads over one, {name}, {row['n']:,} elements", row["least"],
                     LEAST_TWO_THREADS if large else 0.95, True)
        self.lines += table(["", *(f"{n:,}" for n in lengths)], list(rows.values()))

    def calls(self, heading, result):
        self.text(f"### Short calls, {heading}")
        ns = result["ns"]
        self.text(f"ns per call, from C. One call of libm: erff {ns['erff']:.1f} ns, erf {ns['erf']:.1f} ns. Asked: one",
                  f"float at most {MOST_OVER_ERFF} times erff, 16 elements at most {MOST_16_OVER_1['f32']} (float) or",
                  f"{MOST_16_OVER_1['f64']} (double) times one.")
        lengths = result["lengths"]
        rows = []
        for name, times in ns.items():
            if not isinstance(times, list):
                continue
            direction, type_name, form = name.split("_")
            name = title((type_name, direction, form))
            libm = times[0] / ns["erff" if type_name == "f32" else "erf"]
            sixteen = times[lengths.index(16)] / times[0]
            if type_name == "f32":
                self.ask(f"{heading}, one element over erff, {name}", libm, MOST_OVER_ERFF, False)
            self.ask(f"{heading}, 16 elements over one, {name}", sixteen, MOST_16_OVER_1[type_name], False)
            rows.append([name, *(f"{t:.1f}" for t in times), f"{libm:.2f}", f"{sixteen:.2f}"])
        self.lines += table(["", *map(str, lengths), "one / libm", "16 / one"], rows)

    def markdown(self):
        return "\n".join(self.lines).strip() + "\n"


def write(path, text):
    """Puts the text between the markers of the file; a file without them gets both at its end."""
    block = f"{BEGIN}\n\n{text}\n{END}\n"
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    if BEGIN in old and END in old:
        before, rest = old.split(BEGIN, 1)
        block = before + block + rest.split(END, 1)[1].removeprefix("\n")
    elif old:
        block = old.rstrip("\n") + "\n\n" + block
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block, encoding="utf-8")
