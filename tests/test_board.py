"""The board without a browser: what its methods do, and what its widgets then say."""

import subprocess
import sys
import textwrap

import pytest

from dicekit.board import Board
from dicekit.games.farkle import Farkle
from dicekit.games.record import Record
from dicekit.games.states import Bank, SetAside, Throw
from dicekit.players import BanksAt


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed_board(*throws, rules=None, players=("A", "B")):
    """A board for real dice on which these throws were typed."""
    board = Board(rules or Farkle(), players=players, typed=True)
    for dice in throws:
        board.type_throw(dice)
    return board


def choose(board, *faces):
    wanted = list(faces)
    for index, face in enumerate(board.state.throw):
        if face in wanted:
            wanted.remove(face)
            board.toggle(index)
    assert not wanted


def words(board, name):
    """What the button of that name says."""
    [control] = [control for control in board._play.controls() if control.name == name]
    place = board._play.controls().index(control)
    assert shown(board.controls[place])
    return board.controls[place].description


def shown(widget):
    return widget.layout.display != "none"


def play_on(board):
    """One click of a player who sets all that scores aside and banks from 300."""
    if board.state.stage == "thrown" and not board._computer:
        choose(board, *board.state.rules.set_asides(board.state.throw)[0])
        ahead = board._play.ahead
        if ahead.can_bank and (ahead.points >= 300 or ahead.leader is not None):
            return board.press("bank")
    board.press("throw")


def test_a_turn_by_clicking():
    board = typed_board("1 5 2 3 3 4")
    assert "choose the dice that you set aside" in board.say.value
    choose(board, 1, 5)
    assert "1 and 5 are worth 150." in board.say.value
    assert "4/9" not in board.odds.value
    assert "17/108" in board.odds.value
    assert words(board, "throw") == "Throw 4 dice (150 at stake)"
    assert words(board, "bank") == "Bank 150"
    board.press("bank")
    assert board.state.scores == (150, 0)
    assert "A banks 150 and has 150." in board.say.value
    assert "B to throw." in board.say.value


def test_why_a_selection_is_not_allowed():
    board = typed_board("1 5 2 3 3 4")
    choose(board, 1, 4, 2)
    assert "2 and 4 score nothing here." in board.say.value
    before = list(board.record.events)
    board.press("throw")
    board.press("bank")
    assert board.record.events == before
    assert "A cannot set aside 1-2-4: each die set aside must score." in board.say.value


def test_nothing_chosen_is_explained():
    board = typed_board("1 5 2 3 3 4")
    board.press("throw")
    assert "Choose at least one die" in board.say.value
    assert board.state.stage == "thrown"


def test_a_bank_below_the_opening_is_refused_in_words():
    board = typed_board("1 5 2 3 3 4", rules=Farkle(opening=500))
    choose(board, 1)
    assert words(board, "bank") == "Bank needs 500"
    board.press("bank")
    assert "the first bank needs 500 points, and the turn has 100" in board.say.value
    assert board.state.stage == "thrown", "not even the dice were set aside"


def test_hot_dice_are_announced_and_all_dice_thrown():
    board = typed_board("1 2 3 4 5 6")
    choose(board, 1, 2, 3, 4, 5, 6)
    assert "hot dice" in board.say.value
    assert words(board, "throw") == "Throw 6 dice (1,500 at stake)"
    assert "5/216" in board.odds.value


@pytest.mark.parametrize("text", ["7", "1 2 3", "1 2 3 4 5 6 6", "a b c d e f", "½ 2 3 4 5 6"])
def test_a_throw_that_cannot_be_changes_nothing(text):
    board = typed_board()
    before = board.state
    board.type_throw(text)
    assert board.state == before
    assert board.record.events == []
    assert shown(board.typing)
    assert "<b></b>" not in board.say.value


def test_the_board_throws_what_the_seed_says():
    boards = [Board(Farkle(), players=("A", "B"), seed=7, folder=name) for name in ("x", "y")]
    for board in boards:
        for _ in range(40):
            play_on(board)
    assert boards[0].record.events == boards[1].record.events


def test_a_computer_plays_its_turn_at_one_click():
    board = Board(Farkle(), players=(BanksAt(300), "A"), seed=1)
    assert words(board, "throw") == "Let Computer play"
    board.press("throw")
    assert board.state.player == 1
    assert "Computer" in board.say.value


def test_a_computer_with_real_dice_asks_for_each_throw():
    board = Board(Farkle(), players=(BanksAt(300), "A"), typed=True)
    board.press("throw")
    assert shown(board.typing)
    board.type_throw("1 5 2 3 3 4")
    assert board.state.points == 150
    assert shown(board.typing)
    board.type_throw("5 5 5 2")
    assert board.state.scores == (650, 0)


def test_undo_brings_the_same_dice_again():
    board = Board(Farkle(), players=("A", "B"), seed=5)
    board.press("throw")
    choose(board, *board.state.rules.set_asides(board.state.throw)[-1])
    thrown_from = board.state
    chosen = set(board._chosen)
    board.press("throw")
    dice = board.record.events[-1]
    board.undo()
    assert board.state == thrown_from
    board._chosen = chosen
    board.press("throw")
    assert board.record.events[-1] == dice


def test_undo_goes_past_the_computer_to_the_last_person():
    board = Board(Farkle(), players=("A", BanksAt(300)), seed=5)
    board.press("throw")
    choose(board, *board.state.rules.set_asides(board.state.throw)[0])
    decided = board.state
    board.press("bank")
    board.press("throw")
    assert board.state.player == 0
    board.undo()
    assert board.state == decided


def test_a_mistyped_throw_can_be_typed_again():
    board = typed_board("1 5 2 3 3 4")
    board.retype()
    board.type_throw("2 2 2 3 4 6")
    assert board.state.throw == (2, 2, 2, 3, 4, 6)


