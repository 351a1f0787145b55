"""Positions: any moment of a game can be dealt, told and linked; what cannot be is refused."""

import json
import time
from dataclasses import replace
from random import Random

import pytest
from random_rules import random_options

from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.options import options
from dicekit.games.positions import facts_of, link_of, state_of
from dicekit.games.scoring import Table
from dicekit.games.sheet import AMERICAN, DICE_POKER, YATZY, Row, Sheet
from dicekit.games.states import CHANCE, Bank, Hold

HOUSE = Sheet(
    (Row("a, b: c", ("aa",)), Row("six", face=6, less=3, part=1)), in_order=False, throws=2
)
FARKLE = {
    "target": [500, 1000, 3000],
    "opening": [0, 350, 500],
    "minimum": [0, 300],
    "farkle_penalty": [0, 50, 1000],
    "last_round": [True, False],
    "three_pairs": [1500, 750],
    "alike": ["table", "multiples", "doubling"],
    "table": [Farkle().table, Table({"1": 100, "nothing": 500, "aaa": 350})],
}
FIVE_THOUSAND = {
    "target": [800, 2000, 5000],
    "exact": [True, False],
    "opening": [0, 750],
    "minimum": [0, 500],
    "keep": ["all", "any"],
    "combinations": ["five dice", "any throw"],
    "wins_at_once": ["five 5s", "five alike", None],
    "full_hand": ["may", "must"],
    "no_equal_scores": [True, False],
    "three_zeros": [True, False],
    "prediction": [None, "throw", "turn", "total"],
    "no_repeat": [True, False],
    "steal": [False, "first throw", "turn"],
    "first": ["order", "highest throw"],
}
POKER = {
    "first_throw_doubles": [True, False],
    "poker_bonus": [50, 0],
    "bonus_from": [0, 63],
    "chance": ["any", "fallback"],
    "dashes": ["at once", "at the end"],
    "sheet": [DICE_POKER, YATZY, AMERICAN, HOUSE],
}
NAMES = ("Ana", "0", "B&b, ü=?#:", "שלום 🎲")


def played(kind, values, seed):
    """The states of a game played at random with options at random."""
    rng = Random(f"{kind.__name__} {seed}")
    state = kind(**random_options(rng, values)).start(*NAMES[: rng.randint(1, 4)])
    states = [state]
    while not state.is_terminal and len(states) < 400:
        if state.current_player == CHANCE:
            faces = rng.choice([(1, 2, 3, 4, 5, 6), (1, 5, 5)])
            state = state.child(tuple(rng.choices(faces, k=state.dice)))
        else:
            actions = state.legal_actions()
            usual = [action for action in actions if not isinstance(action, Hold)] or actions
            banks = Bank() in actions and rng.random() < 0.5
            some = rng.choice((usual, actions))
            state = state.child(Bank() if banks else rng.choice(some))
        states.append(state)
    return states


GAMES = pytest.mark.parametrize(
    ("kind", "values"),
    [(Farkle, FARKLE), (FiveThousand, FIVE_THOUSAND), (DicePoker, POKER)],
    ids=["Farkle", "5000", "dice poker"],
)


def comes_back(kind, values, seeds):
    """Whether moments of random games, with the first and the last, can be told and linked."""
    stages = set()
    for seed in seeds:
        states = played(kind, values, seed)
        for state in {states[0], states[-1], *Random(seed).sample(states, min(8, len(states)))}:
            facts = json.loads(json.dumps(facts_of(state)))
            assert state.rules.deal(*state.players, **facts) == state, facts
            if hasattr(state, "can_bank") and state.stage == "choose":
                assert state.can_bank == (Bank() in state.legal_actions()), "the solvers ask it"
            if getattr(state.rules, "sheet", None) == HOUSE:
                with pytest.raises(ValueError, match="file"):
                    link_of(state)
            else:
                assert state_of(link_of(state)) == state, link_of(state)
            stages.add(state.stage)
    assert stages == set(state.stages)


@GAMES
def test_every_option_is_tried(kind, values):
    left = {"small_straight", "large_straight", "double_bonus", "school_bonus"}  # points only
    missing = options(kind).keys() - values.keys() - left
    assert not missing, "options that no game of tests/test_positions.py is played with"


@GAMES
def test_every_moment_of_a_game_can_be_dealt_told_and_linked(kind, values):
    comes_back(kind, values, range(12))


@GAMES
@pytest.mark.slow
def test_moments_of_many_games_can_be_dealt_told_and_linked(kind, values):
    comes_back(kind, values, range(100, 250))


