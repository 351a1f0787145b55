"""The answers of the later lessons once more, and what each mistake gives, by other means."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import comb, factorial, isqrt, prod

from sympy import Rational, Symbol
from turn_oracle import best_points, farkle, five_thousand, throws, turn_distribution

from dicekit.games.farkle import Farkle
from dicekit.solve.race import best_race

STRAIGHTS = {(1, 2, 3, 4, 5), (2, 3, 4, 5, 6)}


def worth_5000(throw):
    """All that scores in a throw of 5000 (combinations need five dice)."""
    if len(throw) == 5 and tuple(sorted(throw)) in STRAIGHTS:
        return 1500
    points = 0
    for face, count in Counter(throw).items():
        if len(throw) == 5 and count >= 3:
            points += 1000 if face == 1 else 100 * face
            count -= 3
        points += {1: 100, 5: 50}.get(face, 0) * count
    return points


def row(face, count):
    return (count - 3) * face


def best(event, dice):
    throws = list(product(range(1, 7), repeat=dice))
    return Fraction(sum(map(bool, map(event, throws))), len(throws))


def falls():
    gains = {"A": [450], "B": [300, 200], "C": [100, 200]}
    gains["A"].append(50)
    landed = "A"
    while True:
        score = sum(gains[landed])
        other = [who for who in gains if who != landed and sum(gains[who]) == score]
        if not other:
            return sum(gains["C"])
        (landed,) = other
        gains[landed].pop()


SCHOOL = {1: 2, 2: 4, 3: 3, 4: 3, 5: 2, 6: 3}
SUBTOTAL = sum(row(face, count) for face, count in SCHOOL.items())
UNSIGNED = sum(abs(row(face, count)) for face, count in SCHOOL.items())
YATZY = sum(face * count for face, count in SCHOOL.items())
TOTALS = [200, 230, 245]
MEAN = sum(TOTALS) // 3
assert sum(TOTALS) == MEAN * 3


def seven(t):
    return sum(t) == 7


def scores(t):
    return worth_5000(t) > 0


def large(t):
    return sorted(t) == [2, 3, 4, 5, 6]


def straight(t):
    return tuple(sorted(t)) in STRAIGHTS


RIGHT = {
    "03-four-twos": worth_5000((2, 2, 2, 2, 5)),
    "03-two-throws": worth_5000((1, 5)) + worth_5000((1, 1, 4)),
    "03-first-bank": next(p for p in range(0, 5000, 50) if worth_5000((6, 6, 6, 2, 3)) + p >= 750),
    "03-falls": falls(),
    "03-seven": best(lambda t: seven(t) and scores(t), 2),
    "04-school-row": row(4, (4, 4, 1, 2, 6).count(4)),
    "04-school": SUBTOTAL + (50 if SUBTOTAL >= 0 else 0),
    "04-pair": max(2 * f for f in range(1, 7) if (2, 2, 6, 6, 6).count(f) >= 2),
    "04-poker-at-once": 2 * 5 * 4 + 50,
    "04-settlement": TOTALS[0] - MEAN,
    "04-large-straight": best(large, 5),
}
KINDS = 252
MISTAKES = {
    "03-four-twos": {
        "four-alike": 1000 + 50,
        "all-2s": 2 * 200 + 50,
        "no-5": worth_5000((2, 2, 2, 2, 6)),
        "single-2": 200 + 20 + 50,
        "only-5": worth_5000((5,)),
    },
    "03-two-throws": {
        "three-alike": worth_5000((1, 1, 1, 5, 4)),
        "three-alike-added": worth_5000((1, 5)) + 1000,
        "three-alike-only": worth_5000((1, 1, 1, 6, 4)),
        "second-only": worth_5000((1, 1, 4)),
        "one-1": worth_5000((1,)),
        "bust": 0,
    },
    "03-first-bank": {
        "minimum": max(0, 500 - 600),
        "pass": next(p for p in range(0, 5000, 50) if 600 + p > 750),
        "one-throw": 750,
        "have": worth_5000((6, 6, 6, 2, 3)),
        "later-bank": 500,
    },
    "03-falls": {"stops": 100 + 200, "all-lost": 0, "bia": 450 + 50, "gain": 200},
    "03-seven": {
        "any-seven": best(seven, 2),
        "order": best(lambda t: seven(t) and scores(t) and t[0] < t[1], 2),
        "scores": best(scores, 2),
        "of-the-scoring": best(lambda t: seven(t) and scores(t), 2) / best(scores, 2),
        "of-the-sevens": best(lambda t: seven(t) and scores(t), 2) / best(seven, 2),
        "twenty-one": Fraction(2, 21),
        "mixed": 36 * best(lambda t: seven(t) and scores(t), 2) / 21,
    },
    "04-school-row": {
        "sum": 4 + 4,
        "sign": -row(4, 2),
        "missing": 2 - 3,
        "from-five": (2 - 5) * 4,
        "two-missing": -2 * 4,
        "no-negative": 0,
    },
    "04-school": {
        "bonus-anyway": SUBTOTAL + 50,
        "ones-left-out": SUBTOTAL - row(1, 2),
        "not-times-face": sum(count - 3 for count in SCHOOL.values()),
        "without-signs": UNSIGNED + 50,
        "without-signs-or-bonus": UNSIGNED,
        "sum": YATZY,
        "sign": -SUBTOTAL,
    },
    "04-pair": {
        "lower": 2 + 2,
        "three": 6 + 6 + 6,
        "both": 2 + 2 + 6 + 6,
        "all": 2 + 2 + 6 + 6 + 6,
    },
    "04-poker-at-once": {
        "all-doubled": 2 * (20 + 50),
        "not-doubled": 20 + 50,
        "no-bonus": 2 * 20,
        "bonus-only-doubled": 20 + 2 * 50,
    },
    "04-settlement": {
        "sign": MEAN - TOTALS[0],
        "mean": MEAN,
        "to-the-winner": TOTALS[0] - max(TOTALS),
        "median": TOTALS[0] - sorted(TOTALS)[1],
    },
    "04-large-straight": {
        "one-order": Fraction(1, 6**5),
        "both": best(straight, 5),
        "all-different": best(lambda t: len(set(t)) == 5, 5),
        "kinds": Fraction(1, KINDS),
        "equally-likely-as-poker": best(lambda t: len(set(t)) == 1, 5),
    },
}


# Lessons 01 and 05


def kinds(event, dice):
    """The share of a question among the multisets, which are not equally likely."""
    throws = list(combinations_with_replacement(range(1, 7), dice))
    return Fraction(sum(map(event, throws)), len(throws))


def scoring(throw):
    """Whether a 1, a 5 or three alike are there."""
    return bool({1, 5} & set(throw)) or max(Counter(throw).values()) >= 3


def busts(throw):
    return not scoring(throw)


def both_score(throw):
    return {1, 5} >= set(throw)


def three_pairs(throw):
    return sorted(Counter(throw).values()) == [2, 2, 2]


def given(event, condition, share):
    return share(lambda t: event(t) and condition(t), 2) / share(condition, 2)


SINGLES = {1: 100, 5: 50}
TWO_DICE = [sum(SINGLES.get(face, 0) for face in t) for t in product(range(1, 7), repeat=2)]
IN_ORDER = len(set(permutations((1, 1, 1, 5, 5, 6))))
TENS = [t for t in combinations_with_replacement(range(1, 7), 3) if sum(t) == 10]
ALIKE = sum(len(set(t)) == 2 for t in TENS)
TEN = sum(len(set(permutations(t))) for t in TENS)
TWICE = 2 * 4  # dice in the longest bust: each of four faces twice
PAIRS, PAIR_ORDERS, ALL = comb(6, 3), factorial(6) // 2**3, 6**6

RIGHT |= {
    "01-a-six": best(lambda t: 6 in t, 2),
    "01-galileo": TEN,
    "01-orders": IN_ORDER,
    "01-straight": best(lambda t: len(set(t)) == 6, 6),
    "01-at-least-16": best(lambda t: sum(t) >= 16, 3),
    "01-a-quarter": lambda throw: max(throw) <= 3,
    "05-bust-four": best(busts, 4),
    "05-never": TWICE + 1,
    "05-three-pairs": best(three_pairs, 6),
    "05-both": given(both_score, scoring, best),
    "05-fair-two": sum(TWO_DICE) // len(TWO_DICE),
    "05-even-bet": lambda throw: sum(throw) >= 11,
}
MISTAKES |= {
    "01-a-six": {
        "twice": Fraction(6 + 6, 36),
        "exactly-one": best(lambda t: t.count(6) == 1, 2),
        "complement": best(lambda t: 6 not in t, 2),
        "both": best(lambda t: t == (6, 6), 2),
        "one-die": best(lambda t: 6 in t, 1),
        "order": kinds(lambda t: 6 in t, 2),
    },
    "01-galileo": {
        "kinds": len(TENS),
        "all-different": 6 * len(TENS),
        "nine": sum(sum(t) == 9 for t in product(range(1, 7), repeat=3)),
        "alike-once": TEN - 2 * ALIKE,
        "alike-twice": TEN - ALIKE,
    },
    "01-orders": {
        "paint": factorial(6),
        "only-the-1s": factorial(6) // factorial(3),
        "only-the-5s": factorial(6) // factorial(2),
        "added": factorial(6) // (factorial(3) + factorial(2)),
        "added-dice": factorial(6) // (3 + 2),
    },
    "01-straight": {
        "one-order": Fraction(1, ALL),
        "kinds": kinds(lambda t: len(set(t)) == 6, 6),
        "turned-round": Fraction(1, factorial(6)),
        "complement": best(lambda t: len(set(t)) < 6, 6),
    },
    "01-at-least-16": {
        "exactly": best(lambda t: sum(t) == 16, 3),
        "more": best(lambda t: sum(t) > 16, 3),
        "without-18": best(lambda t: sum(t) in (16, 17), 3),
        "kinds": kinds(lambda t: sum(t) >= 16, 3),
        "sums": Fraction(len(range(16, 19)), len(range(3, 19))),
        "complement": best(lambda t: sum(t) < 16, 3),
    },
    "01-a-quarter": {
        "complement": lambda throw: max(throw) > 3,
        "half": lambda throw: sum(throw) % 2 == 0,
        "never": lambda throw: max(throw) > 6,
        "always": lambda throw: sum(throw) >= 2,
        "too-few": lambda throw: max(throw) <= 2,
        "too-many": lambda throw: max(throw) <= 4,
    },
    "05-bust-four": {
        "only-singles": best(lambda t: not {1, 5} & set(t), 4),
        "no-four-alike": Fraction(4**4 - 4 * 4 * 3, 6**4),
        "only-four-alike": Fraction(4**4 - 4, 6**4),
        "place": Fraction(4**4 - 4 * 3 - 4, 6**4),
        "any-odd-die": Fraction(4**4 - 4 * 4 * 5 - 4, 6**4),
        "four-alike-often": Fraction(4**4 - 4 * 4 * 4, 6**4),
        "three-dice": best(busts, 3),
        "kinds": kinds(busts, 4),
        "complement": best(scoring, 4),
    },
    "05-never": {
        "highest": TWICE,
        "once": 4 + 1,
        "six-faces": 2 * 6 + 1,
        "terms": TWICE + 2,
        "game": 6,
        "pairs": 3 * 2 + 1,
    },
    "05-three-pairs": {
        "one-choice": Fraction(PAIR_ORDERS, ALL),
        "no-1-no-5": best(lambda t: three_pairs(t) and not {1, 5} & set(t), 6),
        "faces-in-order": Fraction(6 * 5 * 4 * PAIR_ORDERS, ALL),
        "paint": Fraction(PAIRS * factorial(6), ALL),
        "one-pair": Fraction(PAIRS * factorial(6) // 2, ALL),
        "kinds": kinds(three_pairs, 6),
        "no-orders": Fraction(PAIRS, ALL),
        "complement": best(lambda t: not three_pairs(t), 6),
    },
    "05-both": {
        "no-news": best(both_score, 2),
        "other-die": best(scoring, 1),
        "news": best(scoring, 2),
        "exactly-one": given(lambda t: not both_score(t), scoring, best),
        "kinds": given(both_score, scoring, kinds),
    },
    "05-fair-two": {
        "one-die": sum(SINGLES.values()) // 6,
        "without-busts": sum(TWO_DICE) // sum(map(bool, TWO_DICE)),
        "middle": sum(SINGLES.values()) // 2,
        "product": (sum(SINGLES.values()) // 6) ** 2,
        "likeliest": Counter(TWO_DICE).most_common(1)[0][0],
        "chance": best(scoring, 2),
    },
    "05-even-bet": {
        "one-sum-more": lambda throw: sum(throw) >= 10,
        "one-sum-less": lambda throw: sum(throw) >= 12,
        "all-dice": lambda throw: max(throw) <= 3,
        "never": lambda throw: sum(throw) > 18,
        "always": lambda throw: sum(throw) >= 3,
        "too-seldom": lambda throw: sum(throw) >= 16,
        "too-often": scoring,
    },
}


# Lessons 06, 07 and 10

BUST = Fraction(TWO_DICE.count(0), 36)
GAIN = Fraction(sum(TWO_DICE), 36)
BANK_500, BANK_300 = (turn_distribution(farkle(), points) for points in (500, 300))
FIRST_THROW = best_points(farkle(), 6)


def hot(throw):
    return len(set(throw)) == 1 or set(throw) <= {1, 5}


def from_500(distribution):
    return sum(chance for points, chance in distribution.items() if points >= 500)


def first_hit(turn, hit=Fraction(1, 4)):
    return (1 - hit) ** (turn - 1) * hit


def in_a_row(misses, q=Fraction(1, 2)):
    """The mean wait for so many in a row: to get one further, again and again from 0 if it fails"""
    return (in_a_row(misses - 1, q) + 1) / q if misses else 0


def ones(n, least, most, p=Fraction(1, 4)):
    throws = product((True, False), repeat=n)
    return sum(p ** sum(t) * (1 - p) ** (n - sum(t)) for t in throws if least <= sum(t) <= most)


@cache
def moves(dice):
    found = Counter()
    for throw, ways in throws(dice).items():
        points, used = farkle().best(throw)
        found[points, dice - used or 6] += ways / 6**dice
    return found


@cache
def turn(rule):
    """What a turn of Farkle brings under a rule, the most points set aside; in floats."""
    found, states = Counter(), {0: {6: 1.0}}
    while states:
        before = min(states)
        for dice, chance in states.pop(before).items():
            for (points, left), share in moves(dice).items():
                after, here = before + points, chance * share
                if points and here > 1e-15 and not rule(after, left):
                    states.setdefault(after, Counter())[left] += here
                else:
                    found[after if points else 0] += here
    return found


def mean(rule):
    return sum(points * chance for points, chance in turn(rule).items())


def turns_to_1000(rule):
    once, to_go = turn(rule), {}
    for score in range(950, -1, -50):
        rest = sum(chance * to_go.get(score + points, 0) for points, chance in once.items())
        to_go[score] = (1 + rest) / (1 - once[0])
    return to_go[0]


def banks_at(least):
    return lambda points, dice: points >= least


def never(points, dice):
    return False


def at_once(points, dice):
    return True


def hot_dice_go_on(points, dice):
    return points >= (2000 if dice == 6 else 300)


def two_dice_stop(points, dice):
    return dice == 2 or points >= 300


def polynomial(values):
    """The one of degree two through the values at 0, 1 and -1."""
    at_0, at_1, at_minus_1 = values
    p = Symbol("p")
    return at_0 + (at_1 - at_minus_1) / 2 * p + ((at_1 + at_minus_1) / 2 - at_0) * p**2


def bust_two(p, five=None):
    """Two dice, case by case; the 5 is as likely as the other faces if not given."""
    five = (1 - p) / 5 if five is None else five
    losing = [(1 - p - five) / 4] * 4
    return sum(red * blue for red, blue in product(losing, repeat=2))


def in_p(function):
    return polynomial([Rational(function(Rational(at))) for at in (0, 1, -1)])


P4, P6 = Fraction(1, 4), Fraction(1, 6)
SLOPE = [-3 * Fraction(64 - 4, 125) * (1 - p) ** 2 for p in (P6, 0)]

RIGHT |= {
    "06-fair": 350 * 4 // 5,
    "06-indifferent-two": GAIN / BUST,
    "06-hot-three": best(hot, 3),
    "06-same": 4 * (225 - 75) // 2,
    "06-at-least-500": from_500(BANK_500),
    "06-my-rule": hot_dice_go_on,
    "07-third": first_hit(3),
    "07-memory": 1 - sum(map(first_hit, (1, 2, 3))),
    "07-three": int(in_a_row(3)),
    "07-in-a-row": lambda misses: int(in_a_row(misses)),
    "07-fine": 1000 / in_a_row(3),
    "07-too-far": 22 * 480 - 10_000,
    "07-quick": two_dice_stop,
    "10-bust-two": in_p(bust_two),
    "10-slope": int(SLOPE[0]),
    "10-row": ones(5, 3, 5),
    "10-one-die": Fraction(200 - 250 // 5, 300 - 250 // 5),
}
MISTAKES |= {
    "06-fair": {
        "as-much": 350,
        "lost-on-average": BUST * 350,
        "upside-down": Fraction(350 * 5, 4),
        "all": 4 * 350,
        "with-the-350": 350 + 280,
    },
    "06-indifferent-two": {
        "loss": BUST * 350,
        "gain": int(GAIN),
        "given-it-scores": int(GAIN / (1 - BUST)),
        "every-throw-scores": GAIN / (1 - BUST) / BUST,
        "one-die": Fraction(100 + 50, 4),
    },
    "06-hot-three": {
        "only-singles": best(lambda t: set(t) <= {1, 5}, 3),
        "twice": best(lambda t: set(t) <= {1, 5}, 3) + best(lambda t: len(set(t)) == 1, 3),
        "two-dice": best(lambda t: set(t) <= {1, 5}, 2),
        "three-alike": best(lambda t: len(set(t)) == 1, 3),
        "some": best(lambda t: {1, 5} & set(t) or len(set(t)) == 1, 3),
        "complement": 1 - best(hot, 3),
    },
    "06-same": {
        "quarter": (225 - 75) // 2,
        "half": 225 - 75,
        "sign": Fraction(225 - 75, 2) / Fraction(3, 4),
        "numbers-added": 4 * (225 + 75) // 2,
    },
    "06-at-least-500": {
        "complement": BANK_500[0],
        "bank-at-300": from_500(BANK_300),
        "other-rule": 1 - BANK_300[0],
        "exactly": BANK_500[500],
        "first-throw": from_500(FIRST_THROW),
    },
    "06-my-rule": {
        "never": never,
        "at-once": at_once,
        "bank-at-300": banks_at(300),
        "too-bold": banks_at(1000),
    },
    "07-third": {
        "three-misses": (1 - P4) ** 3,
        "no-hit": (1 - P4) ** 2,
        "within": sum(map(first_hit, (1, 2, 3))),
        "three-hits": P4**3,
        "fourth": first_hit(4),
        "swapped": P4**2 * (1 - P4),
    },
    "07-memory": {
        "all-nine": 1 - sum(map(first_hit, range(1, 10))),
        "complement": sum(map(first_hit, (1, 2, 3))),
        "hits": P4**3,
        "one-more": 1 - sum(map(first_hit, (1, 2, 3, 4))),
        "exactly-third": first_hit(3),
    },
    "07-three": {
        "one-over": 2**3,
        "blocks": 3 * 2**3,
        "any-three": 3 * 2,
        "last-left-out": int(in_a_row(3) - 2),
    },
    "07-in-a-row": {
        "one-over": lambda misses: 2**misses,
        "blocks": lambda misses: misses * 2**misses,
        "any": lambda misses: misses * 2,
        "two-more": lambda misses: int(in_a_row(misses)) + 2,
        "one-fewer": lambda misses: int(in_a_row(misses - 1)),
    },
    "07-fine": {
        "third-power": 1000 // 2**3,
        "every-miss": 1000 // 2,
        "a-third": Fraction(1000, 3),
        "turns": int(in_a_row(3)),
    },
    "07-too-far": {
        "score": 22 * 480,
        "half-a-turn": 480 // 2,
        "one-turn": 480,
        "one-turn-less": 21 * 480 - 10_000,
    },
    "07-quick": {
        "never": never,
        "bank-at-300": banks_at(300),
        "at-once": at_once,
        "bank-at-500": banks_at(500),
    },
    "10-bust-two": {
        "forgot-the-five": in_p(lambda p: bust_two(p, five=0)),
        "one-die": in_p(lambda p: 4 * (1 - p) / 5),
        "complement": in_p(lambda p: 1 - bust_two(p)),
        "fair": bust_two(P6),
        "a-quarter": bust_two(P4),
        "five-stays": in_p(lambda p: bust_two(p, five=Rational(1, 6))),
        "not-shared": in_p(lambda p: sum((1 - p) ** 2 for _ in product(range(4), repeat=2))),
        "added": in_p(lambda p: 2 * 4 * (1 - p) / 5),
    },
    "10-slope": {
        "sign": -int(SLOPE[0]),
        "value": Fraction(64 - 4, 216),
        "at-zero": SLOPE[1],
        "no-square": SLOPE[0] / (1 - P6),
        "no-three": SLOPE[0] / 3,
    },
    "10-row": {
        "exactly": ones(5, 3, 3),
        "one-order": ones(5, 3, 3) / 10,
        "three-dice": ones(3, 3, 3),
        "rest-forgotten": 10 * ones(3, 3, 3),
        "complement": ones(5, 0, 2),
        "fair": ones(5, 3, 5, P6),
    },
    "10-one-die": {
        "forgot-the-five": Fraction(200, 300),
        "five-as-likely": Fraction(200, 300 + 250),
        "even": (Fraction(1, 2) - Fraction(1, 5)) / (1 - Fraction(1, 5)),
        "five-stays": (200 - 250 * P6) / 300,
        "gain-only": Fraction(160, 160 + 100),
    },
}


# Lesson 11


def variance_of_a_mean(n):
    """Of n coins, each 1 or -1."""
    return Fraction(sum(sum(coins) ** 2 for coins in product((1, -1), repeat=n)), 2**n * n**2)


def outside(counts):
    """Which faces came so often, or so rarely, that a fair die does it in less than 2.5 %."""
    ways = [comb(60, k) * 5 ** (60 - k) for k in range(61)]
    tails = {face: min(sum(ways[: n + 1]), sum(ways[n:])) for face, n in counts.items()}
    return {face for face, tail in tails.items() if tail * 40 < 6**60}


SIXTY = {1: 17, 2: 10, 3: 4, 4: 8, 5: 5, 6: 16}
ACCUSED, HOLDS = Fraction(1, 20), Fraction(19, 20)
FOUR = next(n for n in range(2, 9) if variance_of_a_mean(n) == variance_of_a_mean(1) / 2**2)
SQUARES = Fraction(sum((x - y) ** 2 for x, y in product((3, -3), (4, -4))), 4)

RIGHT |= {
    "11-half-error": FOUR * 10_000,
    "11-all-thirty": prod([HOLDS] * 30),
    "11-difference": isqrt(int(SQUARES)),
    "11-outside": outside(SIXTY),
    "11-p-value": "B",
    "11-innocent": 100 * ones(6, 1, 6, ACCUSED),
    "11-quicker": hot_dice_go_on,
}
MISTAKES |= {
    "11-half-error": {"twice": 20_000, "half": 5000, "quarter": 10_000 // FOUR, "factor": FOUR},
    "11-all-thirty": {
        "complement": 1 - prod([HOLDS] * 30),
        "one": HOLDS,
        "added": 1 - 30 * ACCUSED,
        "all-miss": prod([ACCUSED] * 30),
        "how-many-miss": 30 * ACCUSED,
    },
    "11-difference": {
        "added": 3 + 4,
        "subtracted": 4 - 3,
        "forgot-the-root": int(SQUARES),
        "mean": Fraction(3 + 4, 2),
    },
    "11-outside": {
        "too-often": {face for face in outside(SIXTY) if SIXTY[face] > 10},
        "too-rarely": {face for face in outside(SIXTY) if SIXTY[face] < 10},
        "ends": {face for face, n in SIXTY.items() if not 5 < n < 16},
        "not-ten": {face for face, n in SIXTY.items() if n != 10},
        "inside": SIXTY.keys() - outside(SIXTY),
        "counts": {SIXTY[face] for face in outside(SIXTY)},
    },
    "11-p-value": {"fair": "A", "loaded": "C", "how-much": "D"},
    "11-innocent": {
        "opposite-twisted": 100 * (1 - ones(6, 6, 6, ACCUSED)),
        "added": 100 * 6 * ACCUSED,
        "none": 100 * ones(6, 0, 0, ACCUSED),
        "one-die": 100 * ACCUSED,
        "exactly-one": 100 * ones(6, 1, 1, ACCUSED),
        "chance": ones(6, 1, 6, ACCUSED),
    },
    "11-quicker": {
        "never": never,
        "bank-at-300": banks_at(300),
        "at-once": at_once,
        "bank-at-500": banks_at(500),
    },
}


# Lesson 08

HIT = best(lambda t: 6 in t, 3)
ROW_5, ROW_6 = row(5, 5 * HIT), row(6, 5 * HIT)
IN_5, IN_6 = row(5, 2) + ROW_6, row(6, 2) + ROW_5  # 5-5-6-6-1


def held(*kept):
    """5-5-6-6-1, one throw left: what these dice are worth."""
    total = 0
    for throw in product(range(1, 7), repeat=5 - len(kept)):
        fives, sixes = (kept + throw).count(5), (kept + throw).count(6)
        total += max(row(5, fives) + ROW_6, row(6, sixes) + ROW_5)
    return total / 6 ** (5 - len(kept))


IDEAS = {"A": held(5, 5, 6, 6), "B": held(6, 6), "C": held(5, 5), "D": held()}


def in_one_of_the_orders(throw):
    return sorted(throw) == [3, 4, 5, 6, 6]


LINES = [(row(6, 2 + t.count(6)), t.count(6)) for t in product(range(1, 7), repeat=3)]


RIGHT |= {
    "08-last-throw": sum(points for points, _ in LINES) // 6**3,
    "08-three-throws": HIT,
    "08-which-row": max(IN_5, IN_6) - min(IN_5, IN_6),
    "08-hold": max(IDEAS, key=IDEAS.get),
    "08-open-rows": sum(comb(9, rows) for rows in range(10)),
    "08-bonus": "B",
    "08-own-row": in_one_of_the_orders,
}
MISTAKES |= {
    "08-last-throw": {
        "gain": 3 * 6 // 6,
        "likeliest": row(6, 2),
        "not-divided": sum(points for points, _ in LINES),
        "sixes": Fraction(3, 6),
        "six-missing": 2 - 3,
        "half-a-six": 2 + Fraction(3, 6) - 3,
        "forgot-the-two": Fraction(3, 6) - 3,
        "how-many": 2 + Fraction(3, 6),
        "not-less-three": 6 * 5 // 2,
        "one-comes": row(6, 3),
        "only-none": Fraction(sum(points for points, sixes in LINES if sixes == 0), 6**3),
        "forgot-last": Fraction(sum(points for points, sixes in LINES if sixes < 3), 6**3),
        "forgot-last-not-divided": sum(points for points, sixes in LINES if sixes < 3),
    },
    "08-three-throws": {
        "added": 3 * Fraction(1, 6),
        "complement": 1 - HIT,
        "all-three": Fraction(1, 6**3),
        "exactly-one": best(lambda t: t.count(6) == 1, 3),
        "third": first_hit(3, Fraction(1, 6)),
        "two": best(lambda t: 6 in t, 2),
        "one-fails": Fraction(5, 6),
        "brackets": 1 - Fraction(5, 6**3),
        "four": best(lambda t: 6 in t, 4),
    },
    "08-which-row": {
        "now": row(5, 2) - row(6, 2),
        "later": ROW_5 - ROW_6,
        "sign": min(IN_5, IN_6) - max(IN_5, IN_6),
        "added": (row(5, 2) + ROW_5) - (row(6, 2) + ROW_6),
        "name-5": 5,
        "name-6": 6,
        "sum-5": IN_5,
        "sum-6": IN_6,
        "now-sign": row(6, 2) - row(5, 2),
        "later-sign": ROW_6 - ROW_5,
        "hits": 5 * HIT,
        "rounded": Fraction(1, 10),
    },
    "08-hold": {"both": "A", "fives": "C", "nothing": "D"},
    "08-open-rows": {
        "order": factorial(9),
        "added": 2 * 9,
        "square": 9**2,
        "ends": sum(comb(9, rows) for rows in range(1, 10)),
        "how-many": len(range(10)),
        "rows": 9,
        "sum": sum(range(10)),
        "eight": 2**8,
        "ten": 2**10,
        "part-one": 2**6,
        "no-power": 2 ^ 9,
    },
    "08-bonus": {"rounding": "A", "dice": "C"},
    "08-own-row": {
        "never": lambda throw: throw == (2, 1, 3, 4, 6),
        "always": lambda throw: sum(throw) > 4,
        "straight": lambda throw: throw == (2, 3, 4, 5, 6),
        "two-pairs": lambda throw: throw == (1, 1, 2, 2, 3),
        "three-alike": lambda throw: throw == (1, 1, 1, 2, 3),
        "one-full-house": lambda throw: throw == (1, 1, 1, 2, 2),
        "alike": lambda throw: len(set(throw)) == 1,
        "full-house": lambda throw: sorted(map(throw.count, set(throw))) == [2, 3],
        "all-different": lambda throw: len(set(throw)) == 5,
        "too-often": lambda throw: 6 in throw,
        "too-rarely": lambda throw: throw == (1, 1, 1, 1, 2),
    },
}


# Lesson 09


def begins(p, throws=10**6):
    """The chance of who begins, if a throw wins with chance p: the first, the third, ..."""
    both_fail = (1 - p) ** 2
    return p * (1 - both_fail**throws if throws < 10 else 1) / (1 - both_fail)


def one_all(mine, theirs):
    """The coin race to 300, 1 to 1, by the heads after which each banks."""
    known = {(2, 2): begins(HALF), (1, 2): Fraction(2, 5)}
    (c, q), (d, r) = (
        (1 if heads == 2 else 1 - known[1, 2], HALF**heads) for heads in (mine, theirs)
    )
    # x = c q + (1 - q)(1 - y), y = d r + (1 - r)(1 - x)
    return (c * q + (1 - q) * (1 - d * r - (1 - r))) / (1 - (1 - q) * (1 - r))


def enough(t):
    """What the last turn wins after two dice, with 400 points, if 500 are needed."""
    points = sum(SINGLES.get(face, 0) for face in t)
    return 1 if points >= 100 else THIRD if points else 0


HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
BEHIND = HALF**2 / (1 - 3 * HALF**3)  # y = 1/4 + 3/4 (1 - x), where 1 - x = y/2
PAIR = list(product(range(1, 7), repeat=2))
HEAD_STARTS = [h for h in range(0, 1000, 50) if best_race(Farkle()).chance(0, h) < 0.5]
LAST = sum(map(enough, PAIR)) / Fraction(36)
SETTLED = 2 - Fraction(2, 3)

RIGHT |= {
    "09-begins": begins(THIRD),
    "09-one-all": one_all(2, 2),
    "09-same-race": lambda throw: throw[0] == throw[1],
    "09-head-start": HEAD_STARTS[0],
    "09-last-turn": LAST,
    "09-settlement": SETTLED,
}
MISTAKES |= {
    "09-begins": {
        "first-throw": THIRD,
        "equal": HALF,
        "second": 1 - begins(THIRD),
        "both": 1 - (1 - THIRD) ** 2,
        "two-throws": begins(THIRD, 2),
        "coin": begins(HALF),
        "one-face": begins(Fraction(1, 6)),
        "one-face-once": Fraction(1, 6),
    },
    "09-one-all": {
        "bank": one_all(1, 1),
        "one-toss": begins(HALF),
        "equal": HALF,
        "second": 1 - one_all(2, 2),
        "turn": HALF**2,
        "you-bank": one_all(2, 1),
        "behind": BEHIND,
        "ahead": 1 - BEHIND / 2,
        "other-tosses": one_all(1, 2),
        "two-turns": 1 - (1 - HALF**2) ** 2,
    },
    "09-same-race": {
        "at-least-one": lambda throw: 6 in throw,
        "complement": lambda throw: sum(throw) != 7,
        "half": lambda throw: sum(throw) % 2 == 0,
        "one-throw": lambda throw: sum(throw) == 12,
        "never": lambda throw: sum(throw) > 12,
        "always": lambda throw: sum(throw) >= 2,
        "often": lambda throw: max(throw) <= 4,
        "seldom": lambda throw: sum(throw) == 4,
    },
    "09-head-start": {
        "fairest": best_race(Farkle()).handicap(),
        "whole-turn": 600,
        "first": 50,
        "one-more": HEAD_STARTS[1],
        "none": 0,
        "example": 100,
        "less": HEAD_STARTS[0] - 100,
        "between": HEAD_STARTS[0] - 25,
    },
    "09-last-turn": {
        "any-score": 1 - BUST,
        "gives-up": best(lambda t: enough(t) == 1, 2),
        "bust": BUST,
        "only-ones": best(lambda t: 1 in t, 2),
        "complement": 1 - LAST,
        "order": sum(enough(t) for t in PAIR if t[0] <= t[1]) / Fraction(36),
        "one-die": sum(enough(t) for t in PAIR if t != (5, 5)) / Fraction(36),
        "two-fives": sum(1 if 1 in t else THIRD for t in PAIR if {1, 5} & set(t)) / 36,
        "both-score": THIRD**2,
        "single-five": best(lambda t: enough(t) == THIRD, 2),
        "twice": best(lambda t: enough(t) == 1, 2) + Fraction(1, 36),
        "guess": HALF,
    },
    "09-settlement": {
        "mean-forgotten": 2,
        "mean-only": 2 - SETTLED,
        "two-players": 2 - Fraction(2, 2),
        "added": 2 + Fraction(2, 3),
        "balance": 0,
        "three-times": 3 * 2,
        "four-players": 2 - Fraction(2, 4),
    },
}


# Lesson 12


def equally_many(share):
    """The one who begins, if so many games of 100 need equally many turns."""
    return Fraction(share + (100 - share) // 2, 100)


def lands(t):
    return worth_5000(t) == 50


def five(t):
    return t.count(5) == 1 and 1 not in t


def announced(points, doubled=lambda before, throw: before + throw, scoring=True):
    """What to announce 7 brings more; all that is added to the turn, over 36 throws."""
    made = [worth_5000(t) for t in product(range(1, 7), repeat=2) if seven(t)]
    return Fraction(sum(doubled(points, now) for now in made if now or not scoring), 36)


def stolen(bank, worth=lambda bank, throw: bank + throw):
    made = [worth_5000(t) for t in product(range(1, 7), repeat=2)]
    return Fraction(sum(worth(bank, now) for now in made if now), 36)


def waits(zeros):
    """By turns, how likely 2,000 points of 5000 are reached, for one who banks at 500."""
    turns = [turn_distribution(five_thousand(), 500, opened) for opened in (False, True)]
    turns = [{points: float(share) for points, share in turn.items()} for turn in turns]
    states, found = {(None, 0): 1.0}, []  # no score before the opening; the zeros in a row
    for _ in range(200):
        done, after = 0, Counter()
        for (score, missed), chance in states.items():
            for points, share in turns[score is not None].items():
                if points == "win" or (score or 0) + points >= 2000:
                    done += chance * share
                elif points:
                    after[(score or 0) + points, 0] += chance * share
                else:
                    lost = zeros and missed == 2
                    after[score and 0 if lost else score, (missed + 1) % 3] += chance * share
        states = after
        found.append(done)
    return found


def digits(number):
    return Fraction(f"{number:.10f}")


EQUAL, EQUAL_ZEROS = (sum(chance**2 for chance in waits(zeros)) for zeros in (False, True))
LANDS = best(lands, 5)
THREE_ALIKE = best(lambda t: five(t) and max(Counter(t).values()) > 2, 5)
BETWEEN = best(lambda t: five(t) and straight(t), 5)
ZERO = Fraction(2, 3)

RIGHT |= {
    "12-begins": equally_many(6),
    "12-land": LANDS,
    "12-wait": 1 / LANDS,
    "12-seven": announced(500),
    "12-three-zeros": prod([ZERO] * 3),
    "12-steal": stolen(600),
    "12-caio": digits((1 + EQUAL_ZEROS) / 2),
}
MISTAKES |= {
    "12-begins": {
        "all-added": Fraction(50 + 6, 100),
        "half": Fraction(1, 2),
        "other": 1 - equally_many(6),
        "only-equal": Fraction(6, 100),
        "all-others": Fraction(94, 100),
        "swapped": Fraction(94 + 6 // 2, 100),
    },
    "12-land": {
        "straight": LANDS + BETWEEN,
        "three-alike": LANDS + THREE_ALIKE,
        "both": best(five, 5),
        "place": LANDS / 5,
        "some-five": best(lambda t: 5 in t, 5),
        "complement": 1 - LANDS,
        "four-alike": LANDS + best(lambda t: five(t) and max(Counter(t).values()) == 4, 5),
        "others": best(lambda t: lands((5, *t)), 4),
        "no-place": best(five, 5) / 5,
        "one-die": best(five, 1),
    },
    "12-wait": {
        "chance": LANDS,
        "misses": 1 / LANDS - 1,
        "complement": 1 / (1 - LANDS),
        "half": 1 / LANDS / 2,
        "rounded": round(1 / LANDS),
        "rounded-down": int(1 / LANDS),
    },
    "12-seven": {
        "any-seven": announced(500, scoring=False),
        "only-the-throw": announced(0),
        "only-before": announced(500, lambda before, throw: before),
        "order": announced(500) / 2,
        "total": 2 * announced(500),
        "once": 500 + worth_5000((1, 6)),
        "mean-of-two": 500 + (worth_5000((1, 6)) + worth_5000((2, 5))) // 2,
        "all-sevens": announced(500) / 4 * 6,
        "before-and-all": announced(500, lambda before, throw: before, scoring=False),
        "one-throw": Fraction(500 + worth_5000((1, 6)), 36),
    },
    "12-three-zeros": {
        "added": int(3 * ZERO),
        "all-score": (1 - ZERO) ** 3,
        "complement": 1 - ZERO**3,
        "two": ZERO**2,
        "third": ZERO / 3,
        "one": ZERO,
        "scores": 1 - ZERO,
        "coin": Fraction(1, 2) ** 3,
    },
    "12-steal": {
        "without-the-throw": stolen(600, lambda bank, throw: bank),
        "scores": int(stolen(600) / stolen(1, lambda bank, throw: bank)),
        "always": 600 + sum(TWO_DICE) // 36,
        "complement": 600 * Fraction(TWO_DICE.count(0), 36),
        "bank": 600,
        "throw": sum(TWO_DICE) // 36,
        "chance": stolen(600, lambda bank, throw: 1),
        "sum": 36 * stolen(600),
    },
    "12-caio": {
        "usual": digits((1 + EQUAL) / 2),
        "all-added": digits(1 / 2 + EQUAL_ZEROS),
        "only-equal": digits(EQUAL_ZEROS),
        "other": digits((1 - EQUAL_ZEROS) / 2),
        "simulated": Fraction(508, 1000),
    },
}
