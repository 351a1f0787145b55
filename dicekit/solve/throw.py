"""One throw: the chance of every row of a table, of a bust, and what a throw is worth at best."""

from __future__ import annotations

from itertools import product
from typing import Any

from dicekit.dice import FACES, FAIR, Die, check_count, check_die
from dicekit.games.banking import BankingRules
from dicekit.games.dice_poker import DicePoker
from dicekit.games.scoring import Table, contains, dice_of, face_counts
from dicekit.generating import AtMost
from dicekit.probability import Distribution, ratio, throws


class Beyond(str):
    """An outcome that is more than any number of points: "win" >= 500 holds."""

    def __lt__(self, other: Any) -> bool:
        return isinstance(other, str) and str(self) < str(other)

    def __gt__(self, other: Any) -> bool:
        return not isinstance(other, str) or str(self) > str(other)

    def __le__(self, other: Any) -> bool:
        return self == other or self < other

    def __ge__(self, other: Any) -> bool:
        return self == other or self > other


WIN = Beyond("win")


def check_rules(rules: Any, kind: Any = (BankingRules, DicePoker)) -> None:
    """Raise ValueError if `rules` are not the rules of a game of that kind."""
    if not isinstance(rules, kind):
        known = "Farkle() or FiveThousand()" + (", or DicePoker()" if kind != BankingRules else "")
        raise ValueError(f"this needs the rules of a game, such as {known}, not {rules!r}")


def row_chances(rules: Any, n: int | None = None, die: Die = FAIR) -> dict[str, Any]:
    """The chance that a throw of n dice (all the game's dice if not given) holds each row.

    A row counts when its dice are in the throw, whatever else is; where another row uses the
    same dice, both count. Rows of a throwing game go by their patterns, those of a score sheet
    by their names; rows that any dice fill are left out.

    >>> row_chances(DicePoker())["full house"]
    25/648

    Raises ValueError for a number of dice that the game does not have.
    """
    check_rules(rules)
    n = _check_dice(rules, n)
    if isinstance(rules, DicePoker):
        rows = {p: row.name for row in rules.sheet.rows for p in row.patterns}
    else:
        rows = {pattern: pattern for pattern in rules.table_for(n)}
    weights, total, domain = throws(n, die).parts
    found: dict[str, Any] = dict.fromkeys(rows.values(), 0)
    for throw, weight in weights.items():
        counts = face_counts(throw)
        held = {row for pattern, row in rows.items() if contains(counts, pattern)}
        if not held and n == rules.all_dice and "nothing" in rows:
            held = {"nothing"}
        for row in held:
            found[row] += weight
    return {row: ratio(weight, total, domain) for row, weight in found.items()}


def _check_dice(rules: Any, n: int | None) -> int:
    n = rules.all_dice if n is None else check_count(n)
    if n > rules.all_dice:
        raise ValueError(f"{rules.name} is played with {rules.all_dice} dice, not {n}")
    return n


def best_points(rules: Any, n: int | None = None, die: Die = FAIR) -> Distribution:
    """The distribution of the most points that one throw of n dice can bring: 0 for a bust.

    In 5000 a throw that wins at once is the outcome "win", which counts as more than any
    points. On a score sheet it is the best row
    for the throw, every row being free and nothing doubled.

    >>> from dicekit.games.farkle import Farkle
    >>> best_points(Farkle(), 1)[100]
    1/6

    Raises ValueError for a number of dice that the game does not have.
    """
    check_rules(rules)
    n = _check_dice(rules, n)
    if isinstance(rules, DicePoker):
        names = [row.name for row in rules.sheet.rows]
        return throws(n, die).map(lambda throw: max(rules.points(x, throw) or 0 for x in names))
    return throws(n, die).map(lambda throw: _best(rules, throw))


def _best(rules: BankingRules, throw: tuple[int, ...]) -> Any:
    if rules.is_win(throw):
        return WIN
    found = rules.set_asides(throw)
    return rules.score(found[0], len(throw)) if found else 0


def none_of(table: Table, die: Die = FAIR) -> AtMost:
    """The generating function of throws that hold no row of the table: g[n] for n dice.

    Rows of one face are limits; throws within the limits that hold another row, such as three
    pairs, are taken out one by one.

    >>> none_of(Table({"1": 100, "5": 50, "aaa": 500}))
    (x**2/72 + x/6 + 1)**4

    Raises ValueError if such throws have no end.
    """
    if not isinstance(table, Table):
        raise ValueError(f"this needs a table of points, such as Farkle().rows, not {table!r}")
    limits: list[int | None] = [None] * len(FACES)
    for pattern in table:
        if pattern != "nothing" and len(set(pattern)) == 1:
            for place, face in enumerate(FACES):
                limit = limits[place]
                if pattern[0] in f"{face}a":
                    limits[place] = min(len(pattern) - 1, len(pattern) if limit is None else limit)
    several = (pattern for pattern in table if len(set(pattern)) > 1 and pattern != "nothing")
    mixed = [row for row in several if any(_within(dice, limits) for dice in dice_of(row))]
    if mixed and None in limits:
        free = ", ".join(str(face) for face, cap in zip(FACES, limits, strict=True) if cap is None)
        raise ValueError(
            f"no row limits how often {free} may come, so throws without {mixed[0]!r} have no end; "
            "count them with throws(n)"
        )
    excluded = tuple(
        tuple(face for face, number in zip(FACES, counts, strict=True) for _ in range(number))
        for counts in product(*(range((limit or 0) + 1) for limit in limits))
        if any(contains(counts, pattern) for pattern in mixed)
    )
    return AtMost(tuple(limits), check_die(die), excluded)


def _within(dice: tuple[int, ...], limits: list[int | None]) -> bool:
    counts = face_counts(dice)
    return all(limit is None or k <= limit for k, limit in zip(counts, limits, strict=True))