def test_unset_facts_are_the_natural_ones():
    last = Farkle().deal("Ana", "Bia", scores=(9600, 10_050), points=400, dice=2)
    assert (last.leader, last.opener, last.opened) == (1, 1, (True, True))
    assert last.child(Bank()).winners == (1,)
    thrown = Farkle().deal("Ana", "Bia", player="Bia", points=200, throw=(4, 1))
    assert (thrown.player, thrown.stage, thrown.throw, thrown.dice) == (1, "thrown", (1, 4), 2)
    assert Farkle().deal("Ana", "Bia") == Farkle().start("Ana", "Bia")
    # Three have reached the target: Bia opened, Cem passed her, Dan equals him and loses.
    chased = Farkle(target=500).deal(*"ABCD", scores=(450, 500, 700, 700))
    assert (chased.opener, chased.leader) == (1, 2)
    offered = FiveThousand(steal="turn").deal("Ana", "Bia", offer=(0, 800), dice=2)
    assert (offered.player, offered.stage, offered.points) == (1, "offered", 800)
    stolen = {"scores": (0, 800), "offer": (0, 800), "dice": 2}
    for more in ({"player": 1}, {"player": 1, "points": 900, "dice": 1, "stage": "choose"}):
        rules = FiveThousand(steal="turn", exact=True, target=1000, opening=0)
        thief = rules.deal("Ana", "Bia", **(stolen | more))
        assert rules.deal(*thief.players, **facts_of(thief)) == thief
    assert FiveThousand().deal("Ana", "Bia", misses=(1, 0)).last_turns == (0, None)
    school = {str(face): 0 for face in range(1, 7)}
    passed = DicePoker(dashes="at the end").deal(
        "Ana", "Bia", sheets=[school | {"pair": 4, "chance": 9}, school]
    )
    assert (passed.player, passed.round) == (1, 7)
    sheet = DicePoker().deal("Ana", "Bia", sheets={"Ana": {"1": -1}}, throw=(1, 2, 2, 3, 3))
    assert (sheet.player, sheet.round, sheet.scores, sheet.throws_left) == (1, 0, (-1, 0), 2)


def test_a_link_can_be_read_and_written_by_hand():
    link = "https://class.example/board?game=Farkle&players=Ana&players=Bia&opening=500"
    link += "&scores=9200,9650&player=Bia&points=400&dice=2"
    state = state_of(link)
    assert state.rules == Farkle(opening=500)
    assert (state.scores, state.player, state.points, state.dice) == ((9200, 9650), 1, 400, 2)
    query = link.split("?")[1]
    assert state_of(query) == state_of("?" + query + "#here") == state
    assert state_of(link_of(state, "https://class.example/board")) == state
    assert sorted(link_of(state)[1:].split("&")) == sorted(query.split("&"))
    american = DicePoker.american().deal("Zoé", sheets=[{"1": 3, "full house": 25}])
    assert "sheet=american" in link_of(american)
    assert link_of(american).endswith("&sheets=1:3,full+house:25")


