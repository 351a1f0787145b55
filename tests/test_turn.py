"""One turn: results under a rule, and the best turn, against an oracle written from the rules."""

import random
from fractions import Fraction
from math import inf

import pytest
import turn_oracle as oracle
from sympy import Rational, symbols

from dicekit.dice import FAIR, Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import FARKLE, Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.scoring import Table
from dicekit.games.states import Bank, SetAside, Throw
from dicekit.players import BanksAt
from dicekit.probability import P
from dicekit.solve.best_turn import best_turn
from dicekit.solve.many_turns import long_run
from dicekit.solve.turn import turn_result

p = symbols("p")
PYFARKLE = Farkle(
    table=FARKLE | dict.fromkeys(("aaaa", "aaaaa", "aaaaaa", "aaaabb", "aaabbb")),
    three_pairs=750,
    alike="multiples",
)
ZILCH = Farkle(
    table=FARKLE
    | dict.fromkeys(("aaaa", "aaaaa", "aaabbb"))
    | {"aaaabb": 1500, "aaaaaa": 1500, "nothing": 500},
    alike="doubling",
    minimum=300,
)
FARKLES = {
    "farkle": (Farkle(), oracle.farkle()),
    "opening": (Farkle(opening=500), oracle.farkle(opening=500)),
    "minimum": (Farkle(minimum=450), oracle.farkle(minimum=450)),
    "750": (Farkle(three_pairs=750), oracle.farkle(three_pairs=750)),
    "multiples": (Farkle(alike="multiples"), oracle.farkle(alike="multiples")),
    "doubling": (Farkle(alike="doubling"), oracle.farkle(alike="doubling")),
}
OPTIONS = [
    {},
    {"opening": 0, "minimum": 0},
    {"keep": "any"},
    {"combinations": "any throw"},
    {"full_hand": "must"},
    {"prediction": "throw"},
    {"prediction": "turn"},
    {"prediction": "total"},
    {"small_straight": 300, "large_straight": 0},
    {"wins_at_once": None},
    {"wins_at_once": "five 1s"},
    {"wins_at_once": "five alike"},
    {"keep": "any", "combinations": "any throw", "opening": 0, "minimum": 0},
    {"keep": "any", "full_hand": "must", "prediction": "turn", "opening": 500},
    {"full_hand": "must", "prediction": "total", "minimum": 0, "small_straight": 300},
    {"keep": "any", "prediction": "throw", "wins_at_once": "five alike", "minimum": 50},
    {"combinations": "any throw", "full_hand": "must", "wins_at_once": None, "opening": 0,
     "minimum": 0, "prediction": "turn"},
]  # fmt: skip


def close(value, expected):
    return abs(float(value) - expected) <= 1e-12 * abs(expected)


def in_points(win=5000, more=30_000):
    """The result of a turn as a number."""
    return lambda result: {"win": win, "more": more}.get(result, result)


# Under a rule


@pytest.mark.parametrize("name", FARKLES)
@pytest.mark.parametrize("at", [50, 300, 1000])
def test_results_of_farkle(name, at):
    game, other = FARKLES[name]
    for opened in (True, False):
        found = turn_result(game, at, opened=opened)
        assert dict(found.items()) == oracle.turn_distribution(other, at, opened)


@pytest.mark.parametrize("options", [o for o in OPTIONS if "full_hand" not in o], ids=str)
def test_results_of_5000(options):
    for opened in (True, False):
        found = turn_result(FiveThousand(**options), 300, opened=opened)
        expected = oracle.turn_distribution(oracle.five_thousand(**options), 300, opened)
        assert dict(found.items()) == expected


def test_full_hands_that_must_be_thrown():
    found = turn_result(FiveThousand(full_hand="must"), 300, most=2000)
    exact = oracle.turn_distribution(
        oracle.five_thousand(full_hand="must"), 300, neglect=Fraction(1, 10**12)
    )
    assert list(found)[-2:] == ["more", "win"]
    assert found[500] == exact[500]
    beyond = sum(chance for points, chance in exact.items() if points != "win" and points > 2000)
    assert abs(float(found["more"]) - beyond) < 1e-2
    assert sum(chance for _, chance in found.items()) == 1


def test_a_turn_by_hand():
    """Two dice are never reached: bank whatever the first throw brings."""
    found = turn_result(Farkle(), 0)
    assert found[0] == Rational(5, 216)
    assert found[50] == Rational(25, 324)  # one 5 and no 1: 5 - 2 - 3 - 4 - 6, no three alike
    by_function = turn_result(Farkle(), lambda points, dice: points >= 300 or dice == 2)
    assert by_function.E() > turn_result(Farkle(), 300).E()
    assert min(points for points in by_function if points) == 200


