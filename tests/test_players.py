"""Computer opponents: what they say they do is what they do."""

import pickle
from dataclasses import replace
from random import Random

import pytest
from oracle import Scoring, farkle_rows
from random_rules import random_options
from test_farkle import bank, go, keep

from dicekit.dice import Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.record import Record
from dicekit.games.scoring import Table
from dicekit.games.states import CHANCE, Bank, SetAside, Throw
from dicekit.players import (
    LEVELS,
    BanksAt,
    BestTurns,
    HoldsAlike,
    Perfect,
    computers_of,
    player_named,
)
from dicekit.simulation import simulate
from dicekit.solve.best_turn import best_turn

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


# Levels


SMALL = {
    Farkle: {
        "target": [200],
        "opening": [0, 150],
        "three_pairs": [1500, 750],
        "alike": ["table", "multiples", "doubling"],
        "farkle_penalty": [0, 500],
        "minimum": [0, 100],
        "last_round": [True, False],
    },
    FiveThousand: {
        "target": [200],
        "exact": [False, True],
        "opening": [0, 150],
        "minimum": [0, 100],
        "keep": ["all", "any"],
        "combinations": ["five dice", "any throw"],
        "wins_at_once": ["five 5s", "five alike", None],
        "full_hand": ["may", "must"],
        "no_equal_scores": [False, True],
        "three_zeros": [False, True],
        "prediction": [None, "throw", "turn", "total"],
        "no_repeat": [False, True],
        "steal": [False, "first throw", "turn"],
        "first": ["order", "highest throw"],
    },
}


@pytest.mark.parametrize("seed", range(10))
def test_all_levels_play_with_all_options(seed):
    rng = Random(seed)
    kind = FiveThousand if seed % 4 else Farkle
    rules = kind(**random_options(rng, SMALL[kind]))
    state, acted = play(rules, rng.sample(LEVELS, 3)[: 1 + seed % 3], seed)
    assert state.is_terminal
    assert all(action in before.legal_actions() for before, action in acted)


def test_all_levels_fill_a_sheet():
    state, acted = play(DicePoker(chance="fallback"), LEVELS, 1)
    assert state.is_terminal
    assert all(action in before.legal_actions() for before, action in acted)


def test_a_level_has_the_same_name_in_all_games_and_the_name_gives_it_back():
    assert [str(level) for level in LEVELS] == ["careful", "best turn", "perfect"]
    for player in (*LEVELS, HoldsAlike(), BanksAt(350)):
        assert player_named(str(player)) == player
        assert pickle.loads(pickle.dumps(player)) == player
    for words in ("", "perfectly", "banks at -1", None, 7):
        with pytest.raises(ValueError, match="no computer player"):
            player_named(words)


@pytest.mark.parametrize(
    "rules",
    [Farkle(minimum=300, table=Table({"1": 100, "5": 50, "aaa": 300})), FiveThousand(keep="any")],
)
def test_the_best_turn_is_the_exact_one(rules):
    """Its decisions are those of `best_turn`, which counts in fractions."""
    rng = Random(1)
    turn, start = best_turn(rules), replace(rules.start("A", "B"), opened=(True, True))
    for _ in range(80):
        points, dice = 50 * rng.randrange(1, 40), rng.randint(1, rules.all_dice)
        state = replace(start, points=points, dice=dice)
        assert (BestTurns()(state) == Bank()) == (state.can_bank and turn.bank(points, dice))
        thrown = state.child(Throw()).child(tuple(rng.choices(range(1, 7), k=dice)))
        if thrown.stage == "thrown":
            values = BestTurns().values(thrown)
            best = SetAside(turn.set_aside(thrown.throw, points))
            assert values[best] == pytest.approx(max(values.values()))


def test_the_best_turn_goes_on_in_a_last_round_until_it_passes():
    state = bank(Farkle(target=1000).start("A", "B"), 1000)
    assert BestTurns()(keep(state, 1000)) == Throw()
    assert BestTurns()(keep(state, 1500)) == Bank()


