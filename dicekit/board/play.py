"""What a board shows of a game: one interface, and a class for each kind of game.

A `Play` is made anew for every picture, from the record and from what is chosen but not yet
played. It holds no widgets; what it says in HTML has every name escaped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dicekit.board.pictures import count
from dicekit.games.options import options
from dicekit.games.states import CHANCE, Action, Event, Throw


@dataclass(frozen=True)
class Control:
    """A button: its name, its words, the events it stands for, and its look.

    The look is "first" (what one would do next), "plain" or "not-yet" (pressing it says why not).
    """

    name: str
    words: str
    events: tuple[Event, ...] = ()
    look: str = "plain"


@dataclass(frozen=True)
class Face:
    """A die as it is shown: its face, the words under it, and its looks."""

    face: int
    words: str
    looks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Play(ABC):
    """The picture of a record, with the dice that are chosen by their place in the throw, and
    the sum that is announced for the next throw."""

    record: Any
    chosen: frozenset[int] = frozenset()
    typed: bool = False
    guess: int | None = None
    computer: bool = False

    held_word = "aside"
    points_word = "points of the turn"

    @property
    def state(self) -> Any:
        return self.record.state

    @property
    def rules(self) -> Any:
        return self.record.rules

    @property
    def name(self) -> str:
        """The name of the player whose turn it is."""
        return self.state.players[self.state.player]

    @property
    def must_choose(self) -> bool:
        """Whether a person must now say what becomes of the dice on the table."""
        return self.state.stage == "thrown" and not self.computer

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice that are chosen."""
        return tuple(self.state.throw[place] for place in sorted(self.chosen))

    @property
    def last_throw(self) -> tuple[int, ...]:
        """The last dice thrown, as they lay."""
        thrown = (event for event in reversed(self.record.events) if not isinstance(event, Action))
        return next(thrown, ())

    @property
    def last_dice(self) -> tuple[int, ...]:
        """The dice that lay on the table last."""
        return tuple(sorted(self.last_throw))

    def first_choice(self) -> frozenset[int]:
        """Where the dice lie that are chosen before anybody chooses."""
        return frozenset()

    @property
    def throw_number(self) -> int:
        """Which throw of the turn is on the table, or comes next."""
        thrown = sum(not isinstance(event, Action) for _, event, _ in self.record.turns()[-1])
        return thrown + (self.state.stage != "thrown")

    @property
    def awaits_typing(self) -> bool:
        """Whether the next thing to come is a throw that must be typed."""
        state = self.state
        if not self.typed or state.is_terminal or self.must_choose:
            return False
        may_throw = not self.computer and Throw() in state.legal_actions()
        return state.current_player == CHANCE or may_throw

    @property
    def forced(self) -> bool:
        """Whether the rules leave no choice of dice."""
        return getattr(self.rules, "keep", "any") == "all"

    def announces(self) -> bool:
        """Whether a sum may be announced for the throw that one would make now."""
        return False

    def faces(self) -> tuple[Face, ...]:
        """The dice on the table; between throws the last ones, pale."""
        if self.state.stage == "thrown":
            return tuple(self._face(place, face) for place, face in enumerate(self.state.throw))
        if self.state.stage == "rolling":
            return ()
        return tuple(Face(face, str(face), ("dk-dead",)) for face in self.last_dice)

    def _face(self, place: int, face: int) -> Face:
        """A die that has just been thrown."""
        dead = ("dk-dead",) * self.is_dead(face)
        if place in self.chosen:
            return Face(face, f"{face} {self.held_word}", ("dk-aside", *dead))
        return Face(face, str(face), dead)

    def is_dead(self, face: int) -> bool:
        """Whether a die on the table is of no use."""
        return False

    @property
    def usual(self) -> tuple[str, Any]:
        """The name of the game, and the rules by which it is usually played."""
        return self.rules.name, type(self.rules)()

    def house_rules(self) -> str:
        """The options that are not as usual, in words."""
        rules, (_, usual) = self.rules, self.usual
        said = [
            f"{option.label.lower()}: {option.says(getattr(rules, name))}"
            for name, option in options(rules).items()
            if name != "target" and getattr(rules, name) != getattr(usual, name)
        ]
        return f"House rules: {'; '.join(said)}." if said else ""

    @abstractmethod
    def title(self) -> str:
        """The game, and what it is played to."""

    @abstractmethod
    def moment(self) -> str:
        """Where the game stands."""

    @abstractmethod
    def scores(self) -> str:
        """The scoreboard, as HTML."""

    def label(self) -> str:
        """What the dice are, and what to do with them."""
        if self.state.stage == "thrown":
            return self.thrown_label()
        if self.awaits_typing:
            dice = "the die" if self.state.dice == 1 else f"{self.state.dice} dice"
            return f"Throw {dice} on the table, and type what you see"
        return "Last throw" if self.last_throw and self.state.stage != "rolling" else ""

    @abstractmethod
    def thrown_label(self) -> str:
        """What the dice are that have just been thrown, and what to do with them."""

    @abstractmethod
    def tray(self) -> str:
        """What the turn has collected, as HTML."""

    def choice(self) -> tuple[str, str]:
        """What is to be said of the dice chosen: a fact and a remark."""
        return "", self.prompt()

    @abstractmethod
    def prompt(self) -> str:
        """What is to be done next."""

    @abstractmethod
    def odds(self) -> str:
        """The exact odds of the next throw, as HTML."""

    def controls(self) -> tuple[Control, ...]:
        """The buttons."""
        if self.state.is_terminal:
            return (Control("new game", "New game", look="first"),)
        if self.computer and not self.awaits_typing:
            return (Control("throw", f"Let {self.name} play", look="first"),)
        if self.state.current_player == CHANCE and not self.typed:
            words = f"Throw {count(self.state.dice, 'die', 'dice')}"
            return (Control("throw", words, look="first"),)
        return self.choices()

    @abstractmethod
    def choices(self) -> tuple[Control, ...]:
        """The buttons where a person decides, or a throw must be typed."""

    def rows(self) -> tuple[Control, ...]:
        """The buttons of a score sheet."""
        return ()

    @abstractmethod
    def history(self) -> list[tuple[str, str, str]]:
        """The finished turns, the newest first: player, dice, result."""

    @abstractmethod
    def announce(self, before: Any, event: Event, after: Any) -> str:
        """What an event has brought about, or nothing worth saying."""

    def ending(self) -> str:
        """Who has won."""
        state = self.state
        winners = listed(state.players[who] for who in state.winners)
        verb = "win" if len(state.winners) > 1 else "wins"
        return f"{winners} {verb} with {state.scores[state.winners[0]]:,} points."


def places_of(dice: Iterable[int], throw: tuple[int, ...]) -> frozenset[int]:
    """Where these dice lie in a throw.

    >>> sorted(places_of((5, 5), (1, 5, 5, 5)))
    [1, 2]
    """
    wanted = Counter(dice)
    return frozenset(k for k, face in enumerate(throw) if throw[:k].count(face) < wanted[face])


def listed(words: Any) -> str:
    """Words in a row.

    >>> listed(["1", "5", "5"])
    '1, 5 and 5'
    """
    *most, last = map(str, words)
    return f"{', '.join(most)} and {last}" if most else last
