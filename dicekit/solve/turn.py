"""One turn of Farkle or 5000, and what a rule for stopping makes of it.

Within a turn only two things matter, the points collected so far and the number of dice left.
Setting dice aside takes the points to `times * points + plus`, where `times` is 1 but for a
right announcement in 5000. The score so far, the other players and the end of the game are left
out; only the options `exact` and `prediction="total"` look at the score, which is why it can be
given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from inspect import signature
from math import gcd
from numbers import Real
from typing import Any, NamedTuple, Protocol

from dicekit.dice import FAIR, Die, check_die, face_weights, weights, whole
from dicekit.games.banking import BankingRules, BankingState
from dicekit.games.states import Throw
from dicekit.probability import Distribution
from dicekit.solve.throw import WIN, Beyond, check_rules

MORE = Beyond("more")


class Option(NamedTuple):
    """What setting dice aside leads to; `dice` is 0 where the throw has won the game."""

    times: int
    plus: int
    dice: int

    def after(self, points: int) -> int:
        """The points of the turn, from those before."""
        return self.times * points + self.plus


WON = Option(0, 0, 0)
Lottery = dict[tuple[Option, ...], Any]


@dataclass(frozen=True)
class Turn:
    """A turn in numbers: what may be done, and what each throw can lead to."""

    state: BankingState
    die: Die

    @classmethod
    def of(cls, game: Any, die: Die, opened: bool, score: int) -> Turn:
        """The turn of a player with this score, who has opened or not.

        Raises ValueError if one of them is none.
        """
        check_rules(game, BankingRules)
        if whole(score) is None or not 0 <= score < game.target:
            kind = f"a whole number from 0 to below {game.target}"
            raise ValueError(f"the score is {kind}, not {score!r}")
        if not isinstance(opened, bool):
            raise ValueError(f"opened is True or False, not {opened!r}")
        return _turn(game, check_die(die), opened, int(score))

    @property
    def game(self) -> Any:
        return self.state.rules

    @cached_property
    def room(self) -> int | None:
        """The points that must not be passed, or None."""
        exact = getattr(self.game, "exact", False)
        return self.game.target - self.state.scores[0] if exact else None

    @cached_property
    def step(self) -> int:
        """What all points of a turn are multiples of."""
        lotteries = (kind for dice in self.sizes for kind in self.lotteries[dice].values())
        options = (option for kind in lotteries for offered in kind for option in offered)
        return gcd(*(option.plus for option in options)) or 1

    @cached_property
    def sizes(self) -> range:
        """The numbers of dice that can be thrown."""
        return range(1, self.game.all_dice + 1)

    def can_bank(self, points: int, dice: int) -> bool:
        """Whether so many points may be banked with so many dice left."""
        inside = self.room is None or points <= self.room
        return inside and replace(self.state, points=points, dice=dice).can_bank

    @cached_property
    def lotteries(self) -> dict[int, dict[int | None, Lottery]]:
        """By the number of dice, and by what is announced (None for nothing): the weight of each
        choice between options that a throw can offer. What is missing to all is the bust."""
        return {dice: self._lotteries(dice) for dice in self.sizes}

    def _lotteries(self, dice: int) -> dict[int | None, Lottery]:
        found: dict[int | None, Lottery] = {}
        throws = weights(dice, self.die).weights
        for action in replace(self.state, points=1, dice=dice).legal_actions():
            if isinstance(action, Throw):
                lottery: Lottery = defaultdict(int)
                for throw, weight in throws.items():
                    if options := self.options(throw, right=sum(throw) == action.predict):
                        lottery[tuple(sorted(options))] += weight
                found[action.predict] = dict(lottery)
        return found

    def options(self, throw: tuple[int, ...], right: bool = False) -> dict[Option, tuple[int, ...]]:
        """What a throw offers, and the dice to set aside for it; nothing for a bust. Fewer points
        for the same dice left are of use only where a target can be missed."""
        if self.game.is_win(throw):
            return {WON: throw}
        state: Any = replace(self.state, dice=len(throw))
        if right:
            state = replace(state, right=True)
        found: dict[Option, tuple[int, ...]] = {}
        best: dict[int, int] = {}
        for aside in self.game.set_asides(throw):
            gained = self.game.score(aside, len(throw))
            left = len(throw) - len(aside) or self.game.all_dice
            if gained > best.get(left, 0) or self.room is not None:
                best[left] = gained
                plus = replace(state, points=0).collected(gained)
                times = replace(state, points=1).collected(gained) - plus
                found[Option(times, plus, left)] = aside
        return found


@lru_cache(maxsize=256)
def _turn(game: BankingRules, die: Die, opened: bool, score: int) -> Turn:
    return Turn(replace(game.start("one"), opened=(opened,), scores=(score,)), die)


class Rule(Protocol):
    """A way to play a turn."""

    @property
    def farthest(self) -> int:
        """The points from which on it always does the same."""

    def bank(self, points: int, dice: int) -> bool:
        """Whether to stop, where one may."""

    def announces(self, points: int, dice: int) -> int | None:
        """The sum to announce before a throw, or None."""

    def picks(self, options: tuple[Option, ...], points: int) -> Option:
        """Which option to take of those that a throw offers."""


@dataclass(frozen=True)
class StopsWhen:
    """Sets aside the most points, and among equals the most dice, and banks when `test` says so."""

    test: Callable[[int, int], Any]
    all_dice: int
    farthest: int = 0

    def bank(self, points: int, dice: int) -> bool:
        answer = self.test(points, dice)
        if isinstance(answer, Real):
            return bool(answer)
        if isinstance(answer, str) or str(answer) not in ("True", "False"):
            raise ValueError(f"a rule answers True or False, such as points >= 300, not {answer!r}")
        return str(answer) == "True"  # numpy and sympy have their own

    def announces(self, points: int, dice: int) -> int | None:
        return None

    def picks(self, options: tuple[Option, ...], points: int) -> Option:
        return max(options, key=lambda option: (option.plus, -(option.dice % self.all_dice)))


def turn_result(
    game: Any,
    rule: Any,
    die: Die = FAIR,
    opened: bool = True,
    score: int = 0,
    most: int | None = None,
) -> Distribution:
    """The exact distribution of what a turn brings under a rule: 0 for a bust.

    `rule` is the number of points from which one banks, or a function of the points of the turn
    and the dice left that says when to bank (300 or with two dice left: `lambda points, dice:
    points >= 300 or dice == 2`), or a `best_turn`. Where the game does not let one bank, the
    turn goes on. A number or a function sets aside the most points, and among equals the most
    dice, and announces nothing. `opened` tells whether the player has banked before, so that
    the game's `opening` is behind. In 5000 the throw that wins the game is an outcome of its
    own, "win", which counts as more than any points.

    From `most` points on (30,000, or what the rule asks for) every rule banks, or a turn could
    last for ever. If a full hand must be thrown again, a turn that is still on then is the
    outcome "more".

    >>> from dicekit.games.farkle import Farkle
    >>> turn_result(Farkle(), 50)[0]
    5/216

    Raises ValueError for a rule that is none or is not of this game.
    """
    turn = Turn.of(game, die, opened, score)
    played = rule_of(rule, game)
    if most is None:
        most = max(30_000, played.farthest)
    elif whole(most) is None:
        raise ValueError(f"most is a number of points, not {most!r}")
    return _played(turn, played, most)


def rule_of(rule: Any, game: Any) -> Rule:
    """The rule that is meant, as for `turn_result`. Raises ValueError for none of this game."""
    if hasattr(rule, "picks") and not isinstance(rule, type):
        if getattr(rule, "game", game) != game:
            raise ValueError(f"this best turn is one of {rule.game!r}, not of {game!r}")
        return rule
    at = whole(getattr(rule, "points", rule))  # a player that banks at so many points is a rule too
    if at is not None and at >= 0:
        return StopsWhen(partial(_has, at), game.all_dice, at)
    if not callable(rule) or isinstance(rule, type):
        known = "A number of points such as 300, or a function of points and dice"
        raise ValueError(f"bank when? {known}, not {rule!r}")
    if not takes(rule, 300, 2):
        raise ValueError("a rule takes two things: def my_rule(points, dice)")
    return StopsWhen(rule, game.all_dice)


def _has(at: int, points: int, dice: int) -> bool:
    return points >= at


def takes(function: Callable[..., Any], *things: Any) -> bool:
    """Whether a function can be called with these."""
    try:
        signature(function).bind(*things)
    except TypeError:
        return False
    return True


class Scaled(NamedTuple):
    """A number as amount / base ** depth, base being the common denominator of one die."""

    amount: Any
    depth: int

    def to(self, depth: int, base: Any) -> Any:
        """The amount at a greater depth."""
        return self.amount * base ** (depth - self.depth)

    def plus(self, other: Scaled, base: Any) -> Scaled:
        """The sum of both."""
        depth = max(self.depth, other.depth)
        return Scaled(self.to(depth, base) + other.to(depth, base), depth)


def _played(turn: Turn, rule: Rule, most: int) -> Distribution:
    base, domain = face_weights(turn.die)[1:]
    found: dict[Any, Scaled] = {}
    waiting: dict[int, dict[int, Scaled]] = {0: {turn.game.all_dice: Scaled(base**0, 0)}}

    def add(to: dict[Any, Scaled], key: Any, mass: Scaled) -> None:
        to[key] = to[key].plus(mass, base) if key in to else mass

    while waiting:
        points = min(waiting)
        for dice, mass in waiting.pop(points).items():
            may = turn.can_bank(points, dice)
            if may and (points >= most or rule.bank(points, dice)):
                add(found, points, mass)
            elif points >= most:
                add(found, MORE, mass)
            else:
                lost = base**dice
                for option, weight in _taken(turn, rule, points, dice).items():
                    after = option.after(points)
                    if option.dice and turn.room is not None and after > turn.room:
                        continue
                    lost -= weight
                    gone = Scaled(mass.amount * weight, mass.depth + dice)
                    if option.dice:
                        add(waiting.setdefault(after, {}), option.dice, gone)
                    else:
                        add(found, WIN, gone)
                if lost:
                    add(found, 0, Scaled(mass.amount * lost, mass.depth + dice))
    deepest = max(mass.depth for mass in found.values())
    results = {result: found[result].to(deepest, base) for result in sorted(found)}
    return Distribution.of(results, base**deepest, domain)


def _taken(turn: Turn, rule: Rule, points: int, dice: int) -> dict[Option, Any]:
    """The weight of each option that the rule takes after a throw."""
    lottery = turn.lotteries[dice][rule.announces(points, dice)]
    taken: dict[Option, Any] = defaultdict(int)
    for options, weight in lottery.items():
        taken[rule.picks(options, points)] += weight
    return taken
