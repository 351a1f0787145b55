"""dicekit: three dice games, the exact probabilities behind them, and a board to play on.

Everything a lesson needs comes through this front door, and each name loads its module only
when it is first used, so that ``import dicekit`` is instant:

    >>> from dicekit import *
    >>> game = Farkle(opening=500)
    >>> P(game.is_bust, throws(6))
    5/216

The floors of the house, each of which imports only what is below it:

``board``, ``lesson``   the widget board; exercises and pupil copies
``players``             computer opponents
``games``               the games as immutable states, their records, their scoring tables
``probability``         exact distributions
``dice``                a die, fair or loaded, and throws with their exact weights
"""

from importlib import import_module

_HOME = {
    "Die": "dice",
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
    "Board": "board",
    "check": "lesson",
    "hint": "lesson",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"dicekit has no {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
