"""Solve the usual games and write their files: `python -m dicekit.solve.shipped`."""

from __future__ import annotations

from array import array
from typing import Any

from dicekit.dice import FAIR
from dicekit.games.dice_poker import DicePoker
from dicekit.solve.one_turn import turn_of
from dicekit.solve.race_solver import race_tables, turns_table
from dicekit.solve.rounds import ManyRounds
from dicekit.solve.shipped import STANDARD, write
from dicekit.solve.standings import Standings


def race(game: Any) -> dict[str, array[Any]]:
    turn = turn_of(game, FAIR)
    tables = race_tables(turn, progress=True) | turns_table(turn, progress=True)
    return tables | {"chances": array("f", tables["chances"])}


def sheet(game: DicePoker) -> dict[str, array[Any]]:
    import numpy as np

    rounds = ManyRounds(Standings(game))
    rounds.solve()
    worth = rounds.worth.ravel()
    places = np.flatnonzero(np.isfinite(worth))
    return {"places": array("I", places), "worth": array("d", worth[places])}


if __name__ == "__main__":
    for name, game in STANDARD.items():
        print(game)
        write(name, sheet(game) if isinstance(game, DicePoker) else race(game))
