"""The best play of a score sheet: what to hold and where to write, for the highest mean total.

Nobody can touch another's sheet, so one player's sheet is a Markov decision process of its own,
solved by backward induction (Bellman, Dynamic Programming, 1957; for Yahtzee: Verhoeff, Optimal
Solitaire Yahtzee Strategies, 1999; Woodward, Yahtzee: the solution, Chance 16, 2003).

Between two rounds a sheet is worth the mean of what is still to come. For that matters which
rows are open, and of the subtotal only how far it is from the bonus: all that can no longer fail
is one, and so is all that can no longer get there. Where the school must be full first, few such
standings are left. `dicekit.solve.rounds` tells how a round is walked.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cached_property, lru_cache
from importlib.util import find_spec
from itertools import combinations
from typing import Any

from dicekit.dice import FACES
from dicekit.games.dice_poker import DicePoker, DicePokerState
from dicekit.games.sheet import Row
from dicekit.games.states import Action, Hold, Throw, Write
from dicekit.probability import Distribution, as_sympy
from dicekit.solve.rounds import MORE, ORDERS, PLACE, ManyRounds, Numbers, Rounds, Throws
from dicekit.solve.shipped import fill_worth
from dicekit.solve.standings import DICE, HANDS, SETS, Standings

HOLDS = [  # what may be held of each throw, in the order of `legal_actions`
    [(k, PLACE[x]) for k in reversed(range(DICE)) for x in sorted({*combinations(hand, k)})]
    for hand in HANDS
]

Plan = dict[tuple[Row | None, int, tuple[int, int]], int]  # row, points and standing: how often
_SOLVED: dict[tuple[DicePoker, bool], BestSheet] = {}  # the latest few


class BestSheet:
    """The best play of a score sheet, from `best_sheet`: a player, and the value of every
    decision."""

    def __init__(self, game: DicePoker, exact: bool, progress: Any = None) -> None:
        self.game, self.exact = game, exact
        self._at = Standings(game)
        self._rounds = Rounds(self._at, Numbers(exact))
        self._round = lru_cache(maxsize=64)(lambda i, j: list(self._rounds.walk(i, j)))
        self._find_worth(progress)

    def _find_worth(self, progress: Any) -> None:
        """What every standing is worth: shipped, or solved."""
        if not self.exact and fill_worth(self.game, self._rounds.worth):
            return
        if self.exact or (self._at.ordered and find_spec("numpy") is None):
            self._rounds.solve(progress)
        else:
            many = ManyRounds(self._at)
            many.solve(progress)
            self._rounds.worth = [memoryview(row) for row in many.worth]

    @property
    def value(self) -> Any:
        """The mean of the final score: a float, or a sympy Rational with `exact`."""
        i, j = self._at.start
        return self._number(self._rounds.worth[i][j], self._at.rounds(i, j))

    def values(self, state: Any) -> dict[Action, Any]:
        """For each legal action, the mean of the points that the player who acts still gets in
        the rest of the game, with the action and the best play after it.

        >>> state = DicePoker().start("Ana").child(Throw()).child((6, 6, 6, 2, 1))
        >>> values = best_sheet(DicePoker()).values(state)
        >>> round(values[Hold((6, 6, 6))] - values[Write("6")], 2)
        13.57

        Raises ValueError if it is no state of this game in which a player acts.
        """
        values, rounds, throws = self._values(state)
        return {action: self._number(value, rounds, throws) for action, value in values.items()}

    def action(self, state: Any) -> Action:
        """The best action, the first in the order of `legal_actions` among equals.

        Raises ValueError as `values` does.
        """
        values, *_ = self._values(state)
        return max(values, key=values.__getitem__)

    __call__ = action

    def distribution(self) -> Distribution:
        """The distribution of the final score under the best play; of actions with equal values
        the first in the order of `legal_actions` is taken.

        The chances are exact for the actions taken; without `exact` these are the best up to
        the rounding of floats. Raises ValueError for sheets like Yatzy's, of which more than the
        score would have to be kept for a million standings.
        """
        return self._final[0]

    @property
    def bonus(self) -> Any:
        """The chance of the bonus for the school under the play of `distribution`, as there: a
        sympy Rational."""
        return self._final[1]

    @property
    def rows(self) -> dict[str, Any]:
        """The mean points that each row brings under the play of `distribution`, as there: sympy
        Rationals. With the bonus they sum to `value`."""
        return dict(self._final[2])

    def __repr__(self) -> str:
        return f"best play of {self.game!r}: {float(self.value):.4f} on average"

    def _number(self, value: Any, rounds: int, throws: int = 0) -> Any:
        unit = self._rounds.unit(rounds, throws)
        return as_sympy(Fraction(value, unit)) if self.exact else float(value)

    def _values(self, state: Any) -> tuple[dict[Action, Any], int, int]:
        """Values by action, and the rounds and throws that make their unit."""
        if not isinstance(state, DicePokerState) or state.rules != self.game:
            raise ValueError(
                f"this is the best play of {self.game!r}; the state is of another game"
            )
        actions = state.legal_actions()
        if not actions:
            raise ValueError("no player acts now: the dice are rolling, or the game is over")
        i, j = self._at.of(state)
        rounds = self._at.rounds(i, j)
        if state.turn_begins:
            paid = self._at.bonus(j) * self._rounds.unit(rounds)
            return {Throw(): self._rounds.worth[i][j] - paid}, rounds, 0
        left, rounds = state.throws_left, rounds - 1
        paid = self._at.bonus(j) * self._rounds.unit(rounds, left)
        can = self._round(i, j)[left]
        values = {action: self._after(can, left, state.throw, action) - paid for action in actions}
        return values, rounds, left

    def _after(self, can: Throws, left: int, throw: tuple[int, ...], action: Any) -> Any:
        if isinstance(action, Hold):
            return can.held[len(action.dice)][PLACE[action.dice]]
        row = self._at.rows.index(self.game.row(action.row) if isinstance(action, Write) else None)
        entries = self._at.entries(row, *self._rounds.flags(left))
        return can.written[row][entries.which[PLACE[throw]]]

    @cached_property
    def _final(self) -> tuple[Distribution, Any, dict[str, Any]]:
        """Forwards from the empty sheet. The chances of all scores of a standing are one whole
        number, a digit for each (Kronecker): to gain points is a shift."""
        at, throws = self._at, self._rounds.throws
        if len(at.second) * len(at.school) > 10**5 and not at.ordered:
            raise ValueError(
                "on this sheet the distribution would take hours; "
                "simulate(game, [best_sheet(game)]) gives a sample"
            )
        rounds = at.rounds(*at.start)
        total = len(FACES) ** (DICE * throws * rounds)
        size = total.bit_length() // 8 + 1
        reached: dict[tuple[int, int], int] = {at.start: 1}
        means = dict.fromkeys((row.name for row in at.rows if row), Fraction(0))
        low = 0
        for number in range(rounds):
            after: dict[tuple[int, int], int] = defaultdict(int)
            plans = {standing: self._plan(*standing) for standing in reached}
            least = min(points for plan in plans.values() for _, points, _ in plan)
            ways = len(FACES) ** (DICE * throws * (number + 1))
            for standing, digits in reached.items():
                met = digits % ((1 << 8 * size) - 1)  # the sum of the digits
                for (row, points, to), weight in plans[standing].items():
                    after[to] += (digits * weight) << (8 * size * (points - least))
                    if row:
                        means[row.name] += Fraction(met * weight * points, ways)
            reached, low = after, low + least
        found: dict[int, int] = defaultdict(int)
        won = 0
        for (_, school), number in reached.items():
            count = number.bit_length() // (8 * size) + 1
            text = number.to_bytes(count * size, "little")
            weights = [
                int.from_bytes(text[n * size : (n + 1) * size], "little") for n in range(count)
            ]
            for n, weight in enumerate(weights):
                found[n + low + at.bonus(school)] += weight
            if at.school[school][1] >= self.game.bonus_from:
                won += sum(weights)
        ordered = {score: found[score] for score in sorted(found)}
        rows = {name: as_sympy(mean) for name, mean in means.items()}
        return Distribution.of(ordered, total), as_sympy(Fraction(won, total)), rows

    def _plan(self, second: int, school: int) -> Plan:
        """How often a round does what and leads where, under the best play."""
        thrown = ORDERS
        found: Plan = defaultdict(int)
        for left, throws in reversed(list(enumerate(self._round(second, school)))):
            written = [
                (self._at.rows[n], self._at.entries(n, *self._rounds.flags(left)), values)
                for n, values in throws.written.items()
            ]
            held = [[0] * len(sets) for sets in SETS]
            for hand, (weight, best) in enumerate(zip(thrown, throws.best, strict=True)):
                if not weight:  # the dice held so far never lead here
                    continue
                for row, entries, values in written:
                    n = entries.which[hand]
                    if values[n] == best:
                        to, there = entries.moves[entries.via[n]]
                        after = row, entries.points[n], (to[second], there[school])
                        found[after] += weight * len(FACES) ** (DICE * left)
                        break
                else:
                    for size, place in HOLDS[hand]:
                        if throws.held[size][place] == best:
                            held[size][place] += weight * len(FACES) ** size
                            break
            for size in range(DICE):
                for place, weight in enumerate(held[size]):
                    for n in MORE[size][place] if weight else ():
                        held[size + 1][n] += weight
            thrown = held[DICE]
        return found


def best_sheet(rules: Any = None, exact: bool = False, *, progress: Any = None) -> BestSheet:
    """The best play of a score sheet, dice poker's own if no other rules are given.

    With `exact` all values are exact, and dice poker takes seconds; without, they are floats.
    Sheets like Yatzy's take ten seconds or more; `progress` is as for `best_race`. A sheet without
    a school has earned its bonus.

    >>> best_sheet()
    best play of DicePoker(): 164.9110 on average
    >>> plain = best_sheet(DicePoker(first_throw_doubles=False))
    >>> round(best_sheet().value - plain.value, 2)  # what the doubling is worth
    18.44

    Raises ValueError for what is no score sheet, and for a school that needs combinations where
    dashes come at the end: a throw could leave nothing to do.
    """
    rules = DicePoker() if rules is None else rules
    if not isinstance(rules, DicePoker):
        raise ValueError(f"a score sheet is DicePoker() or DicePoker.yatzy(), not {rules!r}")
    key = rules, bool(exact)
    if key not in _SOLVED:
        found = BestSheet(*key, progress)
        while len(_SOLVED) >= 8:
            del _SOLVED[next(iter(_SOLVED))]
        _SOLVED[key] = found
    return _SOLVED[key]
