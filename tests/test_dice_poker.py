"""Dice poker and its relatives: the seed's examples, every row, every option, random games.

Expected values were worked by hand from the rules before the code that decides them was read.
"""

import os
import pickle
from collections import Counter
from dataclasses import FrozenInstanceError
from fractions import Fraction
from functools import reduce
from itertools import combinations, combinations_with_replacement, product
from random import Random

import poker_oracle as oracle
import pytest

from dicekit.games.dice_poker import DicePoker
from dicekit.games.record import Record
from dicekit.games.sheet import AMERICAN, YATZY, Row, Sheet
from dicekit.games.states import CHANCE, TERMINAL, Bank, Hold, Pass, SetAside, Throw, Write
from dicekit.probability import throws

GAMES = {"seed": DicePoker(), "yatzy": DicePoker.yatzy(), "american": DicePoker.american()}
SECOND = tuple(oracle.SEED)  # the nine rows of part two
THROWS = tuple(combinations_with_replacement(range(1, 7), 5))
NOTHING = (1, 2, 3, 4, 6)  # no combination of the seed's sheet but chance
COMBINATIONS = {
    "pair": (6, 6, 1, 2, 3),
    "two pairs": (6, 6, 5, 5, 1),
    "three": (6, 6, 6, 1, 2),
    "small straight": (1, 2, 3, 4, 5),
    "large straight": (2, 3, 4, 5, 6),
    "full house": (6, 6, 6, 5, 5),
    "four": (6, 6, 6, 6, 1),
    "poker": (6, 6, 6, 6, 6),
    "chance": (6, 6, 6, 6, 6),
}


def go(state, *events):
    return reduce(lambda state, event: state.child(event), events, state)


def thrown(state, dice, number=3):
    """The moment when these dice are on the table after so many throws, all dice each time."""
    return go(state, Throw(), *[NOTHING, Hold(())] * (number - 1), dice)


def write(state, row, dice=NOTHING, number=3):
    return thrown(state, dice, number).child(Write(row))


def alike(face, count):
    """Five dice, so many of them of the face."""
    return (face,) * count + (face % 6 + 1,) * (5 - count)


def school(state, *counts):
    """Six turns, in the order of the rows, with so many dice of the face that each row counts."""
    for face, count in enumerate(counts, 1):
        state = write(state, str(face), alike(face, count))
    return state


def second(**options):
    """One player where part two begins: a school of zero and its bonus."""
    return school(DicePoker(**options).start("Ana"), 3, 3, 3, 3, 3, 3)


def without(*free, **options):
    """One player with all rows of part two dashed but these."""
    state = second(**options)
    for row in SECOND:
        if row not in free:
            state = write(state, row)
    return state


def rows(state):
    """The rows that may be written now."""
    return {action.row for action in state.legal_actions() if isinstance(action, Write)}


def value(state, row, player=0):
    """What a player has written into a row."""
    names = [row.name for row in state.rules.sheet.rows]
    return state.sheets[player][names.index(row)]


# The worked examples of the seed, in its own words


@pytest.mark.parametrize(
    ("words", "count", "points"),
    [
        ("para dois ossos - 1", 2, -4),
        ("para um - 2", 1, -8),
        ("se houver menos de três dados … resultado negativo: nenhum", 0, -12),
        ("3 dados da mesma denominação caírem, então zero", 3, 0),
        ("para quatro ossos - 1", 4, 4),
        ("para cinco - 2", 5, 8),
    ],
)
def test_the_school_counts_from_three_fours(words, count, points):
    assert DicePoker().points("4", alike(4, count)) == points
    assert value(write(DicePoker().start("Ana"), "4", alike(4, count)), "4") == points


def test_cinco_seis_2x5_10():
    """«se você tiver cinco seis … 2x5 = 10»: the formula gives 2×6; 2×5 are five fives."""
    assert DicePoker().points("6", (6, 6, 6, 6, 6)) == 12
    assert DicePoker().points("5", (5, 5, 5, 5, 5)) == 10


def test_deixar_um_par_de_dois_na_mesa_e_rolar_novamente_os_tres_restantes():
    """«na primeira tentativa você obteve 2-3-6-2-1»: hold the 2s, throw the three others."""
    state = go(DicePoker().start("Ana"), Throw(), (2, 3, 6, 2, 1))
    assert Hold((2, 2)) in state.legal_actions()
    state = state.child(Hold((2, 2)))
    assert (state.current_player, state.chance_outcomes()) == (CHANCE, throws(3))
    state = state.child((2, 5, 4))
    assert (Counter(state.throw), state.throws_left) == (Counter((2, 2, 2, 4, 5)), 1)
    assert value(state.child(Write("2")), "2") == 0
    state = go(state, Hold((2, 2, 2)), (2, 6))
    assert (state.throws_left, value(state.child(Write("2")), "2")) == (0, 2)


def test_em_cada_rodada_ele_tem_tres_tentativas():
    state = DicePoker().start("Ana")
    assert (state.throws_left, state.legal_actions()) == (3, (Throw(),))
    for number, left in ((1, 2), (2, 1), (3, 0)):
        after = thrown(state, (2, 3, 6, 2, 1), number)
        assert after.throws_left == left
        assert any(isinstance(action, Hold) for action in after.legal_actions()) == (left > 0)


def test_1_mais_3_mais_5_mais_4_mais_6_igual_a_19():
    """«depois que a combinação 1-3-5-4-6 cair»: chance is 19, and never doubled."""
    for number in (1, 2, 3):
        assert write(second(), "chance", (1, 3, 5, 4, 6), number).scores == (50 + 19,)


def test_um_par_de_trigemeos_3_mais_3_igual_a_6():
    """«se você tiver um par de trigêmeos … 3 + 3 = 6»: two 3s."""
    assert write(second(), "pair", (3, 3, 1, 2, 6)).scores == (50 + 6,)


@pytest.mark.parametrize(
    ("counts", "subtotal", "bonus"),
    [
        ((3, 3, 3, 3, 3, 3), 0, 50),
        ((2, 3, 3, 3, 3, 3), -1, 0),
        ((4, 3, 3, 3, 3, 3), 1, 50),
        ((4, 4, 2, 3, 3, 3), 0, 50),
        ((5, 5, 5, 5, 5, 5), 42, 50),
        ((0, 0, 0, 0, 0, 0), -63, 0),
        ((2, 5, 2, 1, 4, 3), -1 + 4 - 3 - 8 + 5, 0),
    ],
)
def test_um_sinal_de_mais_ou_pelo_menos_igual_a_zero_50_pontos_como_bonus(counts, subtotal, bonus):
    state = school(DicePoker().start("Ana"), *counts)
    (sheet,) = state.sheets
    assert (state.rules.subtotal(sheet), state.rules.bonus(sheet)) == (subtotal, bonus)
    assert state.rules.total(sheet) == subtotal + bonus
    assert state.scores == (subtotal + bonus,)


