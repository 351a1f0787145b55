"""Farkle as it is played: each rule by a game written out by hand, all of them by random games."""

import os
import pickle
from dataclasses import FrozenInstanceError
from functools import cache
from math import inf, nan
from random import Random

import pytest
from oracle import Scoring, farkle, farkle_rows

from dicekit.games.farkle import Farkle
from dicekit.games.record import Record
from dicekit.games.scoring import Table
from dicekit.games.states import CHANCE, TERMINAL, Bank, SetAside, Throw, check_names
from dicekit.probability import throws

FARKLE = (2, 2, 3, 4, 6, 6)  # six dice of which none scores
KEPT = {
    50: (5,),
    100: (1,),
    150: (1, 5),
    200: (1, 1),
    500: (5, 5, 5),
    1000: (1, 1, 1),
    1500: (1, 2, 3, 4, 5, 6),
    3000: (1,) * 6,
}
HOSTILE = [
    "<script>alert('x')</script>",
    "Ana & Rui",
    "🎲👩‍🏫",
    "שלום",
    "\u202eevil",
    "x" * 200,
    "a\nb",
    "\ud800",
    "\x00",
    "{}%s{0}",
]


class Nothing:
    """An object of a kind that no one expects."""

    def __repr__(self):
        return "Nothing()"


def go(state, *events):
    for event in events:
        state = state.child(event)
    return state


def keep(state, points, thrown=None):
    """Throw all six and set aside dice worth so many points."""
    dice = KEPT[points]
    rest = (2, 2, 3, 4, 6, 6)[: 6 - len(dice)]
    return go(state, Throw(), dice + rest, SetAside(dice))


def bank(state, *turns):
    """Turns one after the other: points that are banked, 0 for a farkle."""
    for points in turns:
        if points:
            state = keep(state, points).child(Bank())
        else:
            state = go(state, Throw(), FARKLE)
    return state


# A turn


def test_a_game_begins_with_the_first_player_who_must_throw():
    state = Farkle().start("Ana", "Rui")
    assert state.players == ("Ana", "Rui")
    assert state.legal_actions() == (Throw(),)
    assert (state.current_player, state.scores, state.dice) == (0, (0, 0), 6)
    assert (state.is_terminal, state.winners, state.returns) == (False, (), (0, 0))


def test_chance_throws_the_dice_that_are_left():
    state = Farkle().start("A", "B").child(Throw())
    assert state.current_player == CHANCE
    assert state.legal_actions() == ()
    assert state.chance_outcomes() == throws(6)
    state = go(state, (1, 1, 1, 2, 3, 4), SetAside((1, 1, 1)), Throw())
    assert state.chance_outcomes() == throws(3)


def test_at_least_one_die_is_set_aside_and_each_must_score():
    state = go(Farkle().start("A"), Throw(), (5, 1, 4, 4, 2, 3))
    assert set(state.legal_actions()) == {SetAside((1,)), SetAside((5,)), SetAside((1, 5))}


def test_then_one_throws_the_rest_or_banks():
    state = keep(Farkle().start("A", "B"), 150)
    assert (state.points, state.dice, state.current_player) == (150, 4, 0)
    assert set(state.legal_actions()) == {Throw(), Bank()}
    state = state.child(Bank())
    assert (state.scores, state.current_player, state.dice) == ((150, 0), 1, 6)
    assert state.points == 0


def test_points_of_several_throws_add_up():
    state = go(keep(Farkle().start("A"), 150), Throw(), (5, 5, 2, 3), SetAside((5, 5)), Bank())
    assert state.scores == (250,)


def test_a_farkle_loses_the_points_of_the_turn_and_no_others():
    state = bank(Farkle().start("A", "B"), 500, 0)
    state = go(keep(state, 1000), Throw(), (2, 3, 4))
    assert state.scores == (500, 0)
    assert (state.current_player, state.points, state.dice) == (1, 0, 6)


