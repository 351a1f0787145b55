"""Races to the target: best play against value iteration over the states of the games."""

import random
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from sympy import symbols

from dicekit.dice import FAIR, Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.scoring import ONES_FIVES_TRIPLETS, Table
from dicekit.games.states import CHANCE, TERMINAL, Bank, Throw
from dicekit.players import BanksAt
from dicekit.probability import throws
from dicekit.simulation import simulate
from dicekit.solve import shipped as tables
from dicekit.solve.many_turns import turns_to_target
from dicekit.solve.one_turn import turn_of
from dicekit.solve.race import best_race, least_turns, shipped
from dicekit.solve.race_solver import race_tables, turns_table

RACES = [game for game in tables.STANDARD.values() if not isinstance(game, DicePoker)]
STORED = 1e-7  # how exact a shipped chance is


class TwoDice(Farkle):
    """Farkle with two dice: few enough states to try out everything."""

    all_dice = 2


class ThreeDice(Farkle):
    all_dice = 3


PAIRS = Table({"1": 100, "5": 50, "66": 200})
TRIPLETS = Table({"1": 100, "5": 50, "aaa": 300, "22": 100})
SHORT = {"target": 150, "opening": 100, "minimum": 50}
OFFICIAL = {"target": 250, "opening": 150, "minimum": 100}
VARIANTS = [
    {},
    {"prediction": "total", "full_hand": "must", "keep": "any", "wins_at_once": "five alike"},
    {"exact": True, "prediction": "turn"},
    {"exact": True, "full_hand": "must", "keep": "any"},
    {"prediction": "throw"},
    {"prediction": "turn", "keep": "any"},
]
QUICK = [
    TwoDice(target=100, table=PAIRS, opening=100),
    Farkle(target=100, last_round=False),
    *(FiveThousand(**SHORT, **options) for options in VARIANTS[:2]),
]
SMALL = [
    TwoDice(target=300, table=PAIRS, last_round=False),
    TwoDice(target=200, table=PAIRS),
    TwoDice(target=200, table=PAIRS, opening=100),
    TwoDice(target=300, table=PAIRS, opening=200, minimum=100, last_round=False),
    TwoDice(target=200, table=PAIRS, minimum=120),
    ThreeDice(target=100, table=TRIPLETS),
    Farkle(target=150, last_round=False),
    *(FiveThousand(**OFFICIAL, **options) for options in VARIANTS),
]
EACH = [*QUICK, *(pytest.param(game, marks=pytest.mark.slow) for game in SMALL)]


@cache
def outcomes(dice):
    return [(throw, float(chance)) for throw, chance in throws(dice).items()]


def plain(state):
    """A state without its past, which does not matter here; nor do points beyond a sure win."""
    each = range(len(state.players))
    changes = {"misses": tuple(0 for _ in each)}
    if hasattr(state, "gains"):
        changes |= {"gains": tuple(() for _ in each), "last_turns": tuple(None for _ in each)}
    if not getattr(state.rules, "last_round", False):
        changes |= {"points": min(state.points, state.rules.target)}
    return replace(state, **changes)


class Brute:
    """The value of every state, by value iteration over states as the rule book has them.

    `end` is what a game that is over is worth, `turn` what each turn costs; player 0 wants the
    most and player 1 the least. From `cap` points on who may bank does.
    """

    def __init__(self, game, names, end, turn=0.0, cap=400):
        self.end, self.cap, self.graph = end, cap, {}
        self.start = game.start(*names)
        todo = [self.start]
        while todo:  # a graph of choices and throws, each with what it leads to
            state = todo.pop()
            if state not in self.graph:
                self.graph[state] = self.branches(state)
                todo += [child for child, _ in self.graph[state]]
        # what comes later first, so that few rounds suffice
        stages = "choose", "rolling", "thrown", "over"
        order = sorted(self.graph, key=lambda s: (sum(s.scores), s.points, stages.index(s.stage)))
        place = {state: number for number, state in enumerate(reversed(order))}
        worth = [self.end(state) if state.is_terminal else 0.0 for state in place]
        nodes = [
            (
                place[state],
                {0: max, 1: min}.get(state.current_player),
                turn * (state.turn_begins),
                [(place[child], chance) for child, chance in self.graph[state]],
            )
            for state in place
            if not state.is_terminal
        ]
        change = 1.0
        while change > 1e-13:
            change = 0.0
            for number, best, cost, branches in nodes:
                if best:
                    new = cost + best([worth[child] for child, _ in branches])
                else:
                    new = sum([worth[child] * chance for child, chance in branches])
                change = max(change, abs(new - worth[number]))
                worth[number] = new
        self.worth = {state: worth[number] for state, number in place.items()}

    def branches(self, state):
        if state.current_player == TERMINAL:
            return ()
        if state.current_player == CHANCE:
            return [(plain(state.child(throw)), chance) for throw, chance in outcomes(state.dice)]
        actions = state.legal_actions()
        if Bank() in actions:
            bank = state.child(Bank())
            enough = state.points >= self.cap and getattr(state, "opener", None) is None
            if enough or (bank.is_terminal and bank.winners == (state.player,)):
                actions = (Bank(),)
        return [(plain(state.child(action)), 1) for action in actions]


