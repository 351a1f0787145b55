"""Figures: exact chances and best decisions drawn, each with its description in words.

Every figure is made for the back row: few marks, large words, numbers written where they belong.
The colours are Okabe and Ito's (Color Universal Design, 2008), which every eye tells apart, and
never speak alone: a hatch, a marker or a word says the same.

A figure function returns matplotlib's Axes, to be changed at will; `show` puts it into the
notebook together with its description, for those who cannot see it.
"""

from __future__ import annotations

import math
import sys
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from io import BytesIO
from itertools import groupby, islice, pairwise
from textwrap import fill
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from dicekit.dice import FAIR, Die, exact, whole
from dicekit.probability import Distribution, P, throws

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7")
HATCHES, MARKERS, DASHES = ("", "//", "..", "xx"), ("o", "s", "^", "D"), ("-", "--", "-.", ":")
INK, GREY, PALE = "#1A1A1A", "#D9D9D9", ("#CFE6F5", "#F6D9A0")
TITLE, TEXT = 18, 14  # points
WIDE, HIGH = 8.0, 4.8  # inches
MOST_BARS, MOST_STATES, FARTHEST = 24, 10, 100_000
RADIUS = 0.38  # of a state in a chain
AXES = "bar_label", "the Axes of a figure, such as bars(throws(1))"

Chances = dict[Any, Fraction]
_descriptions: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


# Description and picture


