"""Rounds of a score sheet, backwards: the value of every throw, of every set held, of every row.

One die is walked at a time. The value of a held set of dice is the mean, over one more die, of
the values of the sets with that die. The best that can be held of a throw is a set with one die
fewer, or the best that can be held of such a set. So a throw costs 210 means of six values and
1,260 comparisons, instead of 252 means for each of 462 sets.

Values are floats; or whole numbers over one denominator, which grows by 6^5 with each throw; or
arrays of floats, for many standings at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import inf
from operator import mul
from typing import Any, NamedTuple

from dicekit.dice import FACES, multinomial
from dicekit.solve.standings import DICE, HANDS, SETS, Entries, Join, Standings
from dicekit.solve.watched import watched

PLACE = {dice: place for sets in SETS for place, dice in enumerate(sets)}
ORDERS = [multinomial(hand) for hand in HANDS]
MORE = [[[PLACE[tuple(sorted((*x, f)))] for f in FACES] for x in sets] for sets in SETS[:-1]]
NEVER = -inf  # the value of what is not allowed
AT_ONCE = 512  # standings in an array: more leave the cache, fewer cost more calls


def _fewer(size: int) -> list[list[int]]:
    """Sets with one die fewer: the first of each set of so many dice, the second of those that
    have two, and so on."""
    fewer = [sorted({PLACE[y] for y in combinations(x, size - 1)}) for x in SETS[size] if size]
    return [[places[n] for places in fewer if len(places) > n] for n in range(size)]


FEWER = [_fewer(size) for size in range(DICE + 1)]


class Numbers:
    """How to count with lists of values. A throw makes the unit smaller by `throw`; `lift[k]`
    brings a sum over 5 - k dice to that unit."""

    def __init__(self, exact: bool) -> None:
        self.throw = len(FACES) ** DICE if exact else 1
        self.lift: list[Any] = [len(FACES) ** k for k in range(DICE + 1)]
        if not exact:
            self.lift = [lift / self.lift[DICE] for lift in self.lift]

    def mean(self, values: Any) -> Any:
        """The mean over a throw of all dice."""
        return sum(map(mul, ORDERS, values)) * self.lift[0]

    def sums(self, values: Any, size: int) -> Any:
        """For each set of so many dice, the sum over one more die."""
        return [
            values[a] + values[b] + values[c] + values[d] + values[e] + values[f]
            for a, b, c, d, e, f in MORE[size]
        ]

    def lifted(self, values: Any, size: int) -> Any:
        lift = self.lift[size]
        return [value * lift for value in values]

    def best(self, own: Any, kept: Any, size: int) -> Any:
        """For each set of so many dice, the best of its own value and those with a die fewer."""
        for column in FEWER[size]:
            pairs = zip(own, column, strict=False)
            own = [x if x > (y := kept[n]) else y for x, n in pairs] + own[len(column) :]
        return own

    def joined(self, left: Any, right: Any, join: Join) -> Any:
        """The best of two rows."""
        return [max(left[a], right[b]) for a, b in zip(*join.both, strict=True)]

    def picked(self, values: Any, which: list[int]) -> Any:
        return [values[n] for n in which]


class Arrays(Numbers):
    """The same with arrays of floats: a row for each value, a column for each standing."""

    def __init__(self) -> None:
        super().__init__(exact=False)
        self._known: dict[int, Any] = {}

    def index(self, numbers: Any) -> Any:
        """A list that stays, as an array."""
        import numpy as np

        if id(numbers) not in self._known:
            self._known[id(numbers)] = np.array(numbers)
        return self._known[id(numbers)]

    def mean(self, values: Any) -> Any:
        return self.index(ORDERS) @ values * self.lift[0]

    def sums(self, values: Any, size: int) -> Any:
        first, *others = self.index(MORE[size]).T
        found = values.take(first, 0)
        for column in others:
            found += values.take(column, 0)
        found /= len(FACES)
        return found

    def lifted(self, values: Any, size: int) -> Any:
        return values

    def best(self, own: Any, kept: Any, size: int) -> Any:
        import numpy as np

        first, *others = map(self.index, FEWER[size])
        found = np.maximum(own, kept.take(first, 0))
        for column in others:
            part = found[: len(column)]
            np.maximum(part, kept.take(column, 0), out=part)
        return found

    def joined(self, left: Any, right: Any, join: Join) -> Any:
        import numpy as np

        a, b = self.index(join.both)
        found = left.take(a, 0)
        return np.maximum(found, right.take(b, 0), out=found)

    def picked(self, values: Any, which: list[int]) -> Any:
        return values.take(self.index(which), 0)


class Throws(NamedTuple):
    """After a throw: the value of each entry by row, of each set held by the number of dice, and
    the best for each throw."""

    written: dict[int, Any]
    held: list[Any]
    best: Any


class Rounds:
    """Rounds of a sheet, of which those with fewer rounds left are solved."""

    def __init__(self, at: Standings, numbers: Numbers) -> None:
        self.at, self.numbers, self.throws = at, numbers, at.game.sheet.throws
        self.worth: Any = [[NEVER] * (len(at.school) + 1) for _ in range(len(at.second) + 1)]

    def solve(self, progress: Any = None) -> None:
        """Backward induction over the rounds."""
        at = self.at
        for seconds, schools in watched(list(at.blocks()), progress, "rounds"):
            full = not at.school[schools[0]][0]
            over = full and bool(seconds) and not at.rounds(seconds[0], schools[0])
            self.fill(seconds, schools[:1] if full else schools, over)
            for i in seconds if full else ():
                for j in schools[1:]:
                    more = at.bonus(j) * self.unit(at.rounds(i, j))
                    self.worth[i][j] = self.worth[i][schools[0]] + more

    def fill(self, seconds: list[int], schools: list[int], over: bool) -> None:
        """Solve these standings."""
        for i in seconds:
            for j in schools:
                self.worth[i][j] = self.at.bonus(j) if over else self.value(i, j)

    def unit(self, rounds: int, throws: int = 0) -> int:
        """What a point counts with so many rounds and throws to come."""
        return self.numbers.throw ** (self.throws * rounds + throws)

    def left(self, second: Any, school: Any) -> int:
        """How many rounds are left after this one."""
        return self.at.rounds(second, school) - 1

    def flags(self, left: int) -> tuple[bool, bool]:
        """Whether so many throws left make a difference to what may be written."""
        game = self.at.game
        first = game.first_throw_doubles and left == self.throws - 1
        return first, game.chance == "fallback" and not left

    def walk(self, second: Any, school: Any) -> Iterator[Throws]:
        """A round backwards, from the last throw to the first."""
        best: Any = []
        rounds, count = self.left(second, school), self.numbers
        for left in range(self.throws):
            if not left or count.throw > 1 or self.flags(left) != self.flags(left - 1):
                written = self.written(second, school, left, rounds)
                top = self.top(written, *self.flags(left))
            held = self.held(best) if left else []
            best = top
            if left:
                kept = held[0]
                for size in range(1, DICE):
                    kept = count.best(held[size], kept, size)
                best = count.best(top, kept, DICE)
            yield Throws(written, held, best)

    def value(self, second: Any, school: Any) -> Any:
        """The mean of the points to come, times the unit."""
        for throws in self.walk(second, school):
            best = throws.best
        return self.numbers.mean(best)

    def written(self, second: Any, school: Any, left: int, rounds: int) -> dict[int, Any]:
        """The value of each entry of each row in which something may be written."""
        point, lift, found = self.unit(rounds), self.unit(0, left), {}
        for n in range(len(self.at.rows)):
            entries = self.at.entries(n, *self.flags(left))
            values, allowed = self.look(entries, second, school, point, lift)
            if allowed:
                found[n] = values
        return found or {n: values}

    def look(
        self, entries: Entries, second: Any, school: Any, point: int, lift: int
    ) -> tuple[Any, bool]:
        """The value of each entry of a row, and whether any is allowed."""
        after = [self.worth[to[second]][there[school]] for to, there in entries.moves]
        if all(worth == NEVER for worth in after):
            return [NEVER] * len(entries.points), False
        return [
            NEVER if (worth := after[n]) == NEVER else (worth + points * point) * lift
            for points, n in zip(entries.points, entries.via, strict=True)
        ], True

    def top(self, written: dict[int, Any], first: bool, last: bool) -> Any:
        """The best that can be written, for each throw."""

        def table(join: Join) -> Any:
            if not join.parts:
                return written[join.row]
            left, right = map(table, join.parts)
            return self.numbers.joined(left, right, join)

        join = self.at.join(tuple(written), first, last)
        return self.numbers.picked(table(join), join.which)

    def held(self, values: Any) -> list[Any]:
        """The value of holding each set of fewer dice, from the values of the throws to come."""
        found = []
        for size in reversed(range(DICE)):
            values = self.numbers.sums(values, size)
            found.append(self.numbers.lifted(values, size))
        return found[::-1]


class ManyRounds(Rounds):
    """The same from many standings at once: part two crossed with the school."""

    numbers: Arrays

    def __init__(self, at: Standings) -> None:
        import numpy as np

        super().__init__(at, Arrays())
        self.worth = np.array(self.worth)

    def fill(self, seconds: list[int], schools: list[int], over: bool) -> None:
        import numpy as np

        if over:
            return super().fill(seconds, schools, over)
        size = max(1, AT_ONCE // len(schools))
        for n in range(0, len(seconds), size):
            i, j = np.array(seconds[n : n + size]), np.array(schools)
            self.worth[np.ix_(i, j)] = self.value(i, j).reshape(len(i), len(j))
        return None

    def left(self, second: Any, school: Any) -> int:
        return super().left(second[0], school[0])

    def look(
        self, entries: Entries, second: Any, school: Any, point: int, lift: int
    ) -> tuple[Any, bool]:
        index = self.numbers.index
        to, there = (index(part) for part in entries.lists)
        after = self.worth[to[:, second, None], there[:, None, school]].reshape(len(to), -1)
        points = index(entries.points)[:, None]
        values = after + points if len(to) in (1, len(points)) else after[entries.via] + points
        return values, after.max() > NEVER
