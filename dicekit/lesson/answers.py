"""What a pupil may answer: numbers and chances in any form, sets, words.

Each kind of answer reads what was given, says whether it is the one wanted or resembles a known
mistake, and may have a remark of its own. What has to be run is in `handed_in`.
"""

from __future__ import annotations

import ast
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import factorial
from numbers import Rational, Real
from operator import add, mul, sub, truediv
from typing import Any, ClassVar, Self


class Unreadable(ValueError):
    """An answer that says nothing, and a sentence on what would."""


class Answer(ABC):
    """An answer of some kind, as it was understood."""

    # How to write an answer of this kind.
    FORM: ClassVar[str]

    # What to say when commas made several answers of one; may be more helpful.
    SEVERAL: ClassVar[str] = "One answer is asked for, and a comma separates answers."

    @classmethod
    @abstractmethod
    def read(cls, given: Any) -> Self:
        """The answer in what a pupil gave; Unreadable, or any other error, if there is none."""

    def is_right(self, wanted: Self) -> bool:
        """Whether this is the answer wanted."""
        return self == wanted

    def resembles(self, mistake: Self) -> bool:
        """Whether this is the given mistake."""
        return self.is_right(mistake)

    def shows(self, mistake: Self, wanted: Self) -> bool:
        """Whether this comes from the given mistake, and not from the answer wanted."""
        return self.resembles(mistake)

    def remark(self, wanted: Self) -> str:
        """What can be said about a wrong answer that nobody foresaw; may be empty."""
        return ""

    def found(self, wanted: Self) -> str:
        """What came out when this was run, right or wrong; may be empty."""
        return ""


EARLY = "That is rounded too early."
CLOSE = "Close, but not right. Was it rounded too early, or not correctly?"
QUOTED = "Take the quotes away, then the computer works it out."

SIGNS = {r"\^": "**", "²": "**2", "³": "**3", "−": "-"}
_PLAINLY = {
    r"\s+per ?cent\b": "%",
    r"^\s*[a-z]\s*=": "",
    r"(?<![a-z])(about|the|more|points?|ways?|faces?|throws?|turns?|dice|cents?)(?![a-z])": " ",
    r"(?<=\d)½": "+1/2",
    r"½": "1/2",
    r"\.\s*$": "",
    r"(?<=\d)\s+(out\s+of|of|in)\s+(?=\d)|÷": "/",
    r"(?<=[\d)])\s*[x×·]\s*(?=[\d(])": "*",
    **SIGNS,
    r"(?<=\d)\s*:\s*(?=\d)": "/",
    r"^\s+|\s+$|(?<=\d)\s(?=\d{3}(?!\d))|\s*(?=[/%])|(?<=/)\s*": "",
    r"^(\d+) (\d\d?/\d+)$": r"\1+\2",
}
"""What pupils write in a number, and what it means; in this order."""

_OPERATIONS = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv}


def is_code(text: str) -> bool:
    """Whether a text looks like something that Python should work out.

    >>> is_code("P(game.is_bust, throws(6))"), is_code("two thirds (about)")
    (True, False)
    """
    return bool(re.search(r"[a-z]\w*(\(|\.\w|\[)|[a-z]_\w", text, re.IGNORECASE))


def worked_out(formula: ast.AST, letter: Callable[[str], Any] | None = None) -> Any:
    """The value of a formula with numbers and small powers; any error if it has none.

    A Fraction, or with letters a sympy expression, of what `letter` makes of each of them.
    """
    match formula:
        case ast.Constant(int() | float() as number):
            return Fraction(str(number))
        case ast.Name(name) if letter:
            return letter(name)
        case ast.UnaryOp(ast.USub(), part):
            return -worked_out(part, letter)
        case ast.BinOp(left, ast.Pow(), ast.Constant(int(power))):
            base = worked_out(left, letter)
            if not isinstance(base, Fraction):
                return base**power
            if power < 100 and max(abs(base.numerator), base.denominator) < 10**4:
                return base**power
        case ast.BinOp(left, operation, right):
            parts = worked_out(left, letter), worked_out(right, letter)
            return _OPERATIONS[type(operation)](*parts)
    raise ValueError("no simple formula")


