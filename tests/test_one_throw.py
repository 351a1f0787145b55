"""One throw in each game: rows, busts, best points, against an oracle written from the rules."""

from fractions import Fraction

import pytest
import turn_oracle as oracle
from sympy import Poly, Rational, diff, factor, solve, symbols

from dicekit.dice import Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import FARKLE, Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.scoring import Table, contains, face_counts
from dicekit.probability import E, P, throws
from dicekit.solve.throw import best_points, none_of, row_chances

p = symbols("p")
LOADED = Die.loaded({1: p})
POKER = {
    "pair": "aa",
    "two pairs": "aabb",
    "three": "aaa",
    "small straight": "12345",
    "large straight": "23456",
    "full house": "aaabb",
    "four": "aaaa",
    "poker": "aaaaa",
}
GAMES = {
    "farkle": (Farkle(), oracle.farkle()),
    "750": (Farkle(three_pairs=750), oracle.farkle(three_pairs=750)),
    "multiples": (Farkle(alike="multiples"), oracle.farkle(alike="multiples")),
    "doubling": (Farkle(alike="doubling"), oracle.farkle(alike="doubling")),
    "5000": (FiveThousand(), oracle.five_thousand()),
    "any": (FiveThousand(keep="any"), oracle.five_thousand(keep="any")),
    "any throw": (
        FiveThousand(combinations="any throw"),
        oracle.five_thousand(combinations="any throw"),
    ),
    "straights": (
        FiveThousand(small_straight=300, large_straight=0),
        oracle.five_thousand(small_straight=300, large_straight=0),
    ),
    "five alike": (
        FiveThousand(wins_at_once="five alike"),
        oracle.five_thousand(wins_at_once="five alike"),
    ),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("n", range(1, 7))
def test_busts_and_best_points(name, n):
    game, other = GAMES[name]
    if n > game.all_dice:
        with pytest.raises(ValueError, match=f"played with {game.all_dice} dice"):
            best_points(game, n)
        return
    expected = oracle.best_points(other, n)
    assert dict(best_points(game, n).items()) == {
        points: Rational(chance.numerator, chance.denominator)
        for points, chance in expected.items()
    }
    assert P(game.is_bust, throws(n)) == expected.get(0, 0)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("n", range(1, 7))
def test_rows_of_the_throwing_games(name, n):
    game, _ = GAMES[name]
    if n <= game.all_dice:
        found = row_chances(game, n)
        assert found == oracle.row_chances(" ".join(found), n)
        assert found["1"] == 1 - Rational(5, 6) ** n


def test_rows_of_dice_poker():
    expected = oracle.row_chances(" ".join(POKER.values()), 5)
    assert row_chances(DicePoker()) == {row: expected[pattern] for row, pattern in POKER.items()}
    assert row_chances(DicePoker.yatzy())["yatzy"] == Rational(1, 1296)
    straights = row_chances(DicePoker.american())
    assert straights["small straight"] == oracle.chance(
        5, lambda throw: any(set(map(int, row)) <= set(throw) for row in ("1234", "2345", "3456"))
    )
    assert E(lambda points: points, best_points(DicePoker())) > E(sum, throws(5))


def test_the_row_nothing():
    game = Farkle(table=FARKLE | {"nothing": 500})
    assert row_chances(game)["nothing"] == Rational(5, 216)
    assert row_chances(game, 5)["nothing"] == 0
    assert best_points(game)[500] == best_points(Farkle())[500] + Rational(5, 216)


@pytest.mark.parametrize("rules", [Farkle, "farkle", None, FARKLE])
def test_only_rules_have_chances(rules):
    for ask in (row_chances, best_points):
        with pytest.raises(ValueError, match="the rules of a game"):
            ask(rules)


# With symbols


@pytest.mark.parametrize(
    "game", [Farkle(), FiveThousand(), DicePoker(), DicePoker.american()], ids=lambda g: g.name
)
def test_at_one_sixth_a_loaded_die_is_fair_in_every_row(game):
    fair = row_chances(game)
    six = symbols("a:f")
    for loaded in (LOADED, Die(six)):
        found = row_chances(game, die=loaded)
        values = dict.fromkeys((p, *six), Rational(1, 6))
        assert {row: chance.subs(values) for row, chance in found.items()} == fair
        assert all(chance.as_poly(p, *six) is not None for chance in found.values())


def test_a_bust_with_a_symbol_is_a_polynomial_to_work_with():
    bust = P(Farkle().is_bust, throws(6, LOADED))
    assert Poly(bust, p).degree() == 6
    assert bust.subs(p, Rational(1, 6)) == Rational(5, 216)
    assert diff(bust, p).subs(p, Rational(1, 6)) < 0
    assert 1 in solve(bust, p)
    assert factor(none_of(FARKLE | {"aabbcc": None}, LOADED)[6] - bust) != 0
    assert (none_of(FARKLE, LOADED)[6] - bust).expand() == 0
    assert best_points(Farkle(), 6, LOADED)[0].expand() == bust


def test_six_symbols_are_certain_to_show_something():
    assert P(lambda throw: True, throws(6, Die(symbols("a:f")))) == 1


# No row of a table


@pytest.mark.parametrize("n", range(9))
@pytest.mark.parametrize("three_pairs", [True, False])
def test_none_of_farkle_is_what_counting_says(n, three_pairs):
    table = FARKLE if three_pairs else FARKLE | {"aabbcc": None}
    rows = [oracle.contains(row) for row in table]
    expected = oracle.chance(n, lambda throw: not any(holds(throw) for holds in rows))
    assert none_of(table)[n] == expected


def test_none_of_other_tables():
    assert none_of(Table({"1": 100}))[3] == Rational(125, 216)
    assert none_of(Table({"aa": 5}))[7] == 0
    assert none_of(FiveThousand().rows).degree == 8
    assert none_of(FARKLE).degree == 6  # seven dice and more hold three pairs, or more alike
    with pytest.raises(ValueError, match="have no end"):
        none_of(Table({"1": 100, "aabb": 200}))
    with pytest.raises(ValueError, match="have no end"):
        none_of(Table({"12": 100}))


def test_contains_is_what_the_oracle_says():
    for n in range(1, 7):
        for throw in oracle.throws(n):
            for row in [*FARKLE, "aabb", "112", "2345"]:
                assert contains(face_counts(throw), row) == oracle.contains(row)(throw)


def test_numbers_of_dice_that_are_none():
    for n in (-1, 1.5, "two"):
        with pytest.raises(ValueError, match="whole number"):
            row_chances(Farkle(), n)


def test_a_loaded_die_by_numbers():
    die = Die.loaded({1: Fraction(1, 2)})
    assert row_chances(Farkle(), 2, die)["1"] == Rational(3, 4)
    assert best_points(Farkle(), 1, die)[100] == Rational(1, 2)
