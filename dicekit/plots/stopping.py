"""Throw, or bank? What a best turn does, and why."""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING, Any

from dicekit.dice import whole
from dicekit.plots import drawing as draw
from dicekit.words import N_, _, ngettext, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FARTHEST = 100_000


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
    title = ngettext("{n} die left: throw, or bank?", "{n} dice left: throw, or bank?", dice)
    axes = _("points in the turn so far"), _("points of the turn on average")
    ax = draw.new_axes(ax, title, *axes)
    draw.curve(ax, 0, values, _("throw"))
    if banked := {x: x for x in points if turn.turn.can_bank(x, dice)}:
        draw.curve(ax, 1, banked, _("bank"))
    if least != math.inf:
        draw.mark(ax, 1, least, least)
    ax.text(min(least, 0.64 * upto) + 0.02 * upto, 0.04 * upto, rules[dice], fontsize=draw.TITLE)
    ax.set(xlim=(0, upto), ylim=(0, 1.05 * max(upto, *values.values())))
    ax.legend(fontsize=draw.TEXT, frameon=False, loc="upper left", handlelength=4)
    last = min(least, upto)
    text = N_("{rule}. Throwing is worth {first} with no points and {then} with {points}")
    first, then = values[0], float(turn.throw_value(last, dice))
    worth = {"first": number(first, ",.1f"), "then": number(then, ",.1f"), "points": last}
    kind = _("Two lines over 0 to {last} points", last=upto)
    return draw.described(ax, kind, title, _(text, rule=rules[dice], **worth))


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
    title = _("Throw, or bank?")
    ax = draw.new_axes(ax, title, _("points in the turn so far"), _("dice left to throw"))
    ax.set(xlim=(0, upto), yticks=list(rules))
    for dice, rule in rules.items():
        choice = {x: turn.bank(x, dice) for x in range(0, upto, step)}
        for bank, run in groupby(choice, key=choice.__getitem__):
            field = list(run)
            first, size = field[0], min(field[-1] + step, upto) - field[0]
            look: Any = {"fc": draw.PALE[bank], "ec": draw.COLOURS[bank], "hatch": "//" * bank}
            name = _("bank") if bank else _("throw")
            ax.barh(dice, size, 0.9, first, label=name, **look)
            if bank and field[-1] == max(choice):
                name = rule
            elif len(field) == len(choice):
                never = turn.bank_at[dice] == math.inf
                name = rule if never else _("throw ({rule})", rule=rule)
            room = draw.length(ax) * size / upto / (0.62 * draw.TEXT)
            text = next(text for text in (name, name.split(" ")[-1], "") if len(text) <= room)
            draw.plate(ax, complex(first + size / 2, dice), text, draw.PALE[bank])
    said = ", ".join(
        ngettext("{n} die: {rule}", "{n} dice: {rule}", dice, rule=rule)
        for dice, rule in rules.items()
    )
    kind = _("Map of dice left and 0 to {last} points", last=upto)
    return draw.described(ax, kind, title, said)


def _rules(turn: Any) -> dict[int, str]:
    """What the turn does with each number of dice, in words."""
    draw.check_has(turn, "bank_at", "a best turn, such as best_turn(Farkle())")
    return {
        dice: _("always throw") if least == math.inf else _("bank from {points}", points=int(least))
        for dice, least in sorted(turn.bank_at.items())
    }
