"""The teacher's guide: right answers, mistakes that are recognised, no exercise left out."""

import re
from pathlib import Path

import pytest
from test_notebooks import MASTERS

from dicekit.lesson import check
from dicekit.lesson.checks import exercises
from dicekit.lesson.handed_in import Function, Rule

GUIDE = (Path(__file__).parents[1] / "notebooks/solutions/teachers-guide.md").read_text("utf-8")
PAGES = dict(re.findall(r"^### (\d\d) · .*?\n(.*?)(?=^##|\Z)", GUIDE, re.MULTILINE | re.DOTALL))
ANSWERS = {
    id: (lesson, number, answer)
    for lesson, page in PAGES.items()
    for number, id, answer in re.findall(r"^\| (\d+) \| `([\w-]+)` \| (.*?) \|", page, re.MULTILINE)
}
MISTAKES = [
    (next(id for id, (of, no, _) in ANSWERS.items() if (of, no) == (lesson, number)), seen)
    for lesson, page in PAGES.items()
    for number, seen, _, _ in re.findall(
        r"^\| (\d+) \| (.*?) \| (.*?) \| (.*?) \|$",
        page.partition("**Mistakes")[2].partition("**Answers**")[0],
        re.MULTILINE,
    )
]


def typed(answer):
    """The answer as one would type it: 5/18, 16*(1 - p)**2/25."""
    answer = answer.replace("−", "-").replace("²", "**2").removeprefix("about ")
    return re.sub(r"(?<=\d)\(", "*(", answer)


def is_tried_out(id):
    return isinstance(exercises()[id].answer, Function | Rule) or "any " in ANSWERS[id][2]


def test_every_exercise_is_in_the_guide():
    assert set(ANSWERS) == set(exercises()), "notebooks/solutions/teachers-guide.md"
    assert [id[:2] for id in ANSWERS] == [lesson for lesson, _, _ in ANSWERS.values()]


def test_every_lesson_has_a_page():
    missing = {path.name[:2] for path in MASTERS} - set(PAGES)
    assert not missing, "a page in notebooks/solutions/teachers-guide.md"


@pytest.mark.parametrize("id", [id for id in ANSWERS if not is_tried_out(id)])
def test_answers_are_right(id):
    assert check(id, typed(ANSWERS[id][2])), check(id, typed(ANSWERS[id][2]))


@pytest.mark.parametrize(
    ("id", "seen"), [entry for entry in MISTAKES if not is_tried_out(entry[0])]
)
def test_mistakes_are_recognised(id, seen):
    said = check(id, typed(seen))
    assert not said
    assert said.text in [says for _, says in exercises()[id].mistakes.values()], said
