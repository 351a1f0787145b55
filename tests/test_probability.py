"""Exact distributions, against counting all ordered throws one by one."""

import copy
import pickle
import re
from collections import Counter
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import inf, nan, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational, Symbol, expand, factor, oo, simplify, sqrt, symbols

from dicekit.dice import Die
from dicekit.games.farkle import Farkle
from dicekit.probability import Distribution, E, P, throws

p, q = symbols("p q")
LOADED = {1: Fraction(1, 2), 2: Fraction(1, 4), 3: 0, 4: Fraction(1, 8), 5: Fraction(1, 8), 6: 0}
COIN = Distribution({"heads": 1, "tails": 1})


class Nothing:
    """An object of a kind that no one expects."""

    def __repr__(self):
        return "Nothing()"


def ordered(n):
    return product(range(1, 7), repeat=n)


def is_bust(dice, three_pairs=True):
    """No 1, no 5, no three alike and, of six dice, not three pairs; a straight holds a 1."""
    counts = sorted(Counter(dice).values())
    if 1 in dice or 5 in dice or counts[-1] >= 3:
        return False
    return not (three_pairs and counts == [2, 2, 2])


# Throws


@pytest.mark.parametrize("n", range(7))
def test_throws_of_fair_dice_are_all_ordered_throws_counted(n):
    counted = Counter(tuple(sorted(throw)) for throw in ordered(n))
    assert dict(throws(n).items()) == {
        throw: Rational(count, 6**n) for throw, count in counted.items()
    }
    assert list(throws(n)) == sorted(counted)
    assert throws(n).total == 6**n


@pytest.mark.parametrize("n", range(6))
def test_throws_of_loaded_dice_are_all_ordered_throws_weighed(n):
    weighed = Counter()
    for throw in ordered(n):
        weighed[tuple(sorted(throw))] += prod((LOADED[face] for face in throw), start=Fraction(1))
    expected = {throw: Rational(weight) for throw, weight in weighed.items() if weight}
    assert dict(throws(n, Die.loaded(LOADED)).items()) == expected


@pytest.mark.parametrize("n", range(4))
def test_throws_of_symbolic_dice_are_all_ordered_throws_weighed(n):
    weighed = Counter()
    for throw in ordered(n):
        weighed[tuple(sorted(throw))] += prod({1: p, 2: q}.get(f, (1 - p - q) / 4) for f in throw)
    for throw, chance in throws(n, Die.loaded({1: p, 2: q})).items():
        assert expand(chance - weighed.pop(throw)) == 0
    assert not weighed


def test_six_free_symbols_give_the_terms_of_the_multinomial():
    a, b, c, d, e, f = faces = symbols("a:f")
    three = throws(3, Die.loaded(dict(enumerate(faces, start=1))))
    assert three[1, 2, 3] == 6 * a * b * c
    assert three[4, 4, 5] == 3 * d**2 * e
    assert simplify(three.P(lambda throw: throw[0] == 6) - f**3) == 0


def test_an_irrational_chance_stays_exact():
    assert simplify(throws(2, Die.loaded({1: sqrt(2) / 2}))[1, 1] - Rational(1, 2)) == 0


@pytest.mark.parametrize("n", range(1, 5))
def test_the_sum_of_dice(n):
    sums = Counter(sum(throw) for throw in ordered(n))
    expected = Distribution(sums)
    assert throws(n).map(sum) == expected
    assert E(sum, throws(n)) == Rational(7 * n, 2)
    assert list(throws(n).map(sum)) == sorted(sums)


@pytest.mark.parametrize("n", [-1, 1.5, "2", None, True, nan, [2], 200, 10**100, Nothing()])
def test_throws_of_what_is_no_number_of_dice_are_refused(n):
    with pytest.raises(ValueError, match="dice"):
        throws(n)


@pytest.mark.parametrize("die", ["fair", None, 6, {1: 0.5}, Die], ids=repr)
def test_throws_of_what_is_no_die_are_refused(die):
    with pytest.raises(ValueError, match=r"Die"):
        throws(2, die)


# Busts


@pytest.mark.parametrize(
    ("n", "numerator", "denominator"),
    [(1, 2, 3), (2, 4, 9), (3, 5, 18), (4, 17, 108), (5, 25, 324), (6, 5, 216)],
)
def test_bust_chances_of_farkle(n, numerator, denominator):
    counted = sum(is_bust(throw) for throw in ordered(n))
    assert Rational(counted, 6**n) == Rational(numerator, denominator)
    assert P(Farkle().is_bust, throws(n)) == Rational(numerator, denominator)


