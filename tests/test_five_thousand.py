"""5000: the examples of the article, and each option alone.

Every expected result was worked out from the rules before the code was read.
"""

import re
from fractions import Fraction

import pytest

from dicekit.games.five_thousand import FiveThousand
from dicekit.games.record import Record
from dicekit.games.states import CHANCE, TERMINAL, Bank, Decline, SetAside, TakeOver, Throw

ACTIONS = {"bank": Bank(), "take": TakeOver(), "leave": Decline()}
ZERO = (2, 3, 4, 6, 6)  # five dice of which none scores, nor do fewer of them
THROWS = {
    50: "5-2-2-3-4",
    100: "1-2-2-3-4",
    150: "1-5-2-3-3",
    200: "1-1-2-3-3",
    250: "1-1-5-2-3",
    300: "3-3-3-2-4",
    400: "4-4-4-2-3",
    450: "4-4-4-5-2",
    500: "5-5-5-2-3",
    550: "5-5-5-5-2",
    600: "6-6-6-2-3",
    650: "6-6-6-5-2",
    700: "6-6-6-1-2",
    750: "6-6-6-1-5",
    800: "6-6-6-1-1",
    1000: "1-1-1-2-3",
    1050: "1-1-1-5-3",
    1500: "1-2-3-4-5",
}


def after(state, word):
    """The state after one word of a story.

    `1-1-1-5-3` throws these dice and sets aside what the rules force; `7!1-6` announces 7
    first; `1050` is a first throw worth that; `zero` a throw that scores nothing; `bank`, `take`,
    `leave` are what they say; `+300` is a throw, a bank, and nobody takes it over; `B:` checks
    that B is to move.
    """
    if word.endswith(":"):
        assert state.players[state.current_player] == word[:-1]
        return state
    if word.startswith("+"):
        state = after(after(state, word[1:]), "bank")
        return state.child(Decline()) if Decline() in state.legal_actions() else state
    if word in ACTIONS:
        return state.child(ACTIONS[word])
    announced, _, dice = word.rpartition("!")
    dice = THROWS[int(dice)] if dice.endswith("0") else dice
    dice = ZERO[: state.dice] if dice == "zero" else tuple(map(int, dice.split("-")))
    state = state.child(Throw(predict=int(announced) if announced else None)).child(dice)
    match state.legal_actions():
        case (SetAside() as forced,):
            return state.child(forced)
        case (SetAside(), *_):
            raise AssertionError("a story is for rules that force what is set aside")
    return state


def tell(game, story):
    """The state after a story, between the players who have a turn in it."""
    state = game.start(*sorted(set(re.findall(r"([A-F]):", story))))
    for word in story.split():
        state = after(state, word)
    return state


def free(**options):
    """The rules without any minimum, as most examples of the article have them."""
    return FiveThousand(opening=0, minimum=0, **options)


def may(state):
    return set(state.legal_actions())


def winner(state):
    assert (state.is_terminal, state.current_player, may(state)) == (True, TERMINAL, set())
    (first,) = state.winners
    return state.players[first]


# The examples of the article


def test_150():
    """« 100 (pour le 1) + 50 (pour le 5) soit un total de 150 points »: stop, or throw three."""
    state = tell(free(), "A: 1-5-2-3-3")
    assert (state.points, state.dice) == (150, 3)
    assert may(state) == {Bank(), Throw()}
    assert state.child(Bank()).scores == (150,)


def test_a_brelan_of_4_and_then_nothing():
    """« Il obtient un 3 et un 4 … Total du tour : 0 point »."""
    state = tell(free(), "A: +100 B: zero A: 4-4-4-2-3")
    assert (state.points, state.dice) == (400, 2)
    state = after(state, "3-4")
    assert (state.scores, state.current_player, state.points) == ((100, 0), 1, 0)


def test_a_straight_over_two_throws():
    """« cela ne correspond pas à une suite car les dés ne font pas partie du même lancer »."""
    assert tell(free(), "A: 1-5-2-3-3 2-3-4 B: zero A:").scores == (0, 0)


