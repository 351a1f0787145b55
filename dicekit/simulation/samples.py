"""Samples of turns and games: what can be asked of them, and how they are made.

Where nothing but the points, the dice left and the scores matters, thousands of games are played
side by side, in arrays. All others are played one by one, through the states of the rule book.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import count
from math import inf
from statistics import fmean
from string import ascii_uppercase
from typing import Any

from dicekit.dice import FAIR, Die, check_count, check_die
from dicekit.games.banking import BankingRules
from dicekit.games.states import check_names
from dicekit.players import Perfect, TurnPlayer, race_of
from dicekit.simulation.blocks import WON_AT_ONCE, sample, with_numpy
from dicekit.simulation.one_by_one import OneByOne, OneTurn
from dicekit.simulation.side_by_side import ManyGames, ManyTurns, TurnPlay
from dicekit.solve.throw import WIN
from dicekit.solve.turn import takes
from dicekit.tables import Grid, Shown

Ints = Any  # an array of whole numbers, or a list

# What comes out


def _plain(given: Any) -> Any:
    """An array as a list."""
    return given.tolist() if hasattr(given, "tolist") else given


class _Sample:
    """Two samples are equal if all that has come out is."""

    def __eq__(self, other: object) -> bool:
        mine, others = ([*map(_plain, vars(one).values())] for one in (self, other))
        return type(self) is type(other) and mine == others

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, repr=False, eq=False)
class Turns(_Sample):
    """A sample of turns. `points` is an array (a list where numpy is missing) with what each has
    brought: 0 for a bust, the game's target for a throw that wins at once; `won` marks these."""

    points: Ints
    won: Ints

    @property
    def mean(self) -> float:
        """The points of a turn on average."""
        return fmean(_plain(self.points))

    @property
    def error(self) -> float:
        """The standard error of the mean: 95 of 100 samples are within twice as much."""
        turns, mean = len(self.points), self.mean
        spread = fmean((points - mean) ** 2 for points in _plain(self.points))
        return (spread / (turns - 1)) ** 0.5 if turns > 1 else inf

    @property
    def bust(self) -> float:
        """The share of turns without points."""
        return _plain(self.points).count(0) / len(self.points)

    @property
    def counts(self) -> dict[Any, int]:
        """How many turns have brought how many points, or "win"."""
        points, won = _plain(self.points), _plain(self.won)
        found = Counter(points for points, win in zip(points, won, strict=True) if not win)
        return dict(sorted(found.items())) | ({WIN: sum(won)} if any(won) else {})

    def __repr__(self) -> str:
        return (
            f"{len(self.points):,} turns: {self.mean:,.1f} points on average "
            f"(standard error {self.error:,.1f}), nothing in {_percent(self.bust)}"
        )


@dataclass(frozen=True, repr=False, eq=False)
class Games(_Sample, Shown):
    """A sample of games between `players`. Arrays (or lists) with a row for each game: `won` (who
    has won; in dice poker several can share it), `scores`, and the number of `turns`."""

    players: tuple[str, ...]
    won: Ints
    scores: Ints
    turns: Ints

    @property
    def wins(self) -> dict[str, float]:
        """The share of games that each player has won."""
        return dict(zip(self.players, map(fmean, zip(*_plain(self.won), strict=True)), strict=True))

    @property
    def error(self) -> dict[str, float]:
        """The standard error of each share: 95 of 100 samples are within twice as much."""
        games = len(self.won)
        return {name: (share * (1 - share) / games) ** 0.5 for name, share in self.wins.items()}

    def grid(self) -> Grid:
        errors, means = self.error, map(fmean, zip(*_plain(self.scores), strict=True))
        rows = [
            [name, _percent(share), _percent(errors[name]), f"{mean:,.0f}"]
            for (name, share), mean in zip(self.wins.items(), means, strict=True)
        ]
        turns = fmean(_plain(self.turns))
        caption = f"{len(self.won):,} games, {turns:,.1f} turns a game on average"
        return caption, ["player", "wins", "standard error", "points on average"], rows, []


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


# The two front doors