def check(play, brute, states, known):
    """The value of every action there, beside what `known` makes of the brute one."""
    for state in states:
        values = play.values(state)
        assert list(values) == list(state.legal_actions())
        for action, value in values.items():
            expected = brute.worth.get(plain(state.child(action)))
            if expected is not None:  # None: a throw where a bank wins
                assert value == pytest.approx(known(state, expected), abs=1e-9), (state, action)


@pytest.mark.parametrize("game", EACH, ids=repr)
def test_every_state_of_a_small_game(game):
    brute = Brute(game, ("A", "B"), lambda state: state.returns[0])
    race = best_race(game)
    assert race.first == pytest.approx(brute.worth[brute.start], abs=1e-10)
    acting = [s for s in brute.graph if s.current_player in (0, 1) and s.points < brute.cap]
    some = random.Random(1).sample(acting, min(200, len(acting)))
    begun = [state for state in acting if state.turn_begins]
    check(race, brute, begun + some, lambda s, worth: 1 - worth if s.player else worth)


@pytest.mark.parametrize("game", EACH, ids=repr)
def test_every_state_of_a_lone_player(game):
    brute = Brute(game, ("A",), lambda state: 0.0, turn=-1.0)
    least = least_turns(game)
    assert least.mean == pytest.approx(-brute.worth[brute.start], abs=1e-9)
    acting = [state for state in brute.graph if state.current_player == 0]
    some = random.Random(1).sample(acting, min(200, len(acting)))
    # the brute force counts a turn where it begins, in which the player already is
    check(least, brute, some, lambda _, worth: 1 - worth)


# The shipped tables


@pytest.mark.parametrize("game", RACES, ids=repr)
def test_shipped_tables_solve_their_equation(game):
    """What a table says of a pair of scores is what the turn is worth, with the table for its
    ends; within the turn a throw is worth the mean of what can come of it."""
    race, least, rng = best_race(game), least_turns(game), random.Random(game.target)
    assert shipped(game)
    start = game.start("A", "B")
    for _ in range(4):
        scores = tuple(rng.randrange(0, game.target, 50) * rng.choice((0, 1, 1)) for _ in "AB")
        state = replace(start, scores=scores, opened=tuple(map(bool, scores)))
        assert race.values(state)[Throw()] == pytest.approx(race.chance(*scores), abs=STORED)
        ahead = least.values(replace(state, scores=(scores[0], 0)))[Throw()]
        assert ahead == pytest.approx(least._turns[scores[0] // 50], abs=1e-9)
        within = replace(state, points=rng.randrange(300, 1500, 50), dice=rng.choice((2, 3)))
        check_ahead(race, within, STORED)


def worth(race, state, me):
    """What a state is worth to a player, by one look ahead."""
    if state.is_terminal:
        return state.returns[me]
    if state.current_player == CHANCE:
        thrown = outcomes(state.dice)
        return sum(chance * worth(race, state.child(throw), me) for throw, chance in thrown)
    best = max(race.values(state).values())
    return best if state.player == me else 1 - best


def check_ahead(race, state, exactly):
    for action, value in race.values(state).items():
        expected = worth(race, state.child(action), state.player)
        assert value == pytest.approx(expected, abs=exactly), (state, action)


@pytest.mark.slow
def test_shipped_is_what_would_be_solved():
    game = Farkle(target=2000)
    turn, found = turn_of(game, FAIR), tables.shipped_tables(game)
    solved = race_tables(turn, progress=False) | turns_table(turn, progress=False)
    assert found.keys() == solved.keys()
    for name in solved:
        assert list(found[name]) == pytest.approx(list(solved[name]), abs=STORED)


def test_tables_of_other_rules_or_another_version_are_not_used(monkeypatch):
    assert not shipped(Farkle(target=2050)) and not shipped(Farkle(three_pairs=750))
    assert not shipped(TwoDice()) and not shipped(Farkle(), Die.loaded({6: 0.2}))
    monkeypatch.setattr(tables, "VERSION", tables.VERSION + 1)
    tables._read.cache_clear()
    assert not shipped(Farkle())
    monkeypatch.undo()
    monkeypatch.setitem(tables.STANDARD, "farkle", Farkle(minimum=300))
    tables._read.cache_clear()
    assert not shipped(Farkle(minimum=300))
    monkeypatch.undo()
    tables._read.cache_clear()
    assert shipped(Farkle())


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:300],
        lambda data: data[:-4],
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"crc32", b"sum"),
        lambda data: b"[1]\n" + data,
        lambda data: data[:-9] + b"\xff" + data[-8:],
        lambda data: data.replace(b'"target": "2000", ', b""),  # not what is usual
        lambda data: data.replace(b'"opening": "0"', b'"opening": "500"'),
    ],
)
def test_a_damaged_table_counts_as_none(damage, monkeypatch, tmp_path):
    data = (tables.files("dicekit.solve.shipped") / "farkle-2000.table").read_bytes()
    monkeypatch.setattr(tables, "files", lambda package: tmp_path)
    for found, wanted in ((data, True), (damage(data), False)):
        (tmp_path / "farkle-2000.table").write_bytes(found)
        tables._read.cache_clear()
        assert shipped(Farkle(target=2000)) == wanted
    monkeypatch.undo()
    tables._read.cache_clear()


