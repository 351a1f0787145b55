"""What all figures share: their look, their description in words, and how a notebook shows them."""

from __future__ import annotations

import sys
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib import import_module
from io import BytesIO
from textwrap import fill
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from dicekit.missing import Missing
from dicekit.words import _, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7")
HATCHES, MARKERS, DASHES = ("", "//", "..", "xx"), ("o", "s", "^", "D"), ("-", "--", "-.", ":")
INK, GREY, PALE = "#1A1A1A", "#D9D9D9", ("#CFE6F5", "#F6D9A0")
TITLE, TEXT = 18, 14  # points
MOST_BARS = 24
WIDE, HIGH = 8.0, 4.8  # inches
AXES = "bar_label", "the Axes of a figure, such as bars(throws(1))"

_descriptions: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


def alt_text(ax: Axes) -> str:
    """The description of a figure: what is shown, its range, and what stands out.

    >>> from dicekit.plots import bars
    >>> alt_text(bars({"pair": 0.5, "no pair": 0.5}, title="A pair?"))
    'Bars: A pair? Pair: 1/2 (50.00 %), no pair: 1/2 (50.00 %).'

    Raises ValueError for an Axes that no function of this package has drawn.
    """
    if text := _descriptions.get(check_has(ax, *AXES)):
        return text
    raise ValueError("this figure has no description; write one: show(ax, alt='Ten bars, ...')")


@dataclass(frozen=True, repr=False)
class Picture:
    """A figure as a notebook shows it: its pixels, and its description as alternative text."""

    png: bytes
    alt: str
    width: int

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        # JupyterLab and nbconvert lose the "alt" of image/png on the way; that of <img> arrives.
        source = f"data:image/png;base64,{b64encode(self.png).decode()}"
        size = f'width="{self.width}" style="max-width: 100%; height: auto"'
        html = f'<img alt="{escape(self.alt)}" {size} src="{source}">'
        data = {"text/plain": self.alt, "text/html": html, "image/png": self.png}
        return data, {"image/png": {"alt": self.alt, "width": self.width}}


def show(ax: Axes, alt: str | None = None) -> Picture:
    """The whole figure that `ax` is part of, with its description as alternative text.

    `alt` describes a figure that is not from this package. As text the picture is its
    description, which is what nbval compares.

    >>> from dicekit.plots import bars
    >>> show(bars({"pair": 0.5, "no pair": 0.5}, title="A pair?"))
    Bars: A pair? Pair: 1/2 (50.00 %), no pair: 1/2 (50.00 %).

    Without matplotlib there is the description alone. Raises ValueError if there is none.
    """
    if isinstance(ax, Missing):
        words = alt or _descriptions.get(ax)
        text = _("No figure here, as matplotlib is missing. In words: {words}", words=words)
        said: Any = Missing("", text) if words else ax
        return said
    figure = check_has(ax, *AXES).figure.canvas.figure
    if alt is None:
        alt = " ".join(alt_text(x) for x in figure.axes if x is ax or x in _descriptions)
    elif not isinstance(alt, str) or not alt.strip():
        raise ValueError(f"alt describes the figure in words; {alt!r} does not")
    for x in figure.axes:
        x.get_xticklabels(), x.get_yticklabels()  # which makes them
    for text in figure.findobj(lambda part: hasattr(part, "set_parse_math")):
        text.set_parse_math(False)  # a name with two $ is no formula
    png = BytesIO()
    figure.savefig(png, format="png", dpi=144, metadata={"Software": None})
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close(figure)  # or the notebook would show it a second time
    return Picture(png.getvalue(), alt, round(96 * figure.get_figwidth()))


