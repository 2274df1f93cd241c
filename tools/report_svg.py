"""The two pictures of the report as inline SVG, with the standard library alone.

Colours are classes (`s-` and the contestant's name), so that the page's style decides them, dark mode too.
"""
import html
import math

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LOWEST_ULP, HIGHEST_ULP = 0.01, 2e8


def style(name):
    """The class of a contestant: "libgelu portable" is libgelu-portable."""
    return "s-" + "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in name.lower())


def size(n):
    for unit, name in ((1 << 20, " Mi"), (1 << 10, " Ki")):
        if n >= unit:
            return f"{n // unit}{name}"
    return str(n)


class Chart:
    """A chart whose y axis is logarithmic; `x_of` maps x to the number that is drawn along."""

    def __init__(self, width, height, x_range, y_range, x_of=float, left=52):
        self.width, self.height, self.x_of = width, height, x_of
        self.left, self.right, self.top, self.bottom = left, 18, 14, 44
        self.x_range = [x_of(x) for x in x_range]
        self.y_range = [math.log10(y) for y in y_range]
        self.parts = []

    def x(self, x):
        low, high = self.x_range
        return self.left + (self.x_of(x) - low) / (high - low) * (self.width - self.left - self.right)

    def y(self, y):
        low, high = self.y_range
        at = min(max(math.log10(y) if y > 0 else low, low), high)
        return self.height - self.bottom - (at - low) / (high - low) * (self.height - self.top - self.bottom)

    def text(self, x, y, text, anchor="middle", kind="tick"):
        self.parts.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
                          f"{html.escape(text)}</text>")

    def line(self, x1, y1, x2, y2, kind):
        self.parts.append(f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" />')

    def axes(self, x_ticks, y_ticks, x_title, y_title):
        """The ticks are pairs of a value and its text."""
        bottom, end = self.height - self.bottom, self.width - self.right
        for value, text in x_ticks:
            self.line(self.x(value), self.top, self.x(value), bottom, "grid")
            self.text(self.x(value), bottom + 16, text)
        for value, text in y_ticks:
            self.line(self.left, self.y(value), end, self.y(value), "grid")
            self.text(self.left - 7, self.y(value) + 4, text, "end")
        self.line(self.left, bottom, end, bottom, "axis")
        self.text((self.left + end) / 2, self.height - 7, x_title, kind="axis-title")
        middle = (self.top + bottom) / 2
        self.parts.append(f'<text class="axis-title" transform="translate(13 {middle:.1f}) rotate(-90)" '
                          f'text-anchor="middle">{html.escape(y_title)}</text>')

    def path(self, points):
        return "M" + "L".join(f"{self.x(x):.1f} {self.y(y):.1f}" for x, y in points)

    def curve(self, name, points, dots=False):
        """A line through the points; with dots, each says its numbers where the mouse rests on it."""
        self.parts.append(f'<path class="curve {style(name)}" d="{self.path(points)}" />')
        for x, y in points if dots else []:
            self.parts.append(f'<circle class="dot {style(name)}" cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="3">'
                              f"<title>{html.escape(name)}: {y:.3g} ns at {x:,} elements</title></circle>")

    def area(self, points):
        """Everything below the points."""
        bottom = self.height - self.bottom
        first, last = self.x(points[0][0]), self.x(points[-1][0])
        self.parts.append(f'<path class="area" d="{self.path(points)}L{last:.1f} {bottom}L{first:.1f} {bottom}Z" />')

    def svg(self, label, kind):
        inside = "\n".join(self.parts)
        return (f'<svg class="{kind}" viewBox="0 0 {self.width} {self.height}" role="img" '
                f'aria-label="{html.escape(label)}">\n{inside}\n</svg>')


def power(exponent):
    return {-2: "0.01", 0: "1", 2: "100"}.get(exponent, "10" + str(exponent).translate(SUPERSCRIPTS))


def accuracy(function, x, errors):
    """The error of one function in ULP over x; `errors`: contestant to the errors at x, drawn in this order."""
    chart = Chart(440, 270, (-15, 6), (LOWEST_ULP, HIGHEST_ULP))
    chart.axes([(value, str(value).replace("-", "−")) for value in (-15, -10, -5, 0, 5)],
               [(10.0 ** exponent, power(exponent)) for exponent in range(-2, 9, 2)], "x", "largest error, ULP")
    chart.line(chart.left, chart.y(1), chart.width - chart.right, chart.y(1), "bound")
    for name, ulps in errors.items():
        chart.curve(name, list(zip(x, ulps)))
    return chart.svg(f"Error in ULP over x, {function}", "panel")


def y_ticks(low, high):
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [factor * 10.0 ** exponent for exponent in exponents for factor in (1, 2, 5)]
    return [(value, f"{value:g}") for value in ticks if low <= value <= high]


def speed(copy, curves, is_wide):
    """ns per element over the size of the buffer; `copy` and each of `curves` are pairs of a size and ns."""
    shown = [ns for points in curves.values() for _, ns in points]
    low, high = 0.7 * min(ns for _, ns in copy), 1.4 * max(shown)
    width, height = (900, 430) if is_wide else (420, 360)
    sizes = [n for n, _ in copy]
    chart = Chart(width, height, (sizes[0] * 0.85, sizes[-1] * 1.2), (low, high), math.log2)
    every = 3 if is_wide else 6
    chart.area(copy)
    chart.axes([(n, size(n)) for n in sizes[::every]], y_ticks(low, high), "elements in the buffer", "ns per element")
    chart.curve("memcpy", copy)
    for name, points in curves.items():
        chart.curve(name, points, dots=True)
    label = "ns per element over the size of the buffer, beside memcpy: " + ", ".join(curves)
    return chart.svg(label, "wide" if is_wide else "narrow")
