"""The board for 5000 and dice poker, and what a breaker once found on it."""

import random
from dataclasses import replace

import pytest
from test_board import choose

from dicekit.board import Board
from dicekit.board.setup import GAMES
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.options import options
from dicekit.games.record import Record
from dicekit.games.states import CHANCE, Throw
from dicekit.players import BanksAt, HoldsAlike


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed_board(rules, *throws, players=("A", "B")):
    board = Board(rules, players=players, typed=True)
    for dice in throws:
        board.type_throw(dice)
    return board


def words(board):
    play = board._play
    return [control.words for control in (*play.controls(), *play.rows())]


# 5000


def test_dice_that_must_be_set_aside_are_and_stay_so():
    board = typed_board(FiveThousand.beginner(), "1 5 2 3 3")
    assert "1 and 5 are worth 150." in board.say.value
    board.toggle(0)
    assert "All dice that score must be set aside." in board.say.value
    assert words(board) == ["Throw 3 dice (150 at stake)", "Bank 150"]


def test_the_official_minimum_stands_on_the_button():
    board = typed_board(FiveThousand(), "1 5 2 3 3")
    assert words(board) == ["Throw 3 dice (150 at stake)", "Bank needs 750"]


def test_equal_scores_are_announced_in_words():
    rules = FiveThousand.beginner(no_equal_scores=True)
    board = typed_board(rules, "1 5 2 3 3")
    board.press("bank")
    board.type_throw("1 5 2 3 3")
    board.press("bank")
    assert "B banks 150 and has 150." in board.say.value
    assert "Equal scores: A falls back to 0." in board.say.value


def test_a_turn_is_offered_and_taken_over():
    board = typed_board(FiveThousand.beginner(steal="first throw"), "1 1 1 5 3")
    board.press("bank")
    assert words(board) == ["Take over and throw 1 die", "Decline"]
    assert "B: take over A&#x27;s 1,050 points" in board.say.value
    board.press("take over")
    board.type_throw("1")
    assert "A&#x27;s bank of 1,050 is lost." in board.say.value
    assert "Bank 1,150" in words(board)


def test_a_thief_who_may_announce_throws_first():
    rules = FiveThousand.beginner(steal="turn", prediction="turn")
    board = typed_board(rules, "5 5 1 4 3")
    board.press("bank")
    board.press("take over")
    assert board.announced.layout.display == ""
    assert words(board) == []  # a typed throw is the only way on
    board.type_throw("1 6")
    assert "Bank 300" in words(board)


def test_a_declined_offer_lets_the_bank_stand():
    board = typed_board(FiveThousand.beginner(steal="turn"), "1 1 1 5 3")
    board.press("bank")
    board.press("decline")
    assert "B declines. A banks 1,050 and has 1,050." in board.say.value
    assert board.state.player == 1
    assert board._play.history() == [("A", "1-1-1-5", "banks 1,050")]


def test_an_announcement_is_made_with_the_throw():
    board = typed_board(FiveThousand.beginner(prediction="turn"), "5 5 1 4 3")
    assert board.announced.layout.display == ""
    board.announced.pick(7)
    board.press("throw")
    board.type_throw("1 6")
    assert "7 came, 7 was announced." in board.say.value
    assert "Bank 600" in words(board)


def test_five_5s_end_the_game():
    board = typed_board(FiveThousand(), "5 5 5 5 5")
    assert "5-5-5-5-5! A wins at once." in board.say.value
    assert words(board) == ["New game"]


def test_who_begins_is_thrown_for():
    board = typed_board(FiveThousand.beginner(first="highest throw"), "3", "5")
    assert "B begins." in board.say.value
    assert board.state.player == 1


def test_three_zeros_are_announced():
    board = typed_board(FiveThousand.beginner(three_zeros=True), "1 2 3 3 4", players=("A",))
    board.press("bank")
    for _ in range(3):
        board.type_throw("2 3 3 4 6")
    assert "No points for the third time in a row: A falls to 0." in board.say.value
    assert board._play.history()[0][2] == "no points (2-3-3-4-6), falls to 0"


