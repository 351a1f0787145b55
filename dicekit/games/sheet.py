"""Score sheets as data: rows, what each needs, and what it is worth.

A row needs a pattern, written as in `dicekit.games.scoring`: "aabb" are two pairs of different
faces, "12345" the small straight. Or it counts one face. So another sheet is a value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from dicekit.dice import FACES, whole
from dicekit.games.scoring import check_pattern, dice_of, without
from dicekit.words import N_

SCHOOL = 1
SECOND = 2
MOST_ROWS = 16  # for the board, and for the best play: each row more doubles its work


@dataclass(frozen=True)
class Row:
    """A row of a score sheet.

    `patterns` are what it needs, any one of them; none for a row that takes any dice. `worth`
    is "dice" (the sum of the dice that make the combination), "all" (the sum of all dice) or a
    number of points. A row with a `face` is worth (number of that face - `less`) times the face.
    `bonus` tells that the five-alike bonus is added, `doubles` that it is doubled when it is
    made on the first throw.

    >>> Row("pair", ("aa",)).points((2, 2, 3, 3, 3))
    6
    >>> Row("6", face=6, less=3).points((1, 2, 2, 6, 6))
    -6
    """

    name: str
    patterns: tuple[str, ...] = ()
    worth: str | int = "dice"
    face: int = 0
    less: int = 0
    bonus: bool = False
    doubles: bool = True
    part: int = SECOND

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise ValueError(f"a row needs a name, not {self.name!r}")
        if not isinstance(self.patterns, tuple | list):
            raise ValueError(f"row {self.name!r}: write the patterns as a list, such as ['aaa']")
        object.__setattr__(self, "patterns", tuple(map(check_pattern, self.patterns)))
        if whole(self.face) not in (0, *FACES) or whole(self.less) is None:
            raise ValueError(f"row {self.name!r}: face must be 1 to 6, and less a whole number")
        if self.worth not in ("dice", "all") and whole(self.worth) is None:
            raise ValueError(f"row {self.name!r}: worth must be 'dice', 'all' or a number")

    def points(self, dice: tuple[int, ...]) -> int | None:
        """The points of these sorted dice, or None if the combination is not among them."""
        return _points(self, dice)


@cache
def _points(row: Row, dice: tuple[int, ...]) -> int | None:
    if row.face:
        return (dice.count(row.face) - row.less) * row.face
    if not row.patterns:
        return sum(dice)
    made = [
        sum(found)
        for pattern in row.patterns
        for found in dice_of(pattern)
        if without(dice, found) is not None
    ]
    if not made:
        return None
    return {"dice": max(made), "all": sum(dice)}.get(row.worth, row.worth)  # type: ignore


@dataclass(frozen=True)
class Sheet:
    """The rows of a score sheet, the number of throws, and whether the school comes first.

    Raises ValueError for a sheet without rows or with more than 16, two rows of the same name, or
    no throws.
    """

    rows: tuple[Row, ...]
    in_order: bool = True
    throws: int = 3

    def __post_init__(self) -> None:
        if not isinstance(self.rows, tuple | list):
            raise ValueError(f"a sheet needs a list of rows, not {self.rows!r}")
        object.__setattr__(self, "rows", tuple(self.rows))
        names = [row.name for row in self.rows if isinstance(row, Row)]
        if not names or len(names) < len(self.rows) or len(set(names)) < len(names):
            raise ValueError("a sheet needs rows, each with a name of its own")
        if len(names) > MOST_ROWS:
            raise ValueError(f"a sheet has at most {MOST_ROWS} rows, not {len(names)}")
        if (whole(self.throws) or 0) < 1:
            raise ValueError(f"a round needs at least one throw, not {self.throws!r}")

    def names(self, part: int) -> tuple[str, ...]:
        """The names of the rows of a part."""
        return tuple(row.name for row in self.rows if row.part == part)


def school(less: int) -> tuple[Row, ...]:
    """The rows 1 to 6, counted from so many dice of the face."""
    return tuple(Row(str(f), face=f, less=less, doubles=False, part=SCHOOL) for f in FACES)


CHANCE_ROW = Row(N_("chance"), worth="all", doubles=False)
ALIKE = {
    N_("pair"): "aa",
    N_("two pairs"): "aabb",
    N_("three"): "aaa",
    N_("four"): "aaaa",
    N_("full house"): "aaabb",
}


def _made(*names: str) -> tuple[Row, ...]:
    return tuple(Row(name, (ALIKE[name],)) for name in names)


STRAIGHTS = (Row(N_("small straight"), ("12345",)), Row(N_("large straight"), ("23456",)))

DICE_POKER = Sheet(
    (
        *school(less=3),
        *_made("pair", "two pairs", "three"),
        *STRAIGHTS,
        *_made("full house", "four"),
        Row(N_("poker"), ("aaaaa",), bonus=True),
        CHANCE_ROW,
    )
)
YATZY = Sheet(
    (
        *school(less=0),
        *_made("pair", "two pairs", "three", "four"),
        *STRAIGHTS,
        *_made("full house"),
        CHANCE_ROW,
        Row(N_("yatzy"), ("aaaaa",), worth=50),
    ),
    in_order=False,
)
AMERICAN = Sheet(
    (
        *school(less=0),
        Row(N_("three alike"), ("aaa",), worth="all"),
        Row(N_("four alike"), ("aaaa",), worth="all"),
        Row("full house", ("aaabb",), worth=25),
        Row("small straight", ("1234", "2345", "3456"), worth=30),
        Row("large straight", ("12345", "23456"), worth=40),
        Row(N_("five alike"), ("aaaaa",), worth=50),
        CHANCE_ROW,
    ),
    in_order=False,
)
