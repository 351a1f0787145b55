"""What the rule explorer tells of rules and a die, in exact numbers; and the rules as Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dicekit.dice import FACES, FAIR, Die, face_weights
from dicekit.games.dice_poker import DicePoker
from dicekit.games.sheet import AMERICAN, YATZY, Row
from dicekit.players import left_out, sheet_at_hand
from dicekit.solve.best_sheet import best_sheet
from dicekit.solve.best_turn import best_turn
from dicekit.solve.rounds import MORE, Numbers
from dicekit.solve.standings import DICE, HANDS
from dicekit.solve.throw import best_points
from dicekit.words import _

# Numbers by what they are (a key of `compared.HEADS`), and there by row: a number of dice, or the
# name of a row of a sheet. What is one number alone is in the row "".
Measures = dict[str, dict[Any, Any]]


@lru_cache(maxsize=64)
def of_throws(rules: Any, die: Die) -> Measures:
    """What throws bring, which takes no time to find.

    >>> from dicekit.games.farkle import Farkle
    >>> of_throws(Farkle(), FAIR)["bust"][6]
    Fraction(5, 216)
    """
    if isinstance(rules, DicePoker):
        most, rows = rules.sheet.throws, [row for row in rules.sheet.rows if row.patterns]
        times = {"one": 1, "all": most}
        return {
            name: {row.name: chance_of_row(row, die, n) for row in rows}
            for name, n in times.items()
        }
    found: Measures = {"bust": {}, "best": {}}
    for n in range(1, rules.all_dice + 1):
        points, total, _domain = best_points(rules, n, die).parts
        worth = {p: rules.target if isinstance(p, str) else p for p in points}  # a win at once
        found["bust"][n] = Fraction(points.get(0, 0), total)
        found["best"][n] = Fraction(sum(points[p] * worth[p] for p in points), total)
    return found


def of_play(rules: Any, die: Die, tell: Callable[[float], None] | None = None) -> Measures:
    """When to bank and what a turn is worth, or what a sheet is worth, with the best play; `tell`
    is told from 0 to 1 how much of a sheet is done. Raises ValueError if it cannot be found."""
    if not isinstance(rules, DicePoker):
        unimportant = {"last_round": True, "first": "order", **left_out(rules)}
        off = {name: value for name, value in unimportant.items() if hasattr(rules, name)}
        return _of_turn(replace(rules, **off), die)
    if die != FAIR:
        raise ValueError(_("the best sheet is known for fair dice only"))
    if not sheet_at_hand(rules):
        raise ValueError(_("the best play of this sheet needs numpy, which is missing here"))
    return {"sheet": {"": best_sheet(rules, progress=tell or False).value}}


@lru_cache(maxsize=64)
def _of_turn(rules: Any, die: Die) -> Measures:
    turn = best_turn(rules, die)
    found: Measures = {"turn": {"": turn.value}, "bank": turn.bank_at}
    if rules.opening > rules.minimum:
        first = best_turn(rules, die, opened=False)
        found |= {"opening": {"": first.value}, "first": first.bank_at}
    return found


def takes_long(rules: Any, die: Die) -> bool:
    """Whether it should be asked before `of_play` is called."""
    sheet = isinstance(rules, DicePoker) and die == FAIR
    return sheet and not rules.sheet.in_order and sheet_at_hand(rules)


@lru_cache(maxsize=512)
def chance_of_row(row: Row, die: Die = FAIR, most: int = 3) -> Fraction:
    """The chance to make a row of a score sheet in at most so many throws, if one throws for it
    alone and holds what is best for that.

    >>> round(float(chance_of_row(DicePoker().row("poker"))), 4)  # five alike
    0.046
    """
    count = Numbers(exact=True)
    made = hands = [Fraction(row.points(hand) is not None) for hand in HANDS]
    for _throw in range(most):
        held = [hands]  # the chance with so many dice held, from five down to none
        for more in reversed(MORE):
            chances = [zip(die.chances, places, strict=True) for places in more]
            held.append([sum(p * held[-1][n] for p, n in pairs) for pairs in chances])
        best = held[DICE]
        for size in range(1, DICE):
            best = count.best(held[DICE - size], best, size)
        hands = count.best(made, best, DICE)
    return held[DICE][0]


def cell_text(rules: Any, die: Die = FAIR) -> str:
    """A notebook cell with these rules.

    >>> from dicekit.games.farkle import Farkle
    >>> print(cell_text(Farkle(opening=500)))
    from dicekit import *
    game = Farkle(opening=500)
    Board(game, players=("A", "B"))
    """
    game = repr(rules)
    for name, sheet in {"YATZY": YATZY, "AMERICAN": AMERICAN}.items():
        game = game.replace(repr(sheet), name)
    lines = [f"game = {game}", 'Board(game, players=("A", "B"))']
    if die != FAIR:
        weights, total, _domain = face_weights(die)
        each = tuple(weights[face] for face in FACES)
        told = "row_chances(game, die=die)" if hasattr(rules, "sheet") else "best_turn(game, die)"
        loaded = f"die = Die(tuple(Fraction(weight, {total}) for weight in {each}))"
        lines = ["from fractions import Fraction", lines[0], loaded, f"print({told})", lines[1]]
    if "sheet=" in game:
        lines = ["from dicekit.games.sheet import AMERICAN, YATZY, Row, Sheet", *lines]
    return "\n".join(["from dicekit import *", *lines])
