"""Pages to print and to show: made of every lesson, looked at by axe, complete, without answers."""

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from lab import chromium
from nbconvert.exporters import SlidesExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.lesson import pages
from dicekit.lesson.slides import set_slide_types

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
MASTERS = sorted(NOTEBOOKS.glob("solutions/*.ipynb"))
each_lesson = pytest.mark.parametrize("path", MASTERS, ids=lambda path: path.stem)

master_page = cache(pages.lesson)


@cache
def master_soup(path):
    return BeautifulSoup(master_page(path), "html.parser")


@cache
def cells(path):
    return nbformat.read(path, as_version=4).cells


def exercises(path):
    """The numbers of the exercises, each with its name and the answer of the master."""
    found = {}
    for cell, following in pairwise(cells(path)):
        if number := re.search(r"^\*\*Exercise (\d+)\.", cell.source, re.MULTILINE):
            found[number[1]] = re.search(
                r"""check\(\s*["']([^"']+)["'],\s*(.*)\)""", following.source
            )
    return found


CODE = """
# All kinds of words, in a line that is too long for a phone
from math import pi as number
def often(n: int = 3, *, half=0.5, sure=True) -> str:
    'Text.'
    return f"{n!s} times, {half:.1f} of {number}" if sure and not None else [x**2 for x in range(9)]
"""


def sheets(folder, masters):
    table = "<table><caption>a</caption><tr><th scope='col'>b</th></tr><tr><td>c</td></tr></table>"
    outputs = [new_output("stream", text="wide " * 40)]
    for mime, data in {"text/html": table, "text/latex": "$x^2$", "text/plain": "[1, 2]"}.items():
        outputs.append(new_output("execute_result", {mime: data}))
    code = new_code_cell(CODE, outputs=outputs)
    text = f"# Kinds\n\n| a | b |\n|---|---|\n| c | d |\n\n```python{CODE}```\n\n`code`, $1/2$"
    text = new_markdown_cell(f"{text} and a [link](#there).")
    nbformat.write(new_notebook(cells=[text, code]), folder / "kinds.ipynb")
    yield "kinds of cells", pages.lesson(folder / "kinds.ipynb")
    yield "pupil", pages.lesson(NOTEBOOKS / MASTERS[0].name)
    for path in masters:
        yield f"{path.stem} exercises", pages.exercise_sheet(NOTEBOOKS / path.name)
    for rules in (DicePoker(), DicePoker.american(), Farkle(three_pairs=750), FiveThousand()):
        yield rules.name, pages.score_sheet(rules)
    yield "tally", pages.tally_sheet()