def test_a_bank_below_the_minimum_is_not_offered():
    assert list(turn_result(FiveThousand(), 50))[:2] == [0, 500]
    assert list(turn_result(FiveThousand(), 50, opened=False))[:2] == [0, 750]
    assert list(turn_result(FiveThousand.beginner(), 50))[:2] == [0, 50]


def test_points_that_pass_the_target_end_the_turn():
    game = FiveThousand(exact=True)
    found = turn_result(game, lambda points, dice: True, score=4950)
    assert set(found) == {0, 50, "win"}  # 50 more lands, below any minimum
    assert found[50] < found[0]


def test_a_win_is_more_than_any_points():
    found = turn_result(FiveThousand(), 500)
    reached = found.P(lambda result: result >= 600)
    assert reached == found["win"] + sum(
        chance for result, chance in found.items() if result != "win" and result >= 600
    )
    win, more = "win", "more"
    assert list(turn_result(FiveThousand(full_hand="must"), 500))[-2:] == [more, win]
    result = list(found)[-1]
    assert result == win and result > 10**9 and not result < 0
    assert result >= win and result <= win and not result <= 10**9
    with pytest.raises(ValueError, match="a number for every outcome"):
        found.E()


def test_chances_of_a_loaded_die_are_polynomials():
    loaded = turn_result(FiveThousand(), 500, Die.loaded({1: p}))
    fair = turn_result(FiveThousand(), 500)
    assert set(loaded) == set(fair)
    for result in (0, 500, 1000, "win"):
        assert loaded[result].subs(p, Rational(1, 6)) == fair[result]
    third = turn_result(FiveThousand(), 500, Die.loaded({1: Fraction(1, 3)}))
    assert loaded[0].subs(p, Rational(1, 3)) == third[0]


def test_results_under_the_best_turn_have_its_mean():
    for game in (FiveThousand(), FiveThousand(keep="any", prediction="total"), Farkle(opening=500)):
        turn = best_turn(game)
        assert turn_result(game, turn).E(in_points()) == turn.value
    zilch = best_turn(ZILCH)
    assert float(turn_result(ZILCH, zilch).E(in_points())) == pytest.approx(float(zilch.value))


@pytest.mark.parametrize("rule", [-50, 1.5, "300", None, True])
def test_rules_that_are_none(rule):
    with pytest.raises(ValueError, match="bank when"):
        turn_result(Farkle(), rule)


def test_a_rule_that_never_banks_does_so_in_the_end():
    never = turn_result(Farkle(), lambda points, dice: False)
    assert min(points for points in never if points) >= 30_000
    assert 0 < never.E() < Rational(1, 10**9)
    timid = turn_result(Farkle(), lambda points, dice: dice <= 2)
    assert sum(chance for _, chance in timid.items()) == 1
    assert max(turn_result(Farkle(target=50_000), 40_000)) >= 40_000
    assert turn_result(Farkle(), 2000, most=1000) == turn_result(Farkle(), 1000)


def test_rules_that_do_not_answer():
    for answer in (None, ...):
        with pytest.raises(ValueError, match=r"True or False, such as points >= 300"):
            turn_result(Farkle(), lambda points, dice, answer=answer: answer)
    for rule in (lambda points: True, lambda points, dice, score: True):
        with pytest.raises(ValueError, match="a rule takes two things"):
            turn_result(Farkle(), rule)


def test_a_computer_player_that_banks_at_so_many_points_is_a_rule():
    assert turn_result(Farkle(), BanksAt(350)) == turn_result(Farkle(), 350)


def test_the_best_turn_of_another_die_is_a_rule_too():
    game, other = FiveThousand(keep="any"), Die.loaded({5: 0})
    borrowed = best_turn(game, other)
    mean = turn_result(game, borrowed).E(in_points())
    assert 0 < mean < best_turn(game).value
    assert turn_result(game, best_turn(game), other).E(in_points()) < borrowed.value


def test_arguments_that_are_none():
    with pytest.raises(ValueError, match="rules of a game"):
        turn_result(DicePoker(), 300)
    with pytest.raises(ValueError, match="not a Die"):
        turn_result(Farkle(), 300, 6)
    for score in (10_000, -50, 1.5):
        with pytest.raises(ValueError, match="score"):
            turn_result(Farkle(), 300, score=score)
    with pytest.raises(ValueError, match="opened is True or False"):
        turn_result(Farkle(), 300, opened="no")
    with pytest.raises(ValueError, match="most is a number"):
        turn_result(Farkle(), 300, most=inf)
    with pytest.raises(ValueError, match="this best turn is one of"):
        turn_result(Farkle(), best_turn(Farkle(opening=500)))
    with pytest.raises(ValueError, match="1 to 6 dice"):
        best_turn(Farkle()).bank(300, 7)
    with pytest.raises(ValueError, match="multiples of 50"):
        best_turn(Farkle()).throw_value(325, 2)
    with pytest.raises(ValueError, match="0 or more"):
        best_turn(Farkle()).announces("50", 2)
    with pytest.raises(ValueError, match="0 to 50"):
        best_turn(FiveThousand(exact=True), score=4950).bank(500, 1)


