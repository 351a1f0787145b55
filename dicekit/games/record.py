"""A game as it is written down: its rules, its players, and every event in order.

A record is a text file of JSON lines. The first line names the rules, the players and the seed;
each further line is one event, written before anything is shown, so that a killed kernel loses
nothing. To resume is to read the lines and play them again. An undo is a line of its own.

    {"dicekit": 1, "game": "Farkle", "options": {"opening": 500}, "players": ["A", "B"], ...}
    {"action": "Throw"}
    {"throw": [1, 5, 3, 3, 4, 2]}
    {"action": "SetAside", "dice": [1, 5]}
    {"undo": 1}
"""

from __future__ import annotations

import json
import os
import secrets
import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, TypeGuard

from dicekit.dice import FACES, whole
from dicekit.games.options import changed
from dicekit.games.positions import GAMES, facts_of, rules_of
from dicekit.games.scoring import without
from dicekit.games.sheet import Sheet
from dicekit.games.states import ACTIONS, CHANCE, Action, Event, check_order, dashed
from dicekit.words import N_, _

VERSION = 2  # 1 where a game begins at its beginning
SUFFIX = ".jsonl"
Step = tuple[Any, Event, Any]


class RecordError(ValueError):
    """A record that cannot be read, or kept; the message names the file, and the line."""


class ChangedElsewhere(RecordError):
    """A record that somebody else has written to since it was read."""


