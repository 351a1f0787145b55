"""What a board shows of a game: one interface, and a class for each kind of game.

A `Play` is made anew for every picture, from the record and from what is chosen but not yet
played. It holds no widgets; what it says in HTML has every name escaped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from unicodedata import bidirectional

from dicekit.board.setup import GAMES, turn_words
from dicekit.games.options import options
from dicekit.games.states import CHANCE, Action, Event, Hold, SetAside, Throw, dashed
from dicekit.words import N_, _, apart, listed, ngettext, percent

SHORT = 30
Chances = list[tuple[str, Fraction]]
# Signs that turn the direction of what follows; and those that nothing may be cut after.
_TURNS = {"R", "AL", "AN", "RLE", "RLO", "LRE", "LRO", "PDF"}
_UNFINISHED = " \u200d\ufe0f"


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

    chosen_word = N_("{face} aside")
    points_word = N_("points of the turn")

    @property
    def state(self) -> Any:
        return self.record.state

    @property
    def rules(self) -> Any:
        return self.record.rules

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, as they stand in a sentence."""
        return tuple(map(isolated, self.state.players))

    @property
    def name(self) -> str:
        """The name of the player whose turn it is, as it stands in a sentence."""
        return self.names[self.state.player]

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
        return max(1, thrown + (self.state.stage != "thrown"))  # a throw may have been dealt

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
            return Face(face, _(self.chosen_word, face=face), ("dk-aside", *dead))
        return Face(face, str(face), dead)

    def is_dead(self, face: int) -> bool:
        """Whether a die on the table is of no use."""
        return False

    def rules_words(self) -> list[str]:
        """How the game is played, with every option."""
        rules = self.rules
        said = [
            _("{option}: {value}", option=_(option.label), value=option.says(getattr(rules, name)))
            for name, option in options(rules).items()
        ]
        return [*turn_words(rules), f"{apart(said)}."]

    def house_rules(self) -> str:
        """The options that are not as usual, in words."""
        rules, (_name, near) = self.rules, usual(self.rules)
        said = [
            _("{option}: {value}", option=_(option.label).lower(), value=option.says(chosen))
            for name, option in options(rules).items()
            if name != "target" and (chosen := getattr(rules, name)) != getattr(near, name)
        ]
        return _("House rules: {rules}.", rules=apart(said)) if said else ""

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
            return ngettext(
                "Throw {n} die on the table, and type what you see",
                "Throw {n} dice on the table, and type what you see",
                self.state.dice,
            )
        if getattr(self.state, "points", 0) and not self.last_throw:  # a position was dealt
            return ngettext("{n} die to throw.", "{n} dice to throw.", self.state.dice)
        return _("Last throw") if self.last_throw and self.state.stage != "rolling" else ""

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
    def chances(self) -> tuple[str, Chances]:
        """What one may throw now, or why no chance is known, in words; and what can come of it,
        each with its exact chance."""

    @abstractmethod
    def odds(self) -> str:
        """The exact odds of the next throw, as HTML."""

    def controls(self) -> tuple[Control, ...]:
        """The buttons."""
        if self.state.is_terminal:
            return (Control("new game", _("New game"), look="first"),)
        if self.computer and not self.awaits_typing:
            name = isolated(self.state.players[self.state.player], SHORT)
            return (Control("throw", _("Let {name} play", name=name), look="first"),)
        if self.state.current_player == CHANCE and not self.typed:
            return (Control("throw", throw_words(self.state.dice), look="first"),)
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

    def last_words(self) -> str:
        """What led to this moment."""
        for before, event, after in list(self.record.steps())[-1:]:
            name = self.names[before.player]
            return self.announce(before, event, after) or dice_words(name, event)
        return ""

    def ending(self) -> str:
        """Who has won."""
        winners, scores = self.state.winners, self.state.scores
        return ngettext(
            "{names} wins with {points} points.",
            "{names} win with {points} points.",
            len(winners),
            names=listed(self.names[who] for who in winners),
            points=scores[winners[0]],
        )

    # In words alone

    def describe(self, odds: bool = True, buttons: bool = True) -> str:
        """The whole position in plain sentences, one in a line; with the chances, and with what
        may be pressed, unless these are not to be told."""
        over = self.state.is_terminal
        moment = f"{self.moment()}.".replace("?.", "?")
        said = [f"{self.title()}.", self.ending() if over else moment]
        said += [self.standing(), *(() if over else self._moment_words())]
        said += [self._odds_words()] if odds and not over else []
        said += self._button_words() if buttons else []
        return "\n".join(filter(None, said))

    def _moment_words(self) -> list[str]:
        """What lies on the table, what has been collected, what is to be done."""
        state, said = self.state, self.collected()
        if state.stage == "thrown":
            said.insert(0, _("On the table: {dice}.", dice=listed(state.throw)))
        else:
            said.append(ngettext("{n} die to throw.", "{n} dice to throw.", state.dice))
        if self.must_choose and self.chosen:
            said += [_("Chosen: {dice}.", dice=listed(self.dice)), *self.choice()]
        else:
            said.append(self.prompt())
        return [*said, f"{self.label()}."] if self.awaits_typing else said

    def _odds_words(self) -> str:
        thrown, chances = self.chances()
        said = [
            _("{what} {chance} ({percent})", what=what, chance=chance, percent=percent(chance))
            for what, chance in chances
        ]
        if said:
            return _("{throw}: {chances}.", throw=thrown, chances=", ".join(said))
        return thrown

    def _button_words(self) -> list[str]:
        ready = [control.words for control in self.controls() if control.look != "not-yet"]
        waits = [control.words for control in self.controls() if control.look == "not-yet"]
        rows = [control.words for control in self.rows()]
        said = [_("Buttons: {buttons}.", buttons=apart(ready))] if ready else []
        said += [_("Rows to write: {rows}.", rows=apart(rows))] if rows else []
        return said + ([_("Not yet: {buttons}.", buttons=apart(waits))] if waits else [])

    def standing(self) -> str:
        """The scores in a sentence."""
        pairs = zip(self.names, self.state.scores, strict=True)
        said = [_("{name} {score}", name=name, score=score) for name, score in pairs]
        return _("Scores: {scores}.", scores=apart(said))

    @abstractmethod
    def collected(self) -> list[str]:
        """What has been put away or written, in sentences."""


