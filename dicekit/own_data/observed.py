"""Counts beside their exact chances: what to expect, and the chi-squared test.

Sources: Pearson 1900, Phil. Mag. 50, 157 (the test); Cochran 1954, Biometrics 10, 417 (expected
counts below 5); Holm 1979, Scand. J. Statist. 6, 65 (several tests at once); Broffitt and Randles
1977, J. Amer. Statist. Assoc. 72, 604, and Imhof 1961, Biometrika 48, 419 (the test's power).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, chain
from math import inf
from typing import Any

from dicekit.dice import FACES, FAIR, Die, check_count, check_die, check_throw, exact
from dicekit.games.states import dashed
from dicekit.probability import SHOWN, Distribution, as_sympy, throws
from dicekit.tables import Shown

MODE = 1 << 128  # the weight of a binomial distribution's likeliest count


@dataclass(frozen=True, repr=False)
class Fairness:
    """What a chi-squared test says: `p_value` is the chance, if the exact chances hold, of counts
    that differ from them as much or more. `warning` is empty unless an expected count is small."""

    statistic: float
    degrees_of_freedom: int
    p_value: float
    sentence: str
    warning: str = ""

    def __repr__(self) -> str:
        test = f"χ² = {self.statistic:.2f}, degrees of freedom: {self.degrees_of_freedom}"
        return f"{test}, p-value {_small(self.p_value)}\n{self.sentence}\n{self.warning}".rstrip()


class Observed(Shown):
    """How often each outcome came, beside its exact chance.

    >>> seen = Observed({1: 8, 2: 11, 3: 9, 4: 10, 5: 5, 6: 17}, Die())
    >>> seen.n, seen.expected[6], seen.band(6)
    (60, 10.0, (5, 16))
    >>> seen.unusual()
    [6]

    `exact` is a distribution, or a Die for its faces. For events that can happen together, such
    as the rows of a table, it is a dict of their chances, and `n` the number of throws. Raises
    ValueError for counts that are no whole numbers and for chances that are none.
    """

    def __init__(self, counts: Mapping[Any, int], exact: Any, n: int | None = None) -> None:
        if not isinstance(counts, Mapping):
            raise ValueError(f"write {{outcome: times}}, or use Observed.of, not {counts!r}")
        self.exact = _distribution(exact, Distribution if n is None else Mapping)
        self._chances = _chances(self.exact)
        names = {_label(outcome): outcome for outcome in self._chances}  # as JSON has them
        given = {names.get(x, x): check_count(times, "times") for x, times in counts.items()}
        self.counts: dict[Any, int] = dict.fromkeys(self._chances, 0) | given
        self.n: int = sum(given.values()) if n is None else check_count(n, "throws")
        self._together = n is not None
        if max(given.values(), default=0) > self.n:
            raise ValueError(f"nothing can have come more often than in all {self.n} throws")

    @classmethod
    def of(cls, values: Any, exact: Any) -> Observed:
        """Count a list, an array, or a text as one types it.

        >>> Observed.of("16332 6", Die()).counts
        {1: 1, 2: 1, 3: 2, 4: 0, 5: 0, 6: 2}
        >>> Observed.of("7 4 11 7", throws(2).map(sum)).counts[7]
        2

        Raises ValueError for a value that cannot occur.
        """
        exact = _distribution(exact)
        if isinstance(values, str):
            values = _typed(values, exact)
        values = values.tolist() if hasattr(values, "tolist") else values
        if isinstance(values, Mapping | Set) or not isinstance(values, Iterable):
            raise ValueError(f"write a list of what was thrown, such as [1, 6, 3], not {values!r}")
        return cls(Counter(_outcome(value, exact) for value in values), exact)

    def _chance(self, outcome: Any) -> Fraction:
        if outcome not in self.counts:
            raise ValueError(f"{outcome!r} cannot occur; possible are {_listed(self.counts)}")
        return self._chances.get(outcome, Fraction(0))

    @property
    def expected(self) -> dict[Any, float]:
        """How often each outcome comes on average in so many throws."""
        return {outcome: float(self.n * self._chance(outcome)) for outcome in self.counts}

    def band(self, outcome: Any, level: float = 0.95) -> tuple[int, int]:
        """The lowest and the highest count of the central binomial interval: at least that share
        of all samples lies in it, and at most half of the others on either side.

        Raises ValueError for an outcome that cannot occur and a level not between 0 and 1.
        """
        return _band(self.n, self._chance(outcome), share(level, "level"))

    def unusual(self, level: float = 0.95) -> list[Any]:
        """The outcomes whose counts lie outside their bands. At the level 0.95 about one outcome
        in twenty does so by chance."""
        bands = {outcome: self.band(outcome, level) for outcome in self.counts}
        return [x for x, (low, high) in bands.items() if not low <= self.counts[x] <= high]

    def fairness(self) -> Fairness:
        """The chi-squared test of these counts against the exact chances.

        >>> Observed({1: 8, 2: 11, 3: 9, 4: 10, 5: 5, 6: 17}, Die()).fairness()
        χ² = 8.00, degrees of freedom: 5, p-value 0.16
        A fair die would differ as much or more in 15.6 % of such samples.

        No outcomes are merged; where an expected count is below 5, a warning says so. Raises
        ValueError if nothing was thrown, if only one outcome is possible, and for events that can
        happen together.
        """
        if self._together:
            raise ValueError("a chi-squared test needs one outcome a throw; these come together")
        if not self.n:
            raise ValueError("nothing has been thrown yet")
        degrees = len(self._chances) - 1
        for outcome in self.counts.keys() - self._chances.keys():
            if self.counts[outcome]:
                words = f"By these chances {_label(outcome)} is impossible, but it came."
                return Fairness(inf, max(degrees, 1), 0.0, words)
        if not degrees:
            raise ValueError("only one outcome is possible: there is nothing to test")
        expected = {x: self.n * chance for x, chance in self._chances.items()}
        statistic = float(sum((self.counts[x] - e) ** 2 / e for x, e in expected.items()))
        p = chi_squared_tail(statistic, degrees)
        who = "A fair die" if self.exact == _die(FAIR) else "By the exact chances, throws"
        often = "fewer than 0.01 %" if p < 1e-4 else f"{100 * p:.{1 if p >= 0.001 else 2}f} %"
        words = f"{who} would differ as much or more in {often} of such samples."
        least = float(min(expected.values()))
        warning = (
            f"The least expected count is {least:.1f}, below 5 (Cochran's rule): "
            "the p-value is rough; throw more often."
        )
        return Fairness(statistic, degrees, p, words, warning if least < 5 else "")

    def grid(self) -> Any:
        expected, unusual = self.expected, self.unusual()
        rows = []
        for x in list(self.counts)[:SHOWN]:
            low, high = self.band(x)
            numbers = f"{self.counts[x]:,}", f"{expected[x]:,.1f}", f"{low:,} to {high:,}"
            rows.append([_label(x), *numbers, "outside" if x in unusual else "inside"])
        more = len(self.counts) - SHOWN
        head = ["outcome", "observed", "expected", "95 % band", "observed is"]
        caption = f"{self.n:,} observed, and what the exact chances expect"
        return caption, head, rows, [f"… and {more:,} more outcomes"] if more > 0 else []


class Several(dict[Any, Observed], Shown):
    """Samples side by side, such as each die of six, by number."""

    def __init__(self, samples: Mapping[Any, Observed], name: str) -> None:
        super().__init__(samples)
        self.name = name

    __repr__ = Shown.__repr__

    def tests(self) -> dict[Any, Fairness]:
        """The chi-squared test of each sample in which more than one outcome is possible."""
        return {key: seen.fairness() for key, seen in self.items() if len(seen.exact) > 1}

    def corrected(self) -> dict[Any, float]:
        """The p-values, corrected for there being several of them.

        Of six fair dice one or more look odd at 5 % in a quarter of all classes. Holm's
        correction multiplies the least p-value by six, the next by five, and so on.
        """
        tests = self.tests()
        keys = sorted(tests, key=lambda key: tests[key].p_value)
        times = range(len(keys), 0, -1)
        found = [min(1.0, n * tests[key].p_value) for n, key in zip(times, keys, strict=True)]
        return dict(zip(keys, accumulate(found, max), strict=True))

    def grid(self) -> Any:
        tests, corrected = self.tests(), self.corrected()
        outcomes = list(dict.fromkeys(chain.from_iterable(seen.counts for seen in self.values())))
        rows = []
        for key, seen in self.items():
            counts, expected = seen.counts, seen.expected
            cells = [f"{counts.get(x, 0):,} ({expected.get(x, 0):,.1f})" for x in outcomes]
            ps = [tests[key].p_value, corrected[key]] if key in tests else []
            rows.append([str(key), f"{seen.n:,}", *cells, *(map(_small, ps) if ps else ["", ""])])
        head = [self.name, "throws", *map(_label, outcomes), "p-value", "corrected"]
        notes = []
        if few := [str(key) for key, test in tests.items() if test.warning]:
            notes.append(
                f"{self.name} {', '.join(few)}: an expected count is below 5 (Cochran's rule), "
                "so the p-value is rough; throw more often."
            )
        if len(tests) > 1:
            notes.append(
                f"With {len(tests)} tests, chance alone brings a p-value below 0.05 in "
                f"{100 * (1 - 0.95 ** len(tests)):.0f} % of all classes; "
                "the corrected p-values (Holm) allow for that."
            )
        caption = "How often, and in brackets how often to expect"
        return caption if rows else "Nothing has been thrown yet.", head, rows, notes


# Outcomes and chances


def _die(die: Die) -> Distribution:
    return throws(1, die).map(sum)


def _distribution(exact: Any, kind: Any = Distribution) -> Any:
    if isinstance(exact, Die):
        return _die(exact)
    if not isinstance(exact, kind):
        raise ValueError(f"{exact!r} are no chances; write Die() or throws(2).map(sum)")
    return exact


def _chances(given: Any) -> dict[Any, Fraction]:
    chances = {outcome: exact(chance) for outcome, chance in given.items()}
    for outcome, chance in chances.items():
        if not isinstance(chance, Fraction) or not 0 <= chance <= 1:
            what = f"the chance of {_label(outcome)}"
            raise ValueError(f"{what} must be a fraction or a decimal, not {chance}")
    return chances


def _typed(text: str, exact: Distribution) -> list[Any]:
    names = {_label(outcome): outcome for outcome in exact}
    signs: Any = text.replace(",", " ").split()
    if max(map(len, names)) == 1:
        signs = "".join(signs)  # faces may be typed without spaces
    return [names.get(sign, sign) for sign in signs]


def _outcome(value: Any, exact: Distribution) -> Any:
    if value in exact:
        return value
    with suppress(ValueError):  # a throw in any order, or of one die
        throw = check_throw(value if isinstance(value, list | tuple) else (value,))
        if throw in exact:
            return throw
    raise ValueError(f"{value!r} cannot occur; possible are {_listed(exact)}")


def _label(outcome: Any) -> str:
    return dashed(outcome) if isinstance(outcome, tuple) else str(outcome)


def _small(p: float) -> str:
    return f"{p:.2g}" if p >= 0.0001 else "below 0.0001"


def _listed(outcomes: Iterable[Any]) -> str:
    names = list(map(_label, outcomes))
    return ", ".join(names[:12]) + ", …" * (len(names) > 12)


def share(value: Any, what: str) -> Fraction:
    """The value as a fraction. Raises ValueError if it is not between 0 and 1."""
    part = exact(value)
    if not isinstance(part, Fraction) or not 0 < part < 1:
        raise ValueError(f"{what} lies between 0 and 1, such as 0.95; {value!r} does not")
    return part


@cache
def _band(n: int, chance: Fraction, level: Fraction) -> tuple[int, int]:
    if chance in (0, 1):
        return int(n * chance), int(n * chance)
    yes, no = chance.numerator, chance.denominator - chance.numerator
    mode = int(n * chance)  # or next to it
    below = list(_falling(n, n - mode, no, yes))
    sums = list(accumulate([*reversed(below), MODE, *_falling(n, mode, yes, no)]))
    outside = sums[-1] * (1 - level) / 2
    low, high = (bisect_left(sums, part) for part in (outside, sums[-1] - outside))
    return mode - len(below) + low, mode - len(below) + high


def _falling(n: int, k: int, yes: int, no: int) -> Iterator[int]:
    """The binomial weights of k + 1, k + 2, ..., until they count no more."""
    weight = MODE
    while weight := weight * (n - k) * yes // ((k + 1) * no):
        yield weight
        k += 1


# The chi-squared distribution


def chi_squared_tail(x: float, degrees: int) -> float:
    """The chance that a chi-squared variable is x or more.

    >>> round(chi_squared_tail(11.0705, 5), 6)
    0.05
    """
    return float(_upper(degrees / 2, x / 2))


def _upper(shape: Any, x: Any) -> Any:
    """The chance that a gamma variable is x or more."""
    from mpmath import gammainc

    return gammainc(shape, x, regularized=True)


def throws_needed(die: Die, power: float = 0.9, level: float = 0.05) -> int:
    """How many throws of one die it takes for the chi-squared test to find its bias.

    The least number with which the p-value falls below `level` with the chance `power`.

    >>> throws_needed(Die.loaded({6: 0.25}))
    369

    By the first three moments of the statistic; from 60 throws on, the power is right to 0.02.
    (The textbooks' noncentral chi-squared distribution holds for slight biases only: here it
    says 330, but 330 throws find this bias in 86 of 100 samples.) Raises ValueError for a fair
    die, a die with symbols, and a power that is not above the level.
    """
    from mpmath import findroot, log

    chances = _chances(_die(check_die(die)))
    wanted, most = float(share(power, "power")), float(share(level, "level"))
    if die == FAIR:
        raise ValueError("this die is fair: there is no bias to find")
    if wanted <= most:
        raise ValueError(f"power must be above the level {most:g}: chance alone finds that often")
    limit = float(findroot(lambda x: log(_upper(2.5, x / 2) / most), 5 - 2 * log(most)))
    moments = _moments([chances.get(face, Fraction(0)) for face in FACES])

    def found(n: int) -> float:
        """The chance of a statistic above the limit, as of a shifted gamma distribution."""
        mean, variance, third = (fixed + n * growing for fixed, growing in moments)
        if not third:  # the die shows one face only
            return float(mean > limit)
        shape = 4 * variance**3 / third**2
        x = shape + 2 * (limit - mean) * variance / third
        return float(_upper(shape, x)) if x > 0 else 1.0

    enough = next((2**k for k in range(40) if found(2**k) >= wanted), None)
    if enough is None:
        raise ValueError(f"this bias is too small: {2**39:,} throws do not find it")
    return bisect_left(range(enough), wanted, key=found)


def _moments(chances: list[Fraction]) -> list[tuple[float, float]]:
    """Mean, variance and third moment of the statistic in n throws, each as (a, b) for a + b n.

    The counts are taken as normal, with the covariances that they have; the statistic is then a
    quadratic form, whose cumulants are known.
    """
    from sympy import Matrix, Rational, diag

    p = Matrix([as_sympy(chance) for chance in chances])
    spread, shift = 6 * (diag(*p) - p * p.T), p - Matrix([Rational(1, 6)] * 6)
    found = [
        (k * (spread**r).trace(), k * r * 6 * (shift.T * spread ** (r - 1) * shift)[0])
        for r, k in ((1, 1), (2, 2), (3, 8))
    ]
    return [(float(fixed), float(growing)) for fixed, growing in found]