def test_apos_a_conclusao_da_primeira_parte_os_subtotais_sao_somados():
    """The bonus comes when the six rows are full, not while the sum happens to be positive."""
    state = school(DicePoker().start("Ana"), 5, 5, 5, 5, 5)
    assert (state.scores, state.rules.bonus(state.sheets[0])) == ((30,), 0)
    assert write(state, "6", alike(6, 0)).scores == (30 - 18 + 50,)


def test_pelo_poquer_ganha_adicionalmente_50_pontos():
    assert write(second(), "poker", (2, 2, 2, 2, 2)).scores == (50 + 10 + 50,)
    assert write(second(), "poker", (2, 2, 2, 2, 2), 1).scores == (50 + 20 + 50,)


@pytest.mark.parametrize(
    ("row", "dice", "points"),
    [
        ("pair", (3, 3, 1, 2, 6), 6),
        ("two pairs", (3, 3, 5, 5, 6), 16),
        ("three", (4, 4, 4, 1, 2), 12),
        ("small straight", (1, 2, 3, 4, 5), 15),
        ("large straight", (2, 3, 4, 5, 6), 20),
        ("full house", (2, 2, 3, 3, 3), 13),
        ("four", (1, 1, 1, 1, 6), 4),
    ],
)
def test_na_primeira_tentativa_os_pontos_serao_duplicados(row, dice, points):
    """«Se uma combinação (exceto por uma chance) [cair] na primeira tentativa»: doubled."""
    assert write(second(), row, dice, 1).scores == (50 + 2 * points,)
    assert write(second(), row, dice, 2).scores == (50 + points,)
    assert write(second(), row, dice, 3).scores == (50 + points,)


@pytest.mark.parametrize("count", range(6))
def test_the_school_is_not_doubled_on_the_first_throw(count):
    """The sentence stands in the seed's second part; a school is never doubled."""
    state = write(DicePoker().start("Ana"), "6", alike(6, count), 1)
    assert state.scores == ((count - 3) * 6,)


def test_a_throw_of_all_five_dice_again_is_not_the_first():
    state = go(second(), Throw(), (6, 6, 1, 2, 3), Hold(()), (6, 6, 1, 2, 3), Write("pair"))
    assert state.scores == (50 + 12,)


def test_se_nenhuma_combinacao_cair_sao_colocados_travessoes():
    state = write(second(), "four", NOTHING, 1)
    assert (state.scores, value(state, "four")) == ((50,), 0)
    assert "four" not in rows(thrown(state, (6, 6, 6, 6, 6)))


def test_voce_nao_pode_escrever_a_mesma_combinacao_varias_vezes():
    state = thrown(write(second(), "pair", (6, 6, 1, 2, 3)), (6, 6, 1, 2, 3))
    with pytest.raises(ValueError, match="pair"):
        state.child(Write("pair"))


def finish(state, *chances):
    """Every player gets a school of zero, dashes, and a chance of these dice."""
    for face in range(1, 7):
        for _ in chances:
            state = write(state, str(face), alike(face, 3), 1)
    for row in SECOND[:-1]:
        for _ in chances:
            state = write(state, row)
    for dice in chances:
        assert not state.is_terminal
        state = write(state, "chance", dice)
    assert (state.is_terminal, state.current_player) == (True, TERMINAL)
    assert (state.legal_actions(), state.returns) == ((), state.settlement)
    return state


def test_a_diferenca_entre_a_soma_dos_pontos_e_a_media_do_jogo():
    """55, 61 and 80 points have a mean of 196/3."""
    state = finish(
        DicePoker().start("Ana", "Rui", "Zé"), (1, 1, 1, 1, 1), (1, 1, 1, 2, 6), (6, 6, 6, 6, 6)
    )
    assert state.scores == (55, 61, 80)
    assert state.settlement == (Fraction(-31, 3), Fraction(-13, 3), Fraction(44, 3))
    assert sum(state.settlement) == 0
    assert state.winners == (2,)


# Rows, against all groups of dice that can be chosen from a throw


@pytest.mark.parametrize(
    ("sheet", "row"),
    [(name, row) for name, sheet in oracle.SHEETS.items() for row in (*oracle.SCHOOL, *sheet)],
)
def test_every_row_of_every_sheet_over_all_throws(sheet, row):
    game = GAMES[sheet]
    options = oracle.PRESETS[sheet]
    assert len(THROWS) == 252
    for dice in THROWS:
        for first in (False, True):
            expected = oracle.worth(sheet, row, dice, first, **options)
            assert game.points(row, dice, first_throw=first) == expected, (dice, first)
        assert game.points(row, dice) == game.points(row, dice[::-1])


@pytest.mark.parametrize("sheet", oracle.SHEETS)
def test_a_sheet_has_its_rows_and_no_others(sheet):
    names = [row.name for row in GAMES[sheet].sheet.rows]
    assert set(names) == {*oracle.SCHOOL, *oracle.SHEETS[sheet]}
    assert len(names) == {"seed": 15, "yatzy": 15, "american": 13}[sheet]


@pytest.mark.parametrize(
    ("row", "dice", "points"),
    [
        ("pair", (2, 2, 5, 5, 6), 10),
        ("pair", (6, 6, 6, 1, 1), 12),
        ("pair", (1, 1, 6, 6, 6), 12),
        ("pair", (4, 4, 4, 4, 4), 8),
        ("pair", NOTHING, None),
        ("two pairs", (2, 2, 2, 2, 5), None),
        ("two pairs", (2, 2, 2, 5, 5), 14),
        ("two pairs", (4, 4, 4, 4, 4), None),
        ("three", (4, 4, 4, 4, 4), 12),
        ("three", (4, 4, 4, 4, 6), 12),
        ("four", (4, 4, 4, 4, 4), 16),
        ("four", (4, 4, 4, 6, 6), None),
        ("full house", (4, 4, 4, 4, 4), None),
        ("full house", (4, 4, 4, 4, 6), None),
        ("full house", (1, 1, 6, 6, 6), 20),
        ("small straight", (2, 3, 4, 5, 6), None),
        ("small straight", (1, 2, 3, 4, 6), None),
        ("large straight", (1, 2, 3, 4, 5), None),
        ("poker", (4, 4, 4, 4, 4), 70),
        ("poker", (4, 4, 4, 4, 5), None),
        ("chance", (4, 4, 4, 4, 4), 20),
    ],
)
def test_rows_by_hand(row, dice, points):
    assert DicePoker().points(row, dice) == points


