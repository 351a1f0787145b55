"""The scenes that `screens.py` looks at: a board brought to one moment of a game."""

from __future__ import annotations

from dataclasses import replace
from tempfile import mkdtemp
from typing import Any

from dicekit.board import Board
from dicekit.board.given import rules_of
from dicekit.players import BanksAt, HoldsAlike
from dicekit.words import speaking

GAMES = ("Farkle", "5000", "Dice poker")
PLAYERS: dict[str, tuple[Any, ...]] = {
    "setup": (),
    "explorer": (),
    "six": ("Ana", "Bruno", "Clémence", "Dinis", "Élodie", "Filipa"),
    "names": (
        "Wolfeschlegelsteinhausenbergerdorff",
        "Maria da Conceição dos Santos e Silva",
        "דנה 🎲🎲🎲",
        "<b>& Co.</b>",
    ),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "names": {"target": 2_000_000},
    "offered": {"steal": "turn"},
    "announced": {"prediction": "total"},
    "unsolved": {"three_pairs": 750, "target": 5000},
}
ONLY = {"offered": "5000", "announced": "5000", "unsolved": "Farkle"}


def has_scene(game: str, scene: str) -> bool:
    """Whether there is such a scene in this game."""
    return ONLY.get(scene, game) == game


def show_scene(game: str, scene: str, language: str) -> Any:
    """A board that shows this scene."""
    rules, players = rules_of(game), PLAYERS.get(scene, ("Ana", "Bruno"))
    if scene == "computer":
        players = (HoldsAlike() if game == "Dice poker" else BanksAt(300), "Bruno")
    if scene in OPTIONS and hasattr(rules, "target"):
        rules = replace(rules, **OPTIONS[scene])
    options: dict[str, Any] = {"seed": 7, "folder": mkdtemp(), "language": language}
    board = Board(rules, players, typed=scene == "typed", **options)
    with speaking(language):
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
        play(board, 54)
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


def named(board: Board) -> None:
    if hasattr(board.state, "points"):
        scores = (1_234_550, 1_000_000, 950, 0)
        dice = board.state.rules.all_dice
        board.deal(lambda: {"scores": scores, "points": 500_050, "dice": dice})
    choose(board)


def offered(board: Board) -> None:
    """A bank that the next may take over."""
    board.deal(lambda: {"scores": (4350, 4800), "points": 600, "dice": 2})
    board.press("bank")


def announced(board: Board) -> None:
    board.deal(lambda: {"scores": (1350, 800), "points": 600, "dice": 2})
    board.announced.pick(7)


def refused(board: Board) -> None:
    """A button is pressed that cannot be yet."""
    throw(board)
    if not hasattr(board.state, "points"):
        for place in range(5):
            board.toggle(place)
        board.press("throw")
    board.press("bank")


def frozen(board: Board) -> None:
    play(board, 40)
    choose(board)
    for name in ("frozen", "picture"):
        board.teacher.switch(name, True)


def asleep(board: Board) -> None:
    """The kernel was started anew."""
    choose(board)
    board.add_class("jupyter-widgets-disconnected")


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
    "six": choose,
    "names": named,
    "computer": lambda board: None,
    "offered": offered,
    "announced": announced,
    "unsolved": with_coach,
    "refused": refused,
    "frozen": frozen,
    "asleep": asleep,
}