class Record:
    """A game in play, and its file if `path` is given.

    >>> from dicekit import CHANCE, Farkle, Throw
    >>> record = Record(Farkle(), ["A", "B"], seed=1)
    >>> record.add(Throw()).current_player == CHANCE
    True
    >>> record.roll().throw
    (2, 2, 3, 5, 5, 6)

    `state` is the present moment, `states` all moments from the start, `events` what led from
    each to the next, `notes` a dict that the file keeps for whoever shows the game, `title` what
    the players call it. The `seed` makes the throws of `roll` reproducible. The game begins at
    the moment `start`, such as `rules.deal` gives one, if there is one.

    Raises ValueError for players without distinct names, for a `start` of another game, and if
    the file exists already.
    """

    def __init__(
        self,
        rules: Any,
        players: Collection[str],
        *,
        seed: int | None = None,
        path: str | os.PathLike[str] | None = None,
        notes: dict[str, Any] | None = None,
        start: Any = None,
    ) -> None:
        if type(rules) not in GAMES.values():
            raise ValueError(f"{rules!r} are no rules; write Farkle(), for example")
        if isinstance(players, str) or not isinstance(players, Sequence):
            raise ValueError(f"players are a list of names, not {players!r}")
        self.rules = rules
        first = rules.start(*players)
        start = first if start is None else start
        same = isinstance(start, type(first)) and start.players == first.players
        if not same or start.rules != rules:
            raise ValueError(_("a game begins at a moment of its own, not of another game"))
        self._position = {} if start == first else facts_of(start)
        self.states = [start]
        self.events: list[Event] = []
        self.seed = secrets.randbelow(2**32) if seed is None else _check_seed(seed)
        self.notes = dict(notes or {})
        self.started = self.title = ""
        self.path: Path | None = None
        self.trouble = ""
        self._made = Counter[int]()  # how many throws each player has made
        self._undone: dict[tuple[int, int], tuple[int, ...]] = {}
        self._lines: list[bytes] = []  # of the file, after the first
        self._size, self._whole = 0, True  # of the file, and whether its last line has an end
        if path is not None:
            self.keep_in(path)

    @property
    def state(self) -> Any:
        """The present moment of the game."""
        return self.states[-1]

    @property
    def players(self) -> tuple[str, ...]:
        return self.state.players

    def steps(self) -> Iterator[Step]:
        """Every event that stands, with the state before and the state after it."""
        return zip(self.states, self.events, self.states[1:], strict=False)

    def turns(self) -> list[list[Step]]:
        """The steps of the game turn by turn; the last turn is the one now in play."""
        turns: list[list[Step]] = [[]]
        for step in self.steps():
            turns[-1].append(step)
            before, after = step[0], step[2]
            if (after.turn_begins and not before.turn_begins) or after.is_terminal:
                turns.append([])
        return turns

    def until(self, count: int) -> Record:
        """A copy of the game as it was after so many events, which has no file.

        >>> from dicekit import Farkle, Throw
        >>> record = Record(Farkle(), ["A", "B"], seed=1)
        >>> state = record.add(Throw())
        >>> record.until(0).state.turn_begins, record.until(1).state == state
        (True, True)

        Raises ValueError if it has not had so many.
        """
        if whole(count) is None or not 0 <= count <= len(self.events):
            raise ValueError(f"there are 0 to {len(self.events)} events, not {count!r}")
        past = copy(self)
        past.states, past.events = self.states[: count + 1], self.events[:count]
        past._made = Counter(step[0].player for step in past.steps() if is_throw(step[1]))
        past._lines = [line_of(event_to_json(event)) for event in past.events]
        past._undone, past.path, past.notes = {}, None, dict(self.notes)
        return past

    # Playing

    def add(self, event: Event) -> Any:
        """Write an event down and return the state that it leads to.

        Raises ValueError, with nothing written or changed, if it cannot happen now; after an
        undo the dice that had been thrown must come again.
        """
        if not isinstance(event, Action):
            event = check_order(event)
        after = self._after(event)
        self._write(event_to_json(event))
        self._take(event, after)
        return self.state

    def roll(self) -> Any:
        """Throw the dice that are due, and return the state that they lead to.

        Each throw of a player has dice of its own, which the seed alone decides. So an undone
        throw comes again, also if fewer or more dice are thrown.
        """
        return self.add(self.dice_due())

    def thrown_before(self) -> tuple[int, ...]:
        """The dice, of those thrown next, that an undone throw has already shown."""
        return self._undone.get(self._place(), ())[: self.state.dice]

    def decision(self, people: Collection[int] | None = None) -> int:
        """How many events back the last decision of one of these players lies; 0 if none does.

        A decision is what a player does between two throws where there was a choice. `people`
        are indices of players, all of them if not given.
        """
        back = 0
        runs = groupby(
            reversed(list(self.steps())),
            key=lambda step: (isinstance(step[1], Action), step[0].player),
        )
        for (acts, who), steps in runs:
            states = [step[0] for step in steps]
            back += len(states)
            asked = acts and (people is None or who in people)
            if asked and any(len(state.legal_actions()) > 1 for state in states):
                return back
        return 0

    def undo(self, people: Collection[int] | None = None) -> Any:
        """Go back to the last decision of one of these players; the same dice come again.

        Raises ValueError if there is none.
        """
        return self._go_back("undo", self.decision(people), _("there is nothing to undo yet"))

    def retype(self) -> Any:
        """Take the last throw back because it was typed wrongly, and forget it.

        Raises ValueError if nothing has been thrown.
        """
        count = next((n for n, e in enumerate(reversed(self.events), 1) if is_throw(e)), 0)
        return self._go_back("retype", count, _("nothing has been thrown yet"))

    def _go_back(self, how: str, count: int, nothing: str) -> Any:
        if not count:
            raise ValueError(nothing)
        self._write({how: count})
        self._take_back(how, count)
        return self.state

    def _after(self, event: Event) -> Any:
        after = self.state.child(event)
        if is_throw(event):
            seen = self.thrown_before()
            if without(event, seen) is None:
                text = N_(
                    "the same dice come again after an undo: {dice}; "
                    "if they were typed wrongly, take the throw back and type it again"
                )
                raise ValueError(_(text, dice=dashed(seen)))
        return after

    def _take(self, event: Event, after: Any) -> None:
        self._made[self.state.player] += is_throw(event)
        self.events.append(event)
        self.states.append(after)

    def _take_back(self, how: str, count: int) -> None:
        while count:
            count -= 1
            event = self.events.pop()
            self.states.pop()
            if is_throw(event):
                self._made[self.state.player] -= 1
                place = self._place()
                seen = self._undone.pop(place, ())
                if how == "undo":  # dice that were seen first come first
                    self._undone[place] = (*seen, *(without(event, seen) or ()))

    def _place(self) -> tuple[int, int]:
        """Which throw is due: the player, and how many throws that player has made."""
        return self.state.player, self._made[self.state.player]

    def dice_due(self) -> tuple[int, ...]:
        """The dice that `roll` throws. Raises ValueError if no throw is due."""
        if self.state.current_player != CHANCE:
            raise ValueError(_("no throw is due now"))
        player, made = self._place()
        chance = Random(f"{self.seed}/{player}/{made}")
        dice = tuple(chance.choice(FACES) for _ in range(self.state.dice))
        seen = self.thrown_before()
        return seen + dice[len(seen) :]

    # The file

    def text(self) -> str:
        """The whole record as text: what its file holds, or would hold."""
        return self._content().decode()

    def _content(self) -> bytes:
        self.started = self.started or datetime.now().isoformat(timespec="seconds")
        header = {
            "dicekit": VERSION if self._position else 1,
            "game": type(self.rules).__name__,
            "options": changed(self.rules),
            "players": self.players,
            "seed": self.seed,
            "started": self.started,
            "notes": self.notes,
            **({"position": self._position} if self._position else {}),
            **({"title": self.title} if self.title else {}),
        }
        return b"".join([line_of(header), *self._lines])

    def rename(self, title: str) -> None:
        """Give the game a title of at most 200 characters. Raises ValueError for what is none."""
        before, self.title = self.title, _check_title(title)
        try:
            self._write()
        except ValueError:
            self.title = before
            raise

    def keep_in(self, path: str | os.PathLike[str]) -> None:
        """Write the game so far, and all that comes of it, into this new file.

        Raises ValueError if the file exists already.
        """
        path = Path(path).absolute()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                path.open("xb").close()  # the name is taken, whoever else begins at this moment
            except FileExistsError:
                text = N_("{file} exists already; use Record.load to go on with it")
                raise RecordError(_(text, file=path.name)) from None
            self._write_all(path, self._content())
        except OSError as error:
            self._give_up(error)
            with suppress(OSError):
                if not path.stat().st_size:
                    path.unlink()

    def _write(self, entry: dict[str, Any] | None = None) -> None:
        """Add a line to the file; the whole record if there is none to add, or no file."""
        line = line_of(entry) if entry else b""
        if self.path is not None:
            try:
                self._save(self.path, line)
            except OSError as error:
                self._give_up(error)
        self._lines += [line] if line else []

    def _save(self, path: Path, line: bytes) -> None:
        if os.path.lexists(path):
            with open(path, "r+b") as file:
                if file.seek(0, os.SEEK_END) != self._size:
                    text = N_(
                        "{file} was changed elsewhere, perhaps on another board; "
                        "resume it there, or here once more"
                    )
                    raise ChangedElsewhere(_(text, file=path.name))
                if line and self._whole:
                    file.write(line)
                    self._size += len(line)
                    return
        self._write_all(path, self._content() + line)

    def _write_all(self, path: Path, content: bytes) -> None:
        put(path, content)
        self.path, self._size, self._whole = path, len(content), True

    def _give_up(self, error: OSError) -> None:
        self.trouble = _("This game is not being saved: {why}", why=error.strerror or error)
        self.path = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """Read a record back, ready to be played on.

        A last line that a crash cut short is dropped with a warning. Raises RecordError, which
        names the line, for any other damage and for a file that is no record; the file is never
        changed by reading it.
        """
        path = Path(path).absolute()
        content = path.read_bytes()
        record = cls.from_text(content, path.name)
        record.path, record._size, record._whole = path, len(content), content.endswith(b"\n")
        return record

    @classmethod
    def from_text(cls, content: str | bytes, name: str = "game") -> Record:
        """The record that a text holds; `keep_in` gives it a file.

        >>> from dicekit import Farkle
        >>> record = Record(Farkle(), ["A", "B"], seed=1)
        >>> Record.from_text(record.text()).players
        ('A', 'B')

        Raises RecordError, as `load` does, with `name` for the name of a file.
        """
        content = content.encode(errors="replace") if isinstance(content, str) else content
        *lines, tail = content.split(b"\n")
        whole_tail = tail.rstrip().endswith(b"}")  # what is cut short ends in nothing like it
        if whole_tail or not lines:
            lines.append(tail)
        for number, line in enumerate(lines, 1):
            try:
                if number == 1:
                    record = cls._from_header(entry_of(line))
                else:
                    record._play(entry_of(line))
                    record._lines.append(line + b"\n")
            except ValueError as error:
                said = {"file": name, "n": number, "why": error}
                raise RecordError(_("{file}, line {n}: {why}", **said)) from None
        if tail and not whole_tail:
            text = N_("{file}, line {n}: cut short, perhaps by a crash, and dropped")
            warnings.warn(_(text, file=name, n=len(lines) + 1), stacklevel=2)
        return record

    @classmethod
    def _from_header(cls, header: dict[str, Any]) -> Record:
        version = header.get("dicekit")
        if not isinstance(version, int) or version < 1:
            raise ValueError(_("this is not a record of a dicekit game"))
        if version > VERSION:
            raise ValueError(_("written by a newer dicekit; update dicekit to read it"))
        try:
            rules, players = rules_of(header["game"], header["options"]), header["players"]
            position = header.get("position")
            start = rules.deal(*players, **position) if position else None
            seed, notes = _check_seed(header["seed"]), header["notes"] or {}
            record = cls(rules, players, seed=seed, notes=notes, start=start)
            record.started = datetime.fromisoformat(header["started"]).isoformat(timespec="seconds")
            record.title = _check_title(header.get("title", ""))
        except (TypeError, KeyError, AttributeError) as error:
            text = N_("the first line of the record is not whole: {error}")
            raise ValueError(_(text, error=error)) from None
        return record

    def _play(self, entry: dict[str, Any]) -> None:
        """Do what one line of the file says."""
        if len(entry) == 1 and (entry.keys() & {"undo", "retype"}):
            ((how, count),) = entry.items()
            if type(count) is not int or not 0 < count <= len(self.events):
                text = N_("{number} events cannot be taken back here")
                raise ValueError(_(text, number=f"{count!r:.40}"))
            return self._take_back(how, count)
        event = event_from_json(entry)
        self._take(event, self._after(event))


