"""Turns and games one by one: those that cannot be played side by side, and all without numpy.

Games are played state by state, through the rule book. Where a game is `plain` and every player
keeps to a rule, a turn is played at once, and only its last throw or its bank is a state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from random import Random
from typing import Any

from dicekit.dice import FACES, Die
from dicekit.games.states import CHANCE
from dicekit.simulation import blocks
from dicekit.simulation.blocks import WON_AT_ONCE, short_enough
from dicekit.solve.turn import Turn, rule_of


@lru_cache(maxsize=32)
def _offers(turn: Turn) -> Callable[..., Any]:
    """What a throw offers, worked out once."""
    return cache(lambda *throw: tuple(sorted(turn.options(*throw))))


class OneTurn:
    """A turn under a rule, played again and again."""

    block = 100

    def __init__(self, game: Any, rule: Any, die: Die, opened: bool, score: int = 0) -> None:
        self.turn, self.rule = Turn.of(game, die, opened, score), rule_of(rule, game)
        self.shares, self.most = [*map(float, die.chances)], max(blocks.MOST, self.rule.farthest)
        self.offers = _offers(self.turn)
        self.picks, self.asked = cache(self.rule.picks), cache(self._asked)

    def _asked(self, points: int, dice: int) -> tuple[bool, bool]:
        """Whether one may stop, and whether the rule does."""
        may, far = self.turn.can_bank(points, dice), points >= self.most
        return may or far, far or (may and self.rule.bank(points, dice))

    def run(self, seed: int, number: int) -> list[int]:
        random = Random(f"{seed}/{number}")
        return [self.play(random)[0] for _ in range(self.block)]

    def play(self, random: Random, to_pass: int = -1) -> tuple[int, tuple[int, ...]]:
        """What it brings, WON_AT_ONCE for a throw that wins; and the throw that has ended it, if
        it was not banked. If `to_pass` is not below 0, the turn ends as soon as it may and has
        more points than that."""
        points, dice = 0, self.turn.game.all_dice
        while True:
            announced = self.rule.announces(points, dice)
            throw = tuple(sorted(random.choices(FACES, self.shares, k=dice)))
            if not (offered := self.offers(throw, sum(throw) == announced)):
                return 0, throw
            taken = self.picks(offered, points)
            points, dice = taken.after(points), taken.dice
            if not dice:
                return WON_AT_ONCE, throw
            if self.turn.room is not None and points > self.turn.room:
                return 0, throw
            may, stops = self.asked(points, dice)
            if stops if to_pass < 0 else may and points > to_pass:
                return points, ()


@dataclass(frozen=True)
class OneByOne:
    """Any game between any players. `turns` are those of each player, before and after a first
    bank; none if they are to be played state by state."""

    game: Any
    names: tuple[str, ...]
    strategies: list[Callable[[Any], Any]]
    die: Die
    turns: tuple[dict[bool, OneTurn], ...] = ()
    block: int = 20

    def run(self, seed: int, number: int) -> list[list[int]]:
        first = number * self.block
        return [self._game(Random(f"{seed}/{first + k}")) for k in range(self.block)]

    def _game(self, random: Random) -> list[int]:
        shares = [*map(float, self.die.chances)]
        state = self.game.start(*self.names)
        turns = 0 if state.turn_begins else -1  # to find out who begins is no turn
        while not state.is_terminal:
            begun = not state.turn_begins
            if self.turns:
                state, begun = self._turn(state, random), True
            elif state.current_player == CHANCE:
                state = state.child(random.choices(FACES, shares, k=state.dice))
            else:
                state = state.child(self.strategies[state.current_player](state))
            if state.is_terminal or (state.turn_begins and begun):
                turns = short_enough(turns + 1)
        won = [int(player in state.winners) for player in range(len(self.names))]
        return [*won, *state.scores, turns]

    def _turn(self, state: Any, random: Random) -> Any:
        """The state after a turn that is played at once."""
        who, leader = state.player, getattr(state, "leader", None)
        to_pass = -1 if leader is None else state.scores[leader] - state.scores[who]
        brought, throw = self.turns[who][state.opened[who]].play(random, to_pass)
        if brought == WON_AT_ONCE:
            return replace(state, stage="rolling", dice=len(throw)).child(throw)
        return state._end_turn(brought)
