"""A class's own data: what is counted, what is expected, and what a test may say of it.

Each figure is found a second way: counts by a loop over the lines of the files, bands and tests
by summing over all outcomes, powers by simulation.
"""

import json
import math
import re
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations
from random import Random

import pytest
from sympy import sqrt, symbols

from dicekit.dice import Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.record import Record
from dicekit.games.states import CHANCE, SetAside, Throw
from dicekit.own_data import ClassData, Observed, pool, throws_needed
from dicekit.own_data.observed import Several, chi_squared_tail
from dicekit.players import BanksAt, HoldsAlike
from dicekit.probability import Distribution, throws
from dicekit.solve.throw import row_chances

np = pytest.importorskip("numpy")

LOADED, SIX_OFTEN = 3, Die.loaded({6: Fraction(1, 4)})


class Table:
    """Six dice on a table, of which the third is loaded; who sets some aside throws the others."""

    def __init__(self, rng, loaded):
        self.rng, self.loaded, self.places, self.faces = rng, loaded, [], []
        self.moments = {}  # where the dice lay, by the number of events, to undo

    def throw(self, record):
        if record.state.dice == 6:
            self.places = [1, 2, 3, 4, 5, 6]
        seen = record.thrown_before()
        new = [self.one(place) for place in self.places[len(seen) :]]
        self.faces = [*seen, *new]
        record.add(tuple(self.faces))

    def one(self, place):
        six = 5 if place == self.loaded else 3
        return self.rng.choices(range(1, 7), (3, 3, 3, 3, 3, six))[0]

    def set_aside(self, dice):
        for face in dice:
            at = self.faces.index(face)
            del self.faces[at], self.places[at]

    def keep(self, moment):
        self.moments[moment] = list(self.places), list(self.faces)

    def back(self, moment):
        self.places, self.faces = map(list, self.moments[moment])


def play(path, rng, names, loaded=None, undo=0.03):
    """A whole game of Farkle, with a decision taken back now and then."""
    record, table = Record(Farkle(), names, seed=7, path=path), Table(rng, loaded)
    while not record.state.is_terminal:
        table.keep(len(record.events))
        state = record.state
        if state.current_player == CHANCE:
            table.throw(record)
        elif rng.random() < undo and record.decision():
            record.undo()
            table.back(len(record.events))
            act(record, table, rng.choice(record.state.legal_actions()))
        else:
            act(record, table, BanksAt(300 + 50 * state.player)(state))
    return record


def act(record, table, action):
    table.keep(len(record.events))
    record.add(action)
    if isinstance(action, SetAside):
        table.set_aside(action.dice)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Thirty whole games of two or three players, with one loaded die among six."""
    folder, rng = tmp_path_factory.mktemp("class"), Random(11)
    for number in range(30):
        names = ["Ana", "Rui", "Zoé"][: 2 + number % 2]
        play(folder / f"game-{number:02}.jsonl", rng, names, LOADED)
    return folder


@pytest.fixture(scope="module")
def data(folder):
    return pool(folder)


def standing(path, end=None):
    """The throws in a file that stand, found without the package."""
    entries = []
    for line in path.read_text("utf-8").splitlines()[1:end]:
        entry = json.loads(line)
        if back := entry.get("undo") or entry.get("retype"):
            del entries[-back:]
        else:
            entries.append(entry)
    return [tuple(entry["throw"]) for entry in entries if "throw" in entry]


def is_farkle(throw):
    numbers = sorted(Counter(throw).values())
    return not (1 in throw or 5 in throw or numbers[-1] > 2 or numbers == [2, 2, 2])


@cache
def holds(throw, row):
    """Whether a sorted throw of six holds a row of Farkle's table, by trying all of its dice."""
    for dice in combinations(throw, len(row)):
        if row.isdigit() and "".join(map(str, dice)) == row:
            return True
        numbers = sorted(Counter(dice).values())
        if row.isalpha() and numbers == sorted(Counter(row).values()):
            return True
    return False


# Pooled records


