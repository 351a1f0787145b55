"""The site for browsers: its parts, and the whole of it played in Chromium without internet."""

import functools
import gzip
import http.server
import io
import json
import re
import shutil
import threading
import zipfile
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest
from lab import chromium, run_all
from playwright.sync_api import expect
from test_lab import board, choose, press, type_throw

from dicekit import app, site
from dicekit.lesson.copies import tidy
from dicekit.site import landing, pyodide
from dicekit.words import LANGUAGES

ROOT = Path(__file__).parents[1]
NOTEBOOKS = ROOT / "notebooks"
WAIT = 60_000  # milliseconds: Python starts several times while others work
BUILDERS = find_spec("jupyterlite_pyodide_kernel") and find_spec("jupyterlite_core")
OWN = re.compile(r"\b(Board|progress)\(")  # what each visitor has of his or her own
needs_builders = pytest.mark.skipif(not BUILDERS, reason="JupyterLite is not installed")


@pytest.fixture
def distribution(tmp_path):
    """A Pyodide distribution as far as its list of packages goes, without numpy's wheels."""
    source = tmp_path / "pyodide"
    source.mkdir()
    for name in pyodide.CORE:
        (source / name).write_text("")
    depends = {"sympy": ["mpmath"], "matplotlib": ["numpy", "python_dateutil"]}
    known = {}
    for name in (*pyodide.OF_PYODIDE, *pyodide.HEAVY, "mpmath", "python-dateutil", "scipy"):
        kind = "cp314-cp314-wasm32" if name in ("numpy", "scipy") else "py3-none-any"
        known[name] = {
            "name": name,
            "version": "1.0",
            "file_name": f"{name.replace('-', '_')}-1.0-{kind}.whl",
            "depends": depends.get(name, []),
        }
    (source / pyodide.LOCK).write_text(json.dumps({"info": {}, "packages": known}))
    return source


@pytest.fixture
def asked(monkeypatch):
    """What would be downloaded; nothing is."""
    asked = {}

    def download(versions, folder):
        folder.mkdir()
        asked.update(versions)
        for name, version in versions.items():
            (folder / f"{name.replace('-', '_')}-{version}-py3-none-any.whl").write_text(name)

    monkeypatch.setattr(pyodide, "download", download)
    monkeypatch.setattr(
        pyodide,
        "wheel_of",
        lambda _, folder: (folder / "dicekit-9-py3-none-any.whl").write_text(""),
    )
    return asked


def packed(distribution, folder, offline):
    names, whole = pyodide.packages(ROOT, distribution, folder, offline)
    lock = json.loads((folder / pyodide.LOCK).read_text())["packages"]
    return set(names), whole, lock


@needs_builders
def test_online_packages_come_from_pyodide_and_ours_from_the_site(distribution, asked, tmp_path):
    names, whole, lock = packed(distribution, tmp_path / "out", offline=False)
    assert whole and names >= {"numpy", "matplotlib", "python-dateutil", "sympy", "dicekit"}
    assert "scipy" not in names and "scipy" in lock  # there if a cell asks for it
    for name, package in lock.items():
        from_pyodide = package["file_name"].startswith("https://cdn.jsdelivr.net/pyodide/v")
        assert from_pyodide == ((distribution / package["file_name"]).name in wheels(distribution))
        assert from_pyodide or (tmp_path / "out" / package["file_name"]).is_file(), name
    assert set(asked) == set(pyodide.FROM_INDEX)


def wheels(distribution):
    lock = json.loads((distribution / pyodide.LOCK).read_text())
    return {package["file_name"] for package in lock["packages"].values()}


@needs_builders
@pytest.mark.parametrize("downloaded", [False, True])
def test_offline_everything_is_in_the_folder(distribution, asked, tmp_path, downloaded):
    for name in wheels(distribution) if downloaded else ():
        (distribution / name).write_text(name)
    names, whole, lock = packed(distribution, tmp_path / "out", offline=True)
    assert names == set(lock)
    assert whole == downloaded == ("numpy" in lock) == ("python-dateutil" in lock)
    assert "scipy" not in lock
    assert all((tmp_path / "out" / package["file_name"]).is_file() for package in lock.values())
    assert asked.get("sympy") == (None if downloaded else "1.0")  # as Pyodide has it
    assert all((tmp_path / "out" / name).is_file() for name in pyodide.CORE)


def refusal(capsys, *arguments):
    assert app.main(["site", *map(str, arguments)]) == 1
    return capsys.readouterr().err


@needs_builders
def test_what_cannot_be_built_is_said_and_nothing_is_touched(
    capsys, monkeypatch, distribution, tmp_path
):
    full = tmp_path / "full"
    full.mkdir()
    (full / "letter.txt").write_text("mine")
    assert "holds other things" in refusal(capsys, full)
    assert "holds other things" in refusal(capsys, full / "letter.txt")
    new = tmp_path / "new"
    assert "is no Pyodide" in refusal(capsys, new, "--pyodide", full)
    assert "is no Pyodide" in refusal(capsys, new, "--pyodide", tmp_path / "missing")
    (full / "cut.tgz").write_bytes(gzip.compress(bytes(range(256)) * 99)[:-40])
    for name in ("letter.txt", "cut.tgz"):
        assert "no archive" in refusal(capsys, new, "--pyodide", full / name)
    assert "another version" in refusal(capsys, new, "--pyodide", distribution)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "npm, which is not installed" in refusal(capsys, new, "--offline")
    monkeypatch.setattr(site, "NEEDED", ("jupyterlite_core", "no_such_package"))
    assert "no_such_package: not installed" in refusal(capsys, new)
    assert (full / "letter.txt").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full", "pyodide"]


