"""Figures: what is drawn and said, read back and compared with counts made here."""

import math
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import process_time

import nbformat
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import Circle, FancyArrowPatch
from matplotlib.text import Text
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from sympy import Rational, Symbol
from turn_oracle import best_turn_float, farkle

from dicekit.dice import Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.plots import (
    alt_text,
    bars,
    bust_chances,
    chain,
    decisions,
    intervals,
    observed,
    race,
    running_mean,
    show,
    throw_or_bank,
    turns,
)
from dicekit.probability import Distribution, throws
from dicekit.solve.best_turn import best_turn
from dicekit.solve.chain import MarkovChain, waiting
from dicekit.solve.race import best_race

HALF = Fraction(1, 2)
TWO = Counter(a + b for a, b in product(range(1, 7), repeat=2))
FOUR = Counter(map(sum, product(range(1, 7), repeat=4)))
THREE = Counter(map(sum, product(range(1, 7), repeat=3)))
LOADED = Die.loaded({6: Fraction(2, 5)})
SYMBOLIC = Die.loaded({6: Symbol("p")})
FARKLE_BUST = ["2/3", "4/9", "5/18", "17/108", "25/324", "5/216"]
FARKLE_BANK = {1: 350, 2: 300, 3: 450, 4: 1050, 5: 3100, 6: 18400}
WEATHER = MarkovChain({"sun": {"sun": 0.75, "rain": 0.25}, "rain": {"sun": 0.5, "flood": 0.5}})
ROWS = {"three of a kind": 0.15, "small straight": 0.02, "large straight": 0.01, "a pair": 0.7}


@dataclass
class Seen:
    """What was observed, with bands as a test wants them."""

    counts: dict
    exact: Distribution
    bands: dict

    @property
    def n(self):
        return sum(self.counts.values())

    def band(self, outcome):
        return self.bands[outcome]


def seen(counts, exact, reach):
    n = sum(counts)
    bands = {x: (max(0, int(n * p - reach)), int(n * p + reach)) for x, p in exact.items()}
    return Seen(dict(zip(exact, counts, strict=True)), exact, bands)


ONE = throws(1).map(sum)
DIE = seen([82, 74, 103, 90, 118, 133], ONE, 18)
BUSTS = seen([24, 976], throws(6).map(lambda t: "bust" if Farkle().is_bust(t) else "scores"), 10)
HANDS = {"five of a kind": 1, "four of a kind": 25, "full house": 50, "three of a kind": 200}
HANDS |= {"two pairs": 300, "one pair": 600, "straight": 120}
HANDS = seen([0, 7, 12, 64, 82, 141, 94], Distribution(HANDS), 30)
RANDOM = Random(1)
THROWN = RANDOM.choices(range(1, 7), k=3000)
GROUPS = [RANDOM.choices(range(1, 7), k=30) for _ in range(30)]
RULES = {200: 1, 300: 2, 500: 3, 1000: 4}  # a turn brings so much if a die shows more than this
RULES = {f"bank at {at}": [at * (v > k) for v in THROWN[at:][:300]] for at, k in RULES.items()}

FIGURES = {
    "sums": lambda ax=None: bars(throws(2).map(sum), ax, "How likely is each sum of two dice?"),
    "three": lambda ax=None: bars(throws(3).map(sum), ax),
    "many": lambda ax=None: bars(throws(8).map(sum), ax),
    "compared": lambda ax=None: bars({"fair": throws(1), "loaded": throws(1, LOADED)}, ax),
    "rows": lambda ax=None: bars(ROWS, ax, "How likely is each of these rows in one throw?"),
    "throws": lambda ax=None: bars(throws(2), ax),
    "points": lambda ax=None: bars(Distribution({0: 6, 300: 3, 350: 2, 1000: 1, "win": 1}), ax),
    "bust": lambda ax=None: bust_chances(Farkle(), ax),
    "busts": lambda ax=None: bust_chances([Farkle(), FiveThousand()], ax),
    "stop": lambda ax=None: throw_or_bank(best_turn(Farkle()), 2, ax),
    "stop late": lambda ax=None: throw_or_bank(best_turn(Farkle()), 6, ax),
    "map": lambda ax=None: decisions(best_turn(Farkle()), ax),
    "race": lambda ax=None: race(best_race(Farkle()), ax),
    "short race": lambda ax=None: race(best_race(Farkle(target=2000)), ax),
    "curves": lambda ax=None: turns({"six": waiting(Fraction(1, 6)), "heads": waiting(HALF)}, ax),
    "chain": lambda ax=None: chain(WEATHER, ax),
    "die": lambda ax=None: observed(DIE, ax, "The red die of our class"),
    "two": lambda ax=None: observed(BUSTS, ax),
    "hands": lambda ax=None: observed(HANDS, ax),
    "mean": lambda ax=None: running_mean(THROWN, ONE, ax),
    "means": lambda ax=None: running_mean(RULES, ax=ax),
    "groups": lambda ax=None: intervals(GROUPS, ONE, ax),
}
each_figure = pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)


