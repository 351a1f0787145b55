"""Exercises that answer: `check` an answer, ask for a `hint`.

The exercises are data, one TOML file a lesson in the folder `exercises`; there an exercise is

    [02-four-ones]
    kind = "whole"                      # or another of answers.KINDS
    answer = "1100"                     # always a text
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

from dicekit.lesson.answers import KINDS, Answer, Unreadable

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


def _find(id: str) -> Exercise:
    if str(id) in exercises():
        return exercises()[str(id)]
    near = get_close_matches(str(id), exercises(), n=3)
    others = f"Near it: {', '.join(near)}." if near else "An id is a text such as 00-bust-one."
    raise ValueError(f"there is no exercise {id!r}. {others}")


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

    Numbers may be fractions, decimals, per cents ("37.5 %") or sympy expressions. Raises
    ValueError if there is no such exercise, and nothing for any answer. Answers in plural, as in
    check("00-bust-one", 0,123), are told to be one.
    """
    exercise = _find(id)
    if more:
        return Message("Not yet.", type(exercise.answer).SEVERAL)
    if answer is ...:
        return Message("", f'not answered yet · hint("{id}") helps')
    kind = type(exercise.answer)
    try:
        given = kind.read(answer)
    except Unreadable as problem:
        return Message("Not yet.", str(problem))
    except Exception:  # whatever a pupil hands in, the lesson goes on
        return Message("Not yet.", kind.FORM)
    if given.is_right(exercise.answer):
        return Message("Right.", exercise.why, right=True)
    for mistake, says in exercise.mistakes.values():
        if given.resembles(mistake):
            return Message("Not yet.", says)
    return Message("Not yet.", given.remark(exercise.answer) or f'hint("{id}") helps.')


_given: Counter[str] = Counter()


def hint(id: str) -> Message:
    """The next hint for an exercise, one at a time; after the last one, the last again.

    >>> hint("00-bust-one")
    Hint 1 of 3: Which faces of a single die score, and which do not?
    """
    hints = _find(id).hints
    _given[id] = min(_given[id] + 1, len(hints))
    return Message(f"Hint {_given[id]} of {len(hints)}:", hints[_given[id] - 1])
