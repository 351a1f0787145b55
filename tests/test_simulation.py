"""Simulation: its games are games of the rule book, its means the exact ones, however it is split.

Samples have fixed seeds. "Near" is within four standard errors.
"""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from random_rules import played_again
from sympy import symbols

from dicekit.dice import FAIR, Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.states import Bank, SetAside, Throw
from dicekit.players import BanksAt, HoldsAlike, TurnPlayer
from dicekit.probability import E
from dicekit.simulation import blocks, side_by_side, simulate, simulate_turns
from dicekit.solve.best_turn import best_turn
from dicekit.solve.turn import turn_result

LOADED = Die.loaded({1: 0.25})


def early(points, dice):
    return points >= 250 or dice == 1


def named(value):
    return repr(value) if hasattr(value, "all_dice") else None


def near(found, expected, error):
    return abs(found - float(expected)) <= 4 * error


# Games side by side are games of the rule book


@pytest.fixture
def thrown(monkeypatch):
    """The throws that a simulation makes, in order."""
    throws, throw_dice = [], side_by_side.throw_dice

    def watched(random, die, shape):
        found = throw_dice(random, die, shape)
        throws.extend(tuple(int(face) + 1 for face in throw) for throw in found.T)
        return found

    monkeypatch.setattr(side_by_side, "throw_dice", watched)
    return throws


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        (Farkle(target=2000), [300, early]),
        (Farkle(target=1500, opening=500, farkle_penalty=500), [1000, 200, early]),
        (Farkle(target=1000, minimum=350, last_round=False, alike="multiples"), [best_turn, 400]),
        (Farkle(target=1000), [300]),
        (FiveThousand(target=2500), [500, 800]),
        (FiveThousand.beginner(target=1500, three_zeros=True, keep="any"), [best_turn, 250, early]),
        (FiveThousand.beginner(target=1000, full_hand="must", wins_at_once="five alike"), [50, 1]),
    ],
    ids=named,
)
def test_each_game_is_one_that_the_states_play_too(game, rules, thrown, monkeypatch):
    monkeypatch.setattr(side_by_side.ManyGames, "block", 1)
    rules = [rule(game) if rule is best_turn else rule for rule in rules]
    players = [TurnPlayer.of(rule, game) for rule in rules]
    for seed in range(8):
        thrown.clear()
        found = simulate(game, rules, games=1, seed=seed)
        state, turns = played_again(game.start(*found.players), thrown, players)
        assert thrown == []
        assert found.scores.tolist() == [list(state.scores)]
        assert np.flatnonzero(found.won[0]).tolist() == list(state.winners)
        assert found.turns.tolist() == [turns]


# Means and shares are the exact ones


@pytest.mark.parametrize(
    ("game", "rule", "options"),
    [
        (Farkle(), 300, {}),
        (Farkle(), early, {"die": LOADED}),
        (Farkle(opening=500), 200, {"opened": False}),
        (Farkle(three_pairs=750), best_turn, {}),
        (FiveThousand(wins_at_once=None), 0, {}),
        (FiveThousand.beginner(exact=True, wins_at_once=None), 400, {"score": 4600}),
        (FiveThousand.beginner(prediction="turn", wins_at_once=None), best_turn, {}),
        (FiveThousand.beginner(prediction="total", keep="any"), best_turn, {"score": 1000}),
    ],
    ids=named,
)
def test_turns_bring_what_turn_result_says(game, rule, options):
    if rule is best_turn:
        known = {name: value for name, value in options.items() if name != "opened"}
        rule = best_turn(game, **known)
    found = simulate_turns(game, rule, turns=40_000, seed=3, **options)
    exact = turn_result(game, rule, **options)
    values = exact.map(lambda points: game.target if points == "win" else points)
    assert near(found.mean, E(values), found.error)
    for points, chance in exact.items():
        share = float(chance)
        count, expected = found.counts.get(points, 0), 40_000 * share
        assert near(count, expected, max(1, expected * (1 - share)) ** 0.5), points
    assert sum(found.counts.values()) == 40_000
    assert found.bust == found.counts.get(0, 0) / 40_000


def test_a_race_of_one_point_by_hand():
    """Each turn wins but for a bust of six dice, 5/216: the first wins 1 / (1 + 5/216)."""
    game = Farkle(target=50, last_round=False)
    for players in ([50, 50], [BanksAt(50), lambda state: BanksAt(50)(state)]):
        found = simulate(game, players, games=1500)
        assert near(found.wins["A"], 216 / 221, found.error["A"])
        assert near(found.turns.mean(), 216 / 211, (0.03 / 1500) ** 0.5)