def test_a_turn_without_points_that_is_fined_is_worth_less():
    fined = replace(Farkle(farkle_penalty=1000).start("A", "B"), misses=(2, 0), points=300, dice=3)
    values, usual = (BestTurns().values(state) for state in (fined, replace(fined, misses=(0, 0))))
    lost = 5 / 18  # three dice bust with this chance; what comes after can be lost too
    assert usual[Throw()] - values[Throw()] > 1000 * lost
    assert values[Bank()] == usual[Bank()] == 300


@pytest.mark.parametrize("levels", [(2, 1), (2, 1, 0)])
def test_perfect_wins_most(levels):
    """Of 300 games, each seat in turn; the standard error of a share is 2.9 %."""
    many, won = len(levels), [0.0] * len(levels)
    for turn in range(many):
        seats = [(k + turn) % many for k in range(many)]
        found = simulate(
            FiveThousand.beginner(target=500),
            [LEVELS[levels[seat]] for seat in seats],
            games=300 // many,
            seed=turn,
        )
        for seat, share in zip(seats, found.wins.values(), strict=True):
            won[seat] += share / many
    assert won[0] > max(won[1:]) + 0.058


def test_without_numpy_perfect_plays_the_best_turn_where_no_table_travels(monkeypatch):
    def solved(*args):
        raise ImportError("numpy")

    monkeypatch.setattr("dicekit.players.best_race", solved)
    rules = Farkle(target=450)
    state = keep(rules.start("A", "B"), 200)
    assert Perfect().values(state) == BestTurns().values(state)
    assert Perfect()(state) == BestTurns()(state)


def test_without_numpy_perfect_plays_the_best_round_on_a_sheet_that_takes_minutes(monkeypatch):
    monkeypatch.setattr("dicekit.players.find_spec", lambda name: None)
    state = go(DicePoker.yatzy().start("A", "B"), Throw(), (1, 2, 3, 3, 4))
    assert Perfect().values(state) == BestTurns().values(state)
    assert Perfect()(DicePoker().start("A")) == Throw(), "its table travels"


@pytest.mark.parametrize("player", [*LEVELS, BanksAt(), HoldsAlike()], ids=str)
@pytest.mark.parametrize(
    "given",
    [Record(Farkle(), ["A"], seed=1), None, Farkle(), "A"],
    ids=lambda given: type(given).__name__,
)
def test_what_is_no_state_is_refused_in_words(player, given):
    with pytest.raises(ValueError, match="asked with a state"):
        player(given)


def test_who_banks_has_nothing_to_do_on_a_sheet():
    with pytest.raises(ValueError, match="Dice poker has a score sheet"):
        BanksAt()(DicePoker().start("A"))


@pytest.mark.parametrize(
    "noted", [5, True, "AB", ["A"], {"A": "magic"}, {"A": None}, {"C": "best turn"}]
)
def test_computers_that_a_record_does_not_name_well_are_persons(noted):
    record = Record(Farkle(), ["A", "B"], seed=1, notes={"computers": noted})
    assert computers_of(record) == {}
    record.notes["computers"] = {"A": "magic", "B": "best turn"}
    assert computers_of(record) == {"B": BestTurns()}


def test_the_turns_of_a_long_game_are_kept(monkeypatch):
    """A second look at 300 turns costs nothing."""
    made = []

    class Cheap:
        def __init__(self, *given):
            made.append(given)

        def values(self, state):
            return {Throw(): 0.0}

    monkeypatch.setattr("dicekit.players.TurnWorth", Cheap)
    player = BestTurns(Die.loaded({6: 0.125}))  # nobody else's turns
    start = FiveThousand(target=50_000, exact=True).start("A")
    states = [replace(start, scores=(50 * k,), opened=(True,)) for k in range(300)]
    for state in states * 2:
        player.values(state)
    assert len(made) == 300


def test_a_fine_that_is_no_multiple_of_the_points():
    game = Farkle(target=2000, table=Farkle().table | {"5": None}, farkle_penalty=50)
    state = replace(game.start("A", "B"), scores=(850, 0))
    assert Perfect().values(state) == Perfect().values(replace(state, scores=(800, 0)))