def test_what_is_counted_is_what_stands_in_the_files(folder, data):
    thrown = [throw for path in sorted(folder.iterdir()) for throw in standing(path)]
    assert '"undo"' in "".join(path.read_text("utf-8") for path in folder.iterdir())
    assert len(data.records) == 30
    assert data.problems == []
    for n in range(8):
        assert data.throws_of(n) == [throw for throw in thrown if len(throw) == n]
    assert data.faces().counts == dict(sorted(Counter(f for t in thrown for f in t).items()))
    whole = [throw for throw in thrown if len(throw) == 6]
    assert list(data.dice()) == [1, 2, 3, 4, 5, 6]
    for place, seen in data.dice().items():
        assert +Counter(seen.counts) == Counter(throw[place - 1] for throw in whole)
    busts = data.busts()
    assert list(busts) == sorted(set(map(len, thrown)))
    for n, seen in busts.items():
        lost = [is_farkle(throw) for throw in thrown if len(throw) == n]
        assert seen.counts == {"bust": sum(lost), "scores": len(lost) - sum(lost)}
    rows = data.rows()
    assert rows.n == len(whole)
    assert rows.counts == {
        row: sum(holds(tuple(sorted(t)), row) for t in whole) for row in Farkle().rows
    }


def test_the_loaded_die_is_found_and_no_other(data):
    assert list(data.suspects()) == [LOADED]
    assert list(data.suspects(level=1e-6)) == [LOADED]
    p = data.suspects()[LOADED]
    assert 0 < p == data.dice().corrected()[LOADED] < 1e-6
    assert data.suspects(level=p / 2) == {}
    assert data.dice()[LOADED].unusual() != []


ANALYSIS = """
import sys, time
from dicekit.own_data import pool
data = pool(sys.argv[1])
for seen in (data, data.faces(), data.dice(), data.busts(), data.rows()):
    assert repr(seen) and seen._repr_html_()
assert data.faces().fairness() and list(data.suspects()) == [3]
print(time.process_time())
"""


def test_a_class_is_analysed_in_three_seconds_from_a_cold_start(folder):
    found = subprocess.run(
        [sys.executable, "-c", ANALYSIS, folder], capture_output=True, text=True, check=True
    )
    assert 0 < float(found.stdout) < 3


def test_damaged_files_are_named_and_the_rest_counts(folder, tmp_path):
    for name in (f"game-{number:02}.jsonl" for number in range(4, 9)):
        shutil.copy(folder / name, tmp_path)
    games = sorted(tmp_path.iterdir())
    thrown = [standing(game) for game in games[2:]] + [standing(games[1], end=-1)]
    games[0].write_bytes(games[0].read_bytes().replace(b'{"throw"', b'{"thr\xff', 1))
    games[1].write_bytes(games[1].read_bytes()[:-5])
    (tmp_path / "photo.jsonl").write_bytes(b"\x89PNG")
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "notes.txt").write_text("no record")
    shutil.copy(games[2], tmp_path / "twin.jsonl")
    lines = games[3].read_bytes().splitlines(keepends=True)
    (tmp_path / "earlier.jsonl").write_bytes(b"".join(lines[:30]))
    data = pool(tmp_path)
    assert len(data.records) == 4
    assert +Counter(data.faces().counts) == Counter(f for game in thrown for t in game for f in t)
    for name, why in {
        "game-04": "line",
        "game-05": "cut short",
        "photo": "line 1",
        "folder": "irectory",
        "twin": "the same game as .*game-06",
        "earlier": "the same game as .*game-07",
    }.items():
        assert sum(bool(re.search(rf"/{name}.jsonl.*{why}", said)) for said in data.problems) == 1
    assert len(data.problems) == 6
    assert all(said in repr(data) for said in data.problems)