@pytest.mark.parametrize(
    ("row", "dice", "points"),
    [
        ("6", (6, 6, 1, 1, 1), 12),
        ("6", NOTHING[:4] + (5,), 0),
        ("three alike", (6, 6, 6, 1, 2), 21),
        ("three alike", (2, 2, 2, 2, 2), 10),
        ("four alike", (6, 6, 6, 6, 2), 26),
        ("four alike", (6, 6, 6, 2, 2), None),
        ("full house", (6, 6, 6, 2, 2), 25),
        ("full house", (6, 6, 6, 6, 6), None),
        ("small straight", (1, 2, 3, 4, 4), 30),
        ("small straight", (3, 4, 5, 6, 1), 30),
        ("small straight", (2, 3, 4, 5, 6), 30),
        ("small straight", (1, 2, 3, 5, 6), None),
        ("large straight", (2, 3, 4, 5, 6), 40),
        ("large straight", (1, 2, 3, 4, 6), None),
        ("five alike", (1, 1, 1, 1, 1), 50),
        ("chance", (1, 1, 1, 1, 1), 5),
    ],
)
def test_rows_of_the_american_sheet_by_hand(row, dice, points):
    assert DicePoker.american().points(row, dice) == points
    assert DicePoker.american().points(row, dice, first_throw=True) == points, "never doubled"


@pytest.mark.parametrize(
    ("sheet", "row", "count"),
    [
        ("seed", "pair", 7776 - 720),
        ("seed", "two pairs", 1800 + 300),
        ("seed", "three", 1200 + 300 + 150 + 6),
        ("seed", "small straight", 120),
        ("seed", "large straight", 120),
        ("seed", "full house", 300),
        ("seed", "four", 150 + 6),
        ("seed", "poker", 6),
        ("seed", "chance", 7776),
        ("yatzy", "full house", 300),
        ("yatzy", "yatzy", 6),
        ("american", "three alike", 1656),
        ("american", "four alike", 156),
        ("american", "full house", 300),
        ("american", "small straight", 1200),
        ("american", "large straight", 240),
        ("american", "five alike", 6),
    ],
)
def test_the_well_known_numbers_of_the_7776_throws(sheet, row, count):
    """As books on poker dice and Yahtzee print them."""
    made = [GAMES[sheet].points(row, dice) for dice in product(range(1, 7), repeat=5)]
    assert sum(points is not None for points in made) == count


@pytest.mark.parametrize(
    ("sheet", "best"),
    [
        ("yatzy", 374),
        ("american", 375),
        ("seed", 42 + 50 + 24 + 44 + 36 + 30 + 40 + 56 + 48 + 110 + 30),
    ],
)
def test_the_highest_game(sheet, best):
    """Published: 374 in Yatzy, 375 on the American sheet without extra bonuses."""
    state = GAMES[sheet].start("Ana")
    for row in GAMES[sheet].sheet.rows:
        most = max(THROWS, key=lambda dice: state.rules.points(row.name, dice) or 0)
        state = write(state, row.name, most, 1)
    assert (state.is_terminal, state.scores) == (True, (best,))


def test_the_lowest_game():
    """A school without a single right die, nothing but dashes, and a chance of five 1s."""
    state = school(DicePoker().start("Ana"), 0, 0, 0, 0, 0, 0)
    for row in SECOND[:-1]:
        state = write(state, row)
    state = write(state, "chance", (1, 1, 1, 1, 1))
    assert (state.is_terminal, state.scores, state.settlement) == (True, (-58,), (0,))


@pytest.mark.parametrize(("name", "dice"), [("pairs", NOTHING), (None, NOTHING), (6, NOTHING)])
def test_an_unknown_row_is_refused(name, dice):
    with pytest.raises(ValueError, match="row"):
        DicePoker().points(name, dice)


@pytest.mark.parametrize("dice", [(), (1,), (1,) * 4, (1,) * 6, (0, 1, 2, 3, 4), (7,) * 5, "12345"])
def test_points_of_other_than_five_dice_are_refused(dice):
    with pytest.raises(ValueError, match=r"\w"):
        DicePoker().points("chance", dice)


# A round


def test_any_dice_may_be_held_and_a_held_die_thrown_again_later():
    state = thrown(DicePoker().start("Ana"), (2, 3, 6, 2, 1), 1)
    held = [action.dice for action in state.legal_actions() if isinstance(action, Hold)]
    assert len(held) == len(set(held))
    assert set(held) == {
        part for size in range(5) for part in combinations((1, 2, 2, 3, 6), size)
    }, "all but all five"
    state = go(state, Hold((2, 2)), (4, 4, 4), Hold((4, 4, 4)))
    assert state.chance_outcomes() == throws(2)
    assert Counter(state.child((1, 5)).throw) == Counter((1, 4, 4, 4, 5))


def test_a_row_may_be_written_after_any_throw_and_the_dice_pass_on():
    state = DicePoker().start("Ana", "Rui")
    for number, player in ((1, 0), (3, 1), (2, 0)):
        assert state.current_player == player
        row = sorted(rows(thrown(state, NOTHING, number)))[0]
        state = write(state, row, NOTHING, number)
        assert (state.throws_left, state.legal_actions()) == (3, (Throw(),))
    assert state.current_player == 1


def test_chance_throws_the_dice_that_are_not_held():
    state = DicePoker().start("Ana").child(Throw())
    assert (state.current_player, state.legal_actions()) == (CHANCE, ())
    assert state.chance_outcomes() == throws(5)
    for size in range(5):
        rolling = go(state, NOTHING, Hold(NOTHING[:size]))
        assert rolling.current_player == CHANCE
        assert rolling.chance_outcomes() == throws(5 - size)


def test_a_game_begins_with_the_first_player_and_empty_sheets():
    state = DicePoker().start("Ana", "Rui")
    assert (state.current_player, state.scores, state.settlement) == (0, (0, 0), (0, 0))
    assert state.sheets == ((None,) * 15,) * 2
    assert (state.is_terminal, state.winners, state.returns) == (False, (), (0, 0))