@pytest.mark.parametrize(
    ("steal", "throws", "fate"),
    [
        ("turn", (), "stops at 1,050"),
        ("turn", ("2",), "banks 1,050"),
        ("turn", ("1",), "stops at 1,050, taken over"),
        ("first throw", ("1",), "stops at 1,050, taken over"),
    ],
)
def test_the_history_tells_what_became_of_a_bank(steal, throws, fate):
    board = typed_board(FiveThousand.beginner(steal=steal), "1 1 1 5 3")
    board.press("bank")
    if throws:
        board.press("take over")
    for dice in throws:
        board.type_throw(dice)
        board.press("bank")
    assert board._play.history()[-1] == ("A", "1-1-1-5", fate)


def test_dice_that_pass_the_target_end_the_turn_and_no_more():
    board = typed_board(FiveThousand.beginner(exact=True, target=3000))
    for dice in ("12345", "12345", "15234"):
        board.type_throw(dice)
        board.press("throw")
    assert board.state.player == 1
    assert board.state.current_player == 1
    assert "That passes 3,000: no points for A." in board.say.value


def test_no_new_announcement_for_dice_that_were_seen():
    board = Board(FiveThousand.beginner(prediction="turn"), players=("A",), typed=True)
    board.type_throw("5 5 1 4 3")
    board.press("throw")
    board.type_throw("6 1")
    board.undo()
    assert board.announced.layout.display == "none"
    board.announced.pick(7)
    board.press("throw")
    assert board.state.points == 200
    assert not board.state.right


def test_a_single_die_may_show_the_same_face_again():
    board = Board(FiveThousand.beginner(first="highest throw"), players=("A", "B"), typed=True)
    for _ in range(3):
        board.typed_text.value = "6"
        board._entered_at -= 1
    assert len(board.record.events) == 6


# Dice poker


def test_held_dice_stay_held_and_the_last_dice_are_the_written_ones():
    board = typed_board(DicePoker(), "6 6 6 1 2")
    choose(board, 6, 6, 6)
    board.press("throw")
    board.type_throw("3 4")
    assert words(board)[0] == "Throw 2 dice"
    board.press("6")
    assert [face.face for face in board._play.faces()] == [3, 4, 6, 6, 6]


def test_only_rows_that_may_be_written_show_points():
    rules = DicePoker(chance="fallback", dashes="at the end")
    board = Board(rules, players=("A",), typed=True)
    for face in "123456":
        board.type_throw("1 2 3 4 6")
        board.press(face)
    board.type_throw("1 2 3 4 6")
    assert "<i>" not in board.scores.value
    assert words(board) == ["Throw 5 dice", "Pass this round"]


def test_a_round_of_dice_poker():
    board = typed_board(DicePoker(), "2 3 6 2 1")
    assert "2: −2" in words(board)
    choose(board, 2, 2)
    assert "A holds 2 and 2." in board.say.value
    assert words(board)[0] == "Throw 3 dice"
    board.press("throw")
    board.type_throw("2 4 5")
    assert board.state.throw == (2, 2, 2, 4, 5)
    board.press("2")
    assert "A writes row 2: 0." in board.say.value
    assert board.state.player == 1


def test_the_first_throw_is_marked_and_part_two_waits_for_part_one():
    board = Board(DicePoker(), players=("A",), typed=True)
    for face in range(1, 7):
        board.type_throw("6 6 6 1 1")
        assert words(board)[1:] == [
            f"{row}: {board.state.points_now(board.state.rules.row(row))}".replace("-", "−")
            for row in map(str, range(face, 7))
        ]
        board.press(str(face))
    board.type_throw("6 6 6 1 1")
    assert "full house: 40 (doubled)" in words(board)
    assert "poker: dash" in words(board)
    assert "chance: 20" in words(board)


def test_the_end_shows_the_settlement():
    board = Board(DicePoker(), players=("A", HoldsAlike()), seed=1)
    while not board.state.is_terminal:
        board.press("throw" if board._computer or board.state.turn_begins else words_row(board))
    assert "settlement" in board.scores.value
    assert "wins with" in board.say.value
    assert sum(board.state.settlement) == 0


def words_row(board):
    return board._play.rows()[0].name


# All games


@pytest.mark.parametrize("name", GAMES)
def test_the_set_up_makes_every_game(name):
    board = Board(name)
    assert board.setup.rules == GAMES[name]
    board.start()
    assert board.record.rules == GAMES[name]


