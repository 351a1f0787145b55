"""The coach on the board: its advice, its review, and the levels of the computers."""

import re
from dataclasses import replace

import pytest
from test_board import choose, own_folder, shown, typed_board  # noqa: F401
from test_board_games import words_row

from dicekit.board import Board, advice
from dicekit.coach import Coach
from dicekit.dice import Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.record import Record
from dicekit.games.states import CHANCE, Bank, SetAside, Throw
from dicekit.players import BanksAt, BestTurns, Careful, HoldsAlike, Perfect

UNUSUAL = FiveThousand.beginner(target=600)


def coached(*throws, rules=None, players=("A", "B")):
    board = Board(rules or Farkle(), players=players, typed=True, coach=True)
    for dice in throws:
        board.type_throw(dice)
    return board


def said(board):
    """The coach's words, row by row."""
    text = re.sub("</(?:tr|caption|p)>", "\n", board.coach.words.value)
    return [line for line in re.sub("<[^>]+>", "|", text).split("\n") if line.strip("|")]


def test_the_coach_is_silent_and_idle_until_asked(monkeypatch):
    asked = []
    advise = Coach.advice
    monkeypatch.setattr(Coach, "advice", lambda *given: asked.append(1) or advise(*given))
    board = typed_board("1 5 2 3 3 4")
    choose(board, 1)
    board.press("bank")
    assert not shown(board.coach)
    assert "cost" not in board.say.value
    assert not asked
    board.coach.toggle()
    assert asked
    assert shown(board.coach)
    assert "throw 6 dice" in board.coach.words.value
    board.coach.toggle()
    assert not shown(board.coach)


def test_the_ways_of_one_click_best_first_with_the_chosen_one():
    board = coached("1 5 2 3 3 4")
    choose(board, 1, 5)
    rows = [row for row in said(board) if "%" in row]
    chances = [float(re.search(r"([\d.]+) %", row)[1]) for row in rows]
    assert chances == sorted(chances, reverse=True)
    assert "set aside 1, throw 5 dice" in rows[0]
    assert ["these dice" in row for row in rows].count(True) == 2
    assert "set aside 1-5, throw 4 dice ▸ these dice" in board.coach.words.value
    coach, state = Coach(Farkle()), board.state.child(SetAside((1, 5)))
    bank = next(row for row in coach.advice(state).rows if row.action == Bank())
    assert f"{100 * bank.chance:.1f} %" in next(row for row in rows if "bank 150" in row)


def test_what_a_move_cost_is_said_once():
    board = coached("1 1 1 5 2 3")
    choose(board, 5)
    board.press("bank")
    assert re.search(
        r"That cost \d+\.\d percentage points of winning; better was: "
        r"set aside 1-1-1-5, bank 1,050\.",
        board.say.value,
    )
    board.type_throw("2 3 3 4 4 6")
    assert "cost" not in board.say.value


def test_the_best_move_costs_nothing():
    board = coached("1 1 1 5 2 3")
    choose(board, 1, 1, 1, 5)
    board.press("bank")
    assert "cost" not in board.say.value


def test_the_coach_waits_while_a_computer_acts():
    board = Board(Farkle(), players=(Careful(), "A"), seed=1, coach=True)
    assert said(board) == ["|The coach waits for a person&#x27;s turn."]
    board.press("throw")
    assert "throw 6 dice" in board.coach.words.value


def test_a_score_sheet_is_coached_in_points():
    board = coached("6 6 6 1 2", rules=DicePoker())
    choose(board, 6, 6, 6)
    assert "hold 6-6-6 ▸ these dice" in said(board)[2]
    assert "%" not in board.coach.words.value
    board.press("1")
    assert re.search(
        r"That cost \d+\.\d points on average; better was: hold 6-6-6", board.say.value
    )


def test_the_teacher_takes_the_coach_away():
    board = Board(Farkle(target=50), players=("A",), typed=True, coach=False)
    board.type_throw("1 5 2 3 3 4")
    choose(board, 1)
    assert not shown(board.coach.button)
    board.press("bank")
    assert board.state.is_terminal
    assert not shown(board.coach.button)
    with pytest.raises(ValueError, match="coach is True, False or None"):
        Board(coach="locked")


