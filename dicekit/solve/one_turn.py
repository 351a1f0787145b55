"""One turn in plain Python: what every decision is worth, if its ends are worth this.

A turn ends in a bank, a bust or a win at once. Points only grow, so one walk from many points
down to none finds the value of every (points, dice): the better of banking and throwing, where a
throw is the mean, over all that the dice can offer, of the best offer (backward induction). The
walk begins where no bank can be bettered: a bank worth at least `q * bust + (1 - q) * most` is
certain, where q is the smallest chance of a bust and nothing is worth more than `most`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from dicekit.dice import Die, face_weights
from dicekit.games.states import Action, Bank, Decline
from dicekit.solve.turn import Option, Turn
from dicekit.words import _

FARTHEST = 30_000  # points from which on one banks, whatever the rules
MORE_IS_WORSE = "last_round", "no_equal_scores", "no_repeat"  # with these options it can be


class _EveryOption(Turn):
    """A turn in which fewer points for the same dice can be the better choice."""

    room = 10**9


def turn_of(game: Any, die: Die, score: int = 0) -> Turn:
    """The turn of a player with this score who may bank, with all its options.

    More points need not be better before a last round, which any bank from the target on opens,
    nor where a bank can be forbidden, or met by an equal score.
    Raises ValueError for a die with symbols.
    """
    if not _looks_at_score(game):
        score = 0
    turn = Turn.of(game, die, True, score)
    if die.is_symbolic:
        raise ValueError(_("the best play of a game needs a die with numbers"))
    more_is_worse = any(getattr(game, option, False) for option in MORE_IS_WORSE)
    return every_option(turn) if more_is_worse and turn.room is None else turn


def _looks_at_score(game: Any) -> bool:
    return getattr(game, "exact", False) or getattr(game, "prediction", None) == "total"


@lru_cache(maxsize=64)
def every_option(turn: Turn) -> Turn:
    """The same turn, with fewer points for the same dice as a choice too."""
    return _EveryOption(turn.state, turn.die)


class Choices(NamedTuple):
    """What the throws of a turn offer.

    Choices are numbered: first the `options`, each alone, then those between `several`, told by
    the numbers of the options, the largest first. `throws` tells by dice and announcement the
    chance of each choice, `busts` that of none.
    """

    options: list[Option]
    several: list[tuple[int, ...]]
    throws: dict[tuple[int, int | None], dict[int, float]]
    busts: dict[tuple[int, int | None], float]


@lru_cache(maxsize=64)
def choices(turn: Turn) -> Choices:
    """What the throws of a turn offer, found once."""
    lotteries = {
        (dice, guess): lottery
        for dice in turn.sizes
        for guess, lottery in turn.lotteries[dice].items()
    }
    kinds = {kind for lottery in lotteries.values() for kind in lottery}
    alone = sorted({(option,) for kind in kinds for option in kind})
    several = sorted(kinds - {*alone}, key=lambda kind: (-len(kind), kind))
    places = {kind: place for place, kind in enumerate([*alone, *several])}
    base = face_weights(turn.die).total
    throws = {
        throw: {places[kind]: float(weight / base ** throw[0]) for kind, weight in lottery.items()}
        for throw, lottery in lotteries.items()
    }
    busts = {throw: 1 - sum(chances.values()) for throw, chances in throws.items()}
    numbers = [tuple(places[option,] for option in kind) for kind in several]
    return Choices([option for (option,) in alone], numbers, throws, busts)


def thrown_again(turn: Turn, bank: Any, bust: Any, win: float) -> Any:
    """A full hand that must be thrown again, with so many points that any other is banked.

    Raises ValueError if the turn would never end.
    """
    dice = turn.game.all_dice
    again = won = 0.0
    for kind, weight in turn.lotteries[dice][None].items():
        chance = float(weight / face_weights(turn.die).total ** dice)
        again += chance * all(option.dice == dice for option in kind)
        won += chance * (kind[0].dice == 0)
    if again > 1 - 1e-12:
        raise ValueError(_("no throw is ever lost under these rules: a turn need never end"))
    lost = choices(turn).busts[dice, None]
    return ((1 - again - won - lost) * bank + won * win + lost * bust) / (1 - again)


class TurnWorth:
    """What every decision of a turn is worth.

    `bank(points)` is what a bank is worth, None where it is not allowed; `bust` and `win` are
    the worth of a bust and of a throw that wins, `most` that of the best end (`win` if not
    given). From `enough` points on one banks. The bank must be worth the more the more points
    where the rules double them.

    >>> from dicekit.dice import FAIR
    >>> from dicekit.games.farkle import Farkle
    >>> turn = turn_of(Farkle(), FAIR)
    >>> thousand = TurnWorth(turn, lambda points: float(points >= 1000), bust=0.0, win=1.0)
    >>> round(thousand.worth(0, dice=6), 4)  # the chance of 1,000 points in a turn
    0.3476
    """

    def __init__(
        self,
        turn: Turn,
        bank: Callable[[int], float | None],
        bust: float,
        win: float,
        most: float | None = None,
        enough: int = FARTHEST,
    ) -> None:
        self.turn, self.bank, self.bust, self.win = turn, bank, bust, win
        self._choices, self._step, self._all = choices(turn), turn.step, turn.game.all_dice
        self._several = [itemgetter(*kind) for kind in self._choices.several]
        self._exact = getattr(turn.game, "exact", False)
        self._must = turn.game.throws_all_again
        self._plus = [option.plus // self._step for option in self._choices.options]
        self._rows: dict[int, list[float]] = {}  # by steps of points: a value by dice - 1
        end = self._end(win if most is None else most, enough)
        for row in reversed(range(end)):
            self._rows[row] = self._solved(row)

    def values(self, state: Any) -> dict[Action, float]:
        """What each legal action in a state of this turn is worth, with the best play after."""
        found = {action: self._after(state, action) for action in state.legal_actions()}
        return {action: worth for action, worth in found.items() if worth is not None}

    def _after(self, state: Any, action: Action) -> float | None:
        if isinstance(action, Bank):
            return self.bank(state.points)
        if isinstance(action, Decline):
            return self.worth(0, self._all)
        after = state.child(action)
        if after.stage == "rolling" or getattr(after, "taking", False):
            return self.throw(after.points, after.dice, getattr(after, "guess", None))
        return self.worth(after.points, after.dice) if after.points else self.bust

    def worth(self, points: int, dice: int) -> float:
        """What the turn is worth with so many points, before the choice to bank or throw."""
        return self._row(points // self._step)[dice - 1]

    def throw(self, points: int, dice: int, guess: int | None = None) -> float:
        """What a throw of so many dice is worth, with a sum announced or none."""
        return self._mean((dice, guess), self._best(points // self._step))

    def _end(self, most: float, enough: int) -> int:
        """The row from which on every bank is certain, or every turn lost."""
        if self._exact:
            return (self.turn.room or 0) // self._step + 1
        risk = 0.0 if self._must else min(self._choices.busts.values())
        certain = most - risk * (most - self.bust)
        row = run = 0
        while run <= max(self._plus) and row * self._step < enough:
            worth = self.bank(row * self._step)
            run = 0 if worth is None or worth < certain else run + 1
            row += 1
        return row - run

    def _row(self, row: int) -> list[float]:
        if row not in self._rows:
            self._rows[row] = self._beyond(row)
        return self._rows[row]

    def _beyond(self, row: int) -> list[float]:
        if self._exact:
            return [self.bust] * self._all
        bank = self.bank(row * self._step)
        worth = self.bust if bank is None else bank
        full = thrown_again(self.turn, worth, self.bust, self.win) if self._must else worth
        return [worth] * (self._all - 1) + [full]

    def _solved(self, row: int) -> list[float]:
        best = self._best(row)
        found = [-float("inf")] * self._all
        for throw in self._choices.throws:
            found[throw[0] - 1] = max(found[throw[0] - 1], self._mean(throw, best))
        bank = self.bank(row * self._step)
        if bank is not None:
            may = self._all - self._must
            found[:may] = [max(bank, thrown) for thrown in found[:may]]
        return found

    def _best(self, row: int) -> list[float]:
        """The best of each choice, with so many steps of points."""
        best = [
            self._row(times * row + plus)[dice - 1] if dice else self.win
            for (times, _, dice), plus in zip(self._choices.options, self._plus, strict=True)
        ]
        return best + [max(these(best)) for these in self._several]

    def _mean(self, throw: tuple[int, int | None], best: list[float]) -> float:
        chances = self._choices.throws[throw]
        mean = sum([chance * best[place] for place, chance in chances.items()])
        return mean + self._choices.busts[throw] * self.bust