def random_board(seed):
    chance = random.Random(seed)
    rules = chance.choice(list(GAMES.values()))
    for name, option in options(rules).items():
        if option.choices and chance.random() < 0.4:
            try:
                rules = replace(rules, **{name: chance.choice(list(option.choices))})
            except ValueError:
                continue
    computer = HoldsAlike() if isinstance(rules, DicePoker) else BanksAt(500)
    players = [chance.choice([f"P{seat}", computer]) for seat in range(chance.randint(1, 4))]
    return chance, Board(rules, players=players, typed=chance.random() < 0.4, seed=seed)


@pytest.mark.parametrize("seed", range(60))
def test_any_clicks_in_any_game_keep_board_and_record_together(seed):
    chance, board = random_board(seed)
    for _ in range(80):
        play = board._play
        names = [control.name for control in (*play.controls(), *play.rows())]
        if board.state.is_terminal:
            break
        if play.awaits_typing:
            board.type_throw("".join(str(chance.randint(1, 6)) for _ in range(board.state.dice)))
        elif play.must_choose and chance.random() < 0.6:
            board.toggle(chance.randrange(6))
        else:
            done = len(board.record.events)
            board.announced.index = chance.randrange(12) if play.announces() else 0
            board.press(chance.choice(names))
            steps = list(board.record.steps())[done:]
            assert len({before.player for before, _, _ in steps}) <= 1, "one click, one player"
        if chance.random() < 0.05:
            chance.choice([board.undo, board.retype])()
        assert board.state == board.record.state
    if board.record.path:
        assert Record.load(board.record.path).states == board.record.states


# What a breaker found


def test_a_crash_between_throw_and_dice_is_no_dead_end(own_folder):
    record = Record(Farkle(), ["A", "B"], seed=1, path=own_folder / "games" / "x.jsonl")
    record.add(Throw())
    board = Board()
    board.shelf.go_on()
    assert words(board) == ["Throw 6 dice"]
    board.press("throw")
    assert board.state.current_player != CHANCE


def test_undone_dice_stay_in_the_order_in_which_they_were_seen():
    board = typed_board(Farkle(), "1 1 1 5 2 3", players=("A",))
    for aside, dice in (((1, 1, 1, 5), "1 2"), ((1, 1, 1), "3 2 1")):
        choose(board, *aside)
        board.press("throw")
        board.type_throw(dice)
        board.undo()
    choose(board, 1, 1, 1, 5)
    board.press("throw")
    assert sorted(board.record.events[-1]) == [1, 2]


@pytest.mark.parametrize("noted", [[], "x", 5, None, {"A": -1}, {"A": "banks"}, {"Z": "x"}])
def test_notes_that_were_edited_by_hand_are_read_as_persons(own_folder, noted):
    notes = {"computers": noted, "typed": "no"}
    record = Record(Farkle(), ["A", "B"], path=own_folder / "games" / "x.jsonl", notes=notes)
    record.add(Throw())
    board = Board()
    board.shelf.go_on()
    assert board.state == record.state
    assert board._computers == {}
    assert not board.typed


def test_a_file_that_cannot_be_read_is_named(own_folder):
    (own_folder / "games").mkdir()
    (own_folder / "games" / "bad.jsonl").write_text("hello\n")
    assert "A game cannot be read: bad.jsonl, line 1" in Board().shelf.said.value


def test_finished_games_do_not_hide_an_unfinished_one(own_folder):
    open_game = Record(Farkle(), ["A"], path=own_folder / "games" / "0.jsonl")
    open_game.add(Throw())
    for number in range(1, 25):
        path = own_folder / "games" / f"{number}.jsonl"
        record = Record(Farkle(target=50), ["A"], path=path)
        while not record.state.is_terminal:
            record.roll() if record.state.current_player == CHANCE else record.add(
                BanksAt(50)(record.state)
            )
    board = Board()
    board.shelf.show_more()
    board.shelf.games.index = [saved.path for saved in board.shelf._listed].index(open_game.path)
    board.shelf.go_on()
    assert board.record.path == open_game.path


