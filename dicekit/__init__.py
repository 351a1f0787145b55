"""dicekit: three dice games, the exact probabilities behind them, and a board to play on.

Everything a lesson needs comes through this front door, and each name loads its module only
when it is first used, so that ``import dicekit`` is instant:

    >>> from dicekit import *
    >>> game = Farkle(opening=500)
    >>> P(game.is_bust, throws(6))
    5/216

The floors of the house, each of which imports only what is below it:

``board``, ``lesson``   the widget board; exercises and pupil copies
``plots``, ``simulation``, ``own_data``  figures; many games at once; a class's own records
``players``             computer opponents
``solve``               what the rules imply: one throw, one turn, many turns
``games``               the games as immutable states, their records, their scoring tables
``generating``          generating functions
``probability``         exact distributions
``dice``                a die, fair or loaded, and throws with their exact weights
"""

from importlib import import_module

_HOME = {
    "Die": "dice",
    "orders": "dice",
    "Distribution": "probability",
    "throws": "probability",
    "P": "probability",
    "E": "probability",
    "CHANCE": "games.states",
    "TERMINAL": "games.states",
    "SetAside": "games.states",
    "Throw": "games.states",
    "Bank": "games.states",
    "Table": "games.scoring",
    "TakeOver": "games.states",
    "Decline": "games.states",
    "Hold": "games.states",
    "Write": "games.states",
    "Pass": "games.states",
    "Farkle": "games.farkle",
    "DicePoker": "games.dice_poker",
    "FiveThousand": "games.five_thousand",
    "Record": "games.record",
    "BanksAt": "players",
    "HoldsAlike": "players",
    "faces": "generating",
    "sums": "generating",
    "at_most": "generating",
    "alike": "generating",
    "row_chances": "solve.throw",
    "best_points": "solve.throw",
    "none_of": "solve.throw",
    "turn_result": "solve.turn",
    "best_turn": "solve.best_turn",
    "MarkovChain": "solve.chain",
    "waiting": "solve.chain",
    "turns_to_target": "solve.many_turns",
    "long_run": "solve.many_turns",
    "plots": "plots",
    "simulate": "simulation",
    "simulate_turns": "simulation",
    "pool": "own_data",
    "Observed": "own_data",
    "throws_needed": "own_data",
    "Board": "board",
    "check": "lesson",
    "hint": "lesson",
    "progress": "lesson",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"dicekit has no {name!r}")
    home = import_module(f"{__name__}.{_HOME[name]}")
    value = home if name == _HOME[name] else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