# The order of the parts


def test_part_one_must_be_full_before_part_two_begins():
    state = DicePoker().start("Ana")
    for face in (6, 2, 1, 5, 3, 4):
        free = {str(face) for face in range(1, 7) if value(state, str(face)) is None}
        now = thrown(state, (6, 6, 6, 6, 6))
        assert rows(now) == {row.name for row in now.open_rows} == free
        with pytest.raises(ValueError, match="part one"):
            now.child(Write("poker"))
        state = write(state, str(face))
    for row in reversed(SECOND):
        now = thrown(state, (6, 6, 6, 6, 6))
        assert rows(now) == {name for name in SECOND if value(state, name) is None}
        state = write(state, row)
    assert state.is_terminal


def test_each_player_has_a_school_of_their_own():
    state = DicePoker().start("Ana", "Rui")
    for face in "123456":
        state = write(write(state, face, alike(int(face), 3)), face, alike(int(face), 2))
    assert state.scores == (50, -21)
    assert state.settlement == (Fraction(71, 2), Fraction(-71, 2))
    assert state.returns == (0, 0), "nothing is settled before the end"
    assert rows(thrown(state, NOTHING)) == set(SECOND)


@pytest.mark.parametrize("sheet", ["yatzy", "american"])
def test_on_the_other_sheets_rows_come_in_any_order(sheet):
    state = GAMES[sheet].start("Ana")
    names = [row.name for row in state.rules.sheet.rows]
    Random(5).shuffle(names)
    for turn, row in enumerate(names):
        assert rows(thrown(state, NOTHING)) == set(names[turn:])
        state = write(state, row)
    assert state.is_terminal


@pytest.mark.parametrize(("sheet", "bonus"), [("yatzy", 50), ("american", 35)])
def test_the_upper_bonus_is_for_63(sheet, bonus):
    start = GAMES[sheet].start("Ana")
    assert school(start, 3, 3, 3, 3, 3).scores == (45,)
    assert school(start, 3, 3, 3, 3, 3, 3).scores == (63 + bonus,)
    assert school(start, 2, 3, 3, 3, 3, 3).scores == (62,)
    assert school(start, 5, 5, 5, 5, 5, 5).scores == (105 + bonus,)
    state = write(start, "chance", (6, 6, 6, 6, 6))
    assert school(state, 3, 3, 3, 3, 3, 3).scores == (30 + 63 + bonus,), "in any order"


# Options


@pytest.mark.parametrize(
    ("options", "first", "later"),
    [
        ({}, 60 + 50, 30 + 50),
        ({"first_throw_doubles": False}, 80, 80),
        ({"poker_bonus": 0}, 60, 30),
        ({"poker_bonus": 75}, 135, 105),
        ({"double_bonus": True}, 160, 80),
        ({"poker_bonus": 75, "double_bonus": True}, 60 + 150, 30 + 75),
        ({"poker_bonus": 0, "double_bonus": True}, 60, 30),
        ({"poker_bonus": 75, "first_throw_doubles": False}, 105, 105),
        ({"poker_bonus": 1, "dashes": "at the end", "chance": "fallback"}, 61, 31),
    ],
    ids=repr,
)
def test_what_five_sixes_are_worth_in_poker(options, first, later):
    assert write(second(**options), "poker", (6,) * 5, 1).scores == (50 + first,)
    assert write(second(**options), "poker", (6,) * 5, 2).scores == (50 + later,)


@pytest.mark.parametrize("row", SECOND)
def test_without_first_throw_doubling_nothing_doubles(row):
    game = DicePoker(first_throw_doubles=False)
    for dice in THROWS:
        assert game.points(row, dice, first_throw=True) == game.points(row, dice)


@pytest.mark.parametrize("row", [row for row in SECOND if row != "poker"])
def test_the_poker_bonus_is_for_no_other_row(row):
    usual, other = DicePoker(), DicePoker(poker_bonus=500, double_bonus=True)
    for dice in THROWS:
        assert other.points(row, dice, first_throw=True) == usual.points(
            row, dice, first_throw=True
        )


@pytest.mark.parametrize(
    ("options", "counts", "score"),
    [
        ({"school_bonus": 35}, (3, 3, 3, 3, 3, 3), 35),
        ({"school_bonus": 0}, (5, 5, 5, 5, 5, 5), 42),
        ({"bonus_from": 1}, (3, 3, 3, 3, 3, 3), 0),
        ({"bonus_from": 1}, (4, 3, 3, 3, 3, 3), 51),
        ({"bonus_from": 42}, (5, 5, 5, 5, 5, 5), 92),
        ({"bonus_from": 43}, (5, 5, 5, 5, 5, 5), 42),
        ({"bonus_from": -10}, (3, 3, 3, 3, 1, 3), 40),
        ({"bonus_from": -10}, (2, 3, 3, 3, 1, 3), -11),
        ({"bonus_from": -63, "school_bonus": 100}, (0, 0, 0, 0, 0, 0), 37),
        ({"bonus_from": -62, "school_bonus": 100}, (0, 0, 0, 0, 0, 0), -63),
        (
            {"bonus_from": 10, "school_bonus": 7, "first_throw_doubles": False},
            (3,) * 4 + (5, 3),
            17,
        ),
        ({"bonus_from": 10, "school_bonus": 7, "poker_bonus": 0}, (4, 4, 4, 4, 3, 3), 17),
        ({"bonus_from": 11, "school_bonus": 7, "dashes": "at the end"}, (4, 4, 4, 4, 3, 3), 10),
    ],
    ids=repr,
)
def test_the_bonus_of_the_school(options, counts, score):
    assert school(DicePoker(**options).start("Ana"), *counts).scores == (score,)


