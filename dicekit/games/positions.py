"""Positions: a moment of a game told by its facts, and held in a link.

    >>> state = Farkle().deal("Ana", "Bia", scores=(9200, 9650), points=400, dice=2)
    >>> print(link_of(state))
    ?game=Farkle&players=Ana&players=Bia&scores=9200,9650&dice=2&points=400
    >>> state_of(link_of(state)) == state
    True

A link is a readable query: the game, the options and the facts that differ from the usual.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, fields
from typing import Any
from urllib.parse import parse_qsl, urlencode

from dicekit.games.dealing import WHO, kinds_of
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.options import changed
from dicekit.games.scoring import Table
from dicekit.games.sheet import AMERICAN, YATZY, Row, Sheet
from dicekit.words import _

GAMES: dict[str, type] = {kind.__name__: kind for kind in (Farkle, FiveThousand, DicePoker)}
LONGEST = 50_000  # characters of a link
MOST = 100  # values in a link
SHEETS = {"yatzy": YATZY, "american": AMERICAN}
WORDS = {"yes": True, "no": False, "none": None}


def facts_of(state: Any) -> dict[str, Any]:
    """The facts that tell a moment apart, as values for JSON; `deal` makes it out of them again.

    >>> facts_of(Farkle().deal("Ana", "Bia", scores=(300, 0), player="Bia"))
    {'scores': [300, 0], 'player': 1}

    Raises ValueError for a state that cannot be.
    """
    facts = {name: getattr(state, name) for name in kinds_of(state)}
    if not _tell(facts, state):
        raise ValueError(_("this is no moment of a game"))
    for name in [*reversed(facts)]:
        fewer = {other: value for other, value in facts.items() if other != name}
        with suppress(ValueError):
            facts = fewer if _tell(fewer, state) else facts
    return {name: _as_json(value) for name, value in facts.items()}


def _tell(facts: dict[str, Any], state: Any) -> bool:
    return bool(state.rules.deal(*state.players, **facts) == state)


def _as_json(value: Any) -> Any:
    return [*map(_as_json, value)] if isinstance(value, tuple) else value


def rules_of(game: Any, options: Mapping[str, Any]) -> Any:
    """Rules by the name of the game and the options that `changed` tells, as JSON has them.

    Raises ValueError for rules that cannot be.
    """
    if not isinstance(game, str) or game not in GAMES:
        raise ValueError(_("there is no game called {game}", game=f"{game!r:.40}"))
    try:
        values = dict(options)
        if "table" in values:
            values["table"] = Table(values["table"])
        if "sheet" in values:
            rows = tuple(Row(**row) for row in values["sheet"]["rows"])
            values["sheet"] = Sheet(**{**values["sheet"], "rows": rows})
        return GAMES[game](**values)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(_("the rules are not whole: {error}", error=error)) from None


def link_of(state: Any, address: str = "") -> str:
    """A link to a board that holds this moment; only what is not usual is in it.

    Raises ValueError for a state that cannot be, and for a score sheet of one's own.
    """
    rules, facts = state.rules, facts_of(state)
    pairs = [("game", type(rules).__name__), *(("players", name) for name in state.players)]
    for name, value in changed(rules).items():
        if isinstance(value, Sheet):
            if value not in SHEETS.values():
                raise ValueError(_("a link holds no score sheet of your own; a file does"))
            value = next(known for known, sheet in SHEETS.items() if sheet == value)
        pairs.append((name, _written(value)))
    for name, value in facts.items():
        if name in WHO and value is not None:
            value = state.players[value]
        if name == "sheets":
            rows = [row.name for row in rules.sheet.rows]
            full = (zip(rows, sheet, strict=True) for sheet in value)
            value = [{row: points for row, points in sheet if points is not None} for sheet in full]
        nested = isinstance(value, list) and value and isinstance(value[0], list | dict)
        pairs += [(name, _written(item)) for item in (value if nested else [value])]
    return f"{address}?{urlencode(pairs, safe=',:')}"


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{name}:{_written(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ",".join(map(_written, value))
    return next((word for word, meant in WORDS.items() if value is meant), str(value))


def state_of(link: str) -> Any:
    """The moment that a link holds, or the query alone.

    >>> state_of("game=Farkle&players=Ana&players=Bia&points=300&throw=1,4&player=Bia").throw
    (1, 4)

    Raises ValueError for a link that holds none, or a moment that cannot be.
    """
    given = _parsed(link)
    game, players = "".join(given.pop("game", [])), given.pop("players", [])
    options = {field.name for field in fields(GAMES[game])} if game in GAMES else set()
    chosen = {name: _option(name, _one(given.pop(name))) for name in options & given.keys()}
    rules = rules_of(game, chosen)
    start, facts = rules.start(*players), {}
    for name, texts in given.items():
        named = name in WHO and texts[0].strip() in start.players
        facts[name] = _one(texts) if named else _fact(getattr(start, name, None), texts)
    return rules.deal(*players, **facts)


def _parsed(link: str) -> dict[str, list[str]]:
    """What stands in the query of a link, by name."""
    if not isinstance(link, str) or len(link) > LONGEST:
        raise ValueError(_("this is no link to a position, or far too long for one"))
    before, mark, after = link.strip().partition("#")[0].partition("?")
    try:
        query = after if mark else before
        pairs = parse_qsl(query, True, True, errors="strict", max_num_fields=MOST)
    except ValueError:
        raise ValueError(_("this link is damaged; copy it once more, all of it")) from None
    given: dict[str, list[str]] = {}
    for name, text in pairs:
        given.setdefault(name, []).append(text)
    return given


def _one(texts: list[str]) -> str:
    if len(texts) > 1:
        raise ValueError(_("this link says two things at once: {both}", both=" / ".join(texts)))
    return texts[0]


def _option(name: str, text: str) -> Any:
    if name == "sheet":
        return asdict(SHEETS[text]) if text in SHEETS else None
    return _named(text) if name == "table" else _atom(text)


def _fact(usual: Any, texts: list[str]) -> Any:
    """A fact as the texts tell it, of the kind that it is at the start of the game."""
    many = isinstance(usual, tuple)
    if many and usual and isinstance(usual[0], tuple):
        return [_named(text) if ":" in text else _many(text) for text in texts]
    text = _one(texts)
    return _many(text) if many or "," in text else _atom(text)


def _many(text: str) -> list[Any]:
    return [*map(_atom, text.split(","))] if text else []


def _named(text: str) -> dict[str, Any]:
    """Names with their values, as in "pair:6,1:-2"."""
    pairs = (item.rpartition(":") for item in text.split(","))
    return {name: _atom(value) for name, colon, value in pairs}


def _atom(text: str) -> Any:
    if re.fullmatch(r"-?[0-9]{1,12}", text):
        return int(text)
    return WORDS.get(text, text)