def test_scoring_dice_may_be_left_and_thrown_again():
    state = go(Farkle().start("A"), Throw(), (1, 5, 5, 5, 1, 2), SetAside((5,)), Throw())
    assert state.dice == 5
    assert state.child((2, 2, 3, 4, 6)).scores == (0,)


def test_dice_of_different_throws_never_combine():
    """The rules: two 4s in one throw and a 4 in the next are worth nothing."""
    start = go(Farkle().start("A", "B"), Throw(), (5, 4, 4, 2, 3, 6))
    assert SetAside((4, 4)) not in start.legal_actions()
    state = go(start, SetAside((5,)), Throw(), (4, 2, 3, 6, 6))
    assert state.current_player == 1
    three_fives = go(Farkle().start("A"), Throw(), (5, 5, 2, 3, 4, 6), SetAside((5, 5)), Throw())
    assert go(three_fives, (5, 2, 3, 4), SetAside((5,))).points == 150


def test_hot_dice_are_thrown_again_or_banked_as_often_as_they_last():
    state = Farkle().start("A", "B")
    for points in (1500, 3000, 4500):
        state = keep(state, 1500)
        assert (state.points, state.dice) == (points, 6)
        assert set(state.legal_actions()) == {Throw(), Bank()}
    assert state.child(Bank()).scores == (4500, 0)
    assert bank(state, 0).scores == (0, 0)


def test_hot_dice_over_several_throws():
    state = go(keep(Farkle().start("A"), 1000), Throw(), (5, 5, 2), SetAside((5, 5)), Throw())
    state = go(state, (1,), SetAside((1,)))
    assert (state.points, state.dice) == (1200, 6)


# Opening and minimum


def test_the_opening_is_met_once_by_each_player():
    state = keep(Farkle(opening=500).start("A", "B"), 200)
    assert state.legal_actions() == (Throw(),)
    state = go(state, Throw(), (1, 1, 1, 2), SetAside((1, 1, 1)), Bank())
    assert state.scores == (1200, 0)
    assert keep(state, 200).legal_actions() == (Throw(),), "B has never banked"
    assert bank(state, 500, 50).scores == (1250, 500)


def test_an_opening_is_met_exactly():
    assert Bank() in keep(Farkle(opening=500).start("A"), 500).legal_actions()
    assert Bank() not in keep(Farkle(opening=550).start("A"), 500).legal_actions()


def test_a_farkle_does_not_meet_the_opening():
    state = bank(Farkle(opening=500).start("A"), 0)
    assert keep(state, 200).legal_actions() == (Throw(),)


def test_the_opening_holds_in_the_last_round():
    state = bank(Farkle(opening=500, target=1000).start("A", "B"), 1000)
    assert keep(state, 200).legal_actions() == (Throw(),)


def test_the_minimum_holds_for_every_bank():
    state = bank(Farkle(minimum=300).start("A"), 500)
    assert keep(state, 200).legal_actions() == (Throw(),)
    assert set(keep(state, 500).legal_actions()) == {Throw(), Bank()}
    assert keep(state, 1000).bank_from == 300


def test_the_greater_of_opening_and_minimum_counts():
    state = Farkle(opening=500, minimum=1000).start("A")
    assert keep(state, 500).legal_actions() == (Throw(),)
    state = Farkle(opening=1000, minimum=150).start("A")
    assert (keep(state, 500).can_bank, keep(state, 1000).can_bank) == (False, True)
    assert [keep(bank(state, 1000), points).can_bank for points in (100, 150)] == [False, True]


# The end


def winner_of(state):
    assert state.is_terminal
    assert state.current_player == TERMINAL
    assert state.legal_actions() == ()
    (winner,) = state.winners
    assert state.returns == tuple(int(player == winner) for player in range(len(state.players)))
    return state.players[winner]


