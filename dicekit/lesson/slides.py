"""Where the slides of a lesson begin and end: little on each, and the question before the answer.

A heading begins a slide. What would run over the edge goes to the next one, downwards. Code
appears with its result at a click, and so does what is said about it.
"""

from __future__ import annotations

import re
from copy import deepcopy
from math import ceil
from typing import Any

ROOM = 15.0  # lines of text on a slide
WIDTH = 75  # letters in a line
SMALL = 0.75  # a line of code or of a table, in lines of text
FIGURE = 12.0
SKIPPED = {"index", "navigation", "teacher"}


def set_slide_types(notebook: Any) -> None:
    """Give each cell a slide type, in place. One that was set by hand stays.

    What the rule sets is noted beside it, as `by_rule`: where the two differ, a hand was at work.
    """
    used = 0.0
    for cell in notebook.cells:
        slideshow = cell.metadata.setdefault("slideshow", {})
        kind, height = slideshow.get("slide_type"), _height(cell)
        if not _by_hand(cell):
            kind = slideshow["slide_type"] = slideshow["by_rule"] = _kind(cell, used + height)
        if kind not in ("skip", "notes"):
            used = height if kind in ("slide", "subslide") else used + height


def _by_hand(cell: Any) -> bool:
    slideshow = cell.metadata.get("slideshow", {})
    return slideshow.get("slide_type") != slideshow.get("by_rule")


def _kind(cell: Any, used: float) -> str:
    """The slide type of a cell that would fill a slide so far."""
    if SKIPPED & set(cell.metadata.get("tags", [])):
        return "skip"
    if cell.cell_type == "markdown" and re.search(r"^#", cell.source, re.MULTILINE):
        return "slide"
    if used > ROOM:
        return "subslide"
    return "fragment" if cell.cell_type == "code" else "-"


def _height(cell: Any) -> float:
    """How many lines of text a cell takes on a slide, about."""
    if cell.cell_type != "code":
        return sum(map(_block_height, cell.source.split("\n")))
    return 1 + SMALL * len(cell.source.split("\n")) + sum(map(_output_height, cell.outputs))


def _block_height(line: str) -> float:
    return ceil(len(line) / WIDTH) + line.startswith("#") + 2 * line.startswith("$$") or 0.5


def _output_height(output: Any) -> float:
    data = output.get("data", {})
    if "image/png" in data:
        return FIGURE
    if "text/latex" in data:
        return 2.0
    html, text = data.get("text/html", ""), data.get("text/plain", output.get("text", ""))
    return 1 + SMALL * (html.count("<tr") or text.count("\n"))


def in_small_cells(notebook: Any) -> Any:
    """The notebook with each paragraph or list of its text as a cell of its own.

    So a long text can go on, on the next slide. A formula, a table and what follows a colon stay
    with the words above them, and a cell with a slide type set by hand stays whole.
    """
    notebook = deepcopy(notebook)
    whole, notebook.cells = notebook.cells, []
    for cell in whole:
        split = cell.cell_type == "markdown" and not _by_hand(cell)
        for block in _blocks(cell.source) if split else [cell.source]:
            part = deepcopy(cell)
            part.source, part.id = block, f"part-{len(notebook.cells)}"
            notebook.cells.append(part)
    return notebook


def _blocks(source: str) -> list[str]:
    blocks: list[str] = []
    for block in source.split("\n\n"):
        goes_on = block.startswith(("$$", "|"))
        if blocks and (goes_on or blocks[-1].endswith(":") or blocks[-1].count("```") % 2):
            blocks[-1] += f"\n\n{block}"
        else:
            blocks.append(block)
    return blocks
