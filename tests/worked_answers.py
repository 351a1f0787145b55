"""The answers of lessons 03 and 04 once more, and what each mistake gives, by other means."""

from collections import Counter
from fractions import Fraction
from itertools import product

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
        "second-only": worth_5000((1, 1, 4)),
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