@pytest.mark.parametrize(
    ("turns", "winner"),
    [
        ((1000, 500), "A"),
        ((1000, 0), "A"),
        ((1000, 1000), "A"),
        ((1000, 1500), "B"),
        ((0, 1000, 500), "B"),
        ((0, 1500, 1500), "B"),
        ((500, 1000, 500), "B"),
        ((500, 1000, 1000), "A"),
    ],
)
def test_the_last_round_of_two(turns, winner):
    state = bank(Farkle(target=1000).start("A", "B"), *turns[:-1])
    assert not state.is_terminal
    assert winner_of(bank(state, turns[-1])) == winner


@pytest.mark.parametrize(
    ("turns", "winner"),
    [
        ((0, 1000, 0, 0), "B"),
        ((0, 1000, 1500, 0), "C"),
        ((0, 1000, 1500, 1500), "C"),
        ((0, 1000, 1000, 1000), "B"),
        ((0, 1000, 1500, 3000), "A"),
        ((0, 0, 1000, 1500, 1500), "A"),
        ((500, 1000, 0, 1000), "A"),
    ],
)
def test_the_last_round_of_three_goes_on_after_the_opener_and_ends_before(turns, winner):
    state = bank(Farkle(target=1000).start("A", "B", "C"), *turns[:-1])
    assert not state.is_terminal
    assert winner_of(bank(state, turns[-1])) == winner


def test_a_chaser_who_passes_sets_the_score_to_pass():
    state = bank(Farkle(target=1000).start("A", "B", "C"), 1000)
    assert (state.opener, state.leader) == (0, 0)
    state = bank(state, 1500)
    assert (state.opener, state.leader) == (0, 1)


def test_a_bank_too_small_to_win_is_allowed_in_the_last_round_and_loses():
    state = keep(bank(Farkle(target=1000).start("A", "B"), 1000), 50)
    assert Bank() in state.legal_actions()
    assert winner_of(state.child(Bank())) == "A"


def test_alone_the_game_ends_at_the_target():
    assert winner_of(bank(Farkle(target=1000).start("A"), 500, 0, 500)) == "A"


def test_the_target_counts_when_it_is_banked():
    state = keep(Farkle(target=1000).start("A"), 1500)
    assert not state.is_terminal
    assert bank(state, 0).scores == (0,)


def test_without_a_last_round_the_first_to_bank_the_target_wins_at_once():
    state = bank(Farkle(target=1000, last_round=False).start("A", "B"), 500, 1500)
    assert winner_of(state) == "B"


def test_a_game_of_twelve():
    names = [f"P{i}" for i in range(12)]
    state = bank(Farkle(target=1000).start(*names), *[0] * 11, 1000, *[1000] * 10)
    assert not state.is_terminal
    assert winner_of(bank(state, 500)) == "P11"


# Three farkles in a row


@pytest.mark.parametrize(
    ("turns", "score"),
    [
        ((0, 0), 0),
        ((0, 0, 0), -1000),
        ((500, 0, 0, 0), -500),
        ((0, 0, 0, 0, 0), -1000),
        ((0, 0, 0, 0, 0, 0), -2000),
        ((0, 0, 50, 0, 0), 50),
        ((0, 0, 50, 0, 0, 0), -950),
    ],
)
def test_three_farkles_in_a_row_cost_the_penalty_and_the_count_starts_again(turns, score):
    assert bank(Farkle(farkle_penalty=1000).start("A"), *turns).scores == (score,)


def test_each_player_has_a_count_of_farkles():
    state = bank(Farkle(farkle_penalty=500).start("A", "B"), 0, 50, 0, 50, 0, 50)
    assert state.scores == (-500, 150)


def test_the_penalty_falls_in_the_last_round_too():
    state = bank(Farkle(target=1000, farkle_penalty=500).start("A", "B"), 50, 0, 50, 0, 1000, 0)
    assert (state.scores, winner_of(state)) == ((1100, -500), "A")


