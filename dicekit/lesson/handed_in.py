"""What a pupil may hand in that is tried out: formulas, functions, rules for a turn.

A formula is compared with another, whatever its form. A function is run on the inputs of a table.
A rule for stopping plays its turn in all possible ways; any rule that does what is asked is right.
"""

from __future__ import annotations

import ast
import dis
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from inspect import isfunction, ismethod, signature, unwrap
from io import StringIO
from numbers import Real
from operator import eq, ge, gt, le, lt
from reprlib import repr as short
from typing import Any, Self

from dicekit.dice import weights
from dicekit.games.farkle import Farkle
from dicekit.lesson.answers import QUOTED, SIGNS, Answer, Number, Unreadable, is_code, worked_out


def is_open(answer: Any) -> bool:
    """Whether an answer is still `...`, or a function that has nothing else in it."""
    if not isfunction(answer):
        return answer is ...
    lines = [line for line in dis.get_instructions(answer) if line.opname not in ("RESUME", "NOP")]
    constants = all(re.match("LOAD_CONST|RETURN", line.opname) for line in lines)
    return constants and all(line.argval in (None, ...) for line in lines)


def is_function(given: Any) -> bool:
    """Whether this was written with `def` or `lambda`; `exit`, say, had better not be tried."""
    return isfunction(unwrap(given)) or ismethod(given)


def tried(function: Callable[..., Any], inputs: tuple[Any, ...]) -> Any:
    """What a pupil's function gives; Unreadable, in plain words, if it gives nothing."""
    asked, names = _asked(function, inputs), list(signature(function).parameters)
    try:
        signature(function).bind(*inputs)
    except TypeError:
        things = "one thing" if len(inputs) == 1 else f"{len(inputs)} things"
        raise Unreadable(f"Your function should take {things} in its brackets.") from None
    try:
        with redirect_stdout(StringIO()):
            given = function(*inputs)
    except Unreadable:
        raise
    except (Exception, SystemExit) as problem:
        words = _plainly(problem, names)
        raise Unreadable(f"For {asked} your function stops: {words}.") from None
    if given is None or given is ...:
        raise Unreadable(
            f"For {asked} your function gives nothing back. Does every way through it end with "
            "return? To print a value only shows it."
        )
    return given


def _asked(function: Callable[..., Any], inputs: tuple[Any, ...]) -> str:
    """The inputs by their names, as in "points = 300, dice = 2"."""
    parameters = signature(function).parameters.values()
    names = [part.name for part in parameters if part.kind is not part.VAR_POSITIONAL]
    if len(names) != len(inputs):
        return ", ".join(map(str, inputs))
    return ", ".join(f"{name} = {value}" for name, value in zip(names, inputs, strict=True))


def _plainly(problem: BaseException, names: list[str]) -> str:
    if isinstance(problem, NameError) and problem.name:
        near = get_close_matches(problem.name, names, n=1)
        meant = f"; did you mean “{near[0]}”?" if near else ""
        return f"it does not know “{problem.name}”{meant}"
    if isinstance(problem, RecursionError):
        return "it asks itself again and again, without an end"
    if isinstance(problem, ZeroDivisionError):
        return "it divides by zero"
    text = " ".join(str(problem).split()).rstrip(".")
    return f"Python says “{text[:99]}”" if text else f"Python calls it {type(problem).__name__}"


def yes_or_no(given: Any) -> bool:
    """Whether a function has answered True."""
    if isinstance(given, Real):
        return bool(given)
    if isinstance(given, tuple):
        raise Unreadable(
            f"Your function gives several values, {short(given)}, since a comma separates. "
            "Write 10000 without a comma."
        )
    if str(given) not in ("True", "False"):  # numpy and sympy have their own
        raise Unreadable(f"Your function gives {short(given)}; it should give True or False.")
    return str(given) == "True"