def test_places_are_folders_and_files_and_each_game_counts_once(folder, tmp_path):
    one, two = (tmp_path / name for name in ("one", "two"))
    games = sorted(folder.iterdir())[:3]
    for place in (one, two):
        place.mkdir()
        shutil.copy(games[0], place)
    shutil.copy(games[1], one)
    faces = pool(*games[:2]).faces().counts
    for places in ((one,), (str(one), one / games[0].name), (one, f"{one}")):
        data = pool(*places)
        assert (data.faces().counts, data.problems) == (faces, [])
    data = pool(two, one)
    assert (data.faces().counts, len(data.problems)) == (faces, 1)
    data = pool(one, games[2], tmp_path / "nowhere")
    assert (len(data.records), "nowhere" in data.problems[0]) == (3, True)


def test_alike_games_that_differ_in_one_throw_both_count(tmp_path):
    header = {"dicekit": 1, "game": "Farkle", "options": {}, "players": ["A"], "seed": 1}
    header |= {"started": "2025-01-01T10:00:00", "notes": {}}
    for name, dice in (("one", [2, 3, 3, 4, 4, 6]), ("two", [2, 3, 3, 4, 6, 6])):
        lines = header, {"action": "Throw"}, {"throw": dice}
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    data = pool(tmp_path)
    assert (len(data.records), data.faces().n, data.problems) == (2, 12, [])


@pytest.mark.parametrize("places", [(), ("nowhere",), (5,), (["games"],), (None,)], ids=repr)
def test_where_no_record_is_a_teacher_is_told(places, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="record"):
        pool(*places)


def test_an_empty_folder_and_one_of_damaged_files_are_told(tmp_path):
    with pytest.raises(ValueError, match="no record"):
        pool(tmp_path)
    (tmp_path / "bad.jsonl").write_text("hello")
    with pytest.raises(ValueError, match=r"no record.*bad\.jsonl"):
        pool(tmp_path)


def rolled(rules, player, seed):
    record = Record(rules, ["A", "B"], seed=seed)
    for _ in range(300):
        if not record.state.is_terminal:
            rolls = record.state.current_player == CHANCE
            record.roll() if rolls else record.add(player(record.state))
    return record


@pytest.fixture(scope="module")
def mixed():
    """Games of three kinds, some of them not over."""
    highest = FiveThousand(first="highest throw")
    return ClassData(
        [rolled(Farkle(target=2000 + 1000 * k), BanksAt(300), k) for k in range(3)]
        + [rolled(highest, BanksAt(500), k) for k in range(3)]
        + [rolled(DicePoker(), HoldsAlike(), k) for k in range(3)]
    )


def test_games_of_several_kinds_share_their_faces_and_keep_their_rules_apart(mixed):
    kinds = Farkle(), FiveThousand(), DicePoker()
    parts = [ClassData(mixed.records[k : k + 3]) for k in (0, 3, 6)]
    together = sum((Counter(part.faces().counts) for part in parts), Counter())
    assert mixed.faces().counts == together
    assert [len(part.dice()) for part in (*parts, mixed)] == [6, 5, 5, 6]
    assert mixed.dice()[6].counts == parts[0].dice()[6].counts
    for rules, part in zip(kinds, parts, strict=True):
        assert mixed.rows(rules).counts == part.rows().counts
    for rules, part in zip(kinds[:2], parts, strict=False):
        assert repr(mixed.busts(rules)) == repr(part.busts())
    for asked in (mixed.busts, mixed.rows):
        with pytest.raises(ValueError, match=r"Farkle.*FiveThousand"):
            asked()
        with pytest.raises(ValueError, match=r"Farkle.*FiveThousand"):
            asked(Farkle(alike="doubling"))
    for asked in (parts[2].busts, lambda: mixed.busts(DicePoker()), lambda: mixed.rows("Farkle")):
        with pytest.raises(ValueError, match="game"):
            asked()


def test_throws_that_decide_who_begins_are_faces_but_no_busts(mixed):
    games = mixed.records[3:6]
    deciding = sum(
        isinstance(event, tuple) and bool(before.contenders)
        for game in games
        for before, event, _ in game.steps()
    )
    ones = len(ClassData(games).throws_of(1))
    assert 6 <= deciding < ones
    assert ClassData(games).busts()[1].n == ones - deciding


