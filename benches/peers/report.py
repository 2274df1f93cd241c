"""The measured numbers as Markdown."""

BEGIN, END = "<!-- bench-peers: begin -->", "<!-- bench-peers: end -->"

COLUMNS = [(t, d, f) for t in ("f32", "f64") for f in ("none", "tanh") for d in ("forward", "backward")]
# The least ratio PyTorch / libgelu on N(0, 1), by instruction set, in the order of COLUMNS.
FLOORS = {"avx512": (1.4, 2.2, 7, 5, 3, 3.3, 3.3, 2.7), "avx2": (1.8, 2, 5.5, 4.5, 2.5, 2.5, 2.5, 2.5)}
MOST_OVER_NORMAL = {"N(0, 2²)": 1.8, "real activations": 1.4}
MOST_OVER_NORMAL_ANY = 3
LEAST_OF_MEMCPY = 0.75
LEAST_TWO_THREADS = 1.7
MOST_OVER_ERFF, MOST_16_OVER_1 = 4, 2


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def key(row):
    return row["type"], row["direction"], row["form"]


def title(function):
    return " ".join(function)


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
        names = [f"libgelu {version}"] + [f"{c['name']} {c['version']}" for c in first.get("contestants", [])
                                          if c["name"] != "libgelu"]
        self.text(", ".join(names) + ".")
        self.text("One process pinned to one core, one thread, 131,072 elements unless another number stands there,",
                  "the same buffers for all, the contestants in turn, the minimum of the repetitions. \"MKL Φ\" is",
                  "CdfNorm in HA mode: Φ alone, without the product with x. \"libm loop\" is the formula written over",
                  "libm in C, `cc -O2`. The negative tail is uniform in −14 … −4 (f32) and −38 … −4 (f64); the real",
                  "activations are those of `examples/data`, repeated up to the size. The peers lose accuracy in the",
                  "tail; the table compares time alone.")

    def speed(self, heading, result):
        self.text(f"### ns per element, {heading}")
        self.skipped(result["skipped"])
        names = [c["name"] for c in result["contestants"]]
        self.lines += table(["", "instruction set", "one call with one element, µs"],
                            [[c["name"], c["isa"], f"{c['call_us']:.2f}"] for c in result["contestants"]])
        self.text("The calls go through Python, which is part of every figure: µs of the last column / 131,072.")
        floors = dict(zip(COLUMNS, FLOORS.get(result["isa"], ())))
        for data in dict.fromkeys(row["data"] for row in result["rows"]):
            self.text(f"**{data}**")
            asked = floors if data == "N(0, 1)" and "PyTorch" in names else {}
            rows = []
            for row in result["rows"]:
                if row["data"] != data:
                    continue
                ns = row["ns"]
                cells = [title(key(row))]
                cells += [f"{ns[name]:.3f}" if name in ns else "" for name in names]
                cells += [f"{ns[name] / ns['libgelu']:.2f}" if name in ns else "" for name in names[1:]]
                if asked:
                    cells.append(self.ask(f"{heading}, PyTorch / libgelu, {title(key(row))}",
                                          ns["PyTorch"] / ns["libgelu"], asked[key(row)], True))
                rows.append(cells)
            head = ["", *names, *(f"{name} / libgelu" for name in names[1:])]
            self.lines += table(head + (["asked of PyTorch / libgelu"] if asked else []), rows)

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
            rows.append(cells + [f"{ratios['negative tail']:.2f}", f"{ratios[worst]:.2f}", worst])
        head = ["", *(f"{data}, ≤ {bound}" for data, bound in MOST_OVER_NORMAL.items()), "negative tail",
                f"worst, ≤ {MOST_OVER_NORMAL_ANY}", "on"]
        self.lines += table(head, rows)

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
                  f"float at most {MOST_OVER_ERFF} times erff, 16 elements at most {MOST_16_OVER_1} times one.")
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
            self.ask(f"{heading}, 16 elements over one, {name}", sixteen, MOST_16_OVER_1, False)
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