def test_a_coach_that_fails_breaks_no_game(monkeypatch):
    def fail(*given):
        raise RuntimeError("<b>oh</b>")

    monkeypatch.setattr(Coach, "advice", fail)
    monkeypatch.setattr(Coach, "review", fail)
    board = coached("1 5 2 3 3 4", rules=Farkle(target=50))
    assert "The coach has no advice here: &lt;b&gt;oh" in board.coach.words.value
    choose(board, 1)
    board.press("bank")
    board.type_throw("2 3 3 4 4 6")
    assert board._play.history()[0] == ("B", "–", "farkle (2-3-3-4-4-6)")
    board.coach.toggle()
    assert "The coach has no review of this game" in board.coach.words.value


def test_the_review_names_the_costliest_mistakes():
    name = '<img src=x onerror="alert(1)">'
    board = typed_board(rules=Farkle(target=2000), players=(name, "B"))
    for dice in ("112345", "555234", "111234", "223346") * 20:
        if board.state.is_terminal:
            break
        board.type_throw(dice[: board.state.dice])
        if board.state.stage == "thrown":
            choose(board, *board.state.rules.set_asides(board.state.throw)[-1])
            board.press("bank")
    assert board.state.is_terminal
    assert not shown(board.coach)
    assert board.coach.button.description == "Review"
    board.coach.toggle()
    value = board.ending.value
    assert "The costliest mistakes" in value
    assert "Luck and skill" in value
    assert value.count("set aside") >= 3
    assert "<img" not in value
    board.new_game()
    board.start()
    assert board.coach.button.description == "Coach", "as before the review"


def test_other_rules_are_solved_on_demand():
    board = coached(rules=UNUSUAL)
    assert shown(board.coach.solve)
    assert "chance" not in board.coach.words.value.split("</table>")[0]
    board.coach.work_out()
    assert "chance to win" in board.coach.words.value
    assert not shown(board.coach.solve)
    assert not shown(board.coach.bar)


def test_the_bar_shows_work_that_lasts(monkeypatch):
    now, seen, bars = [0.0], [], []
    bar_of = advice.FloatProgress
    monkeypatch.setattr(advice, "FloatProgress", lambda **k: bars.append(bar_of(**k)) or bars[-1])

    def slow(game, die=None, *, progress):
        for part in (0.2, 0.6):
            now[0] += 1.5
            progress(part)
            seen.append((shown(bars[-1]), bars[-1].value))

    monkeypatch.setattr(advice, "monotonic", lambda: now[0])
    monkeypatch.setattr(advice, "best_race", slow)
    monkeypatch.setattr(advice, "best_sheet", slow)
    board = coached(rules=UNUSUAL)
    board.coach.work_out()
    assert seen == [(True, 0.2), (True, 0.6)]
    assert not shown(board.coach.bar)
    monkeypatch.setattr(advice, "Coach", None)  # what comes after is of no interest here
    monkeypatch.setattr(Perfect, "__call__", lambda self, state: Throw())
    typed_board(rules=DicePoker.yatzy()).coach.toggle()
    typed_board(rules=DicePoker.yatzy(), players=(Perfect(),)).press("throw")
    assert seen == [(True, 0.2), (True, 0.6)] * 3


def test_a_loaded_die_is_solved_with_the_bar(monkeypatch):
    loaded, solved = Die.loaded({6: 0.5}), []

    def solve(game, die, progress=None):
        solved.append((die, bool(progress)))
        raise ImportError("numpy is missing")

    monkeypatch.setattr(advice, "best_race", solve)
    monkeypatch.setattr("dicekit.players.best_race", solve)
    Board(UNUSUAL, players=(Perfect(loaded), "A"), seed=1).press("throw")
    assert solved == [(loaded, True), (loaded, False)]


def test_without_numpy_a_sheet_that_takes_minutes_is_played_by_the_round(monkeypatch):
    monkeypatch.setattr("dicekit.players.find_spec", lambda name: None)
    board = Board("Yatzy", players=(Perfect(), "A"), seed=1, coach=True)
    board.press("throw")
    assert "numpy is missing. Computer plays the best turn." in board.say.value
    assert board.state.player == 1
    assert "cannot be solved without numpy" in board.coach.words.value
    assert not shown(board.coach.solve)


