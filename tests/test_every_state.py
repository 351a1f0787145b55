"""Best play where more than the two scores matters, against value iteration over every state."""

import random
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from sympy import symbols

from dicekit.dice import Die
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.scoring import Table
from dicekit.games.states import CHANCE, TERMINAL, Bank
from dicekit.players import BanksAt
from dicekit.probability import throws
from dicekit.simulation import simulate
from dicekit.solve.every_state import EveryState, best_play
from dicekit.solve.race import best_race
from dicekit.solve.turn import Turn


class Two(Farkle):
    """Farkle with two dice: few enough states to try out everything."""

    all_dice = 2


class TwoDice(FiveThousand):
    """5000 with two dice, of which two 5s win at once."""

    all_dice = 2


ROWS = Table({"1": 100, "5": 50})
DIE = Die.loaded({1: 0.1, 5: 0.25, 6: 0.65, 2: 0, 3: 0, 4: 0})


def two(target=200, **options):
    free = {"opening": 0, "minimum": 0, "keep": "any", "wins_at_once": None}
    return TwoDice(target=target, table=ROWS, **free | options)


SMALL = [
    two(150, three_zeros=True, exact=True, opening=100, minimum=50),
    two(no_repeat=True),
    two(no_equal_scores=True, exact=True),
    two(steal="first throw", exact=True),
    two(steal="turn"),
]
LARGER = [
    two(three_zeros=True),
    two(no_equal_scores=True),
    two(steal="first throw"),
    two(steal="turn", exact=True),
    two(250, prediction="total"),
    two(no_repeat=True, exact=True, keep="all"),
    two(no_equal_scores=True, three_zeros=True),
    two(steal="turn", no_equal_scores=True, exact=True, no_repeat=True),
    two(150, steal="first throw", three_zeros=True, full_hand="must"),
    two(steal="turn", prediction="total", no_equal_scores=True),
    two(no_repeat=True, full_hand="must", first="highest throw"),
    Two(target=100, table=ROWS, farkle_penalty=50, opening=100, last_round=False),
    Two(target=100, table=ROWS, farkle_penalty=50),
]
LIMITED = {
    "farkle_penalty": 0,
    "three_zeros": False,
    "no_repeat": False,
    "no_equal_scores": False,
    "steal": False,
}


def without_options(game):
    """The same rules, of which the two scores are all that matters."""
    return replace(game, **{name: off for name, off in LIMITED.items() if hasattr(game, name)})


@cache
def outcomes(dice):
    return [(throw, float(chance)) for throw, chance in throws(dice, DIE).items()]


def plain(state, low):
    """A state without the past that its rules never look at, without points beyond what decides,
    and with no score below `low`."""
    rules, changes = state.rules, {}
    if not getattr(rules, "last_round", False):
        changes["points"] = min(state.points, rules.target - low)
    if isinstance(rules, Farkle):
        scores = tuple(max(score, low) for score in state.scores)
        if state.opener is not None and not state.is_terminal:  # only the gap matters
            scores = tuple(score - scores[state.player] for score in scores)
            changes["misses"] = (0, 0)
        return replace(state, scores=scores, **changes)
    if not rules.three_zeros:
        changes["misses"] = (0, 0)
    if not rules.no_equal_scores:
        changes["gains"] = ((), ())
    if not rules.no_repeat:
        changes["last_turns"] = (None, None)
    return replace(state, **changes)


class Brute:
    """The chance of the first player in every state, by value iteration over the rule book.

    Who opens a last round does so with at most `cap` points in a turn.
    """

    cap = 600

    def __init__(self, game, low=0):
        self.low, self.start, self.graph = low, game.start("A", "B"), {}
        todo = [self.start]
        while todo:
            state = todo.pop()
            if state not in self.graph:
                self.graph[state] = self.branches(state)
                todo += [child for child, _ in self.graph[state]]
        order = sorted(self.graph, key=lambda state: (-sum(state.scores), -state.points))
        place = {state: number for number, state in enumerate(order)}
        worth = [float(state.returns[0]) for state in order]
        nodes = [
            (
                place[state],
                {0: max, 1: min}.get(state.current_player),
                [place[child] for child, _ in self.graph[state]],
                [chance for _, chance in self.graph[state]],
            )
            for state in reversed(order)
            if not state.is_terminal
        ]
        change = 1.0
        while change > 1e-12:
            change = 0.0
            for number, best, children, chances in nodes:
                values = [worth[child] for child in children]
                new = best(values) if best else sum(map(float.__mul__, values, chances))
                change = max(change, abs(new - worth[number]))
                worth[number] = new
        self.worth = {state: worth[number] for state, number in place.items()}

    def branches(self, state):
        if state.current_player == TERMINAL:
            return ()
        if state.current_player == CHANCE:
            return [(self.child(state, throw), chance) for throw, chance in outcomes(state.dice)]
        actions = state.legal_actions()
        if Bank() in actions:
            bank = state.child(Bank())
            enough = state.points >= self.cap and getattr(state, "opener", None) is None
            if enough or (bank.is_terminal and state.player in bank.winners):
                actions = (Bank(),)
        return [(self.child(state, action), 1.0) for action in actions]

    def child(self, state, event):
        return plain(state.child(event), self.low)