@pytest.mark.parametrize(
    ("options", "score"),
    [
        ({}, 50 + 2 * (12 + 22 + 18 + 15 + 20 + 28 + 24 + 30) + 50 + 30),
        ({"first_throw_doubles": False}, 299),
        ({"double_bonus": True}, 468 + 50),
        ({"poker_bonus": 0}, 468 - 50),
        ({"poker_bonus": 0, "double_bonus": True}, 468 - 50),
        ({"poker_bonus": 0, "first_throw_doubles": False}, 299 - 50),
        ({"poker_bonus": 10, "double_bonus": True}, 468 - 50 + 20),
        ({"school_bonus": 0}, 468 - 50),
        ({"school_bonus": 100, "double_bonus": True}, 468 + 50 + 50),
        ({"school_bonus": 7, "first_throw_doubles": False}, 299 - 43),
        ({"school_bonus": 7, "poker_bonus": 0}, 468 - 43 - 50),
        ({"bonus_from": 1}, 468 - 50),
        ({"bonus_from": 1, "first_throw_doubles": False}, 299 - 50),
        ({"bonus_from": 1, "poker_bonus": 0}, 468 - 50 - 50),
        ({"bonus_from": 1, "double_bonus": True}, 468 - 50 + 50),
        ({"bonus_from": -1, "school_bonus": 60}, 468 + 10),
        ({"chance": "fallback"}, 468),
        ({"chance": "fallback", "first_throw_doubles": False}, 299),
        ({"chance": "fallback", "double_bonus": True}, 468 + 50),
        ({"chance": "fallback", "school_bonus": 0}, 468 - 50),
        ({"chance": "fallback", "bonus_from": 1}, 468 - 50),
        ({"dashes": "at the end"}, 468),
        ({"dashes": "at the end", "first_throw_doubles": False}, 299),
        ({"dashes": "at the end", "double_bonus": True}, 468 + 50),
        ({"dashes": "at the end", "school_bonus": 0}, 468 - 50),
        ({"dashes": "at the end", "bonus_from": 1}, 468 - 50),
        ({"dashes": "at the end", "chance": "fallback"}, 468),
    ],
    ids=repr,
)
def test_a_whole_game_of_first_throws_under_options_in_pairs(options, score):
    """Every combination comes on the first throw, chance on the third when all else is full."""
    state = second(**options)
    for row, dice in COMBINATIONS.items():
        state = write(state, row, dice, 3 if row == "chance" else 1)
    assert (state.is_terminal, state.scores) == (True, (score,))


# Chance as a fallback: free rows, dice, and whether chance may be written after three throws

FALLBACK = [
    (SECOND, NOTHING, True, "none of the nine rows: 1-2-3-4-6"),
    (SECOND, (1, 1, 2, 3, 4), False, "a pair, and its row is free"),
    (("two pairs", "chance"), (1, 1, 2, 3, 4), True, "the pair fell a second time"),
    (("pair", "chance"), (6, 6, 6, 6, 6), False, "five alike hold a pair"),
    (("four", "chance"), (6, 6, 6, 6, 6), False, "five alike hold a four"),
    (("full house", "two pairs", "chance"), (6,) * 5, True, "five alike hold neither"),
    (("two pairs", "chance"), (6, 6, 6, 2, 2), False, "a full house holds two pairs"),
    (("small straight", "chance"), (2, 3, 4, 5, 6), True, "the other straight"),
    (("poker", "chance"), (6, 6, 6, 6, 2), True, "four are not five"),
    (("chance",), (6, 6, 6, 6, 6), True, "no other row is free"),
    (("pair", "poker"), NOTHING, False, "chance is written already"),
]


@pytest.mark.parametrize(("free", "dice", "allowed", "why"), FALLBACK)
def test_chance_as_a_fallback(free, dice, allowed, why):
    """«após usar todas as três tentativas, você não obteve nenhuma … ou … uma segunda vez»."""
    state = second(chance="fallback")
    for row in SECOND:
        if row not in free:
            state = write(state, row)
    assert [("chance" in rows(thrown(state, dice, number))) for number in (1, 2, 3)] == [
        False,
        False,
        allowed,
    ]
    others = {row for row in free if row != "chance"}
    assert rows(thrown(state, dice)) - {"chance"} == others, "dashes stay free"
    if not allowed:
        with pytest.raises(ValueError, match=r"chance"):
            thrown(state, dice).child(Write("chance"))


def test_as_a_fallback_the_last_chance_has_to_wait_for_the_third_throw():
    state = without("chance", chance="fallback")
    for number in (1, 2):
        now = thrown(state, (6,) * 5, number)
        assert all(isinstance(action, Hold) for action in now.legal_actions())
        assert now.legal_actions()
    end = write(state, "chance", (6,) * 5)
    assert (end.is_terminal, end.scores) == (True, (80,))


def test_as_a_fallback_the_dice_of_the_third_throw_decide():
    """A pair that was on the table, was free, and was thrown again is not on the table now."""
    state = go(second(chance="fallback"), Throw(), (6, 6, 1, 2, 3), Hold(()), (6, 6, 1, 2, 3))
    assert "chance" in rows(go(state, Hold((1, 2, 3, 6)), (4,)))
    assert "chance" not in rows(go(state, Hold((6, 6)), (4, 2, 1)))


def test_any_chance_may_be_written_at_once_and_instead_of_a_combination():
    for number in (1, 2, 3):
        assert "chance" in rows(thrown(second(), (6,) * 5, number))


# Dashes at once or at the end


def test_dashes_at_once_no_round_is_passed():
    for number in (1, 2, 3):
        now = thrown(second(), NOTHING, number)
        assert rows(now) == set(SECOND)
        with pytest.raises(ValueError, match=r"pass"):
            now.child(Pass())


def test_dashes_at_the_end_only_what_is_there_is_written():
    now = thrown(second(dashes="at the end"), (6, 6, 6, 5, 5))
    assert rows(now) == {"pair", "two pairs", "three", "full house", "chance"}
    assert Pass() in now.legal_actions()
    with pytest.raises(ValueError, match=r"dash"):
        now.child(Write("four"))


def test_a_round_is_passed_and_the_row_stays_free():
    state = second(dashes="at the end")
    for number in (1, 2, 3):
        after = thrown(state, NOTHING, number).child(Pass())
        assert (after.scores, after.sheets) == (state.scores, state.sheets)
        assert (after.legal_actions(), after.throws_left) == ((Throw(),), 3)
    assert write(after, "pair", (6, 6, 1, 2, 3)).scores == (62,)


def test_a_passed_round_is_a_round_and_after_the_ninth_come_the_dashes():
    state = second(dashes="at the end")
    for number in range(9):
        assert not state.is_terminal, number
        state = thrown(state, (6, 6, 6, 6, 6)).child(Pass())
    assert (state.is_terminal, state.scores) == (True, (50,))
    assert state.sheets == ((0,) * 15,)