def test_both_ways_to_play_agree():
    game = Farkle(target=1000, farkle_penalty=500)
    quick = simulate(game, [250, 450], games=20_000)
    slow = simulate(game, [250, lambda state: BanksAt(450)(state)], games=600)
    error = (quick.error["A"] ** 2 + slow.error["A"] ** 2) ** 0.5
    assert near(quick.wins["A"], slow.wins["A"], error)
    spread = (slow.turns.var() / 600 + quick.turns.var() / 20_000) ** 0.5
    assert near(quick.turns.mean(), slow.turns.mean(), spread)


@pytest.mark.parametrize(
    ("game", "players"),
    [
        (DicePoker(), [HoldsAlike(), HoldsAlike()]),
        (FiveThousand(target=2000, no_equal_scores=True, steal="turn"), [500, BanksAt(600)]),
        (
            FiveThousand(target=500, opening=0, minimum=0, exact=True, first="highest throw"),
            {"Ana": 50, "Bo": 0},
        ),
        (FiveThousand.beginner(target=1500, prediction="turn"), [best_turn, 300]),
    ],
    ids=named,
)
def test_any_game_of_any_options(game, players):
    if best_turn in players:
        players = [best_turn(game), 300]
    found = simulate(game, players, games=30, seed=5)
    assert found.won.any(axis=1).all()
    if isinstance(game, DicePoker):
        assert (found.turns == 30).all()
    again = simulate(game, players, games=30, seed=5)
    assert (found.scores == again.scores).all()


# One seed, one sample


def simulated(executor, games=3000, seed=1, rule=300):
    return simulate(Farkle(target=1000), [rule, 500], games, seed, executor=executor)


def test_the_same_however_it_is_split(monkeypatch):
    monkeypatch.setattr(side_by_side.ManyGames, "block", 250)
    alone, others = simulated(None), []
    for pool in (ThreadPoolExecutor(2), ProcessPoolExecutor(2)):
        with pool as executor:
            monkeypatch.setattr(side_by_side.ManyGames, "block", 250)
            others.append(simulated(executor))
    for other in others:
        assert (alone.scores == other.scores).all() and (alone.turns == other.turns).all()


def test_on_a_cluster():
    from distributed import Client, LocalCluster

    def mine(points, dice):
        return points >= 300

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        executor = client.get_executor()
        spread = simulated(executor, rule=mine)
        turns = simulate_turns(Farkle(), mine, 200_000, executor=executor)
    alone = simulated(None, rule=mine)
    assert (alone.scores == spread.scores).all()
    assert (turns.points == simulate_turns(Farkle(), mine, 200_000).points).all()


def test_a_larger_sample_begins_with_the_smaller_and_seeds_differ():
    some, more = (simulate_turns(Farkle(), 300, turns, seed=4).points for turns in (100, 70_000))
    assert (more[:100] == some).all()
    few, many = simulated(None, games=10), simulated(None, games=1010)
    assert (many.scores[:10] == few.scores).all()
    samples = [simulate_turns(Farkle(), 300, 500, seed).points.tolist() for seed in range(4)]
    assert all(a != b for a, b in pairwise(samples))
    assert samples[0][:250] != samples[0][250:]


def test_dice_are_fair_or_loaded_as_said():
    random = np.random.default_rng(1)
    for die in (FAIR, LOADED):
        faces = side_by_side.throw_dice(random, die, (6, 20_000))
        counts = np.bincount(faces.ravel(), minlength=6)
        for face, chance in enumerate(die.chances):
            expected = 120_000 * float(chance)
            assert near(counts[face], expected, expected**0.5)


# What is shown, and what is refused


def test_shown():
    turns = simulate_turns(Farkle(), 300, 2000)
    assert f"{turns.mean:,.1f} points on average" in repr(turns)
    games = simulate(Farkle(target=1000), {"<b>": 300, "Bo": 500}, games=200)
    share = f"{100 * games.won[:, 0].mean():.1f} %"
    assert f"<b>     {share}" in repr(games)
    html = games._repr_html_()
    assert (
        "&lt;b&gt;" in html and "<b>" not in html and share in html and "<caption>200 games" in html
    )


def test_a_progress_bar_when_asked_for(capsys):
    simulate_turns(Farkle(), 300, 70_000, progress=True)
    assert "70000/70000" in capsys.readouterr().err.replace("k", "000")
    simulate_turns(Farkle(), 300, 1000)
    assert capsys.readouterr().err == ""


