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
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, TypeGuard

from dicekit.dice import FACES
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.options import changed
from dicekit.games.scoring import Table, without
from dicekit.games.sheet import Row, Sheet
from dicekit.games.states import ACTIONS, CHANCE, Action, Event, check_order, dashed

VERSION = 1
GAMES: dict[str, type] = {kind.__name__: kind for kind in (Farkle, FiveThousand, DicePoker)}
SUFFIX = ".jsonl"
Step = tuple[Any, Event, Any]


class RecordError(ValueError):
    """A record that cannot be read; the message names the file and the line."""


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
    each to the next, `notes` a dict that the file keeps for whoever shows the game. The `seed`
    makes the throws of `roll` reproducible; one is drawn if none is given.

    Raises ValueError for players without distinct names, and if the file exists already.
    """

    def __init__(
        self,
        rules: Any,
        players: Collection[str],
        *,
        seed: int | None = None,
        path: str | os.PathLike[str] | None = None,
        notes: dict[str, Any] | None = None,
    ) -> None:
        if type(rules) not in GAMES.values():
            raise ValueError(f"{rules!r} are no rules; write Farkle(), for example")
        if isinstance(players, str) or not isinstance(players, Sequence):
            raise ValueError(f"players are a list of names, not {players!r}")
        self.rules = rules
        self.states = [rules.start(*players)]
        self.events: list[Event] = []
        self.seed = secrets.randbelow(2**32) if seed is None else _check_seed(seed)
        self.notes = dict(notes or {})
        self.started = ""
        self.path: Path | None = None
        self.trouble = ""
        self._made = Counter[int]()  # how many throws each player has made
        self._undone: dict[tuple[int, int], tuple[int, ...]] = {}
        # What the file must measure, what of it is kept, and a whole last line without its end.
        self._size = self._kept = 0
        self._unended = b""
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
            before, _, after = step
            if (after.turn_begins and not before.turn_begins) or after.is_terminal:
                turns.append([])
        return turns

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
            states = [before for before, _, _ in steps]
            back += len(states)
            asked = acts and (people is None or who in people)
            if asked and any(len(state.legal_actions()) > 1 for state in states):
                return back
        return 0

    def undo(self, people: Collection[int] | None = None) -> Any:
        """Go back to the last decision of one of these players; the same dice come again.

        Raises ValueError if there is none.
        """
        return self._go_back("undo", self.decision(people), "there is nothing to undo yet")

    def retype(self) -> Any:
        """Take the last throw back because it was typed wrongly, and forget it.

        Raises ValueError if nothing has been thrown.
        """
        count = next((n for n, e in enumerate(reversed(self.events), 1) if _is_throw(e)), 0)
        return self._go_back("retype", count, "nothing has been thrown yet")

    def _go_back(self, how: str, count: int, nothing: str) -> Any:
        if not count:
            raise ValueError(nothing)
        self._write({how: count})
        self._take_back(how, count)
        return self.state

    def _after(self, event: Event) -> Any:
        after = self.state.child(event)
        if _is_throw(event):
            seen = self.thrown_before()
            if without(event, seen) is None:
                raise ValueError(
                    f"the same dice come again after an undo: {dashed(seen)}; "
                    "if they were typed wrongly, take the throw back and type it again"
                )
        return after

    def _take(self, event: Event, after: Any) -> None:
        self._made[self.state.player] += _is_throw(event)
        self.events.append(event)
        self.states.append(after)

    def _take_back(self, how: str, count: int) -> None:
        for _ in range(count):
            event = self.events.pop()
            self.states.pop()
            if _is_throw(event):
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
            raise ValueError("no throw is due now")
        player, made = self._place()
        chance = Random(f"{self.seed}/{player}/{made}")
        dice = tuple(chance.choice(FACES) for _ in range(self.state.dice))
        seen = self.thrown_before()
        return seen + dice[len(seen) :]

    # The file

    def keep_in(self, path: str | os.PathLike[str]) -> None:
        """Write the game, which has not begun, and all that comes of it into this new file.

        Raises ValueError if the file exists already.
        """
        path = Path(path).absolute()
        self.started = datetime.now().isoformat(timespec="seconds")
        header = {
            "dicekit": VERSION,
            "game": type(self.rules).__name__,
            "options": changed(self.rules),
            "players": list(self.players),
            "seed": self.seed,
            "started": self.started,
            "notes": self.notes,
        }
        line = _line(header)
        try:
            if os.path.lexists(path):
                raise ValueError(f"{path.name} exists already; use Record.load to go on with it")
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
            draft.write_bytes(line)
            os.replace(draft, path)
        except OSError as error:
            self._give_up(error)
        else:
            self.path, self._size, self._kept = path, len(line), len(line)

    def _write(self, entry: dict[str, Any]) -> None:
        if self.path is None:
            return
        lines = self._unended + _line(entry)
        try:
            with open(self.path, "r+b") as file:
                if file.seek(0, os.SEEK_END) != self._size:
                    raise ChangedElsewhere(
                        f"{self.path.name} was changed elsewhere, perhaps on another board; "
                        "resume it there, or here once more"
                    )
                file.truncate(self._kept)
                file.seek(self._kept)
                file.write(lines)
        except OSError as error:
            self._give_up(error)
        else:
            self._size = self._kept = self._kept + len(lines)
            self._unended = b""

    def _give_up(self, error: OSError) -> None:
        self.trouble = f"This game is not being saved: {error.strerror or error}"
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
        *lines, tail = content.split(b"\n")
        whole_tail = tail.rstrip().endswith(b"}")  # what is cut short ends in nothing like it
        if whole_tail or not lines:
            lines.append(tail)
        for number, line in enumerate(lines, 1):
            try:
                if number == 1:
                    record = cls._from_header(_parse(line))
                else:
                    record._play(_parse(line))
            except ValueError as error:
                raise RecordError(f"{path.name}, line {number}: {error}") from None
        if tail and not whole_tail:
            place = f"{path.name}, line {len(lines) + 1}"
            warnings.warn(f"{place}: cut short, perhaps by a crash, and dropped", stacklevel=2)
        record.path, record._size = path, len(content)
        record._kept = len(content) - len(tail)
        record._unended = tail + b"\n" if whole_tail else b""
        return record

    @classmethod
    def _from_header(cls, header: dict[str, Any]) -> Record:
        version = header.get("dicekit")
        if not isinstance(version, int) or version < 1:
            raise ValueError("this is not a record of a dicekit game")
        if version > VERSION:
            raise ValueError("written by a newer dicekit; update dicekit to read it")
        if header.get("game") not in list(GAMES):
            raise ValueError(f"there is no game called {header.get('game')!r}")
        try:
            options = dict(header["options"])
            if "table" in options:
                options["table"] = Table(options["table"])
            if "sheet" in options:
                rows = tuple(Row(**row) for row in options["sheet"]["rows"])
                options["sheet"] = Sheet(**{**options["sheet"], "rows": rows})
            rules = GAMES[header["game"]](**options)
            seed, notes = _check_seed(header["seed"]), header["notes"] or {}
            record = cls(rules, header["players"], seed=seed, notes=notes)
            record.started = datetime.fromisoformat(header["started"]).isoformat(timespec="seconds")
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"the first line of the record is not whole: {error}") from None
        return record

    def _play(self, entry: dict[str, Any]) -> None:
        """Do what one line of the file says."""
        if len(entry) == 1 and (entry.keys() & {"undo", "retype"}):
            ((how, count),) = entry.items()
            if type(count) is not int or not 0 < count <= len(self.events):
                raise ValueError(f"{count!r} events cannot be taken back here")
            self._take_back(how, count)
        else:
            event = event_from_json(entry)
            self._take(event, self._after(event))


def read(path: Path) -> tuple[Record | None, list[str]]:
    """The record in a file, None if it cannot be read, and what is to be said of the file."""
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            return Record.load(path), [str(warning.message) for warning in caught]
    except RecordError as error:
        return None, [str(error)]
    except OSError as error:
        return None, [f"{path.name}: {error.strerror}"]


def records_in(
    folder: str | os.PathLike[str], unfinished: int | None = None
) -> tuple[list[Record], list[str]]:
    """The records in a folder, those played last first, and a message for each that cannot be
    read. With `unfinished`, only games that are not over, and no more than so many."""
    records: list[Record] = []
    problems: list[str] = []
    for path in sorted(Path(folder).glob(f"*{SUFFIX}"), key=os.path.getmtime, reverse=True):
        if len(records) == unfinished:
            break
        record, said = read(path)
        if record is None:
            problems += said
        elif unfinished is None or not record.state.is_terminal:
            records.append(record)
    return records, problems


def event_to_json(event: Event) -> dict[str, Any]:
    """An event as it stands in a record.

    >>> from dicekit.games.states import SetAside
    >>> event_to_json(SetAside((1, 5))), event_to_json((2, 3, 3))
    ({'action': 'SetAside', 'dice': (1, 5)}, {'throw': (2, 3, 3)})
    """
    if _is_throw(event):
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
    raise ValueError(f"this is no throw and no action: {written!r}")


def _as_json(option: Any) -> Any:
    return asdict(option) if isinstance(option, Sheet) else dict(option)


def _is_throw(event: Event) -> TypeGuard[tuple[int, ...]]:
    return not isinstance(event, Action)


def _line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry, ensure_ascii=False, default=_as_json).encode() + b"\n"


def _parse(line: bytes) -> dict[str, Any]:
    try:
        entry = json.loads(line.decode())
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, dict):
        raise ValueError("this line cannot be read; the file is damaged, or no record")
    return entry


def _check_seed(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 10**100:
        raise ValueError(f"a seed is a whole number from 0 up to 100 digits, not {seed!r:.40}")
    return seed
