"""Farkle a second time, from the rules alone and calling nothing of dicekit: slow and plain."""

from collections import Counter
from functools import cache
from itertools import combinations


def farkle_rows(three_pairs=1500, alike="table"):
    """The rows of the Farkle table: pattern to points."""
    rows = {"1": 100, "5": 50, "123456": 1500, "aabbcc": three_pairs}
    rows |= {"aaaabb": 1500, "aaabbb": 2500}
    triplets = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
    for face, triplet in triplets.items():
        rows[str(face) * 3] = triplet
        for count in (4, 5, 6):
            rows[str(face) * count] = {
                "table": {4: 1000, 5: 2000, 6: 3000}[count],
                "multiples": triplet * {4: 2, 5: 3, 6: 4}[count],
                "doubling": triplet * {4: 2, 5: 4, 6: 8}[count],
            }[alike]
    return rows


@cache
def is_row(pattern, dice):
    """Whether these dice, all of them, make the row.

    Take out the dice named by digits: of what is left, each face is one letter.
    """
    digits = Counter(int(sign) for sign in pattern if sign.isdigit())
    letters = Counter(sign for sign in pattern if not sign.isdigit())
    faces = Counter(dice)
    return digits <= faces and sorted((faces - digits).values()) == sorted(letters.values())


def parts(dice):
    """Every set of dice that can be picked out of these, once each."""
    dice = sorted(dice)
    return {part for size in range(1, len(dice) + 1) for part in combinations(dice, size)}


class Scoring:
    """What dice are worth under rows given as a mapping, pattern to points."""

    def __init__(self, rows, all_dice=6):
        self.all_rows = {pattern: points for pattern, points in rows.items() if points}
        self.rows = {**self.all_rows}
        self.nothing = self.rows.pop("nothing", None)
        self.all_dice = all_dice
        self.row = cache(self.row)
        self.splits = cache(self.splits)
        self.keepable = cache(self.keepable)

    def row(self, dice):
        """The points for dice that all together are one row, or None."""
        found = [points for pattern, points in self.rows.items() if is_row(pattern, dice)]
        if self.nothing and len(dice) == self.all_dice and not self.holds_row(dice):
            found.append(self.nothing)
        return max(found, default=None)

    def holds_row(self, dice):
        """Whether some of the dice are a row."""
        return any(is_row(pattern, part) for part in parts(dice) for pattern in self.rows)

    def splits(self, dice):
        """The points of every way to split sorted dice into rows with none left over.

        The first die is in some row, with any of the others; what is left is split likewise.
        """
        if not dice:
            return {0}
        found = set()
        for size in range(len(dice)):
            for others in combinations(range(1, len(dice)), size):
                points = self.row((dice[0], *(dice[i] for i in others)))
                if points is not None:
                    left = tuple(die for i, die in enumerate(dice) if i and i not in others)
                    found |= {points + more for more in self.splits(left)}
        return found

    def best(self, dice):
        """The points for dice set aside, or None if one of them does not score."""
        return max(self.splits(tuple(sorted(dice))), default=None)

    def keepable(self, throw):
        """Everything that may be set aside from a throw."""
        return {part for part in parts(throw) if self.best(part) is not None}


def farkle(
    count,
    *,
    scoring=None,
    target=10_000,
    opening=0,
    three_pairs=1500,
    alike="table",
    farkle_penalty=0,
    minimum=0,
    last_round=True,
):
    """A game of so many players, as a conversation.

    Yields `(player, scores, points, dice, what may be done)`, where the last is a set of
    "throw", "bank" and dice to set aside, or "chance"; is sent what was done or thrown;
    returns the scores and the winner.
    """
    scoring = scoring or Scoring(farkle_rows(three_pairs, alike))
    scores = [0] * count
    has_banked = [False] * count
    farkles = [0] * count

    def turn(player):
        points, dice, may = 0, 6, {"throw"}
        while True:
            done = yield player, tuple(scores), points, dice, may
            if done == "bank":
                scores[player] += points
                has_banked[player] = True
                farkles[player] = 0
                return
            throw = yield player, tuple(scores), points, dice, "chance"
            may = scoring.keepable(tuple(sorted(throw)))
            if not may:
                farkles[player] += 1
                if farkles[player] == 3:
                    farkles[player] = 0
                    scores[player] -= farkle_penalty
                return
            kept = yield player, tuple(scores), points, dice, may
            points += scoring.best(kept)
            dice = dice - len(kept) or 6
            may = {"throw"}
            if points >= minimum and (has_banked[player] or points >= opening):
                may.add("bank")

    player = 0
    while True:
        yield from turn(player)
        if scores[player] >= target:
            break
        player = (player + 1) % count
    winner = player
    if last_round:
        for step in range(1, count):
            chaser = (player + step) % count
            yield from turn(chaser)
            if scores[chaser] > scores[winner]:
                winner = chaser
    return tuple(scores), winner
