"""A second opinion on chances and best turns, written from the rules alone.

Nothing of the library is used: every throw is counted, every legal choice is tried.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations as choose
from itertools import combinations_with_replacement, permutations

Throw = tuple[int, ...]  # always sorted
Rows = dict[Throw, int]
Points = int | str  # "win" for the throw that wins at once
FACES = range(1, 7)


@cache
def throws(n: int) -> dict[Throw, int]:
    """Every sorted throw of n dice with the number of its orders, 6**n in all."""
    return {
        t: math.factorial(n) // math.prod(math.factorial(c) for c in Counter(t).values())
        for t in combinations_with_replacement(FACES, n)
    }


def split(dice: Throw, rows: Rows) -> int | None:
    """Points of the best split into rows with no die left over; None when there is none."""
    if not dice:
        return 0
    found = []
    for row, points in rows.items():
        if row[0] == dice[0] and all(row.count(d) <= dice.count(d) for d in row):
            left = tuple(sorted((Counter(dice) - Counter(row)).elements()))
            if (rest := split(left, rows)) is not None:
                found.append(points + rest)
    return max(found, default=None)


@dataclass
class Game:
    """What matters to one turn. rows: by the number of dice thrown."""

    n: int
    rows: dict[int, Rows]
    forced: bool = False
    wins: frozenset[Throw] = frozenset()
    must: bool = False
    prediction: str | None = None
    opening: int = 0
    minimum: int = 0
    nothing: int = 0  # points of a throw of all the dice that scores nothing else
    memo: dict[tuple[Throw, int], int | None] = field(default_factory=dict)  # of splits

    def set_asides(self, throw: Throw) -> dict[Throw, int]:
        """Every legal set of dice to set aside, with its points."""
        found, n = {}, len(throw)
        for part in {part for k in range(n) for part in choose(throw, k + 1)}:
            if (part, n) not in self.memo:
                self.memo[part, n] = split(part, self.rows[n])
            if (points := self.memo[part, n]) is not None:
                found[part] = points
        if not found and self.nothing and n == self.n:
            found[throw] = self.nothing
        if self.forced and found:
            most = max(found, key=lambda s: (found[s], len(s)))
            found = {most: found[most]}
        return found

    def best(self, throw: Throw) -> tuple[int, int]:
        """(points, dice) of the set worth most, among equals of most dice; (0, 0) is a bust."""
        return max(((p, len(s)) for s, p in self.set_asides(throw).items()), default=(0, 0))

    def options(self, throw: Throw) -> list[tuple[int, int]]:
        """(points, dice left): the most points for each number of dice left; 0 left is n."""
        most: dict[int, int] = {}
        for part, points in self.set_asides(throw).items():
            left = len(throw) - len(part) or self.n
            most[left] = max(points, most.get(left, 0))
        return [(points, left) for left, points in most.items()]

    def least(self, opened: bool) -> int:
        return self.minimum if opened else max(self.minimum, self.opening)


SINGLES: Rows = {(1,): 100, (5,): 50}
TRIPLETS: Rows = {(f,) * 3: 1000 if f == 1 else 100 * f for f in FACES}
PAIRS: list[Throw] = [(a, a, b, b, c, c) for a, b, c in choose(FACES, 3)]


def alike_rows(*factors: int) -> Rows:
    return {t + t[:1] * i: k * p for t, p in TRIPLETS.items() for i, k in enumerate(factors, 1)}


def farkle(
    three_pairs: int = 1500, alike: str = "table", opening: int = 0, minimum: int = 0
) -> Game:
    if alike == "table":
        same = {(f,) * n: (n - 3) * 1000 for f in FACES for n in (4, 5, 6)}
    else:
        same = alike_rows(*{"multiples": (2, 3, 4), "doubling": (2, 4, 8)}[alike])
    rows = SINGLES | TRIPLETS | same | {(1, 2, 3, 4, 5, 6): 1500}
    rows |= dict.fromkeys(PAIRS, three_pairs)
    for a, b in permutations(FACES, 2):
        rows[tuple(sorted((a,) * 4 + (b,) * 2))] = 1500
        rows[tuple(sorted((a,) * 3 + (b,) * 3))] = 2500
    return Game(6, dict.fromkeys(range(1, 7), rows), opening=opening, minimum=minimum)


def pyfarkle() -> Game:
    rows = SINGLES | TRIPLETS | alike_rows(2, 3, 4) | {(1, 2, 3, 4, 5, 6): 1500}
    return Game(6, dict.fromkeys(range(1, 7), rows | dict.fromkeys(PAIRS, 750)))


def busche() -> Game:
    rows = SINGLES | TRIPLETS | alike_rows(2, 4, 8) | {(1, 2, 3, 4, 5, 6): 1500}
    for a, b, c in combinations_with_replacement(FACES, 3):  # faces may repeat
        rows[a, a, b, b, c, c] = max(1500, rows.get((a, a, b, b, c, c), 0))
    return Game(6, dict.fromkeys(range(1, 7), rows), minimum=300, nothing=500)


def five_thousand(
    opening: int = 750,
    minimum: int = 500,
    keep: str = "all",
    combinations: str = "five dice",
    small_straight: int = 1500,
    large_straight: int = 1500,
    wins_at_once: str | None = "five 5s",
    full_hand: str = "may",
    prediction: str | None = None,
) -> Game:
    straights = {(1, 2, 3, 4, 5): small_straight, (2, 3, 4, 5, 6): large_straight}
    rows = {n: SINGLES | (TRIPLETS if combinations == "any throw" else {}) for n in range(1, 5)}
    rows[5] = SINGLES | TRIPLETS | {s: p for s, p in straights.items() if p}  # 0: no row
    won = {None: (), "five 5s": (5,), "five 1s": (1,), "five alike": FACES}[wins_at_once]
    wins = frozenset((f,) * 5 for f in won)
    return Game(5, rows, keep == "all", wins, full_hand == "must", prediction, opening, minimum)


@dataclass
class BestTurn:
    value: float  # mean points of the turn
    bank_at: dict[int, float]  # dice left: bank at or above
    throw_value: dict[tuple[int, int], float]  # (points in the turn, dice to throw): mean


def best_turn_float(
    game: Game,
    opened: bool = True,
    score: int = 0,
    win: float = 5000.0,
    bust: float = 0.0,
    cap: int = 25_000,
) -> BestTurn:
    """The greatest mean of a turn, by backward induction over (points, dice left).

    From cap on (above every finite bank_at) the best play is the same at any points, so the
    mean of a throw is a line in the points. The lines are found first: the cut-off costs nothing.
    """
    least, n, dice = game.least(opened), game.n, range(1, game.n + 1)
    # throws alike in all that matters taken together: {(announced sum, options): ways}
    table = {d: Counter[tuple[int, tuple[tuple[int, int], ...]]]() for d in dice}
    for d in dice:
        for throw in throws(d).keys() - game.wins:
            total = sum(throw) if d == 2 and game.prediction else 0
            table[d][total, tuple(sorted(game.options(throw)))] += throws(d)[throw]
    orders = {d: sum(throws(d).values()) for d in dice}
    won = {d: orders[d] - table[d].total() for d in dice}

    def guessed(t: float, p: int) -> float:
        if game.prediction == "throw":
            return t + 2 * p
        return 2 * (t + p) + (score if game.prediction == "total" else 0)

    def mean(d: int, t: float, after: Callable[[float, int], float]) -> float:
        total, gain = won[d] * win, [0.0] * 13  # gain[0]: nothing announced
        for (announced, options), ways in table[d].items():
            if not options:
                total += ways * bust
                continue
            plain = max([after(t + p, left) for p, left in options])
            total += ways * plain
            if announced:
                right = max(after(guessed(t, p), left) for p, left in options)
                gain[announced] += ways * (right - plain)
        return (total + max(gain)) / orders[d]

    line = dict.fromkeys(dice, (0.0, 0.0))  # slope, height

    def beyond(t: float, left: int) -> float:
        thrown = line[left][0] * t + line[left][1]
        return thrown if game.must and left == n else max(t, thrown)

    for _ in range(200):
        for d in dice:
            slope = (mean(d, 2 * cap, beyond) - mean(d, cap, beyond)) / cap
            line[d] = slope, mean(d, cap, beyond) - slope * cap

    step = math.gcd(score, *(p for d in dice for _, options in table[d] for p, _ in options))
    thrown: dict[tuple[int, int], float] = {}
    best: dict[tuple[int, int], float] = {}
    bank_at = dict.fromkeys(dice, math.inf)

    def after(t: float, left: int) -> float:
        return best[int(t), left] if t < cap else beyond(t, left)

    for t in range((cap - 1) // step * step, -1, -step):
        for d in dice:
            best[t, d] = thrown[t, d] = mean(d, t, after)
            if t >= least and t > thrown[t, d] - 1e-9 and not (game.must and d == n):
                best[t, d], bank_at[d] = t, t  # without gaps in every game tried
    return BestTurn(thrown[0, n], bank_at, thrown)


def turn_distribution(
    game: Game, bank_at: int, opened: bool = True, neglect: Fraction = Fraction(0)
) -> dict[Points, Fraction]:
    """Exact distribution of the turn's points: most points set aside, bank at bank_at.

    No bank below the minimum or opening. Under "must" a turn may last for ever: states less
    likely than neglect are dropped.
    """
    bank_at = max(bank_at, game.least(opened))
    states: dict[int, dict[int, Fraction]] = {0: {game.n: Fraction(1)}}
    ends: dict[Points, Fraction] = defaultdict(Fraction)
    moves = {d: Counter[tuple[Points, int]]() for d in range(1, game.n + 1)}
    for d, ways in moves.items():
        for throw, count in throws(d).items():
            best, used = game.best(throw)
            ways[("win", 0) if throw in game.wins else (best, d - used or game.n)] += count
    while states:
        t = min(states)
        for d, chance in states.pop(t).items():
            if chance < neglect:
                continue
            for (points, left), count in moves[d].items():
                share = chance * Fraction(count, 6**d)
                if points == 0 or isinstance(points, str):
                    ends[points] += share
                elif t + points >= bank_at and not (game.must and left == game.n):
                    ends[t + points] += share
                else:
                    to = states.setdefault(t + points, defaultdict(Fraction))
                    to[left] += share
    return dict(ends)


def best_points(game: Game, n: int) -> dict[Points, Fraction]:
    """Distribution of the most points one throw of n dice can score; 0 is a bust."""
    ways: Counter[Points] = Counter()
    for throw, count in throws(n).items():
        ways["win" if throw in game.wins else game.best(throw)[0]] += count
    return {points: Fraction(count, 6**n) for points, count in ways.items()}


def chance(n: int, event: Callable[[Throw], bool]) -> Fraction:
    return Fraction(sum(count for t, count in throws(n).items() if event(t)), 6**n)


def contains(pattern: str) -> Callable[[Throw], bool]:
    """Is the pattern in the throw? Digits are faces; letters any faces, different ones differ."""
    letters = sorted(set(pattern) - set("123456"))
    wanted = [
        Counter(int(dict(zip(letters, faces, strict=True)).get(c, c)) for c in pattern)
        for faces in permutations(FACES, len(letters))
    ]
    return lambda throw: any(w <= Counter(throw) for w in wanted)


FARKLE_ROWS = "1 5 111 aaa aaaa aaaaa aaaaaa 123456 aabbcc aaaabb aaabbb"
FIVE_THOUSAND_ROWS = "1 5 111 aaa 12345 23456 11111 55555 aaaaa"
POKER_ROWS = "aa aabb aaa 12345 23456 aaabb aaaa aaaaa"  # pair, two pairs, ..., four, poker


def row_chances(patterns: str, n: int) -> dict[str, Fraction]:
    """Chance that a throw of n dice contains each pattern."""
    return {pattern: chance(n, contains(pattern)) for pattern in patterns.split()}