@pytest.mark.parametrize(("coach", "allowed", "shows"), [(0, False, False), (1, True, True)])
def test_numbers_stand_for_yes_and_no(coach, allowed, shows):
    board = Board(Farkle(), players=("A", "B"), coach=coach)
    assert (shown(board.coach.button), shown(board.coach)) == (allowed, shows)


def test_before_and_between_games_the_coach_is_idle():
    board = Board(coach=True)
    for _ in range(2):
        board.coach.toggle()
        board.coach.work_out()
        assert board.coach.shown and not board.coach._tried
        board.setup.fill(UNUSUAL, ("A", "B"), {})
        board.start()
        board.new_game()


def test_who_begins_is_nothing_to_advise_on():
    board = coached(rules=replace(UNUSUAL, first="highest throw"))
    assert "no advice here: who begins is luck" in board.coach.words.value
    board.type_throw("6")
    board.type_throw("1")
    assert "throw 5 dice" in board.coach.words.value


def test_other_rules_are_offered_as_these():
    assert "these rules" in Board(UNUSUAL).setup.game.options


def test_a_perfect_player_without_chances_says_so(monkeypatch):
    def none(game, die, progress):
        raise ImportError("numpy is missing")

    monkeypatch.setattr(advice, "best_race", none)
    board = coached(rules=UNUSUAL)
    board.coach.work_out()
    assert "worked out here: numpy is missing" in board.coach.words.value
    assert not shown(board.coach.solve)
    board.setup.fill(FiveThousand.beginner(target=650), ("A", "B"), {})
    board.start()
    assert "numpy" not in board.coach.words.value
    assert shown(board.coach.solve)
    board = Board(UNUSUAL, players=(Perfect(), "A"), seed=1)
    board.press("throw")
    assert "cannot be worked out here: numpy is missing. Computer plays the best turn." in (
        board.say.value
    )
    assert board.state.player == 1


LEVELS = {
    Farkle: ["careful (banks at 300)", "banks at 500", "banks at 1,000", "best turn", "perfect"],
    DicePoker: ["careful (holds dice alike)", "best turn", "perfect"],
}


@pytest.mark.parametrize("kind", LEVELS)
def test_the_levels_are_offered(kind):
    choice = Board(kind).setup.people[1].children[1]
    assert list(choice.options) == ["a person", *(f"computer: {words}" for words in LEVELS[kind])]


@pytest.mark.parametrize("rules", [Farkle(), FiveThousand(), DicePoker()], ids=lambda r: r.name)
@pytest.mark.parametrize("level", [Careful(), BestTurns(), Perfect()], ids=str)
def test_a_level_plays_on_after_a_break(rules, level):
    board = Board(rules, players=(level, "A"), seed=3)
    board.press("throw")
    again = Board()
    again.shelf.go_on()
    assert again._computers == {"Computer": level}
    again.new_game()
    assert again.setup.computers == {"Computer": level}


@pytest.mark.parametrize(
    ("rules", "words", "player"),
    [(Farkle(), "banks at 300", BanksAt(300)), (DicePoker(), "holds dice alike", HoldsAlike())],
)
def test_old_records_still_have_their_computers(own_folder, rules, words, player):  # noqa: F811
    notes = {"computers": {"B": words}, "typed": False}
    record = Record(rules, ["A", "B"], path=own_folder / "games" / "x.jsonl", notes=notes)
    record.add(Throw())
    board = Board()
    board.shelf.go_on()
    assert board._computers == {"B": player}
    board.new_game()
    assert board.setup.computers == {"B": player}


@pytest.mark.parametrize("rules", [Farkle(target=2000), FiveThousand(), DicePoker()])
def test_a_coached_game_makes_no_new_widgets(rules):
    board = Board(rules, players=("A", Careful()), seed=5, coach=True)

    def widgets(widget):
        return {id(widget)}.union(*map(widgets, getattr(widget, "children", ())))

    before = widgets(board)
    for _ in range(40):
        state = board.state
        if state.stage == "thrown" and not board._computer and isinstance(rules, DicePoker):
            board.press(words_row(board))
        elif state.stage == "thrown" and not board._computer and not board._play.forced:
            choose(board, *state.rules.set_asides(state.throw)[0])
            board.press("throw")
        else:
            board.press("throw")
        assert board.state.current_player == CHANCE or board.coach.words.value
    board.coach.toggle()
    assert widgets(board) == before
