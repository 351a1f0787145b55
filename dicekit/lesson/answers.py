"""What a pupil may answer: numbers and chances in any form, sets, words.

Each kind of answer reads what was given, says whether it is the one wanted or resembles a known
mistake, and may have a remark of its own. Another kind is another class in `KINDS`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, ClassVar, Self


class Unreadable(ValueError):
    """An answer that says nothing, and a sentence on what would."""


class Answer:
    """An answer of some kind, as it was understood."""

    FORM: ClassVar[str]
    """How to write an answer of this kind."""

    @classmethod
    def read(cls, given: Any) -> Self:
        """The answer in what a pupil gave; Unreadable, or any other error, if there is none."""
        raise NotImplementedError

    def is_right(self, wanted: Self) -> bool:
        """Whether this is the answer wanted."""
        return self == wanted

    def resembles(self, mistake: Self) -> bool:
        """Whether this is the given mistake."""
        return self == mistake

    def remark(self, wanted: Self) -> str:
        """What can be said about a wrong answer that nobody foresaw; may be empty."""
        return ""


ROUNDED = "Close, but rounded too early. Give a fraction, or at least three right decimals."


@dataclass(frozen=True)
class Number(Answer):
    """A number: exact, or a decimal that was rounded to a last digit worth `step`.

    >>> Number.read("2,3 %")
    Number(value=Fraction(23, 1000), step=Fraction(1, 1000))
    >>> Number.read("2.3 %").is_right(Number.read("5/216"))
    True

    A decimal is right if all its digits are and there are enough of them: three decimals (one in
    a per cent) and not just zeros, or three digits of a number above 1.
    """

    FORM = 'Give a whole number, a fraction 3/8, a decimal 0.375 or a text "37.5 %".'

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
        if hasattr(given, "__iter__"):
            raise Unreadable("One number is asked for, not several.")
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
        text = re.sub(r"(?<=\d)\s(?=\d{3}(?!\d))|\s*(?=[/%])|(?<=/)\s*", "", text.strip())
        text = text.replace("−", "-")
        if re.fullmatch(r"[+-]?[1-9]\d{0,2}(,\d{3})+", text):
            text = text.replace(",", "")
        number, percent = text.removesuffix("%").replace(",", "."), text.endswith("%")
        scale = Fraction(1, 100 if percent else 1)
        if re.fullmatch(r"[+-]?\d+/0*[1-9]\d*", number):
            return cls(Fraction(number) * scale)
        if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", number):
            decimal = Decimal(number)
            exponent = int(decimal.as_tuple().exponent)
            rounded = percent or not number.lstrip("+-").isdigit()
            step = Fraction(10) ** exponent * scale if rounded else Fraction(0)
            return cls(Fraction(decimal) * scale, step)
        raise Unreadable(cls.FORM)

    def is_right(self, wanted: Self) -> bool:
        if self.value == wanted.value:
            return True
        decimals = self.step <= Fraction(1, 1000) and self._digits >= 10
        return self._rounds(wanted) and (decimals or (abs(self.value) > 1 and self._digits >= 100))

    def resembles(self, mistake: Self) -> bool:
        return self.value == mistake.value or (self._rounds(mistake) and self._digits >= 10)

    def remark(self, wanted: Self) -> str:
        near = wanted.value if abs(wanted.value) > 1 else min(wanted.value, 1 - wanted.value)
        may_be_rounded = self.step or wanted.value.denominator > 1
        if may_be_rounded and abs(self.value - wanted.value) <= abs(near) / 50:
            return ROUNDED
        return ROUNDED if self._rounds(wanted) and self._digits >= 1 else ""

    @property
    def _digits(self) -> Fraction:
        """The digits that were given, read as one whole number: 23 for 0.023."""
        return abs(self.value) / self.step if self.step else Fraction(0)

    def _rounds(self, exact: Self) -> bool:
        """Whether this is the exact number, rounded to the digits given (and as floats go)."""
        error = max(self.step / 2, abs(exact.value) / 10**7)
        return bool(self.step) and abs(self.value - exact.value) <= error


class Chance(Number):
    """A number between 0 and 1."""

    def remark(self, wanted: Self) -> str:
        if self.value > 1 and Number(self.value / 100, self.step / 100).is_right(wanted):
            return 'Is that a per cent? Then write it with its sign, in quotes: "37.5 %".'
        if not 0 <= self.value <= 1:
            return "A chance is never below 0 and never above 1."
        return super().remark(wanted)


@dataclass(frozen=True)
class Items(Answer):
    """A set, as a set, a list or a text; dice set aside together are an item such as "1-1-5".

    >>> Items.read("5, 1") == Items.read({1, 5})
    True
    >>> Items.read("1-5") == Items.read([(5, 1)])
    True
    """

    FORM = "Give a set, with its braces."

    items: frozenset[Hashable]

    @classmethod
    def read(cls, given: Any) -> Self:
        if getattr(given, "is_FiniteSet", False):
            given = given.args
        if isinstance(given, str):
            given = [word for word in re.split(r"[\s,;{}()\[\]]+", given) if word]
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
        return ""


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

    >>> Word.read(" Bank ") == Word.read("bank")
    True
    """

    FORM = "Give a word, in quotes."

    word: str

    @classmethod
    def read(cls, given: Any) -> Self:
        if isinstance(given, bool):
            given = "yes" if given else "no"
        if not isinstance(given, str):
            raise Unreadable(cls.FORM)
        return cls(given.strip().casefold())

    def remark(self, wanted: Self) -> str:
        return "Answer with one of the words that the question offers."


KINDS: dict[str, type[Answer]] = {"number": Number, "chance": Chance, "set": Items, "word": Word}
