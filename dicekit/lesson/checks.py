"""Exercises that answer: `check` an answer, ask for a `hint`.

The exercises are data, one TOML file a lesson in the folder `exercises`; there an exercise is

    [02-four-ones]
    kind = "whole"                      # or another of KINDS
    answer = "1100"                     # always a text, which the kind reads
    why = "One sentence, shown with the right answer."
    hints = ["A first one.", "A second one, which tells more."]

    [02-four-ones.mistakes.singles]     # any name; the first mistake that fits is told
    gives = "400"
    says = "What went wrong, without the solution."

`answer`, `why` and `gives` take one line each. So that nobody reads them by accident they are
stored concealed; `python -m dicekit.lesson` reveals a file for editing and conceals it again.
"""

from __future__ import annotations

import re
import tomllib
from base64 import b64decode, b64encode
from collections import Counter
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from dicekit.lesson.answers import Answer, Chance, Exact, Items, Number, Unreadable, Whole, Word
from dicekit.lesson.handed_in import Event, Expression, Function, Rule, is_open
from dicekit.lesson.notes import note

KINDS: dict[str, type[Answer]] = {
    "number": Number,
    "exact": Exact,
    "whole": Whole,
    "chance": Chance,
    "set": Items,
    "word": Word,
    "expression": Expression,
    "function": Function,
    "rule": Rule,
    "event": Event,
}

_PLAIN = re.compile(r'^(answer|why|gives) = "(?!hidden:)(.*)"$', re.MULTILINE)
_HIDDEN = re.compile(r'^(answer|why|gives) = "hidden:(.*)"$', re.MULTILINE)


def conceal(text: str) -> str:
    """The text of an exercise file, with what gives the answer away made unreadable.

    >>> conceal('answer = "5/216"')
    'answer = "hidden:NS8yMTY="'
    """

    def hide(line: re.Match[str]) -> str:
        return f'{line[1]} = "hidden:{b64encode(line[2].encode()).decode()}"'

    return _PLAIN.sub(hide, text)


def reveal(text: str) -> str:
    """The text of an exercise file as its author wrote it.

    >>> reveal('answer = "hidden:NS8yMTY="')
    'answer = "5/216"'
    """
    return _HIDDEN.sub(lambda line: f'{line[1]} = "{b64decode(line[2]).decode()}"', text)


@dataclass(frozen=True)
class Exercise:
    """A question's answer, why it is right, hints, and the mistakes that people make."""

    answer: Answer
    why: str
    hints: tuple[str, ...]
    mistakes: dict[str, tuple[Answer, str]]

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Exercise:
        """An exercise as it stands in a revealed file."""
        kind = KINDS[data["kind"]]
        mistakes = {
            name: (kind.read(mistake["gives"]), mistake["says"])
            for name, mistake in data["mistakes"].items()
        }
        return cls(kind.read(data["answer"]), data["why"], tuple(data["hints"]), mistakes)


@cache
def exercises() -> dict[str, Exercise]:
    """The exercises of all lessons, by their ids."""
    found: dict[str, Exercise] = {}
    for file in sorted(Path(__file__).with_name("exercises").glob("*.toml")):
        lesson = tomllib.loads(reveal(file.read_text(encoding="utf-8")))
        for id, data in lesson.items():
            try:
                found[id] = Exercise.from_data(data)
            except (KeyError, ValueError) as problem:
                problem.add_note(f"in the exercise {id} of {file.name}")
                raise
    return found


@dataclass(frozen=True, repr=False)
class Message:
    """What `check` and `hint` say. It counts as true if it says that an answer is right."""

    head: str
    text: str
    right: bool = False

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return f"{self.head} {self.text}".strip()

    def _repr_html_(self) -> str:
        head = f"<strong>{escape(self.head)}</strong> " if self.head else ""
        style = "border-left:4px solid;padding-left:.6em"
        return f'<p role="status" style="{style}">{head}{escape(self.text)}</p>'


def check(id: str, answer: Any = ..., *more: Any) -> Message:
    """Is this the answer to the exercise? If not: what has gone wrong, as far as one can tell.

    >>> check("00-bust-one", "1/3")
    Not yet. That is the chance that the die scores. A bust is the opposite.
    >>> check("00-bust-one", ...)
    not answered yet · hint("00-bust-one") helps

    Numbers may be fractions, decimals, per cents ("37.5 %") or sympy expressions. Where a function
    is asked for, hand in its name; it is run. Nothing is raised for any answer. Answers in plural,
    as in check("00-bust-one", 0,123), are told to be one.
    """
    if (exercise := exercises().get(id := str(id))) is None:
        return _unknown(id)
    if more:
        return Message("Not yet.", type(exercise.answer).SEVERAL)
    if is_open(answer):
        return Message("", f'not answered yet · hint("{id}") helps')
    told = _told(exercise, answer, otherwise=f'hint("{id}") helps.')
    note(id, right=told.right)
    return told


def _told(exercise: Exercise, answer: Any, otherwise: str) -> Message:
    """What there is to say about an answer; `otherwise` if there is nothing."""
    wanted = exercise.answer
    try:
        given = type(wanted).read(answer)
        right = given.is_right(wanted)
        mistakes = exercise.mistakes.values()
        fitting = (says for mistake, says in mistakes if given.shows(mistake, wanted))
        says = exercise.why if right else next(fitting, given.remark(wanted) or otherwise)
        text = f"{given.found(wanted)} {says}".strip()
    except Unreadable as problem:
        right, text = False, str(problem)
    except Exception:  # whatever a pupil hands in, the lesson goes on
        right, text = False, wanted.FORM
    return Message("Right." if right else "Not yet.", text, right)


def _unknown(id: str) -> Message:
    near = get_close_matches(id, exercises(), n=3)
    others = f"Near it: {', '.join(near)}." if near else "An id is a text such as 00-bust-one."
    return Message("", f"There is no exercise {id[:40]}. {others}")


_given: Counter[str] = Counter()


def hint(id: str) -> Message:
    """The next hint for an exercise, one at a time; after the last one, the last again.

    >>> hint("00-bust-one")
    Hint 1 of 3: Which faces of a single die score, and which do not?
    """
    if (exercise := exercises().get(id := str(id))) is None:
        return _unknown(id)
    hints = exercise.hints
    _given[id] = min(_given[id] + 1, len(hints))
    note(id, hint=_given[id])
    return Message(f"Hint {_given[id]} of {len(hints)}:", hints[_given[id] - 1])