def simulate_turns(
    game: Any,
    rule: Any,
    turns: int = 100_000,
    seed: int = 1,
    die: Die = FAIR,
    opened: bool = True,
    score: int = 0,
    *,
    progress: bool = False,
    executor: Executor | None = None,
) -> Turns:
    """Play so many turns by a rule, throw by throw; `turn_result` knows their exact chances.

    `rule`, `die`, `opened` and `score` are as there. From 30,000 points on a turn ends, or it
    could last for ever. `progress` shows a bar. `executor` spreads the work: a
    ProcessPoolExecutor, or `client.get_executor()` of a Dask cluster.

    >>> from dicekit.games.farkle import Farkle
    >>> simulate_turns(Farkle(), 300, turns=1000, seed=1)
    1,000 turns: 496.3 points on average (standard error 14.5), nothing in 20.8 %

    Raises ValueError for a rule that is none or is not of this game, and a die with symbols.
    """
    given = game, rule, _with_numbers(die), opened, score
    work: Any = ManyTurns(TurnPlay(*given)) if with_numpy() else OneTurn(*given)
    points = sample(work, _at_least_one("turns", turns), seed, progress, executor)
    if not with_numpy():
        won = [brought == WON_AT_ONCE for brought in points]
        return Turns([game.target if b == WON_AT_ONCE else b for b in points], won)
    won = points == WON_AT_ONCE
    points[won] = game.target
    return Turns(points, won)


def simulate(
    game: Any,
    players: Any,
    games: int = 10_000,
    seed: int = 1,
    die: Die = FAIR,
    *,
    progress: bool = False,
    executor: Executor | None = None,
) -> Games:
    """Play so many games between strategies; the first player begins, unless the game decides.

    `players` is a list, or a dict that names them. Each is a rule for turns as in `turn_result`
    (which goes on in a last round until it passes the score to beat), or a player: a function
    from a state to one of its legal actions. A rule must always answer alike: it is asked once.
    `progress` and `executor` as in `simulate_turns`.

    >>> from dicekit.games.farkle import Farkle
    >>> simulate(Farkle(target=2000), {"Ana": 300, "Bo": 1000}, games=2000)
    2,000 games, 8.3 turns a game on average
    player    wins  standard error  points on average
    Ana     62.3 %           1.1 %              2,077
    Bo      37.8 %           1.1 %              1,529

    Raises ValueError for what is no game and no strategy, and whatever a strategy raises.
    """
    if not hasattr(game, "start") or isinstance(game, type):
        raise ValueError(f"{game!r} is no game; write Farkle(), for example")
    if not isinstance(players, Mapping | list | tuple) or not players:
        raise ValueError(f"players are a list of strategies such as [300, 500], not {players!r}")
    if not isinstance(players, Mapping):
        letters = ascii_uppercase if len(players) <= 26 else map(str, count(1))
        players = dict(zip(letters, players, strict=False))
    names = check_names(tuple(players))
    die = _with_numbers(die)
    strategies = [_strategy(game, given) for given in players.values()]
    _check_known(game, strategies)
    rules = [getattr(strategy, "rule", None) for strategy in strategies]
    plain, many = _is_plain(game) and all(rules), len(names)
    if plain and with_numpy():
        work: Any = ManyGames(game, rules, die)
    else:
        opened = (False, True) if plain else ()
        turns = tuple({has: OneTurn(game, rule, die, has) for has in opened} for rule in rules)
        work = OneByOne(game, names, strategies, die, turns if plain else ())
    found = sample(work, _at_least_one("games", games), seed, progress, executor)
    if not with_numpy():
        won = [[count > 0 for count in row[:many]] for row in found]
        return Games(names, won, [row[many:-1] for row in found], [row[-1] for row in found])
    return Games(names, found[:, :many] > 0, found[:, many:-1], found[:, -1])


def _strategy(game: Any, given: Any) -> Callable[[Any], Any]:
    """A player; one that keeps to a rule bears it."""
    banking, function = isinstance(game, BankingRules), callable(given)
    plays = function and not isinstance(given, type) and takes(given, "state")
    if banking and (not plays or takes(given, 300, 2) or hasattr(given, "points")):
        return TurnPlayer.of(given, game)
    if not plays or hasattr(given, "points"):
        raise ValueError(f"in {game.name} a player is a function of the state, not {given!r}")
    return given


def _check_known(game: Any, strategies: list[Any]) -> None:
    """Without numpy the best play of few games is known."""
    for one in strategies if isinstance(game, BankingRules) and not with_numpy() else ():
        if isinstance(one, Perfect) and race_of(game, one.die) is None:
            raise ModuleNotFoundError("perfect play needs numpy here", name="numpy")


def _is_plain(game: Any) -> bool:
    """Whether only scores, misses and who has opened pass from one turn to the next."""
    looked_at = ("exact", "no_equal_scores", "no_repeat", "steal", "prediction")
    return (
        isinstance(game, BankingRules)
        and not any(getattr(game, option, None) for option in looked_at)
        and getattr(game, "first", "order") == "order"
    )


def _with_numbers(die: Die) -> Die:
    if check_die(die).is_symbolic:
        raise ValueError("a die with symbols cannot be thrown; put numbers in their place")
    return die


def _at_least_one(what: str, number: Any) -> int:
    if not check_count(number, what):
        raise ValueError(f"{what} must be 1 or more, not {number!r}")
    return int(number)