@pytest.fixture(autouse=True)
def no_open_figure():
    yield
    assert pyplot.get_fignums() == []


def heights(ax, series=0):
    return [bar.get_height() for bar in ax.containers[series]]


def widths(ax, series=0):
    return [bar.get_width() for bar in ax.containers[series]]


def written(ax):
    """The words in the plot itself."""
    return [text.get_text() for text in ax.texts if text.get_text()]


def names(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def line(ax, label):
    return next(found for found in ax.lines if found.get_label() == label)


@pytest.fixture
def drawn(monkeypatch):
    """Draws a figure; gives its extent in pixels, and every text that is really drawn."""
    found, draw = [], Text.draw

    def record(text, renderer):
        if text.get_visible() and text.get_text():
            found.append(text)
        draw(text, renderer)

    def drawn(ax):
        FigureCanvasAgg(ax.figure).draw()
        found.clear()
        monkeypatch.setattr(Text, "draw", record)
        ax.figure.canvas.draw()
        monkeypatch.setattr(Text, "draw", draw)
        return ax.figure.bbox, list(found)

    return drawn


# Bars


def test_bars_are_as_high_as_the_chances_and_say_them():
    ax = FIGURES["sums"]()
    assert heights(ax) == [TWO[total] / 36 for total in range(2, 13)]
    assert [bar.get_center()[0] for bar in ax.patches] == pytest.approx(range(2, 13))
    assert written(ax) == [str(Rational(TWO[total], 36)) for total in range(2, 13)]
    assert names(ax.xaxis) == [str(total) for total in range(2, 13)]
    assert ax.get_title(loc="left") == "How likely is each sum of two dice?"
    ax.figure.canvas.draw()
    assert names(ax.yaxis)[:2] == ["0 %", "5 %"]


def test_without_room_only_the_highest_bars_are_labelled():
    ax = FIGURES["three"]()
    assert heights(ax) == [THREE[total] / 216 for total in range(3, 19)]
    assert written(ax) == ["1/8", "1/8"]
    many = FIGURES["many"]()
    assert written(many) == ["8.1 %"]
    expected = sum(FOUR[n] * FOUR[28 - n] for n in range(4, 25)) / 6**8
    assert max(heights(many)) == expected
    assert 0 < heights(many)[0] < expected / 100  # the rarest sums would not be seen
    assert len(heights(many)) % 2 == 1
    assert len(names(many.xaxis)) < 12


def test_order_of_the_outcomes_does_not_matter():
    ax = bars(Distribution({3: 1, 1: 2, 2: 1}))
    assert heights(ax) == [0.5, 0.25, 0.25]
    assert "1: 1/2 (50.00 %), 2: 1/4 (25.00 %), 3: 1/4 (25.00 %)" in alt_text(ax)


def test_per_cent_where_fractions_are_long():
    ax = bars({"a": Fraction(1, 3), "b": Fraction(12345, 123456), "c": Fraction(1, 98765)})
    assert written(ax) == ["33 %", "10 %", "0.001 %"]


def test_two_distributions_side_by_side():
    ax = FIGURES["compared"]()
    assert heights(ax, 0) == [1 / 6] * 6
    assert heights(ax, 1) == [float(Fraction(3, 25))] * 5 + [0.4]
    fair, loaded = ({bar.get_hatch() for bar in series} for series in ax.containers)
    assert fair.isdisjoint(loaded)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["fair", "loaded"]
    assert written(ax) == ["1/6"] * 6 + ["3/25"] * 5 + ["2/5"]
    first, second = (series[0] for series in ax.containers)
    assert first.get_x() + first.get_width() == pytest.approx(second.get_x())


def test_a_series_may_lack_outcomes():
    ax = bars({"seen": Distribution({2: 1, 3: 1}), "exact": throws(2).map(sum)})
    assert [bar.get_center()[0] for bar in ax.containers[0]] == pytest.approx([1.79, 2.79])
    assert len(ax.containers[1]) == 11


def test_long_names_stand_beside_lying_bars():
    ax = FIGURES["rows"]()
    assert widths(ax) == list(ROWS.values())
    assert names(ax.yaxis) == list(ROWS)
    assert written(ax) == ["3/20", "1/50", "1/100", "7/10"]
    top, *_, bottom = (bar.get_window_extent().y0 for bar in ax.patches)
    assert top > bottom


def test_points_stand_at_their_place_and_a_word_beside_them():
    ax = FIGURES["points"]()
    at = [bar.get_center()[0] for bar in ax.patches]
    assert at == pytest.approx([0, 300, 350, 1000, 1100])
    assert heights(ax) == [6 / 13, 3 / 13, 2 / 13, 1 / 13, 1 / 13]
    assert names(ax.xaxis)[-1] == "win"


def test_yes_and_no_are_words():
    ax = bars(throws(6).map(Farkle().is_bust))
    assert names(ax.xaxis) == ["False", "True"]
    assert written(ax) == ["211/216", "5/216"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (throws(1, SYMBOLIC), "the chance of 1 is 1/5 - p/5; to draw it, put a number"),
        ({"fair": throws(1), "loaded": throws(1, SYMBOLIC)}, "put a number in place of the symbol"),
        (throws(4), "126 bars are too many"),
        ({"a": 1.5}, "the chance of a is 3/2, which is not from 0 to 1"),
        ({"a": "often"}, "'often' is not a number"),
        ({}, "a distribution, or a dict"),
        ([0.5, 0.5], "a distribution, or a dict"),
        ({name: throws(1) for name in "abcde"}, "1 to 4 of them, not 5"),
        ({"a": throws(1), "b": 0.5}, "a distribution, or a dict"),
    ],
    ids=str,
)
def test_what_cannot_be_shown_as_bars(wrong, words):
    with pytest.raises(ValueError, match=words):
        bars(wrong)


