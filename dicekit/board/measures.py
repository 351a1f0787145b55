"""What the rule explorer tells of rules and a die, in exact numbers; and the rules as Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dicekit.dice import FACES, FAIR, Die, face_weights, weights
from dicekit.games.dice_poker import DicePoker
from dicekit.games.options import options
from dicekit.games.sheet import Row
from dicekit.players import left_out, sheet_at_hand
from dicekit.probability import throws
from dicekit.solve.best_sheet import best_sheet
from dicekit.solve.best_turn import best_turn
from dicekit.solve.rounds import MORE, Numbers
from dicekit.solve.standings import DICE, HANDS, SETS
from dicekit.solve.throw import best_points
from dicekit.words import _

Progress = Callable[[float], None]

# The chance of no points with so many dice, the best points of the throw, from where one banks;
# the chance of a row in one throw, and in all that a round has.
COLUMNS = ("bust", "best", "first", "bank", "one", "all")


@dataclass(frozen=True)
class Measures:
    """Numbers by row and column (a number of dice or the name of a row; one of `COLUMNS`), means by
    name, and why there are no more, if so."""

    cells: dict[tuple[Any, str], Any]
    means: dict[str, Any]
    trouble: str = ""

    def __or__(self, more: Measures) -> Measures:
        cells, means = self.cells | more.cells, self.means | more.means
        return Measures(cells, means, self.trouble or more.trouble)

    @property
    def rows(self) -> list[Any]:
        return list(dict.fromkeys(row for row, _ in self.cells))

    @property
    def columns(self) -> list[str]:
        there = {column for _, column in self.cells}
        return [column for column in COLUMNS if column in there]


def at_once(rules: Any, die: Die) -> Measures:
    """What takes no time: the chances of throws.

    >>> from dicekit.games.farkle import Farkle
    >>> at_once(Farkle(), FAIR).cells[6, "bust"]
    Fraction(5, 216)
    """
    return Measures(_sheet_cells(rules, die) if is_sheet(rules) else _throw_cells(rules, die), {})


def in_a_while(rules: Any, die: Die, progress: Progress | None = None) -> Measures:
    """What can take seconds: the best turn, or the best sheet."""
    try:
        if not is_sheet(rules):
            return best_play(_within_a_turn(rules), die)
        if die != FAIR:
            raise ValueError(_("the best sheet is known for fair dice only"))
        if not sheet_at_hand(rules):
            raise ValueError(_("the best play of this sheet needs numpy, which is missing here"))
        return Measures({}, {"sheet": _sheet_total(rules, progress)})
    except ValueError as error:
        return Measures({}, {}, str(error))


def is_sheet(rules: Any) -> bool:
    return isinstance(rules, DicePoker)


def takes_long(rules: Any, die: Die) -> bool:
    """Whether it should be asked before `in_a_while` is called."""
    asked = is_sheet(rules) and die == FAIR and sheet_at_hand(rules)
    return asked and not rules.sheet.in_order and rules not in _TOTALS


@lru_cache(maxsize=64)
def _throw_cells(rules: Any, die: Die) -> dict[Any, Any]:
    cells: dict[Any, Any] = {}
    for n in range(1, rules.all_dice + 1):
        outcomes = throws(n, die)
        cells[n, "bust"] = Fraction(outcomes.count(rules.is_bust), outcomes.total)
        points, total, _domain = best_points(rules, n, die).parts
        worth = {p: rules.target if isinstance(p, str) else p for p in points}  # a win at once
        cells[n, "best"] = Fraction(sum(points[p] * worth[p] for p in points), total)
    return cells


def _within_a_turn(rules: Any) -> Any:
    """The rules without what is of no importance within a turn."""
    between = {"last_round": True, "first": "order", **left_out(rules)}
    return replace(rules, **{name: off for name, off in between.items() if hasattr(rules, name)})


@lru_cache(maxsize=64)
def best_play(rules: Any, die: Die) -> Measures:
    """When to bank, and what a turn is worth; also before the first bank where that has to be
    larger."""
    turn = best_turn(rules, die)
    cells: dict[Any, Any] = {(n, "bank"): at for n, at in turn.bank_at.items()}
    means = {"turn": turn.value}
    if rules.opening > rules.minimum:
        first = best_turn(rules, die, opened=False)
        cells |= {(n, "first"): at for n, at in first.bank_at.items()}
        means["opening"] = first.value
    return Measures(cells, means)


_TOTALS: dict[Any, float] = {}


def _sheet_total(rules: Any, progress: Progress | None) -> float:
    if rules not in _TOTALS:
        _TOTALS[rules] = best_sheet(rules, progress=progress or False).value
    return _TOTALS[rules]


@lru_cache(maxsize=64)
def _sheet_cells(rules: Any, die: Die) -> dict[Any, Any]:
    cells: dict[Any, Any] = {}
    for row in rules.sheet.rows:
        if row.face or row.patterns:
            cells[row, "one"] = chance_of_row(row, die, 1)
            cells[row, "all"] = chance_of_row(row, die, rules.sheet.throws)
    return cells


@lru_cache(maxsize=512)
def chance_of_row(row: Row, die: Die = FAIR, most: int = 3) -> Fraction:
    """The chance to make a row of a score sheet in at most so many throws, if one throws for it
    alone and holds what is best for that; for a row that counts a face, that there are three or
    more of it.

    >>> round(float(chance_of_row(DicePoker().row("poker"))), 4)  # five alike
    0.046
    """
    faces, total, _domain = face_weights(die)
    one_more = [faces.get(face, 0) for face in FACES]
    thrown = weights(DICE, die).weights
    count, unit = Numbers(exact=True), total**DICE
    made = [
        int(hand.count(row.face) >= 3 if row.face else row.points(hand) is not None)
        for hand in HANDS
    ]
    best = made
    for left in range(1, most):
        held: list[Any] = [[]] * DICE
        values = best
        for size in reversed(range(DICE)):
            chosen = (zip(one_more, places, strict=True) for places in MORE[size])
            values = [sum(w * values[n] for w, n in pairs) for pairs in chosen]
            held[size] = [value * total**size for value in values]
        kept = held[0]
        for size in range(1, DICE):
            kept = count.best(held[size], kept, size)
        best = count.best([value * unit**left for value in made], kept, DICE)
    mean = sum(thrown.get(hand, 0) * value for hand, value in zip(SETS[DICE], best, strict=True))
    return Fraction(mean, unit**most)


def named_faces(die: Die) -> tuple[dict[int, Fraction], Fraction | None]:
    """The chances that must be told to know the die, and the one that the other faces share."""
    usual, times = Counter(die.chances).most_common(1)[0]
    rest = usual if times > 1 else None
    return {face: p for face, p in zip(FACES, die.chances, strict=True) if p != rest}, rest


def cell_text(rules: Any, die: Die = FAIR) -> str:
    """A notebook cell with these rules.

    >>> from dicekit.games.farkle import Farkle
    >>> print(cell_text(Farkle(opening=500)))
    from dicekit import *
    <BLANKLINE>
    game = Farkle(opening=500)
    Board(game, players=("A", "B"))
    """
    game, lines = rules_text(rules), []
    imports = ["from dicekit import *"]
    if "replace(" in game:
        imports.insert(0, "from dataclasses import replace")
    if "Sheet(" in game:
        imports.append("from dicekit.games.sheet import Row, Sheet")
    if die != FAIR:
        imports.insert(0, "from fractions import Fraction")
        named = ", ".join(f"{face}: {p!r}" for face, p in named_faces(die)[0].items())
        told = "row_chances(game, die=die)" if is_sheet(rules) else "best_turn(game, die)"
        lines = [f"die = Die.loaded({{{named}}})", f"print({told})"]
    board = 'Board(game, players=("A", "B"))'
    return "\n".join([*imports, "", f"game = {game}", *lines, board])


def rules_text(rules: Any) -> str:
    """Rules as one writes them.

    >>> rules_text(replace(DicePoker.yatzy(), school_bonus=35))
    'replace(DicePoker.yatzy(), school_bonus=35)'
    """
    known = {"yatzy": DicePoker.yatzy(), "american": DicePoker.american()}
    for name, usual in known.items() if is_sheet(rules) else ():
        if usual.sheet == rules.sheet:
            values = {option: getattr(rules, option) for option in options(rules)}
            changed = [f"{n}={v!r}" for n, v in values.items() if v != getattr(usual, n)]
            made = f"DicePoker.{name}()"
            return f"replace({', '.join([made, *changed])})" if changed else made
    return repr(rules)
