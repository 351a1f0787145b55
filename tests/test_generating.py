"""Generating functions, against counting all throws, sympy.stats and icepool."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational, expand, oo, stats, symbols
from turn_oracle import throws as counted

from dicekit.dice import FACES, Die
from dicekit.generating import Ordinary, alike, at_most, faces, independent_sum, sums
from dicekit.probability import Distribution, E, throws

p, x = symbols("p x")
LOADED = Die.loaded({1: Fraction(1, 3), 6: 0})
BUST = {1: 0, 5: 0, 2: 2, 3: 2, 4: 2, 6: 2}
dice = st.sampled_from([Die(), LOADED, Die.loaded({6: p}), Die(symbols("a:f"))])


def same(one, other):
    return expand(one - other) == 0


# Sums


@pytest.mark.parametrize("n", [2, 3, 4])
def test_sums_are_those_of_sympy_stats(n):
    total = sum(stats.Die(f"die{i}", 6) for i in range(n))
    expected = stats.density(total).dict
    assert dict(sums(n).items()) == expected
    assert len(expected) == 5 * n + 1


@pytest.mark.parametrize("n", range(5))
@given(die=dice)
def test_sums_are_those_of_all_throws(n, die):
    expected = throws(n, die).map(sum)
    assert all(same(sums(n, die)[k], expected[k]) for k in range(6 * n + 2))


def test_the_polynomial_of_three_dice_is_the_product_by_hand():
    one = sum(x**k for k in range(1, 7)) / 6
    assert (faces() ** 3).expr.expand() == expand(one**3)
    assert (faces() ** 3)[10] == Rational(27, 216)
    assert (faces() ** 3)[9] == Rational(25, 216)  # what Galileo was asked about
    assert faces() ** 0 == Ordinary(Distribution({0: 1}))


def test_a_fair_and_a_loaded_die_together():
    both = faces() * faces(Die.loaded({6: p}))
    assert both[12] == p / 6
    assert same(sum(both[k] for k in range(13)), 1)
    assert both == faces(Die.loaded({6: p})) * faces()


def test_a_hundred_dice():
    assert E(lambda k: k, sums(100)) == 350
    assert sums(100)[100] == Rational(1, 6**100)


def test_only_generating_functions_multiply():
    with pytest.raises(TypeError):
        faces() * 2
    with pytest.raises(ValueError, match="whole number"):
        faces() ** -1


@given(st.dictionaries(st.integers(-5, 5), st.integers(1, 9), min_size=1))
def test_means_add(weights):
    a = Distribution(weights)
    assert independent_sum(a, a).E() == 2 * a.E()


# At most so many alike


def kept(caps):
    return lambda throw: all(throw.count(face) <= cap for face, cap in caps.items())


@given(
    die=dice,
    caps=st.dictionaries(st.integers(1, 6), st.integers(0, 4)),
    n=st.integers(0, 5),
)
def test_at_most_is_what_counting_says(die, caps, n):
    expected = throws(n, die).P(kept(caps))
    found = at_most(caps, die)[n]
    if die.chances == symbols("a:f"):  # their sum counts as 1, but sympy is not told
        total = sum(die.chances)
        expected, found = (
            value.subs(die.chances[5], 1 - total + die.chances[5]) for value in (expected, found)
        )
    assert same(expected, found)


@pytest.mark.parametrize("n", range(9))
def test_the_bust_function_is_what_counting_all_throws_says(n):
    weight = sum(ways for throw, ways in counted(n).items() if kept(BUST)(throw))
    assert at_most(BUST)[n] == Rational(weight, 6**n)


@pytest.mark.parametrize("n", [9, 10, 20, 100])
def test_nine_dice_and_more_never_bust(n):
    assert at_most(BUST)[n] == 0
    assert at_most(BUST).degree == 8


def test_the_function_is_n_factorial_times_the_coefficient():
    g = at_most(BUST)
    assert same(g.expr, (1 + x / 6 + x**2 / 72) ** 4)
    factorial = 1
    for n in range(9):
        factorial *= n or 1
        assert factorial * g.expr.expand().coeff(x, n) == g[n]


def test_free_faces_are_exponentials():
    g = at_most({6: 0})
    assert g.degree == oo
    assert [g[n] for n in range(4)] == [Rational(5, 6) ** n for n in range(4)]
    assert g.expr.subs(x, 0) == 1


@pytest.mark.parametrize("caps", [-1, 1.5, "two", {7: 1}, {1: -1}, None])
def test_limits_that_are_none(caps):
    with pytest.raises(ValueError, match=r"whole number|faces 1 to 6"):
        at_most(caps)


# The largest number alike


@pytest.mark.parametrize("n", range(7))
@pytest.mark.parametrize("die", [Die(), LOADED, Die.loaded({6: p})], ids=str)
def test_the_largest_number_alike_is_what_counting_says(n, die):
    expected = throws(n, die).map(lambda throw: max(map(throw.count, FACES)))
    assert all(same(alike(n, die)[m], expected[m]) for m in range(n + 1))


@pytest.mark.parametrize("n", [5, 20, 50, 100])
def test_the_largest_number_alike_is_that_of_icepool(n):
    import icepool

    peer = icepool.d6.pool(n).largest_count()
    expected = {m: Rational(ways, 6**n) for m, ways in peer.items()}
    assert dict(alike(n).items()) == expected


def test_a_loaded_die_shows_more_alike():
    six = Die.loaded({6: Fraction(1, 2)})
    assert alike(20, six).E() > alike(20).E()
    assert sum(chance for _, chance in alike(20, six).items()) == 1


def test_every_throw_of_six_free_symbols_has_something_alike():
    a = symbols("a:f")
    found = alike(3, Die(a))
    assert same(found[3], sum(q**3 for q in a))
    assert same(
        found[1],
        sum(a[i] * a[j] * a[k] for i, j, k in product(range(6), repeat=3) if len({i, j, k}) == 3),
    )


def test_a_notebook_shows_the_formula():
    assert (
        at_most(1)._repr_latex_().startswith("$\\displaystyle \\left(\\frac{x}{6} + 1\\right)^{6}")
    )
    assert repr(at_most(1)) == "(x/6 + 1)**6"
