"""Any moment of a game, dealt from its facts.

The facts are the fields of a state. Whoever deals gives those that matter; the others are the
natural ones, as the state says. A moment that cannot be is refused in words, also by the state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from types import UnionType
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
    if strange := [f"{name!r:.40}" for name in facts if name not in kinds]:
        said = {"fact": strange[0], "known": ", ".join(kinds)}
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


def index_of(name: str, players: tuple[str, ...]) -> int:
    """The place of a player by name. Raises ValueError if nobody here is called that."""
    if name not in players:
        said = {"name": f"{name!s:.40}", "players": listed(players)}
        raise ValueError(_("nobody here is called {name}; here are {players}", **said))
    return players.index(name)


def _read(start: Any, name: str, kind: Any, value: Any) -> Any:
    """A fact as the state holds it."""
    if name in WHO and isinstance(value, str):
        return index_of(value, start.players)
    if name in ("throw", "held"):
        return check_throw(value)
    try:
        read = _conform(kind, value)
        if name in EACH and len(read) != len(start.players):
            raise TypeError
    except TypeError:
        said = {"fact": name, "value": f"{value!r:.40}", "example": repr(getattr(start, name))}
        text = N_("{fact} cannot be {value}; at the start of the game it is {example}")
        raise ValueError(_(text, **said)) from None
    return read


def _conform(kind: Any, value: Any) -> Any:
    """A value as one of a type such as `tuple[int | None, ...]`. Raises TypeError."""
    if kind is Any:  # an offer: of whom, and its points
        kind = tuple[int, ...] | None
    if isinstance(kind, UnionType):
        return None if value is None else _conform(get_args(kind)[0], value)
    if get_origin(kind) is tuple:
        return tuple(_conform(get_args(kind)[0], item) for item in value)
    value = whole(value) if kind is int else value
    if not isinstance(value, kind) or (kind is int and abs(value) >= MOST):
        raise TypeError
    return value