def test_an_option_that_came_later_leaves_the_tables_as_they_are(monkeypatch, tmp_path):
    data = (tables.files("dicekit.solve.shipped") / "farkle-2000.table").read_bytes()
    older = data.replace(b'"three_pairs": "1500", ', b"")
    (tmp_path / "farkle-2000.table").write_bytes(older)
    monkeypatch.setattr(tables, "files", lambda package: tmp_path)
    tables._read.cache_clear()
    assert older != data and shipped(Farkle(target=2000))
    monkeypatch.undo()
    tables._read.cache_clear()


WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
from time import process_time
from dataclasses import replace
from dicekit.games.farkle import Farkle
from dicekit.games.states import Bank
from dicekit.solve.race import best_race, least_turns
game = Farkle()
race, least = best_race(game), least_turns(game)
start = process_time()
turn = game.start("A", "B").child(race.action(game.start("A", "B"))).child((1, 1, 2, 3, 4, 6))
values = race.values(turn.child(race.action(turn)))
assert process_time() - start < 1, "a new turn takes too long"
print(race.first, least.mean, max(values.values()) - values[Bank()])
"""


def test_without_numpy():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMPY], capture_output=True, text=True, check=False
    )
    assert not done.stderr
    first, mean, worse = map(float, done.stdout.split())
    assert first == pytest.approx(0.5321919084, abs=STORED)
    assert mean == pytest.approx(17.46280764, abs=1e-7)
    assert worse > 0.01  # 200 points with four dice left are thrown on


def table(race):
    scores = range(0, race.game.target, 50)
    return [[race.chance(mine, theirs) for theirs in scores] for mine in scores]


def rising(row):
    return all(one <= other + STORED for one, other in pairwise(row))


@pytest.mark.parametrize("game", RACES, ids=repr)
def test_more_points_are_better(game):
    """Those of the other never are; one's own always, but for a last round."""
    chances = table(best_race(game))
    assert all(rising(row[::-1]) for row in chances)
    columns = zip(*chances, strict=True)
    assert all(map(rising, columns)) is not getattr(game, "last_round", False)


def test_more_points_can_be_worse():
    """With 1,000 a triplet of 1s opens the last round, which the other, close to the target,
    may well win; with 950 it does not, and is nearly as good. So also where one must land."""
    race = best_race(Farkle(target=2000))
    assert race.chance(950, 1850) > race.chance(1000, 1850) + 0.002
    assert race.chance(1000, 1850) < race.chance(1050, 1850)
    exact = best_race(FiveThousand(target=1000, exact=True))
    assert exact.chance(900, 0) > exact.chance(950, 0)


