"""The vocabulary of every game: a state, whose turn it is, what can be done, what comes of it.

Names are those of OpenSpiel, but nothing changes in place: `state.child(event)` is a new state.
An *event* is an action of a player or, where `current_player` is CHANCE, a throw (a tuple of
faces). Board, solver and simulation, and real dice on a table, all feed events in by this door.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from operator import index
from typing import Any, ClassVar

from dicekit.dice import check_throw, whole
from dicekit.probability import Distribution, throws
from dicekit.words import N_, _

CHANCE = -1
TERMINAL = -4


def dashed(dice: Iterable[int]) -> str:
    """Dice in words.

    >>> dashed((1, 5, 5))
    '1-5-5'
    """
    return "-".join(map(str, dice))


def put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """The values with one of them replaced.

    >>> put((450, 500), 0, 500)
    (500, 500)
    """
    return (*values[:index], value, *values[index + 1 :])


@dataclass(frozen=True)
class Action:
    """Something that a player does. Actions are values: equal, hashable, readable.

    >>> print(TakeOver())
    take over
    """

    said: ClassVar[str] = ""

    def __str__(self) -> str:
        return _(self.said)


@dataclass(frozen=True)
class _WithDice(Action):
    dice: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", check_throw(self.dice))

    nothing: ClassVar[str] = ""

    def __str__(self) -> str:
        return _(self.said, dice=dashed(self.dice)) if self.dice else _(self.nothing)


@dataclass(frozen=True)
class SetAside(_WithDice):
    """Take these dice out of the throw, for their points.

    >>> print(SetAside((5, 1)))
    set aside 1-5
    """

    said = N_("set aside {dice}")
    nothing = N_("set aside nothing")


@dataclass(frozen=True)
class Throw(Action):
    """Throw the dice that are left; `predict` announces the sum of two.

    >>> print(Throw(predict=7))
    throw and announce 7
    """

    predict: int | None = None

    def __post_init__(self) -> None:
        if self.predict is None:
            return
        if whole(self.predict) is None:
            raise ValueError(f"a sum of two dice is a whole number, not {self.predict!r}")
        object.__setattr__(self, "predict", whole(self.predict))

    def __repr__(self) -> str:
        return "Throw()" if self.predict is None else f"Throw(predict={self.predict!r})"

    def __str__(self) -> str:
        if self.predict is None:
            return _("throw")
        return _("throw and announce {sum}", sum=self.predict)


@dataclass(frozen=True)
class Bank(Action):
    """Stop, and write the points of the turn down."""

    said = N_("bank")


@dataclass(frozen=True)
class TakeOver(Action):
    """Take over the turn that the player before has banked: throw the dice left on top of it."""

    said = N_("take over")


@dataclass(frozen=True)
class Decline(Action):
    """Let the bank of the player before stand."""

    said = N_("decline")


@dataclass(frozen=True)
class Hold(_WithDice):
    """Hold these dice and throw the others again.

    >>> print(Hold((2, 2))), print(Hold(()))
    hold 2-2
    hold nothing
    (None, None)
    """

    said = N_("hold {dice}")
    nothing = N_("hold nothing")


@dataclass(frozen=True)
class Write(Action):
    """Write the points of the dice into this row of the score sheet."""

    row: str

    def __str__(self) -> str:
        return _("write {row}", row=_(self.row))


@dataclass(frozen=True)
class Pass(Action):
    """Write nothing in this round."""

    said = N_("pass")


ACTIONS: dict[str, type[Action]] = {
    kind.__name__: kind for kind in (SetAside, Throw, Bank, TakeOver, Decline, Hold, Write, Pass)
}
Event = Action | tuple[int, ...]


def check_order(dice: Any) -> tuple[int, ...]:
    """A throw with its dice in the order in which they were thrown or typed."""
    thrown = list(dice) if isinstance(dice, Iterable) and not isinstance(dice, Set) else dice
    check_throw(thrown)
    return tuple(map(index, thrown))


def check_names(names: tuple[Any, ...]) -> tuple[str, ...]:
    """The players' names, stripped. Raises ValueError if one is empty or there twice."""
    if not names:
        raise ValueError(_("a game needs at least one player"))
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise ValueError(_("a player needs a name, not {name}", name=repr(name)))
        try:
            name.encode()
        except UnicodeEncodeError:
            strange = _("the name {name} holds a sign that cannot be written", name=repr(name))
            raise ValueError(strange) from None
    names = tuple(name.strip() for name in names)
    for name in names:
        if names.count(name) > 1:
            twice = N_("two players are called {name}; each needs a name of their own")
            raise ValueError(_(twice, name=repr(name)))
    return names