def test_bust_chance_of_six_dice_without_three_pairs():
    counted = sum(is_bust(throw, three_pairs=False) for throw in ordered(6))
    game = Farkle(table=Farkle().table | {"aabbcc": None})
    assert P(game.is_bust, throws(6)) == Rational(counted, 6**6) == Rational(5, 162)


def test_a_symbolic_bust_factors_and_gives_the_fair_value_at_one_sixth():
    """Four faces without value, not all three alike: 60 ways, each (1 - p)³/125."""
    bust = P(Farkle().is_bust, throws(3, Die.loaded({1: p})))
    assert factor(bust) == factor(12 * (1 - p) ** 3 / 25)
    assert bust.is_polynomial(p)
    assert bust.subs(p, Rational(1, 6)) == Rational(5, 18)


@pytest.mark.parametrize("n", [1, 2, 4, 6])
def test_a_symbolic_bust_agrees_with_a_loaded_die_with_numbers(n):
    bust = P(Farkle().is_bust, throws(n, Die.loaded({1: p, 5: q})))
    numbers = P(Farkle().is_bust, throws(n, Die.loaded({1: 0.3, 5: 0.1})))
    assert bust.subs({p: Rational(3, 10), q: Rational(1, 10)}) == numbers


# P, E, given, map


def test_an_event_is_a_test_or_a_collection_of_outcomes():
    two = throws(2)
    assert P(lambda throw: 6 in throw, two) == Rational(11, 36)
    for event in ({(1, 1), (6, 6)}, [(1, 1), (6, 6), (6, 6)], ((6, 6), (1, 1), (9, 9))):
        assert two.P(event) == Rational(1, 18)
    assert two.P(set()) == two.P(lambda throw: False) == 0
    assert two.P(lambda throw: True) == 1
    assert COIN.P({"heads": "any mapping is a collection of its keys"}) == Rational(1, 2)


@pytest.mark.parametrize(("event", "chance"), [((1, 6), Rational(1, 18)), ({7}, 0)], ids=str)
def test_an_event_of_nothing_that_is_an_outcome_is_not_silently_impossible(event, chance):
    """P((1, 6), throws(2)) means that throw; {7} forgets that outcomes are throws, not sums."""
    with suppress(ValueError):
        assert chance == throws(2).P(event) != 0


@pytest.mark.parametrize("seven", [7, Rational(7), Fraction(7)], ids=repr)
def test_an_outcome_is_found_by_any_number_equal_to_it(seven):
    for f in (sum, lambda throw: Rational(sum(throw))):
        sums = throws(2).map(f)
        assert sums[seven] == sums.P({seven}) == sums.P([seven, 13]) == Rational(1, 6)
        assert sums.given({seven})[7] == 1


def test_favourable_and_possible_cases():
    two = throws(2)
    assert (two.count(lambda throw: sum(throw) == 7), two.total) == (6, 36)


def test_chances_and_expectations_are_rationals_and_never_floats():
    two = throws(2, Die.loaded({1: 0.4}))
    answers = [
        two.P(lambda throw: 1 in throw),
        two.P(set()),
        two[1, 1],
        two[9, 9],
        two.E(sum),
        two.E(lambda throw: 0.1 * throw[0]),
        two.E(lambda throw: Fraction(1, throw[0])),
        *(chance for _, chance in two.items()),
        *(chance for _, chance in two.map(max).given({5, 6}).items()),
    ]
    assert all(isinstance(answer, Rational) for answer in answers)


@pytest.mark.parametrize("value", [0.1, Decimal("0.1"), Fraction(1, 10), Rational(1, 10)], ids=type)
def test_an_expectation_reads_a_decimal_as_it_is_written(value):
    assert E(lambda throw: value, throws(1)) == Rational(1, 10)


def test_a_decimal_in_an_expression_is_read_as_it_is_written():
    assert E(lambda throw: 0.5 * p, throws(1)) == p / 2
    assert Distribution({"a": 0.1 * p, "b": 0.3 * p})["a"] == Rational(1, 4)


def test_expectations_of_what_teachers_write():
    assert E(max, throws(2)) == Rational(161, 36)
    assert E(lambda throw: 6 in throw, throws(2)) == Rational(11, 36)
    assert throws(1).map(sum).E() == Rational(7, 2)
    assert simplify(E(sum, throws(2, Die.loaded({6: p}))) - 2 * (6 * p + 3 * (1 - p))) == 0
    assert E(lambda throw: p * sum(throw), throws(2)) == 7 * p


def test_numpy_answers_are_understood():
    numpy = pytest.importorskip("numpy")
    assert throws(2).P(lambda throw: numpy.bool_(6 in throw)) == Rational(11, 36)
    assert isinstance(throws(2).E(numpy.mean), Rational)
    assert throws(2).map(numpy.sum)[7] == throws(2).map(sum)[numpy.int64(7)] == Rational(1, 6)
    assert throws(2).map(numpy.sum).P({7}) == Rational(1, 6)
    assert throws(2).map(sum).P(numpy.arange(7, 13)) == Rational(7, 12)