def test_one_who_passes_once_ends_with_one_dash():
    state = second(dashes="at the end")
    state = thrown(state, NOTHING).child(Pass())
    for row in SECOND[:-2]:
        state = write(state, row, COMBINATIONS[row])
    assert not state.is_terminal
    state = write(state, "chance", NOTHING)
    assert state.is_terminal
    assert value(state, "poker") == 0
    assert state.scores == (50 + 12 + 22 + 18 + 15 + 20 + 28 + 24 + 16,)


def test_the_school_is_not_passed():
    """Part one must be full before part two begins, and a row 1 to 6 takes any dice."""
    state = DicePoker(dashes="at the end").start("Ana")
    for face in range(1, 7):
        now = thrown(state, alike(face, 0))
        with pytest.raises(ValueError, match=r"pass"):
            now.child(Pass())
        state = now.child(Write(str(face)))
    assert state.scores == (-63,)


def test_the_game_goes_on_until_everybody_has_played_or_passed_the_last_round():
    state = DicePoker(dashes="at the end").start("Ana", "Rui")
    for face in range(1, 7):
        for _ in state.players:
            state = write(state, str(face), alike(face, 3))
    for row in SECOND:
        state = write(state, row, COMBINATIONS[row])
        assert not state.is_terminal
        state = thrown(state, NOTHING).child(Pass())
    assert state.is_terminal
    assert state.scores == (50 + 12 + 22 + 18 + 15 + 20 + 28 + 24 + 80 + 30, 50)
    assert state.winners == (0,)
    assert state.settlement == (Fraction(249, 2), Fraction(-249, 2))


@pytest.mark.parametrize(
    ("dice", "allowed"),
    [
        (NOTHING, {"chance"}),
        ((6, 6, 1, 2, 3), {"pair"}),
        ((6, 6, 6, 6, 6), {"pair", "three", "four", "poker"}),
    ],
)
def test_dashes_at_the_end_with_chance_as_a_fallback(dice, allowed):
    """Chance and passing both stay for three throws without a combination; else one passes."""
    state = second(dashes="at the end", chance="fallback")
    for number in (1, 2):
        now = thrown(state, dice, number)
        assert rows(now) == allowed - {"chance"}
        assert Pass() in now.legal_actions()
    now = thrown(state, dice)
    assert set(now.legal_actions()) == {Pass(), *map(Write, allowed)}


@pytest.mark.parametrize("sheet", [YATZY, AMERICAN], ids=["yatzy", "american"])
def test_dashes_at_the_end_on_a_sheet_without_order(sheet):
    """A row that counts a face takes any dice, so passing begins where only others are free."""
    game = DicePoker(sheet=sheet, dashes="at the end", bonus_from=63)
    state = game.start("Ana")
    assert rows(thrown(state, (6, 6, 1, 2, 4))) >= set(oracle.SCHOOL) | {"chance"}
    assert "full house" not in rows(thrown(state, (6, 6, 1, 2, 4)))
    state = school(state, 3, 3, 3, 3, 3, 3)
    for _ in range(len(sheet.rows) - 6):
        assert Pass() in thrown(state, NOTHING).legal_actions()
        state = thrown(state, NOTHING).child(Pass())
    assert (state.is_terminal, state.scores) == (True, (113,))


@pytest.mark.parametrize("sheet", [YATZY, AMERICAN], ids=["yatzy", "american"])
def test_chance_as_a_fallback_on_a_sheet_without_order(sheet):
    state = DicePoker(sheet=sheet, chance="fallback").start("Ana")
    nothing = (1, 1, 2, 4, 6) if sheet is AMERICAN else NOTHING
    assert "chance" in rows(thrown(state, nothing))
    assert "chance" not in rows(thrown(state, nothing, 2))
    assert "chance" not in rows(thrown(state, (6, 6, 6, 6, 6)))


# The end


def test_equal_points_share_the_win():
    sixes, ones = (6,) * 5, (1,) * 5
    state = finish(DicePoker().start("A", "B", "C"), sixes, ones, sixes)
    assert (state.scores, state.winners) == ((80, 55, 80), (0, 2))
    assert state.settlement == (Fraction(25, 3), Fraction(-50, 3), Fraction(25, 3))
    state = finish(DicePoker().start("A", "B"), ones, ones)
    assert (state.winners, state.settlement) == ((0, 1), (0, 0))


def test_alone_there_is_nothing_to_settle():
    state = finish(DicePoker().start("A"), (6,) * 5)
    assert (state.scores, state.winners, state.settlement) == ((80,), (0,), (0,))


def test_settlements_are_exact_fractions():
    state = finish(DicePoker().start(*"ABCDEFG"), *[(1,) * 5] * 6, (1, 1, 1, 1, 2))
    assert all(isinstance(share, Fraction) for share in state.settlement)
    assert state.settlement == (Fraction(-1, 7),) * 6 + (Fraction(6, 7),)


# What cannot happen

START = DicePoker(dashes="at the end").start("Ana", "Rui")
PART_TWO = second(dashes="at the end")
STAGES = {
    "to throw": START,
    "rolling": START.child(Throw()),
    "rolling three": go(START, Throw(), (2, 3, 6, 2, 1), Hold((2, 2))),
    "thrown": thrown(START, (2, 3, 6, 2, 1), 1),
    "third throw": thrown(START, (2, 3, 6, 2, 1), 3),
    "part two": thrown(write(PART_TWO, "pair", (6, 6, 1, 2, 3)), (2, 2, 2, 3, 3), 3),
    "over": finish(DicePoker().start("Ana"), (6,) * 5),
}


class Nothing:
    """An object of a kind that no one expects."""

    def __repr__(self):
        return "Nothing()"