def test_350():
    """« Total : 350 points … cela ne correspond pas à un brelan »: three 1s in two throws."""
    state = tell(free(), "A: 1-5-2-3-3 1-1-4")
    assert (state.points, state.dice) == (350, 1)
    assert may(state) == {Bank(), Throw()}
    assert after(state, "zero").scores == (0,)


def test_400_and_a_full_hand():
    """« Total : 400 points … une main pleine »: all five may be thrown, or the 400 banked."""
    state = tell(free(), "A: 1-5-2-3-3 1-1-5")
    assert (state.points, state.dice) == (400, 5)
    assert may(state) == {Bank(), Throw()}
    assert after(state, "bank").scores == (400,)
    assert after(state, "1-1-1-2-3").points == 1400, "five dice again, so a brelan counts again"
    assert after(state, "zero").scores == (0,)


def test_no_combination_once_a_die_is_set_aside():
    """« Vous ne pouvez donc pas réaliser ces combinaisons lorsque vous sauvegardez … un dé »."""
    assert tell(free(), "A: 50 4-4-4-2 B: zero A:").scores == (0, 0)
    assert tell(free(), "A: 50 5-5-5-2").points == 200


def test_five_5s_win():
    """« Si un joueur obtient le "5x5" il remporte la partie »."""
    assert winner(tell(FiveThousand.official(), "A: zero B: 5-5-5-5-5")) == "B"


def test_official_rules():
    """« Dans les règles officielles … 750 points. Ensuite … 500 points »."""
    official = FiveThousand.official()
    assert may(tell(official, "A: 700")) == {Throw()}
    assert may(tell(official, "A: 750")) == {Throw(), Bank()}
    assert may(tell(official, "A: +750 B: zero A: 450")) == {Throw()}
    assert may(tell(official, "A: +750 B: zero A: 500")) == {Throw(), Bank()}
    assert may(tell(official, "A: +750 B: 700")) == {Throw()}, "B has not opened"


AT_4950 = "A: +1500 A: +1500 A: +1000 A: 6-6-6-1-1 1-5-2-3-3 bank A: "


def test_at_4950_exactly_50_are_needed():
    """« si vous êtes à 4950 points, vous devez absolument faire 50 point »."""
    official = FiveThousand.official(exact=True)
    assert tell(official, AT_4950).scores == (4950,)
    assert winner(tell(official, AT_4950 + "50 bank")) == "A", "though 50 is below the minimum"
    assert tell(official, AT_4950 + "100").scores == (4950,), "100 pass: the turn is over"
    assert tell(official, AT_4950 + "100").points == 0, "like a bust"


def test_5000_or_more():
    """« vous gagnez la partie à partir du moment où vous faites 5000 points ou plus »."""
    state = tell(FiveThousand.official(), AT_4950 + "500")
    assert not state.is_terminal, "points count when they are banked"
    assert state.child(Bank()).scores == (5450,)
    assert winner(state.child(Bank())) == "A"


def test_equal_scores():
    """« Le joueur B retombe à 300 points »: A 450 + 50 = 500, and B had 300, then 500."""
    story = "A: +450 B: +300 A: zero B: +200 A: +50"
    assert tell(free(no_equal_scores=True), story).scores == (500, 300)
    assert tell(free(), story).scores == (500, 500)


def test_three_zeros():
    """« Le joueur A perd ses 500 points et retombe à 0 »."""
    assert tell(free(three_zeros=True), "A: +500 zero zero").scores == (500,)
    assert tell(free(three_zeros=True), "A: +500 zero zero zero").scores == (0,)
    assert tell(free(), "A: +500 zero zero zero").scores == (500,)


