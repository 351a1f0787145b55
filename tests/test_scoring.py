"""Scoring tables: the values of the rules by hand, everything else against brute force."""

import pickle
import re
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracle import Scoring, farkle_rows
from sympy import Symbol

from dicekit.games.farkle import Farkle
from dicekit.games.scoring import Table, row_name

FACES = range(1, 7)
THROWS = [throw for n in FACES for throw in combinations_with_replacement(FACES, n)]
BASE = Farkle().table

dice = st.lists(st.integers(1, 6), min_size=1, max_size=6).map(sorted).map(tuple)
points = st.integers(1, 60).map(lambda number: 50 * number)


def spelled(pattern):
    """A row has many spellings, "bab" for "aab": the first of them in the alphabet."""
    letters = sorted(map(pattern.count, set(pattern)), reverse=True)
    if pattern.isdigit():
        return "".join(sorted(pattern))
    return "".join(sign * count for sign, count in zip("abcdef", letters, strict=False))


known = [*farkle_rows(), "aaa", "aaaa", "aaaaa", "aaaaaa", "aa", "12345", "abcdef", "nothing"]
written = st.text("123456", min_size=1, max_size=6) | st.text("abc", min_size=1, max_size=6)
patterns = st.sampled_from(known) | written.map(spelled)
tables = st.dictionaries(patterns, points, min_size=1, max_size=10)

ZILCH = farkle_rows(alike="doubling") | {"aaaaaa": 1500, "nothing": 500}
del ZILCH["aaabbb"]
MULTIPLES_OF_TWO_PAIRS = {"aabb": 300, "1": 100, "aaaaaa": 50}


# The values of the rules


@pytest.mark.parametrize(
    ("kept", "value"),
    [
        ((1,), 100),
        ((5,), 50),
        ((1, 5), 150),
        ((1, 1), 200),
        ((5, 5), 100),
        ((1, 1, 1), 1000),
        ((2, 2, 2), 200),
        ((3, 3, 3), 300),
        ((4, 4, 4), 400),
        ((5, 5, 5), 500),
        ((6, 6, 6), 600),
        ((1, 1, 1, 5), 1050),
        ((1, 1, 1, 1), 1100),
        ((2, 2, 2, 2), 1000),
        ((5, 5, 5, 5), 1000),
        ((6, 6, 6, 6), 1000),
        ((1, 1, 1, 1, 1), 2000),
        ((4, 4, 4, 4, 4), 2000),
        ((1, 5, 6, 6, 6), 750),
        ((1, 1, 1, 1, 1, 1), 3000),
        ((2, 2, 2, 2, 2, 2), 3000),
        ((1, 2, 3, 4, 5, 6), 1500),
        ((2, 2, 3, 3, 4, 4), 1500),
        ((1, 1, 5, 5, 6, 6), 1500),
        ((1, 1, 1, 1, 5, 5), 1500),
        ((2, 2, 2, 2, 3, 3), 1500),
        ((2, 2, 2, 3, 3, 3), 2500),
        ((1, 1, 1, 5, 5, 5), 2500),
        ((1, 1, 1, 1, 1, 5), 2050),
        ((1, 1, 1, 1, 4), None),
        ((4, 4, 4, 4, 4, 1), 2100),
        ((1, 1, 1, 1, 1, 6), None),
        ((2,), None),
        ((3,), None),
        ((4,), None),
        ((6,), None),
        ((4, 4), None),
        ((1, 4), None),
        ((2, 3, 4), None),
        ((2, 3, 4, 5, 6), None),
        ((1, 2, 3, 4, 5), None),
        ((2, 2, 3, 3), None),
    ],
)
def test_the_values_of_farkle(kept, value):
    assert Farkle().score(kept) == value
    assert Farkle().score(tuple(reversed(kept))) == value
    assert Scoring(farkle_rows()).best(kept) == value, "the oracle itself"


