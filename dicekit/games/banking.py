"""A turn of throw, set aside, stop or throw, as Farkle and its relatives have it.

One throws all the dice, sets aside some that score, and either banks the points of the turn or
throws the dice that are left. A throw in which nothing scores loses the turn's points: a bust.
When every die has been set aside, all may be thrown again: hot dice. What ends a game, and what
a bust costs, is each game's own and stands in its own file.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import gcd
from typing import Any, ClassVar

from dicekit.dice import check_count, check_throw
from dicekit.games.dealing import dealt
from dicekit.games.options import named, points, validate
from dicekit.games.scoring import Part, Table, without
from dicekit.games.states import Action, Bank, SetAside, State, Throw, dashed, put, wrong_number
from dicekit.words import N_, _


@dataclass(frozen=True, kw_only=True, repr=False)
class BankingRules(ABC):
    """What every such game has: a target, and what a turn must be worth to be banked."""

    name: ClassVar[str]
    all_dice: ClassVar[int]
    bust: ClassVar[str]
    all_aside: ClassVar[str]

    target: int = points(10_000, N_("Play to"), least=50)
    opening: int = points(0, N_("First bank of each player at least"))
    minimum: int = points(0, N_("Every bank at least"), step=1)

    def __post_init__(self) -> None:
        validate(self)
        for name in ("opening", "minimum"):
            if (value := getattr(self, name)) > self.target:
                said = {"option": name, "points": value, "target": self.target}
                raise ValueError(
                    _(
                        "{option} is {points}, above the target of {target}: "
                        "nobody could ever bank",
                        **said,
                    )
                )

    __repr__ = named

    @property
    def throws_all_again(self) -> bool:
        """Whether, once all dice are set aside, they must be thrown again."""
        return False

    @abstractmethod
    def table_for(self, thrown: int) -> Table:
        """The rows that count in a throw of so many dice."""

    @abstractmethod
    def after_three_misses(self, score: int) -> int | None:
        """What is left of a score after three turns in a row without points; None if no rule
        counts them."""

    @abstractmethod
    def start(self, *players: str) -> BankingState:
        """The first state of a game between these players."""

    def deal(self, /, *players: str, **facts: Any) -> Any:
        """Any moment of a game between these players. The facts are fields of the state; those not
        given are natural: no points, all dice, and a player with points has banked before.

        >>> from dicekit.games.farkle import Farkle
        >>> state = Farkle().deal("Ana", "Bia", player="Bia", points=200, throw=(1, 4))
        >>> state.player, state.dice, state.legal_actions()
        (1, 2, (SetAside(dice=(1,)),))

        Raises ValueError for a moment that cannot be.
        """
        return dealt(self.start(*players), facts)

    def least(self, aside: int) -> int:
        """Points that no turn in which so many dice have been set aside can be below."""
        rows, least = dict(self.table_for(self.all_dice)), [0]
        whole = rows.pop("nothing", None)
        for n in range(1, aside + 1):
            fit = [least[n - len(row)] + worth for row, worth in rows.items() if len(row) <= n]
            least.append(min(fit, default=0))
        return min(least[-1], whole) if whole and aside == self.all_dice else least[-1]

    def score(self, dice: Any, thrown: int | None = None) -> int | None:
        """The points for dice set aside from a throw of `thrown` dice (all the game's dice if
        not given): the best split into rows. None if a die among them does not score.

        Raises ValueError for faces that no die has, or more dice than were thrown.
        """
        parts = self.split(dice, thrown)
        return None if parts is None else sum(points for _, points in parts)

    def split(self, dice: Any, thrown: int | None = None) -> tuple[Part, ...] | None:
        """The best split behind `score`, as pairs of dice and points."""
        dice = check_throw(dice)
        thrown = self.all_dice if thrown is None else check_count(thrown)
        if not len(dice) <= thrown <= self.all_dice:
            many = {"n": len(dice), "thrown": thrown}
            raise ValueError(_("{n} dice cannot be set aside from a throw of {thrown}", **many))
        return self.table_for(thrown).split(dice, self.all_dice)

    def is_bust(self, throw: Any) -> bool:
        """Whether nothing in this throw scores."""
        throw = self._check(throw)
        return not self.table_for(len(throw)).fits(throw, self.all_dice)

    def is_win(self, throw: tuple[int, ...]) -> bool:
        """Whether this sorted throw wins the game at once."""
        return False

    def set_asides(self, throw: Any) -> tuple[tuple[int, ...], ...]:
        """Everything that may be set aside from a throw, the most points first."""
        return _set_asides(self, self._check(throw))

    def _check(self, throw: Any) -> tuple[int, ...]:
        throw = check_throw(throw)
        if len(throw) > self.all_dice:
            raise ValueError(wrong_number(self, len(throw)))
        return throw


@cache
def _set_asides(rules: BankingRules, throw: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    parts = {part for n in range(len(throw)) for part in combinations(throw, n + 1)}
    table = rules.table_for(len(throw))
    scored = {part: table.score(part, rules.all_dice) for part in parts}
    legal = [part for part, score in scored.items() if score is not None]
    return tuple(sorted(legal, key=lambda part: (-(scored[part] or 0), part)))


@dataclass(frozen=True)
class BankingState(State):
    """A moment in such a game.

    `points` is what the turn has collected, `throw` the dice on the table while some of them
    must be set aside, `opened` who has banked before, `misses` how many turns in a row each
    player has ended without points, `stage` one of "choose" (throw or bank), "rolling" (chance),
    "thrown" (set dice aside) and "over".
    """

    stages: ClassVar[tuple[str, ...]] = ("choose", "rolling", "thrown", "over")

    opened: tuple[bool, ...]
    misses: tuple[int, ...]
    points: int = 0
    throw: tuple[int, ...] = ()

    @classmethod
    def begin(cls, rules: BankingRules, names: tuple[str, ...], **more: Any) -> Any:
        """The first state of a game."""
        nobody, none = (False,) * len(names), (0,) * len(names)
        return cls.first(rules, names, "choose", opened=nobody, misses=none, **more)

    @property
    def returns(self) -> tuple[int, ...]:
        """1 for the winner and 0 for the others, so that a mean of it is a chance to win."""
        return tuple(int(index in self.winners) for index in range(len(self.players)))

    @property
    def turn_begins(self) -> bool:
        return self.stage == "choose" and not self.points

    @property
    def bank_from(self) -> int:
        """The points from which the player may bank."""
        opening = 0 if self.opened[self.player] else self.rules.opening
        return max(opening, self.rules.minimum)

    @property
    def can_bank(self) -> bool:
        """Whether the points of the turn may be banked."""
        return 0 < self.points >= self.bank_from

    def legal_actions(self) -> tuple[Action, ...]:
        if self.stage == "thrown":
            return tuple(SetAside(dice) for dice in self.rules.set_asides(self.throw))
        if self.stage == "choose":
            return (*self._throws(), Bank()) if self.can_bank else self._throws()
        return ()

    def _throws(self) -> tuple[Throw, ...]:
        return (Throw(),)

    def _why_not(self, action: Action) -> str:
        if self.stage == "thrown" and isinstance(action, SetAside):
            if not action.dice:
                return _("choose at least one die that scores")
            if without(self.throw, action.dice) is None:
                return _("the throw is {dice}", dice=dashed(self.throw))
            if self.rules.score(action.dice, len(self.throw)) is None:
                return _("each die set aside must score")
            return _("all dice that score must be set aside")
        if self.stage == "thrown":
            return _("first some scoring dice must be set aside")
        if isinstance(action, Bank) and self.stage == "choose":
            if not self.points:
                return _("nothing has been set aside yet in this turn; throw first")
            said = {"needed": self.bank_from, "points": self.points}
            if self.opened[self.player]:
                return _("a bank needs {needed} points, and the turn has {points}", **said)
            return _("the first bank needs {needed} points, and the turn has {points}", **said)
        return super()._why_not(action)

    def _act(self, action: Action) -> Any:
        if isinstance(action, Throw):
            return replace(self, stage="rolling")
        if isinstance(action, SetAside):
            points = self.collected(self.rules.score(action.dice, len(self.throw)))
            left = len(self.throw) - len(action.dice) or self.rules.all_dice
            return replace(self, stage="choose", points=points, throw=(), dice=left)
        return self._end_turn(self.points)

    def collected(self, gained: int) -> int:
        """The points of the turn once so many more have been set aside."""
        return self.points + gained

    def _thrown(self, throw: tuple[int, ...]) -> Any:
        if self.rules.is_bust(throw):
            return self._end_turn(0)
        return replace(self, stage="thrown", throw=throw)

    @abstractmethod
    def _end_turn(self, banked: int) -> Any:
        """The state after the turn ends with so many points banked, 0 for a bust."""

    def _settled(self, who: int, points: int) -> Any:
        """The state after a turn of player `who` has brought these points, 0 for none."""
        score = self.scores[who] + points
        misses = 0 if points else self.misses[who] + 1
        if misses == 3 and (left := self.rules.after_three_misses(score)) is not None:
            score, misses = left, 0
        return replace(
            self,
            scores=put(self.scores, who, score),
            misses=put(self.misses, who, misses),
            opened=put(self.opened, who, self.opened[who] or points > 0),
        )

    def _pass_on(self) -> Any:
        """The state in which the next player begins a turn."""
        dice = self.rules.all_dice
        return replace(self, player=self.following, stage="choose", points=0, throw=(), dice=dice)

    def _over(self) -> Any:
        return replace(self, stage="over", points=0, throw=())

    # Any moment

    def natural(self, given: dict[str, Any]) -> dict[str, Any]:
        throw, scores = given.get("throw", ()), given.get("scores", self.scores)
        return {
            "dice": len(throw) or self.rules.all_dice,
            "stage": "thrown" if throw else "choose",
            "opened": tuple(score > 0 for score in scores),
        }

    def impossible(self) -> Iterator[str]:
        yield from super().impossible()
        yield from self._impossible_scores()
        if self.is_terminal and (self.points or self.throw):
            yield _("when the game is over, no turn has points or dice on the table")
        if not 1 <= self.dice <= self.rules.all_dice:
            yield wrong_number(self.rules, self.dice)
        if not self.is_terminal:
            yield from self._impossible_turn()

    def _impossible_scores(self) -> Iterator[str]:
        rules, fine = self.rules, self.rules.after_three_misses(0)
        step = gcd(*rules.table_for(rules.all_dice).values(), fine or 0)
        for worth in (*self.scores, self.points):
            if worth % step:
                text = N_("{points} points cannot be: all points are multiples of {step}")
                yield _(text, points=worth, step=step)
        lost = fine is not None or getattr(rules, "no_equal_scores", False)
        first = 0 if lost else max(rules.opening, rules.minimum)
        each = zip(self.players, self.scores, self.opened, self.misses, strict=True)
        for name, score, opened, misses in each:
            if score < 0 and not fine:
                yield _("{name} cannot have less than 0 points", name=name)
            if 0 < score < first:
                text = N_("{name} cannot have {points} points: the first bank needs {needed}")
                yield _(text, name=name, points=score, needed=first)
            if score > 0 and not opened:
                yield _("{name} has points, and so has banked before", name=name)
            if misses < 0 or (fine is not None and misses > 2):
                text = N_("{name} cannot have had {n} turns without points in a row")
                yield _(text, name=name, n=misses)

    def _impossible_turn(self) -> Iterator[str]:
        rules, most = self.rules, self.rules.all_dice
        if (self.stage == "thrown") != bool(self.throw):
            yield _("dice are on the table when they have just been thrown, and only then")
        dice = dashed(self.throw)
        if self.throw and len(self.throw) != self.dice:
            yield _("the throw is {dice}, but {n} dice were due", dice=dice, n=self.dice)
        if self.throw and rules.is_win(self.throw):
            yield _("the throw {dice} wins the game at once", dice=dice)
        if self.throw and rules.is_bust(self.throw):
            yield _("nothing in the throw {dice} scores, so the turn is over", dice=dice)
        least = rules.least(most - self.dice or (most if self.points else 0))
        if self.points < least:
            yield _(
                "{points} points in the turn cannot be where {n} dice are left: {least} at least",
                **{"points": self.points, "n": self.dice, "least": least},
            )
