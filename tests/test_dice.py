"""A die, fair or loaded: exact chances, and what is no die, no throw and no number of dice."""

import pickle
from collections import Counter
from dataclasses import FrozenInstanceError
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import comb, inf, nan

import pytest
from sympy import Function, I, Matrix, Rational, Symbol, oo, simplify, sqrt, symbols
from sympy import nan as sympy_nan

from dicekit.dice import Die, check_count, check_throw, exact, multisets, orders, weights

SIXTH = Fraction(1, 6)
p, q = symbols("p q")


class Nothing:
    """An object of a kind that no one expects."""

    def __repr__(self):
        return "Nothing()"


NO_NUMBERS = [None, "many", [1], {}, (0.1,), 1j, nan, inf, -inf, sympy_nan, oo, I, Nothing(), len]


@pytest.mark.parametrize(
    ("number", "value"),
    [
        (1, Fraction(1)),
        (0.1, Fraction(1, 10)),
        (1e-9, Fraction(1, 10**9)),
        (Decimal("0.30"), Fraction(3, 10)),
        (Fraction(2, 7), Fraction(2, 7)),
        (Rational(2, 7), Fraction(2, 7)),
        (Rational(1, 2) + 0.1, Fraction(3, 5)),
        (2 * p, 2 * p),
        (0.5 * p + 0.1, p / 2 + Rational(1, 10)),
        (sqrt(2), sqrt(2)),
    ],
    ids=str,
)
def test_a_number_is_read_as_it_is_written(number, value):
    assert exact(number) == value
    assert not isinstance(exact(number), float)


def test_a_decimal_before_a_symbol_loads_a_die_exactly():
    assert Die.loaded({1: 0.5 * p}) == Die.loaded({1: p / 2})


def test_numpy_numbers_are_numbers():
    numpy = pytest.importorskip("numpy")
    assert exact(numpy.float64(0.1)) == Fraction(1, 10)
    assert exact(numpy.int64(3)) == 3
    assert Die.loaded({numpy.int64(6): numpy.float64(0.5)}) == Die.loaded({6: 0.5})
    assert check_count(numpy.int64(3)) == 3
    assert check_throw(numpy.array([5, 1, 1]), 3) == (1, 1, 5)
    assert {type(face) for face in check_throw(numpy.array([5, 1]))} == {int}


@pytest.mark.parametrize("values", [[2], [1, 2], 0.5], ids=str)
def test_numpy_arrays_are_no_numbers(values):
    numpy = pytest.importorskip("numpy")
    array = numpy.array(values)
    for question in (check_count, lambda n: check_throw([n]), lambda n: Die().chance(n)):
        with pytest.raises(ValueError, match=r"\w"):
            question(array)
    if array.shape:
        with pytest.raises(ValueError, match="number"):
            exact(array)


@pytest.mark.parametrize("number", [*NO_NUMBERS, True], ids=repr)
def test_what_is_no_number_is_refused(number):
    with pytest.raises(ValueError, match=r"\w"):
        exact(number)


def test_a_fair_die():
    assert [Die().chance(face) for face in range(1, 7)] == [SIXTH] * 6
    assert Die() == Die.loaded({}) == Die.loaded({3: SIXTH, 4: SIXTH})
    assert not Die().is_symbolic


@pytest.mark.parametrize("half", [0.4, Decimal("0.4"), Fraction(2, 5), Rational(2, 5)], ids=repr)
def test_the_faces_not_named_share_the_rest(half):
    die = Die.loaded({1: half})
    assert [die.chance(face) for face in range(1, 7)] == [Fraction(2, 5)] + [Fraction(3, 25)] * 5
    assert die == Die.loaded({1: 0.4})
    assert hash(die) == hash(Die.loaded({1: 0.4}))
    assert die != Die()


@pytest.mark.parametrize(
    "chances",
    [
        dict.fromkeys(range(1, 6), 0.1) | {6: 0.5},
        dict.fromkeys(range(1, 6), 0.2),
        {3: 1},
        {3: 0},
        {1: sqrt(2) / 2},
    ],
    ids=str,
)
def test_dice_that_can_be_made(chances):
    die = Die.loaded(chances)
    assert simplify(sum(die.chance(face) for face in range(1, 7))) == 1
    for face, chance in chances.items():
        assert die.chance(face) == exact(chance)


def test_ten_tenths_are_one():
    """0.1 + 0.1 + 0.1 + 0.7 is not 1 in floats."""
    assert Die.loaded({1: 0.1, 2: 0.1, 3: 0.1, 4: 0.7}).chance(5) == 0


def test_a_die_with_symbols():
    die = Die.loaded({1: p, 2: q})
    assert die.is_symbolic
    assert die.chance(2) == q
    assert simplify(die.chance(6) - (1 - p - q) / 4) == 0
    assert Die.loaded({1: p, 2: q}) == die != Die.loaded({1: q, 2: p})


def test_six_free_symbols_are_taken_at_their_word():
    faces = symbols("f1:7")
    die = Die.loaded(dict(enumerate(faces, start=1)))
    assert tuple(die.chance(face) for face in range(1, 7)) == faces