def test_rows_of_dice_poker_are_those_of_throws_of_five(mixed):
    rows = mixed.rows(DicePoker())
    whole = [t for game in mixed.records[6:] for t in game.events if isinstance(t, tuple)]
    whole = [sorted(throw) for throw in whole if len(throw) == 5]
    alike = [sorted(Counter(throw).values())[::-1] for throw in whole]
    assert rows.n == len(whole) == 90  # fifteen rounds of two players, three times
    assert rows.counts["pair"] == sum(numbers[0] > 1 for numbers in alike)
    assert rows.counts["two pairs"] == sum(numbers[:2] in ([2, 2], [3, 2]) for numbers in alike)
    assert rows.counts["full house"] == sum(numbers == [3, 2] for numbers in alike)
    assert rows.counts["large straight"] == whole.count([2, 3, 4, 5, 6])
    assert rows.exact == row_chances(DicePoker())
    assert rows.expected["pair"] == pytest.approx(rows.n * 49 / 54)
    with pytest.raises(ValueError, match="together"):
        rows.fairness()


def test_the_row_of_throws_without_any_row_is_counted():
    rules = Farkle(table=Farkle().table | {"nothing": 500})
    data = ClassData([rolled(rules, BanksAt(300), seed) for seed in range(3)])
    nothing = sum(map(is_farkle, data.throws_of(6)))
    assert data.rows().counts["nothing"] == nothing > 0
    assert data.busts()[6].counts == {"bust": 0, "scores": data.rows().n}
    assert "bust" in repr(data.busts())


def test_a_throw_that_comes_again_after_an_undo_counts_once():
    record = Record(Farkle(), ["A"])
    six = (1, 5, 5, 2, 3, 4)
    for event in (Throw(), six, SetAside((1,)), Throw(), (2, 2, 3, 4, 6)):
        record.add(event)
    assert ClassData([record]).busts()[5].counts == {"bust": 1, "scores": 0}
    record.undo()
    assert ClassData([record]).faces().n == 6
    for event in (SetAside((1,)), Throw(), (6, 2, 2, 3, 4)):
        record.add(event)
    assert ClassData([record]).throws_of(5) == [(6, 2, 2, 3, 4)]


# Bands


def brute_band(n, chance, level):
    """Quantiles of the binomial distribution, from its definition."""
    weights = [math.comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]
    below = list(accumulate(weights))
    outside = (1 - Fraction(str(level))) / 2
    return tuple(
        next(k for k, share in enumerate(below) if share >= part) for part in (outside, 1 - outside)
    )


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("chance", [Fraction(1, 6), Fraction(1, 2), Fraction(5, 216)], ids=str)
def test_a_band_is_the_central_interval_of_the_binomial_sum(chance, level):
    for n in (0, 1, 2, 7, 60, 333):
        seen = Observed({"yes": n}, Distribution({"yes": chance, "no": 1 - chance}))
        assert seen.band("yes", level) == brute_band(n, chance, level)
        assert seen.band("no", level) == brute_band(n, 1 - chance, level)


def test_a_band_of_a_million_throws_is_that_of_the_normal_distribution():
    low, high = Observed({6: 10**6}, Die()).band(6)
    spread = 1.959964 * math.sqrt(10**6 * 5 / 36)
    assert abs(low - (10**6 / 6 - spread)) < 2
    assert abs(high - (10**6 / 6 + spread)) < 2


def test_what_is_outside_its_band_is_unusual():
    seen = Observed({1: 5, 2: 16, 3: 4, 4: 17, 5: 9, 6: 9}, Die())
    assert brute_band(60, Fraction(1, 6), 0.95) == (5, 16)
    assert seen.unusual() == [3, 4]
    assert seen.unusual(0.5) == [1, 2, 3, 4]
    assert seen.unusual(0.9999) == []


