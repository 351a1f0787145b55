"""What is handed to a board: games, players, typed throws, records.

Each is read here, or refused in words.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from itertools import chain, count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from dicekit.board.play import isolated
from dicekit.board.play_banking import BankingPlay
from dicekit.board.play_sheet import SheetPlay
from dicekit.board.setup import COMPUTERS, GAMES, MOST_PLAYERS
from dicekit.games.dice_poker import DicePoker
from dicekit.games.positions import state_of
from dicekit.games.record import Record
from dicekit.games.states import check_names
from dicekit.players import Player
from dicekit.words import _, language, speaking


def play_of(record: Any, *chosen: Any, **more: Any) -> Any:
    """The play of a record, with what is chosen."""
    kind = SheetPlay if isinstance(record.rules, DicePoker) else BankingPlay
    return kind(record, *chosen, **more)


def rules_of(game: Any) -> Any:
    """The rules that are meant by a name, a class or a value."""
    known = {name.lower(): rules for name, rules in GAMES.items()}
    if isinstance(game, str) and game.strip().lower() in known:
        return known[game.strip().lower()]
    if isinstance(game, type) and game in COMPUTERS:
        return game()
    if type(game) in COMPUTERS:
        return game
    names = ", ".join(f'"{name}"' for name in known)
    raise ValueError(f"there is no board for {game!r}; write one of {names}, or rules")


def named(players: Any) -> tuple[tuple[str, ...], dict[str, Player]]:
    """The names of the players, and which of them are computers."""
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise ValueError(f'players are a list of names such as ("A", "B"), not {players!r}')
    names: list[Any] = list(players)
    computers: dict[str, Player] = {}
    for seat, player in enumerate(names):
        if callable(player):
            numbered = (_("Computer {n}", n=n) for n in count(2))
            names[seat] = next(n for n in chain([_("Computer")], numbered) if n not in names)
            computers[names[seat]] = player
    return check_seats(check_names(tuple(names)) if names else ()), computers


def keeps_no_files() -> bool:
    """Whether Python runs in a browser that gives it no place to keep files."""
    return sys.platform == "emscripten" and not Path.cwd().is_relative_to("/drive")


def check_seats(names: tuple[str, ...]) -> tuple[str, ...]:
    """The players' names. Raises ValueError if they are more than the board has room for."""
    if len(names) > MOST_PLAYERS:
        room = {"most": MOST_PLAYERS, "n": len(names)}
        raise ValueError(_("the board has room for {most} players, not {n}", **room))
    return names


def position_of(link: str) -> Any:
    """The state that a link holds. Raises ValueError if the board cannot show it."""
    state = state_of(link)
    check_seats(state.players)
    return state


def scores_of(record: Record) -> str:
    pairs = zip(record.players, record.state.scores, strict=True)
    return ", ".join(_("{name} {score}", name=isolated(name, 40), score=n) for name, n in pairs)


def faces_of(text: str) -> tuple[int, ...]:
    """The dice in a typed throw: digits, with anything between them that is no letter.

    >>> faces_of("1 4,4-5")
    (1, 4, 4, 5)
    """
    signs = [sign for sign in str(text) if sign not in " ,;.-·/\t"]
    for sign in signs:
        if sign not in "123456":
            raise ValueError(_("a die shows 1 to 6, not “{sign}”", sign=sign))
    return tuple(map(int, signs))


def whole_of(text: str) -> int:
    """The whole number in a typed text, 0 if there is none; thousands may be set apart.

    >>> whole_of("9,200"), whole_of("-50"), whole_of("")
    (9200, -50, 0)
    """
    text = text.strip().replace("−", "-")
    if not re.fullmatch(r"-?[0-9]{1,15}|-?[0-9]{1,3}([ ,.'\u202f\xa0][0-9]{3}){1,4}|", text):
        raise ValueError(_("a whole number is wanted here, not {typed}", typed=repr(text)))
    return int(re.sub(r"[^0-9-]", "", text) or 0)


def language_of(code: str | None) -> str:
    """The language asked for, by name, by the environment, or the one spoken now."""
    code = code or os.environ.get("DICEKIT_LANGUAGE") or language()
    with speaking(code):
        return code


def asked_position() -> str:
    """The position in the address of the page (Voilà), or the one that `dicekit` was given."""
    asked = parse_qsl(os.environ.get("QUERY_STRING", ""), keep_blank_values=True)
    own = [(name, said) for name, said in asked if not re.match("voila|token|theme", name)]
    return urlencode(own) if dict(own).get("game") else os.environ.get("DICEKIT_POSITION", "")
