"""Any moment of a game, dealt from its facts.

The facts are the fields of a state. Whoever deals gives those that matter; the others are the
natural ones, as the state says. A moment that cannot be is refused in words, also by the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from dicekit.dice import check_throw, whole
from dicekit.words import N_, _, listed

WHO = {"player", "leader", "opener", "winner"}  # an index, or a name
EACH = {"scores", "opened", "misses", "gains", "last_turns", "sheets"}  # one for each player
MOST = 10**9  # no number of a moment is as large


def dealt(start: Any, facts: Mapping[str, Any]) -> Any:
    """The moment of the game with this first state that the facts tell; without any, that state.

    Raises ValueError for what is no fact, and for a moment that cannot be.
    """
    kinds = kinds_of(start)
    for name in facts:
        if name not in kinds:
            said = {"fact": f"{name!r:.40}", "known": ", ".join(kinds)}
            raise ValueError(_("a moment of this game has no {fact}; it has {known}", **said))
    if not facts:
        return start
    given = {name: _read(start, name, kinds[name], value) for name, value in facts.items()}
    state = replace(start, **(start.natural(given) | given))
    for problem in state.impossible():
        raise ValueError(problem)
    return state


def kinds_of(state: Any) -> dict[str, Any]:
    """The facts of a state, all but rules and players, with their types."""
    hints = _hints(state.__class__)
    return {field.name: hints[field.name] for field in fields(state)[2:]}


_hints = cache(get_type_hints)


def _read(start: Any, name: str, kind: Any, value: Any) -> Any:
    """A fact as the state holds it."""
    players = start.players
    if name in WHO and isinstance(value, str):
        if value not in players:
            said = {"name": value[:40], "players": listed(players)}
            raise ValueError(_("nobody here is called {name}; here are {players}", **said))
        return players.index(value)
    if name in ("throw", "held"):
        return check_throw(value)
    try:
        read = _conform(kind, value)
        if name in EACH and len(read) != len(players):
            raise TypeError
    except TypeError:
        said = {"fact": name, "value": f"{value!r:.40}", "example": f"{getattr(start, name)!r}"}
        text = N_("{fact} cannot be {value}; at the start of the game it is {example}")
        raise ValueError(_(text, **said)) from None
    return read


def _conform(kind: Any, value: Any) -> Any:
    """A value as one of a type such as `tuple[int | None, ...]`. Raises TypeError."""
    kinds = get_args(kind)
    if get_origin(kind) is tuple:
        if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
            raise TypeError
        return tuple(_conform(kinds[0], item) for item in value)
    if value is None and (kind is Any or type(None) in kinds):
        return None
    if kind is Any:  # an offer: of whom, and its points
        return _conform(tuple[int, ...], value)
    if kind is int or int in kinds:
        number = whole(value)
        if number is None or abs(number) >= MOST:
            raise TypeError
        return number
    if not isinstance(value, kind):
        raise TypeError
    return value