@pytest.mark.parametrize(
    ("options", "kept", "value"),
    [
        ({"three_pairs": 750}, (2, 2, 3, 3, 4, 4), 750),
        ({"three_pairs": 750}, (1, 1, 1, 1, 5, 5), 1500),
        ({"three_pairs": 750}, (2, 2, 2, 2, 3, 3), 1500),
        ({"alike": "multiples"}, (1, 1, 1, 1), 2000),
        ({"alike": "multiples"}, (1, 1, 1, 1, 5, 5), 2100),
        ({"alike": "multiples"}, (2, 2, 2, 2, 2, 2), 800),
        ({"alike": "multiples"}, (6, 6, 6, 6, 6), 1800),
        ({"alike": "multiples"}, (2, 2, 2, 2, 3, 3), 1500),
        ({"alike": "multiples"}, (1, 1, 1, 1, 1, 1), 4000),
        ({"alike": "doubling"}, (2, 2, 2, 2), 400),
        ({"alike": "doubling"}, (2, 2, 2, 2, 2), 800),
        ({"alike": "doubling"}, (2, 2, 2, 2, 2, 2), 1600),
        ({"alike": "doubling"}, (1, 1, 1, 1, 1, 1), 8000),
        ({"alike": "doubling"}, (3, 3, 3, 3, 5, 5), 1500),
    ],
)
def test_the_values_of_options(options, kept, value):
    assert Farkle(**options).score(kept) == value


@pytest.mark.parametrize("alike", ["table", "multiples", "doubling"])
@pytest.mark.parametrize("three_pairs", [1500, 750])
def test_every_throw_under_every_option_of_the_table(three_pairs, alike):
    game = Farkle(three_pairs=three_pairs, alike=alike)
    oracle = Scoring(farkle_rows(three_pairs, alike))
    for throw in THROWS:
        kept = oracle.keepable(throw)
        assert game.score(throw) == oracle.best(throw), throw
        assert set(game.set_asides(throw)) == kept, throw
        assert game.is_bust(throw) == (not kept), throw


@pytest.mark.parametrize(
    ("changes", "alike", "kept", "value"),
    [
        ({"222": 250}, "multiples", (2, 2, 2, 2), 500),
        ({"222": 250}, "doubling", (2,) * 6, 2000),
        ({"aaa": 500}, "multiples", (2, 2, 2, 2), 1000),
        ({"aaa": 500}, "multiples", (1, 1, 1, 1), 2000),
        ({"222": None}, "multiples", (2, 2, 2, 2), None),
    ],
    ids=str,
)
def test_alike_goes_by_what_the_triplet_is_worth_in_the_table(changes, alike, kept, value):
    assert Farkle(table=BASE | changes, alike=alike).score(kept) == value


def test_three_pairs_left_out_of_the_table_stay_out():
    game = Farkle(table=BASE | {"aabbcc": None}, three_pairs=750)
    assert game.score((2, 2, 3, 3, 4, 4)) is None


# Any table


@settings(max_examples=150)
@given(tables, dice)
@example(ZILCH, (2, 2, 3, 3, 4, 4))
@example(ZILCH, (2, 2, 3, 3, 4, 6))
@example(MULTIPLES_OF_TWO_PAIRS, (2, 2, 3, 3, 3, 3))
@example({"ab": 100, "abcd": 50}, (1, 2, 2, 3))
def test_the_best_split_is_the_best_of_all_splits_found_by_brute_force(written, kept):
    table, oracle = Table(written), Scoring(written)
    every = oracle.splits(kept)
    assert table.score(kept) == max(every, default=None)
    found = table.split(kept)
    assert (found is None) == (not every)
    if found:
        assert tuple(sorted(die for part, _ in found for die in part)) == kept
        assert all(points == oracle.row(part) for part, points in found)
        assert sum(points for _, points in found) == max(every)


