"""What is handed to a board: games, players, folders, typed throws, records.

Each is read here, or refused in words.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import chain, count
from pathlib import Path
from typing import Any

from dicekit.board.play import Play
from dicekit.board.play_banking import BankingPlay
from dicekit.board.play_sheet import SheetPlay
from dicekit.board.setup import GAMES, MOST_PLAYERS
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.record import Record
from dicekit.players import Player, player_named

PLAYS: dict[type, type[Play]] = {
    Farkle: BankingPlay,
    FiveThousand: BankingPlay,
    DicePoker: SheetPlay,
}


def rules_of(game: Any) -> Any:
    """The rules that are meant by a name, a class or a value."""
    known = {name.lower(): rules for name, rules in GAMES.items()}
    if isinstance(game, str) and game.strip().lower() in known:
        return known[game.strip().lower()]
    if isinstance(game, type) and game in PLAYS:
        return game()
    if type(game) in PLAYS:
        return game
    names = ", ".join(f'"{name}"' for name in known)
    raise ValueError(f"there is no board for {game!r}; write one of {names}, or rules")


def named(players: Any) -> tuple[tuple[str, ...], dict[str, Player]]:
    """The names of the players, and which of them are computers."""
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise ValueError(f'players are a list of names such as ("A", "B"), not {players!r}')
    players = list(players)
    names: list[Any] = []
    computers: dict[str, Player] = {}
    for player in players:
        name = player
        if callable(player):
            taken = {*names, *players}
            numbered = (f"Computer {number}" for number in count(2))
            name = next(name for name in chain(["Computer"], numbered) if name not in taken)
            computers[name] = player
        names.append(name.strip() if isinstance(name, str) else name)
    if len(names) > MOST_PLAYERS:
        raise ValueError(f"the board has room for {MOST_PLAYERS} players, not {len(names)}")
    return tuple(names), computers


def folder_of(folder: Any) -> Path:
    if not isinstance(folder, str | os.PathLike) or "\0" in os.fspath(folder):
        raise ValueError(f"{folder!r} is no name of a folder")
    try:
        return Path(folder).absolute()
    except OSError:
        return Path(folder)


def computers_of(record: Record) -> dict[str, Player]:
    """The computer players that the record's notes name; unknown ones count as persons."""
    noted = record.notes.get("computers")
    found: dict[str, Player] = {}
    for name, words in noted.items() if isinstance(noted, dict) else ():
        if name in record.players:
            try:
                found[name] = player_named(words)
            except ValueError:
                continue
    return found


def title_of(record: Record) -> str:
    pairs = zip(record.players, record.state.scores, strict=True)
    scores = ", ".join(f"{name} {score:,}" for name, score in pairs)
    begun = record.started.replace("T", " ")
    return f"{record.rules.name}: {scores} · begun {begun}"


def faces_of(text: str) -> tuple[int, ...]:
    """The dice in a typed throw: digits, with anything between them that is no letter.

    >>> faces_of("1 4,4-5")
    (1, 4, 4, 5)
    """
    signs = [sign for sign in str(text) if sign not in " ,;.-·/\t"]
    for sign in signs:
        if sign not in "123456":
            raise ValueError(f"a die shows 1 to 6, not “{sign}”")
    return tuple(map(int, signs))
