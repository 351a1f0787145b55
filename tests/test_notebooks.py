"""The notebooks: masters stored as they run, pupil copies made from them, and both well formed.

That their code runs and gives the stored outputs is nbval's part.
"""

import copy
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from test_house import MACHINE_PATH

from dicekit.lesson import copies

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
PUPIL = sorted(NOTEBOOKS.glob("*.ipynb"))
MASTERS = sorted(NOTEBOOKS.glob("solutions/*.ipynb"))

TAGS = {"exercise", "teacher", "navigation", "index"}  # what dicekit.lesson.copies knows
TAGS |= {"nbval-ignore-output", "raises-exception", "hide-input"}


def each(paths):
    def name(path):
        return path.relative_to(NOTEBOOKS).as_posix()

    return pytest.mark.parametrize("path", paths, ids=name)


def read(path):
    return nbformat.read(path, as_version=4)


def cells(notebook, kind):
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def tags(cell):
    return cell.metadata.get("tags", [])


def prose(cell):
    """The text of a Markdown cell without its code."""
    return re.sub(r"^```.*?^```|`[^`\n]*`", "", cell.source, flags=re.DOTALL | re.MULTILINE)


def links(text):
    targets = re.findall(r"\]\(([^)\s]+)", text) + re.findall(r"(?:src|href)=\"([^\"]+)\"", text)
    return [target.split("#")[0] for target in targets if not re.match(r"#|\w+:", target)]


def contents(folder):
    paths = folder.glob("**/*.ipynb")
    return {path.relative_to(folder): path.read_text(encoding="utf-8") for path in paths}


def strings(node):
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for value in node.values():
            yield from strings(value)
    elif isinstance(node, list):
        for value in node:
            yield from strings(value)


def test_each_lesson_has_a_master_and_a_pupil_copy():
    names = [path.name for path in MASTERS]
    assert names
    assert [path.name for path in PUPIL] == [*names, "board.ipynb"]


@each(MASTERS)
def test_lessons_are_numbered(path):
    assert re.fullmatch(r"\d\d(-[a-z0-9]+)+\.ipynb", path.name)


@each(PUPIL + MASTERS)
def test_valid_and_for_any_python(path):
    notebook = read(path)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert "widgets" not in notebook.metadata


@each(PUPIL + MASTERS)
def test_no_machine_path(path):
    assert [text for text in strings(read(path)) if MACHINE_PATH.search(text)] == []


@each(PUPIL + MASTERS)
def test_only_agreed_tags(path):
    notebook = read(path)
    assert {tag for cell in notebook.cells for tag in tags(cell)} <= TAGS
    assert not [cell.source for cell in notebook.cells if re.search(r"#\s*NBVAL_", cell.source)]


@each(MASTERS)
def test_masters_are_stored_executed_in_order(path):
    counts = [cell.execution_count for cell in cells(read(path), "code")]
    assert counts == list(range(1, len(counts) + 1))


@each(PUPIL)
def test_pupil_copies_are_stored_unexecuted(path):
    for cell in cells(read(path), "code"):
        assert cell.execution_count is None, cell.source
        assert cell.outputs == [], cell.source


def test_making_the_pupil_copies_again_changes_nothing(tmp_path):
    again = shutil.copytree(NOTEBOOKS, tmp_path / "notebooks")
    copies.main([str(again / "solutions"), str(again)])
    assert contents(again) == contents(NOTEBOOKS)


@each(PUPIL + MASTERS)
def test_headings_descend_step_by_step(path):
    text = "\n".join(prose(cell) for cell in cells(read(path), "markdown"))
    levels = [len(marks) for marks in re.findall(r"^(#{1,6}) ", text, re.MULTILINE)]
    assert levels[:1] == [1]
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


@each(PUPIL + MASTERS)
def test_links_lead_somewhere(path):
    targets = [link for cell in cells(read(path), "markdown") for link in links(prose(cell))]
    assert [target for target in targets if not (path.parent / target).exists()] == []


@each([NOTEBOOKS / path.name for path in MASTERS] + MASTERS)
def test_a_lesson_ends_with_its_neighbours(path):
    names = [other.name for other in MASTERS]
    place = names.index(path.name)
    neighbours = {*names[max(place - 1, 0) : place], *names[place + 1 : place + 2]}
    assert neighbours <= set(links(read(path).cells[-1].source))


def up_to_a_wrong_number(master):
    """The cells of a master up to the first with a number in a checked output, which is changed."""
    begun = []
    for cell in copy.deepcopy(master).cells:
        begun.append(cell)
        if cell.cell_type != "code" or "nbval-ignore-output" in tags(cell):
            continue
        for output in cell.outputs:
            key = "text" if output.output_type == "stream" else "text/plain"
            texts = output.get("data", output)
            if digit := re.search(r"\d", texts.get(key, "")):
                changed = str((int(digit.group()) + 1) % 10)
                texts[key] = digit.re.sub(changed, texts[key], count=1)
                return begun
    raise AssertionError("no checked output has a number")


def test_nbval_refuses_a_wrong_number_in_any_master(tmp_path):
    """One notebook, for one kernel: the beginnings of all masters, each up to its wrong number."""
    notebook, wrong = read(MASTERS[0]), []
    notebook.cells = []
    for path in MASTERS:
        notebook.cells += up_to_a_wrong_number(read(path))
        wrong.append(len(cells(notebook, "code")) - 1)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
    nbformat.write(notebook, tmp_path / "wrong.ipynb")
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-rf", "--color=no"]
        + ["-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    failed = re.findall(r"^FAILED wrong.ipynb::Cell (\d+)", result.stdout, re.MULTILINE)
    assert [int(cell) for cell in failed] == wrong, result.stdout