@settings(max_examples=60)
@given(tables, dice)
@example(ZILCH, (2, 2, 3, 3, 4, 6))
@example(ZILCH, (2, 3, 4, 6))
@example({"nothing": 500}, (1, 2, 3, 4, 5, 6))
def test_what_may_be_set_aside_is_every_part_with_a_full_split(written, throw):
    oracle = Scoring(written)
    game = Farkle(table=Table(written))
    kept = game.set_asides(throw)
    assert len(set(kept)) == len(kept)
    assert set(kept) == oracle.keepable(throw)
    values = [game.score(part) for part in kept]
    assert values == sorted(map(oracle.best, kept), reverse=True)
    assert game.is_bust(throw) == (not kept)
    assert Table(written).fits(throw) == bool(kept)


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from(sorted(BASE)), st.none() | points), st.integers(3, 6), dice)
@example({"aabbcc": None}, 6, (2, 2, 3, 3, 4, 4))
@example({"1": None, "5": None}, 6, (1, 5))
def test_rows_changed_and_left_out(changes, size, throw):
    written = {row: value for row, value in (dict(BASE) | changes).items() if value is not None}
    table = BASE | changes
    assert dict(table) == written
    assert table == Table(written)
    assert table.score(throw) == Scoring(written).best(throw)


@pytest.mark.parametrize(
    ("kept", "value"),
    [
        ((2, 2, 3, 3, 4, 4), 1500),
        ((2, 2, 2, 2, 3, 3), 1500),
        ((1, 1, 5, 5, 5, 5), 1500),
        ((1, 1, 1, 1, 3, 3), 1500),
        ((1, 1, 1, 1, 5, 5), 2100),
        ((2, 2, 2, 2, 2, 2), 1600),
        ((1, 1, 1, 1, 1, 1), 8000),
        ((2, 2, 3, 3, 4, 6), 500),
        ((2, 3, 4, 4, 6, 6), 500),
        ((2, 2, 3, 3, 4, 5), None),
        ((2, 3, 4, 6), None),
        ((3, 3, 3, 3), 600),
    ],
)
def test_a_table_in_the_manner_of_zilch(kept, value):
    assert Table(ZILCH).score(kept) == value
    assert Scoring(ZILCH).best(kept) == value, "the oracle itself"


def test_three_pairs_of_one_face_only_where_the_table_says_so():
    few = {"aabbcc": 1500, "1": 100}
    assert Table(few).score((2, 2, 2, 2, 3, 3)) is None
    assert Table(few | {"aaaabb": 1500}).score((2, 2, 2, 2, 3, 3)) == 1500
    assert Table(few | {"aaaabb": 1500}).score((2,) * 6) is None
    assert Table(few | {"aaaaaa": 1500}).score((2,) * 6) == 1500


def test_every_throw_under_zilch():
    game, oracle = Farkle(table=Table(ZILCH)), Scoring(ZILCH)
    for throw in THROWS:
        assert set(game.set_asides(throw)) == oracle.keepable(throw), throw
        for part in game.set_asides(throw):
            assert game.score(part, thrown=len(throw)) == oracle.best(part), (throw, part)


def test_nothing_is_a_throw_of_all_the_dice_of_the_game():
    table = Table({"1": 100, "nothing": 500})
    assert table.score((2, 3, 4, 5, 6), all_dice=5) == 500
    assert table.score((2, 3, 4, 5, 6), all_dice=6) is None
    assert table.fits((2, 3, 4, 5, 6), all_dice=5)
    assert table.score((1, 3, 4, 5, 6), all_dice=5) is None


# A split that can be shown


def test_a_split_names_its_rows_and_uses_the_fewest():
    assert Farkle().split((1, 1, 1, 5)) == (((1, 1, 1), 1000), ((5,), 50))
    assert Table({"1": 100, "5": 50, "15": 150}).split((1, 5)) == (((1, 5), 150),)
    assert Farkle().split((1, 4)) is None


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("1", "each 1"),
        ("111", "three 1s"),
        ("aaaaaa", "six alike"),
        ("aabbcc", "three pairs"),
        ("123456", "straight"),
        ("aaaabb", "four alike and a pair"),
    ],
)
def test_rows_have_names(pattern, words):
    assert words in row_name(pattern)


@given(patterns)
def test_every_row_has_a_name(pattern):
    assert row_name(pattern).strip()


# A table as a value


def test_a_table_is_a_mapping_and_a_value():
    table = Table({"5": 50, "1": 100})
    assert dict(table) == {"1": 100, "5": 50}
    assert table["1"] == 100
    assert (len(table), "1" in table, "2" in table) == (2, True, False)
    again = pickle.loads(pickle.dumps(table))
    for other in (Table({"1": 100, "5": 50}), again, Table(table), table | {}):
        assert other == table
        assert hash(other) == hash(table)
    assert table != Table({"1": 100})
    assert eval(repr(table)) == table