@pytest.mark.browser
@pytest.mark.parametrize(
    "masters", [MASTERS[::4], pytest.param(MASTERS, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_no_page_has_a_violation_or_asks_for_anything(masters, tmp_path):
    """At the width of a phone, where tables and code must scroll by themselves.

    To look at colours, and at each word of code, takes axe long, and they come from one style
    sheet (see the next test): it does so on a page with all kinds of cells, and on sheets.
    """
    made = [*((path.stem, master_page(path)) for path in masters), *sheets(tmp_path, masters)]
    asked, wrong, wide = [], {}, []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 375, "height": 800})
        page.route(lambda url: not url.startswith(("file:", "data:")), lambda route: route.abort())
        page.on("request", lambda request: asked.append(request.url[:80]))
        for number, (name, html) in enumerate(made):
            file = tmp_path / f"{number}.html"
            file.write_text(html, encoding="utf-8")
            page.goto(file.as_uri())
            context, options = None, {"resultTypes": ["violations"]}
            if name[:2].isdigit():
                context = {"exclude": [".code pre", "math *"]}
                options["rules"] = {"color-contrast": {"enabled": False}}
            found = Axe().run(page, context, options).response["violations"]
            bad = [each["id"] for each in found if each["impact"] in ("serious", "critical")]
            wrong |= {name: bad} if bad else {}
            wide += [name] * page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert wrong == {}
    assert wide == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


@each_lesson
def test_a_lesson_is_whole(path):
    page = master_soup(path)
    code = [cell for cell in cells(path) if cell.cell_type == "code"]
    assert [" ".join(each.get_text().split()) for each in page.select(".code")] == [
        " ".join(cell.source.split()) for cell in code
    ]
    assert len(page.select(".output")) == sum(bool(cell.outputs) for cell in code)
    assert all(each.find(True) for each in page.select(".output"))
    coloured = page.select('main [style*="color"], main [style*="background"], main [bgcolor]')
    assert not [each for each in coloured if each.get_text()]
    assert page.html["lang"] == "en"
    assert page.title.get_text()
    assert len(page.select("main")) == 1
    levels = [int(heading.name[1]) for heading in page.find_all(re.compile("^h[1-6]$"))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


@each_lesson
def test_each_figure_has_a_description_of_its_own(path):
    page = master_soup(path)
    outputs = [output for cell in cells(path) for output in cell.get("outputs", [])]
    drawn = [output for output in outputs if "image/png" in output.get("data", {})]
    said = [figure.get("alt") or figure.get("aria-label") or "" for figure in page(["img", "svg"])]
    assert len(said) >= len(drawn)
    assert len(set(said)) == len(said)
    assert all(len(words) > 40 and "No description" not in words for words in said)


@each_lesson
def test_formulas_are_set_without_scripts(path):
    page = master_soup(path)
    text = [re.sub(r"```.*?```|`[^`]*`", "", cell.source, flags=re.DOTALL) for cell in cells(path)]
    prose = "".join(
        t for t, cell in zip(text, cells(path), strict=True) if cell.cell_type != "code"
    )
    written = len(re.findall(r"\$\$[^$]+\$\$|\$[^$]+\$", prose))
    printed = sum("text/latex" in str(cell.get("outputs")) for cell in cells(path))
    assert len(page("math")) >= written + printed
    assert not page("script")
    said = page.find_all(string=lambda text: not text.find_parent(["code", "pre", "style"]))
    assert [text for text in said if "$" in text or "\\" in text] == []


@each_lesson
def test_an_exercise_sheet_has_all_questions_and_no_answer(path):
    sheet = BeautifulSoup(pages.exercise_sheet(NOTEBOOKS / path.name), "html.parser")
    headings = [heading.get_text() for heading in sheet("h2")]
    assert headings == [f"Exercise {number}" for number in exercises(path)]
    assert len(headings) >= 4, "a lesson has at least four exercises"
    assert not sheet("pre")
    text = sheet.get_text()
    assert not re.search(r"check\(|in quotes|in place of|\$", text)
    answers = [answer[2].strip("\"'") for answer in exercises(path).values() if answer]
    assert [answer for answer in answers if len(answer) > 4 and answer in text] == []


def test_the_words_for_the_sheets_belong_to_exercises():
    names = {found[1] for path in MASTERS for found in exercises(path).values() if found}
    assert pages.own_words().keys() <= names


def test_a_house_rule_is_on_the_score_sheet():
    sheet = BeautifulSoup(pages.score_sheet(Farkle(three_pairs=750), players=3), "html.parser")
    assert "three pairs 750" in " ".join(sheet.get_text().split())
    assert len(sheet.select("thead th")) == 1 + 3
    yatzy = BeautifulSoup(pages.score_sheet(DicePoker.yatzy()), "html.parser").get_text()
    assert all(row.name in yatzy for row in DicePoker.yatzy().sheet.rows)
    assert "50 points" in yatzy
    assert "twice" not in yatzy


# Slides


@each_lesson
def test_a_lesson_has_slides(path):
    kinds = [cell.metadata.slideshow["slide_type"] for cell in cells(path)]
    assert {"slide", "fragment"} <= set(kinds)
    deck = pages.deck(path)
    shown = [cell for cell, kind in zip(cells(path), kinds, strict=True) if kind != "skip"]
    assert deck.count('class="code"') == sum(cell.cell_type == "code" for cell in shown)
    assert deck.count("<section><section>") == len(re.findall(r"<h[123]", deck))
    assert deck.count("<section>") == deck.count("</section>")


def test_nbconvert_makes_slides_too():
    path = NOTEBOOKS / MASTERS[0].name
    stock = BeautifulSoup(SlidesExporter().from_filename(str(path))[0], "html.parser")
    kinds = [cell.metadata.slideshow["slide_type"] for cell in cells(path)]
    assert len(stock.select(".slides > section")) == kinds.count("slide")
    assert len(stock.select(".fragment")) == kinds.count("fragment")


def slide_types(*made):
    notebook = new_notebook(cells=list(made))
    set_slide_types(notebook)
    return [cell.metadata.slideshow["slide_type"] for cell in notebook.cells]


def test_where_slides_begin():
    text, code = new_markdown_cell, new_code_cell
    short = slide_types(text("# A"), text("b"), code("c"), text("d"), code("e"))
    assert short == ["slide", "-", "fragment", "-", "fragment"]
    long = slide_types(text("# A"), text("word " * 120), code("c"), text("word " * 120))
    assert long == ["slide", "-", "fragment", "subslide"]
    assert slide_types(text("# A"), code("b", metadata={"tags": ["teacher"]})) == ["slide", "skip"]


def test_a_slide_type_set_by_hand_stays():
    notebook = new_notebook(cells=[new_markdown_cell("# A"), new_code_cell("b")])
    set_slide_types(notebook)
    notebook.cells[1].metadata.slideshow["slide_type"] = "notes"
    notebook.cells[0].source = "no heading any more"
    set_slide_types(notebook)
    assert [cell.metadata.slideshow["slide_type"] for cell in notebook.cells] == ["-", "notes"]


# The command


def test_the_command_writes_what_is_asked_for(tmp_path, capsys):
    command = [str(tmp_path / "out"), "--notebooks", str(NOTEBOOKS), "--only", "00"]
    pages.main(command)
    names = {"00-start-here.html", "00-start-here-exercises.html"}
    assert {path.name for path in (tmp_path / "out").iterdir()} == names
    assert capsys.readouterr().out.count("written") == 2
    pages.main(command)
    assert capsys.readouterr().out.count("unchanged") == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--only", "99"], "no page"),
        (["--notebooks", "nowhere"], "no folder"),
        (["--slides", "--reveal", "nowhere"], "no dist/reveal.js in nowhere"),
    ],
)
def test_the_command_says_what_is_wrong(options, words, tmp_path, capsys):
    with pytest.raises(SystemExit):
        pages.main([str(tmp_path), "--notebooks", str(NOTEBOOKS), *options])
    assert words in capsys.readouterr().err


def test_without_a_browser_there_is_no_pdf(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    pages.main([str(tmp_path), "--notebooks", str(NOTEBOOKS), "--only", "tally", "--pdf"])
    assert "No PDF" in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.browser
def test_pages_are_printed(tmp_path, capsys):
    pages.main([str(tmp_path), "--notebooks", str(NOTEBOOKS), "--only", "tally", "--pdf"])
    assert (tmp_path / "tally-sheet.pdf").read_bytes().startswith(b"%PDF")