MIDDLE = [
    Farkle(target=1000),
    Farkle(target=1000, opening=500, minimum=300),
    Farkle(target=1000, last_round=False, alike="multiples"),
    FiveThousand(target=1500),
    FiveThousand(target=1500, exact=True),
    FiveThousand(target=1000, prediction="turn", full_hand="must", keep="any"),
    FiveThousand(target=1000, prediction="total", combinations="any throw"),
]


def random_states(game, many, seed):
    """Some states in which a player acts, met in games at random."""
    rng, found = random.Random(seed), []
    while len(found) < many:
        state = game.start("A", "B")
        while not state.is_terminal:
            if state.current_player == CHANCE:
                state = state.child(tuple(rng.choices(range(1, 7), k=state.dice)))
            else:
                found += [state] * (rng.random() < 0.2)
                actions = state.legal_actions()
                banks = Bank() in actions and rng.random() < 0.6
                state = state.child(Bank() if banks else rng.choice(actions))
    return rng.sample(found, many)


@pytest.mark.slow
@pytest.mark.parametrize("game", MIDDLE, ids=repr)
def test_the_optimality_equation(game):
    race = best_race(game)
    for state in random_states(game, 30, seed=3):
        check_ahead(race, state, 1e-9)


@pytest.mark.parametrize(
    ("game", "games"),
    [
        (FiveThousand(target=750), 120),
        pytest.param(FiveThousand(target=750), 2000, marks=pytest.mark.slow),
        pytest.param(Farkle(target=500), 2000, marks=pytest.mark.slow),
    ],
)
def test_simulated_games(game, games):
    race = best_race(game)
    itself = simulate(game, [race, race], games=games, seed=1)
    assert abs(itself.wins["A"] - race.first) < 4 * itself.error["A"]
    first = simulate(game, [race, BanksAt(300)], games=games, seed=2)
    assert first.wins["A"] > race.first - 4 * first.error["A"]
    second = simulate(game, [BanksAt(300), race], games=games, seed=3)
    assert second.wins["A"] < race.first + 4 * second.error["A"]


def test_last_round():
    """The one who has the target is passed or not: equal loses."""
    game = Farkle(target=2000)
    race = best_race(game)
    state = game.start("A", "B")
    near = replace(state, scores=(2000, 1950), opened=(True, True), player=1, opener=0, leader=0)
    far = replace(near, scores=(2050, 1950))
    assert race.values(near) != race.values(far)
    fifty = replace(near, points=50, dice=5)
    assert race.values(fifty)[Bank()] == 0
    assert race.values(replace(fifty, points=100))[Bank()] == 1
    before = replace(state, scores=(0, 1950), opened=(False, True), points=2000, dice=3)
    (passes,) = race.values(near).values()
    assert race.values(before)[Bank()] == pytest.approx(1 - passes)


def test_handicap():
    race = best_race(Farkle(target=2000))
    gaps = {start: abs(race.chance(0, start) - 0.5) for start in range(0, 2000, 50)}
    assert race.handicap() == min(gaps, key=gaps.get) == 300


@pytest.mark.slow
def test_published_handicap():
    """Busche and Neller, Optimal play of the Farkle dice game (Advances in Computer Games, 2017):
    200 points for the second player make the fairest game."""
    game = Farkle(table=Table(ONES_FIVES_TRIPLETS), last_round=False)
    assert best_race(game).handicap() == 200


def test_opening():
    """Whoever has points has opened, which is worth more than 50 points."""
    race, free = best_race(FiveThousand()), best_race(FiveThousand.beginner())
    assert race.chance(50, 0) - race.chance(0, 0) > 0.02 > free.chance(50, 0) - free.chance(0, 0)
    state = FiveThousand().start("A", "B")
    opened = replace(state, scores=(50, 0), opened=(True, False), points=500, dice=3)
    assert list(race.values(opened)) == [Throw(), Bank()]
    assert list(race.values(replace(state, points=500, dice=3))) == [Throw()]


def test_who_begins_by_the_highest_throw():
    assert shipped(FiveThousand(first="highest throw"))
    game = FiveThousand(target=1000, first="highest throw")
    race = best_race(game)
    state = game.start("A", "B")
    assert list(race.values(state).values()) == [0.5]
    second = state.child(race.action(state)).child((6,))
    (value,) = race.values(second).values()  # a six of B's own is a draw
    assert value == pytest.approx((1 - race.first) * 11 / 12 + race.first / 12)


