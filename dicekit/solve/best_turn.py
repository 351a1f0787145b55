"""The best turn: when to stop, what to set aside, what to announce, for the highest mean.

Optimal stopping (Chow, Robbins and Siegmund, Great Expectations, 1971). For many points the value
of a turn with so many dice left is a straight line in the points, `a * points + b`: 1 and 0
where one banks, less than 1 and something where one must throw on, and 1 and something where a
throw cannot miss. `_lines` finds these lines by policy iteration, and from where they are best
on. Below that, backward induction over the points, in whole numbers over one denominator.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, inf, lcm
from typing import Any, NamedTuple

from dicekit.dice import FAIR, Die, check_throw, exact, face_weights, whole
from dicekit.games.states import dashed
from dicekit.probability import as_sympy
from dicekit.solve.turn import Lottery, Option, Scaled, Turn
from dicekit.words import N_, _


class Line(NamedTuple):
    """A value for many points: slope * points + height. Of two, the larger is better in the end."""

    slope: Fraction
    height: Fraction


FARTHEST = 100_000
BANK = Line(Fraction(1), Fraction(0))
Lines = dict[int, Line]


class Worth(NamedTuple):
    """What the ends of a turn are worth besides a bank: a bust, and a win at once."""

    bust: Fraction
    win: Fraction


NOTHING = Worth(Fraction(0), Fraction(0))


def best_turn(
    game: Any, die: Die = FAIR, opened: bool = True, score: int = 0, win: Any = None, bust: Any = 0
) -> BestTurn:
    """The way to play a turn that brings the most on average.

    `opened` tells whether the player has banked before, so that the game's `opening` is behind.
    In 5000 a throw that wins at once counts as `win` points, the target if not given. A bust
    counts as `bust` points. `score` matters to the options `exact` and `prediction="total"`.

    >>> from dicekit.games.farkle import Farkle
    >>> turn = best_turn(Farkle(minimum=300))
    >>> turn.bank_at[2], turn.bank_at[1]
    (300, 350)
    >>> round(float(turn.value), 4)
    601.5587

    Raises ValueError for a die with symbols, since no one can say which of two expressions is
    the larger, and for rules under which a turn need never end.
    """
    turn = Turn.of(game, die, opened, score)
    if die.is_symbolic:
        raise ValueError(
            "the best turn needs a die with numbers; "
            "with a symbol, compare two rules by their turn_result"
        )
    worth = Worth(exact(bust), exact(game.target if win is None else win))
    if not isinstance(worth.bust, Fraction) or not isinstance(worth.win, Fraction):
        raise ValueError("bust and win must be numbers")
    return _best(turn, worth)


class Decision(NamedTuple):
    """The better of banking and throwing, what to announce in the throw, and the value."""

    banks: bool
    announces: int | None
    value: Scaled


@lru_cache(maxsize=16)  # each holds a megabyte or more
def _best(turn: Turn, worth: Worth) -> BestTurn:
    return BestTurn(turn, worth)


class BestTurn:
    """The best way to play a turn: a rule for `turn_result`, and the value of every decision.

    A value is kept as amount / (scale * base ** depth): whole numbers only.
    """

    def __init__(self, turn: Turn, worth: Worth) -> None:
        self.turn, self.worth = turn, worth
        self._base = face_weights(turn.die).total
        self._lines: Lines = {}
        if turn.room is None:
            self._lines, self.farthest = _lines(turn, worth)
        else:
            self.farthest = turn.step * (turn.room // turn.step + 1)
        numbers = [number for line in self._lines.values() for number in line]
        self._scale = lcm(*(x.denominator for x in (*numbers, worth.bust, worth.win)))
        self._bust, self._win = (Scaled(int(x * self._scale), 0) for x in (worth.bust, worth.win))
        lines = self._lines.items()
        self._many = {dice: [int(x * self._scale) for x in line] for dice, line in lines}
        self._known: dict[tuple[int, int], Decision] = {}
        for points in range(self.farthest, -1, -turn.step):
            for dice in turn.sizes:
                self._known[points, dice] = self._decided(points, dice)

    @property
    def game(self) -> Any:
        """The rules it was made for."""
        return self.turn.game

    @property
    def die(self) -> Die:
        """The die it was made for."""
        return self.turn.die

    @property
    def value(self) -> Any:
        """The mean of the turn from its first throw, as a sympy Rational. Its numerator and
        denominator can have thousands of digits: `float(turn.value)` is easier to read."""
        return self._number(self._known[0, self.game.all_dice].value)

    @cached_property
    def bank_at(self) -> dict[int, Any]:
        """From how many points one banks, by the number of dice left; inf where one never does.

        Where banking is not better for all points from there on, `bank` knows more.
        """
        found: dict[int, Any] = {}
        for dice in reversed(self.turn.sizes):
            at = self.farthest
            while at > self.turn.step and self._known[at - self.turn.step, dice].banks:
                at -= self.turn.step
            never = self._lines.get(dice, BANK) != BANK or not self.turn.can_bank(at, dice)
            found[dice] = inf if never else at
        return found

    def bank(self, points: int, dice: int) -> bool:
        """Whether to bank so many points with so many dice left, rather than throw."""
        return self._decision(points, dice).banks

    def throw_value(self, points: int, dice: int) -> Any:
        """The mean of the turn if so many dice are thrown next, with these points collected.

        A sympy Rational. Raises ValueError for points or dice that no turn has.
        """
        if whole(points) is not None and points % self.turn.step:
            step = self.turn.step
            raise ValueError(f"the points of a turn are multiples of {step} here, not {points}")
        return self._number(self._throw(*self._check(points, dice))[1])

    def announces(self, points: int, dice: int) -> int | None:
        """The sum to announce before a throw (5000, `prediction`), or None."""
        return self._decision(points, dice).announces

    def picks(self, options: tuple[Option, ...], points: int) -> Option:
        """Which option to take of those that a throw offers."""
        points = self._nearest(points)
        return self._best({option: self._after(option, points) for option in options})[0]

    def set_aside(self, throw: Any, points: int = 0, right: bool = False) -> tuple[int, ...]:
        """The dice to set aside from a throw, with so many points collected before.

        `right` tells that the sum was announced. Raises ValueError if nothing in it scores.
        """
        throw = check_throw(throw)
        self._check(points, len(throw))
        options = self.turn.options(throw, right)
        if not options:
            raise ValueError(f"nothing scores in {dashed(throw)}")
        return options[self.picks(tuple(sorted(options)), points)]

    def __repr__(self) -> str:
        mean = f"best turn of {self.game!r}: {float(self.value):.4f} on average; "
        at = [f"{points} with {dice}" for dice, points in self.bank_at.items() if points < inf]
        return mean + (f"bank at {', '.join(at)} left" if at else "never bank")

    def _number(self, value: Scaled) -> Any:
        return as_sympy(Fraction(value.amount, self._scale * self._base**value.depth))

    def _check(self, points: Any, dice: Any) -> tuple[int, int]:
        number, most = whole(points), self.turn.room
        if number is None or number < 0 or (most is not None and number > most):
            least = "0 or more" if most is None else f"0 to {most}"
            raise ValueError(f"the points of a turn are {least}, not {points!r}")
        if whole(dice) not in self.turn.sizes:
            raise ValueError(f"1 to {self.game.all_dice} dice can be left, not {dice!r}")
        return number, int(dice)

    def _nearest(self, points: int) -> int:
        """Points for which the decision is known: from the bound on it is always the same, and
        another die or score can bring points in between."""
        step = self.turn.step
        return min(points // step * step, self.farthest)

    def _decision(self, points: Any, dice: Any) -> Decision:
        points, dice = self._check(points, dice)
        return self._known[self._nearest(points), dice]

    def _decided(self, points: int, dice: int) -> Decision:
        announced, thrown = self._throw(points, dice)
        bank = Scaled(points * self._scale, 0)
        if self.turn.can_bank(points, dice) and bank.to(thrown.depth, self._base) >= thrown.amount:
            return Decision(True, None, bank)
        return Decision(False, announced, thrown)

    def _throw(self, points: int, dice: int) -> tuple[int | None, Scaled]:
        """What to announce, and what the throw is worth."""
        lotteries = self.turn.lotteries[dice].items()
        return self._best({said: self._mean(drawn, points, dice) for said, drawn in lotteries})

    def _best(self, values: dict[Any, Scaled]) -> tuple[Any, Scaled]:
        """The key with the greatest value, the first among equals, and that value."""
        if len(values) == 1:
            return next(iter(values.items()))
        depth = max(value.depth for value in values.values())
        return max(values.items(), key=lambda item: item[1].to(depth, self._base))

    def _mean(self, lottery: Lottery, points: int, dice: int) -> Scaled:
        base = self._base
        lost = base**dice - sum(lottery.values())
        parts = [(lost, self._bust)] + [
            (weight, self._best({option: self._after(option, points) for option in options})[1])
            for options, weight in lottery.items()
        ]
        depth = max(value.depth for _, value in parts)
        return Scaled(sum(weight * value.to(depth, base) for weight, value in parts), depth + dice)

    def _after(self, option: Option, points: int) -> Scaled:
        """The value of an option, with the best play after it."""
        after = option.after(points)
        if not option.dice:
            return self._win
        if self.turn.room is not None and after > self.turn.room:
            return self._bust
        if after < self.farthest:
            return self._known[self._nearest(after), option.dice].value
        slope, height = self._many[option.dice]
        return Scaled(slope * after + height, 0)


Chances = dict[Option | None, Fraction]  # None is the bust


def _lines(turn: Turn, worth: Worth) -> tuple[Lines, int]:
    """The value of a turn with many points, by dice left, and from how many points it holds."""
    nothing = Line(Fraction(0), Fraction(0))
    may_bank = {dice: turn.can_bank(FARTHEST, dice) for dice in turn.sizes}
    lines = {dice: BANK if may_bank[dice] else nothing for dice in turn.sizes}
    while True:
        policy: dict[int, Chances | None] = {}
        for dice in turn.sizes:
            throw = max(_throws(turn, dice, lines, worth), key=lambda c: _line(c, lines, worth))
            banks = may_bank[dice] and _line(throw, lines, worth) <= BANK
            policy[dice] = None if banks else throw
        if lines == (lines := _evaluated(policy, worth)):
            break
    crossings = [Fraction(turn.state.bank_from)]
    for dice in turn.sizes:
        throws = _throws(turn, dice, lines, worth)
        crossings += [_crossing(lines[dice], _line(chances, lines, worth)) for chances in throws]
        for lottery in turn.lotteries[dice].values():
            for options in lottery:
                each = [_after(option, lines, worth) for option in options]
                crossings += [_crossing(max(each), line) for line in each]
    bound = turn.step * max(1, ceil(max(crossings) / turn.step))
    if bound > FARTHEST:
        text = N_("so little is lost in these throws that one should go on beyond {points} points")
        raise ValueError(_(text, points=FARTHEST))
    return lines, bound


def _throws(turn: Turn, dice: int, lines: Lines, worth: Worth) -> list[Chances]:
    """The chance of each option, for every announcement, with the choices best in the end."""
    total = face_weights(turn.die).total ** dice
    found = []
    for lottery in turn.lotteries[dice].values():
        chances: Chances = {None: 1 - Fraction(sum(lottery.values()), total)}
        for options, weight in lottery.items():
            best = max(options, key=lambda option: _after(option, lines, worth))
            chances[best] = chances.get(best, Fraction(0)) + Fraction(weight, total)
        found.append(chances)
    return found


def _after(option: Option | None, lines: Lines, worth: Worth) -> Line:
    if option is None:
        return Line(Fraction(0), worth.bust)
    if not option.dice:
        return Line(Fraction(0), worth.win)
    slope, height = lines[option.dice]
    return Line(option.times * slope, option.plus * slope + height)


def _line(chances: Chances, lines: Lines, worth: Worth) -> Line:
    after = {option: _after(option, lines, worth) for option in chances}
    return Line(
        sum((chance * after[option].slope for option, chance in chances.items()), Fraction(0)),
        sum((chance * after[option].height for option, chance in chances.items()), Fraction(0)),
    )


def _evaluated(policy: dict[int, Chances | None], worth: Worth) -> Lines:
    """The lines of a policy: each is the mean of those it leads to, an equation to solve."""
    from sympy import Symbol, linsolve

    throws = {dice: chances for dice, chances in policy.items() if chances is not None}
    unknown = {dice: Line(Symbol(f"slope{dice}"), Symbol(f"height{dice}")) for dice in throws}
    lines = dict.fromkeys(policy, BANK) | unknown
    equations = [
        mean - number
        for dice, chances in throws.items()
        for mean, number in zip(_line(chances, lines, worth), unknown[dice], strict=True)
    ]
    symbols = [number for line in unknown.values() for number in line]
    found = next(iter(linsolve(equations, symbols)), ()) if throws else ()
    solved = dict(zip(symbols, found, strict=False))
    numbers = len(solved) == len(symbols) and all(x.is_number for x in solved.values())
    negative = numbers and min(solved.values(), default=0) < 0
    if negative and worth != NOTHING:  # a dear bust can do that, or a turn without end
        _evaluated(policy, NOTHING)
    elif negative or not numbers:
        raise ValueError(_("no throw is ever lost under these rules: a turn need never end"))
    return {dice: Line(*(exact(solved.get(x, x)) for x in line)) for dice, line in lines.items()}


def _crossing(best: Line, other: Line) -> Fraction:
    """From how many points on the line that is best in the end is the better one."""
    if best.slope == other.slope:
        return Fraction(0)
    return (other.height - best.height) / (best.slope - other.slope)