def test_without_a_penalty_farkles_cost_nothing():
    assert bank(Farkle().start("A"), 50, *[0] * 7).scores == (50,)


def test_a_score_below_zero_has_opened():
    state = bank(Farkle(opening=500, farkle_penalty=1000).start("A"), 500, 0, 0, 0)
    assert keep(state, 50).can_bank


# What cannot happen

START = Farkle(opening=500).start("Ana", "Rui")
STAGES = {
    "to throw": START,
    "rolling": START.child(Throw()),
    "thrown": go(START, Throw(), (1, 1, 5, 2, 3, 4)),
    "below the opening": keep(START, 200),
    "may bank": keep(START, 500),
    "over": bank(Farkle(target=1000).start("Ana"), 1000),
}
NEVER = [None, 5, "Bank", "bank", Bank, Throw, Nothing(), {}, [Bank()], (), (7,) * 6, (None,) * 6]
ILLEGAL = [
    ("to throw", Bank(), "throw"),
    ("to throw", SetAside((1,)), "throw"),
    ("to throw", (1, 2, 3, 4, 5, 6), "Ana"),
    ("rolling", Throw(), r"throw|dice"),
    ("rolling", Bank(), r"throw|dice"),
    ("rolling", (1, 2, 3, 4, 5), r"(?i)six|6"),
    ("rolling", (1, 2, 3, 4, 5, 6, 6), r"(?i)six|6"),
    ("rolling", (0, 2, 3, 4, 5, 6), "0"),
    ("rolling", (1, 2, 3, 4, 5, 7), "7"),
    ("rolling", (1, 2, 3, 4, 5, 6.5), "6.5"),
    ("rolling", (1, 2, 3, 4, 5, "6"), "6"),
    ("rolling", "123456", r"\w"),
    ("rolling", (1, 2, 3, 4, 5, True), "True"),
    ("thrown", Throw(), "set aside"),
    ("thrown", Bank(), "set aside"),
    ("thrown", (1, 2), r"\w"),
    ("thrown", SetAside(()), r"\w"),
    ("thrown", SetAside((2,)), "2"),
    ("thrown", SetAside((1, 2)), "2"),
    ("thrown", SetAside((1, 1, 1)), r"1"),
    ("thrown", SetAside((1, 6)), "6"),
    ("below the opening", Bank(), "500"),
    ("below the opening", SetAside((1,)), r"throw"),
    ("may bank", (1, 2, 3), r"Ana"),
    ("over", Throw(), "over"),
    ("over", Bank(), "over"),
    ("over", (1, 2, 3, 4, 5, 6), "over"),
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


@pytest.mark.parametrize(
    "dice", [(7,), (0,), ("1",), "15", None, 5, (None,), ((1,),), (1.5,), Nothing()], ids=repr
)
def test_what_no_dice_can_show_cannot_be_set_aside(dice):
    with pytest.raises(ValueError, match=r"\w"):
        SetAside(dice)


def test_dice_set_aside_have_no_order_and_may_be_a_list():
    assert SetAside([5, 1]) == SetAside((1, 5)) == SetAside(die for die in (5, 1))
    assert len({SetAside((1, 5)), SetAside((5, 1))}) == 1
    assert str(SetAside((5, 1))) == "set aside 1-5"


def test_a_throw_may_be_typed_as_a_list_or_numpy_array():
    numpy = pytest.importorskip("numpy")
    rolling = STAGES["rolling"]
    expected = rolling.child((1, 1, 5, 2, 3, 4))
    assert rolling.child([4, 3, 2, 5, 1, 1]) == expected
    assert rolling.child(numpy.array([4, 3, 2, 5, 1, 1])) == expected


@pytest.mark.parametrize("stage", [stage for stage in STAGES if stage != "rolling"])
def test_only_chance_has_outcomes(stage):
    with pytest.raises(ValueError, match=r"throw|over"):
        STAGES[stage].chance_outcomes()


@pytest.mark.parametrize("stage", STAGES)
def test_states_are_frozen_values(stage):
    state = STAGES[stage]
    for name in ("scores", "points", "note"):
        with pytest.raises(FrozenInstanceError):
            setattr(state, name, 5)
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert hash(again) == hash(state)


def test_states_are_equal_when_they_come_to_the_same():
    one = go(START, Throw(), (1, 1, 5, 2, 3, 4), SetAside((1,)))
    other = go(START, Throw(), [4, 3, 2, 5, 1, 1], SetAside([1]))
    assert one == other
    assert hash(one) == hash(other)
    assert one != go(START, Throw(), (1, 1, 5, 2, 3, 4), SetAside((5,)))
    assert Farkle(opening=300).start("Ana", "Rui") != START


# Options

WRONG = [None, "500", 500.5, nan, inf, -50, True, [500], {}, 1j, Nothing(), "🎲"]


@pytest.mark.parametrize("option", ["target", "opening", "farkle_penalty", "minimum"])
@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_a_wrong_number_of_points_is_refused(option, value):
    with pytest.raises(ValueError, match=option):
        Farkle(**{option: value})


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("target", 0),
        ("target", 10_025),
        ("farkle_penalty", 25),
        ("three_pairs", 1000),
        ("three_pairs", "750"),
        ("three_pairs", None),
        ("three_pairs", [750]),
        ("alike", "tripling"),
        ("alike", None),
        ("alike", 2),
        ("alike", ["table"]),
        ("last_round", "yes"),
        ("last_round", None),
        ("last_round", 2),
        ("last_round", [True]),
        ("table", Table({})),
        ("table", Farkle),
    ],
    ids=repr,
)
def test_a_wrong_choice_is_refused_with_the_name_of_the_option(option, value):
    with pytest.raises(ValueError, match=option):
        Farkle(**{option: value})