def test_bust_chances():
    ax = FIGURES["bust"]()
    assert heights(ax) == [float(Rational(chance)) for chance in FARKLE_BUST]
    assert written(ax) == FARKLE_BUST
    assert ax.get_xlabel() == "number of dice thrown"


def test_bust_chances_of_two_games():
    ax = FIGURES["busts"]()
    assert heights(ax, 1) == [2 / 3, 4 / 9, 8 / 27, 16 / 81, 25 / 324]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["Farkle", "5000"]
    assert "30 %" in written(ax)
    loaded = bust_chances(Farkle(), die=LOADED)
    assert heights(loaded)[0] == 1 - 2 * 0.12


@pytest.mark.parametrize(
    ("games", "words"),
    [
        (DicePoker(), "games with a bust"),
        ([Farkle(), Farkle(opening=500)], "of one name"),
        ([], "1 to 4 of them, not 0"),
        ("Farkle", "1 to 4 of them|games with a bust|of one name"),
    ],
    ids=str,
)
def test_what_has_no_bust_chances(games, words):
    with pytest.raises(ValueError, match=words):
        bust_chances(games)


def test_a_bust_with_symbols_cannot_be_drawn():
    with pytest.raises(ValueError, match="put a number in place of the symbol"):
        bust_chances(Farkle(), die=SYMBOLIC)


# Throw or bank


@pytest.fixture(scope="module")
def oracle():
    return best_turn_float(farkle(), cap=20_000)


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_throw_or_bank(oracle, dice):
    ax = throw_or_bank(best_turn(Farkle()), dice)
    points, values = line(ax, "throw").get_data()
    assert list(points) == list(range(0, int(points[-1]) + 50, 50))
    assert values == pytest.approx([oracle.throw_value[x, dice] for x in points])
    points, values = line(ax, "bank").get_data()
    assert list(points) == list(values)
    least = oracle.bank_at[dice]
    assert ax.lines[-1].get_xydata()[-1].tolist() == [least, least]
    assert written(ax) == [f"bank from {least}"]
    assert f"bank from {least}. " in alt_text(ax).lower()
    assert f"{oracle.throw_value[0, dice]:,.1f} with no points" in alt_text(ax)
    assert f"{oracle.throw_value[least, dice]:,.1f} with {least}" in alt_text(ax)


