"""Without numpy, matplotlib and tqdm, as in a browser: every lesson runs, and says what is missing.

Figures say their words, games are played one by one, and what cannot be had is one sentence.
"""

import math
import re
import sys
from collections import Counter
from pathlib import Path
from random import Random

import nbformat
import pytest
from nbclient import NotebookClient
from random_rules import played_again
from test_plots import FIGURES

import dicekit
from dicekit.dice import Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.missing import Missing, or_missing
from dicekit.players import BestTurns, HoldsAlike, Perfect, TurnPlayer
from dicekit.plots import alt_text, bars, race, show
from dicekit.probability import Distribution, E, throws
from dicekit.simulation import one_by_one, simulate, simulate_turns
from dicekit.solve import chain
from dicekit.solve.best_sheet import best_sheet
from dicekit.solve.best_turn import best_turn
from dicekit.solve.chain import MarkovChain
from dicekit.solve.race import best_race, least_turns
from dicekit.solve.turn import turn_result

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
NO_FIGURE = "No figure here, as matplotlib is missing. In words: "
LIBRARIES = ("numpy", "matplotlib", "tqdm")


@pytest.fixture
def bare(monkeypatch):
    """As if the libraries were not there."""
    for name in [*sys.modules, *LIBRARIES]:
        if name.partition(".")[0] in LIBRARIES:
            monkeypatch.setitem(sys.modules, name, None)


def early(points, dice):
    return points >= 250 or dice == 1


def near(found, expected, error):
    return abs(found - float(expected)) <= 4 * error


# Figures


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_a_figure_says_the_same_words_without_being_drawn(figure, request):
    words = alt_text(figure())
    request.getfixturevalue("bare")
    ax = figure()
    assert alt_text(ax) == words
    ax.set_title("my title")
    ax.axhline(0.5, color="red").set_label("half")
    assert repr(show(ax)) == NO_FIGURE + words
    assert repr(show(figure(ax), alt="Ten bars.")) == f"{NO_FIGURE}Ten bars."


def test_what_a_figure_refuses_it_refuses_without_being_drawn_too(bare):
    with pytest.raises(ValueError, match="bars show a distribution"):
        bars(3)
    with pytest.raises(ValueError, match="1 to 4"):
        bars(dict.fromkeys("abcde", throws(1)))
    with pytest.raises(ValueError, match="the Axes of a figure"):
        show(throws(1))


# Turns and games


@pytest.mark.parametrize(
    ("game", "rule", "options"),
    [
        (Farkle(), early, {"die": Die.loaded({1: 0.25})}),
        (Farkle(opening=500), 200, {"opened": False}),
        (Farkle(three_pairs=750), best_turn, {}),
        (FiveThousand(), 500, {}),
        (FiveThousand.beginner(exact=True, wins_at_once=None), 400, {"score": 4600}),
        (FiveThousand.beginner(prediction="turn", wins_at_once=None), best_turn, {}),
    ],
)
def test_turns_bring_what_turn_result_says(game, rule, options, bare):
    rule = rule(game) if rule is best_turn else rule
    found = simulate_turns(game, rule, turns=5000, seed=3, **options)
    exact = turn_result(game, rule, **options)
    values = exact.map(lambda points: game.target if points == "win" else points)
    assert near(found.mean, E(values), found.error)
    mean = E(values)
    spread = math.sqrt(E(lambda points: (points - mean) ** 2, values))
    assert found.error == pytest.approx(spread / math.sqrt(5000), rel=0.2)
    for points, chance in exact.items():
        expected = 5000 * float(chance)
        assert near(found.counts.get(points, 0), expected, max(1, expected) ** 0.5), points
    assert sum(found.counts.values()) == len(found.points) == 5000
    assert simulate_turns(game, rule, turns=250, seed=3, **options).points == found.points[:250]
    assert simulate_turns(game, rule, turns=250, seed=4, **options) != found


class Watched(Random):
    """Remembers its throws."""

    def __init__(self, seed):
        super().__init__(seed)
        self.thrown = []

    def choices(self, *given, **named):
        self.thrown.append(super().choices(*given, **named))
        return self.thrown[-1]


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        (Farkle(target=1500, opening=500, farkle_penalty=500), [1000, 200, early]),
        (Farkle(target=1000, minimum=350, last_round=False, alike="multiples"), [best_turn, 400]),
        (FiveThousand(target=2500), [500, 800]),
        (FiveThousand.beginner(target=1500, three_zeros=True, keep="any"), [best_turn, 250, early]),
        (FiveThousand.beginner(target=1000, full_hand="must", wins_at_once="five alike"), [50, 1]),
    ],
)
def test_each_game_is_one_that_the_states_play_too(game, rules, bare, monkeypatch):
    randoms = []

    def watched(seed):
        randoms.append(Watched(seed))
        return randoms[-1]

    monkeypatch.setattr(one_by_one, "Random", watched)
    rules = [rule(game) if rule is best_turn else rule for rule in rules]
    players = [TurnPlayer.of(rule, game) for rule in rules]
    for seed in range(8):
        randoms.clear()
        found = simulate(game, rules, games=1, seed=seed)
        thrown = randoms[0].thrown
        state, turns = played_again(game.start(*found.players), thrown, players)
        assert (thrown, found.scores, found.turns) == ([], [list(state.scores)], [turns])
        assert [k for k, won in enumerate(found.won[0]) if won] == list(state.winners)