@pytest.mark.parametrize("option", ["opening", "minimum"])
def test_a_target_below_opening_or_minimum_is_refused(option):
    with pytest.raises(ValueError, match=rf"target.*{option}|{option}.*target"):
        Farkle(**{"target": 500, option: 550})
    assert Farkle(**{"target": 500, option: 500})


@pytest.mark.parametrize("minimum", [1, 75, 325, 350])
def test_any_minimum_may_be_agreed(minimum):
    state = Farkle(minimum=minimum).start("A")
    assert [keep(state, points).can_bank for points in (50, 100, 500)] == [
        points >= minimum for points in (50, 100, 500)
    ]


def test_rules_are_values_with_plain_options():
    numpy = pytest.importorskip("numpy")
    game = Farkle(target=numpy.int64(5000))
    assert game == Farkle(target=5000)
    assert hash(game) == hash(Farkle(target=5000))
    assert type(game.target) is int
    assert pickle.loads(pickle.dumps(game)) == game
    assert eval(repr(Farkle(opening=500, alike="doubling"))) == Farkle(
        opening=500, alike="doubling"
    )
    with pytest.raises(FrozenInstanceError):
        game.target = 100


# Names


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_a_strange_name_is_refused_or_kept_as_it_is(name):
    try:
        state = Farkle().start(name, "B")
    except ValueError as refusal:
        assert str(refusal)
    else:
        assert state.players == (name, "B")


@pytest.mark.parametrize(
    "name", ["", " ", "\n\t", "\u3000", None, 1, b"A", ["A"], Nothing()], ids=repr
)
def test_what_is_no_name_is_refused(name):
    with pytest.raises(ValueError, match="name"):
        Farkle().start("B", name)


def test_a_name_twice_is_refused():
    for names in (("A", "A"), ("A", "B", " A "), ("A", "A\n")):
        with pytest.raises(ValueError, match="A"):
            Farkle().start(*names)
    assert check_names((" A ", "B")) == ("A", "B")