def test_the_bank_line_begins_where_one_may_bank():
    ax = throw_or_bank(best_turn(FiveThousand(minimum=500)), 2)
    assert line(ax, "bank").get_xdata()[0] == 500
    assert written(ax) == ["bank from 500"]


def test_where_one_never_banks():
    ax = throw_or_bank(best_turn(FiveThousand(full_hand="must")), 5)
    assert written(ax) == ["always throw"]
    assert "Always throw." in alt_text(ax)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["throw"]


def test_a_table_without_fives_counts_in_hundreds():
    turn = best_turn(Farkle(table=Farkle().table | {"5": None}))
    points, values = line(throw_or_bank(turn, 1), "throw").get_data()
    assert points[1] == 100
    assert values[0] == float(turn.throw_value(0, 1))


@pytest.mark.parametrize("upto", [None, 4000])
def test_decisions(upto):
    turn = best_turn(Farkle())
    ax = decisions(turn, upto=upto)
    cells = {}
    for field in ax.patches:
        banks = bool(field.get_hatch())
        dice, first = round(field.get_center()[1]), round(field.get_x())
        for points in range(first, first + round(field.get_width()), 50):
            cells[points, dice] = banks
    assert cells == {
        (points, dice): points >= FARKLE_BANK[dice]
        for points in range(0, upto or 1500, 50)
        for dice in range(1, 7)
    }
    assert {"throw", "bank from 300", "bank from 1,050", "throw (bank from 18,400)"} <= {
        *written(ax)
    }
    assert alt_text(ax).endswith("5 dice: bank from 3,100, 6 dice: bank from 18,400.")


def test_fields_of_two_decisions_differ_in_colour_and_hatch():
    fields = {field.get_label(): field for field in decisions(best_turn(Farkle())).containers}
    throw, bank = fields["throw"][0], fields["bank"][0]
    assert throw.get_facecolor() != bank.get_facecolor()
    assert (throw.get_hatch() or "", bank.get_hatch()) == ("", "//")