def test_what_lies_beside_an_older_site_stays(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, words in {old: "old", new: "new"}.items():
        (folder / "files").mkdir(parents=True)
        (folder / "index.html").write_text(words)
        (folder / "files" / f"{words}.ipynb").write_text(words)
    (old / "class").mkdir()
    (old / "class" / "marks.csv").write_text("Ana,20")
    (old / "CNAME").write_text("dice.example")
    site.keep_others(old, new)
    kept = {path.name: path.read_text() for path in new.rglob("*") if path.is_file()}
    assert kept == {
        **{"index.html": "new", "new.ipynb": "new"},
        **{"marks.csv": "Ana,20", "CNAME": "dice.example"},
    }


def test_the_first_page_in_every_language_leads_to_every_lesson():
    pages = landing.pages(NOTEBOOKS, "fr", offline=True)
    assert sorted(pages) == sorted([*(f"{code}.html" for code in LANGUAGES), "index.html"])
    assert pages["index.html"] == pages["fr.html"]
    for code in LANGUAGES:
        page = pages[f"{code}.html"]
        assert f'<html lang="{code}">' in page
        links = set(re.findall(r'href="[a-z]+/index.html\?path=([^"]+)"', page))
        assert links == {path.name for path in NOTEBOOKS.glob("*.ipynb")}
        assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("https,", "")


class Quiet(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass


@contextmanager
def served(folder):
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.handle_error = lambda *what: None  # the browser may hang up
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The offline site, built and served."""
    if not (BUILDERS and shutil.which("npm")):
        pytest.skip("the site is built with JupyterLite and npm: not both are installed")
    folder = tmp_path_factory.mktemp("site") / "site"
    assert app.main(["site", str(folder), "--offline"]) == 0
    with served(folder) as address:
        yield address


@contextmanager
def visitor(browser, address):
    """A browser with nothing in it, that nothing outside the site answers."""
    outside = []
    context = browser.new_context(viewport={"width": 1280, "height": 1100})

    def gate(route):
        if route.request.url.startswith((f"{address}/", "data:", "blob:")):
            return route.continue_()
        outside.append(route.request.url)
        return route.abort()

    context.route("**/*", gate)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    yield page
    context.close()
    assert outside == []


def open_in_site(page, address, name, idle="| Idle"):
    page.goto(f"{address}/lab/index.html?path={name}")
    page.locator(".jp-NotebookPanel .jp-Cell").first.wait_for(timeout=60_000)
    page.locator("#jp-main-statusbar").get_by_text(idle).wait_for(timeout=120_000)


def same_cells(ran, master):
    """What the cells say that are the same in both, in `ran` and in `master`."""
    said = {cell.source: cell.outputs for cell in ran.cells if cell.cell_type == "code"}
    for cell in master.cells:
        if cell.cell_type == "code" and cell.source in said and not OWN.search(cell.source):
            yield cell.source, said[cell.source], cell.outputs


def words_of(outputs):
    return [output.get("text") or dict(output.data) for output in outputs]


@pytest.mark.browser
def test_a_class_without_internet(address, tmp_path):
    with chromium() as browser:
        with visitor(browser, address) as page:
            open_in_site(page, address, "board.ipynb")
            expect(page.get_by_text("notebook is read-only")).to_be_visible(timeout=WAIT)
            run_all(page)
            board(page).get_by_label("Dice", exact=True).select_option("real dice, typed in")
            press(page, "Start")
            type_throw(page, "1 5 2 3 3 4")
            choose(page, 1, 5)
            expect(board(page).get_by_text("17/108")).to_be_visible(timeout=WAIT)
            press(page, "Bank 150")
            expect(board(page).get_by_role("row", name="Player A 150")).to_be_visible(timeout=WAIT)

            page.goto(f"{address}/index.html")
            page.get_by_role("link", name="français").click()
            page.wait_for_url("**/fr.html")
            expect(page.locator("#count")).to_contain_text(re.compile(r"\b1\b"), timeout=WAIT)

            lesson = "00-start-here.ipynb"
            open_in_site(page, address, lesson, idle="| Inactif")
            page.get_by_role("menuitem", name="Exécution").click()
            page.locator('[data-command="runmenu:run-all"]').click()
            board(page).get_by_role("button", name="Games").click()
            expect(board(page).get_by_label("Saved games")).to_contain_text(
                "Player A 150", timeout=WAIT
            )
            page.locator("#jp-main-statusbar").get_by_text("| Inactif").wait_for()
            page.keyboard.press("Control+s")
            page.wait_for_timeout(500)

            with page.expect_popup() as first_page:
                page.get_by_role("button", name="Save your work").click()
            with first_page.value.expect_download() as download:
                first_page.value.get_by_role("button", name="Download all my work").click()
            work = tmp_path / "work.zip"
            download.value.save_as(work)

        with zipfile.ZipFile(work) as archive:
            assert archive.testzip() is None
            names = archive.namelist()
            ran = tidy(nbformat.reads(archive.read(lesson).decode(), 4))
        assert sum(name.startswith("games/farkle-") for name in names) == 1
        cells = list(same_cells(ran, tidy(nbformat.read(NOTEBOOKS / "solutions" / lesson, 4))))
        assert len(cells) >= 5
        for source, here, there in cells:
            assert words_of(here) == words_of(there), source

        with visitor(browser, address) as page:  # another computer
            page.goto(f"{address}/index.html")
            page.locator("#back").set_input_files(work)
            expect(page.locator("#said")).to_contain_text(
                f"brought back: {len(names)}.", timeout=WAIT
            )
            page.locator("#back").set_input_files(work)
            expect(page.locator("#said")).to_contain_text("brought back: 0.", timeout=WAIT)
            page.locator("#back").set_input_files(Path(__file__))
            expect(page.locator("#said")).to_contain_text("damaged", timeout=WAIT)


def zip_of(*files, how=zipfile.ZIP_STORED):
    """A .zip with these files, in which a name may stand twice."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", how) as archive:
        for name, text in files:
            archive.writestr(name, text)
    return content.getvalue()


@pytest.mark.browser
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_bringing_work_back_loses_nothing(tmp_path):
    """The first page alone, without a site behind it."""
    (tmp_path / "index.html").write_text(
        landing.pages(NOTEBOOKS, "en", True)["index.html"], "utf-8"
    )
    shutil.copy(landing.FOLDER / "save.js", tmp_path)
    page_of_work = [("mine.ipynb", ""), ("half.ipynb", '{"cells": ['), ("ok.txt", "A"), (".x", "B")]
    good = zip_of(*page_of_work, ("games/a.jsonl", "{}"))
    spoilt = good.replace(b'{"cells": [', b'{"cells": {')
    said = {
        "good": (good, "brought back: 4."),
        "twice": (zip_of(("two.txt", "C"), ("two.txt", "D")), "brought back: 2."),
        "under a file": (zip_of(("ok.txt/inner.txt", "E")), "brought back: 0."),
        "under an empty file": (zip_of(("mine.ipynb/inner.txt", "E")), "brought back: 0."),
        "over a folder": (zip_of(("games", "F")), "brought back: 1."),
        "other bytes": (spoilt, "damaged"),
        "another way": (zip_of(("b.txt", "G" * 99), how=zipfile.ZIP_BZIP2), "damaged"),
        "small": (zip_of(("c.txt", "H" * 99), how=zipfile.ZIP_DEFLATED), "brought back: 1."),
    }
    with chromium() as browser, served(tmp_path) as address:
        page = browser.new_page()
        page.goto(f"{address}/index.html")
        expect(page.locator("#as-file")).to_be_hidden()
        expect(page.locator("#insecure")).to_be_hidden()
        for content, words in said.values():
            file = {"name": "work.zip", "mimeType": "application/zip", "buffer": content}
            page.locator("#said").evaluate("said => said.textContent = ''")
            page.locator("#back").set_input_files(file)
            expect(page.locator("#said")).to_contain_text(words)
        with page.expect_download() as download:
            page.locator("#download").click()
        download.value.save_as(tmp_path / "all.zip")
        page.goto((tmp_path / "index.html").as_uri())
        expect(page.locator("#as-file")).to_be_visible()
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        kept = {name: archive.read(name).decode() for name in archive.namelist()}
    assert kept == {
        **{name: text for name, text in page_of_work if name != ".x"},
        **{"games/a.jsonl": "{}", "games (2)": "F"},
        **{"two.txt": "C", "two (2).txt": "D", "c.txt": "H" * 99},
    }


READ = """name => new Promise(done => {
    const request = indexedDB.open("dicekit");
    request.onsuccess = () => {
        const file = request.result.transaction("files").objectStore("files").get(name);
        file.onsuccess = () => done(file.result ? file.result.content.cells : []);
    };
})"""


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("[0-9]*.ipynb")), ids=lambda path: path.stem)
def test_a_lesson_runs_in_the_site(address, path):
    with chromium() as browser, visitor(browser, address) as page:
        open_in_site(page, address, path.name)
        run_all(page)
        errors, waiting = [], True
        for _ in range(300):
            page.wait_for_timeout(1000)
            page.keyboard.press("Control+s")
            code = [c for c in page.evaluate(READ, path.name) if c["cell_type"] == "code"]
            outputs = [output for cell in code for output in cell["outputs"]]
            errors = [o for o in outputs if o["output_type"] == "error"]
            waiting = not code or any(cell["execution_count"] is None for cell in code)
            if errors or not waiting:
                break
        assert (errors, waiting) == ([], False)