@dataclass(frozen=True)
class Expression(Answer):
    """A formula with letters, as a text or as sympy has it; letters are told by their names.

    >>> Expression.read("2p(1-p)^2").is_right(Expression.read("2*p*(p**2 - 2*p + 1)"))
    True
    """

    FORM = "Give a formula with its letter, such as (x + 1)**2 / 4."
    MOST = 100

    value: Any

    @classmethod
    def read(cls, given: Any) -> Self:
        import sympy

        if isinstance(given, str):
            given = _formula(given)
        if callable(given) and not hasattr(given, "free_symbols"):
            raise Unreadable("That is a function. Give the formula behind its return.")
        if isinstance(given, Collection):
            (given,) = given  # what sympy's solve gives
            return cls.read(given)
        value = sympy.sympify(given, strict=True).as_expr().doit()
        value = value.xreplace({letter: sympy.Symbol(letter.name) for letter in value.free_symbols})
        if not value.is_rational_function() or _degree(value) > cls.MOST:
            raise Unreadable(cls.FORM)
        return cls(sympy.nsimplify(value, rational=True))

    def is_right(self, wanted: Self) -> bool:
        from sympy import cancel

        return bool(cancel(self.value - wanted.value) == 0)

    def remark(self, wanted: Self) -> str:
        from sympy import Rational

        mine, letters = self.value.free_symbols, wanted.value.free_symbols
        if extra := sorted(map(str, mine - letters)):
            return f"What is {extra[0]} in your formula? Write it with {_listed(letters)}."
        if missing := letters - mine:
            return f"The answer should depend on {_listed(missing)}, and yours does not."
        for at in (Rational(1, 6), Rational(1, 2)):
            if (self.value - wanted.value).subs(dict.fromkeys(letters, at)) == 0:
                return f"It is right if {_listed(letters)} = {at}, but not always."
        return ""


def _listed(letters: Collection[Any]) -> str:
    return ", ".join(sorted(map(str, letters)))


def _formula(text: str) -> Any:
    """The formula in a text of single letters, numbers and operations."""
    from sympy import Symbol

    text = text.casefold().rpartition("=")[2].strip()
    between = r"(?<=[\d)a-z])\s*(?=[a-z(])|(?<=[)a-z])\s*(?=\d)"  # where no sign stands
    for pattern, plain in {**SIGNS, "[×·]": "*", "÷": "/", between: "*"}.items():
        text = re.sub(pattern, plain, text)
    if not re.fullmatch(r"[a-z\d .()+*/-]{1,200}", text):
        raise Unreadable(QUOTED if is_code(text) else Expression.FORM)
    return worked_out(ast.parse(text, mode="eval").body, Symbol)


def _degree(formula: Any) -> int:
    """A bound on the degree that multiplying out would give."""
    if formula.is_Pow:
        return int(abs(formula.exp) * _degree(formula.base))
    degrees = [_degree(part) for part in formula.args] or [int(formula.is_Symbol)]
    return sum(degrees) if formula.is_Mul else max(degrees)


@dataclass(frozen=True)
class Function(Answer):
    """A function, told by some of its values; also a dict or a formula with one letter.

    >>> wanted = Function.read("1: 2; 2: 6; 3: 14")
    >>> Function.read(lambda n: 2 ** (n + 1) - 2).is_right(wanted)
    True
    >>> Function.read(lambda n: 2 * n).remark(wanted)
    'It is right for n = 1. For n = 2 it gives 4, and that is wrong.'

    Several inputs are set apart by commas, and a throw has brackets: "3, 300: True; (1, 5): 150".
    """

    FORM = "Give the name of your function, without brackets behind it."

    gives: Callable[..., Any]
    values: tuple[tuple[tuple[Any, ...], Any], ...] = ()

    @classmethod
    def read(cls, given: Any) -> Self:
        if isinstance(given, str):
            pairs = (entry.rsplit(":", 1) for entry in given.split(";"))
            given = {ast.literal_eval(f"({inputs},)"): value.strip() for inputs, value in pairs}
        if isinstance(given, Mapping):
            table = dict(given)
            return cls(lambda *inputs: _looked_up(table, inputs), tuple(table.items()))
        if len(letters := getattr(given, "free_symbols", ())) == 1:
            return cls(lambda *inputs: given.subs(*letters, *inputs))
        if not is_function(given):
            raise Unreadable(cls.FORM)
        return cls(given)

    def is_right(self, wanted: Self) -> bool:
        return all(self._agrees(*entry, Number.is_right) for entry in wanted.values)

    def resembles(self, mistake: Self) -> bool:
        return all(self._agrees(*entry, Number.resembles) for entry in mistake.values)

    def _agrees(self, inputs: tuple[Any, ...], wanted: Any, test: Any) -> bool:
        given = tried(self.gives, inputs)
        if wanted in ("True", "False"):
            return yes_or_no(given) is (wanted == "True")
        try:
            return bool(test(Number.read(given), Number.read(wanted)))
        except ValueError:
            words = f"your function gives {short(given)}, no number"
            raise Unreadable(f"For {_asked(self.gives, inputs)} {words}.") from None

    def remark(self, wanted: Self) -> str:
        right = ""
        for inputs, value in wanted.values:
            asked = _asked(self.gives, inputs)
            if not self._agrees(inputs, value, Number.is_right):
                given = short(tried(self.gives, inputs))
                return f"{right}For {asked} it gives {given}, and that is wrong."
            right = right or f"It is right for {asked}. "
        return ""