# The best turn


@pytest.mark.parametrize("name", FARKLES)
def test_the_best_turn_of_farkle(name):
    game, other = FARKLES[name]
    for opened in {True, not game.opening}:
        found, expected = best_turn(game, opened=opened), oracle.best_turn_float(other, opened)
        assert close(found.value, expected.value)
        assert found.bank_at == expected.bank_at
        for points, dice in [(0, 6), (300, 2), (350, 1), (1000, 4), (3000, 5)]:
            assert close(found.throw_value(points, dice), expected.throw_value[points, dice])


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_best_turn_of_5000(options):
    game, other = FiveThousand(**options), oracle.five_thousand(**options)
    for opened, score in [(True, 0), (False, 0), (True, 1000)]:
        found = best_turn(game, opened=opened, score=score)
        expected = oracle.best_turn_float(other, opened, score)
        assert close(found.value, expected.value)
        assert found.bank_at == expected.bank_at


def test_the_published_thresholds_of_pyfarkle():
    turn = best_turn(PYFARKLE)
    assert turn.bank_at == {6: 16400, 5: 3050, 4: 1050, 3: 450, 2: 250, 1: 300}


def test_the_published_mean_of_zilch():
    turn = best_turn(ZILCH)
    assert round(float(turn.value), 4) == 623.0175
    assert turn.bank_at[6] == inf  # six dice never lose
    assert close(turn.value, oracle.best_turn_float(oracle.busche()).value)


@pytest.mark.slow
def test_the_published_mean_of_zilch_with_a_fine():
    from dataclasses import replace

    found = long_run(replace(ZILCH, farkle_penalty=500))
    assert round(float(found.value), 3) == 620.855
    assert [turn.bank_at[2] for turn in found.turns] == [300, 300, 300]
    assert [turn.bank_at[5] for turn in found.turns] == [3150, 3050, 2650]


@pytest.mark.parametrize("die", [{1: Fraction(1, 4)}, {5: 0}, {2: Fraction(1, 2)}], ids=str)
def test_the_best_turn_of_a_loaded_die_obeys_its_equation(die):
    """What a throw is worth is the mean of what one makes of it, checked by listing all throws."""
    game = FiveThousand(keep="any", minimum=300)
    turn = best_turn(game, Die.loaded(die))
    chances = {face: Die.loaded(die).chance(face) for face in range(1, 7)}
    for points, dice in [(0, 5), (300, 2), (400, 1), (1000, 4), (5000, 3)]:
        mean = Fraction(0)
        for throw in oracle.throws(dice):
            chance = Fraction(oracle.throws(dice)[throw])
            for face in throw:
                chance *= chances[face]
            mean += chance and chance * worth_of(game, turn, throw, points)
        assert turn.throw_value(points, dice) == mean


def worth_of(game, turn, throw, points, room=10**9):
    if game.is_win(throw):
        return 5000
    values = [0]
    for aside in game.set_asides(throw):
        after = points + game.score(aside, len(throw))
        left = len(throw) - len(aside) or 5
        if after <= room:
            bank = [after] if after >= game.minimum else []
            values.append(max([*bank, turn.throw_value(after, left)]))
    return max(values)


def test_fewer_points_may_be_the_better_choice_if_the_target_must_be_hit():
    game = FiveThousand.beginner(exact=True, keep="any")
    last = best_turn(game, score=4950)
    assert last.set_aside((1, 2, 3, 3, 5)) == (5,)
    for score in (4950, 4800, 4400):
        room = 5000 - score
        turn = best_turn(game, score=score)
        for points, dice in [(0, 5), (50, 2), (50, 4), (room - 50, 3)]:
            if points <= room:
                mean = sum(
                    Fraction(ways, 6**dice) * worth_of(game, turn, throw, points, room)
                    for throw, ways in oracle.throws(dice).items()
                )
                assert turn.throw_value(points, dice) == mean