NEVER = [
    None,
    5,
    "Throw",
    Throw,
    Write,
    Nothing(),
    {},
    [Throw()],
    (),
    (7,) * 5,
    Bank(),
    SetAside((1,)),
]
ILLEGAL = [
    ("to throw", Write("1"), "throw"),
    ("to throw", Hold(()), "throw"),
    ("to throw", Hold((1,)), "throw"),
    ("to throw", Pass(), "throw"),
    ("to throw", Throw(predict=7), "throw"),
    ("to throw", NOTHING, "Ana"),
    ("rolling", Throw(), r"throw|dice"),
    ("rolling", Write("1"), r"throw|dice"),
    ("rolling", (1, 2, 3), r"(?i)five|5"),
    ("rolling", (1,) * 6, r"(?i)five|5"),
    ("rolling", (1, 2, 3, 4, 7), "7"),
    ("rolling", (1, 2, 3, 4, "5"), "5"),
    ("rolling", (1, 2, 3, 4, 4.5), "4.5"),
    ("rolling three", (1, 2, 3, 4, 5), r"(?i)three|3"),
    ("rolling three", (1, 2), r"(?i)three|3"),
    ("thrown", Throw(), r"\w"),
    ("thrown", Hold((2, 2, 2)), "2-2-2"),
    ("thrown", Hold((5,)), "5"),
    ("thrown", Hold((1, 2, 2, 3, 6)), "1-2-2-3-6"),
    ("thrown", Write("pair"), "part one"),
    ("thrown", Write("pairs"), "pairs"),
    ("thrown", Write(""), "row"),
    ("thrown", Write(2), "row"),
    ("thrown", Write(None), "row"),
    ("thrown", Write(["2"]), "row"),
    ("thrown", Pass(), "pass"),
    ("thrown", (1, 2, 3), "Ana"),
    ("third throw", Hold(()), "no throw"),
    ("third throw", Hold((2, 2)), "no throw"),
    ("third throw", Throw(), r"\w"),
    ("part two", Write("6"), "already"),
    ("part two", Write("pair"), "already"),
    ("part two", Write("poker"), "dash"),
    ("over", Throw(), "over"),
    ("over", Write("1"), "over"),
    ("over", NOTHING, "over"),
    *((stage, event, r"\w") for stage in STAGES for event in NEVER),
]


@pytest.mark.parametrize(("stage", "event", "words"), ILLEGAL, ids=repr)
def test_an_illegal_event_is_refused_in_words_and_changes_nothing(stage, event, words):
    state = STAGES[stage]
    before = pickle.dumps(state)
    with pytest.raises(ValueError, match=words) as refusal:
        state.child(event)
    assert "Traceback" not in str(refusal.value)
    assert "object at 0x" not in str(refusal.value)
    assert pickle.dumps(state) == before


@pytest.mark.parametrize("stage", [stage for stage in STAGES if "rolling" not in stage])
def test_only_chance_has_outcomes(stage):
    with pytest.raises(ValueError, match=r"throw|over"):
        STAGES[stage].chance_outcomes()


@pytest.mark.parametrize("stage", STAGES)
def test_states_are_frozen_values(stage):
    state = STAGES[stage]
    for name in ("scores", "sheets", "note"):
        with pytest.raises(FrozenInstanceError):
            setattr(state, name, 5)
    again = pickle.loads(pickle.dumps(state))
    assert (again, hash(again)) == (state, hash(state))


def test_states_are_equal_when_they_come_to_the_same():
    """The dice on the table and the throws left are all that matters for what comes next."""
    first = go(START, Throw(), (1, 2, 2, 3, 6))
    assert first == go(START, Throw(), [6, 3, 2, 2, 1])
    one = go(first, Hold((2, 2)), (1, 2, 3))
    other = go(first, Hold((1, 2, 2, 3)), (2,))
    assert one.throw == other.throw
    assert one == other
    assert hash(one) == hash(other)


def test_names_are_checked():
    for names in ((), ("",), ("A", "A"), ("A", " A"), (None,)):
        with pytest.raises(ValueError, match=r"name|player"):
            DicePoker().start(*names)
    assert len(DicePoker().start(*map(str, range(12))).sheets) == 12


WRONG = [None, "50", 50.5, float("nan"), float("inf"), True, [50], {}, 1j, Nothing(), "🎲"]


@pytest.mark.parametrize("option", ["poker_bonus", "school_bonus", "bonus_from"])
@pytest.mark.parametrize("number", WRONG, ids=repr)
def test_a_wrong_number_of_points_is_refused(option, number):
    with pytest.raises(ValueError, match=option):
        DicePoker(**{option: number})


@pytest.mark.parametrize(
    ("option", "wrong"),
    [
        *product(("first_throw_doubles", "double_bonus"), (None, "yes", 2, 0.5, [True])),
        *product(("chance", "dashes"), (None, "", "never", True, ["any"], Nothing())),
        *product(("sheet",), (None, "yatzy", (), YATZY.rows, Sheet)),
        ("poker_bonus", -1),
        ("school_bonus", -1),
    ],
    ids=repr,
)
def test_a_wrong_choice_is_refused_with_the_name_of_the_option(option, wrong):
    with pytest.raises(ValueError, match=option):
        DicePoker(**{option: wrong})


def test_a_doubled_bonus_without_doubling_is_a_contradiction():
    with pytest.raises(ValueError, match=r"double_bonus.*first_throw_doubles"):
        DicePoker(double_bonus=True, first_throw_doubles=False)


