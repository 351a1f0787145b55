"""Pages to print and to show: lessons, exercise sheets, score sheets, slides.

    python -m dicekit.lesson.pages OUT                  all pages, into the folder OUT
    python -m dicekit.lesson.pages OUT --only 05        one lesson: its page and its sheet
    python -m dicekit.lesson.pages OUT --only score     the score sheets
    python -m dicekit.lesson.pages OUT --solutions      the lessons with their answers and results
    python -m dicekit.lesson.pages OUT --slides --reveal FOLDER
                                                        slides as well, to show without internet
    python -m dicekit.lesson.pages OUT --pdf            each page as PDF too, by Chromium or Chrome

Each page is one file that needs no internet. Slides need reveal.js, version 4 or 5. Without
--reveal they load it from the internet; FOLDER is a copy of it, such as its unpacked download.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.options import options
from dicekit.games.scoring import dice_of, row_name
from dicekit.lesson.copies import read, store, title_of
from dicekit.lesson.slides import in_small_cells, set_slide_types

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
TEMPLATES = Path(__file__).parent
LINES = f'\n\n<p class="lines">{"<i></i>" * 3}</p>\n'
SCROLLS = 'tabindex="0" role="group"'
# What is said about typing an answer, not about the question.
SCREEN = re.compile(r"[^.?!\n]*\b(in quotes|in place of|the cell)\b[^.?!]*[.?!] ?", re.IGNORECASE)
Pages = Iterator[tuple[str, str]]
WHO = '<p class="who"><span>Name</span><span>Date</span></p>'


def mathml(latex: str, display: str = "block") -> str:
    """A formula for the browser itself, without internet and scripts.

    >>> mathml(r"$\\displaystyle \\frac{4}{9}$", "inline").count("<mfrac>")
    1
    """
    from latex2mathml.converter import convert

    return convert(latex.strip("$ ").removeprefix(r"\displaystyle"), display=display)


def wide(html: str) -> str:
    """Tables that scroll by themselves, also with the keyboard, where the page is narrow."""
    begin = f'<div class="wide" {SCROLLS} aria-label="table"><table'
    return html.replace("<table", begin).replace("</table>", "</table></div>")


@cache
def _exporter(template: str) -> Any:
    """What turns notebooks into HTML by a template of the folder `page`."""
    from nbconvert.exporters import SlidesExporter
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    class Renderer(IPythonRenderer):
        """Markdown with formulas as MathML."""

        def block_math(self, body: str) -> str:
            return f'<span class="wide" {SCROLLS} aria-label="formula">{mathml(body)}</span>'

        def inline_math(self, body: str) -> str:
            return mathml(body, "inline")

    def markdown2html(source: str) -> str:
        renderer = Renderer(escape=False, exclude_anchor_links=True)
        html = MarkdownWithMath(renderer=renderer).render(source)
        return wide(html.replace("<pre>", '<pre tabindex="0">'))

    exporter: Any = SlidesExporter(  # type: ignore[no-untyped-call]
        template_name="page",
        template_file=f"{template}.html.j2",
        extra_template_basedirs=[str(TEMPLATES)],
    )
    exporter.register_filter("markdown2html", markdown2html)
    exporter.register_filter("mathml", mathml)
    exporter.register_filter("wide", wide)
    exporter.register_filter("file", lambda folder, name: Path(folder, name).read_text("utf-8"))
    exporter.environment.globals |= {"row_name": row_name, "options": options, "example": example}
    return exporter


def example(pattern: str) -> tuple[int, ...]:
    """Dice that make a row, to draw."""
    return () if pattern == "nothing" else dice_of(pattern)[-1]


def _page(template: str, kind: str, title: str, notebook: Any, **resources: Any) -> str:
    notebook = deepcopy(notebook)
    notebook.metadata |= {"title": title, "kind": kind}
    html, _ = _exporter(template).from_notebook_node(notebook, resources)
    return html


def _text(*cells: str) -> Any:
    """A notebook of nothing but text."""
    from nbformat.v4 import new_markdown_cell, new_notebook

    return new_notebook(cells=list(map(new_markdown_cell, cells)))  # type: ignore[no-untyped-call]


def lesson(path: Path) -> str:
    """A lesson as a page, without the links to other lessons."""
    notebook = read(path)
    links = {"navigation", "index"}
    notebook.cells = [c for c in notebook.cells if not links & set(c.metadata.get("tags", []))]
    return _page("index", "lesson", title_of(notebook, path.stem), notebook)


def deck(path: Path, reveal: Path | None = None) -> str:
    """A lesson as slides; with a copy of reveal.js in them, if its folder is given."""
    notebook = in_small_cells(read(path))
    set_slide_types(notebook)
    return _page("slides", "deck", title_of(notebook, path.stem), notebook, folder=reveal)


@cache
def own_words() -> dict[str, str]:
    """What a sheet says instead of the lesson, by the name of the exercise."""
    return tomllib.loads((TEMPLATES / "page/sheets.toml").read_text("utf-8"))


def exercises(notebook: Any) -> dict[str, str]:
    """What a pupil needs on paper for each exercise of a lesson, by its number.

    That is the question, with the tables of its section, or with the text above it if the
    section has just begun. Where that leans on the screen, `page/sheets.toml` has the words.
    """
    found, section = {}, ""
    for cell, following in pairwise(notebook.cells):
        if cell.cell_type != "markdown":
            continue
        begins = re.split(r"^#.*$", cell.source, flags=re.MULTILINE)[1:]
        section = begins[-1] if begins else f"{section}\n\n{cell.source}"
        if not (question := re.search(r"^\*\*Exercise (\d+)\.\*\* *", section, re.MULTILINE)):
            continue
        above = section[: question.start()]
        if not begins:
            above = "\n".join(re.findall(r"(?:^\|.*\n?)+", above, re.MULTILINE))
        name = re.search(r"check\(\s*[\"']([^\"']+)", following.source)
        asked = SCREEN.sub(" ", section[question.end() :])
        found[question[1]] = own_words().get(name[1] if name else "", f"{above}\n\n{asked}").strip()
        section = above
    return found


def exercise_sheet(path: Path) -> str:
    """The exercises of a lesson, with room to answer by hand."""
    notebook = read(path)
    title = title_of(notebook, path.stem)
    asked = [f"## Exercise {n}\n\n{text}{LINES}" for n, text in exercises(notebook).items()]
    return _page("index", "sheet", f"{title}: exercises", _text(f"# {title}\n\n{WHO}", *asked))


def score_sheet(rules: Any, players: int = 6) -> str:
    """A score sheet for a game of so many players, with the house rules of `rules` on it.

    >>> from dicekit.games.farkle import Farkle
    >>> "<b>750</b>" in score_sheet(Farkle(three_pairs=750))
    True
    """
    title = f"{rules.name}: score sheet"
    return _page("scores", "sheet", title, _text(f"# {title}"), rules=rules, players=players)


def tally_sheet() -> str:
    """A sheet to count what real dice show."""
    title = "Tally sheet: what our dice show"
    return _page("tally", "sheet", title, _text(f"# {title}\n\n{WHO}"))


def pages(folder: Path, only: str, solutions: bool, slides: bool, reveal: Path | None) -> Pages:
    """The names of the pages of a folder of notebooks that begin with `only`, and their HTML."""
    made: dict[str, Callable[[], str]] = {}
    for path in sorted(folder.glob("[0-9]*.ipynb")):
        master = folder / "solutions" / path.name
        if solutions:
            made[f"{path.stem}-solutions"] = partial(lesson, master)
        else:
            made[path.stem] = partial(lesson, path)
            made[f"{path.stem}-exercises"] = partial(exercise_sheet, path)
        if slides:
            made[f"{path.stem}-slides"] = partial(deck, master, reveal)
    if not solutions:
        for rules in (DicePoker(), Farkle(), FiveThousand()):
            name = f"score-sheet-{rules.name.lower().replace(' ', '-')}"
            made[name] = partial(score_sheet, rules)
        made["tally-sheet"] = tally_sheet
    return ((name, html()) for name, html in made.items() if name.startswith(only))


def to_pdf(page: Path, browser: str) -> Path:
    """Print a page with Chromium or Chrome; the PDF stands beside it."""
    pdf = page.with_suffix(".pdf")
    options = ["--headless", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={pdf}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--no-sandbox")  # Chromium refuses to run as root with it
    command = [browser, *options, page.resolve().as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return pdf


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser("python -m dicekit.lesson.pages", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("out", type=Path, help="the folder for the pages")
    parser.add_argument("--notebooks", type=Path, default=Path("notebooks"), help="where they are")
    parser.add_argument("--only", default="", help="make only pages whose names begin so")
    parser.add_argument("--solutions", action="store_true", help="with answers and results")
    parser.add_argument("--slides", action="store_true", help="slides of the lessons as well")
    parser.add_argument("--reveal", type=Path, help="a folder with reveal.js, to be put in")
    parser.add_argument("--pdf", action="store_true", help="print each page to PDF as well")
    options = parser.parse_args(arguments)

    if options.reveal and not (options.reveal / "dist/reveal.js").exists():
        parser.error(f"there is no dist/reveal.js in {options.reveal}")
    needed = options.notebooks / ("solutions" if options.solutions or options.slides else "")
    if not needed.is_dir():
        parser.error(f"there is no folder {needed}")
    options.out.mkdir(parents=True, exist_ok=True)
    browser = next(filter(None, map(shutil.which, BROWSERS)), None) if options.pdf else None
    place = None
    chosen = (options.notebooks, options.only, options.solutions, options.slides, options.reveal)
    for name, html in pages(*chosen):
        place = options.out / f"{name}.html"
        print(f"{store(html, place):9}  {place}", flush=True)
        if browser and not name.endswith("-slides"):
            print(f"{'printed':9}  {to_pdf(place, browser)}", flush=True)
    if place is None:
        parser.error(f"no page of {options.notebooks} begins with {options.only!r}")
    if options.pdf and not browser:
        print("No PDF: Chromium or Chrome was not found. Open a page in any browser and print it.")


if __name__ == "__main__":
    main()