@pytest.mark.parametrize(
    ("doubled", "second", "turn", "score"),
    [
        ("turn", "1-6", 600, 900),  # « TOTAL (x2 car bonne prédiction) : 600 points »
        ("turn", "5-2", 500, 800),  # « ou 500 points »
        ("total", "1-6", 900, 1200),  # « 600 x 2 = 1 200 points »
        ("total", "5-2", 800, 1100),  # « 550 x 2 = 1 100 points »
        ("throw", "1-6", 400, 700),  # « il multiple le score de son lancer par 2 »: 200 + 2 × 100
        ("throw", "5-2", 300, 600),
        (None, "1-6", 300, 600),
    ],
)
def test_7_is_announced(doubled, second, turn, score):
    """« Il sauvegarde ses 3 dés et prédit qu'il va faire 7 », with 300 banked before."""
    story = f"A: +300 5-5-1-4-3 {'7!' if doubled else ''}{second}"
    state = tell(free(prediction=doubled), story)
    assert state.points == turn
    assert state.child(Bank()).scores == (score,)


@pytest.mark.parametrize("doubled", ["throw", "turn", "total"])
def test_7_comes_and_does_not_score(doubled):
    """« il est toujours obligé d'obtenir un 1 ou un 5 »: 3-4 is 7, and a bust."""
    state = tell(free(prediction=doubled), "A: +300 B: zero A: 5-5-1-4-3 7!3-4")
    assert (state.scores, state.current_player) == ((300, 0), 1)


def test_400_may_not_follow_400():
    """« il ne peut pas faire 400 points. Donc s'il obtient : 3 - 3 - 3 - 1 - 2 »."""
    state = tell(free(no_repeat=True), "A: +400 B: zero A: 3-3-3-1-2")
    assert (state.points, state.dice, may(state)) == (400, 1, {Throw()})
    assert after(after(state, "5"), "bank").scores == (850, 0)
    assert after(state, "2").scores == (400, 0)


def test_a_full_hand_must_be_thrown():
    """« Il est obligé de relancer tous les dés … sinon il cumule les points »."""
    state = tell(free(full_hand="must"), "A: 1-2-3-4-5")
    assert (state.points, state.dice, may(state)) == (1500, 5, {Throw()})
    assert after(state, "zero").scores == (0,)
    assert after(after(state, "100"), "bank").scores == (1600,)
    assert after(state, "400").points == 1900, "any throw that scores, not only 1 and 5"


@pytest.mark.parametrize(("die", "points"), [("1", 1150), ("5", 1100)])
def test_coup_de_maitre(die, points):
    """« Le joueur A marque 0 point. Le joueur B marque 1050 … + 100 … OU 1050 + 50 »."""
    state = tell(free(steal="first throw"), f"A: 1-1-1-5-3 bank B: take {die}")
    assert (state.points, state.dice) == (points, 5)
    assert may(state) == {Bank(), Throw()}, "« Il peut également relancer l'ensemble des dés »"
    state = after(after(state, "bank"), "leave")
    assert (state.scores, state.current_player) == ((0, points), 0)


@pytest.mark.parametrize("thief_may", ["first throw", "turn"])
@pytest.mark.parametrize("die", "2346")
def test_coup_de_maitre_that_fails(die, thief_may):
    """« Le joueur A marque ses 1050 points et le joueur B : 0 point »."""
    state = tell(free(steal=thief_may), f"A: 1-1-1-5-3 bank B: take {die}")
    assert (state.scores, state.current_player) == ((1050, 0), 0), "B has lost the turn"


@pytest.mark.parametrize(
    ("faces", "order"), [("136", "CAB"), ("631", "ABC"), ("36635", "CAB"), ("3554462", "BCA")]
)
def test_the_highest_throw_starts(faces, order):
    """« on commence par celui qui a fait le plus gros chiffre et on tourne ».

    36635: A 3, B 6, C 6, so B and C throw again, 3 and 5. In 3554462 B and C are tied twice.
    """
    state = free(first="highest throw").start("A", "B", "C")
    for face in map(int, faces):
        assert may(state) == {Throw()}
        state = state.child(Throw())
        assert (state.current_player, state.dice) == (CHANCE, 1)
        state = state.child((face,))
    for name in order + order[0]:
        assert state.dice == 5
        state = after(after(state, f"{name}:"), "zero")


