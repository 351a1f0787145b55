"""Markov chains and waiting times, against formulas, powers of the matrix and played turns."""

import random
from fractions import Fraction

import pytest
from sympy import Matrix, Rational, eye, ones, simplify, sqrt, symbols
from turn_oracle import farkle, turn_distribution

from dicekit.dice import Die
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.scoring import Table
from dicekit.generating import at_most, faces
from dicekit.probability import Distribution, throws
from dicekit.solve import chain
from dicekit.solve.best_turn import best_turn
from dicekit.solve.chain import MarkovChain, waiting
from dicekit.solve.many_turns import DONE, Standing, long_run, turns_to_target
from dicekit.solve.turn import turn_result

p, q = symbols("p q")
HALF = Fraction(1, 2)
MISSES = {0: {0: 1 - q, 1: q}, 1: {0: 1 - q, 2: q}, 2: {0: 1 - q, "three": q}}
GAMBLER = {1: {0: HALF, 2: HALF}, 2: {1: HALF, 3: HALF}, 3: {2: HALF, 4: HALF}}


# Chains


def test_three_misses_in_a_row_with_a_symbol():
    chain = MarkovChain(MISSES)
    assert chain.states == (0, 1, 2, "three")
    assert chain.transient == (0, 1, 2)
    assert chain.absorbing == ("three",)
    assert chain.matrix == Matrix(
        [[1 - q, q, 0, 0], [1 - q, 0, q, 0], [1 - q, 0, 0, q], [0, 0, 0, 1]]
    )
    assert simplify(chain.mean_steps[0] - (1 + q + q**2) / q**3) == 0
    assert simplify(chain.fundamental * (eye(3) - chain.matrix[:3, :3])) == eye(3)
    sums = chain.fundamental * ones(3, 1)
    assert all(simplify(sums[i] - chain.mean_steps[i]) == 0 for i in range(3))
    assert chain.mean_steps[0].subs(q, Rational(1, 2)) == 14


def test_the_gambler():
    chain = MarkovChain(GAMBLER)
    assert chain.mean_steps == {1: 3, 2: 4, 3: 3}
    assert chain.ends == {
        start: {0: Rational(4 - start, 4), 4: Rational(start, 4)} for start in (1, 2, 3)
    }
    assert chain.chance(2, 3) == HALF
    assert chain.chance(2, 4) == 0


def test_powers_of_the_matrix():
    chain = MarkovChain(GAMBLER)
    for n in range(6):
        row = (chain.matrix**n)[chain.states.index(2), :]
        found = chain.after(n, 2)
        assert [found[state] for state in chain.states] == list(row)


def test_a_chain_without_end():
    weather = MarkovChain({"sun": {"sun": 0.9, "rain": 0.1}, "rain": {"sun": 0.5, "rain": 0.5}})
    assert weather.stationary == {"sun": Rational(5, 6), "rain": Rational(1, 6)}
    for ask in (lambda: weather.steps("sun"), lambda: weather.mean_steps):
        with pytest.raises(ValueError, match="end"):
            ask()
    with pytest.raises(ValueError, match="depends on where it begins"):
        _ = MarkovChain(GAMBLER).stationary


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ({}, "write a chain"),
        ([1, 2], "write a chain"),
        ({1: {2: HALF}}, "must sum to 1"),
        ({1: {2: q}}, "must sum to 1"),
        ({1: {2: 2, 3: -1}}, "cannot be negative"),
        ({1: 2}, "write a distribution"),
    ],
)
def test_chains_that_are_none(steps, words):
    with pytest.raises(ValueError, match=words):
        MarkovChain(steps)


def test_states_that_are_none():
    with pytest.raises(ValueError, match="no state 9"):
        MarkovChain(GAMBLER).chance(9, 1)
    with pytest.raises(ValueError, match="no state 9"):
        MarkovChain(GAMBLER).steps(9)
    with pytest.raises(ValueError, match="too large to look at"):
        _ = MarkovChain({i: {i + 1: 1} for i in range(70)}).matrix


@pytest.mark.parametrize("size", [5, 59, 80])
def test_a_walk_takes_the_square_of_the_way(size):
    """From the middle of a wall at 0 and a door at `size`: a known mean, size² steps."""
    steps = {i: {i - 1: HALF, i + 1: HALF} for i in range(1, size)} | {0: {1: 1}}
    found = MarkovChain(steps).mean_steps[0]
    assert found == pytest.approx(size**2, rel=1e-9)
    assert isinstance(found, float) == (size > 60)


# Waiting


