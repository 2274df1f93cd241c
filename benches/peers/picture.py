"""The pictures: ns per element over the size of the buffer, and cold calls."""

from .contestants import need

COLOURS = {"avx512": "#0b3c8c", "avx2": "#1f77b4", "neon": "#1f77b4", "portable": "#8fb8de"}


def draw(path, machine, levels, torch, version):
    """`levels`: instruction set to [n, ns of libgelu, ns of memcpy]; `torch`: [n, ns], or empty."""
    need("matplotlib")
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

    figure, axes = pyplot.subplots(figsize=(9, 5.6), dpi=130)
    copy = {}
    for points in levels.values():
        for n, _, ns in points:
            copy[n] = min(ns, copy.get(n, ns))
    axes.fill_between(list(copy), list(copy.values()), 1e-3, color="#dddddd", linewidth=0)
    axes.plot(list(copy), list(copy.values()), color="#777777", linewidth=1.2, label="memcpy: the copy limit")
    if torch:
        axes.plot(*zip(*torch), color="#d9541e", marker="o", markersize=3.5,
                  label=f"PyTorch {version} (called from Python)")
    for name, points in levels.items():
        axes.plot([p[0] for p in points], [p[1] for p in points], color=COLOURS.get(name, "black"), marker="o",
                  markersize=3.5, label=f"libgelu {name} (called from C)")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    ticks = [1 << log for log in range(4, 26, 3)]
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: size(int(n))))
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda ns, _: f"{ns:g}"))
    axes.set_xlim(14, (1 << 25) * 1.15)
    shown = [p[1] for points in [torch, *levels.values()] for p in points]
    axes.set_ylim(0.7 * min(copy.values()), 1.3 * max(shown))
    axes.grid(color="#cccccc", linewidth=0.5)
    axes.set_xlabel("elements in the buffer")
    axes.set_ylabel("ns per element")
    axes.set_title(f"GELU forward, float, exact form, N(0, 1), one thread\n{machine}", fontsize=10)
    axes.legend(frameon=True, fontsize=9)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else {"Software": None})


def size(n):
    for unit, name in ((1 << 20, " Mi"), (1 << 10, " Ki")):
        if n >= unit:
            return f"{n // unit}{name}"
    return str(n)


def draw_cold(path, machine, isa, rows):
    """µs of one call over its length, f32 forward none, a panel for each walk; `rows` of cold_calls.c."""
    need("matplotlib")
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    rows = [row for row in rows if row["function"] == "f32 forward none"]
    walks = sorted({row["walk_mib"] for row in rows} - {0})
    figure, panels = pyplot.subplots(1, len(walks), figsize=(9, 4.4), dpi=130, sharey=True, squeeze=False)
    for walk, axes in zip(walks, panels[0]):
        for who in dict.fromkeys(row["contestant"] for row in rows):
            own = who == "libgelu"
            colour = COLOURS.get(isa, "black") if own else "#d9541e"
            name = f"libgelu {isa}" if own else who
            for mib, style, label in ((walk, "-", f"{name}"), (0, ":", f"{name}, warm")):
                points = [(row["n"], row["us"]) for row in rows if (row["contestant"], row["walk_mib"]) == (who, mib)]
                if points:
                    axes.plot(*zip(*points), style, color=colour, marker="o", markersize=3.5, label=label)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.xaxis.set_major_locator(FixedLocator(sorted({row["n"] for row in rows})))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: size(int(n))))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda us, _: f"{us:g}"))
        axes.grid(color="#cccccc", linewidth=0.5)
        axes.set_xlabel("elements of the call")
        axes.set_title(f"after reading {walk} MiB", fontsize=10)
    panels[0][0].set_ylabel("µs per call")
    panels[0][0].legend(frameon=True, fontsize=9)
    figure.suptitle(f"One call of GELU forward, float, exact form, caches cold\n{machine}", fontsize=10)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else {"Software": None})