def test_what_is_certain_or_impossible_has_a_band_without_width():
    assert Observed({6: 4}, Die.loaded({6: 1})).band(6) == (4, 4)
    assert Observed({6: 3, 5: 1}, Die.loaded({6: 1})).unusual() == [6, 5]
    with pytest.raises(ValueError, match="5 cannot"):
        Observed({6: 4}, Die.loaded({6: 1})).band(5)


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, "x", None, True, math.nan, symbols("p")])
def test_a_level_that_is_none_is_refused(data, level):
    asked = [
        lambda: Observed({6: 1}, Die()).band(6, level),
        lambda: Observed({6: 1}, Die()).unusual(level),
        lambda: data.suspects(level),
        lambda: throws_needed(SIX_OFTEN, level=level),
        lambda: throws_needed(SIX_OFTEN, power=level),
    ]
    for ask in asked:
        with pytest.raises(ValueError, match=r"\w"):
            ask()


# The chi-squared test


@pytest.mark.parametrize(
    ("degrees", "chance", "point"),  # Abramowitz and Stegun 1964, table 26.8
    [
        (1, 0.05, 3.84146),
        (1, 0.01, 6.63490),
        (5, 0.95, 1.145476),
        (5, 0.05, 11.0705),
        (5, 0.01, 15.0863),
        (5, 0.001, 20.515),
        (10, 0.05, 18.3070),
        (30, 0.05, 43.7729),
    ],
)
def test_tails_are_those_of_the_published_table(degrees, chance, point):
    assert chi_squared_tail(point, degrees) == pytest.approx(chance, rel=3e-5)


@pytest.mark.parametrize("x", [0, 0.3, 7, 60, 900])
def test_tails_are_those_of_their_closed_forms(x):
    assert chi_squared_tail(x, 1) == pytest.approx(math.erfc(math.sqrt(x / 2)), rel=1e-12)
    assert chi_squared_tail(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-12)
    assert chi_squared_tail(x, 4) == pytest.approx(math.exp(-x / 2) * (1 + x / 2), rel=1e-12)


def all_counts(n):
    """All ways in which n throws fall on six faces, one in each row, by stars and bars."""
    bars = np.fromiter(combinations(range(n + 5), 5), dtype=(int, 5))
    edges = np.hstack([np.full((len(bars), 1), -1), bars, np.full((len(bars), 1), n + 5)])
    return np.diff(edges) - 1


def statistics(counts):
    expected = counts.sum(axis=1, keepdims=True) / 6
    return ((counts - expected) ** 2 / expected).sum(axis=1)


def chances(counts, die):
    """The multinomial chance of each row of counts."""
    n = counts[0].sum()
    logs = np.array([math.lgamma(k + 1) for k in range(n + 1)])
    faces = np.log([float(chance) for chance in die.chances])
    return np.exp(logs[n] - logs[counts].sum(axis=1) + counts @ faces)


def test_the_p_value_is_near_the_share_of_all_samples_that_differ_as_much():
    """All 169,911 samples of 26 throws: the tail is near the exact sum."""
    counts = all_counts(26)
    share, found = chances(counts, Die()), statistics(counts)
    assert share.sum() == pytest.approx(1)
    for sample in ((8, 2, 4, 1, 4, 7), (5, 5, 4, 4, 4, 4), (1, 11, 3, 3, 4, 4)):
        test = Observed(dict(enumerate(sample, 1)), Die()).fairness()
        [statistic] = statistics(np.array([sample]))
        assert test.statistic == pytest.approx(statistic)
        assert test.p_value == pytest.approx(share[found > statistic - 1e-9].sum(), abs=0.02)


def test_the_statistic_and_its_degrees_are_those_of_the_definition():
    sums = throws(2).map(sum)
    seen = Observed.of([7] * 30 + [2] * 3 + [12] * 3 + [5] * 36, sums)
    expected = {total: 72 * Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}
    chi = sum((seen.counts[x] - e) ** 2 / e for x, e in expected.items())
    assert seen.expected == expected
    assert (seen.fairness().statistic, seen.fairness().degrees_of_freedom) == (float(chi), 10)