def test_what_a_sample_of_games_says(bare):
    found = simulate(Farkle(target=50, last_round=False), {"Ana": 50, "Bo": 50}, games=1500)
    assert near(found.wins["Ana"], 216 / 221, found.error["Ana"])
    assert repr(found).startswith("1,500 games, 1.0 turns a game on average\nplayer")
    assert sum(simulate(DicePoker(), [HoldsAlike()] * 2, games=20).wins.values()) >= 1


# What cannot be had


def test_the_best_play_of_other_rules_is_one_sentence(bare, capsys):
    asked = or_missing(best_race)
    chances = {target: asked(Farkle(target=target)).first for target in (500, 1000, 10_000)}
    sentence = "best_race needs numpy for this, and numpy is missing here: – is the answer.\n"
    assert capsys.readouterr().out == sentence
    assert f"{chances[500]:8.1%}|{chances[500] - 0.5}|{chances[10_000]:.3f}" == "       –|–|0.532"
    assert repr(show(bars(chances))) == repr(show(race(asked(Farkle(target=500))))) == "–"
    assert isinstance(or_missing(simulate)(Farkle(target=500), [Perfect(), BestTurns()]), Missing)
    assert simulate(Farkle(target=2000), [Perfect(), 300], 2, progress=True).players == ("A", "B")
    assert isinstance(or_missing(best_sheet)(DicePoker.yatzy()), Missing)
    with pytest.raises(ValueError, match="only the usual rules"):  # for who asks inside
        best_race(Farkle(target=550, last_round=False))


def test_mistakes_are_no_missing_library(bare):
    with pytest.raises(ValueError, match="three_zeros"):
        or_missing(best_race)(FiveThousand(three_zeros=True))
    with pytest.raises(ValueError, match="no game"):
        or_missing(simulate)("farkle", [300])
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        or_missing(lambda: __import__("nowhere"))()


def test_with_numpy_there_is_no_stand_in():
    for function in (best_race, least_turns, simulate):
        assert getattr(dicekit, function.__name__) is or_missing(function) is function


@pytest.mark.parametrize("size", [1, 7, 40])
def test_a_chain_in_floats_is_the_exact_one(size, bare, monkeypatch):
    random = Random(size)
    ways = {n: Counter(random.choices([*range(size), "end"], k=5)) for n in range(size)}
    steps = {n: Distribution(way | {"end": way["end"] + 1}) for n, way in ways.items()}
    exact = MarkovChain(steps)
    monkeypatch.setattr(chain, "LARGEST", 0)
    floats = MarkovChain(steps)
    for state, mean in exact.mean_steps.items():
        assert isinstance(floats.mean_steps[state], float)
        assert floats.mean_steps[state] == pytest.approx(float(mean), rel=1e-12)
        assert floats.ends[state]["end"] == pytest.approx(1, rel=1e-12)


# The lessons

# Nothing of the libraries, and no process or thread of a cell.
BLOCKED = """
import subprocess, sys, threading
from importlib.machinery import PathFinder

find, there = PathFinder.find_spec, {"numpy", "matplotlib", "tqdm"}.isdisjoint(sys.modules)
assert there, "a library is there already"

def without(name, *more):
    gone = name.partition(".")[0] in ("numpy", "matplotlib", "tqdm")
    return None if gone else find(name, *more)

def nothing(*given, **named):
    raise RuntimeError("a browser has no processes and no threads")

PathFinder.find_spec = without
subprocess.Popen.__init__ = threading.Thread.start = nothing
"""
RACES = ["least_turns", "best_race"]
SAID = {
    "09": ["best_race", "simulate", "least_turns"],
    "12": [*RACES, "least_turns", *RACES, *["best_race"] * 2, "best_play", "best_race", *RACES],
}
DASHES = {"09": 1, "12": 2}  # in place of a figure's words
QUICK = "05", "09"


def lessons():
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        slow = not path.name.startswith(QUICK)
        yield pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if slow else [])


@pytest.mark.parametrize("path", [*lessons()])
def test_a_lesson_runs_and_says_what_is_missing(path, tmp_path):
    notebook = nbformat.read(path, 4)
    shown = sum("plots.show(" in cell.source for cell in notebook.cells)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(BLOCKED))
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert not [output.text for output in outputs if output.get("name") == "stderr"]
    said = "".join(output.get("text", "") for output in outputs)
    number = path.name[:2]
    assert re.findall(r"(\w+) needs numpy for this", said) == SAID.get(number, [])
    texts = [output.get("data", {}).get("text/plain", "") for output in outputs]
    assert texts.count("–") == DASHES.get(number, 0)
    assert sum(NO_FIGURE in text for text in texts) == shown - DASHES.get(number, 0)
    assert "nan" not in re.findall(r"\w+", said)
