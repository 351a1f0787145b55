"""What of a score sheet matters between two rounds, and where a round can lead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from dicekit.dice import multisets
from dicekit.games.dice_poker import DicePoker
from dicekit.games.sheet import SCHOOL, Row
from dicekit.words import _

DICE = DicePoker.all_dice


def _sets(size: int) -> tuple[tuple[int, ...], ...]:
    """The sets of so many dice, those with the most different faces first."""
    return tuple(sorted(multisets(size), key=lambda dice: (-len(set(dice)), dice)))


SETS = [_sets(size) for size in range(DICE + 1)]
HANDS = SETS[DICE]
ALL = -1  # all rows, as bits


class Move(NamedTuple):
    """Where one gets from each standing, in part two and in the school; -1 where one may not."""

    second: Sequence[int]
    school: Sequence[int]


class Entries(NamedTuple):
    """What a row can be given: for each throw which entry, for each entry the points and which of
    the moves it is."""

    which: list[int]
    points: list[int]
    via: list[int]
    moves: list[Move]
    lists: list[tuple[Sequence[int], ...]]  # the same moves: all parts two, all schools


class Join(NamedTuple):
    """How to find the best of several rows: throws that bring the same in all of them share a
    value, `which` tells for each throw which one."""

    which: list[int]
    row: int
    parts: Sequence[Join] = ()
    both: Sequence[Sequence[int]] = ()  # which values of the two parts to compare


class Standings:
    """What of a sheet matters between two rounds, numbered.

    `school` lists (open rows, subtotal), `second` (open rows, rounds passed), the fullest first;
    rows are bits. The subtotal is kept between the last hopeless one and the first safe one.
    """

    def __init__(self, game: DicePoker) -> None:
        self.game, self.ordered = game, game.sheet.in_order
        self.bits = {row: 1 << n for n, row in enumerate(game.sheet.rows)}
        self.rows: list[Row | None] = list(game.sheet.rows)
        passing = game.dashes == "at the end"
        if passing:
            self.rows.append(None)
            if any(row.patterns for row in self.bits if row.part == SCHOOL):
                raise ValueError(
                    _(
                        "a throw could leave nothing to do: with combinations in the school, "
                        "dashes must be 'at once'"
                    )
                )
        self.first = sum(bit for row, bit in self.bits.items() if row.part == SCHOOL)
        rest = sum(self.bits.values()) - self.first
        self.school = self._schools()
        self.second = [
            (rows, passed)
            for rows in range(rest + 1)
            if rows & rest == rows
            for passed in range(rows.bit_count() + 1 if passing else 1)
        ]
        self.second.sort(key=lambda standing: standing[0].bit_count() - standing[1])
        self.in_school = {standing: n for n, standing in enumerate(self.school)}
        self.in_second = {standing: n for n, standing in enumerate(self.second)}
        self.start = self.in_second[rest, 0], len(self.school) - 1
        self.move, self.entries = cache(self._move), cache(self._entries)
        self.join = cache(self._join)

    def _schools(self) -> list[tuple[int, int]]:
        game = self.game
        worth = {
            bit: {game.points(row.name, hand, now) or 0 for hand in HANDS for now in (True, False)}
            for row, bit in self.bits.items()
            if row.part == SCHOOL
        }

        @cache
        def bounds(rows: int) -> tuple[int, int]:
            free = [points for bit, points in worth.items() if bit & rows]
            return game.bonus_from - sum(map(max, free)) - 1, game.bonus_from - sum(map(min, free))

        self.bounds = bounds
        found: list[tuple[int, int]] = []
        level = {self.kept(self.first, 0)}
        while level:
            found = sorted(level) + found
            level = {
                self.kept(rows ^ bit, subtotal + points)
                for rows, subtotal in level
                for bit in worth
                if rows & bit
                for points in worth[bit]
            }
        return found

    def kept(self, rows: int, subtotal: int) -> tuple[int, int]:
        """The standing of a school with these rows open and this subtotal."""
        low, high = self.bounds(rows)
        return rows, min(max(subtotal, low), high)

    def bonus(self, school: int) -> int:
        """The bonus that a full school has brought."""
        rows, subtotal = self.school[school]
        return 0 if rows or subtotal < self.game.bonus_from else self.game.school_bonus

    def rounds(self, second: int, school: int) -> int:
        """How many rounds are left."""
        rows, passed = self.second[second]
        return rows.bit_count() - passed + self.school[school][0].bit_count()

    def of(self, state: Any) -> tuple[int, int]:
        """The standing of the player who acts. Raises ValueError if no play leads there."""
        sheet = state.sheets[state.player]
        free = [bit for bit, value in zip(self.bits.values(), sheet, strict=True) if value is None]
        school = sum(bit for bit in free if bit & self.first)
        second = sum(free) - school, len(free) + state.round - len(sheet)
        try:
            subtotal = self.game.subtotal(sheet)
            return self.in_second[second], self.in_school[self.kept(school, subtotal)]
        except KeyError:
            raise ValueError("no play of these rules leads to this sheet") from None

    def blocks(self) -> Iterator[tuple[list[int], list[int]]]:
        """All standings, those with fewer rounds left first: part two and school, to be crossed."""
        for _rounds, many in groupby(range(len(self.second)), lambda i: self.rounds(i, 0)):
            seconds = list(many)
            for open_rows, schools in groupby(
                range(len(self.school)), lambda j: self.school[j][0].bit_count()
            ):
                if open_rows and self.ordered:
                    seconds = [i for i in seconds if i == self.start[0]]
                elif open_rows:
                    seconds = [i for i in seconds if not self.second[i][1]]
                yield seconds, list(schools)

    def _move(self, row: Row | None, points: int, made: int) -> Move:
        """Where it leads to write points, or to pass. None of the rows `made` may be open."""
        bit = self.bits[row] if row else 0
        school = bit & self.first
        return Move(
            [
                self.in_second.get((rows & ~bit, passed + (not row)), -1)
                if made != ALL and not rows & made and (rows & bit or school or not row)
                else -1
                for rows, passed in self.second
            ],
            [
                -1
                if rows & made or (school and not rows & bit)
                else self.in_school[self.kept(rows ^ bit, subtotal + points)]
                if school
                else j
                if not rows or (row and not self.ordered)
                else -1
                for j, (rows, subtotal) in enumerate(self.school)
            ],
        )

    def _entries(self, place: int, first: bool, last: bool) -> Entries:
        """What a row can be given, on the first throw, on the last."""
        row = self.rows[place]
        keys = [self._key(row, hand, first, last) for hand in HANDS]
        numbers = {key: n for n, key in enumerate(dict.fromkeys(keys))}
        school = row is not None and row.part == SCHOOL
        tos = [(points if school else 0, made) for points, made in numbers]
        places = {to: n for n, to in enumerate(dict.fromkeys(tos))}
        moves = [self.move(row, *to) for to in places]
        points, lists = [points for points, _ in numbers], list(zip(*moves, strict=True))
        return Entries(
            [numbers[key] for key in keys], points, [places[to] for to in tos], moves, lists
        )

    def _key(self, row: Row | None, hand: Any, first: bool, last: bool) -> tuple[int, int]:
        """The points, and the rows that must not be open: all, if nothing may be written."""
        if row is None:
            return 0, 0
        points = self.game.points(row.name, hand, first)
        if self.game.chance == "fallback" and not row.face and not row.patterns:
            only = self.first if self.ordered and row.part == SCHOOL else -1
            made = [
                bit for x, bit in self.bits.items() if x.patterns and x.points(hand) is not None
            ]
            return points or 0, sum(made) & only if last else ALL
        if points is None and self.game.dashes == "at the end":
            return 0, ALL
        return points or 0, 0

    def _join(self, rows: tuple[int, ...], first: bool, last: bool) -> Join:
        if len(rows) == 1:
            return Join(self.entries(rows[0], first, last)[0], rows[0])
        school = sum(bool(self.first >> n & 1) for n in rows)
        cut = school % len(rows) or len(rows) // 2
        parts = [self.join(some, first, last) for some in (rows[:cut], rows[cut:])]
        both = list(zip(*(part.which for part in parts), strict=True))
        numbers = {pair: n for n, pair in enumerate(dict.fromkeys(both))}
        return Join([numbers[pair] for pair in both], -1, parts, list(zip(*numbers, strict=True)))
