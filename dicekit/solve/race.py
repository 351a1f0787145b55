"""Two players who race to the target, and one alone: the best play of a whole game.

Let P(a, b) be the greatest chance to win of the one who is about to throw, with a points against
b. A bank of k leads to 1 - P(b, a + k), a larger total of points; a bust to 1 - P(b, a), the same
pair seen from the other side. So pairs are solved by falling total, two at a time, in
`dicekit.solve.race_solver`. With all P(a, b) a turn is soon looked through, in plain Python
(`dicekit.solve.one_turn`); those of the usual games travel with the package.

In Farkle's last round the other has one turn to bank more than the gap. The chance of that,
L(gap), depends on the gap alone, and a bank at or above the target is worth 1 - L(gap). This
rises with the gap, so one may throw on above the target. (A limit of 30,000 points above the
target is met only where dice hardly ever bust.) More points need not be better here: from the
target on any bank opens the last round.

Whoever has points has opened: only at 0 does a game's `opening` matter.

References: T. W. Neller and C. G. M. Presser, Optimal play of the dice game Pig, The UMAP
Journal 25 (2004); M. Busche and T. W. Neller, Optimal play of the Farkle dice game, Advances in
Computer Games (2017), where the first to bank the target wins.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import comb
from typing import Any

from dicekit.dice import FACES, FAIR, Die, whole
from dicekit.games.banking import BankingState
from dicekit.games.states import CHANCE, Action, Bank, Throw
from dicekit.solve.one_turn import FARTHEST, TurnWorth, turn_of
from dicekit.solve.race_solver import race_tables, turns_table
from dicekit.solve.shipped import shipped_tables
from dicekit.solve.turn import Turn
from dicekit.words import _

_SOLVED: dict[tuple[type, Turn], Any] = {}  # the latest few


def shipped(game: Any, die: Die = FAIR) -> bool:
    """Whether the best play of this game travels with the package, so that it is there at once."""
    return shipped_tables(game, die) is not None


class _BestPlay(ABC):
    """The best play of a game: a player, and the value of every action. All points are multiples
    of `step`."""

    def __init__(self, turn: Turn) -> None:
        self.game, self.die, self.step = turn.game, turn.die, turn.step
        self._start = turn.state

    def values(self, state: Any) -> dict[Action, float]:
        """What each legal action of the player who acts is worth, with the best play after it.

        Raises ValueError for a state of other rules, or in which no player acts.
        """
        if not isinstance(state, BankingState) or state.rules != self.game:
            raise ValueError(f"this is the best play of {self.game!r}, not of {state!r}")
        if state.is_terminal or state.current_player == CHANCE:
            raise ValueError("no player acts now: the dice are rolling, or the game is over")
        if getattr(state, "contenders", ()):
            return {Throw(): self._who_begins(state)}
        return self._turn(*self._scores(state)).values(state)

    def action(self, state: Any) -> Action:
        """The best action. Raises ValueError as for `values`."""
        worth = _BestPlay.values(self, state)
        return max(worth, key=worth.__getitem__)

    __call__ = action  # best play is a player

    @lru_cache(maxsize=512)  # noqa: B019
    def _turn(self, *scores: int) -> TurnWorth:
        return self._turn_at(*scores)

    @abstractmethod
    def _scores(self, state: Any) -> tuple[int, ...]:
        """What of the scores matters in a state."""

    @abstractmethod
    def _turn_at(self, *scores: int) -> TurnWorth:
        """The turn with these scores."""

    @abstractmethod
    def _who_begins(self, state: Any) -> float:
        """What a throw for who begins is worth."""

    def _check(self, score: Any) -> int:
        number = whole(score)
        if number is None or number % self.step or not 0 <= number < self.game.target:
            words = f"a multiple of {self.step} from 0 to below {self.game.target}"
            raise ValueError(f"a score is {words}, not {score!r}")
        return number

    def _may_bank(self, score: int, points: int) -> bool:
        return self._alone(score, points, 1).can_bank

    def _alone(self, score: int, points: int, dice: int) -> BankingState:
        """A turn of a lone player: who has points has opened."""
        own = replace(self._start, scores=(score,), opened=(score > 0,))
        return replace(own, points=points, dice=dice)


class Race(_BestPlay):
    """The best play of two players, as `best_race` finds it.

    As a player it is for `simulate`; `values(state)` are chances to win.
    """

    tables = "chances", "chased"

    def __init__(self, turn: Turn, chances: Sequence[float], chased: Sequence[float]) -> None:
        super().__init__(turn)
        self._chances, self._chased = chances, chased
        self._many = -(-self.game.target // self.step)

    @property
    def first(self) -> float:
        """The chance of the player who begins."""
        return self.chance()

    def chance(self, mine: int = 0, theirs: int = 0) -> float:
        """The chance to win of the one who is about to throw, with these scores.

        Raises ValueError for what are no scores in the game.
        """
        return self._chance(self._check(mine), self._check(theirs))

    def handicap(self) -> int:
        """The head start of the second player, in points, that comes nearest to a fair game.

        Who has a head start counts as having opened.
        """
        starts = range(0, self.game.target, self.step)
        return min(starts, key=lambda points: abs(self._chance(0, points) - 0.5))

    def passes(self, gap: int) -> float:
        """The chance to bank more than so many points in one turn, as a last round needs; 0 if
        the game has none.

        Raises ValueError if that is no number of points.
        """
        if whole(gap) is None or gap < 0:
            raise ValueError(f"a gap is a whole number of points, 0 or more, not {gap!r}")
        return float(self._chased[min(gap // self.step, len(self._chased) - 1)])

    def _chance(self, mine: int, theirs: int) -> float:
        return float(self._chances[mine // self.step * self._many + theirs // self.step])

    def _who_begins(self, state: Any) -> float:
        _check_two(state)
        chance = begins(state, self.die)[state.player]
        return chance * self.first + (1 - chance) * (1 - self.first)

    def _scores(self, state: Any) -> tuple[int, ...]:
        """Both scores, or only the gap in a last round."""
        _check_two(state)
        mine, theirs = state.scores[state.player], state.scores[state.following]
        if getattr(state, "opener", None) is not None:
            return (theirs - mine,)
        return self._check(mine), self._check(theirs)

    def _turn_at(self, *scores: int) -> TurnWorth:
        if len(scores) == 1:
            return self._chase(*scores)
        mine, theirs = scores
        target = self.game.target

        def bank(points: int) -> float | None:
            if not self._may_bank(mine, points):
                return None
            made = mine + points
            return 1 - (self._chance(theirs, made) if made < target else self.passes(made - theirs))

        bust = 1 - self._chance(theirs, mine)
        turn = turn_of(self.game, self.die, mine)
        return TurnWorth(turn, bank, bust, 1.0, enough=target + FARTHEST)

    def _chase(self, gap: int) -> TurnWorth:
        def bank(points: int) -> float | None:
            return float(points > gap) if points >= self.game.minimum else None

        turn = turn_of(self.game, self.die)
        return TurnWorth(turn, bank, 0.0, 1.0, enough=self.game.target + gap + FARTHEST)

    def __repr__(self) -> str:
        return f"race of two in {self.game!r}: who begins wins with chance {self.first:.4f}"


def begins(state: Any, die: Die) -> dict[int, float]:
    """The chance of each contender to throw the highest; a draw is thrown again."""
    chances, shown = [float(die.chance(face)) for face in FACES], state.shown
    waiting = len(state.contenders) - len(shown)
    found = {}
    for who, face in zip(state.contenders, shown, strict=False):
        found[who] = 0.0
        if face == max(shown):
            # t of those who wait throw the same, the others less
            below, same = sum(chances[: face - 1]), chances[face - 1]
            for t in range(waiting + 1):
                ways = comb(waiting, t) * same**t * below ** (waiting - t)
                found[who] += ways / (shown.count(face) + t)
    rest = 1 - sum(found.values())
    return found | dict.fromkeys(state.contenders[len(shown) :], rest / waiting)


def _check_two(state: Any) -> None:
    if len(state.players) != 2:
        raise ValueError(f"a race has two players, not {len(state.players)}")


def best_race(game: Any, die: Die = FAIR, *, progress: Any = None) -> Race:
    """The greatest chance to win for two players, and how to play for it.

    The usual games with a fair die are there at once (see `shipped`); others are solved, up to
    10,000 points in a minute where all points are multiples of 50. A bar shows what takes long;
    with `progress=False` there is none, and a function is told from 0 to 1 how much is done.

    >>> from dicekit.games.farkle import Farkle
    >>> race = best_race(Farkle())
    >>> round(race.first, 4), race.handicap()
    (0.5322, 300)

    Raises ValueError for a die with symbols, and for options under which more than the scores,
    the points and the dice matters: `farkle_penalty`, `three_zeros`, `no_equal_scores`,
    `no_repeat`, `steal`. For small targets `best_play` takes these as well.
    """
    turn = turn_of(game, die)
    _refuse(game, "farkle_penalty", "three_zeros", "no_equal_scores", "no_repeat", "steal")
    return _solved(Race, turn, race_tables, progress)


class LeastTurns(_BestPlay):
    """The fastest play of one player, as `least_turns` finds it.

    `mean` is the expected number of turns from the start; `values(state)` are those still to
    come, the present turn counted in. As a player it looks at nobody else's score.
    """

    tables = ("turns",)

    def __init__(self, turn: Turn, turns: Sequence[float]) -> None:
        super().__init__(turn)
        self._turns = turns

    @property
    def mean(self) -> float:
        """The expected number of turns from the start."""
        return float(self._turns[0])

    def bank(self, score: int, points: int, dice: int) -> bool:
        """Whether to bank so many points with so many dice left, rather than throw.

        Raises ValueError for a score, points or dice that no turn has.
        """
        self._check(score)
        most, given = self.game.all_dice, whole(points)
        known = given is not None and given >= 0 and not given % self.step
        if not known or whole(dice) not in range(1, most + 1):
            words = f"a turn has 0, {self.step}, {2 * self.step} … points and 1 to {most} dice"
            raise ValueError(f"{words}, not {points!r} and {dice!r}")
        return self.action(self._alone(score, points, dice)) == Bank()

    def values(self, state: Any) -> dict[Action, float]:
        """The mean number of turns from now on, for each legal action, with the best play after.

        Raises ValueError for a state of other rules, or in which no player acts.
        """
        return {action: 1 - worth for action, worth in super().values(state).items()}

    def _scores(self, state: Any) -> tuple[int, ...]:
        return (self._check(state.scores[state.player]),)

    def _who_begins(self, state: Any) -> float:
        return 1 - self.mean

    def _turn_at(self, *scores: int) -> TurnWorth:
        (score,) = scores
        last = len(self._turns) - 1

        def bank(points: int) -> float | None:
            if not self._may_bank(score, points):
                return None
            return -self._turns[min((score + points) // self.step, last)]

        turn = turn_of(self.game, self.die, score)
        return TurnWorth(turn, bank, -self._turns[score // self.step], 0.0)

    def __repr__(self) -> str:
        return f"least turns in {self.game!r}: {self.mean:.4f} on average"


def least_turns(
    game: Any, target: int | None = None, die: Die = FAIR, *, progress: Any = None
) -> LeastTurns:
    """The least expected number of turns in which a lone player reaches the target, and how.

    `target` replaces that of the game; `progress` is as for `best_race`.

    >>> from dicekit.games.farkle import Farkle
    >>> least_turns(Farkle(), target=1000)
    least turns in Farkle(target=1000): 2.4470 on average

    Raises ValueError for a die with symbols, and for options under which more than the score,
    the points and the dice matters: `farkle_penalty`, `three_zeros`, `no_repeat`.
    """
    turn = turn_of(game, die)
    if target is not None:
        turn = turn_of(replace(game, target=target), die)
    _refuse(game, "farkle_penalty", "three_zeros", "no_repeat")
    return _solved(LeastTurns, turn, turns_table, progress)


def _refuse(game: Any, *unfit: str) -> None:
    for option in unfit:
        if getattr(game, option, False):
            words = "scores, points and dice are not all that matters; leave it out, or take "
            words += "best_play(game) with a small target, or simulate(game, players)"
            raise ValueError(f"with {option} {words}")


def _solved(kind: Any, turn: Turn, solve: Callable[..., Any], progress: Any) -> Any:
    """The best play of that kind: asked before, shipped, or solved now."""
    if (kind, turn) not in _SOLVED:
        tables = shipped_tables(turn.game, turn.die)
        try:
            tables = tables or solve(turn, progress)
        except ImportError as problem:
            raise ValueError(
                _("only the usual rules can do without numpy, and it is not there")
            ) from problem
        while len(_SOLVED) >= 8:
            del _SOLVED[next(iter(_SOLVED))]
        _SOLVED[kind, turn] = kind(turn, *(tables[name] for name in kind.tables))
    return _SOLVED[kind, turn]
