"""dicekit: three dice games, the exact probabilities behind them, and a board to play on.

Everything a lesson needs comes through this front door, and each name loads its module only
when it is first used, so that ``import dicekit`` is instant:

    >>> from dicekit import *
    >>> game = Farkle(opening=500)
    >>> P(game.is_bust, throws(6))
    5/216

The floors of the house, each of which imports only what is below it:

- ``app``: the command `dicekit`
- ``board``: the widget board
- ``dicekit.lesson``: exercises, progress, pupil copies
- ``dicekit.plots``: figures
- ``dicekit.simulation``: many games at once
- ``dicekit.own_data``: a class's own records
- ``dicekit.coach``: what each move is worth, and the review of a game
- ``dicekit.players``: computer opponents
- ``dicekit.solve``: what the rules imply: one throw, one turn, many turns
- ``dicekit.games``: the games as immutable states, their records, their scoring tables
- ``dicekit.generating``: generating functions
- ``dicekit.probability``: exact distributions
- ``dice``: a die, fair or loaded, and throws with their exact weights
- ``missing``: what stands for an answer where numpy is missing
- ``words``: everything that is said, in three languages
"""

from importlib import import_module

_NAMES = {
    "dice": "Die orders",
    "probability": "Distribution throws P E",
    "games.states": "CHANCE TERMINAL SetAside Throw Bank TakeOver Decline Hold Write Pass",
    "games.scoring": "Table",
    "games.farkle": "Farkle",
    "games.dice_poker": "DicePoker",
    "games.five_thousand": "FiveThousand",
    "games.record": "Record",
    "players": "BanksAt HoldsAlike BestTurns Perfect",
    "coach": "Coach",
    "generating": "faces sums at_most alike",
    "solve.throw": "row_chances best_points none_of",
    "solve.turn": "turn_result",
    "solve.best_turn": "best_turn",
    "solve.best_sheet": "best_sheet",
    "solve.race": "best_race least_turns",
    "solve.every_state": "best_play",
    "solve.chain": "MarkovChain waiting",
    "solve.many_turns": "turns_to_target long_run",
    "plots": "plots",
    "simulation": "simulate simulate_turns",
    "own_data": "pool Observed throws_needed",
    "board": "Board RuleExplorer",
    "words": "speak",
    "lesson": "check hint progress",
}
_NEED_NUMPY = "best_race", "least_turns", "best_play", "best_sheet", "simulate"  # for some rules
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"dicekit has no {name!r}")
    home = import_module(f"{__name__}.{_HOME[name]}")
    value = home if name == _HOME[name] else getattr(home, name)
    if name in _NEED_NUMPY:
        from dicekit.missing import or_missing

        value = or_missing(value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