@pytest.mark.parametrize("value", [None, "7", [7], (7,), nan, inf, oo, 1j, Nothing()], ids=repr)
def test_an_expectation_of_what_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match="number"):
        E(lambda throw: value, throws(1))


def test_given_divides_by_the_chance_of_the_event():
    two = throws(2)
    low = two.given(lambda throw: sum(throw) <= 3)
    assert dict(low.items()) == {(1, 1): Rational(1, 3), (1, 2): Rational(2, 3)}
    assert two.given({(1, 2), (1, 1)}) == low
    assert two.given(lambda throw: True) == two
    assert COIN.P({"heads"}) == Rational(1, 2), "the distribution asked is left as it was"


def test_given_with_symbols():
    one = throws(1, Die.loaded({1: p})).given(lambda throw: throw[0] <= 2)
    assert simplify(one[(1,)] - p / (p + (1 - p) / 5)) == 0


@pytest.mark.parametrize("event", [set(), {"edge"}, lambda side: False], ids=["{}", "edge", "f"])
def test_given_an_impossible_event_is_refused(event):
    with pytest.raises(ValueError, match="impossible"):
        COIN.given(event)


def test_given_an_event_of_weight_zero_is_refused():
    with pytest.raises(ValueError, match="impossible"):
        throws(1, Die.loaded({6: 0})).given({(6,)})


def test_map_adds_up_what_becomes_equal_and_keeps_order_where_there_is_one():
    assert list(throws(2).map(lambda throw: -sum(throw))) == list(range(-12, -1))
    mixed = throws(1).map(lambda throw: "low" if throw[0] < 3 else throw[0])
    assert mixed["low"] == Rational(1, 3)
    assert set(mixed) == {"low", 3, 4, 5, 6}
    assert throws(2).map(len) == Distribution({2: 1})


@pytest.mark.parametrize("question", ["P", "given", "count"])
@pytest.mark.parametrize("event", [None, 5, 0.5, Nothing(), "heads"], ids=repr)
def test_what_is_no_event_is_refused(question, event):
    with pytest.raises(ValueError, match=r"\w"):
        getattr(throws(1), question)(event)


@pytest.mark.parametrize("question", ["E", "map"])
@pytest.mark.parametrize("f", [None, 5, "sum", {1}], ids=repr)
def test_what_is_no_function_is_refused(question, f):
    with pytest.raises(ValueError, match="function"):
        getattr(throws(1), question)(f)


@pytest.mark.parametrize("distribution", [None, 6, {1: 1}, Die(), Distribution], ids=repr)
def test_questions_of_what_is_no_distribution_are_refused(distribution):
    with pytest.raises(ValueError, match="distribution"):
        P(lambda throw: True, distribution)
    with pytest.raises(ValueError, match="distribution"):
        E(sum, distribution)


def test_outcomes_that_cannot_be_told_apart_are_refused():
    with pytest.raises(ValueError, match=r"\w"):
        throws(1).map(list)


# A distribution as a value


def test_iteration_length_and_membership():
    assert list(COIN) == ["heads", "tails"]
    assert len(throws(6)) == 462
    assert "heads" in COIN
    assert "edge" not in COIN
    assert COIN["edge"] == 0
    assert dict(COIN.items()) == {"heads": Rational(1, 2), "tails": Rational(1, 2)}


def test_an_outcome_that_cannot_be_is_impossible_not_an_error():
    assert [1] not in COIN
    assert COIN[[1]] == 0


@pytest.mark.parametrize(
    "weights",
    [
        {"tails": 2, "heads": 2},
        {"heads": Fraction(1, 2), "tails": 0.5},
        {"heads": 0.1, "tails": Decimal("0.1"), "edge": 0},
        {"heads": sqrt(2), "tails": sqrt(2)},
        {"heads": p, "tails": p},
    ],
    ids=str,
)
def test_equal_when_all_chances_are_equal(weights):
    coin = Distribution(weights)
    assert coin == COIN
    assert hash(coin) == hash(COIN)
    assert len({coin, COIN}) == 1


def test_unequal_when_a_chance_differs():
    assert Distribution({"heads": 1, "tails": 2}) != COIN
    assert Distribution({"heads": 1}) != COIN
    assert Distribution({"heads": p, "tails": 1 - p}) != COIN
    assert COIN != {"heads": 1, "tails": 1}