def _looked_up(table: dict[Any, Any], inputs: tuple[Any, ...]) -> Any:
    for key in (inputs, *inputs[: len(inputs) == 1]):
        if key in table:
            return table[key]
    raise Unreadable(f"There is nothing for {', '.join(map(str, inputs))} in your table.")


_COMPARED = {"<=": le, ">=": ge, "<": lt, ">": gt, "=": eq}


@dataclass(frozen=True)
class Event(Answer):
    """A question about a throw; any that has the chance asked for is right.

    >>> wanted = Event.read("2 dice: 1/4")
    >>> mine = Event.read(lambda throw: max(throw) <= 3)
    >>> mine.is_right(wanted), mine.found(wanted)
    (True, 'It fits 9 of the 36 throws.')
    """

    FORM = "Give the name of your function, without brackets behind it."

    STORED = re.compile(r"(\d) dice: (?:(\S+) )?(\S+)")

    asks: Any = None
    dice: int = 0
    how: str = "="
    chance: Fraction = Fraction(0)

    @classmethod
    def read(cls, given: Any) -> Self:
        if isinstance(given, str) and (found := cls.STORED.fullmatch(given)):
            return cls(None, int(found[1]), found[2] or "=", Fraction(found[3]))
        if not is_function(given):
            raise Unreadable(cls.FORM)
        return cls(given)

    def _fits(self, dice: int) -> int:
        """How many of the ordered throws it fits. A throw is given sorted."""
        if self.asks is None:
            raise Unreadable(self.FORM)
        found = weights(dice).weights.items()
        return sum(n for throw, n in found if yes_or_no(tried(self.asks, (throw,))))

    def is_right(self, wanted: Self) -> bool:
        return _COMPARED[wanted.how](self._fits(wanted.dice), wanted.chance * 6**wanted.dice)

    def found(self, wanted: Self) -> str:
        return f"It fits {self._fits(wanted.dice)} of the {6**wanted.dice} throws."