def test_a_sentence_says_how_often_and_never_that_a_die_is_fair():
    words = Observed.of("1" * 17 + "2" * 9 + "3" * 9 + "4" * 9 + "5" * 8 + "6" * 8, Die())
    test = words.fairness()
    assert test.sentence == (
        f"A fair die would differ as much or more in {100 * test.p_value:.1f} % of such samples."
    )
    loaded = Observed(words.counts, SIX_OFTEN).fairness()
    assert "fair" not in loaded.sentence
    assert "fewer than 0.01 %" in Observed({6: 1000}, Die()).fairness().sentence
    rare = Observed({6: 105, **dict.fromkeys(range(1, 6), 60)}, Die()).fairness()
    assert 0.0001 < rare.p_value < 0.001
    assert f"{100 * rare.p_value:.2f} %" in rare.sentence


def test_a_small_sample_is_warned_of_below_five_expected():
    assert Observed({6: 30}, Die()).fairness().warning == ""
    few = Observed({6: 29}, Die()).fairness()
    assert "4.8" in few.warning
    assert few.warning in repr(few)


def test_what_came_although_impossible_refutes_the_chances():
    test = Observed({1: 4, 6: 1}, Die.loaded({6: 0})).fairness()
    assert (test.p_value, "6 is impossible" in test.sentence) == (0, True)
    assert Observed({1: 4, 6: 0}, Die.loaded({6: 0})).fairness().p_value > 0
    sure = Observed({6: 4, 5: 1}, Die.loaded({6: 1})).fairness()
    assert sure.p_value == 0


def test_there_must_be_something_to_test():
    for seen in (Observed({}, Die()), Observed({6: 4}, Die.loaded({6: 1}))):
        with pytest.raises(ValueError, match="nothing"):
            seen.fairness()


def test_one_fair_class_in_twenty_has_a_p_value_below_a_twentieth():
    """200 classes of 600 throws, and 200 of six dice: 10 with standard deviation 3 of each."""
    rng = np.random.default_rng(2)
    ps, suspected = [], 0
    for _ in range(200):
        dice = {
            place: Observed(dict(enumerate(map(int, counts), 1)), Die())
            for place, counts in enumerate(rng.multinomial(600, [1 / 6] * 6, size=6), 1)
        }
        ps.append(dice[1].fairness().p_value)
        suspected += min(Several(dice, "die").corrected().values()) < 0.05
    assert 4 <= sum(p < 0.05 for p in ps) <= 18
    assert 3 <= suspected <= 18
    assert 85 <= sum(p < 0.5 for p in ps) <= 115


def test_holms_correction_by_hand():
    """p-values 0.0101, 0.0399, 0.0397 and 1 become four, two and three times as much, in order."""
    sixes = {"a": 122, "b": 118, "c": 82, "d": 100}
    coin = Distribution({"yes": Fraction(1, 2), "no": Fraction(1, 2)})
    samples = {k: Observed({"yes": n, "no": 200 - n}, coin) for k, n in sixes.items()}
    p = {k: math.erfc(abs(n - 100) / 10) for k, n in sixes.items()}  # of (n - 100)^2 / 50
    corrected = Several(samples, "coin").corrected()
    expected = {"a": 4 * p["a"], "b": 3 * p["b"], "c": 3 * p["c"], "d": 1}
    assert corrected == pytest.approx(expected)


# How many throws it takes


@pytest.mark.parametrize(("power", "n"), [(0.8, 1283), (0.9, 1647)])
def test_throws_needed_for_a_slight_bias_are_those_of_cohens_tables(power, n):
    """Statistical Power Analysis, section 7.4: n for w = 0.1, five degrees of freedom."""
    slight = Die.loaded({6: Fraction(1, 6) + Fraction(1, 10_000)})
    w_squared = 6 * sum(chance**2 for chance in slight.chances) - 1
    assert throws_needed(slight, power) * w_squared * 100 == pytest.approx(n, rel=0.006)