def read(path: Path) -> tuple[Record | None, list[str]]:
    """The record in a file, None if it cannot be read, and what is to be said of the file."""
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            return Record.load(path), [str(warning.message) for warning in caught]
    except (RecordError, OSError) as error:
        what = f"{path.name}: {error.strerror}" if isinstance(error, OSError) else str(error)
        return None, [what]


def put(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        draft.write_bytes(content)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _check_seed(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 10**100:
        text = N_("a seed is a whole number from 0 up to 100 digits, not {seed}")
        raise ValueError(_(text, seed=f"{seed!r:.40}"))
    return seed


def _check_title(title: Any) -> str:
    title = " ".join(title.split()) if isinstance(title, str) else None
    if title is None or len(title) > 200 or title.encode(errors="ignore").decode() != title:
        raise ValueError(_("a title is a text of at most 200 characters"))
    return title


def event_to_json(event: Event) -> dict[str, Any]:
    """An event as it stands in a record.

    >>> from dicekit.games.states import SetAside
    >>> event_to_json(SetAside((1, 5))), event_to_json((2, 3, 3))
    ({'action': 'SetAside', 'dice': (1, 5)}, {'throw': (2, 3, 3)})
    """
    if is_throw(event):
        return {"throw": event}
    said = {name: value for name, value in vars(event).items() if value is not None}
    return {"action": type(event).__name__} | said


def event_from_json(written: dict[str, Any]) -> Event:
    """The event that a line of a record tells. Raises ValueError if it tells none."""
    if written.keys() == {"throw"}:
        return check_order(written["throw"])
    values = dict(written)
    with suppress(KeyError, TypeError):
        return ACTIONS[values.pop("action")](**values)
    raise ValueError(_("this is no throw and no action: {line}", line=f"{written!r:.200}"))


def is_throw(event: Event) -> TypeGuard[tuple[int, ...]]:
    return not isinstance(event, Action)


def line_of(entry: dict[str, Any]) -> bytes:
    """An entry of a record, which may hold a table or a sheet, as a line."""

    def plain(option: Any) -> Any:
        return asdict(option) if isinstance(option, Sheet) else dict(option)

    return json.dumps(entry, ensure_ascii=False, default=plain).encode() + b"\n"


def entry_of(line: bytes) -> dict[str, Any]:
    """What a line says. Raises ValueError for one that cannot be read."""
    try:
        entry = json.loads(line.decode())
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, dict):
        raise ValueError(_("this line cannot be read; the file is damaged, or no record"))
    return entry
