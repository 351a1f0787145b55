"""Markov chains: what comes next depends only on where one is now.

States without a way on are absorbing. With the chances between the others as the matrix Q, the
fundamental matrix N = (1 - Q)^-1 says how often each is visited before the end, and its rows
sum to the mean number of steps (Kemeny and Snell, Finite Markov Chains, 1960). Chains small
enough to look at show their matrices. Large ones are solved without them: states that can come
back to each other form a group, and the groups are solved one after the other, exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any

from dicekit.dice import check_count, exact
from dicekit.probability import Distribution, as_sympy, in_one_domain, ratio

LARGEST = 60  # states that can be looked at as a matrix, or lead to each other and be exact
LONGEST = 50_000  # binary digits of an exact solution
NEAR = 1e-12
LATEST = 100_000  # steps for which a quantile is looked


class MarkovChain:
    """A chain of states with the exact chances of what follows each.

    `steps` maps a state to a Distribution of the next, or to {next state: chance}. A state that
    is only led to is absorbing. Chances may be symbols.

    >>> heads = MarkovChain({0: {0: 0.5, 1: 0.5}, 1: {0: 0.5, 2: 0.5}})
    >>> heads.mean_steps[0]
    6

    Raises ValueError if the chances of a state do not sum to 1.
    """

    def __init__(self, steps: Mapping[Any, Any]) -> None:
        if not isinstance(steps, Mapping) or not steps:
            raise ValueError(f"write a chain as {{state: {{next: chance}}}}, not as {steps!r}")
        rows = {state: _next(state, chances) for state, chances in steps.items()}
        self._given = rows.copy()
        seen = dict.fromkeys([*rows, *(to for row in rows.values() for to in row)])
        self.states: tuple[Any, ...] = tuple(seen)
        rows |= {state: Distribution({state: 1}) for state in self.states if state not in rows}
        self.absorbing = tuple(state for state in self.states if list(rows[state]) == [state])
        self.transient = tuple(state for state in self.states if state not in self.absorbing)
        self._rows, self._total, self._domain = in_one_domain(rows)
        before: dict[Any, list[Any]] = defaultdict(list)
        for state, row in self._rows.items():
            for to in row:
                before[to].append(state)
        self._reached = _reached(self.absorbing, before)  # backwards, from the end

    def chance(self, state: Any, to: Any) -> Any:
        """The chance that `to` comes next after `state`.

        Raises ValueError for a state that the chain does not have.
        """
        self._check(to)
        weight = self._rows[self._check(state)].get(to, 0)
        return ratio(weight, self._total, self._domain)

    def __repr__(self) -> str:
        return f"Markov chain of {len(self.states)} states, {len(self.absorbing)} of them absorbing"

    def _check(self, state: Any) -> Any:
        if state not in self.states:
            first = self.states[0]
            raise ValueError(f"this chain has no state {state!r}; it begins with {first!r}")
        return state

    @property
    def matrix(self) -> Any:
        """The chances as a sympy Matrix, row: from, column: to, both in the order of `states`.

        Raises ValueError if there are more than 60 states.
        """
        return self._matrix(self.states)

    def _matrix(self, states: tuple[Any, ...]) -> Any:
        from sympy import Matrix

        if len(states) > LARGEST:
            raise ValueError(f"{len(states)} states make a matrix too large to look at")
        size = len(states)
        return Matrix(size, size, lambda i, j: self.chance(states[i], states[j]))

    @cached_property
    def fundamental(self) -> Any:
        """How often each state is visited on average before the end, from each: (1 - Q)^-1.

        A sympy Matrix in the order of `transient`. Raises ValueError if there are more than 60
        states, or some from which the end is never reached.
        """
        from sympy import eye

        self._refuse_endless()
        inside = self._matrix(self.transient)
        return (eye(len(self.transient)) - inside).inv().applyfunc(lambda x: x.cancel())

    @cached_property
    def mean_steps(self) -> dict[Any, Any]:
        """The mean number of steps until the end, from each state that is not absorbing.

        Exact, unless more than 60 states can come back to each other or the fractions would
        have more than 15,000 digits: then they are floats.
        """
        return self._solved(dict.fromkeys(self.transient, self._total))

    @cached_property
    def ends(self) -> dict[Any, dict[Any, Any]]:
        """The chance of each absorbing state to be the one where it ends, from each other state."""
        found = {
            end: self._solved({state: self._rows[state].get(end, 0) for state in self.transient})
            for end in self.absorbing
        }
        return {state: {end: found[end][state] for end in found} for state in self.transient}

    @cached_property
    def stationary(self) -> dict[Any, Any]:
        """In which part of a long time the chain is in each state.

        Raises ValueError if that depends on where it begins, or for more than 60 states.
        """
        from sympy import eye, ones

        size = len(self.states)
        kernel = (self.matrix.T - eye(size)).nullspace()
        if len(kernel) != 1:
            raise ValueError("where this chain spends its time depends on where it begins")
        whole = (ones(1, size) * kernel[0])[0]
        parts = zip(self.states, kernel[0], strict=True)
        return {state: (part / whole).cancel() for state, part in parts}

    def after(self, n: int, start: Any) -> Distribution:
        """The distribution of the state after n steps.

        >>> MarkovChain({"rain": {"rain": 0.5, "sun": 0.5}, "sun": {"sun": 1}}).after(2, "rain")
        rain  1/4  25.00 %
         sun  3/4  75.00 %
        """
        masses = self._first(start)
        for _ in range(check_count(n, "steps")):
            masses = _moved(masses, self._rows)
        order = {state: masses[state] for state in self.states if masses.get(state)}
        return Distribution.of(order, self._total**n, self._domain)

    def _first(self, start: Any) -> dict[Any, Any]:
        return {self._check(start): 1 if self._domain is None else self._domain.one}

    def steps(self, start: Any) -> WaitingTime:
        """The distribution of the number of steps until the end."""
        reached = _reached([self._check(start)], self._rows)
        if not any(state in self.absorbing for state in reached):
            raise ValueError(f"from {start!r} the end is never reached: no state is absorbing")
        ways = {state: self._given.get(state, {state: 1}) for state in reached}
        return WaitingTime(MarkovChain(ways), start)

    # Linear equations

    def _refuse_endless(self) -> None:
        for state in self.states:
            if state not in self._reached:
                raise ValueError(f"from {state!r} the end is never reached")

    def _refuse_symbols(self) -> None:
        if self._domain is not None:
            raise ValueError("this needs numbers; put one in for each symbol")

    @cached_property
    def _field(self) -> Any:
        """Where the weights can be divided."""
        from sympy import QQ

        return QQ if self._domain is None else self._domain.get_field()

    def _solved(self, constants: dict[Any, Any]) -> dict[Any, Any]:
        """The x with total * x = constant + sum of weight * x(next), x being 0 at the end."""
        from sympy.utilities.iterables import strongly_connected_components

        self._refuse_endless()
        inside = set(self.transient)
        ways = [(s, to) for s in self.transient for to in self._rows[s] if to in inside]
        groups = strongly_connected_components((list(self.transient), ways))
        long = self._domain is None and len(inside) * self._total.bit_length() > LONGEST
        exact = not long and max(map(len, groups), default=0) <= LARGEST
        if not exact:
            self._refuse_symbols()

        def number(weight: Any) -> Any:
            return self._field.convert(weight) if exact else weight / self._total

        found: dict[Any, Any] = {}
        for group in groups:  # those to which a group leads come before it
            rows: dict[Any, dict[Any, Any]] = {state: {} for state in group}
            known = {state: number(constants[state]) for state in group}
            for state in group:
                for to, weight in self._rows[state].items():
                    if to in found:
                        known[state] += number(weight) * found[to]
                    elif to in rows:
                        rows[state][to] = number(weight)
            found |= _eliminated(rows, known, number(self._total))
        shown = self._field.to_sympy if exact else float
        return {state: shown(found[state]) for state in self.transient}


def _eliminated(
    rows: dict[Any, dict[Any, Any]], known: dict[Any, Any], total: Any
) -> dict[Any, Any]:
    """The x with total * x = known + sum of weight * x(next), for states that lead to each other.

    They are eliminated one by one, first those through which the fewest ways lead.
    """
    found, order = dict(known), []
    before = {state: {s for s in rows if state in rows[s]} for state in rows}
    while before:
        state = min(before, key=lambda s: len(rows[s]) * len(before[s]))
        leave = total - rows[state].pop(state, 0)
        found[state] /= leave
        row = rows[state] = {to: weight / leave for to, weight in rows[state].items()}
        for s in before.pop(state) - {state}:
            way = rows[s].pop(state)
            found[s] += way * found[state]
            for to, weight in row.items():
                rows[s][to] = rows[s].get(to, 0) + way * weight
                before[to].add(s)
        for to in row:
            before[to].remove(state)
        order.append(state)
    for state in reversed(order):
        found[state] += sum(weight * found[to] for to, weight in rows[state].items())
    return found


class WaitingTime:
    """How many steps a chain takes until the end: w[n] is the exact chance of n steps.

    It has no largest value, so it is no Distribution.

    >>> six = waiting(Fraction(1, 6))
    >>> six[1], six[3], six.mean
    (1/6, 25/216, 6)
    >>> six.quantile(0.5)
    4
    """

    __iter__ = None  # it goes on without end

    def __init__(self, chain: MarkovChain, start: Any) -> None:
        self.chain, self.start = chain, start
        self._last = 0, chain._first(start)
        self._ended: dict[int, Any] = {}

    def _upto(self, n: Any) -> tuple[Any, Any]:
        """The weight of n steps at most, and the total of that step."""
        n = check_count(n, "steps")
        while n not in self._ended:
            step, masses = self._last
            self._ended[step] = sum(masses.get(end, 0) for end in self.chain.absorbing)
            self._last = step + 1, _moved(masses, self.chain._rows)
        return self._ended[n], self.chain._total**n

    def at_most(self, n: int) -> Any:
        """The chance of n steps at most."""
        weight, total = self._upto(n)
        return ratio(weight, total, self.chain._domain)

    def more_than(self, n: int) -> Any:
        """The chance of more than n steps."""
        weight, total = self._upto(n)
        return ratio(total - weight, total, self.chain._domain)

    def __getitem__(self, n: int) -> Any:
        weight, total = self._upto(n)
        if not n:
            return self.at_most(0)
        before, _ = self._upto(n - 1)
        return ratio(weight - before * self.chain._total, total, self.chain._domain)

    @property
    def mean(self) -> Any:
        """The mean number of steps."""
        return self.chain.mean_steps.get(self.start, as_sympy(0))

    def quantile(self, q: Any) -> int:
        """The smallest number of steps within which the end comes with a chance of at least q.

        Found in floats, up to 12 digits; q = 0.5 is the median. Raises ValueError if q is no
        number from 0 to below 1, for symbols, and for more than 100,000 steps.
        """
        wanted = exact(q)
        if not isinstance(wanted, Fraction) or not 0 <= wanted < 1:
            raise ValueError(f"a quantile is for a chance from 0 to below 1, not {q!r}")
        for n, chance in enumerate(islice(self.floats(), LATEST)):
            if chance >= float(wanted) - NEAR:
                return n
        raise ValueError(f"this takes more than {LATEST:,} steps")

    def floats(self) -> Iterator[float]:
        """The chance of n steps at most, for n = 0, 1, 2, ..., as floats.

        Raises ValueError for symbols, or where the end may never come.
        """
        chain = self.chain
        chain._refuse_symbols()
        chain._refuse_endless()
        total = chain._total
        rows = {s: {to: w / total for to, w in row.items()} for s, row in chain._rows.items()}
        masses = {self.start: 1.0}
        while True:
            yield sum(masses.get(end, 0.0) for end in chain.absorbing)
            masses = _moved(masses, rows)

    def __repr__(self) -> str:
        if self.chain._domain is not None:
            return f"waiting time with mean {self.mean}"
        words = f"waiting time with mean {float(self.mean):.4g}"
        if self.mean > LATEST / 100:
            return words
        return f"{words}: half within {self.quantile(0.5)}, nine in ten within {self.quantile(0.9)}"


def waiting(chance: Any) -> WaitingTime:
    """The number of tries until something of this chance happens for the first time.

    >>> waiting(Fraction(1, 6)).more_than(4)
    625/1296

    Raises ValueError for what is no chance above 0.
    """
    chance = exact(chance)
    if isinstance(chance, Fraction) and not 0 < chance <= 1:
        raise ValueError(f"a chance to wait for lies above 0 and is at most 1, not {chance}")
    return MarkovChain({"waiting": {"waiting": 1 - chance, "done": chance}}).steps("waiting")


def _moved(masses: dict[Any, Any], rows: Mapping[Any, Mapping[Any, Any]]) -> dict[Any, Any]:
    """The masses one step later, over one more total."""
    found: dict[Any, Any] = defaultdict(int)
    for state, mass in masses.items():
        for to, weight in rows[state].items():
            found[to] += mass * weight
    return found


def _next(state: Any, chances: Any) -> Distribution:
    """The distribution of what follows a state."""
    if isinstance(chances, Distribution):
        return chances
    found = Distribution(chances)
    total = sum(map(exact, chances.values()))
    if total != 1 and (isinstance(total, Fraction) or total.cancel() != 1):
        must = "must sum to 1 (thirds as Fraction(1, 3))"
        raise ValueError(f"the chances after {state!r} {must}: {chances!r}")
    return found


def _reached(starts: Iterable[Any], ways: Mapping[Any, Iterable[Any]]) -> dict[Any, None]:
    """All states to which ways lead from these, and these themselves."""
    reached = dict.fromkeys(starts)
    for state in (queue := list(reached)):
        more = [to for to in ways[state] if to not in reached]
        reached |= dict.fromkeys(more)
        queue += more
    return reached