@pytest.mark.parametrize("power", [0.5, 0.9])
@pytest.mark.parametrize(
    "chances", [{6: 0.25}, {6: 0.05}, {1: 0.2, 6: 0.2}, {1: 0.3, 2: 0.3}, {6: 0.4}], ids=str
)
def test_so_many_throws_find_the_bias_so_often(chances, power):
    """20,000 samples: a standard deviation is 0.0035 at most, and 0.02 is what is promised."""
    die = Die.loaded(chances)
    rng = np.random.default_rng(5)
    n = max(60, throws_needed(die, power))
    samples = rng.multinomial(n, [float(c) for c in die.chances], size=20_000)
    found = (statistics(samples) > 11.0705).mean()
    assert found == pytest.approx(power, abs=0.02 + 2 * 0.0035) or (n == 60 and found > power)


def test_a_strong_bias_is_found_in_few_throws_as_summed_over_all_samples():
    """A die with 6 in half of all throws: all 237,336 samples of 28, and the power is rough."""
    die = Die.loaded({6: Fraction(1, 2)})
    n = throws_needed(die)
    for size, power in ((n, 0.915), (n - 7, 0.827)):
        counts = all_counts(size)
        share = chances(counts, die)
        assert share.sum() == pytest.approx(1)
        assert share[statistics(counts) > 11.0705].sum() == pytest.approx(power, abs=0.001)


def test_more_power_a_stricter_level_and_a_smaller_bias_need_more_throws():
    least = throws_needed(SIX_OFTEN)
    assert throws_needed(SIX_OFTEN, 0.99) > least < throws_needed(SIX_OFTEN, level=0.01)
    assert throws_needed(Die.loaded({6: 0.2})) > least


@pytest.mark.parametrize(
    ("die", "power", "words"),
    [
        (Die(), 0.9, "fair"),
        (Die.loaded({6: symbols("p")}), 0.9, "fraction"),
        (Die.loaded({6: sqrt(2) / 4}), 0.9, "fraction"),
        ("loaded", 0.9, "Die"),
        (SIX_OFTEN, 0.05, "level"),
        (Die.loaded({6: Fraction(1, 6) + Fraction(1, 10**8)}), 0.9, "small"),
    ],
    ids=str,
)
def test_where_no_number_of_throws_can_be_told_it_says_why(die, power, words):
    with pytest.raises(ValueError, match=words):
        throws_needed(die, power)


# What is observed


@pytest.mark.parametrize(
    "values",
    ["1 6 3 3 2", "16332", "1,6, 3\n3 2", [1, 6, 3, 3, 2], (1, 6, 3, 3, 2), [6, 1, 3, 3, 2]]
    + [np.array([1, 6, 3, 3, 2]), np.array([1.0, 6, 3, 3, 2])],
    ids=repr,
)
def test_faces_are_counted_as_they_are_typed(values):
    seen = Observed.of(values, Die())
    assert (seen.counts, seen.n) == ({1: 1, 2: 1, 3: 2, 4: 0, 5: 0, 6: 1}, 5)
    assert list(seen.counts) == [1, 2, 3, 4, 5, 6]
    assert seen.exact == throws(1).map(sum)