@pytest.mark.parametrize(
    "game", SMALL + [pytest.param(game, marks=pytest.mark.slow) for game in LARGER], ids=repr
)
def test_every_state_of_a_small_game(game):
    matches(best_play(game, DIE))


def test_a_player_who_can_owe_one_fine():
    game = Two(target=100, table=ROWS, farkle_penalty=50, last_round=False)
    matches(EveryState(Turn.of(game, DIE, True, 0), fines=1))


def matches(play):
    """Whether it is what value iteration finds, and the option matters."""
    game = play.game
    brute = Brute(game, play.lowest)
    acting = [state for state in brute.graph if state.current_player in (0, 1)]
    begun = [state for state in acting if state.turn_begins]
    rng = random.Random(1)
    for state in [brute.start, *rng.sample(begun, min(100, len(begun))), *rng.sample(acting, 100)]:
        if state.points >= min(game.target, brute.cap):
            continue
        for action, value in play.values(state).items():
            expected = brute.worth.get(brute.child(state, action))
            if expected is None:  # a throw where a bank wins
                continue
            expected = expected if state.player == 0 else 1 - expected
            assert value == pytest.approx(expected, abs=1e-9), (state, action)
    usual = best_play(without_options(game), DIE).first
    assert (abs(play.first - usual) < 1e-9) == (game == without_options(game))


@pytest.mark.parametrize(
    "game",
    [
        Farkle(target=250, opening=100),
        Farkle(target=300, last_round=False),
        FiveThousand(target=800),
        FiveThousand.beginner(target=300, exact=True, prediction="turn", full_hand="must"),
    ],
    ids=repr,
)
def test_a_game_of_two_scores_is_a_race(game):
    play, race = best_play(game), best_race(game)
    scores = range(0, game.target, 50)
    for mine, theirs in product(scores, scores):
        assert play.chance(mine, theirs) == pytest.approx(race.chance(mine, theirs), abs=1e-9)
    assert play.handicap() == race.handicap()


def worth(play, state):
    """What a state is worth to player 0, by one look ahead."""
    if state.is_terminal:
        return state.returns[0]
    if state.current_player == CHANCE:
        return sum(
            float(chance) * worth(play, state.child(throw))
            for throw, chance in state.chance_outcomes().items()
        )
    best = max(play.values(state).values())
    return best if state.player == 0 else 1 - best


def random_states(game, many, seed):
    """Some states in which a player acts, met in games at random."""
    rng, found = random.Random(seed), []
    while len(found) < 4 * many:
        state = game.start("A", "B")
        while not state.is_terminal:
            if state.current_player == CHANCE:
                state = state.child(tuple(rng.choices(range(1, 7), k=state.dice)))
            else:
                found.append(state)
                actions = state.legal_actions()
                banks = Bank() in actions and rng.random() < 0.6
                state = state.child(Bank() if banks else rng.choice(actions))
    return rng.sample(found, many)


WHOLE = [
    (Farkle, {"farkle_penalty": 500}),
    (FiveThousand.beginner, {"three_zeros": True, "exact": True}),
    (FiveThousand.beginner, {"no_repeat": True}),
    (FiveThousand.beginner, {"no_equal_scores": True, "exact": True}),
    (FiveThousand.beginner, {"steal": "first throw"}),
    (FiveThousand.beginner, {"steal": "turn", "exact": True}),
    (FiveThousand.beginner, {"steal": "turn", "no_equal_scores": True}),
]


@pytest.mark.parametrize(
    ("target", "kind", "options"),
    [(200, *game) for game in WHOLE[2::2]]
    + [pytest.param(500, *game, marks=pytest.mark.slow) for game in WHOLE],
)
def test_the_optimality_equation(target, kind, options):
    game = kind(target=target, **options)
    play = best_play(game)
    for state in random_states(game, 20 if target < 500 else 100, seed=3):
        values = play.values(state)
        assert values[play.action(state)] == max(values.values())
        for action, value in values.items():
            expected = worth(play, state.child(action))
            expected = expected if state.player == 0 else 1 - expected
            assert value == pytest.approx(expected, abs=1e-9), (state, action)


def simulated(play, games):
    """Whether its chance is what it wins against itself, and others win no more against it."""
    game, die = play.game, play.die
    itself = simulate(game, [play, play], games=games, seed=1, die=die)
    assert abs(itself.wins["A"] - play.first) < 4 * itself.error["A"]
    second = simulate(game, [BanksAt(150), play], games=games, seed=3, die=die)
    assert second.wins["A"] < play.first + 4 * second.error["A"]


def test_simulated_games():
    simulated(best_play(two(steal="turn"), DIE), games=200)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "options"), WHOLE)
def test_longer_simulated_games(kind, options):
    simulated(best_play(kind(target=500, **options)), games=2000)


def test_what_it_refuses():
    with pytest.raises(ValueError, match=r"up to a target of about 1,350; beyond, simulate"):
        best_play(FiveThousand.beginner(steal="turn"))
    with pytest.raises(ValueError, match="die with numbers"):
        best_play(two(), Die.loaded({1: symbols("p")}))
    play = best_play(two(no_equal_scores=True), DIE)
    with pytest.raises(ValueError, match="two players"):
        play.values(play.game.start("A", "B", "C"))
    with pytest.raises(ValueError, match="not of"):
        play.values(two().start("A", "B"))