def test_waiting_for_a_six():
    six = waiting(Fraction(1, 6))
    assert [six[n] for n in (0, 1, 2, 3)] == [0, Rational(1, 6), Rational(5, 36), Rational(25, 216)]
    assert six.mean == 6
    assert six.more_than(10) == Rational(5, 6) ** 10
    assert six.at_most(4) == 1 - Rational(5, 6) ** 4
    assert six.quantile(0.5) == 4  # de Méré: 671/1296 is more than a half
    assert six.quantile(0) == 0
    assert "mean 6" in repr(six)


def test_waiting_has_no_memory():
    wait = waiting(p)
    for n in range(1, 5):
        assert simplify(wait.more_than(n + 3) / wait.more_than(3) - wait.more_than(n)) == 0
    assert wait.mean == 1 / p
    assert simplify(wait[3] - p * (1 - p) ** 2) == 0
    with pytest.raises(ValueError, match="numbers"):
        wait.quantile(0.5)
    assert "1/p" in repr(wait)


def test_waiting_for_all_six_faces():
    steps = {k: {k: Rational(k, 6), k + 1: Rational(6 - k, 6)} for k in range(6)}
    wait = MarkovChain(steps).steps(0)
    assert wait.mean == Rational(147, 10)
    assert wait[5] == 0
    assert wait[6] == throws(6)[(1, 2, 3, 4, 5, 6)]
    assert wait.quantile(0.5) == 13


@pytest.mark.parametrize("chance", [0, 2, -0.5, "often"])
def test_chances_that_one_cannot_wait_for(chance):
    with pytest.raises(ValueError):
        waiting(chance)
    with pytest.raises(ValueError, match="quantile"):
        waiting(HALF).quantile(1)


def test_waiting_for_what_is_certain():
    assert waiting(1)[1] == 1
    assert waiting(1).mean == 1
    assert MarkovChain(GAMBLER).steps(0).mean == 0
    assert MarkovChain(GAMBLER).steps(0).at_most(0) == 1


# Turns to the target


def test_turns_to_a_near_target_by_hand():
    """Every turn that scores reaches 50 points, so it is a wait for a turn that does."""
    game = Farkle(target=50)
    wait = turns_to_target(game, 0)
    lost = turn_result(game, 0)[0]
    assert wait.mean == 1 / (1 - lost)
    assert wait[2] == lost * (1 - lost)


def test_turns_to_the_target_step_by_step():
    game = Farkle(target=1000)
    wait = turns_to_target(game, 300)
    result = turn_distribution(farkle(), 300)
    scores = {0: Fraction(1)}
    for n in range(1, 7):
        after = {}
        for score, chance in scores.items():
            for points, share in result.items():
                if score + points < 1000:
                    after[score + points] = after.get(score + points, 0) + chance * share
        scores = after
        assert wait.more_than(n) == sum(scores.values())


def test_the_mean_is_the_sum_of_the_tails():
    for game, rule in [
        (Farkle(target=2000, opening=500), 350),
        (FiveThousand(target=2000, three_zeros=True), 500),
        (FiveThousand(exact=True, target=500, opening=0, minimum=0), 300),
        (Farkle(target=1500), best_turn(Farkle()).bank),
    ]:
        wait = turns_to_target(game, rule)
        tails, total = wait.floats(), 0.0
        for below in tails:
            total += 1 - below
            if below > 1 - 1e-12:
                break
        assert float(wait.mean) == pytest.approx(total, rel=1e-6)


def test_opening_takes_time():
    slow = turns_to_target(Farkle(opening=500), 300)
    assert Standing(0, opened=False) in slow.chain.states
    assert float(slow.mean) > float(turns_to_target(Farkle(), 300).mean)


def test_three_zeros_take_the_score():
    wait = turns_to_target(FiveThousand(three_zeros=True, target=1000), 500)
    fresh, lost = Standing(0), turn_result(FiveThousand(), 500)[0]
    assert wait.chain.chance(Standing(500, 2), fresh) == lost
    assert wait.chain.chance(Standing(500, 0), Standing(500, 1)) == lost
    assert DONE in wait.chain.absorbing


def test_a_game_played_to_the_target():
    rng = random.Random(3)
    result = {points: float(chance) for points, chance in turn_result(Farkle(), 350).items()}
    played = []
    for _ in range(3000):
        score = turns = 0
        while score < 10_000:
            score += rng.choices(list(result), list(result.values()))[0]
            turns += 1
        played.append(turns)
    mean = sum(played) / len(played)
    error = (sum((n - mean) ** 2 for n in played) / len(played) ** 2) ** 0.5
    assert abs(mean - float(turns_to_target(Farkle(), 350).mean)) < 4 * error


