"""Turns and games side by side: thousands at once, in arrays.

A turn is played as `solve.turn` tells it, with dice that are really thrown. What a game adds to
its turns stands here a second time, for arrays; the tests play the same throws through the
states of the rule book.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from dicekit.dice import FACES, FAIR, Die
from dicekit.simulation import blocks
from dicekit.simulation.blocks import WON_AT_ONCE, short_enough
from dicekit.solve.turn import WON, Option, Rule, Turn, rule_of

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    Ints = NDArray[Any]

BUST = -1
UNKNOWN = -(2**31)


@lru_cache(maxsize=32)
def _offers(turn: Turn) -> tuple[Any, list[tuple[Option, ...]]]:
    """Which options each throw offers: for the code of a throw the place in the list, or BUST.

    The code adds a power of (number of dice + 1) for each die; a second half of the codes is for
    throws whose sum was announced.
    """
    import numpy as np

    base = turn.game.all_dice + 1
    places = np.full(2 * base**6, BUST, np.int16)
    listed: dict[tuple[Option, ...], int] = {}
    for right in (False, True) if getattr(turn.game, "prediction", None) else (False,):
        for dice in turn.sizes:
            for throw in combinations_with_replacement(FACES, dice):
                if options := tuple(sorted(turn.options(throw, right))):
                    code = sum(base ** (face - 1) for face in throw) + right * base**6
                    places[code] = listed.setdefault(options, len(listed))
    return places, list(listed)


class _Asked:
    """What a function of two whole numbers gives, asked once for each pair and kept."""

    def __init__(self, function: Callable[[int, int], int], wide: int) -> None:
        import numpy as np

        self.function = function
        self.known = np.full((256, wide), UNKNOWN, np.int32)

    def __call__(self, first: Ints, second: Ints) -> Ints:
        import numpy as np

        known = self.known  # another thread may put a larger one in its place
        if len(first) and (most := int(first.max())) >= len(known):
            more = np.full((most + 1, known.shape[1]), UNKNOWN, np.int32)
            known = self.known = np.concatenate([known, more])
        if (new := known[first, second] == UNKNOWN).any():
            for pair in set(zip(first[new].tolist(), second[new].tolist(), strict=True)):
                known[pair] = self.function(*pair)
        return known[first, second]


class TurnPlay:
    """A turn under a rule, for many turns at once."""

    def __init__(self, game: Any, rule: Any, die: Die, opened: bool, score: int = 0) -> None:
        self.turn = turn = Turn.of(game, die, opened, score)
        self.rule: Rule = rule_of(rule, game)
        self.step, wide = turn.step, game.all_dice + 1
        self.places, self.offered = _offers(turn)
        self.options = list({option: None for offer in self.offered for option in offer} | {WON: 0})
        self.number = {option: n for n, option in enumerate(self.options)}
        self.most = max(blocks.MOST, self.rule.farthest)
        self.picks = _Asked(self._picks, len(self.offered))
        self.banks = _Asked(self._banks, wide)
        self.announces = _Asked(self._announces, wide)

    def _picks(self, points: int, offer: int) -> int:
        return self.number[self.rule.picks(self.offered[offer], points * self.step)]

    def _banks(self, points: int, dice: int) -> int:
        """0 if one may not bank, 1 if one may, 2 if the rule does."""
        points *= self.step
        if not self.turn.can_bank(points, dice):
            return 2 * (points >= self.most)
        return 1 + (points >= self.most or self.rule.bank(points, dice))

    def _announces(self, points: int, dice: int) -> int:
        return self.rule.announces(points * self.step, dice) or 0

    def run(self, random: Generator, to_pass: Ints) -> Ints:
        """What the turns bring; WON_AT_ONCE for a throw that wins. Where `to_pass` is not below
        0, the turn ends as soon as it may and has more points than that."""
        import numpy as np

        brought = np.zeros(len(to_pass), np.int64)
        still = np.arange(len(to_pass))
        points = np.zeros(len(to_pass), np.int64)
        dice = np.full(len(to_pass), self.turn.game.all_dice)
        times, plus, left = np.array(self.options).T
        while len(still):
            offer = self._thrown(random, points, dice)
            scored = offer != BUST
            still, points, offer = still[scored], points[scored], offer[scored]
            picked = self.picks(points // self.step, offer)
            points, dice = times[picked] * points + plus[picked], left[picked]
            if self.turn.room is not None:
                within = (points <= self.turn.room) | (dice == 0)
                still, points, dice = still[within], points[within], dice[within]
            won = dice == 0
            may = self.banks(points // self.step, dice)
            need = to_pass[still]
            stops = np.where(need < 0, may == 2, (may > 0) & (points > need)) | won
            brought[still[stops]] = np.where(won, WON_AT_ONCE, points)[stops]
            still, points, dice = still[~stops], points[~stops], dice[~stops]
        return brought

    def _thrown(self, random: Generator, points: Ints, dice: Ints) -> Ints:
        """What the throws offer."""
        import numpy as np

        base = self.turn.game.all_dice + 1
        powers = base ** np.arange(6)
        codes = np.empty(len(dice), np.int64)
        for many in self.turn.sizes:
            who = np.flatnonzero(dice == many)
            thrown = throw_dice(random, self.turn.die, (many, len(who)))
            codes[who] = powers[thrown].sum(axis=0)
            if getattr(self.turn.game, "prediction", None):
                announced = self.announces(points[who] // self.step, dice[who])
                codes[who] += base**6 * (thrown.sum(axis=0) + many == announced)
        return self.places[codes]


def throw_dice(random: Generator, die: Die, shape: tuple[int, ...]) -> Ints:
    """Throws of a die, counted from 0 for face 1."""
    if die == FAIR:
        return random.integers(0, 6, shape, "uint8")
    return random.choice(6, shape, p=[*map(float, die.chances)]).astype("uint8")


@dataclass(frozen=True)
class ManyTurns:
    play: TurnPlay
    block: int = 2**16

    def run(self, seed: int, number: int) -> Ints:
        import numpy as np

        return self.play.run(np.random.default_rng([seed, number]), np.full(self.block, -1))


class ManyGames:
    """Games in which only scores, misses and who has opened pass from turn to turn."""

    block = 1000

    def __init__(self, game: Any, rules: list[Any], die: Die) -> None:
        self.game = game
        self.plays = [
            {has: TurnPlay(game, rule, die, has) for has in (False, True)} for rule in rules
        ]

    def run(self, seed: int, number: int) -> Ints:
        import numpy as np

        random = np.random.default_rng([seed, number])
        many = len(self.plays)
        scores, misses = np.zeros((2, self.block, many), np.int64)
        opened = np.zeros((self.block, many), bool)
        leader, opener = np.full((2, self.block), -1)
        turns = np.zeros(self.block, np.int64)
        still, player, turn = np.arange(self.block), 0, 0
        while len(still):
            best = scores[still, leader[still]]  # of the one that leads, if there is one
            led, mine = leader[still] >= 0, scores[still, player]
            to_pass = np.where(led, best - mine, -1)
            brought = self._turn(random, player, opened[still, player], to_pass)
            won = brought == WON_AT_ONCE
            mine = mine + np.where(won, 0, brought)
            mine, missed = self._settled(mine, brought, misses[still, player])
            scores[still, player], misses[still, player] = mine, missed
            opened[still, player] |= brought > 0
            turns[still] = turn = short_enough(turn + 1)
            leads = won | ((brought > 0) & (mine > np.where(led, best, self.game.target - 1)))
            leader[still[leads]] = player
            opener[still[leads & (opener[still] < 0)]] = player
            player = (player + 1) % many
            over = won | (opener[still] == player)
            if not getattr(self.game, "last_round", False):
                over |= leads
            still = still[~over]
        return np.column_stack([leader[:, None] == np.arange(many), scores, turns])

    def _turn(self, random: Generator, player: int, opened: Ints, to_pass: Ints) -> Ints:
        import numpy as np

        brought = np.empty(len(opened), np.int64)
        for has in (False, True):
            who = np.flatnonzero(opened == has)
            brought[who] = self.plays[player][has].run(random, to_pass[who])
        return brought

    def _settled(self, scores: Ints, brought: Ints, misses: Ints) -> tuple[Ints, Ints]:
        """The scores and misses after a turn, three misses paid for."""
        import numpy as np

        misses = np.where(brought != 0, 0, misses + 1)
        if self.game.after_three_misses(0) is not None:
            third = misses == 3
            paid = [self.game.after_three_misses(score) for score in scores[third].tolist()]
            scores[third], misses[third] = paid, 0
        return scores, misses
