"""Progress: what is noted, where, and what comes of it for pupil and teacher."""

import csv
import json
import re
import subprocess
import sys
from collections import Counter

import pytest
from nbclient import execute
from nbformat.v4 import new_code_cell, new_notebook

from dicekit.lesson import check, checks, hint, notes, progress

WHEN = "2025-03-07T09:00:00+01:00"


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    """The file beside a notebook; nothing has been tried."""
    monkeypatch.setattr(checks, "_given", Counter())
    monkeypatch.setattr(notes, "_unwritten", [])
    monkeypatch.setattr(notes, "_path", lambda: tmp_path / notes.FILE)
    return tmp_path / notes.FILE


def play():
    """Bust-one at the third try with two hints, another only begun, and what does not count."""
    for answer in ("1/3", ..., 7, "2/3", "1/6", "2/3"):
        check("00-bust-one", answer)
    for id in ("00-bust-one", "00-bust-one", "01-galileo"):
        hint(id)
    check("00-bust-two", 0, 44)
    check("no-such", 1)


def line(**changed):
    return json.dumps({"exercise": "00-bust-one", "right": True, "at": WHEN} | changed)


def test_what_was_tried_is_noted_without_the_answer(file):
    play()
    entries = notes.noted()
    assert [entry.get("right", "hint") for entry in entries] == [
        *(False, False, True, False, True),
        *["hint"] * 3,
    ]
    assert "2/3" not in file.read_text(encoding="utf-8")
    assert progress().lessons() == [("00", 1, 4, 3, 2), ("01", 0, 6, 0, 1)]
    assert repr(progress()).split() == [
        *("Exercises", "so", "far", "lesson", "solved", "tries", "hints"),
        *("00", "1", "of", "4", "3", "2", "01", "0", "of", "6", "0", "1"),
    ]


def test_nothing_tried_yet():
    assert repr(progress()) == "No exercise has been tried yet."
    assert "No exercise" in progress()._repr_html_()


def test_the_table_can_be_read_aloud():
    play()
    table = progress()._repr_html_()
    assert "<caption>" in table
    assert re.findall(r'<th scope="col">(\w+)', table) == ["lesson", "solved", "tries", "hints"]
    assert re.findall(r'<th scope="row">(\w+)', table) == ["00", "01"]
    assert "<td>1 of 4</td><td>3</td><td>2</td>" in table


def test_damaged_lines_are_skipped(file):
    damaged = [line()[:30], "[]", "7", '"x"', "{}", line(at="noon"), line(exercise=5), "\udcff"]
    damaged += [line(at="2025-03-07T09:00:00"), line(exercise="99-gone"), "null", "\0"]
    text = "\n".join([*damaged, line(right=False), line()[:-9]])
    file.write_bytes(text.encode(errors="surrogateescape"))
    check("00-bust-one", "2/3")  # in a line of its own, after one that was cut off
    assert progress().lessons() == [("00", 1, 4, 2, 0)]


@pytest.mark.parametrize("how", ["no such folder", "a folder in its place"])
def test_where_nothing_can_be_written_the_lesson_goes_on(how, tmp_path, file, monkeypatch):
    if how == "no such folder":
        monkeypatch.setattr(notes, "_path", lambda: tmp_path / "gone" / notes.FILE)
    else:
        file.mkdir()
    play()
    assert progress().lessons()[0] == ("00", 1, 4, 3, 2)


def test_two_notebooks_may_write_at_once(file):
    code = f"""
from pathlib import Path
from dicekit.lesson import notes
notes._path = lambda: Path({str(file)!r})
for number in range(300):
    notes.note("00-bust-one", hint=number)
"""
    writers = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert len(notes.noted()) == 900
    assert progress().lessons() == [("00", 0, 4, 0, 300)]


def test_csv_for_the_teacher(tmp_path):
    play()
    path = tmp_path / "ana.csv"
    saved = progress().to_csv(path.with_suffix(""), name="Zoë, 1a")
    assert str(saved) == f"Saved: ana.csv, in {tmp_path}."
    assert path.read_bytes().startswith(b"\xef\xbb\xbfname,lesson,exercise,solved,tries,hints,")
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["exercise"] for row in table] == list(checks.exercises())
    assert {row["name"] for row in table} == {"Zoë, 1a"}
    solved = next(row for row in table if row["exercise"] == "00-bust-one")
    assert [solved[what] for what in ("lesson", "solved", "tries", "hints")] == [
        *("00", "yes", "3", "2")
    ]
    assert solved["first"] <= solved["last"]
    assert table[0]["first"] == "" and table[0]["solved"] == "no"
    assert [other.name for other in tmp_path.glob("*.csv*")] == ["ana.csv"]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", " =1+1", "\t=1+1"])
def test_a_name_is_no_formula(name, tmp_path):
    path = tmp_path / "ana.csv"
    progress().to_csv(path, name, separator=";")
    with path.open(encoding="utf-8-sig", newline="") as file:
        assert {row["name"] for row in csv.DictReader(file, delimiter=";")} == {"'" + name}


def test_a_failed_csv_leaves_the_old_one(tmp_path, monkeypatch):
    (tmp_path / "ana.csv").write_text("old", encoding="utf-8")
    monkeypatch.setattr("os.replace", lambda *paths: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        progress().to_csv(tmp_path / "ana.csv")
    assert (tmp_path / "ana.csv").read_text(encoding="utf-8") == "old"


def test_a_file_that_was_handed_in(tmp_path, file):
    play()
    handed_in = file.rename(tmp_path / "zoe.txt")
    assert repr(progress()) == "No exercise has been tried yet."
    assert progress(handed_in).lessons()[0] == ("00", 1, 4, 3, 2)
    with pytest.raises(FileNotFoundError):
        progress(tmp_path / "nobody.txt")


@pytest.mark.parametrize("folder", ["lessons", "solutions"])
def test_in_a_notebook(folder, tmp_path):
    place = tmp_path / folder
    place.mkdir()
    code = 'from dicekit.lesson import check, progress\ncheck("00-bust-one", "2/3")\nprogress()'
    notebook = new_notebook(cells=[new_code_cell(code)])
    execute(notebook, cwd=str(place), kernel_name="python3")
    (output,) = notebook.cells[0].outputs
    assert output.data["text/plain"].split()[-6:] == ["00", "1", "of", "4", "1", "0"]
    written = [path.name for path in place.iterdir()]
    assert written == ([notes.FILE] if folder == "lessons" else [])  # masters leave no trace


def test_the_order_of_the_lines_counts_and_not_the_clock(file):
    lines = [line(right=False), line(), line(at="2020-01-01T09:00:00+01:00")]
    file.write_text("\n".join(lines), encoding="utf-8")
    assert progress().lessons() == progress(file).lessons() == [("00", 1, 4, 2, 0)]


def test_a_line_that_is_too_deep_is_skipped(file):
    file.write_text("[" * 10**6 + "\n" + line(), encoding="utf-8")
    assert progress().lessons() == [("00", 1, 4, 1, 0)]