@dataclass(frozen=True)
class Rule(Answer):
    """A rule for a turn of Farkle, as `turn_result` takes it; or what such a rule should reach.

    >>> wanted = Rule.read("mean > 450 and nothing < 1/4")
    >>> at_300 = Rule.read(300)
    >>> at_300.is_right(wanted), at_300.found(wanted)
    (True, 'It brings 493.26 points a turn on average, and nothing in 19.6 % of all turns.')

    Asked can be the `mean` of a turn, the chance of `nothing`, the mean number of turns to a
    target, "turns to 1000 < 3", and the share of games against a player who banks at so many
    points, "wins against 300 to 2000 > 1/2". Games are simulated, each player beginning half of
    them, and what two standard errors could explain is not enough.
    """

    FORM = "Give a number of points such as 300, or the name of a function of points and dice."
    MOST = 10_000  # points of a turn with which every rule banks; more are of no use
    GAMES, LUCK = 10_000, Fraction(1, 100)
    MEASURES = r"mean|nothing|turns to \d+|wins against \d+ to \d+"
    CONDITION = re.compile(rf"({MEASURES}) ([<>]=?) (\S+)")

    rule: Any = None
    wants: tuple[tuple[str, str, Fraction], ...] = ()
    known: dict[str, Fraction] = field(default_factory=dict, compare=False)

    @classmethod
    def read(cls, given: Any) -> Self:
        if isinstance(given, str) and cls.CONDITION.match(given):
            parts = cls.CONDITION.findall(given)
            return cls(wants=tuple((what, how, Fraction(much)) for what, how, much in parts))
        if hasattr(given, "picks") and not isinstance(given, type):
            raise Unreadable("That is the best turn, of the kit. Write a rule of your own.")
        if is_function(given):

            def stops(points: int, dice: int) -> bool:
                return points >= cls.MOST or yes_or_no(tried(given, (points, dice)))

            return cls(stops)
        with suppress(Unreadable):
            at = Number.read(getattr(given, "points", given)).value  # BanksAt has points
            if at >= 0 and at.denominator == 1:
                return cls(lambda points, dice: points >= min(at, cls.MOST))
        raise Unreadable(cls.FORM)

    def measured(self, what: str) -> Fraction:
        """What playing the rule in all possible ways comes to."""
        if what not in self.known:
            self.known[what] = Fraction(str(self._measured(what)))
        return self.known[what]

    def _measured(self, what: str) -> Any:
        from dicekit.probability import E
        from dicekit.solve.many_turns import turns_to_target
        from dicekit.solve.turn import turn_result

        if self.rule is None:
            raise Unreadable(self.FORM)
        try:
            numbers = [int(number) for number in re.findall(r"\d+", what)]
            if what.startswith("turns"):
                return turns_to_target(Farkle(target=numbers[0]), self.rule).mean
            if what.startswith("wins"):
                return self._wins(*numbers)
            result = turn_result(Farkle(), self.rule)
        except Unreadable:
            raise
        except ValueError as problem:
            text = str(problem)
            raise Unreadable(f"{text[:1].upper()}{text[1:]}.") from None
        return E(result) if what == "mean" else result[0]

    def _wins(self, against: int, target: int) -> Fraction:
        from dicekit.simulation import simulate

        game, mine, other = Farkle(target=target), ("you", self.rule), ("other", against)
        orders = ([mine, other], [other, mine])
        shares = [
            simulate(game, dict(order), self.GAMES // 2, seed).wins["you"]
            for seed, order in enumerate(orders, start=1)
        ]
        return Fraction(sum(shares)) / 2

    def _reaches(self, wanted: Self, luck: Fraction = Fraction(0)) -> bool:
        for what, how, much in wanted.wants:
            slack = luck if what.startswith("wins") else 0
            value = self.measured(what) + (slack if how.startswith("<") else -slack)
            if not _COMPARED[how](value, much):
                return False
        return True

    def is_right(self, wanted: Self) -> bool:
        return self._reaches(wanted, self.LUCK)

    def resembles(self, mistake: Self) -> bool:
        return self._reaches(mistake)

    def remark(self, wanted: Self) -> str:
        return "That may be luck. Win more clearly." if self._reaches(wanted) else ""

    def found(self, wanted: Self) -> str:
        told = dict.fromkeys(_told(what, self.measured(what)) for what, _, _ in wanted.wants)
        return f"It {', and '.join(told).replace(', and brings', ', and')}."


def _told(what: str, value: Fraction) -> str:
    if what == "mean":
        return f"brings {float(value):,.2f} points a turn on average"
    if what == "nothing":
        return f"brings nothing in {100 * float(value):.1f} % of all turns"
    *others, target = map(int, re.findall(r"\d+", what))
    if others:
        games = f"{Rule.GAMES:,} games to {target:,}"
        return f"wins {100 * float(value):.1f} % of {games}, against bank at {others[0]}"
    return f"needs {float(value):,.3f} turns to {target:,} points on average"
