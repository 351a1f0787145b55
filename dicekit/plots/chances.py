"""Exact chances as bars."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dicekit.dice import FAIR, Die, exact, whole
from dicekit.missing import Missing, unanswered
from dicekit.plots import drawing as draw
from dicekit.probability import Distribution, P, throws
from dicekit.words import N_, _, apart, listed, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Chances = dict[Any, Fraction]


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
    series = draw.few(distribution if several else {"": distribution})
    return _bars(series, ax, title or _("How likely is each outcome?"))


def bust_chances(games: Any, ax: Axes | None = None, die: Die = FAIR) -> Axes:
    """The chance of a bust by the number of dice thrown, for one game or up to four.

    Several games are a list, or a dict that gives them names.

    >>> from dicekit.games.farkle import Farkle
    >>> from dicekit.plots import alt_text
    >>> alt_text(bust_chances(Farkle())).split(", ")[-1]
    '6: 5/216 (2.31 %).'

    Raises ValueError for a game without busts and for a die with symbols.
    """
    if not isinstance(games, Mapping):
        given = list(games) if isinstance(games, Iterable) else [games]
        games = {_(getattr(game, "name", "")) or repr(game): game for game in given}
        if len(games) < len(given):
            raise ValueError('games of one name need others: {"strict": ..., "mild": ...}')
    series = {}
    for name, game in draw.few(games).items():
        draw.check_has(game, "is_bust", "games with a bust, such as Farkle()")
        sizes = range(1, game.all_dice + 1)
        series[name] = {n: P(game.is_bust, throws(n, die)) for n in sizes}
    title = _("How likely is a bust?")
    if len(series) == 1:
        title = _("How likely is a bust in {game}?", game=name)
    words = _("number of dice thrown"), _("Bars by number of dice thrown")
    return _bars(series, ax, title, *words)


def _bars(
    parts: Mapping[str, Any], ax: Axes | None, title: str, axis: str = "", kind: str = ""
) -> Axes:
    for given in [parts, *(part for part in parts.values() if isinstance(part, Mapping))]:
        for chance in given.values():
            if isinstance(chance, Missing):
                return unanswered(chance.why)
    series = {name: _chances(part) for name, part in parts.items()}
    outcomes = dict.fromkeys(x for chances in series.values() for x in chances)
    numbers = sorted(int(x) for x in outcomes if whole(x) is not None)
    if len(numbers) < max(2, len(outcomes) - 3):  # up to three words may stand beside numbers
        numbers = []
    words = {x: draw.in_words(x) for x in outcomes if x not in numbers}
    series = {n: {x: p[x] for x in (*numbers, *words) if x in p} for n, p in series.items()}
    said = apart(
        _("{name} has {chances}", name=name, chances=_said(p)) if name else _said(p)
        for name, p in series.items()
    )
    limit = float(max(max(chances.values()) for chances in series.values()) or 1)
    seen = [x for x in numbers if any(p.get(x, 0) > limit / 2000 for p in series.values())]
    numbers = [x for x in numbers if words or not seen or seen[0] <= x <= seen[-1]]
    many, height = len(series), len(words) * len(series)
    if height > draw.MOST_BARS:
        raise ValueError(f"{height} bars are too many; group the outcomes: throws(6).map(sum)")
    first, last = (numbers[0], numbers[-1]) if numbers else (-1, -1)
    gap = min((b - a for a, b in pairwise(numbers)), default=1)
    space = max(gap, (last - first) // 10)
    places = {x: x for x in numbers} | {x: last + space * k for k, x in enumerate(words, 1)}
    series = {name: {x: p[x] for x in places if x in p} for name, p in series.items()}
    lying = not numbers and sum(len(word) + 2 for word in words.values()) > 52
    ax = draw.new_axes(ax, title, axis, high=1.4 + 0.38 * height if lying else draw.HIGH)
    room = draw.length(ax, lying) * gap / (max(places.values()) - min(places.values()) + gap)
    texts, size = _bar_texts(series, math.inf if lying else room / many)
    thick = (0.84 if room > 8 else 1) * gap / many
    for k, (name, chances) in enumerate(series.items()):
        at = [places[x] + thick * (k - (many - 1) / 2) for x in chances]
        edge, width = (draw.INK, 0.8) if room > 8 else (draw.COLOURS[k], 0.5)
        look = {"fc": draw.COLOURS[k], "hatch": draw.HATCHES[k], "ec": edge, "lw": width}
        bar: Any = ax.barh if lying else ax.bar
        drawn = bar(at, [*map(float, chances.values())], thick, label=name, **look)
        ax.bar_label(drawn, [texts.get((name, x), "") for x in chances], fontsize=size, padding=3)
    draw.per_cent(ax, "x" if lying else "y", limit * (1.15 if many == 1 or lying else 1.3))
    if lying:
        ax.set_yticks(list(places.values()), list(words.values()))
        ax.invert_yaxis()
    else:
        if 0.7 * draw.TEXT * len(number(last)) > room:  # round numbers only
            numbers = [int(x) for x in ax.get_xticks() if first <= x <= last]
        names = {x: number(x) for x in numbers} | {places[x]: word for x, word in words.items()}
        ax.set_xticks(list(names), list(names.values()))
    if many > 1:
        ax.legend(fontsize=draw.TEXT, frameon=False, ncols=1 if lying else 4)
    return draw.described(ax, kind or _("Bars"), title, said)


def _chances(part: Any) -> Chances:
    if not isinstance(part, Distribution | Mapping) or not part:
        raise ValueError(f"bars show a distribution, or a dict of names and chances, not {part!r}")
    found = {outcome: exact(chance) for outcome, chance in part.items()}
    for outcome, chance in found.items():
        what = f"the chance of {draw.in_words(outcome)} is {chance}"
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
    for size in (draw.TEXT, draw.TEXT - 2):
        for write in (str, _rounded):
            texts = {bar: write(chance) for bar, chance in chances.items()}
            longest = max(map(len, texts.values()))
            if longest <= 7 and 0.6 * size * longest <= room:
                return texts, size
    top = max(chances.values())
    highest = [bar for bar in chances if chances[bar] == top]
    text = min(str(top), _rounded(top), key=len)
    fits = len(series) == 1 and (len(highest) == 1 or 0.6 * draw.TEXT * len(text) <= room)
    return dict.fromkeys(highest, text) if fits else {}, draw.TEXT


def _said(chances: Chances) -> str:
    if len(chances) <= 12:
        return ", ".join(draw.of(draw.in_words(x), _exactly(p)) for x, p in chances.items())
    names = [*map(draw.in_words, chances)]
    first, last = names[0], names[-1]
    top = max(chances.values())
    highest = listed([draw.in_words(x) for x in chances if chances[x] == top][:2])
    ends = {"first": first, "last": last, "highest": highest, "chance": _exactly(top)}
    text = N_("{n} outcomes, {first} to {last}, likeliest {highest} with {chance}")
    return _(text, n=len(chances), **ends)


def _rounded(chance: Fraction) -> str:
    share = 100 * float(chance)
    return f"{number(share, '.0f' if share >= 10 or not share else '.2g')} %"


def _exactly(chance: Fraction) -> str:
    percent = f"{number(100 * float(chance), '.2f')} %"
    return f"{chance} ({percent})" if len(str(chance)) <= 9 else percent
