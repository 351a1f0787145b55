"""Generating functions: a whole distribution in one polynomial.

*Ordinary*, for sums. The polynomial of one die is x/6 + x²/6 + … + x⁶/6, the coefficient of x^k
being the chance of a k. To multiply polynomials is to add dice.

*Exponential*, for throws that may show each face only so often. A face of chance q that comes at
most m times is the polynomial 1 + qx + (qx)²/2! + … + (qx)^m/m!, one that is free is e^(qx). The
product over the six faces is the generating function of the throw: n! times the coefficient of
x^n is the chance with n dice. (Flajolet and Sedgewick, Analytic Combinatorics, chapter II, has
the theory.)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise, product
from math import comb, factorial, prod
from operator import mul
from typing import Any

from dicekit.dice import (
    FACES,
    FAIR,
    Die,
    Weights,
    check_count,
    check_die,
    face_weights,
    multinomial,
    whole,
)
from dicekit.probability import Distribution, as_sympy, in_one_domain, ratio, throws


class GeneratingFunction:
    """What both kinds have: an expression in x, which a notebook shows, and its numbers."""

    __iter__ = None  # g[n] goes on without end, so it is no list

    @property
    def expr(self) -> Any:
        """The function as a sympy expression in x."""
        raise AssertionError("each kind has its own")

    def __repr__(self) -> str:
        return str(self.expr)

    def _repr_latex_(self) -> str:
        from sympy import latex

        return f"$\\displaystyle {latex(self.expr)}$"


@dataclass(frozen=True, repr=False)
class Ordinary(GeneratingFunction):
    """The ordinary generating function of whole numbers, such as the sum of some dice.

    >>> two = faces() * faces()
    >>> two[7], two == faces() ** 2
    (1/6, True)
    """

    distribution: Distribution

    @property
    def expr(self) -> Any:
        """The polynomial in x: its coefficient of x^k is the chance of k."""
        from sympy import Symbol

        x = Symbol("x")
        return sum(chance * x**k for k, chance in self.distribution.items())

    def __getitem__(self, k: int) -> Any:
        return self.distribution[k]

    def __mul__(self, other: Ordinary) -> Ordinary:
        if not isinstance(other, Ordinary):
            return NotImplemented
        return Ordinary(independent_sum(self.distribution, other.distribution))

    def __pow__(self, n: int) -> Ordinary:
        one = Ordinary(Distribution({0: 1}))
        return reduce(mul, [self] * check_count(n, "factors"), one)


def independent_sum(a: Distribution, b: Distribution) -> Distribution:
    """The distribution of the sum of two independent numbers.

    >>> coin = Distribution({0: 1, 1: 1})
    >>> independent_sum(coin, coin)[1]
    1/2
    """
    ours, theirs = a.parts, b.parts
    if ours.domain != theirs.domain:
        both, one, domain = in_one_domain({"a": a, "b": b})
        ours, theirs = (Weights(weights, one, domain) for weights in both.values())
    found: dict[Any, Any] = defaultdict(int)
    for i, weight in ours.weights.items():
        for k, other in theirs.weights.items():
            found[i + k] += weight * other
    return Distribution.of(dict(sorted(found.items())), ours.total * theirs.total, ours.domain)


def faces(die: Die = FAIR) -> Ordinary:
    """The generating function of what one die shows.

    >>> faces()
    x**6/6 + x**5/6 + x**4/6 + x**3/6 + x**2/6 + x/6
    """
    return Ordinary(throws(1, die).map(sum))


def sums(n: int, die: Die = FAIR) -> Distribution:
    """The distribution of the sum of n dice.

    >>> sums(3)[10]
    1/8
    """
    return (faces(die) ** n).distribution


@dataclass(frozen=True, repr=False)
class AtMost(GeneratingFunction):
    """The exponential generating function of throws that show each face at most so often.

    `caps` are the six limits, None for a face that is free; `excluded` are throws, as sorted
    tuples, that keep to the limits and yet are not meant. `g[n]` is the chance with n dice.

    >>> bust = at_most({1: 0, 5: 0, 2: 2, 3: 2, 4: 2, 6: 2})
    >>> bust
    (x**2/72 + x/6 + 1)**4
    >>> bust[2], bust[9]
    (4/9, 0)
    """

    caps: tuple[int | None, ...]
    die: Die = FAIR
    excluded: tuple[tuple[int, ...], ...] = ()

    @property
    def degree(self) -> Any:
        """The largest number of dice with which it can happen, oo if there is none."""
        from sympy import oo

        caps = [cap for cap, q in zip(self.caps, self.die.chances, strict=True) if q != 0]
        if None in caps:
            return oo
        most = sum(cap for cap in caps if cap)
        while most and self.excluded and self[most] == 0:
            most -= 1
        return most

    @property
    def expr(self) -> Any:
        """The product of the six faces, as a sympy expression in x."""
        from sympy import Mul, Symbol, exp

        x = Symbol("x")
        chances = [as_sympy(chance) for chance in self.die.chances]
        terms = [
            exp(q * x) if cap is None else sum((q * x) ** k / factorial(k) for k in range(cap + 1))
            for q, cap in zip(chances, self.caps, strict=True)
        ]
        taken_out = [
            Mul(*((chances[f - 1] * x) ** k / factorial(k) for f, k in Counter(throw).items()))
            for throw in self.excluded
        ]
        return Mul(*terms) - sum(taken_out)

    def __getitem__(self, n: int) -> Any:
        weights, total, domain = self.weight(check_count(n))
        return ratio(weights[True], total, domain)

    def weight(self, n: int) -> Weights:
        """The weight of n dice for which it is so, under the key True."""
        chances, total, domain = face_weights(self.die)
        kinds = Counter(
            (chances[face], cap)
            for face, cap in zip(FACES, self.caps, strict=True)
            if cap != 0 and chances[face]
        )
        first_two = sorted(cap + 1 for _, cap in kinds.elements() if cap is not None)[:2]
        one_at_most = len(first_two) < 2 or sum(first_two) > n
        weight = _less_one_over(kinds, n) if one_at_most else _face_by_face(kinds, n)
        for throw in self.excluded:
            if len(throw) == n:
                weight -= multinomial(throw) * prod(chances[face] for face in throw)
        return Weights({True: weight}, total**n, domain)


Kinds = Counter[tuple[Any, int | None]]  # (chance, limit): how many faces are such


def _less_one_over(kinds: Kinds, n: int) -> Any:
    """The weight of n dice within the limits, where two faces cannot both be over theirs: all
    throws, less those that are over at one face."""
    everything = sum(number * q for (q, _), number in kinds.items())
    return everything**n - sum(
        number * sum(comb(n, k) * q**k * (everything - q) ** (n - k) for k in range(cap + 1, n + 1))
        for (q, cap), number in kinds.items()
        if cap is not None
    )


def _face_by_face(kinds: Kinds, n: int) -> Any:
    """The weight of n dice within the limits.

    Let A(k) be the weight of k dice within the limits. One die more keeps to them too, unless
    it is the one too many of its face, there being m already:

        A(k + 1) = sum over faces of q (A(k) - C(k, m) q^m B(k - m))

    where B is A without that face. So a hundred dice take a few thousand steps. Faces of the
    same q and m are counted, not told apart.
    """
    series: dict[tuple[int, ...], list[Any]] = {}
    for counts in product(*(range(number + 1) for number in kinds.values())):
        steps = [
            (number * q, n if cap is None else cap, cap is not None and q**cap, _less(counts, i))
            for i, ((q, cap), number) in enumerate(zip(kinds, counts, strict=True))
            if number
        ]
        found = [1]
        for k in range(n):
            found.append(
                sum(
                    q * (found[k] - comb(k, m) * q_m * series[fewer][k - m] if k >= m else found[k])
                    for q, m, q_m, fewer in steps
                )
            )
        series[counts] = found
    return series[tuple(kinds.values())][n]


def _less(counts: tuple[int, ...], i: int) -> tuple[int, ...]:
    return (*counts[:i], counts[i] - 1, *counts[i + 1 :])


def at_most(caps: int | Mapping[int, int], die: Die = FAIR) -> AtMost:
    """The generating function of throws with no face more often than `caps` says.

    One limit for all faces, or {face: limit}, where faces left out are free.

    >>> at_most(1)[6]
    5/324

    Raises ValueError for what is no limit.
    """
    if isinstance(caps, Mapping):
        if not all(whole(face) in FACES for face in caps):
            raise ValueError(f"a die has the faces 1 to 6, not {list(caps)}")
        limits = tuple(check_cap(caps[f]) if f in caps else None for f in FACES)
    else:
        limits = (check_cap(caps),) * len(FACES)
    return AtMost(limits, check_die(die))


def check_cap(cap: Any) -> int:
    number = whole(cap)
    if number is None or number < 0:
        raise ValueError(f"how often at most? A whole number, 0 or more, not {cap!r}")
    return number


def alike(n: int, die: Die = FAIR) -> Distribution:
    """The distribution of the largest number alike among n dice.

    >>> alike(5)[5]
    1/1296
    """
    fewest = -(-check_count(n) // len(FACES))
    found = [at_most(m, die).weight(n) for m in range(fewest, n + 1)]
    steps = pairwise([0, *(each.weights[True] for each in found)])
    weights = {most: upto - less for most, (less, upto) in enumerate(steps, fewest)}
    return Distribution.of(weights, found[0].total, found[0].domain)