def broken(state):
    return Throw() if state.points else Bank()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (partial(simulate, "farkle", [300]), "no game"),
        (partial(simulate, Farkle, [300]), "no game"),
        (partial(simulate, Farkle(), [HoldsAlike(), 300]), "score sheet"),
        (partial(simulate, DicePoker(), [BanksAt(300)]), "function of the state"),
        (partial(simulate, Farkle(), [lambda points, dice: "no"]), "True or False"),
        (partial(simulate, Farkle(), 300), "list of strategies"),
        (partial(simulate, Farkle(), []), "list of strategies"),
        (partial(simulate, Farkle(), ["bold"]), "bank when"),
        (partial(simulate, Farkle(), [lambda a, b, c: True]), "two things"),
        (partial(simulate, DicePoker(), [300]), "function of the state"),
        (partial(simulate, Farkle(), [best_turn(FiveThousand())]), "not of"),
        (partial(simulate, Farkle(), [300], games=0), "games must be 1 or more"),
        (partial(simulate, Farkle(), [300], games=2.5), "number of games"),
        (partial(simulate, Farkle(), [300], seed=-1), "seed"),
        (partial(simulate, Farkle(), [300], executor=2), "executor"),
        (partial(simulate, Farkle(), {"Ana": 300, " Ana": 1}), "two players"),
        (partial(simulate, Farkle(), [broken]), "nothing has been set aside"),
        (partial(simulate, Farkle(), [lambda points, dice: None]), "True or False"),
        (partial(simulate_turns, Farkle(), 300, die=Die.loaded({1: symbols("p")})), "symbols"),
        (partial(simulate_turns, Farkle(), -1), "bank when"),
        (partial(simulate_turns, DicePoker(), 300), "Farkle"),
    ],
)
def test_what_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()


@pytest.mark.parametrize("players", [[300], [lambda state: BanksAt(300)(state)]])
def test_a_game_that_need_never_end_is_refused(players, monkeypatch):
    monkeypatch.setattr(blocks, "LONGEST", 50)
    game = FiveThousand.beginner(target=50_000, wins_at_once=None)
    with pytest.raises(ValueError, match="after 50 turns a game is still on"):
        simulate(game, players, games=1)


def test_a_rule_of_the_notebook_and_other_processes():
    with (
        ProcessPoolExecutor(1) as executor,
        pytest.raises(ValueError, match="put it into a file"),
    ):
        simulate_turns(Farkle(), lambda points, dice: points > 300, 1000, executor=executor)


def test_a_turn_that_never_busts_ends(monkeypatch):
    monkeypatch.setattr(blocks, "MOST", 3000)
    ones = Die.loaded({1: 1})
    found = simulate_turns(FiveThousand(wins_at_once=None), 5000, turns=10, die=ones)
    assert (found.points >= 5000).all()
    never = simulate_turns(Farkle(), lambda points, dice: False, turns=10, die=ones)
    assert (never.points >= blocks.MOST).all()


def test_a_player_by_a_rule_does_as_it_says():
    game = Farkle()
    state = game.start("A").child(Throw()).child((1, 2, 3, 3, 4, 6))
    player = TurnPlayer.of(early, game)
    assert player(state) == SetAside((1,))
    assert player(state.child(SetAside((1,)))) == Throw()
    best = best_turn(game)
    state = game.start("A").child(Throw()).child((1, 5, 3, 3, 4, 6))
    assert TurnPlayer.of(best, game)(state) == SetAside(best.set_aside((1, 3, 3, 4, 5, 6)))


# What was found by trying to break it


def test_many_players_have_names():
    found = simulate(Farkle(target=50), [50] * 30, games=5)
    assert len(found.players) == found.scores.shape[1] == 30


def test_who_begins_is_found_out_in_no_turn():
    rules = {"target": 50, "opening": 0, "minimum": 0}
    for first in ("order", "highest throw"):
        found = simulate(FiveThousand(first=first, **rules), [50, 50], games=60)
        assert found.turns.min() == 1, first


def test_a_rule_with_more_to_it_is_still_a_rule():
    rules = [lambda points, dice=6: points >= 300, lambda *both: both[0] >= 300]
    for rule in rules:
        same = simulate(Farkle(target=1000), [rule, 500], games=50)
        assert same == simulate(Farkle(target=1000), [300, 500], games=50)


def test_samples_are_equal_if_all_is():
    assert simulate_turns(Farkle(), 300, 50) == simulate_turns(Farkle(), 300, 50)
    assert simulate_turns(Farkle(), 300, 50) != simulate_turns(Farkle(), 300, 51)
    assert simulate_turns(Farkle(), 300, 50) != simulate_turns(Farkle(), 250, 50)


def test_one_turn_has_no_known_error():
    assert "standard error inf" in repr(simulate_turns(Farkle(), 300, 1))


def test_threads_that_fill_one_table():
    asked = side_by_side._Asked(lambda a, b: 10 * a + b, 4)
    grown = np.arange(1000)

    def function(first, second):
        if first == 3:  # meanwhile another thread needs a larger table
            asked.known = np.full((2000, 4), side_by_side.UNKNOWN, np.int32)
        return 10 * first + second

    asked.function = function
    assert asked(np.arange(5), np.ones(5, int)).tolist() == [1, 11, 21, 31, 41]
    asked.function = lambda a, b: 10 * a + b
    assert (asked(grown, 0 * grown) == 10 * grown).all()
