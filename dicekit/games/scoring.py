"""Scoring tables as data, and the best way to split dice into their rows.

A row is a pattern and its points. Digits are faces, letters are any faces, different letters
different faces: "5" is each 5, "222" three 2s, "aaaa" four alike, "aabbcc" three pairs,
"123456" the straight. The pattern "nothing" is a throw of all the dice that fits no other row.
So a house rule is a value and not a branch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import permutations
from operator import ge
from typing import Any

from dicekit.dice import FACES, multisets
from dicekit.words import N_, _

Part = tuple[tuple[int, ...], int]
NAMES = {
    "123456": N_("straight 1-2-3-4-5-6"),
    "12345": N_("small straight 1-2-3-4-5"),
    "23456": N_("large straight 2-3-4-5-6"),
    "aabbcc": N_("three pairs"),
    "aaaabb": N_("four alike and a pair"),
    "aaabbb": N_("two triplets"),
    "nothing": N_("nothing that scores"),
    "aa": N_("two alike"),
    "aaa": N_("three alike"),
    "aaaa": N_("four alike"),
    "aaaaa": N_("five alike"),
    "aaaaaa": N_("six alike"),
}
OF_A_FACE = (
    N_("each {face}"),
    N_("two {face}s"),
    N_("three {face}s"),
    N_("four {face}s"),
    N_("five {face}s"),
    N_("six {face}s"),
)
ONES_FIVES_TRIPLETS = {"1": 100, "5": 50, "111": 1000} | {str(n) * 3: 100 * n for n in FACES[1:]}


def row_name(pattern: str) -> str:
    """A row's name in words.

    >>> row_name("222"), row_name("aaaa"), row_name("5")
    ('three 2s', 'four alike', 'each 5')
    """
    if pattern in NAMES:
        return _(NAMES[pattern])
    if len(set(pattern)) == 1:
        return _(OF_A_FACE[len(pattern) - 1], face=pattern[0])
    return "-".join(pattern)


class Table(Mapping[str, int]):
    """An immutable scoring table: pattern -> points.

    >>> table = Table({"1": 100, "5": 50, "aaa": 500})
    >>> table.score((1, 4, 4, 4))
    600
    >>> (table | {"5": None}).score((5,)) is None
    True

    `table | changes` sets rows; None leaves a row out. Raises ValueError for a pattern that is
    none, or points that are no whole number above 0.
    """

    def __init__(self, rows: Mapping[str, int | None]) -> None:
        if not isinstance(rows, Mapping):
            raise ValueError(f"write a table as {{row: points}}, not as {rows!r}")
        self._rows: dict[str, int] = {}
        seen = set()
        for written, points in rows.items():
            pattern = check_pattern(written)
            if pattern in seen:
                raise ValueError(f"the row {written!r} is there twice")
            seen.add(pattern)
            if points is None:
                continue
            if isinstance(points, bool) or not isinstance(points, int) or points <= 0:
                raise ValueError(
                    f"{row_name(pattern)} must be worth a whole number above 0, not {points!r}; "
                    "None leaves the row out"
                )
            self._rows[pattern] = points
        self._hash = hash(frozenset(self._rows.items()))

    def __getitem__(self, pattern: str) -> int:
        return self._rows[pattern]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self is other or self._rows == other._rows

    def __hash__(self) -> int:
        return self._hash

    def __or__(self, changes: Mapping[str, int | None]) -> Table:
        if not isinstance(changes, Mapping):
            raise ValueError(f"write the changes as {{row: points}}, not as {changes!r}")
        Table(changes)
        return Table(self._rows | {check_pattern(row): points for row, points in changes.items()})

    def __repr__(self) -> str:
        return f"Table({self._rows})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row" style="text-align:left">{row_name(pattern)}</th>'
            f"<td>{points}</td></tr>"
            for pattern, points in self.items()
        )
        return (
            f"<table><caption>{_('Scoring table')}</caption>"
            f'<thead><tr><th scope="col">{_("dice")}</th><th scope="col">{_("points")}</th></tr>'
            f"</thead><tbody>{rows}</tbody></table>"
        )

    def row(self, dice: tuple[int, ...]) -> int | None:
        """The points of the row that these sorted dice make together, or None."""
        return dict(_rows(self, 0)).get(dice)

    def score(self, dice: tuple[int, ...], all_dice: int = 6) -> int | None:
        """The most points for sorted dice set aside, or None if one of them does not score."""
        parts = self.split(dice, all_dice)
        return None if parts is None else sum(points for _, points in parts)

    def split(self, dice: tuple[int, ...], all_dice: int = 6) -> tuple[Part, ...] | None:
        """The best way to split sorted dice into rows with none left over, or None.

        Among ways with the same points, one with the fewest rows. `all_dice` is how many dice
        the game is played with; it matters for the row "nothing" only.

        >>> Table({"1": 100, "111": 1000}).split((1, 1, 1, 1))
        (((1, 1, 1), 1000), ((1,), 100))
        """
        parts = _best_split(self, dice, all_dice) if dice else None
        return parts and tuple(sorted(parts, key=lambda part: -part[1]))

    def fits(self, throw: tuple[int, ...], all_dice: int = 6) -> bool:
        """Whether any row is contained in the throw."""
        counts = face_counts(throw)
        return any(contains(counts, pattern) for pattern in self) or (
            "nothing" in self and len(throw) == all_dice
        )


def check_pattern(written: Any) -> str:
    """A row's pattern in its one way of writing: "cbcb" is "aabb"."""
    known = isinstance(written, str) and re.fullmatch(r"[1-6]{1,6}|[a-f]{1,6}|nothing", written)
    if not known:
        raise ValueError(
            f"{written!r} is no row: write the dice, such as '222', 'aaaa' (four alike) "
            "or 'aabbcc' (three pairs), or 'nothing'"
        )
    if written == "nothing" or written.isdigit():
        return "".join(sorted(written)) if written.isdigit() else written
    counts = sorted((written.count(letter) for letter in set(written)), reverse=True)
    return "".join(letter * count for letter, count in zip("abcdef", counts, strict=False))