def test_computers_are_who_they_are_said_to_be():
    board = Board()
    name, kind = board.setup.people[0].children
    name.value = " Bob "
    kind.pick(BanksAt(300))
    hidden, _ = board.setup.people[2].children
    hidden.value = "Bob"
    board.start()
    assert words(board) == ["Let Bob play"]


def test_what_is_given_to_the_board_is_kept_by_its_set_up():
    board = Board(Farkle(table=Farkle().table | {"aabbcc": None}), typed=True, seed=7)
    board.start()
    assert "aabbcc" not in board.record.rules.table
    assert board.typed
    assert board.record.seed == 7
    board.new_game()
    board.start()
    assert board.record.seed != 7


@pytest.mark.parametrize(
    "players", [(1, 2), ("A", None), None, 5, ("A", "A"), tuple("ABCDEFG"), ("",)], ids=str
)
def test_wrong_players_are_refused_in_words(players):
    with pytest.raises(ValueError, match=r"\w"):
        Board(Farkle(), players=players)


def test_a_computer_finds_a_name_of_its_own():
    board = Board(Farkle(), players=("Computer", BanksAt(300), BanksAt(500)))
    assert board.record.players == ("Computer", "Computer 2", "Computer 3")


def test_the_second_half_of_a_double_click_does_not_play_for_the_next():
    board = Board(Farkle(), players=(BanksAt(300), "A"), seed=1)
    board._clicked(board.controls[0])
    events = list(board.record.events)
    board._clicked(board.controls[0])
    assert board.record.events == events
    board._passed_on -= 1
    board._clicked(board.controls[0])
    assert len(board.record.events) > len(events)


def test_a_text_that_the_browser_sends_again_counts_once():
    board = typed_board(Farkle())
    board.typed_text.value = "223346"
    board.typed_text.value = "223346"
    assert sum(isinstance(event, tuple) for event in board.record.events) == 1
    for end in range(1, 7):
        board.typed_text.value = "223346"[:end]
    assert sum(isinstance(event, tuple) for event in board.record.events) == 2


def test_a_seed_makes_the_dice_of_a_dealt_position_reproducible():
    def first_throw(seed):
        link = "?game=Farkle&players=A&players=B&points=400&dice=6"
        board = Board(position=link, seed=seed)
        board.press("throw")
        return board.record.events

    assert first_throw(3) == first_throw(3) != first_throw(4)


def test_what_a_newcomer_asked_is_said():
    board = typed_board(FiveThousand.beginner(), "11346")
    board.press("throw")
    board.type_throw("444")
    assert "No points! 4-4-4 scores nothing. Three alike count only in a throw of 5 dice." in (
        board.say.value
    )
    assert "5000 for beginners" in board.title.value
    rules = board.rules.value
    assert "three 4s: 400" in rules and "Play to: 5,000" in rules and "1-2-3-4-5: 1,500" in rules
    board.type_throw("22336")
    assert "Three alike" not in board.say.value
    board.teacher.switch("frozen", True)
    assert "The game is frozen." in board.say.value


def test_dice_on_the_table_give_way_to_other_points_unless_they_were_typed():
    board = typed_board(FiveThousand.beginner(), "11346")
    form = board.teacher.position
    board._unfold("class")
    assert form.throw.value
    form.points.value = "300"
    assert not form.throw.value
    form.throw.value = "1 5"
    form.points.value = "400"
    assert form.throw.value == "1 5"


def test_one_looks_back_at_moments_that_are_worth_it():
    board = typed_board(Farkle(), "112346")
    board.toggle(0)
    board.press("throw")
    board.type_throw("23466")
    board._unfold("class")
    look = board.teacher.look
    assert look.slider.value == look.slider.max
    seen = []
    while not look.back.disabled:
        look.back.click()
        seen.append(look.where.value)
    assert look.slider.value == 0 and len(seen) == look.slider.max
    assert f"Moment 1 of {len(seen) + 1}" in seen[-1]
    assert all(board.record.states[moment].current_player != CHANCE for moment in look._stops[:-1])


def test_a_browser_that_keeps_no_files_is_told(monkeypatch):
    monkeypatch.setattr("sys.platform", "emscripten")
    board = typed_board(Farkle(), "112346")
    assert board.record.path is None
    assert "This game is not being saved: this browser keeps no files" in board.saved.value