def test_rules_that_need_more_than_a_score():
    with pytest.raises(ValueError, match="farkle_penalty"):
        turns_to_target(Farkle(farkle_penalty=500), 300)
    with pytest.raises(ValueError, match="no_repeat"):
        turns_to_target(FiveThousand(no_repeat=True), 500)
    with pytest.raises(ValueError, match="three_zeros"):
        long_run(FiveThousand(three_zeros=True))


@pytest.mark.slow
def test_a_fine_makes_one_careful():
    plain, fined = best_turn(Farkle()), long_run(Farkle(farkle_penalty=1000))
    assert fined.value < plain.value
    first, second, third = (turn.bank_at for turn in fined.turns)
    assert plain.bank_at[3] >= first[3] >= second[3] >= third[3]
    # The value, once more, as what a chain of misses earns.
    lost = [turn_result(Farkle(farkle_penalty=1000), turn)[0] for turn in fined.turns]
    chain = MarkovChain(
        {i: {0: 1 - lost[i], i + 1: lost[i]} for i in (0, 1)} | {2: {0: 1}}
    ).stationary
    earned = [turn_result(Farkle(farkle_penalty=1000), turn).E() for turn in fined.turns]
    earned[2] -= 1000 * lost[2]
    assert sum(chain[i] * earned[i] for i in range(3)) == fined.value


def test_distributions_are_steps_too():
    chain = MarkovChain({"a": Distribution({"a": 1, "b": 3}), "b": Distribution({"c": 1})})
    assert chain.mean_steps["a"] == Rational(4, 3) + 1
    assert chain.absorbing == ("c",)


def test_a_score_on_which_a_rule_is_stuck():
    with pytest.raises(ValueError, match="never gets any further"):
        turns_to_target(FiveThousand(exact=True, wins_at_once=None), 500)
    only = Farkle(table=Table({"1": 100}))
    with pytest.raises(ValueError, match="with 0 points this rule never gets any further"):
        turns_to_target(only, 300, Die.loaded({1: 0, 5: 0, 2: 0}))


def test_a_long_run_with_another_die():
    die = Die.loaded({5: 0})
    found = long_run(Farkle(farkle_penalty=1000, target=10_000), die)
    lost = [turn_result(found.turns[0].game, turn, die)[0] for turn in found.turns]
    assert all(0 < chance < 1 for chance in lost)
    assert found.value < best_turn(Farkle(), die).value


def test_symbols_and_roots_in_a_chain():
    ruin = MarkovChain({1: {0: 1 - p, 2: p}, 2: {1: 1 - p, 3: p}})
    assert simplify(ruin.ends[1][3] - p**2 / (1 - p + p**2)) == 0
    assert simplify(waiting(sqrt(2) - 1).mean - (sqrt(2) + 1)) == 0


def test_what_is_not_reached_does_no_harm():
    chain = MarkovChain({"a": {"a": HALF, "end": HALF}, "x": {"y": 1}, "y": {"x": 1}})
    assert chain.steps("a").mean == 2
    assert "half within 1" in repr(chain.steps("a"))
    with pytest.raises(ValueError, match="never reached"):
        chain.steps("x")


def test_a_rare_thing_is_told_at_once():
    assert repr(waiting(Fraction(1, 10**9))) == "waiting time with mean 1e+09"
    with pytest.raises(ValueError, match="more than 100,000 steps"):
        waiting(Fraction(1, 10**9)).quantile(0.5)


def test_a_waiting_time_is_no_list():
    for thing in (waiting(HALF), faces(), at_most(1)):
        with pytest.raises(TypeError):
            list(thing)
        with pytest.raises(TypeError):
            assert 3 in thing


def test_a_step_that_was_interrupted_is_taken_again(monkeypatch):
    wait = waiting(Fraction(1, 6))
    assert wait[1] == Rational(1, 6)
    moved, calls = chain._moved, []

    def interrupted(masses, rows):
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return moved(masses, rows)

    monkeypatch.setattr(chain, "_moved", interrupted)
    with pytest.raises(KeyboardInterrupt):
        wait.at_most(5)
    assert wait[3] == Rational(25, 216)


def test_a_chain_tells_its_size():
    assert repr(MarkovChain(GAMBLER)) == "Markov chain of 5 states, 2 of them absorbing"
    for n in (-1, 1.5):
        with pytest.raises(ValueError, match="the number of steps"):
            waiting(HALF).at_most(n)
