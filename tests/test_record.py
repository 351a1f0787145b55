"""Records: what is written is what was played, whatever happens to the file or the kernel."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dicekit.coach import Coach
from dicekit.games.farkle import Farkle
from dicekit.games.record import ChangedElsewhere, Record, RecordError, read
from dicekit.games.scoring import Table
from dicekit.games.states import CHANCE, Bank, SetAside, Throw

ROOT = Path(__file__).parents[1]
FARKLE = (2, 2, 3, 4, 6, 6)  # six dice of which none scores
HEADER = {"dicekit": 1, "game": "Farkle", "options": {}, "players": ["A", "B"], "seed": 1}
HEADER |= {"started": "2025-01-01T10:00:00", "notes": {}}


def add(record, *events):
    for event in events:
        record.add(event)
    return record


def throws_of(record):
    return [event for event in record.events if isinstance(event, tuple)]


def step(record, rng, undo=0.1):
    """Something that may happen in a game, at random."""
    if rng.random() < undo and record.decision():
        record.undo()
    elif record.state.current_player == CHANCE:
        record.roll()
    elif not record.state.is_terminal:
        record.add(rng.choice(record.state.legal_actions()))


def same(one, other):
    """Whether two records would go on in the same way."""
    return all(
        getattr(one, name) == getattr(other, name)
        for name in ("rules", "players", "seed", "events", "states", "notes", "started")
    ) and (one.thrown_before() == other.thrown_before())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.jsonl"


# Writing and reading


@pytest.mark.parametrize("seed", range(20))
def test_a_record_read_back_is_the_record_at_every_moment(seed, path):
    rng = Random(seed)
    rules = Farkle(target=2000, opening=500, table=Farkle().table | {"aabbcc": None})
    record = Record(rules, ["Ana", "🎲 Rui"], path=path, notes={"seats": [0, 1]})
    for _ in range(60):
        step(record, rng)
        again = Record.load(path)
        assert same(again, record)
        if rng.random() < 0.2:
            record = again
    before = path.read_bytes()
    assert Record.load(path).state == record.state
    assert path.read_bytes() == before


def test_the_file_is_json_lines_one_for_each_event(path):
    record = Record(Farkle(opening=500), ["A", "B"], seed=7, path=path)
    add(record, Throw(), (5, 1, 1, 1, 2, 3), SetAside((1, 1, 1)))
    header, *events = map(json.loads, path.read_text("utf-8").splitlines())
    assert header["dicekit"] == 1
    assert (header["game"], header["options"]) == ("Farkle", {"opening": 500})
    assert (header["players"], header["seed"]) == (["A", "B"], 7)
    assert events == [
        {"action": "Throw"},
        {"throw": [5, 1, 1, 1, 2, 3]},
        {"action": "SetAside", "dice": [1, 1, 1]},
    ]


def test_an_undo_is_a_line_of_its_own(path):
    record = Record(Farkle(), ["A", "B"], path=path)
    add(record, Throw(), (1, 1, 1, 2, 3, 5), SetAside((1,)))
    before = path.read_bytes()
    record.undo()
    assert path.read_bytes().startswith(before)
    assert path.read_bytes().count(b"\n") == before.count(b"\n") + 1


def test_steps_are_the_events_that_stand():
    record = add(Record(Farkle(), ["A"]), Throw(), (1, 1, 2, 3, 4, 6), SetAside((1,)))
    record.undo()
    add(record, SetAside((1, 1)))
    before, event, after = list(record.steps())[-1]
    assert event == SetAside((1, 1)) == record.events[-1]
    assert before.child(event) == after == record.state
    assert len(list(record.steps())) == 3
    assert record.states[0] == Farkle().start("A")


def test_an_illegal_event_is_neither_taken_nor_written(path):
    record = add(Record(Farkle(), ["A", "B"], path=path), Throw())
    before, state = path.read_bytes(), record.state
    for event in (Bank(), (1, 2), (7,) * 6, "123456", None, Throw, object()):
        with pytest.raises(ValueError, match=r"\w"):
            record.add(event)
    assert path.read_bytes() == before
    assert (record.state, record.events) == (state, [Throw()])


def test_rolling_when_no_throw_is_due_is_refused(path):
    record = Record(Farkle(), ["A"], path=path)
    with pytest.raises(ValueError, match="throw"):
        record.roll()
    assert record.events == []


def test_a_finished_game_takes_no_more_and_reads_back(path):
    record = Record(Farkle(target=500, last_round=False), ["A", "B"], path=path)
    add(record, Throw(), (5, 5, 5, 2, 3, 4), SetAside((5, 5, 5)), Bank())
    for event in (Throw(), (1,) * 6):
        with pytest.raises(ValueError, match="over"):
            record.add(event)
    assert Record.load(path).state.winners == (0,)


# The seed


def rolled(seed, turns=6):
    record = Record(Farkle(), ["A", "B"], seed=seed)
    rng = Random(0)
    while len(throws_of(record)) < turns:
        step(record, rng, undo=0)
    return throws_of(record)


def test_the_seed_decides_the_throws():
    assert rolled(5) == rolled(5)
    assert len({tuple(rolled(seed)) for seed in range(20)}) == 20
    assert rolled(2**70) == rolled(2**70)


def test_each_throw_of_a_player_has_dice_of_its_own_however_many_are_thrown():
    def next_throws(*events):
        record = add(Record(Farkle(), ["A", "B"], seed=8), Throw(), (1, 5, 5, 2, 3, 4), *events)
        record.roll()
        return throws_of(record)[-1]

    five = next_throws(SetAside((1,)), Throw())
    assert next_throws(SetAside((1, 5, 5)), Throw()) == five[:3]
    assert next_throws(SetAside((5, 5)), Throw()) == five[:4]
    of_b = next_throws(SetAside((1,)), Bank(), Throw())
    later = next_throws(SetAside((1,)), Throw(), (2, 2, 3, 4, 6), Throw())
    assert of_b == later != five


def test_a_seed_is_drawn_if_none_is_given():
    assert len({Record(Farkle(), ["A"]).seed for _ in range(20)}) == 20


def test_rolled_dice_are_fair():
    """6,000 dice; each face within five standard deviations of 1,000 (about 29)."""
    dice = []
    for seed in range(1000):
        dice += add(Record(Farkle(), ["A"], seed=seed), Throw()).roll().throw
    assert all(abs(dice.count(face) - 1000) < 5 * 29 for face in range(1, 7))


# Undo

SIX = (1, 5, 5, 2, 3, 4)


def test_undo_goes_back_to_where_the_last_choice_lay():
    record = add(Record(Farkle(), ["A", "B"]), Throw(), SIX, SetAside((1,)), Throw())
    record.add((5, 2, 3, 4, 6))
    assert record.undo() == record.state
    assert record.events == [Throw(), SIX]
    with pytest.raises(ValueError, match=r"\w"):
        record.undo()
    assert record.events == [Throw(), SIX]


def test_undo_takes_back_a_bust_and_a_bank_and_the_end_of_the_game():
    record = add(Record(Farkle(target=50), ["A"]), Throw(), SIX, SetAside((1,)), Throw())
    record.add((2, 2, 3, 4, 6))
    record.undo()
    assert record.events == [Throw(), SIX]
    add(record, SetAside((1,)), Bank())
    assert record.state.is_terminal
    record.undo()
    assert not record.state.is_terminal
    assert record.state.scores == (0,)
    assert throws_of(record) == [SIX]


def test_a_move_without_a_choice_is_no_decision():
    record = add(Record(Farkle(opening=500), ["A", "B"]), Throw(), (5, 2, 2, 3, 4, 6))
    add(record, SetAside((5,)), Throw(), (2, 2, 3, 4, 6), Throw())
    assert record.decision() == 0
    with pytest.raises(ValueError, match=r"\w"):
        record.undo()


def test_throw_or_bank_is_a_choice_even_if_the_dice_to_set_aside_were_forced():
    record = add(Record(Farkle(), ["A"]), Throw(), (5, 2, 2, 3, 4, 6), SetAside((5,)), Throw())
    record.add((2, 2, 3, 4, 6))
    record.undo()
    assert throws_of(record) == [(5, 2, 2, 3, 4, 6)]
    assert Throw() not in record.events[1:]


def test_undo_for_people_passes_over_the_computer():
    record = add(Record(Farkle(), ["Ana", "computer"]), Throw(), SIX, SetAside((1,)), Bank())
    add(record, Throw(), SIX, SetAside((5,)), Bank(), Throw())
    assert record.decision({0}) == len(record.events) - 2
    record.undo({0})
    assert record.events == [Throw(), SIX]


def test_undo_for_people_who_have_decided_nothing_is_refused():
    record = add(Record(Farkle(), ["Ana", "computer"]), Throw(), SIX, SetAside((1,)), Bank())
    with pytest.raises(ValueError, match=r"\w"):
        record.undo({1})
    assert record.state.scores == (100, 0)


@pytest.mark.parametrize("kept", [((1,), (1, 5)), ((1, 5), (1,)), ((5, 5), (1, 5, 5))], ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_the_same_dice_come_again_also_when_fewer_or_more_are_thrown(kept, seed):
    record = add(Record(Farkle(), ["A"], seed=seed), Throw(), SIX, SetAside(kept[0]), Throw())
    record.roll()
    first = throws_of(record)[-1]
    record.undo()
    add(record, SetAside(kept[1]), Throw())
    before = record.thrown_before()
    record.roll()
    again = throws_of(record)[-1]
    common = min(len(first), len(again))
    assert first[:common] == again[:common]
    assert sorted(before) == sorted(first[:common])


@pytest.mark.parametrize("seed", range(30))
def test_no_sequence_of_undos_shows_a_second_throw(seed, path):
    """The n-th throw of a player has the same dice, however often one comes back to it."""
    rng = Random(seed)
    record = Record(Farkle(target=1000), ["A", "B"], path=path)
    seen = {}
    for _ in range(80):
        count = len(record.events)
        step(record, rng, undo=0.3)
        if len(record.events) > count and isinstance(dice := record.events[-1], tuple):
            player = record.states[-2].player
            number = sum(
                isinstance(event, tuple) and state.player == player
                for state, event, _ in record.steps()
            )
            known = seen.get((player, number), ())
            common = min(len(known), len(dice))
            assert dice[:common] == known[:common]
            seen[player, number] = max(known, dice, key=len)
        if rng.random() < 0.1:
            record = Record.load(path)


def test_the_longest_throw_that_was_shown_is_remembered():
    record = add(Record(Farkle(), ["A"]), Throw(), SIX, SetAside((1,)), Throw())
    record.roll()
    five = throws_of(record)[-1]
    record.undo()
    add(record, SetAside((1, 5, 5)), Throw())
    record.roll()
    record.undo()
    add(record, SetAside((1,)), Throw())
    assert sorted(record.thrown_before()) == sorted(five)
    record.roll()
    assert throws_of(record)[-1] == five


# Typed throws


def undone(path, kept, typed=(1, 6, 6, 2)):
    """Four dice were typed and undone; now others are due."""
    record = add(Record(Farkle(), ["A", "B"], path=path), Throw(), SIX, SetAside((1, 5)), Throw())
    record.add(typed)
    record.undo()
    return add(record, SetAside(kept), Throw())


@pytest.mark.parametrize("reload", [False, True])
@pytest.mark.parametrize(
    ("kept", "refused", "allowed"),
    [
        ((1, 5), [(1, 6, 6, 3), (5, 5, 5, 5)], [(1, 6, 6, 2), (6, 2, 6, 1)]),
        ((5, 5), [(1, 6, 6, 3)], [(2, 6, 6, 1)]),
        ((1,), [(1, 1, 6, 2, 3), (5, 5, 5, 5, 5)], [(1, 6, 6, 2, 3), (3, 2, 1, 6, 6)]),
        ((1, 5, 5), [(5, 5, 5), (1, 1, 6)], [(1, 6, 6)]),
    ],
    ids=str,
)
def test_typed_dice_come_again_too(path, reload, kept, refused, allowed):
    for dice in allowed:
        path.unlink(missing_ok=True)
        record = undone(path, kept)
        record = Record.load(path) if reload else record
        before, events = path.read_bytes(), list(record.events)
        for other in refused:
            with pytest.raises(ValueError, match=r"6"):
                record.add(other)
        assert (path.read_bytes(), record.events) == (before, events)
        assert record.add(dice).throw == tuple(sorted(dice)) or record.state.current_player == 1


def test_rolled_dice_cannot_be_typed_away():
    record = add(Record(Farkle(), ["A"], seed=3), Throw(), SIX, SetAside((1, 5)), Throw())
    record.roll()
    dice = throws_of(record)[-1]
    record.undo()
    add(record, SetAside((1, 5)), Throw())
    other = tuple(face % 6 + 1 for face in dice)
    with pytest.raises(ValueError, match=r"\w"):
        record.add(other)
    record.add(dice)


def test_undone_typed_dice_come_also_when_rolled(path):
    record = undone(path, (1,))
    record.roll()
    assert throws_of(record)[-1][:4] == (1, 6, 6, 2)


def test_a_throw_typed_wrongly_is_taken_back_and_forgotten(path):
    record = add(Record(Farkle(), ["A", "B"], path=path), Throw(), SIX)
    record.retype()
    assert (record.state.current_player, record.thrown_before()) == (CHANCE, ())
    again = Record.load(path)
    assert same(again, record)
    for either in (record, again):
        if either is again:
            either = Record.load(path)
            either.retype()
        either.add((1, 1, 1, 6, 6, 6))
    assert same(Record.load(path), either)


def test_a_bust_typed_wrongly_is_taken_back():
    record = add(Record(Farkle(), ["A", "B"]), Throw(), FARKLE)
    assert record.retype().player == 0
    record.add(SIX)
    assert record.state.throw == tuple(sorted(SIX))


def test_retyping_after_an_undo_forgets_every_die_of_that_throw(path):
    record = undone(path, (1, 5, 5))
    record.add((1, 6, 6))
    record.retype()
    assert record.thrown_before() == ()
    record.add((5, 5, 5))
    assert same(Record.load(path), record)


def test_retyping_what_was_rolled_gives_no_second_throw():
    record = add(Record(Farkle(), ["A"]), Throw())
    record.roll()
    dice = throws_of(record)
    record.retype()
    record.roll()
    assert throws_of(record) == dice


def test_with_nothing_thrown_there_is_nothing_to_retype():
    record = add(Record(Farkle(), ["A"]), Throw())
    with pytest.raises(ValueError, match="thrown"):
        record.retype()
    assert record.events == [Throw()]


# Files cut short


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """A real record file with undos, and the events after each of its lines."""
    path = tmp_path_factory.mktemp("real") / "game.jsonl"
    rng, record = Random(4), Record(Farkle(), ["Zoé", "🎲"], seed=4, path=path)
    events, lines = [[]], 1
    while lines < 22:
        step(record, rng, undo=0.25)
        if (now := path.read_bytes().count(b"\n")) > lines:
            lines = now
            events.append(list(record.events))
    assert b'"undo"' in path.read_bytes()
    return path.read_bytes(), events


def load(path):
    """A record and the warnings that came with it; the file must be left as it was."""
    before = path.read_bytes()
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            return Record.load(path), [str(warning.message) for warning in caught]
    finally:
        assert path.read_bytes() == before


def test_cut_anywhere_the_record_is_a_prefix_and_the_game_goes_on(real, path):
    whole, events = real
    ends = [i for i, byte in enumerate(whole) if byte == ord("\n")]
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        complete = sum(end <= size for end in ends)
        if not complete:
            with pytest.raises(RecordError, match=r"line 1\b"):
                load(path)
            continue
        record, warned = load(path)
        assert record.events == events[complete - 1], size
        half_a_line = size - 1 not in ends and size not in ends
        assert len(warned) == half_a_line, size
        assert all(f"line {complete + 1}" in words for words in warned)
        step(record, Random(size), undo=0)
        again, warned = load(path)
        assert not warned
        assert same(again, record), size


def test_a_last_line_without_its_end_is_kept(real, path):
    whole, events = real
    path.write_bytes(whole.rstrip(b"\n"))
    record, warned = load(path)
    assert (record.events, warned) == (events[-1], [])


def test_line_ends_of_windows_are_read(real, path):
    whole, events = real
    path.write_bytes(whole.replace(b"\n", b"\r\n"))
    record, _ = load(path)
    assert record.events == events[-1]


def calls_to_load(path, turns):
    """How many calls it takes to read so many turns back, each with a throw undone."""
    record = Record(Farkle(), ["A", "B"], path=path)
    for _ in range(turns):
        add(record, Throw(), SIX, SetAside((1,)), Throw(), (2, 2, 3, 4, 6)).undo()
        add(record, SetAside((1,)), Throw(), (2, 2, 3, 4, 6))
    calls = 0

    def count(frame, event, argument):
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        Record.load(path)
    finally:
        sys.setprofile(None)
    return calls


def test_a_game_twice_as_long_takes_twice_as_long_to_read(tmp_path):
    calls_to_load(tmp_path / "first.jsonl", 5)  # what is worked out once, is now
    short, long = (calls_to_load(tmp_path / f"{turns}.jsonl", turns) for turns in (40, 80))
    assert long < 2.05 * short


# Files damaged and foreign


@pytest.mark.parametrize("number", [1, 2, 9, 22])
@pytest.mark.parametrize(
    "damage", [b"", b"\x00\xff\x80", b"{", b"null", b'{"throw": [1, 2'], ids=repr
)
def test_a_damaged_line_is_named(real, path, number, damage):
    lines = real[0].splitlines()
    lines[number - 1] = damage
    path.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(RecordError, match=rf"{path.name}.*line {number}\b"):
        load(path)


edits = st.lists(
    st.tuples(
        st.sampled_from(["replace", "insert", "delete", "repeat line", "swap lines"]),
        st.integers(0, 10**6),
        st.binary(min_size=1, max_size=6)
        | st.sampled_from([b"\n", b'"', b"}", b"[", b"7", b"1e999", b"true", b"-", b"null"]),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits)
def test_whatever_is_done_to_a_file_it_is_read_or_refused_by_line(real, path, edits):
    content = real[0]
    for what, where, put in edits:
        at = where % (len(content) + 1)
        lines = content.splitlines(keepends=True) or [b""]
        line = where % len(lines)
        content = {
            "replace": content[:at] + put + content[at + len(put) :],
            "insert": content[:at] + put + content[at:],
            "delete": content[:at] + content[at + len(put) :],
            "repeat line": b"".join(lines[: line + 1] + lines[line:]),
            "swap lines": b"".join(lines[line:] + lines[:line]),
        }[what]
    path.write_bytes(content)
    try:
        record, _ = load(path)
    except RecordError as error:
        assert re.search(rf"{path.name}.*line \d+", str(error))
    else:
        state = record.rules.start(*record.players)
        for event in record.events:
            state = state.child(event)
        assert state == record.state


BAD_EVENTS = [
    *[
        "{}",
        "[]",
        "5",
        '"Throw"',
        "null",
        "true",
        "NaN",
        "",
        "   ",
        "\\",
        "Throw",
        "{'action': 'Throw'}",
    ],
    '{"action": "Explode"}',
    '{"action": ["Throw"]}',
    '{"action": {"a": 1}}',
    '{"action": null}',
    '{"action": "Bank"}',
    '{"action": "SetAside"}',
    '{"action": "SetAside", "dice": null}',
    '{"action": "SetAside", "dice": [[1]]}',
    '{"action": "__class__"}',
    '{"throw": [1, 2, 3, 4, 5, 6]}',
    '{"throw": null}',
    '{"throw": "123456"}',
    '{"throw": {"1": 2}}',
    '{"undo": 1}',
    '{"undo": 0}',
    '{"undo": -1}',
    '{"undo": true}',
    '{"undo": "1"}',
    '{"undo": null}',
    '{"undo": [1]}',
    '{"undo": 1e999}',
    '{"undo": ' + "9" * 5000 + "}",
    "[" * 100_000,
    '{"a":' * 100_000,
    '{"surprise": 1}',
    json.dumps(HEADER),
]


@pytest.mark.parametrize("line", BAD_EVENTS, ids=lambda line: line[:30])
def test_a_line_that_tells_no_event_is_named(path, line):
    path.write_text(json.dumps(HEADER) + "\n" + line + "\n", "utf-8")
    with pytest.raises(RecordError, match=rf"{path.name}.*line 2\b") as refusal:
        load(path)
    assert len(str(refusal.value)) < 1000


@pytest.mark.parametrize(
    "throw",
    ["[1, 2, 3]", "[1, 2, 3, 4, 5, 7]", "[1, 2, 3, 4, 5, 6.0]", "[1, 2, 3, 4, 5, true]"]
    + ["[1, 2, 3, 4, 5, null]", "[[1], 2, 3, 4, 5, 6]", "[1, 2, 3, 4, 5, 1e999]", "123456", "[]"],
)
def test_an_impossible_throw_in_a_file_is_named(path, throw):
    lines = [json.dumps(HEADER), '{"action": "Throw"}', f'{{"throw": {throw}}}']
    path.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(RecordError, match=rf"{path.name}.*line 3\b"):
        load(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"dicekit": None},
        {"dicekit": 0},
        {"dicekit": "1"},
        {"dicekit": [1]},
        {"game": "Chess"},
        {"game": None},
        {"game": ["Farkle"]},
        {"game": {}},
        {"options": None},
        {"options": {"tarjet": 1}},
        {"options": {"target": "many"}},
        {"options": {"target": 33}},
        {"options": {"opening": 20_000}},
        {"options": {"table": None}},
        {"options": {"table": {"7": 1}}},
        {"options": {"table": [1]}},
        {"options": {"__class__": 1}},
        {"options": {"name": "x"}},
        {"players": []},
        {"players": None},
        {"players": "AB"},
        {"players": ["A", "A"]},
        {"players": ["A", 5]},
        {"players": [["A"]]},
        {"players": {"A": 1}},
        {"seed": "one"},
        {"seed": None},
        {"seed": 1.5},
        {"seed": [1]},
        {"notes": [1]},
        {"notes": "x"},
    ],
    ids=str,
)
def test_a_wrong_header_is_refused_at_line_1(path, changes):
    path.write_text(json.dumps(HEADER | changes) + "\n", "utf-8")
    with pytest.raises(RecordError, match=rf"{path.name}.*line 1\b"):
        load(path)


def test_other_dice_after_an_undo_are_refused_in_a_file_too(path):
    undone(path, (1, 5)).add((1, 6, 6, 2))
    path.write_bytes(path.read_bytes().replace(b"[1, 6, 6, 2]}", b"[1, 1, 1, 1]}", 1))
    with pytest.raises(RecordError, match=r"line 10\b"):
        load(path)


def test_the_header_that_the_wrong_ones_differ_from_is_right(path):
    path.write_text(json.dumps(HEADER) + "\n", "utf-8")
    assert load(path)[0].players == ("A", "B")


@pytest.mark.parametrize("missing", ["dicekit", "game", "players", "seed"])
def test_a_header_without_what_matters_is_refused(path, missing):
    header = {key: value for key, value in HEADER.items() if key != missing}
    path.write_text(json.dumps(header) + "\n", "utf-8")
    with pytest.raises(RecordError, match=r"line 1\b"):
        load(path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"\x00" * 5000,
        b"\x89PNG\r\n\x1a\n\x00\x00",
        b"Dear class,\ntoday we play dice.\n",
        b'{"cells": [], "nbformat": 4}\n',
        b"a,b\n1,2\n",
        b"[1, 2, 3]\n",
        b"\xff\xfe{\x00",
        b"[" * 200_000,
        b"9" * 10_000 + b"\n",
    ],
    ids=lambda content: repr(content[:20]),
)
def test_a_foreign_file_is_refused_and_left_alone(path, content):
    path.write_bytes(content)
    with warnings.catch_warnings(), pytest.raises(RecordError, match=rf"{path.name}.*line 1\b"):
        warnings.simplefilter("error")  # nothing is dropped from a file that is refused
        Record.load(path)
    assert path.read_bytes() == content


def test_a_record_of_a_newer_dicekit_says_so(path):
    path.write_text(json.dumps(HEADER | {"dicekit": 3, "more": "?"}) + "\n", "utf-8")
    with pytest.raises(RecordError, match=r"(?i)newer"):
        load(path)


def test_a_file_that_is_not_there_is_refused_in_words(tmp_path):
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises((ValueError, OSError), match=path.name):
            Record.load(path)


def test_a_file_is_read_or_it_is_said_why_not(tmp_path):
    Record(Farkle(), ["one", "B"], path=tmp_path / "one.jsonl")
    (tmp_path / "bad.jsonl").write_bytes(b"hello\n")
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "odd.jsonl").write_text(json.dumps(HEADER | {"game": []}) + "\n")
    (tmp_path / "folder.jsonl").mkdir()
    record, said = read(tmp_path / "one.jsonl")
    assert (record.players, said) == (("one", "B"), [])
    for name in ("bad", "empty", "odd", "folder", "gone"):
        record, [said] = read(tmp_path / f"{name}.jsonl")
        assert record is None
        assert f"{name}.jsonl" in said


# Files that others touch, and files that cannot be written


def test_an_existing_file_is_never_overwritten(path):
    path.write_bytes(b"my homework")
    with pytest.raises(ValueError, match=path.name):
        Record(Farkle(), ["A"], path=path)
    assert path.read_bytes() == b"my homework"


@pytest.mark.parametrize(
    "change", ["add", "undo", "retype", "roll"], ids=lambda name: f"before {name}"
)
def test_a_file_changed_elsewhere_is_not_written_over(path, change):
    record = add(Record(Farkle(), ["A", "B"], path=path), Throw(), SIX, SetAside((1,)))
    if change == "roll":
        record.add(Throw())
    Record.load(path).undo()
    before, events, state = path.read_bytes(), list(record.events), record.state
    with pytest.raises(ChangedElsewhere, match=path.name):
        record.add(Throw()) if change == "add" else getattr(record, change)()
    assert path.read_bytes() == before
    assert (record.events, record.state) == (events, state)


def test_a_file_cut_elsewhere_is_not_written_to(path):
    record = add(Record(Farkle(), ["A"], path=path), Throw())
    path.write_bytes(path.read_bytes()[:-5])
    before = path.read_bytes()
    with pytest.raises(ChangedElsewhere):
        record.roll()
    assert path.read_bytes() == before


def goes_on_without_saving(record):
    record.add(Throw())
    assert re.search(r"not (being )?saved", record.trouble)
    record.roll()
    assert len(record.events) == 2
    record.retype()
    assert record.state.current_player == CHANCE


def test_a_game_goes_on_when_its_folder_is_gone(tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    record = Record(Farkle(), ["A", "B"], path=folder / "game.jsonl")
    assert record.trouble == ""
    shutil.rmtree(folder)
    goes_on_without_saving(record)


def test_a_game_goes_on_when_its_file_has_become_something_else(path):
    record = Record(Farkle(), ["A", "B"], path=path)
    path.unlink()
    path.mkdir()
    goes_on_without_saving(record)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_game_goes_on_when_its_file_is_read_only(path):
    record = Record(Farkle(), ["A", "B"], path=path)
    path.chmod(0o400)
    goes_on_without_saving(record)


def test_a_game_begins_without_saving_where_no_file_can_be(path):
    path.write_text("a file, no folder")
    goes_on_without_saving(Record(Farkle(), ["A", "B"], path=path / "game.jsonl"))


@pytest.mark.parametrize("loaded", [False, True])
def test_a_record_stays_where_it_was_when_the_notebook_changes_folder(
    tmp_path, monkeypatch, loaded
):
    monkeypatch.chdir(tmp_path)
    record = Record(Farkle(), ["A"], path="game.jsonl")
    record = Record.load("game.jsonl") if loaded else record
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    record.add(Throw())
    assert record.trouble == ""
    assert same(Record.load(tmp_path / "game.jsonl"), record)


def test_a_file_name_too_long_is_no_end_of_the_game(tmp_path):
    goes_on_without_saving(Record(Farkle(), ["A"], path=tmp_path / ("x" * 300 + ".jsonl")))


def test_folders_are_made(tmp_path):
    record = Record(Farkle(), ["A"], path=tmp_path / "new" / "games" / "game.jsonl")
    assert record.trouble == ""
    assert same(Record.load(tmp_path / "new" / "games" / "game.jsonl"), record)


def python(code, *arguments, **options):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        **options,
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows limits no file sizes")
@pytest.mark.parametrize("limit", [250, 333, 400])
def test_a_full_disk_keeps_what_was_saved_and_the_game_goes_on(path, limit):
    code = """
        import resource, signal, sys
        from dicekit.games.farkle import Farkle
        from dicekit.games.record import Record
        from dicekit.games.states import Throw
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), -1))
        record = Record(Farkle(), ["A", "B"], path=sys.argv[1])
        for _ in range(10):
            record.add(Throw())
            record.add((2, 2, 3, 4, 6, 6))
        print(len(record.events), record.trouble)
    """
    process = python(code, path, limit)
    output, _ = process.communicate(timeout=60)
    assert output.startswith("20 ")
    assert "not" in output
    record, _ = load(path)
    expected = [Throw(), FARKLE] * 10
    assert 0 < len(record.events) < 20
    assert record.events == expected[: len(record.events)]
    record.add(Throw() if record.state.current_player != CHANCE else FARKLE)
    assert load(path)[0].events == record.events


PLAYS_ON = """
    import sys
    from random import Random
    from dicekit.games.farkle import Farkle
    from dicekit.games.record import Record
    from dicekit.games.states import CHANCE
    rng = Random(int(sys.argv[2]))
    record = Record(Farkle(target=1_000_000), ["A", "B"], path=sys.argv[1])
    while True:
        if rng.random() < 0.1 and record.decision():
            record.undo()
        elif record.state.current_player == CHANCE:
            record.roll()
        else:
            record.add(rng.choice(record.state.legal_actions()))
        print(len(record.events), record.state.scores, flush=True)