def test_six_expressions_whose_sum_is_one():
    die = Die.loaded({1: p, 2: p, 3: p, 4: p, 5: p, 6: 1 - 5 * p})
    assert simplify(die.chance(6) - (1 - 5 * p)) == 0


@pytest.mark.parametrize(
    "chances",
    [
        {1: -0.1},
        {1: 1.1},
        {1: 0.6, 2: 0.6},
        dict.fromkeys(range(1, 7), 0.2),
        dict.fromkeys(range(1, 7), 0),
        {1: sqrt(2)},
        {1: -sqrt(2) / 2},
        {1: sqrt(2) / 2, 2: 0.5},
        {1: Symbol("x", negative=True)},
        {1: 1 + Symbol("x", positive=True)},
        {1: Symbol("x", imaginary=True)},
        {1: p, 2: 1.5},
        {1: 1 - p, 2: 1 + p},
        *({1: number} for number in [*NO_NUMBERS, p > 0, Matrix([p]), Function("f")]),
    ],
    ids=str,
)
def test_what_cannot_be_a_chance_is_refused(chances):
    with pytest.raises(ValueError, match=r"chance|number"):
        Die.loaded(chances)


@pytest.mark.parametrize("others", [0, p, q], ids=str)
def test_six_expressions_that_are_no_six_free_symbols_must_sum_to_one(others):
    with pytest.raises(ValueError, match="sum"):
        Die.loaded({1: p} | dict.fromkeys(range(2, 7), others))


@pytest.mark.parametrize("face", [0, 7, -1, 1.5, "1", None, nan, (1,), 10**30], ids=repr)
def test_a_face_that_no_die_has_is_refused(face):
    with pytest.raises(ValueError, match="face"):
        Die.loaded({face: 0.1})
    with pytest.raises(ValueError, match="face"):
        Die().chance(face)


@pytest.mark.parametrize("chances", [None, 0.5, "fair", [0.5], [(1, 0.5)], {1, 2}], ids=repr)
def test_what_gives_no_chances_is_refused(chances):
    with pytest.raises(ValueError, match=r"\w"):
        Die.loaded(chances)


@pytest.mark.parametrize(
    "chances", [None, 1, "abcdef", (), (1,), (SIXTH,) * 5, (SIXTH,) * 7, (0.2,) * 6, (None,) * 6]
)
def test_a_die_has_six_chances_whose_sum_is_one(chances):
    with pytest.raises(ValueError, match=r"\w"):
        Die(chances)


def test_a_die_made_of_six_decimals_is_exact():
    assert Die((0.1, 0.1, 0.1, 0.1, 0.1, 0.5)) == Die.loaded({6: 0.5})


@pytest.mark.parametrize("die", [Die(), Die.loaded({1: 0.4}), Die.loaded({1: p})], ids=repr)
def test_a_die_is_a_value(die):
    copy = pickle.loads(pickle.dumps(die))
    assert copy == die
    assert hash(copy) == hash(die)
    with pytest.raises(FrozenInstanceError):
        die.chances = ()
    assert "Fraction" not in repr(die)


@pytest.mark.parametrize("n", range(7))
def test_multisets_and_orders_are_what_product_lists(n):
    listed = Counter(tuple(sorted(throw)) for throw in product(range(1, 7), repeat=n))
    assert list(multisets(n)) == sorted(listed)
    assert len(listed) == comb(n + 5, 5)
    assert {throw: orders(throw) for throw in listed} == listed


def test_weights_over_their_total_are_the_chances():
    found, total, domain = weights(2, Die.loaded({1: 0.5}))
    assert domain is None
    assert {type(weight) for weight in found.values()} == {int}
    assert Fraction(found[1, 1], total) == Fraction(1, 4)
    assert Fraction(found[1, 6], total) == Fraction(1, 10)
    assert sum(found.values()) == total


@pytest.mark.parametrize("n", [-1, 1.5, "2", None, True, nan, inf, [2], 2j, Nothing()], ids=repr)
def test_what_is_no_number_of_dice_is_refused(n):
    with pytest.raises(ValueError, match="number of dice"):
        check_count(n)


@pytest.mark.parametrize("n", [200, 10**6, 10**100])
def test_too_many_dice_to_list_are_refused_at_once(n):
    with pytest.raises(ValueError, match=r"dice"):
        weights(n)


def test_a_throw_may_be_typed_in_any_order_and_as_any_collection():
    assert check_throw([5, 1, 1]) == check_throw((1, 5, 1), 3) == check_throw(iter((1, 1, 5)))
    assert check_throw(()) == ()


@pytest.mark.parametrize(
    ("dice", "n"),
    [
        ([7], None),
        ([0], 1),
        ([1, 2], 3),
        ([1, 2, 3], 2),
        ([], 1),
        ([1.5], 1),
        (["1"], 1),
        ("15", 2),
        ([None], 1),
        ([[1]], 1),
        (["⚀"], 1),
        (None, None),
        (5, 1),
        (Nothing(), None),
        (Die(), None),
    ],
    ids=repr,
)
def test_what_no_dice_can_show_is_refused(dice, n):
    with pytest.raises(ValueError, match=r"\w"):
        check_throw(dice, n)
