"""Solved games, the usual ones, which travel with the package.

A file is one line of JSON, which says for what rules it holds, and the numbers it names.
`python -m dicekit.solve.shipped` writes all files anew; do so, with a higher VERSION, after a
change of the rules or of the solvers that changes a number.
"""

from __future__ import annotations

import json
import os
import sys
from array import array
from dataclasses import fields, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from zlib import crc32

from dicekit.dice import FAIR, Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.options import changed

VERSION = 1
STANDARD = {
    "farkle": Farkle(),
    "farkle-first-to-bank": Farkle(last_round=False),
    "farkle-opening-500": Farkle(opening=500),
    "farkle-5000": Farkle(target=5000),
    "farkle-2000": Farkle(target=2000),
    "5000-official": FiveThousand.official(),
    "5000-beginner": FiveThousand.beginner(),
    "dice-poker": DicePoker(),
}


def shipped_tables(game: Any, die: Die = FAIR) -> dict[str, array[Any]] | None:
    """The solved tables of this game, or None if there are none of these rules and this version.

    A race has the `chances` to win of the one about to throw, by own score and then the other's
    in steps (to 3 parts in 10^8); the chances that a last round is won (`chased`), by the gap;
    the `turns` left of a lone player. A sheet has the `worth` of its standings, by `places`.
    """
    if die != FAIR:
        return None
    if isinstance(game, FiveThousand):  # who begins makes no difference after that
        game = replace(game, first="order")
    return next((_read(name) for name, known in STANDARD.items() if known == game), None)


def fill_worth(game: Any, worth: list[list[float]]) -> bool:
    """Fill in what the standings of a score sheet are worth, and say whether this is known."""
    if tables := shipped_tables(game):
        for place, value in zip(tables["places"], tables["worth"], strict=True):
            second, school = divmod(place, len(worth[0]))
            worth[second][school] = value
    return tables is not None


@lru_cache(maxsize=16)
def _read(name: str) -> dict[str, array[Any]] | None:
    try:
        head, numbers = (files(__name__) / f"{name}.table").read_bytes().split(b"\n", 1)
        about = json.loads(head)
        game, rules = STANDARD[name], _rules(STANDARD[name])
        newer = rules.keys() - about["rules"].keys()  # an option that came later, left alone
        solved = about["rules"] | {option: rules[option] for option in newer - changed(game).keys()}
        if (solved, about["version"], about["crc32"]) != (rules, VERSION, crc32(numbers)):
            return None
    except (OSError, ValueError, LookupError, TypeError):  # damaged
        return None
    found = {}
    for kind, (code, many) in about["numbers"].items():
        size = many * array(code).itemsize
        found[kind] = _swapped(array(code, numbers[:size]))
        numbers = numbers[size:]
    return found


def write(name: str, tables: dict[str, array[Any]]) -> None:
    """Write the tables of a game, all or nothing."""
    numbers = b"".join(map(bytes, map(_swapped, tables.values())))
    about = {
        "rules": _rules(STANDARD[name]),
        "version": VERSION,
        "crc32": crc32(numbers),
        "numbers": {kind: (table.typecode, len(table)) for kind, table in tables.items()},
    }
    path = Path(str(files(__name__) / f"{name}.table"))
    new = path.with_suffix(".new")
    new.write_bytes(json.dumps(about).encode() + b"\n" + numbers)
    os.replace(new, path)
    _read.cache_clear()


def _swapped(table: array[Any]) -> array[Any]:
    """The table as it stands in a file, little end first, and back."""
    if sys.byteorder == "big":
        table = table[:]
        table.byteswap()
    return table


def _rules(game: Any) -> dict[str, str]:
    options = {field.name: repr(getattr(game, field.name)) for field in fields(game)}
    return {"game": game.name, **options, "die": repr(FAIR)}
