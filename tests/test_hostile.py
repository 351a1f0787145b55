"""Hostile and clumsy use of the board: nothing breaks, nothing is lost, and it is said."""

import errno
import json
import os
import re
from contextlib import ExitStack
from unittest import mock

import pytest
from ipywidgets import HTML
from ipywidgets.widgets.widget import _instances
from scenes import SCENES, choose, play
from test_board import own_folder, play_on, shown  # noqa: F401

from dicekit.board import Board
from dicekit.games.farkle import Farkle
from dicekit.games.positions import link_of, state_of
from dicekit.games.record import Record

NAMES = ['<img src=x onerror="f()">', "O'B\"\\n {x} $a$ %s", "דנה\u202e", "👩‍👩‍👧 Zoë", "W" * 200]
HEADER = {"dicekit": 1, "game": "Farkle", "options": {}, "players": ["A", "B"], "seed": 1}
HEADER |= {"started": "2026-01-01T00:00:00", "notes": {}}


@pytest.mark.parametrize("game, language", [(Farkle(target=1000), "fr"), ("Dice poker", "pt")])
def test_names_are_words_and_never_html(game, language):
    board = Board(game, NAMES, seed=7, language=language)
    for scene in (SCENES["vote"], SCENES["back"], lambda board: play(board, 5000)):
        board.look_at(None)
        scene(board)
        texts = [part.value for part in _instances.values() if isinstance(part, HTML)]
        assert not re.search("<(img|script)", " ".join(texts))
    assert state_of(link_of(board.record.states[-9])) == board.record.states[-9]
    assert "<img" in board.describe()


def test_switching_the_language_keeps_everything_and_every_widget():
    board = Board(Farkle(), players=("A", "B"), seed=7)
    choose(board)
    board.teacher.vote._ask()
    board.teacher.vote.votes["stop"].value = 7
    kept = board.state, board._chosen, len(_instances)
    for language in ("fr", "pt", "en"):
        board.speak(language)
        assert (board.state, board._chosen, len(_instances)) == kept
        assert board.teacher.vote.votes["stop"].value == 7
        assert not re.search(r"\d %|\d/\d", board.odds.value + board.describe())


def test_a_half_filled_set_up_does_not_stop_another_language():
    board = Board()
    board.setup.seed_text.value = "12x"
    board.speak("fr")
    assert board.setup.seed_text.value == "12x"
    assert "nouvelle partie" in board.title.value


def test_a_frozen_board_is_changed_by_nobody():
    board = Board(Farkle(), players=("A", "B"), typed=True)
    board.type_throw("1 5 2 3 3 4")
    board.teacher.switch("frozen", True)
    events = list(board.record.events)
    for button in (*board.controls, *board.rows):
        button.click()
    board.typed_text.value = "1 1 1 2 2 3"
    assert board.record.events == events
    for name in ("undo", "retype", "new"):
        assert not shown(board.quiet[name]), name


@pytest.mark.parametrize("code, moves", [(errno.ENOSPC, 4), (errno.EROFS, 0)])
def test_a_disk_that_takes_nothing_stops_no_game(code, moves):
    board = Board(Farkle(), players=("A", "B"), seed=4)
    for _ in range(moves):
        play_on(board)
    fails = OSError(code, os.strerror(code))
    places = ("builtins.open", "pathlib.Path.open", "pathlib.Path.write_bytes", "os.replace")
    with ExitStack() as stack:
        for place in places:
            stack.enter_context(mock.patch(place, side_effect=fails))
        for _ in range(6):
            play_on(board)
    assert len(board.record.events) > 3 * moves + 5
    assert "not being saved" in board.saved.value
    assert len(Record.from_text(board.record.text()).events) == len(board.record.events)


def test_two_games_that_begin_at_once_have_two_files():
    first, second = (Board(Farkle(), players=("A", name), seed=4) for name in "BC")
    replace, others = os.replace, [second]

    def between(draft, path):
        while others:
            others.pop().press("throw")
        return replace(draft, path)

    with mock.patch("os.replace", between):
        first.press("throw")
    assert Record.load(first.record.path).players == ("A", "B")
    assert Record.load(second.record.path).players == ("A", "C")


def test_a_game_that_went_on_elsewhere_is_told_and_kept():
    old = Board(Farkle(), players=("A", "B"), seed=4)
    play_on(old)
    new = Board()
    new.shelf.go_on()
    old.look_at(0)
    old.teacher.vote._ask()
    for _ in range(4):
        play_on(new)
    kept = new.record.path.read_bytes()
    old.look_at(None)
    play_on(old)
    assert "This game went on elsewhere" in old.say.value
    assert new.record.path.read_bytes() == kept
    old.shelf.go_on()
    assert old.state == new.state


BAD = {
    "newer": json.dumps(HEADER | {"dicekit": 99}),
    "line": '{"dicekit": 1, "x": "' + "a" * 3_000_000 + '"}',
    "kinds": json.dumps(HEADER | {"players": {"A": 1}, "notes": [1]}),
    "number": json.dumps(HEADER | {"options": {"target": 10**400}}),
    "dice": json.dumps(HEADER) + '\n{"action": "Throw"}\n{"throw": ' + str([1] * 100_000) + "}",
}


def test_hostile_files_leave_the_list_of_games_whole(own_folder):  # noqa: F811
    for name, text in BAD.items():
        (own_folder / f"{name}.jsonl").write_text(text)
    (own_folder / "good.jsonl").write_text(json.dumps(HEADER) + "\n")
    board = Board(folder=own_folder)
    assert len(board.shelf.said.value) < 5000
    assert len(board.shelf.games.options) == 1
    assert board.shelf._picked.path.name == "good.jsonl"


def test_buttons_of_a_game_that_is_gone_do_nothing():
    board = Board(Farkle(), players=("A", "B"), seed=5)
    board.press("throw")
    board.look_at(0)
    board.play_on()
    board.play_on()
    assert len(list(board.folder.iterdir())) == 2
    board.new_game()
    board.play_on()
    board.press("throw")
    assert board.state is None