def alt_text(ax: Axes) -> str:
    """The description of a figure: what is shown, its range, and what stands out.

    >>> alt_text(bars({"pair": 0.5, "no pair": 0.5}, title="A pair?"))
    'Bars: A pair? Pair: 1/2 (50.00 %), no pair: 1/2 (50.00 %).'

    Raises ValueError for an Axes that no function of this module has drawn.
    """
    if text := _descriptions.get(_check(ax, *AXES)):
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

    `alt` describes a figure that is not from this module. As text the picture is its
    description, which is what nbval compares.

    >>> show(bars({"pair": 0.5, "no pair": 0.5}, title="A pair?"))
    Bars: A pair? Pair: 1/2 (50.00 %), no pair: 1/2 (50.00 %).

    Raises ValueError if there is no description.
    """
    figure = _check(ax, *AXES).figure.canvas.figure
    if alt is None:
        alt = " ".join(alt_text(x) for x in figure.axes if x is ax or x in _descriptions)
    elif not isinstance(alt, str) or not alt.strip():
        raise ValueError(f"alt describes the figure in words; {alt!r} does not")
    _ = [x.get_xticklabels() + x.get_yticklabels() for x in figure.axes]  # which makes them
    for text in figure.findobj(lambda part: hasattr(part, "set_parse_math")):
        text.set_parse_math(False)  # a name with two $ is no formula
    png = BytesIO()
    figure.savefig(png, format="png", dpi=144, metadata={"Software": None})
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close(figure)  # or the notebook would show it a second time
    return Picture(png.getvalue(), alt, round(96 * figure.get_figwidth()))


# Bars


def bars(distribution: Any, ax: Axes | None = None, title: str = "") -> Axes:
    """The chances of a distribution as bars, with the exact chance at each where it fits.

    Also takes chances by name, as those of the rows of a table, and up to four distributions by
    name, to compare: {"fair": throws(1), "loaded": throws(1, die)}. Numbers stand at their place
    on the axis.

    >>> ax = bars(throws(2).map(sum), title="How likely is each sum of two dice?")
    >>> bool(max(bar.get_height() for bar in ax.patches) == 1 / 6)
    True

    Raises ValueError for chances with symbols, and for more bars than can be read.
    """
    parts = distribution.values() if isinstance(distribution, Mapping) else ()
    several = any(isinstance(part, Distribution | Mapping) for part in parts)
    series = _at_most_four(distribution if several else {"": distribution})
    return _bars(series, ax, title or "How likely is each outcome?")


def bust_chances(games: Any, ax: Axes | None = None, die: Die = FAIR) -> Axes:
    """The chance of a bust by the number of dice thrown, for one game or up to four.

    Several games are a list, or a dict that gives them names.

    >>> from dicekit.games.farkle import Farkle
    >>> alt_text(bust_chances(Farkle())).split(", ")[-1]
    '6: 5/216 (2.31 %).'

    Raises ValueError for a game without busts and for a die with symbols.
    """
    if not isinstance(games, Mapping):
        listed = list(games) if isinstance(games, Iterable) else [games]
        games = {getattr(game, "name", repr(game)): game for game in listed}
        if len(games) < len(listed):
            raise ValueError('games of one name need others: {"strict": ..., "mild": ...}')
    series = {}
    for name, game in _at_most_four(games).items():
        _check(game, "is_bust", "games with a bust, such as Farkle()")
        sizes = range(1, game.all_dice + 1)
        series[name] = {n: P(game.is_bust, throws(n, die)) for n in sizes}
    where = f" in {name}" if len(series) == 1 else ""
    return _bars(series, ax, f"How likely is a bust{where}?", "number of dice thrown")


def _bars(parts: Mapping[str, Any], ax: Axes | None, title: str, axis: str = "") -> Axes:
    series = {name: _chances(part) for name, part in parts.items()}
    outcomes = dict.fromkeys(x for chances in series.values() for x in chances)
    numbers = sorted(int(x) for x in outcomes if whole(x) is not None)
    if len(numbers) < max(2, len(outcomes) - 3):  # up to three words may stand beside numbers
        numbers = []
    words = {x: _words(x) for x in outcomes if x not in numbers}
    series = {n: {x: p[x] for x in (*numbers, *words) if x in p} for n, p in series.items()}
    said = "; ".join((f"{name} has " if name else "") + _said(p) for name, p in series.items())
    limit = float(max(max(chances.values()) for chances in series.values()) or 1)
    seen = [x for x in numbers if any(p.get(x, 0) > limit / 2000 for p in series.values())]
    numbers = [x for x in numbers if words or not seen or seen[0] <= x <= seen[-1]]
    many, height = len(series), len(words) * len(series)
    if height > MOST_BARS:
        raise ValueError(f"{height} bars are too many; group the outcomes: throws(6).map(sum)")
    first, last = (numbers[0], numbers[-1]) if numbers else (-1, -1)
    gap = min((b - a for a, b in pairwise(numbers)), default=1)
    apart = max(gap, (last - first) // 10)
    places = {x: x for x in numbers} | {x: last + apart * k for k, x in enumerate(words, 1)}
    series = {name: {x: p[x] for x in places if x in p} for name, p in series.items()}
    lying = not numbers and sum(len(word) + 2 for word in words.values()) > 52
    ax = _axes(ax, title, axis, high=1.4 + 0.38 * height if lying else HIGH)
    room = _length(ax, lying) * gap / (max(places.values()) - min(places.values()) + gap)
    texts, size = _bar_texts(series, math.inf if lying else room / many)
    thick = (0.84 if room > 8 else 1) * gap / many
    for k, (name, chances) in enumerate(series.items()):
        at = [places[x] + thick * (k - (many - 1) / 2) for x in chances]
        edge, width = (INK, 0.8) if room > 8 else (COLOURS[k], 0.5)
        look = {"fc": COLOURS[k], "hatch": HATCHES[k], "ec": edge, "lw": width, "label": name}
        draw: Any = ax.barh if lying else ax.bar
        drawn = draw(at, [float(chance) for chance in chances.values()], thick, **look)
        ax.bar_label(drawn, [texts.get((name, x), "") for x in chances], fontsize=size, padding=3)
    _per_cent(ax, "x" if lying else "y", limit * (1.15 if many == 1 or lying else 1.3))
    if lying:
        ax.set_yticks(list(places.values()), list(words.values()))
        ax.invert_yaxis()
    else:
        if 0.7 * TEXT * len(f"{last:,}") > room:  # round numbers only
            numbers = [int(x) for x in ax.get_xticks() if first <= x <= last]
        names = {x: f"{x:,}" for x in numbers} | {places[x]: word for x, word in words.items()}
        ax.set_xticks(list(names), list(names.values()))
    if many > 1:
        ax.legend(fontsize=TEXT, frameon=False, ncols=1 if lying else 4)
    return _described(ax, f"Bars by {axis}" if axis else "Bars", title, said)


def _chances(part: Any) -> Chances:
    if not isinstance(part, Distribution | Mapping) or not part:
        raise ValueError(f"bars show a distribution, or a dict of names and chances, not {part!r}")
    found = {outcome: exact(chance) for outcome, chance in part.items()}
    for outcome, chance in found.items():
        what = f"the chance of {_words(outcome)} is {chance}"
        if not isinstance(chance, Fraction):
            raise ValueError(f"{what}; to draw it, put a number in place of the symbol")
        if not 0 <= chance <= 1:
            raise ValueError(f"{what}, which is not from 0 to 1")
    return found


def _bar_texts(series: dict[str, Chances], room: float) -> tuple[dict[Any, str], int]:
    """What to write at the bars, and how large, if each has so much room.

    Fractions if they are short, else per cent, else something only at the highest bar.
    """
    chances = {(name, x): chance for name, part in series.items() for x, chance in part.items()}
    for size in (TEXT, TEXT - 2):
        for write in (str, _rounded):
            texts = {bar: write(chance) for bar, chance in chances.items()}
            longest = max(map(len, texts.values()))
            if longest <= 7 and 0.6 * size * longest <= room:
                return texts, size
    top = max(chances.values())
    highest = [bar for bar in chances if chances[bar] == top]
    text = min(str(top), _rounded(top), key=len)
    fits = len(series) == 1 and (len(highest) == 1 or 0.6 * TEXT * len(text) <= room)
    return dict.fromkeys(highest, text) if fits else {}, TEXT


def _said(chances: Chances) -> str:
    if len(chances) <= 12:
        return ", ".join(f"{_words(x)}: {_exactly(chance)}" for x, chance in chances.items())
    first, *_, last = map(_words, chances)
    top = max(chances.values())
    highest = " and ".join([_words(x) for x in chances if chances[x] == top][:2])
    return f"{len(chances)} outcomes, {first} to {last}, likeliest {highest} with {_exactly(top)}"


# Throw or bank


def throw_or_bank(turn: Any, dice: int, ax: Axes | None = None) -> Axes:
    """What throwing so many dice is worth and what banking is worth, by the points of the turn.

    `turn` is a `best_turn`. The points from which it banks are marked.

    Raises ValueError for a number of dice that is never thrown.
    """
    rules, step = _rules(turn), turn.turn.step
    if dice not in list(rules):
        raise ValueError(f"one never has {dice!r} dice left to throw in this game")
    least = turn.bank_at[dice]
    upto = 2000 if least == math.inf else max(500, int(1.6 * least))
    upto = min(upto, turn.turn.room or upto) // step * step
    points = range(0, upto + 1, step * (1 + upto // step // 200))
    values = {x: float(turn.throw_value(x, dice)) for x in points}
    title = f"{_counted(dice)} left: throw, or bank?"
    ax = _axes(ax, title, "points in the turn so far", "points of the turn on average")
    _curve(ax, 0, values, "throw")
    if banked := {x: x for x in points if turn.turn.can_bank(x, dice)}:
        _curve(ax, 1, banked, "bank")
    if least != math.inf:
        _mark(ax, 1, least, least)
    ax.text(min(least, 0.64 * upto) + 0.02 * upto, 0.04 * upto, rules[dice], fontsize=TITLE)
    ax.set(xlim=(0, upto), ylim=(0, 1.05 * max(upto, *values.values())))
    ax.legend(fontsize=TEXT, frameon=False, loc="upper left", handlelength=4)
    last = min(least, upto)
    worth = f"Throwing is worth {values[0]:,.1f} with no points and"
    said = f"{rules[dice]}. {worth} {float(turn.throw_value(last, dice)):,.1f} with {last:,}"
    return _described(ax, f"Two lines over 0 to {upto:,} points", title, said)


def decisions(turn: Any, ax: Axes | None = None, upto: int | None = None) -> Axes:
    """The best decision for every number of dice left and all points up to `upto`.

    `turn` is a `best_turn`. Where it banks, the field is hatched, with its first number written.
    """
    rules, step = _rules(turn), turn.turn.step
    if upto is None:
        near = max((at for at in turn.bank_at.values() if at <= 1500), default=1000)
        upto = min(max(100, int(1.5 * near) // 100 * 100), turn.turn.room or FARTHEST)
    if whole(upto) is None or upto < step:
        raise ValueError(f"upto is a number of points, {step} or more, not {upto!r}")
    title = "Throw, or bank?"
    ax = _axes(ax, title, "points in the turn so far", "dice left to throw")
    ax.set(xlim=(0, upto), yticks=list(rules))
    for dice, rule in rules.items():
        choice = {x: turn.bank(x, dice) for x in range(0, upto, step)}
        for bank, run in groupby(choice, key=choice.__getitem__):
            field = list(run)
            first, size = field[0], min(field[-1] + step, upto) - field[0]
            look: Any = {"facecolor": PALE[bank], "edgecolor": COLOURS[bank], "hatch": "//" * bank}
            name = "bank" if bank else "throw"
            ax.barh(dice, size, 0.9, first, label=name, **look)
            if bank and field[-1] == max(choice):
                name = rule
            elif len(field) == len(choice):
                name = rule if rule.endswith(name) else f"{name} ({rule})"
            room = _length(ax) * size / upto / (0.62 * TEXT)
            text = next(text for text in (name, name.split()[-1], "") if len(text) <= room)
            _plate(ax, complex(first + size / 2, dice), text, PALE[bank])
    said = ", ".join(f"{_counted(dice)}: {rule}" for dice, rule in rules.items())
    return _described(ax, f"Map of dice left and 0 to {upto:,} points", title, said)


def _rules(turn: Any) -> dict[int, str]:
    """What the turn does with each number of dice, in words."""
    _check(turn, "bank_at", "a best turn, such as best_turn(Farkle())")
    return {
        dice: "always throw" if least == math.inf else f"bank from {least:,}"
        for dice, least in sorted(turn.bank_at.items())
    }


# Many turns


def turns(waiting_times: Any, ax: Axes | None = None) -> Axes:
    """The chance to have reached the target within n turns, a curve for each waiting time.

    `waiting_times` gives them names, up to four: {"bank at 300": turns_to_target(...), ...}. The
    medians are marked: the turn by which half of all players have reached the target.

    Raises ValueError for chances with symbols.
    """
    named = isinstance(waiting_times, Mapping)
    curves = _at_most_four(waiting_times if named else {"one player": waiting_times})
    for waiting in curves.values():
        _check(waiting, "floats", "waiting times, such as turns_to_target(Farkle(), 300)")
    last = max(waiting.quantile(0.99) * 5 // 4 for waiting in curves.values())
    title, said = "How soon is the target reached?", []
    ax = _axes(ax, title, "turns", "chance to have reached it")
    ax.axhline(0.5, color=INK, linestyle=":", linewidth=1.5)
    for k, (name, waiting) in enumerate(curves.items()):
        half, most = waiting.quantile(0.5), waiting.quantile(0.9)
        chances = dict(enumerate(islice(waiting.floats(), last + 1)))
        _curve(ax, k, chances, f"{name}: half by turn {half}")
        _mark(ax, k, half, chances[half])
        said.append(f"{name}: half by turn {half}, nine in ten by turn {most}")
    ax.set_xlim(0, last)
    _per_cent(ax, "y", 1.04)
    ax.legend(fontsize=TEXT, loc="best", edgecolor="white", handlelength=3.2)
    return _described(ax, f"Curves over 0 to {last} turns", title, "; ".join(said))


# Chains


def chain(markov_chain: Any, ax: Axes | None = None) -> Axes:
    """The states of a Markov chain, with arrows that bear the exact chances.

    An absorbing state, which is never left, has a double ring.

    Raises ValueError for more states than can be read.
    """
    from matplotlib.patches import Circle

    _check(markov_chain, "states", "a MarkovChain({state: {next state: chance}})")
    states, chance = list(markov_chain.states), markov_chain.chance
    if len(states) > MOST_STATES:
        raise ValueError(f"{len(states)} states are too many to read; draw {MOST_STATES} or fewer")
    title, said = "From state to state", []
    ax = _axes(ax, title, high=6.2 if len(states) > 2 else HIGH)
    far = max(1.1, 0.34 * len(states)) if len(states) > 1 else 0
    wide, high = 1.3 * far + 1, far * (len(states) > 2) + 1
    ax.set(xlim=(-wide, wide), ylim=(-high, high), aspect="equal")
    ax.set_axis_off()
    angles = [math.pi * (1 - 2 * k / len(states)) for k in range(len(states))]
    spots = [complex(1.3 * far * math.cos(angle), far * math.sin(angle)) for angle in angles]
    middles = dict(zip(states, spots, strict=True))
    for state, middle in middles.items():
        absorbing = state in markov_chain.absorbing
        for radius in (RADIUS, 0.85 * RADIUS)[: 1 + absorbing]:
            ring = (middle.real, middle.imag), radius
            ax.add_patch(Circle(*ring, facecolor="white", edgecolor=INK, linewidth=2, zorder=3))
        _plate(ax, middle, fill(_words(state), 8), "none")
        steps = [to for to in states if chance(state, to) != 0 and not absorbing]
        for to in steps:
            bend = 0.25 if chance(to, state) != 0 else 0
            _arrow(ax, middle, middles[to], str(chance(state, to)), bend)
        ways = ", ".join(f"to {_words(to)} with {chance(state, to)}" for to in steps)
        said.append(f"from {_words(state)} {ways or 'no way out'}")
    return _described(ax, f"Markov chain of {len(states)} states", title, "; ".join(said))


def _arrow(ax: Axes, start: complex, end: complex, text: str, bend: float) -> None:
    """An arrow between two nodes; from a node to itself a loop on its outer side."""
    from matplotlib.bezier import BezierSegment
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    if start == end:
        out = start / abs(start) if start else 1j
        bends = (0.88 + 0.48j, 2.47 + 1.52j, 2.47 - 1.52j, 0.88 - 0.48j)
        way, curve, share = [start + RADIUS * out * bend for bend in bends], Path.CURVE4, 0.5
    else:
        middle = (start + end) / 2 + bend * 1j * (end - start)
        ends = [z + RADIUS * (middle - z) / abs(middle - z) for z in (start, end)]
        way, curve, share = [ends[0], middle, ends[1]], Path.CURVE3, 0.35
    points = [(z.real, z.imag) for z in way]
    path = Path(points, [Path.MOVETO, *[curve] * (len(way) - 1)])
    look: Any = {"arrowstyle": "-|>", "mutation_scale": 18, "linewidth": 2, "color": COLOURS[0]}
    ax.add_patch(FancyArrowPatch(path=path, **look))
    _plate(ax, complex(*BezierSegment(points)(share)), text, "white")


# What all figures share


def _axes(ax: Any, title: str, x: str = "", y: str = "", high: float = HIGH) -> Axes:
    """The Axes to draw in, a new one if none is given, with words to be read from afar."""
    if ax is None:
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine

        layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12)
        ax = Figure((WIDE, max(high, HIGH)), layout=layout, facecolor="white").add_subplot()
    short = fill(title, max(12, int(_length(_check(ax, *AXES)) / (0.53 * TITLE))))
    ax.set_title(short, fontsize=TITLE, loc="left", pad=12)
    ax.set_xlabel(x, fontsize=TEXT)
    ax.set_ylabel(y, fontsize=TEXT)
    ax.tick_params(labelsize=TEXT, length=0)
    ax.locator_params(nbins=6)
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.yaxis.set_major_formatter("{x:,.0f}")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _length(ax: Axes, upright: bool = False) -> float:
    """The width or height of the Axes in points."""
    box = ax.get_window_extent()
    return 72 / ax.figure.dpi * (box.height if upright else box.width)


def _check(value: Any, attribute: str, example: str) -> Any:
    if hasattr(value, attribute) and not isinstance(value, type):
        return value
    raise ValueError(f"this takes {example}, not {value!r}")


def _at_most_four(named: Mapping[Any, Any]) -> dict[str, Any]:
    if not 1 <= len(named) <= len(COLOURS):
        raise ValueError(f"one figure shows 1 to {len(COLOURS)} of them, not {len(named)}")
    return {str(name): part for name, part in named.items()}


def _described(ax: Axes, kind: str, title: str, said: str) -> Axes:
    end = "" if title[-1] in ".?!" else "."
    _descriptions[ax] = f"{kind}: {title}{end} {said[0].upper()}{said[1:]}."
    return ax


def _curve(ax: Axes, k: int, heights: Mapping[int, float], label: str) -> None:
    look: Any = {"color": COLOURS[k], "linestyle": DASHES[k], "marker": MARKERS[k], "linewidth": 3}
    look |= {"markersize": 8, "markevery": max(1, len(heights) // 12), "label": label}
    ax.plot(list(heights), list(heights.values()), **look)


def _mark(ax: Axes, k: int, x: float, y: float) -> None:
    """A large mark on a curve, with a line down to its place on the axis."""
    look: Any = {"color": COLOURS[k], "linestyle": DASHES[k], "marker": MARKERS[k], "label": "_"}
    look |= {"markersize": 15, "markeredgewidth": 3, "markerfacecolor": "white"}
    look |= {"markevery": [1], "linewidth": 2}
    ax.plot([x, x], [0, y], **look)


def _plate(ax: Axes, spot: complex, text: str, ground: str) -> None:
    """Words around a spot, on a ground that keeps lines away from them."""
    look: Any = {"ha": "center", "va": "center", "fontsize": TEXT, "zorder": 5}
    plate = {"facecolor": ground, "edgecolor": "none", "pad": 2}
    ax.text(spot.real, spot.imag, text, bbox=plate, **look)


def _per_cent(ax: Axes, axis: Any, limit: float) -> None:
    ax.set(**{f"{axis}lim": (0, limit)})
    getattr(ax, f"{axis}axis").set_major_formatter(lambda share, _: f"{100 * share:.3g} %")
    ax.grid(axis=axis, color=GREY)
    ax.set_axisbelow(True)


def _words(outcome: Any) -> str:
    parts = outcome if isinstance(outcome, tuple) else (outcome,)
    return "-".join(map(str, parts)) or "no dice"


def _rounded(chance: Fraction) -> str:
    share = 100 * float(chance)
    return f"{share:.0f} %" if share >= 10 or not share else f"{share:.2g} %"


def _exactly(chance: Fraction) -> str:
    percent = f"{100 * float(chance):.2f} %"
    return f"{chance} ({percent})" if len(str(chance)) <= 9 else percent


def _counted(dice: int) -> str:
    return f"{dice} {'die' if dice == 1 else 'dice'}"
