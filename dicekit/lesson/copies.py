"""Make the pupil copies: the masters without their solutions.

    python -m dicekit.lesson.copies                notebooks/solutions -> notebooks
    python -m dicekit.lesson.copies --run          run the masters first
    python -m dicekit.lesson.copies --run --only 02

The masters get their navigation bar and their index first, so that a new lesson is linked, and
their cells a slide type, where none was set by hand. Cells have these tags:

    exercise     in the copy, what is assigned, defined or checked becomes `...`
    teacher      only in the master
    navigation   the last cell, written by this command
    index        a list of all lessons, written by this command
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import accumulate
from pathlib import Path
from typing import Any

from dicekit.games.record import put
from dicekit.lesson.slides import set_slide_types

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KEPT = ("editable", "jupyter", "slideshow", "tags")
WIDGET = "application/vnd.jupyter.widget-view+json"

# Where it begins and ends, as line and column in bytes, and what is put there.
Hole = tuple[tuple[int, int], tuple[int, int], str]


def pupil_copy(master: Any) -> Any:
    """The notebook for the class: solutions are `...`, outputs and notes for the teacher are gone.

    Links out of the masters' folder lead on from the folder above, where the copies live.
    Raises ValueError if a cell tagged `exercise` cannot be read.
    """
    copy = tidy(master)
    for place, cell in enumerate(copy.cells, start=1):
        if cell.cell_type == "markdown":
            cell.source = _one_folder_up(cell.source)
        if cell.cell_type != "code":
            continue
        cell.outputs, cell.execution_count = [], None
        if "exercise" in _tags(cell):
            try:
                cell.source = opened(cell.source)
            except ValueError as problem:
                raise ValueError(
                    f"cell {place} ({cell.get('id')}) is tagged exercise, but {problem}; "
                    f"it begins {cell.source.strip()[:60]!r}"
                ) from None
    copy.cells = [cell for cell in copy.cells if "teacher" not in _tags(cell)]
    return copy


def tidy(notebook: Any) -> Any:
    """The notebook without what changes from machine to machine and from run to run.

    Its cells get their slide types.
    """
    from nbconvert.preprocessors import CoalesceStreamsPreprocessor

    notebook = deepcopy(notebook)
    notebook.metadata.clear()
    notebook.metadata.update(deepcopy(METADATA))
    for cell in notebook.cells:
        for key in [key for key in cell.metadata if key not in KEPT]:
            del cell.metadata[key]
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)
    # Printed text arrives in pieces, now more and now fewer.
    CoalesceStreamsPreprocessor().preprocess(notebook, {})  # type: ignore[no-untyped-call]
    set_slide_types(notebook)
    return notebook


def _tags(cell: Any) -> list[str]:
    return cell.metadata.get("tags", [])


def _one_folder_up(text: str) -> str:
    return re.sub(r"""(\]\(<?|^\[[^]]+\]:\s*|\b(?:src|href)=["'])\.\./""", r"\1", text, flags=re.M)


def opened(source: str) -> str:
    """The source of an exercise with `...` where the solution was.

    >>> print(opened("chance = 1 - (2/3)**2   # at least one"))
    chance = ...   # at least one
    >>> print(opened("check('00-bust-six', P(game.is_bust, throws(6)))"))
    check('00-bust-six', ...)

    Everything else stays as it is, byte for byte. Raises ValueError for what is not Python, or
    cannot be left open.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError as problem:
        raise ValueError(
            f"is not plain Python: {problem.msg}, line {problem.lineno} "
            "(a magic such as %time belongs in a cell of its own)"
        ) from None
    code = source.encode()
    begins = [0, *accumulate(len(line) + 1 for line in code.split(b"\n"))]
    holes = sorted(_holes(tree), key=lambda hole: hole[:2], reverse=True)
    for (line, column), (last_line, last_column), filler in holes:
        start, end = begins[line - 1] + column, begins[last_line - 1] + last_column
        while (before := _OPENING.search(code[:start])) and (after := _CLOSING.match(code, end)):
            start, end = before.start(), after.end()
        code = code[:start] + filler.encode() + code[end:]
    return code.decode()


_OPENING = re.compile(rb"\((\s|#.*\n)*\Z")
_CLOSING = re.compile(rb"(\s|#.*\n)*\)")


def _hole(first: Any, last: Any, filler: str = "...") -> Hole:
    """What stands from the start of one node to the end of another, and what takes its place."""
    decorators = getattr(first, "decorator_list", None)
    line = decorators[0].lineno if decorators else first.lineno
    return (line, first.col_offset), (last.end_lineno, last.end_col_offset), filler


def _holes(node: ast.AST) -> Iterator[Hole]:
    """What is to be replaced in a node."""
    match node:
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
            if ast.get_docstring(node, clean=False) is not None:
                body = body[1:]
            if body:
                yield _hole(body[0], body[-1])
        case ast.Assign(targets=targets, value=value):
            yield _hole(value, value, max(map(_filler, targets), key=len))
        case ast.AnnAssign(value=ast.expr() as value) | ast.NamedExpr(value=value):
            yield _hole(value, value)
        case ast.AugAssign(target=target):
            name = ast.unparse(target)
            raise ValueError(f"{name} is changed in place; write {name} = {name} + 1 or the like")
        case ast.Call() if (answer := _answer(node)) and not isinstance(answer, ast.Name):
            yield _hole(answer, answer)
        case ast.JoinedStr():  # where its parts stand in the source is not known everywhere
            if any(isinstance(part, ast.Call) and _answer(part) for part in ast.walk(node)):
                raise ValueError("checks an answer inside an f-string")
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _holes(child)


def _filler(target: ast.expr) -> str:
    """`...` for one name, `..., ...` for two."""
    if not isinstance(target, ast.Tuple | ast.List):
        return "..."
    parts = [_filler(part) for part in target.elts]
    nested = [f"({part})" if "," in part else part for part in parts]
    return ", ".join(nested) + "," * (len(nested) == 1)


def _answer(call: ast.Call) -> ast.expr | None:
    """The second argument of a call of `check`."""
    match call.func:
        case ast.Name("check") | ast.Attribute(attr="check"):
            named = [keyword.value for keyword in call.keywords if keyword.arg == "answer"]
            return next(iter(call.args[1:] + named), None)
    return None


def navigation(titles: Mapping[str, str]) -> dict[str, str]:
    """The bar below each lesson: the one before, the index, the one after.

    >>> navigation({"00-start-here": "00 Start here", "02-rules": "02 Rules"})["02-rules"]
    '← [00 Start here](00-start-here.ipynb) · [index](00-start-here.ipynb#All-lessons)'
    """
    links = [f"[{title}]({stem}.ipynb)" for stem, title in titles.items()]
    index = f"[index]({next(iter(titles))}.ipynb#All-lessons)"
    before = [[], *([f"← {link}"] for link in links)]
    after = [*([f"{link} →"] for link in links[1:]), []]
    return {
        stem: " · ".join([*left, index, *right])
        for stem, left, right in zip(titles, before, after, strict=False)
    }


def title_of(notebook: Any, stem: str) -> str:
    """The first heading of a notebook, without the dot after its number."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    heading = re.search(r"^# (.+)$", text, re.MULTILINE)
    return heading[1].replace(" · ", " ").strip() if heading else stem