def usual(rules: Any) -> tuple[str, Any]:
    """The game on offer that is most nearly played by these rules, with its name.

    >>> from dicekit.games.five_thousand import FiveThousand
    >>> usual(FiveThousand(opening=0, minimum=0, target=3000))[0]
    '5000 for beginners'
    """

    def unlike(known: tuple[str, Any]) -> tuple[bool, int]:
        other = known[1]
        differ = [getattr(rules, name) != getattr(other, name) for name in options(rules)]
        return getattr(rules, "sheet", None) != getattr(other, "sheet", None), sum(differ)

    return min((game for game in GAMES.items() if type(game[1]) is type(rules)), key=unlike)


def throw_words(n: int) -> str:
    """A button that throws so many dice."""
    return ngettext("Throw {n} die", "Throw {n} dice", n)


def dice_words(name: str, event: Event | None) -> str:
    """What a player has done with dice, in a sentence; nothing for other events."""
    if isinstance(event, SetAside):
        return _("{name} sets aside {dice}.", name=name, dice=dashed(event.dice))
    if isinstance(event, Hold) and event.dice:
        return _("{name} holds {dice}.", name=name, dice=dashed(event.dice))
    return _("{name} holds nothing.", name=name) if isinstance(event, Hold) else ""


def isolated(name: str, most: int = 0) -> str:
    r"""A name as it stands in a sentence; with `most`, cut to about so many characters.

    One that may be read from right to left is kept apart, so that the sentence around it stays.

    >>> isolated("Ana"), isolated("Wolfeschlegelsteinhausen", 12)
    ('Ana', 'Wolfeschleg…')
    >>> isolated("דנה")
    '\u2068דנה\u2069'
    """
    name = "".join(sign for sign in name if not "\u2066" <= sign <= "\u2069")
    if most and len(name) > most:
        name = f"{name[: most - 1].rstrip(_UNFINISHED)}…"
    turns = any(bidirectional(sign) in _TURNS for sign in name)
    return f"\u2068{name}\u2069" if turns else name


def places_of(dice: Iterable[int], throw: tuple[int, ...]) -> frozenset[int]:
    """Where these dice lie in a throw.

    >>> sorted(places_of((5, 5), (1, 5, 5, 5)))
    [1, 2]
    """
    wanted = Counter(dice)
    return frozenset(k for k, face in enumerate(throw) if throw[:k].count(face) < wanted[face])