def test_who_is_named_first_starts():
    """« Soit le plus jeune commence et on tourne »."""
    tell(free(), "A: zero B: zero C: zero A:")


# What dice are worth


@pytest.mark.parametrize(
    ("dice", "thrown", "points"),
    [
        ((1,), 1, 100),
        ((5,), 3, 50),
        ((4,), 5, None),
        ((1, 4), 5, None),
        ((1, 1, 1), 5, 1000),
        ((2, 2, 2), 5, 200),
        ((3, 3, 3), 5, 300),
        ((4, 4, 4), 5, 400),
        ((5, 5, 5), 5, 500),
        ((6, 6, 6), 5, 600),
        ((1, 1, 1, 1), 5, 1100),
        ((2, 2, 2, 2), 5, None),
        ((5, 5, 5, 5), 5, 550),
        ((1, 1, 1, 1, 1), 5, 1200),
        ((1, 1, 5, 5, 5), 5, 700),
        ((1, 2, 3, 4, 5), 5, 1500),
        ((2, 3, 4, 5, 6), 5, 1500),
        ((1, 1, 1), 4, 300),
        ((4, 4, 4), 4, None),
        ((5, 5, 5), 3, 150),
    ],
)
def test_the_score_table(dice, thrown, points):
    assert FiveThousand().score(dice, thrown=thrown) == points


@pytest.mark.parametrize(
    ("throw", "bust"),
    [((2, 3, 4, 6, 6), True), ((2, 2, 2, 3, 4), False), ((2, 2, 2), True), ((2, 2, 5), False)],
)
def test_a_throw_without_points(throw, bust):
    assert free().is_bust(throw) is bust


@pytest.mark.parametrize(
    ("throw", "points", "dice"),
    [
        ("1-1-1-1-2", 1100, 1),
        ("2-2-2-2-3", 200, 2),
        ("2-2-2-2-2", 200, 2),
        ("1-1-1-1-1", 1200, 5),
        ("2-3-4-5-6", 1500, 5),
    ],
)
def test_what_must_be_set_aside(throw, points, dice):
    """keep="all": the most points, and the dead dice stay."""
    state = tell(free(), f"A: {throw}")
    assert (state.points, state.dice) == (points, dice)


# Each option alone


def test_the_target_is_reached_or_passed_by_a_bank():
    game = free(target=1000)
    assert winner(tell(game, "A: +500 B: +1000")) == "B"
    assert winner(tell(game, "A: +500 B: +600 A: +600")) == "A"
    assert not tell(game, "A: +500 B: zero A: +450").is_terminal


def test_the_target_may_have_to_be_hit():
    game = free(target=1000, exact=True)
    assert winner(tell(game, "A: +700 B: zero A: +300")) == "A"
    state = tell(game, "A: +700 B: zero A: 400")
    assert (state.scores, state.current_player, state.points) == ((700, 0), 1, 0)
    assert after(state, "5-5-5-5-5").winners == (1,), "five 5s are no points that pass"
    state = tell(game, "A: +700 B: zero A: 200 1-2-3")
    assert may(state) == {Bank(), Throw()}, "at the target one may be so bold as to throw on"


def test_an_exact_finish_with_a_choice_of_dice():
    """keep="any": at 950 of 1000 with 1-5 thrown, the 5 alone lands."""
    game = free(target=1000, exact=True, keep="any")
    state = game.start("A").child(Throw()).child((1, 1, 1, 2, 3)).child(SetAside((1, 1)))
    state = state.child(Throw()).child((1, 2, 3)).child(SetAside((1,)))
    state = state.child(Bank()).child(Throw()).child((6, 6, 6, 2, 5)).child(SetAside((6, 6, 6)))
    state = state.child(Throw()).child((5, 2)).child(SetAside((5,))).child(Bank())
    assert state.scores == (950,)
    state = state.child(Throw()).child((1, 5, 2, 2, 3))
    assert may(state) == {SetAside((1,)), SetAside((5,)), SetAside((1, 5))}
    assert winner(state.child(SetAside((5,))).child(Bank())) == "A"
    assert state.child(SetAside((1, 5))).points == 0


