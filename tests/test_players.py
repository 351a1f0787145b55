"""Computer opponents: what they say they do is what they do."""

import pickle
from random import Random

import pytest
from oracle import Scoring, farkle_rows
from test_farkle import bank, go, keep

from dicekit.games.farkle import Farkle
from dicekit.games.states import CHANCE, Bank, SetAside, Throw
from dicekit.players import BanksAt

ROWS = Scoring(farkle_rows())


def play(rules, players, seed):
    """A game between computer players: its end, and each action with the state it was for."""
    rng, acted = Random(seed), []
    state = rules.start(*(f"P{i}" for i in range(len(players))))
    while not state.is_terminal:
        if state.current_player == CHANCE:
            state = state.child(tuple(rng.choices(range(1, 7), k=state.dice)))
        else:
            action = players[state.current_player](state)
            acted.append((state, action))
            state = state.child(action)
    return state, acted


@pytest.mark.parametrize("seed", range(10))
def test_it_sets_aside_the_most_points_and_banks_as_soon_as_it_has_enough(seed):
    state, acted = play(Farkle(target=3000), [BanksAt(300), BanksAt(500)], seed)
    assert len(state.winners) == 1
    for before, action in acted:
        enough = (300, 500)[before.player]
        if isinstance(action, SetAside):
            most = max(map(ROWS.best, ROWS.keepable(before.throw)))
            assert ROWS.best(action.dice) == most
        elif before.opener is None and Bank() in before.legal_actions():
            assert (action == Bank()) == (before.points >= enough)


@pytest.mark.parametrize(
    "rules",
    [
        Farkle(target=2000, opening=500, minimum=300),
        Farkle(target=2000, farkle_penalty=500, alike="doubling"),
        Farkle(target=2000, last_round=False, three_pairs=750),
        Farkle(target=500, table=Farkle().table | {"nothing": 500}),
    ],
    ids=repr,
)
def test_it_plays_every_game_to_its_end(rules):
    for seed in range(10):
        players = [BanksAt(0), BanksAt(300), BanksAt(10_000)]
        state, acted = play(rules, players[: 1 + seed % 3] if seed % 3 < 2 else players[:2], seed)
        assert state.is_terminal
        assert all(action in before.legal_actions() for before, action in acted)


def test_it_throws_on_below_its_points_and_banks_from_them():
    state = Farkle().start("A", "B")
    assert BanksAt(300)(state) == Throw()
    assert BanksAt(300)(keep(state, 200)) == Throw()
    assert BanksAt(200)(keep(state, 200)) == Bank()
    assert BanksAt(300)(keep(state, 3000)) == Bank(), "hot dice do not tempt it"


def test_it_throws_on_where_it_may_not_bank():
    assert BanksAt(100)(keep(Farkle(opening=500).start("A"), 200)) == Throw()
    assert BanksAt(100)(keep(Farkle(minimum=500).start("A"), 200)) == Throw()


@pytest.mark.parametrize(
    ("score", "points", "action"),
    [
        (0, 500, Throw()),
        (0, 1000, Throw()),
        (0, 1500, Bank()),
        (500, 500, Throw()),
        (500, 1000, Bank()),
        (950, 50, Throw()),
        (950, 100, Bank()),
    ],
)
def test_in_a_last_round_it_goes_on_until_it_passes(score, points, action):
    """950 is no single turn here: B banks 500, 200, 200 and 50 of it in turns."""
    turns = {0: (0,), 500: (500,), 950: (500, 200, 200, 50)}[score]
    state = Farkle(target=1000).start("A", "B")
    for turn in turns:
        state = bank(state, 0, turn)
    state = bank(state, 1000)
    assert (state.opener, state.scores) == (0, (1000, score))
    assert BanksAt(300)(keep(state, points)) == action


def test_it_sets_aside_all_that_scores_among_equals():
    """Six 2s by multiples: 800 as one row; 1-5-5 is 200."""
    state = go(Farkle(alike="multiples").start("A"), Throw(), (2,) * 6)
    assert BanksAt()(state) == SetAside((2,) * 6)
    state = go(Farkle().start("A"), Throw(), (1, 5, 5, 2, 3, 4))
    assert BanksAt()(state) == SetAside((1, 5, 5))


def test_it_is_a_value_with_a_name():
    assert str(BanksAt(350)) == "banks at 350"
    assert BanksAt() == BanksAt(300) != BanksAt(350)
    assert pickle.loads(pickle.dumps(BanksAt(350))) == BanksAt(350)
    assert hash(BanksAt(350)) == hash(BanksAt(350))


@pytest.mark.parametrize(
    "points", [-50, 2.5, "300", None, True, float("nan"), [300], {}, object], ids=repr
)
def test_what_is_no_number_of_points_is_refused(points):
    with pytest.raises(ValueError, match=r"points|bank"):
        BanksAt(points)


@pytest.mark.parametrize(
    "state",
    [Farkle().start("A").child(Throw()), bank(Farkle(target=1000).start("A"), 1000)],
    ids=["rolling", "over"],
)
def test_it_is_asked_only_when_it_must_act(state):
    with pytest.raises(ValueError, match=r"\w"):
        BanksAt()(state)