@cache
def needs(pattern: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How many of each face a pattern of digits needs; how many alike one of letters, most first.

    >>> needs("115")[0], needs("aabb")[1]
    ((2, 0, 0, 0, 1, 0), (2, 2))
    """
    if pattern.isdigit():
        return tuple(pattern.count(str(face)) for face in FACES), ()
    return (), tuple(sorted((pattern.count(sign) for sign in set(pattern)), reverse=True))


def face_counts(throw: tuple[int, ...]) -> tuple[int, ...]:
    """How many dice of a throw show each face, from 1 to 6."""
    return tuple(map(throw.count, FACES))


@lru_cache(maxsize=100_000)
def contains(counts: tuple[int, ...], pattern: str) -> bool:
    """Whether dice with these face counts hold the pattern; "nothing" is none that they could.

    >>> contains(face_counts((2, 2, 3, 3, 3)), "aabb")
    True
    """
    if pattern == "nothing":
        return False
    of_faces, alike = needs(pattern)
    if of_faces:
        return all(map(ge, counts, of_faces))
    return all(map(ge, sorted(counts, reverse=True), alike))


@cache
def dice_of(pattern: str) -> tuple[tuple[int, ...], ...]:
    """All dice that make a pattern of digits or letters, as sorted tuples.

    >>> dice_of("aaa")[:2]
    ((1, 1, 1), (2, 2, 2))
    """
    letters = sorted({sign for sign in pattern if sign.isalpha()})
    found = set()
    for faces in permutations(FACES, len(letters)):
        face = dict(zip(letters, faces, strict=True))
        found.add(tuple(sorted(int(face.get(sign, sign)) for sign in pattern)))
    return tuple(sorted(found))


@cache
def _rows(table: Table, all_dice: int) -> tuple[Part, ...]:
    """The rows as dice: every pattern with its letters replaced by faces, once each."""
    best: dict[tuple[int, ...], int] = {}
    for pattern, points in table.items():
        for dice in () if pattern == "nothing" else dice_of(pattern):
            best[dice] = max(points, best.get(dice, 0))
    if all_dice and "nothing" in table:
        scoring = list(best)
        for throw in multisets(all_dice):
            if all(without(throw, row) is None for row in scoring):
                best[throw] = table["nothing"]
    return tuple(best.items())


def without(dice: tuple[int, ...], row: tuple[int, ...]) -> tuple[int, ...] | None:
    """What is left of the dice when the row is taken out, or None if it is not in them."""
    left = list(dice)
    for face in row:
        if face not in left:
            return None
        left.remove(face)
    return tuple(left)


@cache
def _best_split(table: Table, dice: tuple[int, ...], all_dice: int) -> tuple[Part, ...] | None:
    if not dice:
        return ()
    best: tuple[Part, ...] | None = None
    for row, points in _rows(table, all_dice):
        if row[0] == dice[0] and (left := without(dice, row)) is not None:
            rest = _best_split(table, left, all_dice)
            if rest is not None:
                parts = ((row, points), *rest)
                if best is None or _worth(parts) > _worth(best):
                    best = parts
    return best


def _worth(parts: tuple[Part, ...]) -> tuple[int, int]:
    return sum(points for _, points in parts), -len(parts)