@dataclass(frozen=True)
class Number(Answer):
    """A number: exact, or a decimal that was rounded to a last digit worth `step`.

    >>> Number.read("2,3 %")
    Number(value=Fraction(23, 1000), step=Fraction(1, 1000))
    >>> Number.read("2.3 %").is_right(Number.read("5/216"))
    True

    Three right digits are enough: 0.667, 66.7 %, 2.31 %, 383 for 1150/3. So are fewer with three
    decimals (one in a per cent), if they are not just zeros.
    """

    FORM = "Give a number: a whole one, a fraction such as 3/8, a decimal or a per cent."
    SEVERAL = (
        "A comma separates answers. Leave it out of 46,656. "
        'For a decimal write 0.123, or "0,123" in quotes.'
    )
    BETTER: ClassVar[str] = "Give a fraction, or three right digits, such as"

    value: Fraction
    step: Fraction = Fraction(0)

    @classmethod
    def read(cls, given: Any) -> Self:
        if isinstance(given, bool):
            raise Unreadable(f"A number is asked for, not {given}.")
        if isinstance(given, Rational):
            return cls(Fraction(int(given.numerator), int(given.denominator)))
        if hasattr(given, "free_symbols"):
            return cls._from_expression(given)
        if isinstance(given, Real | Decimal | str):
            return cls._from_text(str(given))
        if callable(given):
            raise Unreadable("That is a function. Call it, and give the number that comes out.")
        if isinstance(given, Collection):
            if len(given) == 1:  # what sympy's solve gives
                return cls.read(next(iter(given)))
            raise Unreadable("One number is asked for, not several. Take one out of the list.")
        raise Unreadable(cls.FORM)

    @classmethod
    def _from_expression(cls, given: Any) -> Self:
        """A sympy expression; one that is no fraction counts as a decimal of many digits."""
        if given.free_symbols:
            letters = ", ".join(sorted(map(str, given.free_symbols)))
            raise Unreadable(f"A number is asked for; yours still depends on {letters}.")
        number = given.doit()
        return cls.read(number if isinstance(number, Rational) else float(number))

    @classmethod
    def _from_text(cls, text: str) -> Self:
        text = text.casefold()
        if len(text) > 1000:
            raise Unreadable(cls.FORM)
        for pattern, plain in _PLAINLY.items():
            text = re.sub(pattern, plain, text)
        if "/" in text or re.fullmatch(r"[+-]?[1-9]\d{0,2}(,\d{3})+", text):
            text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
        text = re.sub(r"(\d{1,2})!", lambda number: str(factorial(int(number[1]))), text)
        number, percent = text.removesuffix("%").replace(",", "."), text.endswith("%")
        scale = Fraction(1, 100 if percent else 1)
        if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", number):
            decimal = Decimal(number)
            exponent = int(decimal.as_tuple().exponent)
            rounded = percent or not number.lstrip("+-").isdigit()
            step = Fraction(10) ** exponent * scale if rounded else Fraction(0)
            return cls(Fraction(decimal) * scale, step)
        formula = re.sub(r"^\+|(?<![\d.])0+(?=\d)", "", number)
        if re.fullmatch(r"[\d. ()+*/-]{1,999}", formula):
            with suppress(ArithmeticError, LookupError, RecursionError, SyntaxError, ValueError):
                return cls(worked_out(ast.parse(formula, mode="eval").body) * scale)
        raise Unreadable(QUOTED if is_code(text) else cls.FORM)

    def is_right(self, wanted: Self) -> bool:
        if self.value == wanted.value:
            return True
        decimals = self._last <= Fraction(1, 1000) and self._digits >= 10
        return self._rounds(wanted) and (decimals or (abs(self.value) > 1 and self._digits >= 100))

    def resembles(self, mistake: Self) -> bool:
        return self.value == mistake.value or (self._rounds(mistake) and self._digits >= 10)

    def shows(self, mistake: Self, wanted: Self) -> bool:
        exactly = self.value == mistake.value
        return exactly or (self.resembles(mistake) and not self._rounds(wanted))

    def remark(self, wanted: Self) -> str:
        near = wanted.value if abs(wanted.value) > 1 else min(wanted.value, 1 - wanted.value)
        whole, asked = self.value.denominator == 1, wanted.value.denominator == 1
        form = "12.3 or 25/2" if abs(wanted.value) > 1 else '0.123 or "12.3 %"'
        better = f"{self.BETTER} {form}."
        off = abs(self.value - wanted.value)
        to_a_whole = whole and not asked and abs(self.value) >= 10 and off <= Fraction(1, 2)
        if to_a_whole or (self._rounds(wanted) and self._digits >= 1):
            return f"{EARLY} {better}"
        may_be_rounded = self.step or (whole and not asked)
        if may_be_rounded and off <= abs(near) / 50:
            return f"{CLOSE} {better}"
        return ""

    @property
    def _last(self) -> Fraction:
        """What the last digit is worth, in a decimal or in a whole number that may be rounded."""
        may_be_rounded = self.value.denominator == 1 and abs(self.value) >= 100
        return Fraction(1) if may_be_rounded and not self.step else self.step

    @property
    def _digits(self) -> Fraction:
        """The digits that were given, read as one whole number: 23 for 0.023."""
        return abs(self.value) / self._last if self._last else Fraction(0)

    def _rounds(self, exact: Self) -> bool:
        """Whether this is the exact number, rounded to the digits given (and as floats go)."""
        error = max(self._last / 2, abs(exact.value) / 10**7)
        return bool(self._last) and abs(self.value - exact.value) <= error