def _in_order(lesson: tuple[str, str]) -> tuple[bool, str]:
    """Lessons by number, then what has none."""
    return not lesson[0][:2].isdigit(), lesson[0]


def _link(masters: Mapping[str, Any], board: Path) -> None:
    """Write the navigation bars and the index into the masters."""
    from nbformat.v4 import new_markdown_cell

    titles = {stem: title_of(notebook, stem) for stem, notebook in masters.items()}
    if board.exists():
        titles["../board"] = title_of(read(board), "Board")
    links = {stem: f"[{title}]({stem}.ipynb)" for stem, title in titles.items()}
    rows = [f"- {link}" for _, link in sorted(links.items(), key=_in_order)]
    bars = navigation(titles)
    for stem, notebook in masters.items():
        if not any("navigation" in _tags(cell) for cell in notebook.cells):
            bar = new_markdown_cell(id="navigation", metadata={"tags": ["navigation"]})  # type: ignore[no-untyped-call]
            notebook.cells.append(bar)
        for cell in notebook.cells:
            if "navigation" in _tags(cell):
                cell.source = bars[stem]
            if "index" in _tags(cell):
                cell.source = "\n".join(["## All lessons", "", *rows])


def run(notebook: Any, folder: Path) -> None:
    """Run a notebook in its folder; the outputs are stored in it. Raises as its cells do."""
    from nbclient import execute

    leave_out: Any = {"record_timing": False, "store_widget_state": False}
    execute(notebook, cwd=str(folder), kernel_name="python3", timeout=600, **leave_out)


def read(path: Path) -> Any:
    """The notebook in a file. Raises as nbformat does if it is none."""
    import nbformat

    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def write(notebook: Any, path: Path) -> str:
    """Store a notebook as `store` does."""
    import nbformat

    return store(nbformat.writes(notebook).rstrip("\n") + "\n", path)  # type: ignore[no-untyped-call]


def store(text: str, path: Path) -> str:
    """Store a text, whole or not at all: "written", or "unchanged" if it is there already."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return "unchanged"
    put(path, text.encode())
    return "written"


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser("python -m dicekit.lesson.copies", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("masters", nargs="?", type=Path, default=Path("notebooks/solutions"))
    parser.add_argument("copies", nargs="?", type=Path, default=Path("notebooks"))
    parser.add_argument("--run", action="store_true", help="run the masters first")
    parser.add_argument("--only", default="", help="run only those whose names begin so")
    options = parser.parse_args(arguments)

    paths = sorted(options.masters.glob("*.ipynb"))
    if not any(path.name.startswith(options.only) for path in paths):
        parser.error(f"there is no notebook {options.only}*.ipynb in {options.masters}")
    masters = {path.stem: read(path) for path in paths}
    _link(masters, options.copies / "board.ipynb")
    for path, master in zip(paths, masters.values(), strict=True):
        try:
            if options.run and path.name.startswith(options.only):
                run(master, path.parent)
            pages = {path: tidy(master), options.copies / path.name: pupil_copy(master)}
        except Exception as problem:
            problem.add_note(f"in {path}")
            raise
        for place, notebook in pages.items():
            print(f"{write(notebook, place):9}  {place}")
    for copy in sorted(options.copies.glob("[0-9]*.ipynb")):
        if copy.stem not in masters:
            print(f"left over  {copy}: it has no master; delete it")


if __name__ == "__main__":
    main()