def test_the_opening_is_met_once_by_each():
    game = FiveThousand(opening=500, minimum=0)
    assert may(tell(game, "A: 450")) == {Throw()}
    assert may(tell(game, "A: 450 5")) == {Throw(), Bank()}
    assert tell(game, "A: +500 B: zero A: +50").scores == (550, 0)
    assert may(tell(game, "A: +500 B: 450")) == {Throw()}


def test_the_minimum_holds_for_every_bank():
    game = FiveThousand(opening=0, minimum=300)
    assert may(tell(game, "A: +300 B: zero A: 250")) == {Throw()}
    assert tell(game, "A: +300 B: zero A: +300").scores == (600, 0)


@pytest.mark.parametrize(
    ("keep", "choices"), [("all", ["1-1-5"]), ("any", ["1", "5", "1-1", "1-5", "1-1-5"])]
)
def test_what_may_be_set_aside(keep, choices):
    state = free(keep=keep).start("A").child(Throw()).child((1, 1, 5, 2, 3))
    assert may(state) == {SetAside(tuple(map(int, dice.split("-")))) for dice in choices}


def test_dice_that_could_make_a_brelan_may_be_set_aside_alone():
    state = free(keep="any").start("A").child(Throw()).child((1, 1, 1, 2, 3))
    assert [state.child(SetAside((1,) * n)).points for n in (1, 2, 3)] == [100, 200, 1000]


def test_brelans_in_any_throw():
    game = free(combinations="any throw")
    assert tell(game, "A: 50 4-4-4-2").points == 450
    assert tell(game, "A: 100 1-1-1-5").points == 1150
    assert tell(game, "A: 150 5-5-5").points == 650
    assert game.score((4, 4, 4), thrown=3) == 400
    assert not game.is_bust((2, 2, 2))


@pytest.mark.parametrize(
    ("small", "large", "first", "second"),
    [
        (1500, 1500, (1500, 5), (1500, 5)),
        (300, 500, (300, 5), (500, 5)),
        (150, 50, (150, 5), (50, 5)),  # among equals the most dice: 1 and 5 alone are 150 too
        (100, 1500, (150, 3), (1500, 5)),  # the most points: 1 and 5
        (0, 0, (150, 3), (50, 4)),
    ],
)
def test_what_straights_are_worth(small, large, first, second):
    game = free(small_straight=small, large_straight=large)
    for throw, expected in [("1-2-3-4-5", first), ("2-3-4-5-6", second)]:
        state = tell(game, f"A: {throw}")
        assert (state.points, state.dice) == expected


@pytest.mark.parametrize(
    ("wins", "five"), [("five 5s", "5"), ("five 1s", "1"), ("five alike", "123456"), (None, "")]
)
def test_what_wins_at_once(wins, five):
    for face in "123456":
        state = tell(FiveThousand(wins_at_once=wins), "A: zero B: " + "-".join(face * 5))
        assert state.is_terminal == (face in five)
        assert state.winners == ((1,) if face in five else ())


def test_five_5s_win_after_a_full_hand_too():
    assert winner(tell(free(full_hand="must"), "A: 1-2-3-4-5 5-5-5-5-5")) == "A"


def test_five_5s_that_do_not_win():
    state = tell(free(wins_at_once=None), "A: 5-5-5-5-5")
    assert (state.points, state.dice) == (600, 5)


def test_presets():
    assert FiveThousand.official() == FiveThousand() == FiveThousand(opening=750, minimum=500)
    assert FiveThousand.beginner() == FiveThousand(opening=0, minimum=0)
    assert FiveThousand.beginner(steal="turn") == free(steal="turn")


@pytest.mark.parametrize("story", ["A: 1-1-5-2-3", "A: 1-2-3-4-5", "A: +1000 B:"])
def test_without_variants_nothing_is_announced_or_taken(story):
    assert not may(tell(free(), story)) & {TakeOver(), Decline(), Throw(predict=7)}