@pytest.mark.parametrize(
    ("rules", "facts", "words"),
    [
        (Farkle(), {"scores": (9210, 0)}, "multiples of 50"),
        (Farkle(), {"scores": (-50, 0)}, "less than 0"),
        (Farkle(), {"scores": (10_000, 0)}, "Ana has reached the target"),
        (Farkle(last_round=False), {"scores": (0, 10_000)}, "over"),
        (Farkle(), {"scores": (0, 10_000), "leader": 0}, "last round"),
        (Farkle(), {"stage": "over"}, "not over"),
        (Farkle(), {"scores": (1,)}, "scores"),
        (Farkle(), {"scores": "many"}, "scores"),
        (Farkle(), {"scores": (10**30, 0)}, "scores"),
        (Farkle(), {"scores": (True, 0)}, "scores"),
        (Farkle(), {"scores": (50.0, 0)}, "scores"),
        (Farkle(), {"points": 425, "dice": 2}, "multiples of 50"),
        (Farkle(), {"points": 150, "dice": 2}, "200 at least"),
        (Farkle(), {"points": 250, "dice": 6}, "300 at least"),
        (Farkle(), {"points": 300, "dice": 7}, "6 dice, not 7"),
        (Farkle(), {"points": 300, "dice": 0}, "6 dice, not 0"),
        (Farkle(), {"points": 300, "throw": (2, 3)}, "scores"),
        (Farkle(), {"points": 300, "throw": (1, 7)}, "7"),
        (Farkle(), {"points": 300, "throw": (1, 1), "dice": 3}, "3 dice were due"),
        (Farkle(), {"points": 300, "dice": 2, "stage": "thrown"}, "on the table"),
        (Farkle(), {"stage": "dancing"}, "choose, rolling"),
        (Farkle(), {"player": "Zoé"}, "called Zoé"),
        (Farkle(), {"player": 2}, "player 2"),
        (Farkle(), {"player": None}, "player"),
        (Farkle(), {"score": (0, 0)}, "scores"),
        (Farkle(), {"rules": 1}, "rules"),
        (Farkle(), {"self": 1}, "self"),
        (Farkle(), {"__class__": 1}, "__class__"),
        (Farkle(opening=500), {"scores": (450, 0)}, "500"),
        (Farkle(), {"scores": (450, 0), "opened": (False, False)}, "banked before"),
        (Farkle(farkle_penalty=500), {"misses": (3, 0)}, "3 turns"),
        (FiveThousand(), {"scores": (5000, 750)}, "over"),
        (FiveThousand(no_equal_scores=True), {"scores": (800, 800)}, "800"),
        (FiveThousand(), {"scores": (800, 0), "gains": ((500,), ())}, "gains"),
        (FiveThousand(exact=True), {"scores": (4950, 0), "points": 100, "dice": 4}, "pass"),
        (FiveThousand(), {"throw": (5,) * 5}, "wins"),
        (FiveThousand(), {"offer": (0, 800), "dice": 2}, "taken over"),
        (FiveThousand(steal="turn"), {"offer": (1, 800), "dice": 2, "player": 1}, "taken over"),
        (FiveThousand(steal="turn"), {"stage": "offered", "taking": True}, "take"),
        (FiveThousand(), {"points": 300, "dice": 2, "stage": "rolling", "guess": 7}, "announced"),
        (FiveThousand(first="highest throw"), {"contenders": (0,)}, "begins"),
        (FiveThousand(first="highest throw"), {"contenders": (0, 5)}, "begins"),
        (FiveThousand(), {"winner": 1}, "winner"),
        (DicePoker(), {"sheets": [{"1": 4}, {}]}, "Ana cannot have 4"),
        (DicePoker(), {"sheets": [{"pair": 4}, {}]}, "part one"),
        (DicePoker(), {"sheets": [{"Pair": 4}, {}]}, "no row"),
        (DicePoker(), {"sheets": [{"1": 1}, {"1": 1, "2": 0}]}, "rows"),
        (DicePoker(), {"sheets": [{"1": 0}, {}], "player": 0, "round": 0}, "should be 0"),
        (DicePoker(), {"sheets": [[1], []]}, "15 rows"),
        (DicePoker(), {"sheets": 5}, "sheets"),
        (DicePoker(), {"sheets": {"Zoé": {}}}, "called Zoé"),
        (DicePoker(), {"scores": (10, 0)}, "scores"),
        (DicePoker(), {"throw": (1, 2, 3)}, "5 dice, not 3"),
        (DicePoker(), {"throw": (1, 2, 3, 4, 5), "throws_left": 3}, "stage"),
        (DicePoker(), {"throw": (1, 2, 3, 4, 5), "held": (6,)}, "stage"),
        (DicePoker(), {"round": 15}, "15"),
    ],
    ids=str,
)
def test_a_moment_that_cannot_be_is_refused_in_words(rules, facts, words):
    with pytest.raises(ValueError, match=words):
        rules.deal("Ana", "Bia", **facts)


START = "game=Farkle&players=Ana&players=Bia"


@pytest.mark.parametrize(
    "link",
    [
        "",
        "?",
        "hello",
        "https://class.example/",
        None,
        5,
        b"game=Farkle",
        "game=Chess&players=A",
        "game=Farkle",
        "game=Farkle&game=Farkle&players=A",
        f"{START}&players=Ana",
        f"{START}&scores=1,2,3",
        f"{START}&scores=" + "9" * 5000,
        f"{START}&scores=" + "1," * 4000,
        f"{START}&points=",
        f"{START}&points=400&points=500",
        f"{START}&points=400,2",
        f"{START}&points={{}}",
        f"{START}&player=2",
        f"{START}&target=100000000000000000000000",
        f"{START}&target=yes",
        f"{START}&table=7:100",
        f"{START}&table=1",
        f"{START}&__class__=Farkle",
        f"{START}&rules=x",
        f"{START}&players=%ff%fe",
        f"{START}&scores=%00",
        f"{START}&x" * 1000,
        START + "".join(f"&players=P{n}" for n in range(200)),
        f"{START}&" + "a=1&" * 200,
        "game=DicePoker&players=A&sheet=" + "[" * 9000,
        'game=DicePoker&players=A&sheet={"rows":[{"name":{}}]}',
        'game=DicePoker&players=A&sheet={"rows":5}',
        "game=DicePoker&players=A&sheet=none",
        "game=DicePoker&players=A&sheets=" + ":" * 2000,
        "game=DicePoker&players=A&sheets=1:1&sheets=1:1",
        "game=FiveThousand&players=A&gains=1&gains=2",
        "game=FiveThousand&players=A&offer=,",
        "x" * 10_000_000,
        "game=Farkle&players=" + "A" * 10_000_000,
    ],
    ids=lambda link: f"{link!r:.60}",
)
def test_a_damaged_or_hostile_link_is_refused_in_words_at_once(link):
    begun = time.perf_counter()
    with pytest.raises(ValueError, match=r"\w") as refusal:
        state_of(link)
    assert time.perf_counter() - begun < 0.5
    assert len(str(refusal.value)) < 1000


def test_a_state_that_cannot_be_has_no_facts():
    state = replace(Farkle().start("Ana", "Bia"), points=125)
    for telling in (facts_of, link_of):
        with pytest.raises(ValueError, match="multiples"):
            telling(state)
