"""A die, fair or loaded, and what can be thrown with several of them.

A throw is a *multiset*: dice on a table have no order, so it is written as a sorted tuple.
Six dice make 462 multisets, not 46,656 ordered throws; each carries its exact weight, the
multinomial coefficient times the chances of its faces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, lcm, prod
from numbers import Rational, Real
from operator import index
from typing import Any, NamedTuple

from dicekit.words import _, ngettext

FACES = (1, 2, 3, 4, 5, 6)
MOST_MULTISETS = 200_000


def whole(value: Any) -> int | None:
    """The value as an int, or None if it is no whole number."""
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def exact(number: Any) -> Any:
    """The number as an exact value: a Fraction, or the sympy expression that it is.

    A decimal is taken as it is written, not as the machine stores it.

    >>> exact(0.2)
    Fraction(1, 5)

    Raises ValueError for what is no number.
    """
    if isinstance(number, bool):
        raise ValueError(f"{number!r} is not a number; write 1 or 0")
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    if (integer := whole(number)) is not None:
        return Fraction(integer)
    if isinstance(number, Real) or hasattr(number, "as_integer_ratio"):
        try:
            return Fraction(str(number))
        except ValueError:
            raise ValueError(f"{number!r} is not a finite number") from None
    if hasattr(number, "free_symbols"):
        from sympy import Expr

        if isinstance(number, Expr):
            return _exact_expression(number)
    raise ValueError(f"{number!r} is not a number; use a fraction, a decimal or a sympy symbol")


def _exact_expression(number: Any) -> Any:
    from sympy import Rational

    number = number.replace(lambda part: part.is_Float, lambda part: Rational(str(part)))
    if number.is_Rational:
        return Fraction(int(number.p), int(number.q))
    if number.is_number and not (number.is_finite and number.is_real):
        raise ValueError(f"{number} is not a finite real number")
    return number


def _is_free(chance: Any) -> bool:
    """Whether it is a polynomial in symbols of which nothing is known: it can be anything."""
    symbols = chance.free_symbols
    unknown = all(symbol.assumptions0 == {"commutative": True} for symbol in symbols)
    return bool(symbols and unknown and chance.is_polynomial())


def _refuse_impossible(chance: Any, what: str) -> None:
    """Raise ValueError if `chance` cannot lie between 0 and 1."""
    if isinstance(chance, Fraction):
        possible = 0 <= chance <= 1
    else:
        possible = _is_free(chance) or all(
            part.is_extended_nonnegative is not False for part in (chance, 1 - chance)
        )
    if not possible:
        raise ValueError(f"{what} would be {chance}; a chance lies between 0 and 1")


@dataclass(frozen=True)
class Die:
    """A six-sided die: `Die()` is fair, `Die.loaded` is not.

    >>> Die().chance(6)
    Fraction(1, 6)
    >>> Die() == Die.loaded({6: Fraction(1, 6)})
    True
    """

    chances: tuple[Any, ...] = (Fraction(1, 6),) * 6

    def __post_init__(self) -> None:
        if isinstance(self.chances, str | Mapping) or not isinstance(self.chances, Iterable):
            raise ValueError(f"a die needs six chances, or Die.loaded, not {self.chances!r}")
        chances = tuple(exact(chance) for chance in self.chances)
        if len(chances) != len(FACES):
            raise ValueError(f"a die has 6 faces, not {len(chances)}")
        alike = Counter(chances)
        for chance in alike:
            _refuse_impossible(chance, f"the chance of a {1 + chances.index(chance)}")
        total = sum(number * chance for chance, number in alike.items())
        if not isinstance(total, Fraction):
            free = all(getattr(chance, "is_Symbol", False) for chance in chances)
            total = 1 if free and len(alike) == len(FACES) else exact(total.cancel())
        if total != 1:
            raise ValueError(f"the chances of the six faces must sum to 1, not {total}")
        object.__setattr__(self, "chances", chances)

    @classmethod
    def loaded(cls, chances: Mapping[int, Any]) -> Die:
        """A die with the given chances; the faces not named share the rest equally.

        `chances` maps a face to a number (2/5 as `Fraction(2, 5)` or 0.4) or to a sympy
        expression. Six faces given as six free symbols are taken at their word: their sum
        counts as 1.

        >>> Die.loaded({6: 0.5}).chance(1)
        Fraction(1, 10)

        Raises ValueError for a face that a die does not have and for what cannot be a chance.
        """
        if not isinstance(chances, Mapping):
            raise ValueError(f"write a loaded die as {{face: chance}}, not as {chances!r}")
        named = {}
        for face, chance in chances.items():
            if whole(face) not in FACES:
                raise ValueError(f"a die has the faces 1 to 6, not {face!r}")
            named[face] = exact(chance)
            _refuse_impossible(named[face], f"the chance of a {face}")
        others = len(FACES) - len(named)
        if not others:
            return cls(tuple(named[face] for face in FACES))
        rest = 1 - sum(named.values(), start=Fraction(0))
        _refuse_impossible(rest, "what is left for the other faces")
        return cls(tuple(named.get(face, rest / others) for face in FACES))

    def chance(self, face: int) -> Any:
        """The chance of one face: a Fraction, or a sympy expression."""
        if whole(face) not in FACES:
            raise ValueError(f"a die has the faces 1 to 6, not {face!r}")
        return self.chances[face - 1]

    @property
    def is_symbolic(self) -> bool:
        """Whether a chance is an expression rather than a number."""
        return not all(isinstance(chance, Fraction) for chance in self.chances)

    def __repr__(self) -> str:
        if self == Die():
            return "Die()"
        return "Die.loaded({" + ", ".join(f"{f}: {self.chances[f - 1]}" for f in FACES) + "})"


FAIR = Die()


def check_die(die: Any) -> Die:
    """`die`, or a ValueError if it is none."""
    if not isinstance(die, Die):
        raise ValueError(f"{die!r} is not a Die; write Die() or Die.loaded({{1: 0.5}})")
    return die


def check_count(n: Any, what: str = "dice") -> int:
    """`n` as a whole number of dice, or a ValueError that says what is wrong."""
    number = whole(n)
    if number is None or number < 0:
        raise ValueError(f"the number of {what} must be a whole number, 0 or more, not {n!r}")
    return number


def check_throw(dice: Any, n: int | None = None) -> tuple[int, ...]:
    """`dice` as a sorted throw, of `n` dice if given.

    >>> check_throw([5, 1, 1], 3)
    (1, 1, 5)

    Raises ValueError for what no dice can show.
    """
    plain = type(dice) is tuple and {*map(type, dice)} == {int} and n in (None, len(dice))
    if plain and (known := _in_order(dice)):  # the short way, which games take all the time
        return known
    if isinstance(dice, str | bytes | Set | Mapping) or not isinstance(dice, Iterable):
        raise ValueError(
            _("a throw is a list of faces such as (1, 1, 5), not {dice}", dice=repr(dice))
        )
    faces = tuple(dice)
    for face in faces:
        if whole(face) not in FACES:
            raise ValueError(_("a die shows 1 to 6, not {sign}", sign=repr(face)))
    if n is not None and len(faces) != n:
        said = {"given": len(faces), "dice": "-".join(map(str, faces)) or _("none")}
        raise ValueError(
            ngettext(
                "{n} die is due, not {given}: {dice}",
                "{n} dice are due, not {given}: {dice}",
                n,
                **said,
            )
        )
    return tuple(sorted(map(index, faces)))


@lru_cache(maxsize=100_000)
def _in_order(dice: tuple[int, ...]) -> tuple[int, ...] | None:
    return tuple(sorted(dice)) if set(dice) <= set(FACES) else None


def multisets(n: int) -> Iterator[tuple[int, ...]]:
    """All throws of n dice, as sorted tuples in the order of a dictionary.

    >>> len(list(multisets(6)))
    462
    """
    return combinations_with_replacement(FACES, n)


def orders(throw: Any) -> int:
    """In how many orders the dice of a throw can lie: the multinomial coefficient.

    >>> orders((1, 1, 5))
    3

    Raises ValueError for what no dice can show.
    """
    return multinomial(check_throw(throw))


def multinomial(throw: tuple[int, ...]) -> int:
    """The same, unchecked."""
    return factorial(len(throw)) // prod(factorial(throw.count(face)) for face in set(throw))


class Weights(NamedTuple):
    """Exact weights by outcome. The chance of one is its weight over the total.

    With numbers, the weights are whole numbers and the domain is None; with symbols they are
    elements of a sympy polynomial domain, which is what makes them fast.
    """

    weights: dict[Any, Any]
    total: Any
    domain: Any = None


def as_weights(chances: Iterable[Any]) -> tuple[list[Any], Any, Any]:
    """Exact chances as weights, with their common denominator and their domain."""
    chances = list(chances)
    if all(isinstance(chance, Fraction) for chance in chances):
        common = lcm(*(chance.denominator for chance in chances))
        return [int(chance * common) for chance in chances], common, None
    from sympy import sympify
    from sympy.polys.constructor import construct_domain

    domain, values = construct_domain([sympify(chance) for chance in chances])
    return values, domain.one, domain


@cache
def face_weights(die: Die = FAIR) -> Weights:
    """The six faces with their weights.

    >>> face_weights().weights[6], face_weights().total
    (1, 6)
    """
    values, total, domain = as_weights(die.chances)
    return Weights(dict(zip(FACES, values, strict=True)), total, domain)


def weights(n: int, die: Die = FAIR) -> Weights:
    """Every throw of n dice with its exact weight.

    >>> weights(2).weights[(1, 6)], weights(2).total
    (2, 36)

    Raises ValueError if n is no number of dice, or too many to list one by one.
    """
    n = check_count(n)
    if comb(n + 5, 5) > MOST_MULTISETS:
        raise ValueError(f"{n} dice make {comb(n + 5, 5):,} throws, too many to list one by one")
    faces, total, domain = face_weights(die)
    powers = {face: [value**k for k in range(n + 1)] for face, value in faces.items()}
    found = {}
    for throw in multisets(n):
        weight = prod(
            (powers[face][throw.count(face)] for face in set(throw)), start=multinomial(throw)
        )
        if weight:
            found[throw] = weight
    return Weights(found, total**n, domain)
