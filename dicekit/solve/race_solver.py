"""Races solved pair by pair, for `dicekit.solve.race` (numpy).

Pairs of scores are solved by falling total, two at a time. The value of a turn, f(bust), is the
maximum of straight lines with slopes from 0 to 1, the chances of a bust: convex, piecewise
linear. The line through its last two values gives the next try (the secant method), exact as
soon as both lie on one piece.

In a last round one may throw on above the target. How far depends on the gap and on what the
other wins after a bust: the less that is, the farther, which is found once for 81 chances, of
which the next lower counts, so that nothing is lost.
"""

from __future__ import annotations

from array import array
from typing import Any

from dicekit.solve.one_turn import FARTHEST
from dicekit.solve.turn import Turn
from dicekit.solve.turn_values import Array, TurnValues
from dicekit.solve.watched import watched
from dicekit.words import _

TOLERANCE = 1e-10


def _settled(turn: Any, x: Array, slope: Array, sign: int) -> tuple[Array, Array]:
    """The x for which x = turn(bust) where bust = sign * (x reversed - 1), and the slopes there.

    Begins with a guess of both, and ends with a step of the secant method from where x is off
    by so little.
    """
    import numpy as np

    bust = value = None
    for _step in range(100):
        before, bust = (bust, value), sign * (x[::-1] - 1)
        value = turn(bust)
        if before[0] is not None:
            run = bust - before[0]
            known = abs(run) > 1e-9
            slope[known] = np.clip((value - before[1])[known] / run[known], 0, 1)
        off = abs(value - x).max()
        height = value - slope * (bust + sign)
        product = slope * slope[::-1]
        if product.max() > 1 - 1e-9:
            break
        x = (height + sign * slope * height[::-1]) / (1 - product)
        if off < TOLERANCE:
            return x, slope
    raise ValueError(_("under these rules one can come to where nobody gets any further"))


class RaceSolver(TurnValues):
    def __init__(self, turn: Turn) -> None:
        import numpy as np

        super().__init__(turn, 1.0)
        n = self.n
        self.chances = np.zeros((n + 1, n + 1))  # of the one to throw, by own and other score
        self.banked = np.ones((n, n + 1))  # by the other's score, and what the bank makes
        self.chased = np.zeros(1)  # the chance to bank more than a gap in one turn
        self.last_round = getattr(turn.game, "last_round", False)
        if self.last_round:
            self.prepare_chase()

    def prepare_chase(self) -> None:
        """The chance of every chase, and from which gap on one banks above the target: by what
        the other wins after a bust, in steps of which the lower counts."""
        import numpy as np

        most, dice = self.most, self.dice
        far = max(self.n, self.steps(FARTHEST))
        farthest = self.n + far + most + 1
        bank = np.full((farthest + 1, 1), -np.inf)
        bank[-1] = 1
        found = self.sweep(np.array([0]), bank[:, None], np.zeros(1), np.array([farthest]))
        needed = np.maximum(np.arange(farthest) + 1, self.minimum)
        self.chased = found[(farthest - needed) * dice + dice - 1, 0]

        self.wins = np.geomspace(1e-6, 1, 81)
        self.enough = np.full(82, far)
        passed = self.chased[: far + most]
        sure = np.searchsorted(-passed[:far], -self.busts.min() * self.wins)
        bank = np.repeat(1 - passed[:, None, None], 81, axis=2)
        found = self.sweep(np.zeros(81), bank, 1 - self.wins, sure)[:-1]
        throws = (found.reshape(far + most, -1, 81) > bank).any(axis=1)
        self.enough[1:] = (throws * np.arange(1, far + most + 1)[:, None]).max(axis=0)

    def solve(self, progress: Any) -> None:
        import numpy as np

        n, chances = self.n, self.chances
        slopes = np.full_like(chances, 0.4)
        for total in watched(range(2 * n - 2, -1, -1), progress, "totals of points"):
            a = np.arange(max(0, total - n + 1), min(n - 1, total) + 1)
            b = a[::-1]
            x = chances[a + 1, b] + chances[a, b + 1] - chances[a + 1, b + 1]
            slope = (slopes[a + 1, b] + slopes[a, b + 1]) / 2
            bank = np.empty((0, 1, len(a)))

            def turn(bust: Array, a: Array = a) -> Array:
                nonlocal bank
                first, known, end = self.known(a, a[::-1], self.bank_from(a), bust)
                if end >= len(bank):
                    bank = self.banks(a, first, end)
                return self.start(self.sweep(first, bank, bust, known), first)

            x, slopes[a, b] = _settled(turn, x, slope, -1)
            chances[a, b] = x
            self.banked[a, b] = 1 - x

    def known(
        self, mine: Array, theirs: Array, settled: Array, bust: Array
    ) -> tuple[Array, Array, int]:
        """As `rows`; in a last round it depends on what the other wins after a bust."""
        import numpy as np

        first, known, end = self.rows(mine, settled)
        if not self.last_round:
            return first, known, end
        enough = self.enough[np.searchsorted(self.wins, 1 - bust, "right")]
        least = np.maximum(self.n - self.low, first + settled)
        known = np.maximum(theirs - self.low + enough, least)
        return first, known, int(known.max()) + self.most

    def banks(self, a: Array, first: Array, end: int) -> Array:
        """What a bank is worth, for every row."""
        import numpy as np

        b, n = a[::-1], self.n
        made, may = self.may_bank(a, first, self.bank_from(a), end)
        worth = self.banked[b, np.minimum(made, n)]
        if self.last_round:
            worth[n:] = 1 - self.chased[made[n:] - b]
        return np.where(may, worth, -np.inf)[:, None]


def race_tables(turn: Turn, progress: Any) -> dict[str, array[float]]:
    """The `chances` to win of the one about to throw, by both scores in steps, and the chance
    to bank more than a gap in one turn (`chased`), by the gap in steps."""
    race = RaceSolver(turn)
    race.solve(progress)
    return {
        "chances": array("d", race.chances[:-1, :-1].ravel()),
        "chased": array("d", race.chased),
    }


def turns_table(turn: Turn, progress: Any) -> dict[str, array[float]]:
    """The least mean number of `turns` to the target, by the score in steps."""
    import numpy as np

    turns = TurnValues(turn, 0.0)
    n = turns.n
    left, slope = np.zeros(n + 1), np.full(1, 0.4)
    for score in watched(range(n - 1, -1, -1), progress, "scores"):
        scores = np.array([score])
        bank_from = turns.bank_from(scores)
        first, known, end = turns.rows(scores, bank_from)
        made, may = turns.may_bank(scores, first, bank_from, end)
        bank = np.where(may, -left[np.minimum(made, n)], -np.inf)[:, None]
        parts = first, bank, known

        def value(bust: Array, parts: tuple[Array, ...] = parts) -> Array:
            first, bank, known = parts
            return turns.start(turns.sweep(first, bank, bust, known), first)

        x, slope = _settled(value, np.array([1 - left[score + 1]]), slope, 1)
        left[score] = 1 - x[0]
    return {"turns": array("d", left)}
