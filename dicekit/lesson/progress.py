"""How far a pupil is, as a small table and as a CSV file for the teacher."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from dicekit.games.record import put
from dicekit.lesson.checks import Message, exercises
from dicekit.lesson.notes import noted
from dicekit.tables import Grid, Shown


@dataclass(frozen=True)
class Row:
    """One exercise: `tries` up to the first right answer, different `hints`, and when."""

    exercise: str
    solved: bool = False
    tries: int = 0
    hints: int = 0
    first: str = ""
    last: str = ""

    @property
    def lesson(self) -> str:
        return self.exercise[:2]

    @classmethod
    def of(cls, exercise: str, entries: Iterable[dict[str, Any]]) -> Row:
        """The exercise's row from all that was noted, in order of time."""
        mine = [entry for entry in entries if entry["exercise"] == exercise]
        right = [entry["right"] is True for entry in mine if "right" in entry]
        times = [entry["at"] for entry in mine if "right" in entry]
        solved = True in right
        tries = right.index(True) + 1 if solved else len(right)
        hints = len({str(entry["hint"]) for entry in mine if "hint" in entry})
        first, last = (times[0], times[tries - 1]) if times else ("", "")
        return cls(exercise, solved, tries, hints, first, last)


@dataclass(frozen=True, repr=False)
class Progress(Shown):
    """All exercises with what was tried; shows the lessons that have been begun.

    >>> Progress((Row("00-bust-one", True, tries=2), Row("00-bust-two"), Row("01-a-six")))
    Exercises so far
    lesson  solved  tries  hints
    00      1 of 2      2      0
    """

    rows: tuple[Row, ...]

    def lessons(self) -> list[tuple[str, int, int, int, int]]:
        """For each lesson begun: its number, exercises solved, of how many, tries, hints."""
        found = []
        for lesson, group in groupby(self.rows, key=lambda row: row.lesson):
            rows = list(group)
            solved, tries, hints = (sum(getattr(row, what) for row in rows) for what in COUNTED)
            if tries or hints:
                found.append((lesson, solved, len(rows), tries, hints))
        return found

    def grid(self) -> Grid:
        rows = [
            [lesson, f"{solved} of {number}", str(tries), str(hints)]
            for lesson, solved, number, tries, hints in self.lessons()
        ]
        return "Exercises so far" if rows else NOTHING, ["lesson", *COUNTED], rows, []

    def to_csv(self, path: str | os.PathLike[str], name: str = "", separator: str = ",") -> Message:
        """Write one line for each exercise of all lessons into a file, for the teacher.

        Columns: name, lesson, exercise, solved (yes or no), tries, hints, and the times of the
        first and the last of these tries. Excel opens it; where it expects semicolons, ask for
        separator=";". Raises OSError if the file cannot be written.
        """
        text = io.StringIO()
        table = csv.writer(text, delimiter=separator)
        table.writerow(["name", "lesson", "exercise", *COUNTED, "first", "last"])
        name = str(name)
        if name.strip().startswith(("=", "+", "-", "@")):
            name = f"'{name}"  # a name, not a formula
        for row in self.rows:
            solved = "yes" if row.solved else "no"
            what = [row.lesson, row.exercise, solved, row.tries, row.hints, row.first, row.last]
            table.writerow([name, *what])
        path = Path(path)
        path = path if path.suffix else path.with_suffix(".csv")
        put(path, text.getvalue().encode("utf-8-sig"))
        where = "in the folder of this notebook" if path.name == str(path) else f"in {path.parent}"
        return Message("Saved:", f"{path.name}, {where}.", right=True)


COUNTED = ("solved", "tries", "hints")
NOTHING = "No exercise has been tried yet."


def progress(path: str | os.PathLike[str] | None = None) -> Progress:
    """How far you are: exercises solved, tries and hints, lesson by lesson.

    It looks where the notebook is; `path` names another file `lesson-progress.txt`, such as one
    that a pupil has handed in. Raises OSError if that file cannot be read.
    """
    entries = noted(path)
    return Progress(tuple(Row.of(exercise, entries) for exercise in exercises()))
