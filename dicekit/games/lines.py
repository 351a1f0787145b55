"""The lines of a record: JSON, one event in each."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from typing import Any, TypeGuard

from dicekit.games.sheet import Sheet
from dicekit.games.states import ACTIONS, Action, Event, check_order
from dicekit.words import _


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


def _as_json(option: Any) -> Any:
    return asdict(option) if isinstance(option, Sheet) else dict(option)


def is_throw(event: Event) -> TypeGuard[tuple[int, ...]]:
    """Whether an event is a throw, and no action."""
    return not isinstance(event, Action)


def line_of(entry: dict[str, Any]) -> bytes:
    """An entry of a record as a line."""
    return json.dumps(entry, ensure_ascii=False, default=_as_json).encode() + b"\n"


def entry_of(line: bytes) -> dict[str, Any]:
    """What a line says. Raises ValueError for one that cannot be read."""
    try:
        entry = json.loads(line.decode())
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, dict):
        raise ValueError(_("this line cannot be read; the file is damaged, or no record"))
    return entry