def wrong_number(rules: Any, given: int) -> str:
    """What is to be said of so many dice in a game that has others."""
    said = {"game": _(rules.name), "n": rules.all_dice, "given": given}
    return _("{game} is played with {n} dice, not {given}", **said)


@dataclass(frozen=True)
class State(ABC):
    """A moment in a game, with everything that matters for what comes next.

    `rules` are the rules, `players` the names, `scores` what each has banked, `player` the
    index of the one whose turn it is, `dice` the number of dice to throw next, `stage` the part
    of the turn, "rolling" (chance) and "over" in every game.
    """

    stages: ClassVar[tuple[str, ...]]

    rules: Any
    players: tuple[str, ...]
    scores: tuple[int, ...]
    player: int
    dice: int
    stage: str

    @classmethod
    def first(cls, rules: Any, names: tuple[str, ...], stage: str, **more: Any) -> Any:
        """The state in which the first player is about to throw."""
        names = check_names(names)
        start = {"scores": (0,) * len(names), "player": 0, "dice": rules.all_dice}
        return cls(rules=rules, players=names, stage=stage, **start, **more)

    @property
    def current_player(self) -> int:
        """The index of the player who must act, or CHANCE, or TERMINAL."""
        return {"rolling": CHANCE, "over": TERMINAL}.get(self.stage, self.player)

    @property
    def following(self) -> int:
        """The index of the player whose turn comes next."""
        return (self.player + 1) % len(self.players)

    @abstractmethod
    def legal_actions(self) -> tuple[Action, ...]:
        """What the current player may do; empty for CHANCE and TERMINAL."""

    @property
    @abstractmethod
    def winners(self) -> tuple[int, ...]:
        """The indices of those who have won; empty until the game is over."""

    @property
    @abstractmethod
    def returns(self) -> tuple[Any, ...]:
        """What the game was worth to each player; 0 until it is over."""

    @abstractmethod
    def _act(self, action: Any) -> State:
        """The state after a legal action."""

    @abstractmethod
    def _thrown(self, throw: tuple[int, ...]) -> State:
        """The state after a throw of the right number of dice."""

    @property
    @abstractmethod
    def turn_begins(self) -> bool:
        """Whether a player is about to begin a turn."""

    def natural(self, given: dict[str, Any]) -> dict[str, Any]:
        """The facts of a later moment that follow from those given, unless they are given too."""
        return {}

    def impossible(self) -> Iterator[str]:
        """What of this moment cannot be, in words; nothing of a moment that can."""
        if self.stage not in self.stages:
            said = {"stage": self.stage[:40], "stages": ", ".join(self.stages)}
            yield _("the stage cannot be {stage}; it is one of {stages}", **said)
        if not 0 <= self.player < len(self.players):
            yield _("player {n} is none of those who play", n=self.player)

    @property
    def is_terminal(self) -> bool:
        return self.current_player == TERMINAL

    def chance_outcomes(self) -> Distribution:
        """The exact distribution of the throw that is due.

        Raises ValueError if none is.
        """
        if self.current_player != CHANCE:
            raise ValueError("no throw is due now")
        return throws(self.dice)

    def child(self, event: Event) -> Any:
        """The state after an action of the current player or, at CHANCE, after a throw.

        Raises ValueError, and says why, if the event cannot happen now.
        """
        if self.is_terminal:
            raise ValueError(_("the game is over"))
        if self.current_player == CHANCE:
            if isinstance(event, Action):
                rolling = _("the dice are rolling: a throw is due, not “{action}”", action=event)
                raise ValueError(rolling)
            return self._thrown(check_throw(event, self.dice))
        name = self.players[self.player]
        if not isinstance(event, Action):
            written = repr(self.legal_actions()[0])
            if isinstance(event, str | type):
                raise ValueError(f"{event!r} is no action; write one such as {written}")
            raise ValueError(f"no throw is due: {name} must act first, with {written} or the like")
        if event not in self.legal_actions():
            why = self._why_not(event)
            if event == SetAside(()):
                raise ValueError(why)
            said = {"name": name, "action": event, "why": why}
            # = the action is an infinitive, such as "set aside 1-5"
            raise ValueError(_("{name} cannot {action}: {why}", **said))
        return self._act(event)

    def _why_not(self, action: Action) -> str:
        return _("allowed now: {actions}", actions=", ".join(map(str, self.legal_actions())))