def test_a_row_may_be_spelled_in_any_order_with_any_letters():
    table = Table({"aabb": 100, "15": 150})
    assert Table({"cdcd": 100, "51": 150}) == table
    assert table | {"baba": 50, "51": None} == Table({"aabb": 50})


def test_a_row_given_twice_is_refused():
    for make in (lambda: Table({"ab": 50, "ba": 100}), lambda: BASE | {"ab": 50, "ba": 100}):
        with pytest.raises(ValueError, match="twice"):
            make()


def test_changing_a_table_makes_a_new_one():
    table = Table({"1": 100, "5": 50})
    assert dict(table | {"5": None, "aaa": 300}) == {"1": 100, "aaa": 300}
    assert dict(table) == {"1": 100, "5": 50}
    with pytest.raises(TypeError):
        table["1"] = 200
    assert dict(table | {"666": None}) == {"1": 100, "5": 50}


def test_a_table_shows_every_row_in_a_notebook():
    html = Farkle().rows._repr_html_()
    assert "<caption>" in html
    text = re.sub(r"<[^>]*>", " ", html)
    for row, value in Farkle().rows.items():
        assert row_name(row) in text
        assert str(value) in text.replace(",", "").replace("\u202f", "")


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        " ",
        "0",
        "7",
        "1aa",
        "A",
        "17",
        "1 1",
        "a-b",
        "1,1",
        "é",
        "⚀",
        "<b>",
        "1\n",
        "111111111",
        1,
        None,
    ]
    + [("1",), (1, 1), b"1", 1.5, True, Fraction(111), Symbol("aaa")],
    ids=repr,
)
def test_what_is_no_pattern_is_refused(pattern):
    for make in (lambda: Table({pattern: 100}), lambda: BASE | {pattern: 100}):
        with pytest.raises(ValueError, match=r"pattern|row"):
            make()


@pytest.mark.parametrize(
    "value", [0, -50, 99.5, "100", True, [100], float("nan"), float("inf"), object, 1j], ids=repr
)
def test_what_is_no_number_of_points_is_refused(value):
    for make in (lambda: Table({"1": value}), lambda: BASE | {"1": value}):
        with pytest.raises(ValueError, match=r"points|worth"):
            make()


@pytest.mark.parametrize("rows", [None, 5, "1", ["1"], [("1", 100)], {"1"}], ids=repr)
def test_what_is_no_table_is_refused(rows):
    with pytest.raises(ValueError, match=r"\w"):
        Table(rows)
    with pytest.raises(ValueError, match="table"):
        Farkle(table=rows)


@pytest.mark.parametrize("question", ["score", "split", "is_bust", "set_asides"])
@pytest.mark.parametrize(
    "throw",
    [
        (7,),
        (0,),
        (1, 1.5),
        ("1",),
        "15",
        None,
        5,
        (None,),
        ((1, 5),),
        (1,) * 7,
        object(),
        {1: 2}.get,
    ],
    ids=["7", "0", "1.5", "text", "string", "None", "5", "(None)", "nested", "seven", "?", "f"],
)
def test_questions_about_what_no_dice_can_show_are_refused(question, throw):
    with pytest.raises(ValueError, match=r"\w"):
        getattr(Farkle(), question)(throw)


@pytest.mark.parametrize("thrown", [0, 1, 7, -1, 2.5, "3", True, [3]], ids=repr)
def test_dice_set_aside_from_an_impossible_throw_are_refused(thrown):
    with pytest.raises(ValueError, match=r"\w"):
        Farkle().score((1, 1), thrown=thrown)


def test_no_dice_score_nothing():
    assert Farkle().score(()) is None
    assert Farkle().set_asides((2, 3, 4)) == ()


def test_dice_may_come_as_a_list_a_generator_or_numpy():
    numpy = pytest.importorskip("numpy")
    for kept in ([5, 1], (die for die in (1, 5)), numpy.array([1, 5])):
        assert Farkle().score(kept) == 150