class Exact(Number):
    """A number of which no whole number is near enough, not even 113 for 112.5."""

    BETTER = "Give it exactly, as a fraction or a decimal, such as"

    @property
    def _last(self) -> Fraction:
        return self.step


class Whole(Number):
    """A whole number, of points for example; a point may stand at its thousands.

    >>> Whole.read("1.250 points")
    Whole(value=Fraction(1250, 1), step=Fraction(0, 1))
    """

    FORM = "Give a whole number, such as 1234."
    SEVERAL = "A comma separates answers. Write a whole number without one, such as 1234."

    @classmethod
    def read(cls, given: Any) -> Self:
        if isinstance(given, str):
            given = re.sub(r"(?<![\d.])([1-9]\d{0,2})\.(?=\d{3}(?![\d.]))", r"\1", given)
        return super().read(given)

    def remark(self, wanted: Self) -> str:
        return self.FORM if self.value.denominator > 1 else ""


class Chance(Number):
    """A number between 0 and 1."""

    FORM = "Give a fraction such as 3/8, a decimal or a per cent."

    def remark(self, wanted: Self) -> str:
        if self.value > 1:
            return (
                "A chance is never above 1. Did you count throws? Then divide by the number of "
                'all. Is it a per cent? Write its sign, in quotes, such as "12.3 %".'
            )
        if self.value < 0:
            return "A chance is never below 0."
        return super().remark(wanted)


@dataclass(frozen=True)
class Items(Answer):
    """A set, as a set, a list or a text; dice set aside together are an item such as "1-1-5".

    >>> Items.read("5 and 1") == Items.read({1, 5})
    True
    >>> Items.read("1-5") == Items.read([(5, 1)])
    True
    """

    FORM = "Give a set in curly brackets, such as {2, 3}."
    SEVERAL = "Several answers, but one set is asked for. Put it in curly brackets, such as {2, 3}."

    items: frozenset[Hashable]

    @classmethod
    def read(cls, given: Any) -> Self:
        if getattr(given, "is_FiniteSet", False):
            given = given.args
        if isinstance(given, str):
            words = re.split(r"[\s,;&+{}()\[\]]+", given)
            given = [word for word in words if word.casefold() not in ("", "and", "or", "the")]
        if given is None or callable(given):
            raise Unreadable(cls.FORM)
        items = frozenset(map(_item, given if isinstance(given, Collection) else [given]))
        if not items:
            raise Unreadable("That set is empty. Something belongs in it.")
        return cls(items)

    def remark(self, wanted: Self) -> str:
        if self.items < wanted.items:
            return "What you have belongs there, but something is missing."
        if self.items > wanted.items:
            return "All that belongs is there, but so is something that does not."
        if self.items & wanted.items:
            return "Some of it belongs and some does not, and something is missing."
        alone = "That does not belong there. If it is meant as several, use commas, as in {2, 3}."
        return alone if len(self.items) == 1 else "None of these belongs there."


def _item(given: Any) -> Hashable:
    if isinstance(given, str) and re.fullmatch(r"\d(-\d)+", given):
        given = given.split("-")
    if isinstance(given, tuple | list):
        return tuple(sorted(map(str, given)))
    try:
        return Number.read(given).value
    except Unreadable:
        return str(given).casefold()


@dataclass(frozen=True)
class Word(Answer):
    """One of a few words; True and False are yes and no.

    >>> Word.read(" Player B wins. ") == Word.read("b")
    True
    """

    FORM = "Answer with one letter or word of the question, in quotes."

    word: str

    @classmethod
    def read(cls, given: Any) -> Self:
        if isinstance(given, bool):
            given = "yes" if given else "no"
        if not isinstance(given, str):
            raise Unreadable(cls.FORM)
        words = re.findall(r"\w+", given.casefold())
        words = [word for word in words if word not in ("the", "player", "winner", "is", "wins")]
        if not words:
            raise Unreadable(cls.FORM)
        return cls(" ".join(words))

    def remark(self, wanted: Self) -> str:
        one = "letter" if len(wanted.word) == 1 else "word"
        return f"Answer with one {one} of the question."