@pytest.mark.parametrize("upto", [1500, 4000, 9000])
def test_words_keep_within_their_field(drawn, upto):
    ax = decisions(best_turn(Farkle()), upto=upto)
    drawn(ax)
    fields = [field.get_window_extent().padded(1) for field in ax.patches]
    for text in ax.texts:
        box = text.get_window_extent()
        assert not text.get_text() or any(
            field.x0 < box.x0 and box.x1 < field.x1 and field.y0 < box.y0 < field.y1
            for field in fields
        ), text.get_text()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: throw_or_bank(best_turn(Farkle()), 7), "never has 7 dice"),
        (lambda: throw_or_bank(best_turn(Farkle()), [1]), "never has"),
        (lambda: throw_or_bank(Farkle(), 2), "takes a best turn"),
        (lambda: decisions(300), "takes a best turn"),
        (lambda: decisions(best_turn(Farkle()), upto=0), "upto is a number of points, 50 or more"),
        (lambda: decisions(best_turn(Farkle()), upto="all"), "upto is a number of points"),
        (lambda: race(Farkle()), "takes a race of two"),
        (lambda: turns({"a": throws(1)}), "takes waiting times"),
        (lambda: turns(waiting(Symbol("p"))), "numbers"),
        (lambda: turns({}), "1 to 4 of them, not 0"),
        (lambda: chain({1: {1: 1}}), "takes a MarkovChain"),
        (lambda: chain(MarkovChain({k: {k + 1: 1} for k in range(10)})), "11 states are too many"),
        (lambda: bars(throws(1), ax=3), "takes the Axes of a figure"),
        (lambda: observed({1: 3}), "takes what was observed"),
        (lambda: observed(seen([0] * 6, ONE, 0)), "nothing has been observed"),
        (lambda: observed(seen([1] * 126, throws(4), 2)), "1 to 24 of them, not 126"),
        (lambda: running_mean([]), "need two values, not 0"),
        (lambda: running_mean([3]), "need two values, not 1"),
        (lambda: running_mean({"red": [1, 2], "blue": [1, math.nan]}), "blue: value 2 is nan"),
        (lambda: running_mean([1, math.inf]), "value 2 is inf"),
        (lambda: running_mean("1 2 3"), "a list of numbers, not '1 2 3'"),
        (lambda: running_mean(["1", "2"]), "a list of numbers, not"),
        (lambda: running_mean([[1, 2], [3, 4]]), "a list of numbers, not"),
        (lambda: running_mean({name: [1, 2] for name in "abcde"}), "1 to 4 of them, not 5"),
        (lambda: running_mean([1, 2], Distribution({300: 1, "win": 1})), "'win' gives 'win'"),
        (lambda: running_mean([1, 2], Symbol("p")), "a number in place of symbols"),
        (lambda: intervals([[1, 2], [3]], 2), "sample 2: .* need two values, not 1"),
        (lambda: intervals([1, 2, 3], 2), "sample 1: a sample is a list of numbers, not 1"),
        (lambda: intervals(3, 2), "takes a list of samples, not 3"),
        (lambda: intervals([[1, 2]] * 41, 2), "1 to 40 of them, not 41"),
        (lambda: intervals([[1, 2]], "3.5 or so"), "is not a number"),
    ],
)
def test_what_cannot_be_drawn(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# Many turns and chains


def test_race():
    found = best_race(Farkle())
    ax = race(found)
    assert "53.2% at 0 to 0; even at 0 to 300, 5,000 to 5,300." in alt_text(ax)
    (even,) = [lines for lines in ax.collections if lines.get_linewidth()[0] == 4]
    for a, b in even.get_paths()[0].vertices:
        assert found.chance(int(a) // 50 * 50, int(b) // 50 * 50) == pytest.approx(0.5, abs=0.02)


def test_turns():
    ax = FIGURES["curves"]()
    n, chances = line(ax, "six: half by turn 4").get_data()
    assert list(n) == list(range(len(n)))
    assert chances == pytest.approx([1 - (5 / 6) ** k for k in n])
    other = line(ax, "heads: half by turn 1")
    assert other.get_ydata() == pytest.approx([1 - 0.5**k for k in n])
    assert other.get_linestyle() != line(ax, "six: half by turn 4").get_linestyle()
    assert other.get_marker() != line(ax, "six: half by turn 4").get_marker()
    medians = [mark.get_xydata()[-1] for mark in ax.lines if mark.get_label() == "_"]
    assert medians == [pytest.approx([4, 1 - (5 / 6) ** 4]), pytest.approx([1, 0.5])]
    assert "Six: half by turn 4, nine in ten by turn 13; heads: half by turn 1" in alt_text(ax)


def test_one_waiting_time_needs_no_name():
    assert "One player: half by turn 4" in alt_text(turns(waiting(Fraction(1, 6))))


def test_chain():
    ax = FIGURES["chain"]()
    assert Counter(written(ax)) == Counter(
        ["sun", "rain", "flood", "3/4", "1/4", "1/2", "1/2"]  # and no arrow out of the flood
    )
    rings = Counter(p.center for p in ax.patches if isinstance(p, Circle))
    assert sorted(rings.values()) == [1, 1, 2]
    place = {text.get_text(): text.get_position() for text in ax.texts}
    assert rings[place["flood"]] == 2
    ways = [p.get_path() for p in ax.patches if isinstance(p, FancyArrowPatch)]
    assert len(ways) == 4
    assert alt_text(ax).endswith(
        "From sun to sun with 3/4, to rain with 1/4; "
        "from rain to sun with 1/2, to flood with 1/2; from flood no way out."
    )


def test_arrows_lead_from_node_to_node():
    ax = chain(MarkovChain({"a": {"b": 1}, "b": {"c": 1}, "c": {"d": 1}}))
    place = {text.get_text(): text.get_position() for text in ax.texts}
    (radius,) = {p.radius for p in ax.patches if isinstance(p, Circle) and p.center == place["a"]}
    arrows = [p for p in ax.patches if isinstance(p, FancyArrowPatch)]
    chances = [text.get_position() for text in ax.texts if text.get_text() == "1"]
    for arrow, chance, (start, end) in zip(arrows, chances, ["ab", "bc", "cd"], strict=True):
        first, last = (
            min(math.dist(place[node], point) for point in arrow.get_path().vertices)
            for node in (start, end)
        )
        assert first == pytest.approx(radius)
        assert last == pytest.approx(radius, abs=0.05)  # the line ends within the arrow's head
        assert math.dist(chance, place[start]) < math.dist(chance, place[end])


def test_a_chain_may_have_symbols():
    p = Symbol("p")
    assert {"p", "1 - p"} < set(written(chain(MarkovChain({0: {0: 1 - p, 1: p}}))))


def test_a_chain_of_one_state():
    assert written(chain(MarkovChain({"here": {"here": 1}}))) == ["here"]


# Samples


def dots(ax, marker):
    return [list(zip(*x.get_data(), strict=True)) for x in ax.lines if x.get_marker() == marker]


def ends(ax, group):
    """The ends of lines that are drawn together."""
    return [segment.tolist() for segment in ax.collections[group].get_segments()]


def test_observed_counts_stand_beside_their_bands():
    ax = FIGURES["die"]()
    assert [(bar.get_x(), bar.get_width()) for bar in ax.patches] == [(82, 36)] * 6
    assert [start for start, _ in ends(ax, 0)] == [[100, pytest.approx(k - 0.32)] for k in range(6)]
    assert dots(ax, "o") == [[(82, 0), (103, 2), (90, 3), (118, 4)]]  # 82 and 118 are just within
    assert dots(ax, "D") == [[(74, 1), (133, 5)]]
    assert written(ax) == ["82", "74  outside", "103", "90", "118", "133  outside"]
    assert names(ax.yaxis) == list("123456")
    assert ax.get_xlabel() == "times out of 600"
    text = alt_text(ax)
    assert text.startswith("Counts out of 600 and 95 % bands, 2 of 6 outside: The red die")
    assert "1: 82 (100.0 expected, 82 to 118), 2: 74 (100.0 expected, 82 to 118; outside)" in text


def test_what_never_came_is_shown_too():
    ax = observed(
        Seen({1: 30, 2: 30}, Distribution({1: 1, 2: 1, 3: 1}), dict.fromkeys([1, 2, 3], (13, 27)))
    )
    assert dots(ax, "D") == [[(30, 0), (30, 1), (0, 2)]]
    assert written(ax)[2] == "0  outside"


def test_of_many_outcomes_only_those_outside_are_told():
    often = seen([10] * 20 + [19], throws(2), 9)
    words = alt_text(observed(often))
    assert ", 1 of 21 outside: " in words
    assert words.count("expected") == 1 and "6-6: 19 (6.1 expected" in words


@pytest.mark.parametrize("figure", ["die", "two", "hands"])
def test_counts_are_measured_from_nothing(figure):
    left, right = FIGURES[figure]().get_xlim()
    assert -right / 20 < left < 0


def test_an_axis_of_high_counts_begins_near_them():
    ax = observed(seen([9800, 10100, 10000, 10000, 10000, 10100], ONE, 180))
    assert 9700 < ax.get_xlim()[0] < 9800


def test_running_mean():
    ax = FIGURES["mean"]()
    curve = ax.lines[0]
    n, means = curve.get_data()
    assert (n[0], n[-1]) == (10, 3000) and 200 < len(n) <= 300
    assert means == pytest.approx([fmean(THROWN[:k]) for k in n])
    assert ax.get_xscale() == "log"
    reach = 1.96 * math.sqrt(35 / 12)
    low, high = (edge.get_ydata() for edge in ax.lines[1:] if edge.get_linewidth() == 1)
    assert low == pytest.approx([3.5 - reach / math.sqrt(k) for k in n])
    assert high == pytest.approx([3.5 + reach / math.sqrt(k) for k in n])
    assert line(ax, "exact mean: 3.500").get_ydata() == [3.5, 3.5]
    near = reach / math.sqrt(3000)
    first, last = fmean(THROWN[:10]), fmean(THROWN)
    assert alt_text(ax).endswith(
        f"Sample: {first:.3f} after 10, {last:.3f} after 3,000; exact mean: 3.500; "
        f"95 % band after 3,000: {3.5 - near:.3f} to {3.5 + near:.3f}."
    )


def test_without_the_exact_distribution_each_sample_has_its_own_band():
    ax = FIGURES["means"]()
    told = re.findall(
        r"(bank at \d+): .*?band after 300: (\S+) to ([\d.]+\d)", alt_text(ax).lower()
    )
    assert [name for name, *_ in told] == list(RULES)
    edges = iter([edge for edge in ax.lines if edge.get_linewidth() == 1])
    for (name, *band), values in zip(told, RULES.values(), strict=True):
        mean, reach = fmean(values), 1.96 * stdev(values) / math.sqrt(300)
        assert [float(end) for end in band] == pytest.approx([mean - reach, mean + reach], rel=1e-2)
        assert line(ax, f"{name}: {mean:.0f}")
        assert next(edges).get_ydata()[-1] == pytest.approx(mean - reach)
        assert next(edges).get_ydata()[-1] == pytest.approx(mean + reach)


def test_of_the_exact_a_mean_alone_will_do():
    ax = running_mean([0, 1, 1, 0], Rational(1, 3))
    low, high = (edge.get_ydata()[-1] for edge in ax.lines if edge.get_linewidth() == 1)
    assert (low + high) / 2 == pytest.approx(1 / 3)
    assert (high - low) / 2 == pytest.approx(1.96 * stdev([0, 1, 1, 0]) / 2)


def test_a_million_values_are_drawn_at_once():
    values = np.random.default_rng(1).integers(1, 7, 1_000_000)
    start = process_time()
    ax = running_mean(values, ONE)
    assert process_time() - start < 1
    assert ax.lines[0].get_data()[1][-1] == values.mean()


def test_intervals():
    ax = FIGURES["groups"]()
    found = []
    for values in GROUPS:
        reach = 1.96 * stdev(values) / math.sqrt(30)
        found.append((fmean(values) - reach, fmean(values) + reach))
    missed = [k for k, (low, high) in enumerate(found) if not low <= 3.5 <= high]
    assert 0 < len(missed) < 6
    kept = [k for k in range(30) if k not in missed]
    for marker, group, where in (("o", 0, kept), ("D", 1, missed)):
        drawn = [(start[0], end[0], start[1]) for start, end in ends(ax, group)]
        assert drawn == [pytest.approx((*found[k], k)) for k in where]
        (middles,) = dots(ax, marker)
        assert middles == [pytest.approx((fmean(GROUPS[k]), k)) for k in where]
    held, misses = (lines.get_linewidth()[0] for lines in ax.collections)
    assert held < misses
    assert written(ax) == ["  misses  "] * len(missed)
    assert ax.get_xlabel() == f"95 % intervals; exact mean 3.50, missed by {len(missed)} of 30"
    told = re.findall(r"sample (\d+) (\S+) to (\d\.\d+)", alt_text(ax))
    assert told == [(str(k + 1), f"{found[k][0]:.2f}", f"{found[k][1]:.2f}") for k in missed]
    assert f"missed by {len(missed)} of 30; " in alt_text(ax)


# All figures


def outside(figure, texts):
    extents = [(text.get_text(), text.get_window_extent()) for text in texts]
    return [words for words, box in extents if box.x0 < 0 or box.x1 > figure.x1] + [
        words for words, box in extents if box.y0 < 0 or box.y1 > figure.y1
    ]


@each_figure
def test_every_word_can_be_read_from_afar(figure, drawn):
    ax = figure()
    whole, texts = drawn(ax)
    assert len(texts) > 3
    assert outside(whole, texts) == []
    assert min(text.get_fontsize() for text in texts) >= 12
    assert ax.figure.get_facecolor() == (1, 1, 1, 1)


@each_figure
def test_no_two_words_lie_over_each_other(figure, drawn):
    _, texts = drawn(figure())
    boxes = [(text.get_text(), text.get_window_extent().padded(-1)) for text in texts]
    assert [
        (words, other)
        for k, (words, box) in enumerate(boxes)
        for other, another in boxes[:k]
        if box.overlaps(another)
    ] == []


@pytest.mark.parametrize("names", [list(FIGURES)[i : i + 4] for i in range(0, len(FIGURES), 4)])
def test_drawn_into_given_axes(names, drawn):
    _, axes = pyplot.subplots(2, 2, figsize=(14, 10), layout="constrained")
    for name, ax in zip(names, axes.flat, strict=False):
        assert FIGURES[name](ax) is ax
        assert ax.has_data()
        assert alt_text(ax) == alt_text(FIGURES[name]())
    assert outside(*drawn(axes.flat[0])) == []
    assert show(axes.flat[0]).alt.startswith(alt_text(axes.flat[0]))


# Description and picture


@each_figure
def test_descriptions_are_sentences(figure):
    text = alt_text(figure())
    assert text[0].isupper() and text.endswith(".") and "\n" not in text
    assert 40 < len(text) < 500


def test_long_distributions_are_summed_up():
    assert alt_text(FIGURES["three"]()) == (
        "Bars: How likely is each outcome? 16 outcomes, 3 to 18, "
        "likeliest 10 and 11 with 1/8 (12.50 %)."
    )


def test_no_description():
    _, ax = pyplot.subplots()
    with pytest.raises(ValueError, match="no description"):
        alt_text(ax)
    with pytest.raises(ValueError, match="no description"):
        show(ax)
    for wrong in ("", 3):
        with pytest.raises(ValueError, match="in words"):
            show(ax, alt=wrong)
    with pytest.raises(ValueError, match="Axes of a figure"):
        show("bars")
    assert show(ax, alt="An empty frame.").alt == "An empty frame."


class Images(HTMLParser):
    """The attributes of every image in a page."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag == "img":
            self.found.append(dict(attrs))


def test_show():
    ax = bars({'"pair" & <more>': 0.5, "rest": 0.5}, title="Which?")
    picture = show(ax)
    data, metadata = picture._repr_mimebundle_()
    assert data["text/plain"] == repr(picture) == picture.alt == alt_text(ax)
    assert data["image/png"].startswith(b"\x89PNG\r\n")
    assert b"matplotlib" not in data["image/png"].lower()
    assert metadata["image/png"]["alt"] == picture.alt
    (image,) = Images(data["text/html"]).found
    assert image["alt"] == picture.alt
    assert '"pair" & <more>' in image["alt"]
    assert image["src"].startswith("data:image/png;base64,iVBOR")
    assert image["width"] == "768"


def test_show_is_repeatable():
    ax = FIGURES["sums"]()
    assert show(ax) == show(ax) == show(FIGURES["sums"]())


def test_figures_of_several_parts_are_shown_whole():
    _, (left, right, _) = pyplot.subplots(1, 3)
    bars(throws(1), left)
    bust_chances(Farkle(), right)
    assert show(right).alt == f"{alt_text(left)} {alt_text(right)}"


LESSON = """\
from dicekit.plots import bars, show
from dicekit.probability import throws
show(bars(throws(2).map(sum), title="How likely is each sum?"))"""
SAID = "Bars: How likely is each sum? 2: 1/36 (2.78 %), 3: 1/18 (5.56 %)"


@cache
def lesson():
    """A notebook with a figure, as it is stored."""
    kernel = {"name": "python3", "display_name": "Python 3"}
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    notebook.cells = [nbformat.v4.new_code_cell(LESSON)]
    return NotebookClient(notebook).execute()


def test_html_has_the_description():
    page, _ = HTMLExporter().from_notebook_node(lesson())
    assert [image["alt"][: len(SAID)] for image in Images(page).found] == [SAID]


SANITISER = Path(__file__).with_name("nbval.cfg")  # pixels differ between matplotlib versions


def test_nbval_compares_words_and_not_pixels(tmp_path):
    changes = {"pixels": ("iVBOR", "iVBORABCD"), "words": ("1/18", "1/9")}
    for name, change in changes.items():
        text = nbformat.writes(lesson())
        assert change[0] in text
        (tmp_path / f"{name}.ipynb").write_text(text.replace(*change), encoding="utf-8")
    options = ["--nbval", "--nbval-current-env", f"--nbval-sanitize-with={SANITISER}"]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-rA", "--color=no", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    found = re.findall(r"^(PASSED|FAILED) (\w+)\.ipynb", result.stdout, re.MULTILINE)
    assert found == [("PASSED", "pixels"), ("FAILED", "words")], result.stdout


def test_signs_of_formulas_in_names_are_only_signs():
    names = {"$a_$": Fraction(1, 2), "$": Fraction(1, 4), "\\frac$$": Fraction(1, 4)}
    shown = show(bars(names, title="$x_$"))
    assert shown.png.startswith(b"\x89PNG")
    assert "$a_$: 1/2" in shown.alt
    assert show(chain(MarkovChain({"$x_$": {"$y$": 1}}))).alt.count("$") == 6


def test_chances_that_are_all_nothing():
    assert heights(bars({1: 0, 2: 0})) == [0, 0]
    assert heights(bust_chances(Farkle(), die=Die.loaded({1: 1}))) == [0] * 6


def test_no_points_beyond_the_target_that_must_be_hit():
    near = best_turn(FiveThousand.beginner(exact=True), score=4900)
    for ax in (throw_or_bank(near, 1), decisions(near)):
        assert ax.get_xlim() == (0, 100)


def test_a_game_and_not_its_class():
    with pytest.raises(ValueError, match="such as Farkle"):
        bust_chances(Farkle)
