"""The rules of dice poker written a second time, on purpose in another way than dicekit.

Nothing here imports dicekit. A row is worth what the best group of dice that fits it brings, by
trying all groups. A game is a generator: it yields what an onlooker sees and may expect, and is
told by `send` what happened. Actions are ("throw",), ("hold", dice), ("write", row) and ("pass",);
throws are tuples of faces.
"""

from fractions import Fraction
from functools import cache, partial
from itertools import combinations

SCHOOL = ("1", "2", "3", "4", "5", "6")


def alike(number):
    return lambda dice: len(dice) == number and len(set(dice)) == 1


def exactly(*faces):
    return lambda dice: dice == faces


def two_pairs(dice):
    return len(dice) == 4 and dice[0] == dice[1] < dice[2] == dice[3]


def full_house(dice):
    return len(dice) == 5 and {dice.count(face) for face in dice} == {2, 3}


def four_in_a_row(dice):
    return dice in ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6))


def five_in_a_row(dice):
    return dice in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))


def anything(dice):
    return len(dice) == 5


# Each row of the lower part: which groups of dice fit, and the points: of the group (None), of
# all the dice ("all"), or a number.
SEED = {
    "pair": (alike(2), None),
    "two pairs": (two_pairs, None),
    "three": (alike(3), None),
    "small straight": (exactly(1, 2, 3, 4, 5), 15),
    "large straight": (exactly(2, 3, 4, 5, 6), 20),
    "full house": (full_house, None),
    "four": (alike(4), None),
    "poker": (alike(5), None),
    "chance": (anything, None),
}
YATZY = {
    "pair": (alike(2), None),
    "two pairs": (two_pairs, None),
    "three": (alike(3), None),
    "four": (alike(4), None),
    "small straight": (exactly(1, 2, 3, 4, 5), 15),
    "large straight": (exactly(2, 3, 4, 5, 6), 20),
    "full house": (full_house, None),
    "chance": (anything, None),
    "yatzy": (alike(5), 50),
}
AMERICAN = {
    "three alike": (alike(3), "all"),
    "four alike": (alike(4), "all"),
    "full house": (full_house, 25),
    "small straight": (four_in_a_row, 30),
    "large straight": (five_in_a_row, 40),
    "five alike": (alike(5), 50),
    "chance": (anything, None),
}
SHEETS = {"seed": SEED, "yatzy": YATZY, "american": AMERICAN}
DEFAULTS = {
    "first_throw_doubles": True,
    "poker_bonus": 50,
    "double_bonus": False,
    "school_bonus": 50,
    "bonus_from": 0,
    "chance": "any",
    "dashes": "at once",
}
PRESETS = {
    "seed": DEFAULTS,
    "yatzy": DEFAULTS | {"first_throw_doubles": False, "bonus_from": 63},
    "american": DEFAULTS | {"first_throw_doubles": False, "school_bonus": 35, "bonus_from": 63},
}


@cache
def combination(sheet, row, dice):
    """What a row of part two is worth before bonus and doubling, None if it is not there."""
    fits, points = SHEETS[sheet][row]
    groups = [g for size in range(1, 6) for g in combinations(dice, size) if fits(g)]
    if not groups:
        return None
    return {None: max(map(sum, groups)), "all": sum(dice)}.get(points, points)


def worth(sheet, row, dice, first=False, **options):
    """The points of five dice in a row, None if its combination is not there."""
    options = DEFAULTS | options
    if row in SCHOOL:
        number = sum(str(die) == row for die in dice)
        return (number - 3 if sheet == "seed" else number) * int(row)
    points = combination(sheet, row, tuple(sorted(dice)))
    if points is None:
        return None
    times = 2 if first and row != "chance" and options["first_throw_doubles"] else 1
    bonus = options["poker_bonus"] if row == "poker" else 0
    return points * times + bonus * (times if options["double_bonus"] else 1)


def total(written, options):
    """What a sheet is worth: a dict of the rows written so far."""
    school = [written[row] for row in SCHOOL if row in written]
    earned = len(school) == 6 and sum(school) >= options["bonus_from"]
    return sum(written.values()) + (options["school_bonus"] if earned else 0)


def settled(totals):
    """How far each total lies from the mean of all."""
    return [Fraction(len(totals) * own - sum(totals), len(totals)) for own in totals]


def free_rows(sheet, written):
    free = [row for row in (*SCHOOL, *SHEETS[sheet]) if row not in written]
    school = [row for row in free if row in SCHOOL]
    return school if school and sheet == "seed" else free


def may_write(sheet, row, free, dice, left, options):
    def there(row):
        return row in SCHOOL or combination(sheet, row, tuple(sorted(dice))) is not None

    if row == "chance" and options["chance"] == "fallback":
        others = [other for other in free if other not in ("chance", *SCHOOL)]
        return left == 0 and not any(map(there, others))
    return there(row) or options["dashes"] == "at once"


@cache
def holds(dice):
    return {("hold", held) for size in range(5) for held in combinations(dice, size)}


def dice_poker(players, sheet="seed", **options):
    """Tell a game: yields (player, totals, throws left, dice to throw, what may happen).

    Dice to throw is None while a player thinks. What may happen is a function without arguments:
    the set of actions, or "chance". Returns the sheets, each a dict, and the totals.
    """
    options = PRESETS[sheet] | options
    rows = (*SCHOOL, *SHEETS[sheet])
    sheets, totals = [{} for _ in range(players)], [0] * players

    def allowed(dice, left, written):
        free = free_rows(sheet, written)
        may = {("write", row) for row in free if may_write(sheet, row, free, dice, left, options)}
        if options["dashes"] == "at the end" and not set(free) & set(SCHOOL):
            may.add(("pass",))
        return may | holds(dice) if left else may

    for _ in rows:
        for player, written in enumerate(sheets):
            told, held, left = (yield player, totals, 3, None, lambda: {("throw",)}), (), 3
            while told[0] in ("throw", "hold"):
                held = told[1] if told[0] == "hold" else ()
                thrown = yield player, totals, left, 5 - len(held), lambda: "chance"
                left -= 1
                now = tuple(sorted((*held, *thrown))), left, written
                told = yield player, totals, left, None, partial(allowed, *now)
            if told[0] == "write":
                row = told[1]
                assert row not in written, "a row is written once"
                written[row] = worth(sheet, row, now[0], left == 2, **options) or 0
                totals = [*totals[:player], total(written, options), *totals[player + 1 :]]
    for written in sheets:
        written.update({row: 0 for row in rows if row not in written})
    return sheets, [total(written, options) for written in sheets]