PAIR = Row("pair", ("aa",))
BROKEN = {
    "no rows": lambda: Sheet(()),
    "a row twice": lambda: Sheet((PAIR, PAIR)),
    "too many rows": lambda: Sheet([Row(f"pair {n}", ("aa",)) for n in range(17)]),
    "no throws": lambda: Sheet((PAIR,), throws=0),
    "half a throw": lambda: Sheet((PAIR,), throws=2.5),
    "rows that are none": lambda: Sheet(("pair",)),
    "a face no die has": lambda: Sheet((Row("7", face=7),)),
    "a pattern that is none": lambda: Sheet((Row("odd", ("a?",)),)),
    "a worth that is none": lambda: Sheet((Row("odd", ("aa",), worth="some"),)),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_sheet_that_makes_no_game_is_refused(broken):
    with pytest.raises(ValueError, match=r"\w"):
        DicePoker(sheet=BROKEN[broken]())


def test_a_sheet_of_ones_own():
    """Two rows in any order, two throws, no school: a sheet is a value."""
    sheet = Sheet((PAIR, Row("even", ("22", "44", "66"), worth=7)), in_order=False, throws=2)
    state = DicePoker(sheet=sheet, school_bonus=0).start("Ana")
    state = thrown(state, (2, 2, 5, 5, 6), 2)
    assert set(state.legal_actions()) == {Write("pair"), Write("even")}
    state = write(state.child(Write("even")), "pair", (2, 2, 5, 5, 6), 1)
    assert (state.is_terminal, state.scores) == (True, (7 + 20,))


def test_rules_are_values_with_plain_options():
    game = DicePoker(poker_bonus=25, dashes="at the end")
    assert pickle.loads(pickle.dumps(game)) == game
    assert eval(repr(game)) == game
    assert eval(repr(DicePoker.yatzy())) == DicePoker.yatzy()
    assert len({game, DicePoker(), *GAMES.values()}) == 4
    with pytest.raises(FrozenInstanceError):
        game.poker_bonus = 0


@pytest.mark.parametrize("sheet", GAMES)
def test_a_record_of_every_sheet_comes_back_from_its_file(sheet, tmp_path):
    record = Record(GAMES[sheet], ["Ana", "Rui"], seed=1, path=tmp_path / "game.jsonl")
    for event in (Throw(), NOTHING, Hold((6,)), (6, 6, 1, 1), Write("6")):
        record.add(event)
    again = Record.load(tmp_path / "game.jsonl")
    assert (again.rules, again.states) == (GAMES[sheet], record.states)
    assert value(again.state, "6") == (0 if sheet == "seed" else 18)


# Random games against the rules written a second time

CHOICES = {
    "first_throw_doubles": (True, False),
    "poker_bonus": (50, 0, 30),
    "double_bonus": (False, True),
    "school_bonus": (50, 0, 35, 100),
    "bonus_from": (0, -30, 5, 63),
    "chance": ("any", "fallback"),
    "dashes": ("at once", "at the end"),
}
SHEETS = {"seed": DicePoker().sheet, "yatzy": YATZY, "american": AMERICAN}


def random_options(rng):
    """A sheet, and options that can go together."""
    sheet = rng.choice(["seed", "seed", "yatzy", "american"])
    options = {name: rng.choice(some) for name, some in CHOICES.items()}
    if not options["first_throw_doubles"]:
        options["double_bonus"] = False
    return sheet, options


KINDS = {"throw": Throw, "hold": Hold, "write": Write, "pass": Pass}


def as_action(told):
    kind, *what = told
    return KINDS[kind](*what)


def as_told(action):
    said = [value for value in vars(action).values() if value is not None]
    return type(action).__name__.lower(), *said


def decide(rng, may):
    """Mostly write, sometimes hold or pass, so that games have rounds of every kind."""
    for kind in (rng.choice(("write", "write", "hold", "pass")), "write"):
        some = sorted(action for action in may if action[0] == kind)
        if some:
            return rng.choice(some)
    return rng.choice(sorted(may))


def play_both(seed, asked=1):
    """A random game, played by dicekit and by the oracle; they must agree at every step.

    Returns the last state and all events. `asked` is how often all that may be done is compared.
    """
    rng, chosen = Random(seed), Random(seed)
    sheet, options = random_options(rng)
    count = rng.choice([1, 1, 1, 1, 2, 2, 2, 3, 4, 5, 6])
    rules = DicePoker(sheet=SHEETS[sheet], **options)
    state, events = rules.start(*(f"P{i}" for i in range(count))), []
    game = oracle.dice_poker(count, sheet, **options)
    player, totals, left, dice, may = next(game)
    turns = 0
    while True:
        assert (state.player, list(state.scores), state.throws_left) == (player, totals, left)
        assert (state.is_terminal, state.winners, any(state.returns)) == (False, (), False)
        if dice:
            assert (state.current_player, state.dice) == (CHANCE, dice)
            assert state.legal_actions() == ()
            event = told = random_throw(rng, dice)
        else:
            assert state.current_player == player
            if chosen.random() < asked:
                legal = state.legal_actions()
                assert set(map(as_told, legal)) == may()
                assert len(legal) == len(may()) > 0
            told = decide(rng, may())
            event = as_action(told)
            turns += told[0] in ("write", "pass")
        events.append(event)
        state = state.child(event)
        try:
            player, totals, left, dice, may = game.send(told)
        except StopIteration as end:
            check_end(state, *end.value)
            assert turns == len(rules.sheet.rows) * count
            return state, events


def random_throw(rng, count):
    """Dice as chance has them, but straights and dice all alike come more often."""
    if rng.random() < 0.7:
        return tuple(rng.choices(range(1, 7), k=count))
    first = rng.randint(1, 2)
    return rng.choice([(rng.randint(1, 6),) * count, tuple(range(first, first + count))])


def check_end(state, sheets, totals):
    """The last state against the accountant's sheets."""
    assert (state.is_terminal, state.current_player) == (True, TERMINAL)
    assert state.legal_actions() == ()
    assert list(state.scores) == totals
    names = [row.name for row in state.rules.sheet.rows]
    assert [dict(zip(names, sheet, strict=True)) for sheet in state.sheets] == sheets
    assert list(state.settlement) == list(state.returns) == oracle.settled(totals)
    assert sum(state.settlement) == 0
    assert all(isinstance(share, Fraction) for share in state.settlement)
    assert state.winners == tuple(i for i, own in enumerate(totals) if own == max(totals))


def check_record(state, events, path):
    """A record of the game ends in its state, and so do its file and every replay."""
    record = Record(state.rules, state.players, path=path)
    for event in events:
        record.add(event)
    again = Record.load(path)
    assert (again.rules, again.events) == (record.rules, record.events) == (state.rules, events)
    assert again.states == record.states
    assert again.state == state
    path.unlink()


def play_many(seeds, folder, asked, recorded):
    """Play games; every so many of them is recorded and replayed."""
    for seed in seeds:
        try:
            state, events = play_both(seed, asked)
            if seed % recorded == 0:
                check_record(state, events, folder / f"{seed}.jsonl")
        except BaseException:
            print(f"the game that failed: play_both({seed!r})")
            raise


def pairs_of_options(seeds):
    """The pairs of option values, and the sheets with each, that games with these seeds have."""
    for seed in seeds:
        sheet, options = random_options(Random(seed))
        yield from combinations([("sheet", sheet), *options.items()], 2)


def test_three_hundred_random_games_agree_with_the_rules(tmp_path):
    first = int(os.environ.get("DICEKIT_SEED", 0))
    play_many(range(first, first + 300), tmp_path, asked=0.25, recorded=10)


def test_the_three_hundred_games_hold_every_pair_of_options():
    choices = [("sheet", tuple(SHEETS)), *CHOICES.items()]
    every = {
        ((one, a), (other, b))
        for (one, some), (other, more) in combinations(choices, 2)
        for a, b in product(some, more)
    }
    played = set(pairs_of_options(range(300)))
    assert every - played == {(("first_throw_doubles", False), ("double_bonus", True))}


@pytest.mark.slow
def test_ten_thousand_random_games_agree_with_the_rules(tmp_path):
    play_many(range(1000, 11_000), tmp_path, asked=0.05, recorded=50)