def test_nothing_to_undo_is_said():
    board = typed_board()
    board.undo()
    assert "There is nothing to undo yet." in board.say.value


def test_the_game_is_offered_again_and_goes_on(own_folder):
    board = Board(Farkle(target=2000), players=("A", BanksAt(500)), seed=4)
    for _ in range(5):
        play_on(board)
    again = Board()
    assert len(again.shelf) == 1
    assert shown(again.offer)
    again.shelf.go_on()
    assert again.state == board.state
    assert again.record.rules == Farkle(target=2000)
    while not again.state.is_terminal:
        play_on(again)
    assert again.state.is_terminal
    [path] = (own_folder / "games").glob("*.jsonl")
    assert Record.load(path).state.winners == again.state.winners


def test_a_board_that_was_left_behind_says_so():
    board = Board(Farkle(), players=("A", "B"), seed=4)
    board.press("throw")
    again = Board()
    again.shelf.go_on()
    play_on(again)
    before = board.state
    play_on(board)
    assert board.state == before
    assert "This game went on elsewhere" in board.say.value


def test_no_file_before_the_first_throw(own_folder):
    board = Board(Farkle(), players=("A", "B"))
    assert not (own_folder / "games").exists()
    board.press("throw")
    assert len(list((own_folder / "games").iterdir())) == 1


def test_a_game_that_cannot_be_saved_goes_on_and_says_so(own_folder):
    (own_folder / "games").write_text("a file where the folder should be")
    board = Board(Farkle(), players=("A", "B"), seed=4)
    for _ in range(5):
        play_on(board)
    assert len(board.record.events) > 5
    assert "not being saved" in board.saved.value


def test_the_set_up_makes_the_game():
    board = Board("farkle")
    board.setup.number.pick(3)
    board.setup.fields[Farkle]["target"].pick(5000)
    board.setup.fields[Farkle]["last_round"].value = False
    board.setup.people[1].children[1].pick(BanksAt(500))
    board.setup.seed_text.value = "11"
    board.start()
    assert board.record.rules == Farkle(target=5000, last_round=False)
    assert board.record.players == ("Player A", "Player B", "Player C")
    assert board._computers == {"Player B": BanksAt(500)}
    assert board.record.seed == 11


@pytest.mark.parametrize("name", ["", "  ", "Player A", "Player A "])
def test_wrong_names_are_refused_in_the_set_up(name):
    board = Board()
    board.setup.people[1].children[0].value = name
    board.start()
    assert board.state is None
    assert "name" in board.say.value


def test_a_new_game_offers_the_same_players_and_the_old_game():
    board = Board(Farkle(opening=500), players=("Ada", BanksAt(1000)), seed=4)
    board.press("throw")
    board.new_game()
    assert board.state is None
    assert len(board.shelf) == 1
    assert shown(board.offer)
    assert board.setup.rules == Farkle(opening=500)
    assert board.setup.names == ("Ada", "Computer")
    assert board.setup.computers == {"Computer": BanksAt(1000)}


def test_names_are_never_html():
    name = '<img src=x onerror="alert(1)">'
    board = Board(Farkle(), players=(name, "B"), typed=True)
    board.type_throw("2 2 3 3 4 6")
    board.type_throw("1 5 2 3 3 4")
    choose(board, 1)
    board.press("bank")
    values = [part.value for part in (board.title, board.scores, board.say, board.history)]
    assert all("<img" not in value for value in values)
    assert "&lt;img" in board.history.value


def test_a_whole_game_ends_with_a_winner_and_fewer_words_on_buttons():
    board = Board(Farkle(target=2000), players=("A", "B", BanksAt(300)), seed=2)
    while not board.state.is_terminal:
        play_on(board)
    assert "wins with" in board.say.value
    assert [control.name for control in board._play.controls()] == ["new game"]
    for name in ("throw", "bank"):
        board.press(name)
    board.type_throw("1 2 3 4 5 6")
    assert board.state.is_terminal


def test_clicks_make_no_new_widgets():
    board = Board(Farkle(), players=("A", BanksAt(300)), seed=5)

    def widgets(widget):
        return {id(widget)}.union(*map(widgets, getattr(widget, "children", ())))

    before = widgets(board)
    for _ in range(60):
        play_on(board)
    board.new_game()
    board.start()
    assert widgets(board) == before


@pytest.mark.parametrize("game", ["chess", 3, None, Board])
def test_unknown_games_are_refused(game):
    with pytest.raises(ValueError, match="there is no board for"):
        Board(game)


def test_players_must_be_a_list():
    with pytest.raises(ValueError, match="players are a list of names"):
        Board(Farkle(), players="Ada")


def test_a_resumed_crash_between_two_events_shows_both_buttons(own_folder):
    record = Record(Farkle(), ["A", "B"], path=own_folder / "games" / "g.jsonl")
    for event in (Throw(), (1, 2, 3, 3, 4, 4), SetAside((1,))):
        record.add(event)
    board = Board()
    board.shelf.go_on()
    assert words(board, "throw") == "Throw 5 dice (100 at stake)"
    board.press("bank")
    assert board.record.events[-1] == Bank()
    assert board.state.scores == (100, 0)


def test_the_board_needs_neither_numpy_nor_matplotlib():
    code = """
        import sys
        sys.modules["numpy"] = sys.modules["matplotlib"] = None
        from dicekit import *
        board = Board(Farkle(target=2000), players=(BestTurns(), Perfect()), seed=1, coach=True)
        while not board.state.is_terminal:
            board.press("throw")
        board.coach.toggle()
        print(board, "Luck" in board.ending.value)
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Board: Farkle, Computer")
    assert done.stdout.endswith("True\n")