def test_symbolic_distributions_are_equal_however_they_came_about():
    die = Die.loaded({1: p})
    first = throws(2, die).map(sum)
    second = Distribution({total: expand(chance) for total, chance in first.items()})
    third = Distribution({total: factor(chance) for total, chance in first.items()})
    assert first == second == third
    assert len({hash(first), hash(second), hash(third)}) == 1


@given(st.dictionaries(st.integers(), st.fractions(min_value=0), min_size=1))
def test_chances_sum_to_one_and_scaling_changes_nothing(weights):
    if not any(weights.values()):
        with pytest.raises(ValueError, match="possible"):
            Distribution(weights)
        return
    distribution = Distribution(weights)
    assert sum(chance for _, chance in distribution.items()) == 1
    assert distribution == Distribution({key: 7 * value for key, value in weights.items()})
    total = sum(weights.values())
    assert all(distribution[key] == Rational(value / total) for key, value in weights.items())


@pytest.mark.parametrize(
    "weights",
    [
        {},
        {1: 0},
        {1: 2, 2: -1},
        {1: -1},
        {1: None},
        {1: "1"},
        {1: nan},
        {1: inf},
        {1: oo},
        {1: 1j},
        {1: [1]},
        {1: Symbol("x", negative=True)},
        {1: p - p},
        None,
        5,
        [1, 2],
        "heads",
        [("heads", 1)],
        Nothing(),
    ],
    ids=str,
)
def test_what_is_no_distribution_is_refused(weights):
    with pytest.raises(ValueError, match=r"\w"):
        Distribution(weights)


@pytest.mark.parametrize("name", ["_total", "_weights", "total", "note"])
def test_a_distribution_cannot_be_changed(name):
    coin = Distribution({"heads": 1, "tails": 1})
    with pytest.raises(AttributeError):
        setattr(coin, name, 3)
    with pytest.raises(AttributeError):
        delattr(coin, name)
    assert coin == COIN


def test_a_distribution_keeps_no_hold_on_what_it_was_made_from():
    weights = {"heads": 1, "tails": 1}
    coin = Distribution(weights)
    weights["heads"] = 5
    assert coin == COIN


@pytest.mark.parametrize(
    "distribution",
    [
        throws(2),
        COIN,
        throws(2, Die.loaded({1: p})),
        throws(2, Die.loaded(dict(enumerate(symbols("a:f"), start=1)))),
        throws(2, Die.loaded({1: p})).given({(1, 1), (1, 2)}),
        throws(1, Die.loaded({1: sqrt(2) / 2})),
    ],
    ids=["fair", "coin", "symbolic", "six symbols", "given", "irrational"],
)
def test_copies_are_equal(distribution):
    for again in (
        pickle.loads(pickle.dumps(distribution)),
        copy.copy(distribution),
        copy.deepcopy(distribution),
    ):
        assert again == distribution
        assert dict(again.items()) == dict(distribution.items())
        assert hash(again) == hash(distribution)
        assert list(again) == list(distribution)
        assert again.total == distribution.total


# What a notebook shows

TAGS = re.compile(r"<[^>]*>")


def test_the_text_form_gives_outcomes_fractions_and_per_cents():
    shown = repr(Distribution({"a": 1, "b": 3}))
    assert re.search(r"^ *a +1/4 +25(\.0+)? %$", shown, re.MULTILINE)
    assert re.search(r"^ *b +3/4 +75(\.0+)? %$", shown, re.MULTILINE)


def test_the_notebook_form_is_a_table_with_a_caption_and_bars_that_are_not_read_aloud():
    html = Distribution({"a": 1, "b": 3})._repr_html_()
    assert "<caption>" in html
    assert 'scope="row"' in html
    assert "1/4" in TAGS.sub(" ", html)
    assert "75" in TAGS.sub(" ", html)
    assert html.count('aria-hidden="true"') == 2


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "<b>", "a & b", '"><img src=x>'])
def test_the_notebook_form_escapes_the_names_of_outcomes(name):
    plain = Distribution({"x": 1, "y": 1})._repr_html_()
    html = Distribution({name: 1, "y": 1})._repr_html_()
    assert html.count("<") == plain.count("<")
    assert html.count(">") == plain.count(">")
    assert "&lt;" in html or "&amp;" in html


def test_long_distributions_say_how_much_they_leave_out():
    for shown in (repr(throws(6)), throws(6)._repr_html_()):
        left_out = int(re.search(r"(\d+) more", shown)[1])
        assert 0 < left_out == 462 - shown.count(" %")


def test_symbolic_and_odd_outcomes_can_be_shown():
    for distribution in (
        throws(2, Die.loaded({1: p})),
        Distribution({None: 1, (1, 2): 1, p: 2, frozenset(): 3, "\ud800": 1}),
    ):
        assert repr(distribution)
        assert "<table" in distribution._repr_html_()