def test_a_win_and_a_bust_are_worth_what_one_says():
    game = FiveThousand()
    wins = turn_result(game, best_turn(game))["win"]
    dearer = best_turn(game, win=10_000)
    assert dearer.value >= best_turn(game).value + 5000 * wins
    assert best_turn(game, bust=-100).value < best_turn(game).value
    assert best_turn(game, bust=-100).bank_at[5] < best_turn(game).bank_at[5]


def test_a_bust_that_costs_a_fortune_makes_one_bank_whatever_there_is():
    turn = best_turn(Farkle(), bust=-1_000_000)
    assert turn.bank_at == dict.fromkeys(range(6, 0, -1), 50)
    assert turn.value == turn_result(Farkle(), turn).E() - 1_000_000 * Rational(5, 216)


def test_a_bust_may_cost_more_than_a_turn_is_worth():
    game = FiveThousand(full_hand="must")
    assert best_turn(game, bust=-20_000).value < -10_000


def test_dice_with_which_nothing_scores():
    turn = best_turn(Farkle(table=Table({"1": 100})), Die.loaded({1: 0}))
    assert turn.value == 0
    assert turn_result(turn.game, turn, turn.die)[0] == 1


def test_a_target_out_of_reach_is_never_banked():
    turn = best_turn(FiveThousand(exact=True), score=4925)
    assert set(turn.bank_at.values()) == {inf}
    assert repr(turn).endswith("never bank")


def test_what_to_set_aside_and_to_announce():
    turn = best_turn(Farkle())
    assert turn.set_aside((1, 5, 5, 2, 3, 4)) == (1,)
    assert turn.set_aside((1, 2, 3, 4, 5, 6)) == (1, 2, 3, 4, 5, 6)
    with pytest.raises(ValueError, match="nothing scores in 2-3-4"):
        turn.set_aside((4, 3, 2))
    seven = best_turn(FiveThousand(prediction="turn"))
    assert seven.announces(500, 2) is None  # banked
    assert seven.announces(300, 2) == 7  # 1-6 and 2-5 score
    assert seven.announces(100, 3) is None


def test_dice_that_never_lose_or_hardly_ever():
    every = Table({str(face): 50 for face in range(1, 7)})
    with pytest.raises(ValueError, match="never end"):
        best_turn(Farkle(table=every))
    with pytest.raises(ValueError, match=r"beyond 100,000 points"):
        best_turn(Farkle(), Die.loaded({1: Fraction(1, 2)}))
    with pytest.raises(ValueError, match="a die with numbers"):
        best_turn(Farkle(), Die.loaded({1: p}))
    with pytest.raises(ValueError, match="numbers"):
        best_turn(Farkle(), win=p)
    with pytest.raises(ValueError, match="never end"):
        best_turn(Farkle(), Die.loaded({2: 1}))


def test_landing_exactly():
    game = FiveThousand(exact=True)
    turn = best_turn(game, score=4900)
    assert turn.bank_at[4] == 100
    assert not turn.bank(50, 4)
    assert turn_result(game, turn, score=4900).E(in_points()) == turn.value
    assert turn.value < 100


# Played through the states


def play(game, turn, state, rng, asides):
    """The points of a turn that is played in the game itself, by the best turn."""
    while True:
        points, dice = state.points, state.dice
        if points and state.can_bank and turn.bank(points, dice):
            return state.child(Bank()).scores[0]
        state = state.child(Throw()).child([rng.randint(1, 6) for _ in range(dice)])
        if state.stage != "thrown":
            return 0
        key = state.throw, points
        if key not in asides:
            asides[key] = turn.set_aside(state.throw, points)
        state = state.child(SetAside(asides[key]))


def check_played(turns):
    game, rng, asides = Farkle(), random.Random(5), {}
    turn, state = best_turn(game), game.start("one")
    results = [play(game, turn, state, rng, asides) for _ in range(turns)]
    mean = sum(results) / turns
    error = (sum((result - mean) ** 2 for result in results) / (turns - 1) / turns) ** 0.5
    assert abs(mean - float(turn.value)) < 4 * error
    assert error < 700 / turns**0.5
    lost = float(P([0], turn_result(game, turn)))
    assert abs(results.count(0) / turns - lost) < 4 * (lost * (1 - lost) / turns) ** 0.5


def test_turns_played_through_the_states():
    check_played(5_000)


@pytest.mark.slow
def test_a_hundred_thousand_turns_played_through_the_states():
    check_played(100_000)


def test_the_die_of_a_turn_is_told():
    assert best_turn(Farkle()).die == FAIR
    assert repr(best_turn(FiveThousand())) == (
        "best turn of FiveThousand(): 259.5502 on average; "
        "bank at 3400 with 5, 550 with 4, 500 with 3, 500 with 2, 500 with 1 left"
    )
