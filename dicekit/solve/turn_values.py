"""Many turns side by side: the walk of `dicekit.solve.one_turn`, in arrays (numpy)."""

from __future__ import annotations

from typing import Any

from dicekit.solve.one_turn import choices, thrown_again
from dicekit.solve.turn import Turn
from dicekit.words import N_, _

Array = Any
MOST_PAIRS = 1_000_000


class TurnValues:
    """The turns of a game at all scores, ready to sweep; `win` is what a win at once is worth.

    Points are counted in steps. A *row* is what matters of score and points: their sum, but
    where the turn's points are doubled (`prediction="turn"`) the points alone.
    """

    low = 0  # the lowest score, in steps

    def __init__(self, turn: Turn, win: float) -> None:
        import numpy as np

        self.turn, self.win, self.step = turn, win, turn.step
        self.dice = turn.game.all_dice
        self.exact = bool(getattr(turn.game, "exact", False))
        self.must = turn.game.throws_all_again
        self.adds_score = getattr(turn.game, "prediction", None) != "turn"
        offered = choices(turn)
        throws = list(offered.throws)  # dice, and what is announced
        self._first = [throws.index((dice, None)) for dice in turn.sizes]
        largest = max(map(len, offered.several), default=0)
        self._several = [  # the first of each choice between several, the second, and so on
            np.array([kind[n] for kind in offered.several if len(kind) > n]) for n in range(largest)
        ]
        self._times, plus, self._left = np.array(offered.options).T
        self._plus = plus // self.step
        self.most = int(self._plus.max())
        places = len(offered.options) + len(offered.several)
        self._weights = np.zeros((len(throws), places))
        for row, chances in zip(self._weights, offered.throws.values(), strict=True):
            row[list(chances)] = list(chances.values())
        self.busts = np.array(list(offered.busts.values()))
        game = turn.game
        self.n = self.steps(game.target)
        self.opening, self.minimum = self.steps(game.opening), self.steps(game.minimum)
        said = {"step": self.step, "target": game.target}
        if self.exact and game.target % self.step:
            text = N_("exact: all points are multiples of {step}, so nobody can land on {target}")
            raise ValueError(_(text, **said))
        if self.n**2 > MOST_PAIRS:
            text = N_(
                "all points are multiples of {step}, which makes too many scores up to {target}"
            )
            raise ValueError(_(text, **said))

    def steps(self, points: int) -> int:
        """The least number of steps that make so many points."""
        return -(-points // self.step)

    def bank_from(self, scores: Array) -> Array:
        """The points from which one may bank; who has points has opened."""
        import numpy as np

        return np.where(scores == 0, max(self.opening, self.minimum), self.minimum)

    def rows(self, scores: Array, settled: Array) -> tuple[Array, Array, int]:
        """The row in which each turn begins, that from which on it is known, and that from which
        on all is the same. From `settled` points on a turn may be banked."""
        import numpy as np

        target = self.n + self.exact
        first = (scores - self.low) * self.adds_score
        known = np.maximum(settled * (not self.exact), target - scores)
        end = int((first + known).max())
        return first, np.full(len(scores), end) if self.adds_score else known, end

    def may_bank(
        self, scores: Array, first: Array, bank_from: Array, end: int
    ) -> tuple[Array, Array]:
        """The score after a bank, in rows for every turn, and whether it is allowed."""
        import numpy as np

        points = np.arange(end + 1)[:, None] - first
        made, may = scores + points, points >= np.maximum(bank_from, 1)
        if self.exact:
            may = (may & (made < self.n)) | ((points > 0) & (made == self.n))
        return made, may

    def sweep(self, first: Array, bank: Array, bust: Array, known: Array) -> Array:
        """The value at index row * dice + dice left - 1, for each turn.

        A turn begins in the row `first`; these ascend. `bank[row, dice left - 1]` is what a bank
        is worth to each turn, -inf where there is none, with one number for all where the dice
        left make no difference; from its last row on all is the same. From the row `known` on a
        turn is banked, or, where a row is the points alone, all is the same.
        """
        import numpy as np

        end, n = len(bank) - 1, len(first)
        found = np.empty(((end + 1) * self.dice + 1, n))
        rows = found[:-1].reshape(end + 1, self.dice, n)
        found[-1], rows[end] = self.win, bust if self.exact else bank[end]
        if self.must and not self.exact:
            rows[end, -1] = thrown_again(self.turn, bank[end, 0], bust, self.win)
        known = np.maximum.accumulate(known[::-1])[::-1]
        rows[known[-1] : end] = bank[known[-1] : end] if self.adds_score else rows[end]
        every = np.arange(end)
        begun = np.searchsorted(first, every, "right")
        active = np.minimum(begun, np.searchsorted(-known, -every, "left"))
        to, banked = self.leads_to(every, end), slice(self.dice - self.must)
        for row in active.nonzero()[0][::-1]:
            k = active[row]
            rows[row, :, :k] = self.thrown(found, to[row], bust[:k])
            may = rows[row, banked, :k]
            np.maximum(may, bank[row, banked, :k], out=may)
        return found

    def leads_to(self, rows: Array, end: int) -> Array:
        """By row and option, the index of what it leads to, the same for all from `end` on."""
        import numpy as np

        after = np.minimum(np.multiply.outer(rows, self._times) + self._plus, end)
        return np.where(self._left, after * self.dice + self._left - 1, (end + 1) * self.dice)

    def thrown(self, found: Array, to: Array, bust: Array) -> Array:
        """By the dice thrown, what a throw is worth, with the best announcement."""
        import numpy as np

        return np.maximum.reduceat(self.means(found, to, bust), self._first)

    def means(self, found: Array, to: Array, bust: Array) -> Array:
        """What each throw is worth, for as many turns as there are busts."""
        import numpy as np

        best = np.empty((self._weights.shape[1], len(bust)))
        best[: len(to)] = found[to, : len(bust)]
        best[len(to) :] = -np.inf
        for options in self._several:
            part = best[len(to) : len(to) + len(options)]
            np.maximum(part, best.take(options, 0), out=part)
        return self._weights @ best + np.outer(self.busts, bust)

    def start(self, found: Array, first: Array) -> Array:
        """What each turn is worth before its first throw."""
        import numpy as np

        return found[first * self.dice + self.dice - 1, np.arange(len(first))]