# What is refused


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"target": 5025}, "target"),
        ({"target": 0}, "target"),
        ({"target": "5000"}, "target"),
        ({"opening": -50}, "opening"),
        ({"opening": None}, "opening"),
        ({"minimum": True}, "minimum"),
        ({"exact": "yes"}, "exact"),
        ({"keep": "some"}, "keep"),
        ({"combinations": "four dice"}, "combinations"),
        ({"small_straight": -1500}, "small_straight"),
        ({"large_straight": "1500"}, "large_straight"),
        ({"large_straight": 1525, "exact": True}, "exact.*50"),
        ({"wins_at_once": "five 2s"}, "wins_at_once"),
        ({"wins_at_once": False}, "wins_at_once"),
        ({"full_hand": "never"}, "full_hand"),
        ({"no_equal_scores": None}, "no_equal_scores"),
        ({"three_zeros": 3}, "three_zeros"),
        ({"prediction": "score"}, "prediction"),
        ({"prediction": True}, "prediction"),
        ({"no_repeat": "no"}, "no_repeat"),
        ({"steal": True}, "steal"),
        ({"steal": None}, "steal"),
        ({"first": "youngest"}, "first"),
        ({"target": 500}, "target.*opening|opening.*target"),
        ({"target": 400, "opening": 0}, "target.*minimum|minimum.*target"),
    ],
    ids=repr,
)
def test_options_that_make_no_game_are_refused_in_words(options, words):
    with pytest.raises(ValueError, match=words):
        FiveThousand(**options)


STORIES = [
    ("A: 400", Throw(predict=7), "."),  # the variant is off
    ("A: zero B:", TakeOver(), "."),
    ("A: 400", (1, 2), "."),
    ("A: +400 B:", Bank(), "set aside|throw"),
    ("A: 5-5-5-5-5", Throw(), "over"),
]
STORIES_OF_VARIANTS = [
    ("A: 100", Throw(predict=7), "."),  # four dice, not two
    ("A: 400", Throw(predict=13), "13"),
    ("A: 400", Throw(predict=1), "1"),
    ("A: 400 bank B:", Throw(), "."),  # B must answer the offer first
    ("A: 400 bank B:", Bank(), "."),
    ("A: 400 bank B: take", Bank(), "."),  # a thief must throw
    ("A: 400 bank B: take", Decline(), "."),
    ("A: 400 bank B: leave", TakeOver(), "."),
]


@pytest.mark.parametrize(
    ("options", "story", "event", "words"),
    [({}, *row) for row in STORIES]
    + [({"steal": "turn", "prediction": "turn"}, *row) for row in STORIES_OF_VARIANTS],
    ids=repr,
)
def test_what_cannot_be_done_is_refused_in_words(options, story, event, words):
    state = tell(free(**options), story)
    with pytest.raises(ValueError, match=words):
        state.child(event)
    assert event not in may(state)


def test_what_may_be_announced():
    """With three dice set aside and two to throw: nothing, or a sum from 2 to 12."""
    state = tell(free(prediction="throw"), "A: 400")
    assert may(state) == {Bank(), Throw(), *(Throw(predict=total) for total in range(2, 13))}
    assert may(tell(free(prediction="throw"), "A: 450")) == {Bank(), Throw()}


@pytest.mark.parametrize("seven", [7.0, Fraction(7)], ids=repr)
def test_an_announcement_is_a_whole_number(seven, tmp_path):
    """Refused in words, or understood; what is written is an int."""
    record = Record(free(prediction="turn"), ["A"], path=tmp_path / "game.jsonl")
    for event in (Throw(), (4, 4, 4, 2, 3), SetAside((4, 4, 4))):
        record.add(event)
    try:
        record.add(Throw(predict=seven))
    except ValueError:
        assert len(record.events) == 3
    else:
        assert type(record.events[-1].predict) is int


def test_nobody_takes_over_from_a_player_alone():
    assert tell(free(steal="turn"), "A: 400 bank A: 400 bank A:").scores == (800,)