def new_axes(ax: Any, title: str, x: str = "", y: str = "", high: float = HIGH) -> Axes:
    """The Axes to draw in, a new one if none is given, with words to be read from afar."""
    if ax is None:
        layout = part("layout_engine.ConstrainedLayoutEngine")(w_pad=0.12, h_pad=0.12)
        look = {"layout": layout, "facecolor": "white"}
        ax = part("figure.Figure")((WIDE, max(high, HIGH)), **look).add_subplot()
    short = fill(title, max(12, int(length(check_has(ax, *AXES)) / (0.53 * TITLE))))
    ax.set_title(short, fontsize=TITLE, loc="left", pad=12)
    ax.set_xlabel(x, fontsize=TEXT)
    ax.set_ylabel(y, fontsize=TEXT)
    ax.tick_params(labelsize=TEXT, length=0)
    ax.locator_params(nbins=6)
    ax.xaxis.set_major_formatter(numbered)
    ax.yaxis.set_major_formatter(numbered)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def part(path: str) -> Any:
    """A part of matplotlib, such as "figure.Figure"; where it is missing, what draws nothing."""
    module, name = path.split(".")
    try:
        return getattr(import_module(f"matplotlib.{module}"), name)
    except ModuleNotFoundError:
        return Missing("")


def numbered(x: float, place: Any = None) -> str:
    """A number on an axis."""
    return number(x, ",.10g")


def length(ax: Axes, upright: bool = False) -> float:
    """The width or height of the Axes in points."""
    if isinstance(ax, Missing):
        return 72 * (HIGH if upright else WIDE)
    box = ax.get_window_extent()
    return 72 / ax.figure.dpi * (box.height if upright else box.width)


def check_has(value: Any, attribute: str, example: str) -> Any:
    if hasattr(value, attribute) and not isinstance(value, type):
        return value
    raise ValueError(f"this takes {example}, not {value!r}")


def few(named: Mapping[Any, Any], most: int = len(COLOURS)) -> dict[str, Any]:
    if not 1 <= len(named) <= most:
        raise ValueError(f"one figure shows 1 to {most} of them, not {len(named)}")
    return {str(name): part for name, part in named.items()}


def described(ax: Axes, kind: str, title: str, said: str) -> Axes:
    end = "" if title[-1] in ".?!" else "."
    parts = {"kind": kind, "title": title + end, "said": said[0].upper() + said[1:]}
    _descriptions[ax] = _("{kind}: {title} {said}.", **parts)
    return ax


def of(name: Any, said: Any) -> str:
    """What is said of one thing."""
    return _("{name}: {said}", name=name, said=said)


def _look(k: int, **more: Any) -> Any:
    return {"color": COLOURS[k], "linestyle": DASHES[k], "marker": MARKERS[k], **more}


def curve(ax: Axes, k: int, heights: Mapping[int, float], label: str) -> None:
    look = _look(k, linewidth=3, markersize=8, markevery=max(1, len(heights) // 12))
    ax.plot(list(heights), list(heights.values()), label=label, clip_on=False, **look)


def mark(ax: Axes, k: int, x: float, y: float) -> None:
    """A large mark on a curve, with a line down to its place on the axis."""
    look = _look(k, linewidth=2, markersize=15, markeredgewidth=3, markerfacecolor="white")
    ax.plot([x, x], [0, y], label="_", markevery=[1], **look)


def plate(ax: Axes, spot: complex, text: str, ground: str) -> None:
    """Words around a spot, on a ground that keeps lines away from them."""
    look: Any = {"ha": "center", "va": "center", "fontsize": TEXT, "zorder": 5}
    plate = {"facecolor": ground, "edgecolor": "none", "pad": 2}
    ax.text(spot.real, spot.imag, text, bbox=plate, **look)


def per_cent(ax: Axes, axis: Any, limit: float) -> None:
    ax.set(**{f"{axis}lim": (0, limit)})
    getattr(ax, f"{axis}axis").set_major_formatter(
        lambda share, place: f"{number(100 * share, '.3g')} %"
    )
    ax.grid(axis=axis, color=GREY)
    ax.set_axisbelow(True)


def in_words(outcome: Any) -> str:
    parts = outcome if isinstance(outcome, tuple) else (outcome,)
    return "-".join(_(str(part)) for part in parts) or _("no dice")
