"""The scenes that `screens.py` looks at: a board brought to one moment of a game."""

from __future__ import annotations

from tempfile import mkdtemp
from typing import Any

from dicekit.board import Board

PLAYERS = ("Ana", "Bruno")
SHORT = {"Farkle": 2000, "5000": 2000}


def show_scene(game: str, scene: str, language: str) -> Any:
    """A board that shows this scene."""
    setup = scene in ("setup", "explorer")
    options: dict[str, Any] = {"seed": 7, "folder": mkdtemp(), "language": language}
    board = Board(game, () if setup else PLAYERS, typed=scene == "typed", **options)
    SCENES[scene](board)
    return board


def throw(board: Board) -> None:
    board.press("throw")


def choose(board: Board) -> None:
    """Throw, and choose the dice that bring most."""
    while board.state.stage != "thrown":
        board.press("throw")
    if hasattr(board.state, "points"):
        wanted = list(board.state.rules.set_asides(board.state.throw)[0])
    else:
        wanted = list(board.state.throw[:3])
    for place, face in enumerate(board.state.throw):
        if face in wanted and place not in board._chosen:
            wanted.remove(face)
            board.toggle(place)


def play(board: Board, clicks: int = 60) -> None:
    """Some moves as they come: set aside what scores, bank when one may, or write a row."""
    for _ in range(clicks):
        if board.state is None or board.state.is_terminal:
            return
        if board.state.stage == "thrown":
            if hasattr(board.state, "points"):
                choose(board)
                board.press("bank")
            else:
                board.press(board._play.rows()[0].name)
                continue
        board.press("throw")


def open_class(board: Board) -> None:
    choose(board)
    board._unfold("class")


def vote(board: Board) -> None:
    open_class(board)
    board.teacher.vote._ask()
    for field, votes in zip(board.teacher.vote.votes.values(), (13, 9), strict=True):
        field.value = votes


def voted(board: Board) -> None:
    vote(board)
    board.teacher.vote._end()


def back(board: Board) -> None:
    play(board, 30)
    board._unfold("class")
    board.look_at(board.moment - 3)


def late(board: Board) -> None:
    """The last round, or the last rows."""
    if hasattr(board.state, "points"):
        rules = board.state.rules
        scores = (rules.target - 350, rules.target - 650)
        board.deal(lambda: {"scores": scores, "points": 400, "dice": 2})
    else:
        play(board, 100)
    board.teacher.boxes["picture"].value = True
    throw(board)


def ended(board: Board) -> None:
    if hasattr(board.state, "points"):
        rules = board.state.rules
        board.deal(lambda: {"scores": (rules.target - 500, rules.target - 700)})
    play(board, 5000)
    assert board.state.is_terminal


def with_coach(board: Board) -> None:
    choose(board)
    board.coach.toggle()


def games(board: Board) -> None:
    play(board, 12)
    board.new_game()
    board.start()
    play(board, 5)
    board._unfold("games")


def delete(board: Board) -> None:
    games(board)
    board.shelf.games.index = [saved.path for saved in board.shelf._listed].index(
        next(saved.path for saved in board.shelf._listed if saved.path != board.playing)
    )
    board.shelf.ask_delete()


def reviewed(board: Board) -> None:
    ended(board)
    board.coach.toggle()


SCENES = {
    "setup": lambda board: None,
    "explorer": lambda board: board.explore(),
    "begin": lambda board: None,
    "thrown": throw,
    "chosen": choose,
    "typed": lambda board: None,
    "played": lambda board: play(board, 40),
    "coach": with_coach,
    "class": open_class,
    "vote": vote,
    "voted": voted,
    "back": back,
    "late": late,
    "games": games,
    "delete": delete,
    "end": ended,
    "review": reviewed,
}
