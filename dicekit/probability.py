"""Exact distributions, and the questions one asks of them: P, E, given.

A `Distribution` holds a weight for every outcome and the total of all weights, as Laplace has
it: the chance of an event is the weight of its favourable outcomes over the total. Weights are
whole numbers, or polynomials where a die is loaded with symbols, and never floats.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache
from html import escape
from itertools import islice
from math import lcm
from typing import Any

from dicekit.dice import FAIR, Die, Weights, as_weights, check_count, check_die, exact, weights

Event = Callable[[Any], Any] | Collection[Any]
SHOWN = 21  # all kinds of throws of two dice


def as_sympy(number: Any) -> Any:
    """A sympy Rational from a Fraction or an int; anything else as sympy has it."""
    from sympy import sympify

    return sympify(number)


def ratio(weight: Any, total: Any, domain: Any = None) -> Any:
    """A chance as sympy has it, from a weight and the total of all weights in their domain."""
    if domain is None:
        return as_sympy(Fraction(weight, total))
    expression = domain.to_sympy(domain.convert(weight))
    if total == domain.one:
        return expression
    return (expression / domain.to_sympy(total)).cancel()


class Distribution:
    """Outcomes and their exact chances. Immutable, and equal when all the chances are equal.

    >>> coin = Distribution({"heads": 1, "tails": 1})
    >>> coin["heads"]
    1/2
    >>> list(coin)
    ['heads', 'tails']

    The weights may be counts, fractions, decimals or sympy expressions; they need not sum to 1.
    Raises ValueError for a negative weight, or if nothing is possible.
    """

    __slots__ = ("_domain", "_total", "_weights")

    def __init__(self, chances: Mapping[Any, Any]) -> None:
        if not isinstance(chances, Mapping):
            raise ValueError(f"write a distribution as {{outcome: weight}}, not as {chances!r}")
        given = {outcome: exact(weight) for outcome, weight in chances.items()}
        for outcome, weight in given.items():
            if (weight < 0) if isinstance(weight, Fraction) else weight.is_negative:
                raise ValueError(f"the weight of {outcome!r} is {weight}; it cannot be negative")
        values, _, domain = as_weights(given.values())
        self._set(dict(zip(given, values, strict=True)), sum(values), domain)

    def _set(self, found: dict[Any, Any], total: Any, domain: Any) -> None:
        if not total:
            raise ValueError("nothing is possible here: every outcome has chance 0")
        self._weights = {outcome: weight for outcome, weight in found.items() if weight}
        self._total, self._domain = total, domain

    @classmethod
    def of(cls, weights: dict[Any, Any], total: Any, domain: Any = None) -> Distribution:
        """The distribution with these weights, whole numbers or elements of a sympy domain."""
        new = cls.__new__(cls)
        new._set(weights, total, domain)
        return new

    @property
    def parts(self) -> Weights:
        """The weights as they are kept inside: what `Distribution.of` takes."""
        return Weights(self._weights, self._total, self._domain)

    def _ratio(self, weight: Any) -> Any:
        return ratio(weight, self._total, self._domain)

    @property
    def total(self) -> Any:
        """The sum of all weights, the "possible cases": 36 for two dice."""
        return self._shown(self._total)

    def count(self, event: Event) -> Any:
        """The weight of an event, its "favourable cases".

        >>> throws(2).count(lambda throw: sum(throw) == 7), throws(2).total
        (6, 36)
        """
        return self._shown(self._weight(event))

    def _shown(self, weight: Any) -> Any:
        domain = self._domain
        return weight if domain is None else domain.to_sympy(domain.convert(weight))

    def _weight(self, event: Event) -> Any:
        holds = self._test(event)
        return sum(weight for x, weight in self._weights.items() if holds(x))

    def _test(self, event: Event) -> Callable[[Any], Any]:
        """The event as a test of one outcome."""
        if callable(event):
            return event
        if event in self:
            return lambda outcome: outcome == event
        if isinstance(event, str | bytes) or not isinstance(event, Collection):
            wanted = "a test of one outcome or a set of outcomes"
            raise ValueError(f"an event is {wanted}, not {event!r}")
        members = list(event)
        kinds = {type(outcome) for outcome in self}
        if members and not any(member in self or type(member) in kinds for member in members):
            raise ValueError(f"an outcome looks like {next(iter(self))!r}; none is in {event!r}")
        return members.__contains__ if isinstance(event, list) else set(members).__contains__

    def P(self, event: Event) -> Any:
        """The chance of an event, as a sympy Rational. A certain event has chance 1, also where
        six free symbols stand for the die.

        An event is a test of one outcome, a set of outcomes, or one outcome itself.

        >>> throws(1).P({(1,), (5,)})
        1/3
        """
        holds = self._test(event)
        if all(map(holds, self._weights)):
            return as_sympy(1)
        return self._ratio(self._weight(holds))

    def E(self, f: Callable[[Any], Any] = lambda outcome: outcome) -> Any:
        """The expectation of f, the mean over all outcomes by their chances.

        >>> throws(2).E(sum)
        7

        Raises ValueError if f is not a number for every outcome.
        """
        _refuse_uncallable(f)
        by_value: dict[Any, Any] = defaultdict(int)
        for outcome, weight in self._weights.items():
            value = f(outcome)
            try:
                by_value[exact(int(value) if isinstance(value, bool) else value)] += weight
            except ValueError:
                raise ValueError(
                    f"a mean needs a number for every outcome, but {outcome!r} gives {value!r}"
                ) from None
        if self._domain is None and all(isinstance(value, Fraction) for value in by_value):
            mean = sum((value * weight for value, weight in by_value.items()), start=Fraction(0))
            return as_sympy(mean / self._total)
        terms = [as_sympy(value) * self._ratio(weight) for value, weight in by_value.items()]
        return sum(terms, start=as_sympy(0)).expand()

    def given(self, event: Event) -> Distribution:
        """The distribution once the event is known to have happened.

        >>> throws(1).given(lambda throw: throw != (6,))[(5,)]
        1/5

        Raises ValueError if the event is impossible.
        """
        holds = self._test(event)
        kept = {x: weight for x, weight in self._weights.items() if holds(x)}
        if not kept:
            raise ValueError("this condition is impossible: no outcome fulfils it")
        return self.of(kept, sum(kept.values()), self._domain)

    def map(self, f: Callable[[Any], Any]) -> Distribution:
        """The distribution of f(outcome), in order where the results have one.

        >>> throws(2).map(sum)[7]
        1/6

        Raises ValueError if a result cannot be told apart from others, as a list cannot.
        """
        _refuse_uncallable(f)
        found: dict[Any, Any] = defaultdict(int)
        for outcome, weight in self._weights.items():
            result = f(outcome)
            if not isinstance(result, Hashable):
                raise ValueError(f"{outcome!r} gives {result!r}; make it a tuple or a number")
            found[result] += weight
        with suppress(TypeError):
            found = {outcome: found[outcome] for outcome in sorted(found)}
        return self.of(dict(found), self._total, self._domain)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __contains__(self, outcome: object) -> bool:
        try:
            return outcome in self._weights
        except TypeError:
            return False

    def __getitem__(self, outcome: Any) -> Any:
        """The chance of one outcome, 0 if it is impossible."""
        return self._ratio(self._weights[outcome] if outcome in self else 0)

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Pairs of an outcome and its chance."""
        return ((outcome, self[outcome]) for outcome in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        if self._weights.keys() != other._weights.keys():
            return False
        if self._domain is None and other._domain is None:
            return all(
                weight * other._total == other._weights[outcome] * self._total
                for outcome, weight in self._weights.items()
            )
        return all((self[outcome] - other[outcome]).cancel() == 0 for outcome in self)

    def __hash__(self) -> int:
        return hash(frozenset(self._weights))

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(self, "_domain"):
            raise AttributeError("a Distribution cannot be changed; use map or given")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Distribution cannot be changed; use map or given")

    def __reduce__(self) -> Any:
        if self._domain is None:
            return Distribution.of, (self._weights, self._total, None)
        return _rebuilt, ({outcome: self.count([outcome]) for outcome in self}, self.total)

    def __repr__(self) -> str:
        rows = self._rows()
        wide = max(len(words) for words, _, _ in rows)
        lines = [f"{words:>{wide}}  {p}  {percent}".rstrip() for words, p, percent in rows]
        return "\n".join(lines + self._rest())

    def _repr_html_(self) -> str:
        most = max(self._weights.values()) if self._domain is None else None
        body = ""
        rows = zip(self._rows(), self._weights.values(), strict=False)
        for (words, chance, percent), weight in rows:
            bar = "" if most is None else _BAR.format(round(100 * weight / most))
            cells = f"<td>{escape(chance)}</td><td>{percent}</td>{bar}"
            body += f'<tr><th scope="row">{escape(words)}</th>{cells}</tr>'
        head = "".join(f'<th scope="col">{word}</th>' for word in ("outcome", "chance", "per cent"))
        count = f"{len(self):,} outcome{'s' * (len(self) != 1)}"
        return (
            f"<table><caption>{count} and their chances</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            + "".join(f"<p>{words}</p>" for words in self._rest())
        )

    def _rows(self) -> list[tuple[str, str, str]]:
        """Outcome, chance and per cent in words, of the outcomes that are shown."""
        return [
            (_words(x), str(chance), f"{100 * float(chance):.2f} %" if chance.is_number else "")
            for x, chance in islice(self.items(), SHOWN)
        ]

    def _rest(self) -> list[str]:
        more = len(self) - SHOWN
        return [f"… and {more:,} more outcome{'s' * (more > 1)}"] if more > 0 else []


_BAR = (
    '<td style="width:12em"><div aria-hidden="true" '
    'style="width:{}%;min-width:1px;height:.8em;background:#0072B2"></div></td>'
)


def in_one_domain(rows: Mapping[Any, Distribution]) -> tuple[dict[Any, dict[Any, Any]], Any, Any]:
    """The weights of several distributions over one total, and in one domain."""
    parts = {name: row.parts for name, row in rows.items()}
    if all(part.domain is None for part in parts.values()):
        total = lcm(*(part.total for part in parts.values()))
        scaled = {
            name: {x: weight * (total // part.total) for x, weight in part.weights.items()}
            for name, part in parts.items()
        }
        return scaled, total, None
    values, one, domain = as_weights(p for row in rows.values() for _, p in row.items())
    value = iter(values)
    return {name: {x: next(value) for x in row} for name, row in rows.items()}, one, domain


def _rebuilt(chances: dict[Any, Any], total: Any) -> Distribution:
    """A symbolic distribution from its expressions."""
    (*values, whole), _, domain = as_weights([*chances.values(), total])
    return Distribution.of(dict(zip(chances, values, strict=True)), whole, domain)


def _refuse_uncallable(f: Any) -> None:
    if not callable(f):
        raise ValueError(f"{f!r} is no function of an outcome, such as sum or max")


def _of_dice(distribution: Any) -> Distribution:
    if not isinstance(distribution, Distribution):
        raise ValueError(f"{distribution!r} is no distribution; write throws(6), for example")
    return distribution


def _words(outcome: Any) -> str:
    if isinstance(outcome, tuple) and all(isinstance(face, int) for face in outcome):
        return "-".join(map(str, outcome)) or "no dice"
    return str(outcome)


def throws(n: int, die: Die = FAIR) -> Distribution:
    """All throws of n dice, as sorted tuples, with their exact chances.

    >>> throws(2)[(1, 6)]
    1/18

    Raises ValueError if n is not a number of dice that can be listed one by one.
    """
    return _throws(check_count(n), check_die(die))


@cache
def _throws(n: int, die: Die) -> Distribution:
    return Distribution.of(*weights(n, die))


def P(event: Event, distribution: Distribution) -> Any:
    """The chance of an event.

    >>> P(lambda throw: 6 in throw, throws(2))
    11/36
    """
    return _of_dice(distribution).P(event)


def E(f: Any, distribution: Distribution | None = None) -> Any:
    """The expectation of f, or of a distribution of numbers.

    >>> E(max, throws(2)), E(throws(2).map(sum))
    (161/36, 7)
    """
    if distribution is None:
        return _of_dice(f).E()
    return _of_dice(distribution).E(f)
