"""Many turns: how many it takes to the target, and what they bring in the long run."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from operator import mul, sub
from typing import Any, NamedTuple

from dicekit.dice import FAIR, Die
from dicekit.games.banking import BankingRules
from dicekit.probability import Distribution, as_sympy
from dicekit.solve.best_turn import BestTurn, best_turn
from dicekit.solve.chain import MarkovChain, WaitingTime
from dicekit.solve.throw import check_rules
from dicekit.solve.turn import turn_result

DONE = "target"


class Standing(NamedTuple):
    """Where a lone player stands between two turns."""

    score: int
    misses: int = 0
    opened: bool = True


def turns_to_target(game: Any, rule: Any, die: Die = FAIR) -> WaitingTime:
    """The number of turns in which a lone player reaches the game's target.

    `rule` is one for `turn_result`, and is kept to the end, also where less would do. A throw
    that wins at once ends it too.

    >>> from dicekit.games.five_thousand import FiveThousand
    >>> turns_to_target(FiveThousand(), 500).quantile(0.5)
    22

    Raises ValueError if a score can come from which the rule gets no further, and for options
    under which the score and three misses are not all that matters: `farkle_penalty` (scores
    have no lower end) and `no_repeat`.
    """
    check_rules(game, BankingRules)
    for option in ("farkle_penalty", "no_repeat"):
        if getattr(game, option, False):
            raise ValueError(f"with {option} more than the score matters; leave it out here")
    looks_at_score = getattr(game, "exact", False) or getattr(game, "prediction", None) == "total"

    @cache
    def result(opened: bool, score: int) -> Distribution:
        return turn_result(game, rule, die, opened, score)

    start = Standing(0, opened=not game.opening)
    steps: dict[Any, Any] = {start: None}
    waiting: list[Any] = [start]
    while waiting:
        standing = waiting.pop()
        turn = result(standing.opened, standing.score if looks_at_score else 0)
        steps[standing] = turn.map(partial(_after, game, standing))
        if set(steps[standing]) == {standing}:
            raise ValueError(f"with {standing.score:,} points this rule never gets any further")
        waiting += (to for to in steps[standing] if to != DONE and to not in steps)
        steps |= dict.fromkeys(waiting)
    return MarkovChain(steps).steps(start)


def _after(game: Any, standing: Standing, result: Any) -> Any:
    if result >= game.target - standing.score:
        return DONE
    if result:
        return Standing(standing.score + result)
    if game.after_three_misses(standing.score) is None:
        return standing
    if standing.misses < 2:
        return standing._replace(misses=standing.misses + 1)
    return standing._replace(score=game.after_three_misses(standing.score), misses=0)


class LongRun(NamedTuple):
    """The best play of turns without end: points a turn, and the best turn after 0, 1, 2 misses."""

    value: Any
    turns: tuple[BestTurn, ...]


def long_run(game: Any, die: Die = FAIR) -> LongRun:
    """The highest mean of points a turn over many turns, where three misses in a row are fined.

    A bust then costs more than the points of the turn: it brings the fine nearer. What it costs
    after 0, 1 and 2 misses and how to play depend on each other, so they are found in turns
    (policy iteration; Howard, Dynamic Programming and Markov Processes, 1960). The value is the
    exact one of the turns found, in which a bust is valued to a millionth of a point (and turns
    of more than 30,000 points, where dice may never bust, count as banked).

    >>> from dicekit.games.farkle import Farkle
    >>> long_run(Farkle()).value == best_turn(Farkle()).value
    True

    Raises ValueError for `three_zeros`, which takes a score and not a number of points.
    """
    check_rules(game, BankingRules)
    if getattr(game, "three_zeros", False):
        raise ValueError("three_zeros takes the whole score, which has no mean in the long run")
    fine = getattr(game, "farkle_penalty", 0)
    if not fine:
        turn = best_turn(game, die)
        return LongRun(turn.value, (turn,) * 3)
    ahead = (0.0, 0.0)
    while True:
        busts = (*ahead, -fine)
        turns = tuple(best_turn(game, die, bust=Fraction(round(b * 10**6), 10**6)) for b in busts)
        first, second = (turn_result(game, turn, die).P([0]) for turn in turns[:2])
        means = [
            turn.value - as_sympy(turn.worth.bust) * lost
            for turn, lost in zip(turns, (first, second, 0), strict=True)
        ]
        visits = (1, first, first * second)
        value = sum(map(mul, visits, means)) / sum(visits)
        last = float(means[2] - value)
        before = ahead
        ahead = (float(means[1] - value) + float(second) * last, last)
        if max(map(abs, map(sub, ahead, before))) < 1e-6:
            return LongRun(value, turns)