def test_other_outcomes_are_counted_too():
    sums = Observed.of("7 4 11 11", throws(2).map(sum)).counts
    assert (sums[7], sums[4], sums[11], sums[2]) == (1, 1, 2, 0)
    pairs = np.array([[6, 1], [1, 6], [2, 2]])
    for values in (pairs, pairs.tolist(), [(6, 1), (1, 6), (2, 2)], "1-6 1-6 2-2"):
        assert +Counter(Observed.of(values, throws(2)).counts) == {(1, 6): 2, (2, 2): 1}
    assert +Counter(Observed.of("662", throws(1)).counts) == {(6,): 2, (2,): 1}
    sixes = Observed.of(np.array([1, 6, 6]) == 6, throws(1).map(lambda throw: throw == (6,)))
    assert sixes.counts == {False: 1, True: 2}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ("1 6 7", "7"),
        ("1 6 x", "x"),
        ([1, 6, 2.5], "2.5"),
        ([0], "0"),
        ([None], "None"),
        ([[1, 2]], "1, 2"),
        ([{}], "{}"),
        ([math.nan], "nan"),
        (16332, "16332"),
        (None, "None"),
        ({1, 6}, "list"),
        ({1: 2}, "list"),
        (np.array(5), "5"),
    ],
    ids=repr,
)
def test_a_value_that_cannot_occur_is_named(values, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        Observed.of(values, Die())


def test_a_sum_typed_together_with_the_next_is_not_guessed():
    with pytest.raises(ValueError, match="23"):
        Observed.of("23", throws(2).map(sum))


@pytest.mark.parametrize(
    ("counts", "exact", "n"),
    [
        ([1, 2], Die(), None),
        ({1: 2.5}, Die(), None),
        ({1: -1}, Die(), None),
        ({1: True}, Die(), None),
        ({1: 1}, 5, None),
        ({1: 1}, {1: 0.5}, None),
        ({1: 1}, Die.loaded({6: symbols("p")}), None),
        ({"111": 3}, {"111": 0.5}, 2),
        ({"111": 3}, {"111": 1.5}, 20),
        ({"111": 3}, {"111": 0.5}, -1),
        ({"111": 3}, 5, 20),
    ],
    ids=str,
)
def test_counts_and_chances_that_are_none_are_refused(counts, exact, n):
    with pytest.raises(ValueError, match=r"\w"):
        Observed(counts, exact, n)


# Tables


def cells(html):
    return [re.sub(r"<.*?>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", html)]


def test_a_table_says_the_same_in_html_and_in_text(data):
    for seen in (data, data.faces(), data.dice(), data.busts(), data.rows()):
        html, text = seen._repr_html_(), repr(seen)
        assert html.count("<caption>") == 1
        rows, heads = html.count("<tr>"), html.count('<th scope="col">')
        assert html.count('<th scope="row">') == rows - 1 > 3
        assert html.count("<td>") == (rows - 1) * (heads - 1)
        assert [cell for cell in cells(html) if cell not in text] == []
    faces = data.faces()
    low, high = faces.band(6)
    last = repr(faces).splitlines()[-1].split()
    assert last == ["6", f"{faces.counts[6]:,}", f"{faces.expected[6]:,.1f}"] + [
        *(f"{low:,}", "to", f"{high:,}"),
        "outside" if 6 in faces.unusual() else "inside",
    ]
    assert "26 %" in repr(data.dice())
    assert repr(ClassData([]).dice()) == repr(Several({}, "die"))


def test_a_long_table_is_cut_and_says_so():
    seen = Observed({}, throws(6))
    assert seen._repr_html_().count("<tr>") == 22
    assert "441 more" in repr(seen)


def test_names_of_files_are_no_html(folder, tmp_path):
    shutil.copy(next(folder.iterdir()), tmp_path)
    (tmp_path / "<b>&amp;.jsonl").write_text("hello")
    html = pool(tmp_path)._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;&amp;amp;" in html


def test_an_earlier_copy_of_a_game_with_an_undo_counts_once(tmp_path):
    record = Record(Farkle(), ["A"], seed=1, path=tmp_path / "late.jsonl")
    for event in (Throw(), (1, 2, 3, 4, 6, 6)):
        record.add(event)
    (tmp_path / "early.jsonl").write_bytes((tmp_path / "late.jsonl").read_bytes())
    record.retype()
    record.add((1, 1, 3, 4, 6, 6))
    data = pool(tmp_path)
    assert data.faces().counts == {1: 2, 2: 0, 3: 1, 4: 1, 5: 0, 6: 2}
    assert len(data.problems) == 1 and "the same game" in data.problems[0]


def test_counts_as_a_file_has_them():
    assert Observed({"1": 8, "6": 11}, Die()).counts == Observed({1: 8, 6: 11}, Die()).counts