"""


def kill(folder, seed):
    """Kill a process that plays, at a random moment; what it had shown must be there."""
    path = folder / f"{seed}.jsonl"
    process = python(PLAYS_ON, path, seed)
    try:
        shown = [process.stdout.readline()]
        time.sleep(Random(seed).uniform(0, 0.15))
    finally:
        process.send_signal(signal.SIGKILL)
        shown += process.communicate()[0].splitlines(keepends=True)
    shown = [line.strip() for line in shown if line.endswith("\n")]
    lines = path.read_bytes().split(b"\n")[1:-1]
    assert len(lines) >= len(shown) > 0
    record, _ = load(path)
    whole = Record(record.rules, record.players, seed=record.seed)
    for number, line in enumerate(map(json.loads, lines), start=1):
        if "undo" in line:
            whole.undo()
        elif "throw" in line:
            whole.roll()
            assert list(whole.events[-1]) == line["throw"]
        else:
            whole.add(
                SetAside(line["dice"])
                if "dice" in line
                else Throw()
                if line["action"] == "Throw"
                else Bank()
            )
        if number <= len(shown):
            assert shown[number - 1] == f"{len(whole.events)} {whole.state.scores}"
    assert record.events[: len(whole.events)] == whole.events
    step(record, Random(seed))
    assert same(load(path)[0], record)


needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows cannot kill -9")


@needs_kill
def test_killed_at_a_random_moment_nothing_shown_is_lost(tmp_path):
    for seed in range(3):
        kill(tmp_path, seed)


@needs_kill
@pytest.mark.slow
def test_killed_at_a_hundred_random_moments_nothing_shown_is_lost(tmp_path):
    for seed in range(100, 200):
        kill(tmp_path, seed)


def test_a_file_that_is_gone_is_written_anew_with_all_that_was_played(path, tmp_path):
    record = add(Record(Farkle(), ["A", "B"], seed=4, path=path), Throw(), SIX, SetAside((1,)))
    record.undo()
    path.rename(tmp_path / "moved.jsonl")
    add(record, SetAside((1, 5)))
    assert record.trouble == ""
    assert same(Record.load(path), record)
    path.unlink()
    record.rename("friday")
    assert same(Record.load(path), record)


def test_a_whole_record_is_written_or_the_old_one_kept(path):
    resource = pytest.importorskip("resource", reason="Windows limits no file sizes")
    record = add(Record(Farkle(), ["A"], path=path), Throw(), FARKLE)
    before, now = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    usual = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) - 1, now[1]))
    try:
        record.rename("friday")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, now)
        signal.signal(signal.SIGXFSZ, usual)
    assert "not being saved" in record.trouble
    assert [path.read_bytes()] == [file.read_bytes() for file in path.parent.iterdir()] == [before]
    assert record.add(Throw()).current_player == CHANCE


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_game_begins_in_a_folder_that_is_read_only(tmp_path):
    tmp_path.chmod(0o500)
    goes_on_without_saving(Record(Farkle(), ["A"], path=tmp_path / "game.jsonl"))


def test_a_clock_set_back_changes_nothing(path):
    path.write_text(json.dumps(HEADER | {"started": "2999-01-01T10:00:00"}) + "\n", "utf-8")
    os.utime(path, (2**35, 2**35))
    record = add(Record.load(path), Throw())
    assert same(Record.load(path), record)
    os.utime(path, (-(10**6), -(10**6)))
    assert same(Record.load(path), record)


# A game that begins at a position

LAST = {"scores": (9600, 10_050), "points": 400, "dice": 2}


def test_a_game_that_begins_at_a_position_is_played_saved_and_loaded(path):
    rules = Farkle(opening=500)
    start = rules.deal("Ana", "Bia", **LAST)
    record = Record(rules, ["Ana", "Bia"], seed=2, path=path, start=start)
    header = json.loads(path.read_text("utf-8"))
    assert (header["dicekit"], header["position"]["scores"]) == (2, [9600, 10_050])
    assert same(Record.load(path), record)
    record.add(Throw())
    record.roll()
    dice = record.events[-1]
    assert record.undo() == start
    assert record.decision() == 0
    record = Record.load(path)
    record.add(Throw())
    assert sorted(record.thrown_before()) == sorted(dice)
    record.undo()
    record.add(Bank())
    assert record.state.winners == (1,)
    assert same(Record.load(path), record)
    assert [len(turn) for turn in record.turns()] == [1, 0]


@pytest.mark.parametrize("facts", [{}, {"throw": (1, 4), "points": 250}], ids=["choose", "thrown"])
def test_a_coach_reviews_a_game_that_begins_at_a_position(facts):
    start = Farkle().deal("Ana", "Bia", **(LAST | facts))
    record = Record(Farkle(), ["Ana", "Bia"], seed=2, start=start)
    while not record.state.is_terminal:
        step(record, Random(1), undo=0)
    review = Coach(Farkle()).review(record)
    assert 0 < review.start["Ana"] < 1
    for one, other in (("Ana", "Bia"), ("Bia", "Ana")):
        of_one = review.luck[one] + review.skill[one]
        of_other = review.luck[other] + review.skill[other]
        assert review.start[one] + of_one - of_other == pytest.approx(review.now[one])


def test_a_beginning_is_no_position_and_another_game_is_none(path):
    record = Record(Farkle(), ["A", "B"], path=path, start=Farkle().start("A", "B"))
    assert json.loads(path.read_text("utf-8")).keys() == HEADER.keys()
    assert json.loads(path.read_text("utf-8"))["dicekit"] == 1
    for start in (Farkle().start("A", "C"), Farkle(opening=500).start("A", "B"), 5, record):
        with pytest.raises(ValueError, match=r"another game"):
            Record(Farkle(), ["A", "B"], start=start)


@pytest.mark.parametrize(
    "position",
    [[1], 5, "x", {"points": 125}, {"scores": "x"}, {"rules": 1}, {"__class__": {}}]
    + [{"self": 1}, {"scores": [10**400, 0]}, {"throw": [[1]]}, {"stage": ["choose"]}],
    ids=lambda value: f"{value!r:.40}",
)
def test_a_position_that_cannot_be_is_refused_at_line_1(path, position):
    path.write_text(json.dumps(HEADER | {"dicekit": 2, "position": position}) + "\n", "utf-8")
    with pytest.raises(RecordError, match=rf"{path.name}.*line 1\b"):
        load(path)


# Looking back, titles, the whole as text


def test_the_game_until_some_event_is_what_it_was_then(path):
    rng, record, seen = Random(3), Record(Farkle(target=1000), ["A", "B"], seed=3, path=path), []
    while not record.state.is_terminal:
        due = record.dice_due() if record.state.current_player == CHANCE else None
        seen.append((record.state, record.turns(), record.decision(), due))
        step(record, rng, undo=0)
    for number, (state, turns, decision, due) in enumerate(seen):
        past = record.until(number)
        assert (past.state, past.turns(), past.decision()) == (state, turns, decision)
        assert due is None or past.dice_due() == due
        again = Record.from_text(past.text())
        assert (again.states, again.seed) == (past.states, record.seed)
    content, events = path.read_bytes(), list(record.events)
    past.undo()
    past.rename("x")
    past.notes["y"] = 1
    record.until(0).add(Throw())
    assert (path.read_bytes(), record.events, record.title) == (content, events, "")
    assert record.notes == {}
    assert record.text().encode() == content
    for number in (-1, len(record.events) + 1, "1", None):
        with pytest.raises(ValueError, match="events"):
            record.until(number)


def test_a_game_can_be_given_a_title(path):
    record = add(Record(Farkle(), ["A", "B"], path=path), Throw(), SIX)
    before = path.read_bytes()
    record.rename("  Friday's\n <b>game</b> 🎲 ")
    assert record.title == Record.load(path).title == "Friday's <b>game</b> 🎲"
    assert same(Record.load(path), record)
    record.rename("")
    assert path.read_bytes() == before
    for title in (None, 5, "x" * 201, "\ud800"):
        with pytest.raises(ValueError, match="title"):
            record.rename(title)
    other = Record.load(path)
    record.rename("one")
    with pytest.raises(ChangedElsewhere, match=path.name):
        other.rename("other")
    assert (other.title, Record.load(path).title) == ("", "one")


def test_a_record_goes_from_text_to_text(path):
    record = undone(path, (1, 5, 5))
    record.rename("friday")
    assert record.text() == path.read_text("utf-8")
    again = Record.from_text(record.text())
    assert same(again, record)
    assert (again.title, again.path, again.text()) == ("friday", None, record.text())
    again.keep_in(path.with_name("copy.jsonl"))
    again.add((1, 6, 6))
    assert same(Record.load(path.with_name("copy.jsonl")), again)
    for text in ("", "[" * 10**6, '{"dicekit": 3}', "\ud800", "x" * 10**7, b"\xff"):
        with pytest.raises(RecordError, match="line 1"):
            Record.from_text(text)


# What no record can be made of


@pytest.mark.parametrize(
    "name",
    [
        "<b>&amp;",
        "🎲👩‍🏫",
        "שלום",
        "\u202eevil",
        "x" * 200,
        "a\nb",
        "\x00",
        "\u2028",
        "\ud800",
        '"}',
    ],
    ids=ascii,
)
def test_a_strange_name_is_refused_or_comes_back_as_it_was(path, name):
    try:
        record = Record(Farkle(), [name, "B"], path=path)
    except ValueError as refusal:
        assert str(refusal)
        assert not path.exists()
    else:
        add(record, Throw())
        assert record.trouble == ""
        assert path.read_bytes().count(b"\n") == 2
        assert same(Record.load(path), record)


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": None},
        {"rules": "Farkle"},
        {"rules": Farkle},
        {"rules": 5},
        {"players": []},
        {"players": None},
        {"players": 5},
        {"players": "AB"},
        {"players": [1, 2]},
        {"players": [["A"]]},
        {"players": ["A", "A"]},
        {"players": ["A", ""]},
        {"seed": "one"},
        {"seed": 1.5},
        {"seed": True},
        {"seed": [1]},
        {"path": "a\x00b"},
    ],
    ids=str,
)
def test_what_no_record_can_be_made_of_is_refused(path, changes):
    good = {"rules": Farkle(), "players": ["A", "B"], "seed": 1, "path": path}
    with pytest.raises(ValueError, match=r"\w"):
        Record(**(good | changes))
    assert not path.exists()


@pytest.mark.parametrize(
    "kind", ["list", "generator", "set", "dict", "numpy array", "tuple of numpy numbers"]
)
def test_a_throw_of_any_kind_is_recorded_or_refused(path, kind):
    """A list, a generator, a set, numpy: whatever `child` takes can also be written down."""
    numpy = pytest.importorskip("numpy")
    dice = {
        "list": list,
        "generator": iter,
        "set": set,
        "dict": dict.fromkeys,
        "numpy array": numpy.array,
        "tuple of numpy numbers": lambda dice: tuple(map(numpy.int64, dice)),
    }[kind]([1, 5, 6, 2, 3, 4])
    record = add(Record(Farkle(target=numpy.int64(5000)), ["A"], path=path), Throw())
    try:
        record.add(dice)
    except ValueError:
        assert record.events == [Throw()]
    else:
        assert sorted(record.events[-1]) == [1, 2, 3, 4, 5, 6]
        record.add(SetAside(numpy.array([1, 5])))
    assert record.trouble == ""
    assert same(Record.load(path), record)


@pytest.mark.parametrize("people", [[None], {99}, ["A"]], ids=repr)
def test_undo_for_people_who_do_not_play_is_refused(people):
    record = add(Record(Farkle(), ["A", "B"]), Throw(), SIX, SetAside((1,)))
    with pytest.raises(ValueError, match=r"\w"):
        record.undo(people)
    assert len(record.events) == 3


def test_notes_come_back(path):
    notes = {"seats": ["person", "banks at 300"], "ü": None, "<b>": 1.5}
    Record(Farkle(), ["A", "B"], path=path, notes=notes)
    assert Record.load(path).notes == notes


def test_a_house_table_comes_back(path):
    rules = Farkle(table=Table({"1": 100, "nothing": 500}), minimum=100)
    Record(rules, ["A"], path=path)
    assert Record.load(path).rules == rules