def test_a_game_of_nobody_is_refused():
    with pytest.raises(ValueError, match=r"player|name"):
        Farkle().start()


# Random games against the rules written a second time


@cache
def usual_scoring(three_pairs=1500, alike="table"):
    return Scoring(farkle_rows(three_pairs, alike))


@cache
def odd_scoring(number):
    """A table with some rows changed and left out."""
    rng, rows = Random(number), farkle_rows()
    for row in rng.sample(sorted(rows.keys() - {"1"}), 3):
        rows[row] = rng.choice([None, rows[row] + 50])
    rows["nothing"] = rng.choice([None, 500])
    return Scoring(rows)


def random_options(rng):
    """Options of a game, and how it scores."""
    target = rng.choice([50, 500, 1000, 2000, 3000, 5000])
    values = {
        "opening": [value for value in (0, 350, 500, 1000) if value <= target],
        "minimum": [value for value in (0, 50, 300, 500) if value <= target],
        "farkle_penalty": [0, 50, 500, 1000],
        "last_round": [True, False],
    }
    table = {"three_pairs": [1500, 750], "alike": ["table", "multiples", "doubling"]}
    odd = rng.random() < 0.3
    chosen = {
        option: rng.choice(some)
        for option, some in (values if odd else values | table).items()
        if rng.random() < 0.6
    }
    if odd:
        scoring = odd_scoring(rng.randrange(8))
        return {"target": target, "table": Table(scoring.all_rows)} | chosen, scoring
    return {"target": target} | chosen, usual_scoring(
        *(chosen.get(name, some[0]) for name, some in table.items())
    )


def as_oracle(event):
    return {Throw(): "throw", Bank(): "bank"}.get(event) or event.dice


def play_both(seed, path=None):
    """A random game, played by dicekit and by the oracle; they must agree at every step."""
    rng = Random(seed)
    options, scoring = random_options(rng)
    count = rng.randint(1, 6)
    weights = [rng.choice([1, 1, 2, 4]) for _ in range(6)]
    record = Record(Farkle(**options), [f"P{i}" for i in range(count)], path=path)
    options.pop("table", None)
    told = farkle(count, scoring=scoring, **options)
    player, scores, points, dice, may = next(told)
    while True:
        state = record.state
        assert (state.player, state.scores) == (player, scores)
        assert (state.points, state.dice) == (points, dice)
        assert not state.is_terminal
        assert state.winners == ()
        long = len(record.events) > 300  # the dice turn kind, so that the game ends
        if may == "chance":
            assert state.current_player == CHANCE
            assert state.legal_actions() == ()
            event = tuple(rng.choices(range(1, 7), weights, k=dice))
            event = (1,) * dice if long else event
            done = event
        else:
            assert state.current_player == player
            legal = state.legal_actions()
            assert {as_oracle(action) for action in legal} == may
            assert len(legal) == len(may)
            event = Bank() if long and "bank" in may else rng.choice(legal)
            done = as_oracle(event)
        record.add(event)
        try:
            player, scores, points, dice, may = told.send(done)
        except StopIteration as end:
            scores, winner = end.value
            assert record.state.scores == scores
            assert winner_of(record.state) == f"P{winner}"
            return record


def play_many(seeds, folder):
    for seed in seeds:
        try:
            path = folder / f"{seed}.jsonl"
            record = play_both(seed, path)
            again = Record.load(path)
            assert (again.events, again.state) == (record.events, record.state)
            path.unlink()
        except BaseException:
            print(f"the game that failed: play_both({seed!r})")
            raise


def test_three_hundred_random_games_agree_with_the_rules(tmp_path):
    first = int(os.environ.get("DICEKIT_SEED", 0))
    play_many(range(first, first + 300), tmp_path)


@pytest.mark.slow
def test_ten_thousand_random_games_agree_with_the_rules(tmp_path):
    play_many(range(1000, 11_000), tmp_path)