def test_least_turns():
    game = Farkle(target=2000)
    least = least_turns(Farkle(), target=2000)
    for rule in (300, 350):
        assert least.mean < float(turns_to_target(game, rule).mean)
    assert least.bank(0, 350, 2) and not least.bank(0, 200, 2)
    assert least.bank(1900, 100, 6) and not least.bank(0, 100, 5)
    alone = simulate(game, [least], games=200, seed=1)
    error = alone.turns.std() / 200**0.5
    assert abs(alone.turns.mean() - least.mean) < 4 * error
    assert least_turns(Farkle(target=2000, minimum=300)).mean > least.mean


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Farkle(farkle_penalty=1000), "farkle_penalty"),
        (FiveThousand(three_zeros=True), "three_zeros"),
        (FiveThousand(no_repeat=True), "no_repeat"),
    ],
)
def test_what_needs_more_than_scores(game, words):
    for solve in best_race, least_turns:
        with pytest.raises(ValueError, match=words):
            solve(game)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"no_equal_scores": True}, "no_equal_scores"), ({"steal": "turn"}, "steal")],
)
def test_what_needs_more_in_a_race(options, words):
    with pytest.raises(ValueError, match=words):
        best_race(FiveThousand(**options))
    assert least_turns(FiveThousand(target=1000, **options)).mean > 1


def test_what_makes_no_race():
    p = symbols("p")
    for solve in best_race, least_turns:
        with pytest.raises(ValueError, match="rules of a game"):
            solve(DicePoker())
        with pytest.raises(ValueError, match="rules of a game"):
            solve([])
        with pytest.raises(ValueError, match="a die with numbers"):
            solve(Farkle(target=500), die=Die.loaded({1: p}))
    even = Table({"11": 200, "555": 300})
    stuck = FiveThousand.beginner(target=400, table=even, exact=True, keep="any", wins_at_once=None)
    for solve in best_race, least_turns:  # with 300 nobody can land on 400
        with pytest.raises(ValueError, match="nobody gets any further"):
            solve(stuck)
    with pytest.raises(ValueError, match="too many scores"):
        best_race(Farkle(table=Table({"1": 1, "5": 50})))
    with pytest.raises(ValueError, match="nobody can land on 450"):
        best_race(FiveThousand.beginner(target=450, exact=True), die=Die.loaded({5: 0}))


def test_what_is_no_state_of_the_race():
    game = Farkle(target=2000)
    race = best_race(game)
    for scores in ((25, 0), (2000, 0), (0, -50), ("0", 0)):
        with pytest.raises(ValueError, match="a score is a multiple of 50 from 0 to below 2000"):
            race.chance(*scores)
    with pytest.raises(ValueError, match="two players"):
        race.values(game.start("A"))
    with pytest.raises(ValueError, match="not of"):
        race.values(Farkle(target=1000).start("A", "B"))
    rolling = game.start("A", "B").child(race.action(game.start("A", "B")))
    with pytest.raises(ValueError, match="no player acts now"):
        race.values(rolling)
    with pytest.raises(ValueError, match="1 to 6 dice"):
        least_turns(game).bank(0, 100, 7)


def test_what_is_no_gap_or_number_of_points():
    race = best_race(Farkle())
    for gap in (-50, "50", None, True, 50.5):
        with pytest.raises(ValueError, match="a gap is"):
            race.passes(gap)
    assert race.passes(75) == race.passes(50) > race.passes(100)
    with pytest.raises(ValueError, match="a turn has 0, 50, 100"):
        least_turns(Farkle()).bank(0, 325, 3)


def test_two_players_even_while_it_is_open_who_begins():
    game = FiveThousand(first="highest throw")
    with pytest.raises(ValueError, match="two players, not 3"):
        best_race(game).values(game.start("A", "B", "C"))


def test_progress(capsys):
    told = []
    best_race(Farkle(target=150), progress=told.append)
    assert told == sorted(told) and 0 < told[0] < told[-1] == 1
    best_race(Farkle(target=200), progress=True)
    assert "totals of points" in capsys.readouterr().err
    best_race(Farkle(target=250))
    assert not capsys.readouterr().err
    with pytest.raises(ValueError, match="progress is"):
        best_race(Farkle(target=300), progress="x")
