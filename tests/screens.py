"""Every screen of the board, looked at by a program and kept as pictures for people.

    python tests/screens.py pictures
    python tests/screens.py pictures --game Farkle --scene chosen --language fr

In a real JupyterLab, in Chromium: each scene of each game, in each language, light, dark and
large for the projector, at the width of a phone, a tablet and a laptop. It fails, and names
every fault, where something is cut off, lies on top of something else, stands outside the board,
makes the page scroll sideways, is pale, small for a thumb, or out of sight on a projector.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import nbformat
from lab import chromium, jupyter_lab, open_notebook, run_all
from playwright.sync_api import TimeoutError
from scenes import GAMES, SCENES, has_scene

from dicekit.words import LANGUAGES

LOOKS = ("light", "dark", "projector")
WIDTHS = (375, 800, 1280)
WORKERS = 2

# What JupyterLab leaves of a screen of 1280 x 720, and where no one should have to scroll.
ROOM = 600
IN_SIGHT = ("setup", "begin", "thrown", "chosen", "six")

KERNEL = {"name": "python3", "display_name": "Python 3"}

# The cell of the notebook: it shows the scene whose name is typed into its field.
CELL = """
from scenes import show_scene
from ipywidgets import HTML, Text, VBox
field, place, done = Text(description="scene"), VBox(), HTML()
def change(change):
    if change.new:
        place.children = [show_scene(*change.new.split("/"))]
        done.value = f"<i class='done'>{change.new}</i>"
field.continuous_update = False
field.observe(change, "value")
VBox([field.add_class("scene"), done, place])
"""

FIELD = ".scene input"

# JupyterLab's dark theme lies ready beside the light one, which is quicker than to load it again.
LOAD_DARK = """() => new Promise(ready => {
    const light = document.querySelector('link[href*="theme-light"]'), dark = light.cloneNode();
    dark.href = light.href.replace('theme-light', 'theme-dark');
    dark.onload = ready;
    light.after(dark);
})"""
SET_LOOK = """(board, look) => {
    document.querySelector('link[href*="theme-dark"]').disabled = look !== 'dark';
    document.body.dataset.jpThemeLight = look !== 'dark';
    board.classList.toggle('dk-projector', look === 'projector');
}"""

HERE = Path(__file__).parent
FAULTS = (HERE / "faults.js").read_text("utf-8")

# A page with one fault of each kind, and what must be said of it.
PAGE = '<div class="jp-OutputArea-output" style="width: 300px"><div class="dk-board">{}</div></div>'
DELIBERATE = {
    "": "<p>Well</p><button style='height: 40px'>Throw</button>",
    "outside": "<p style='position: relative; left: 400px'>Outside</p>",
    "cut off": "<p style='width: 40px; overflow: hidden; white-space: nowrap'>Too long here</p>",
    "cut off:": "<select style='width: 60px; height: 40px'><option>Much too long</select>",
    "cut off below": "<p style='height: 20px; overflow: hidden'>One<br>Two</p>",
    "spills": "<button style='width: 40px; padding: 0; height: 40px'>Unbreakable</button>",
    "overlap": "<p>One</p><p style='margin-top: -30px'>Two</p>",
    "small for a thumb": "<button style='width: 20px; height: 40px'>x</button>",
    "pale": "<p style='color: #888'>Pale</p>",
    "pale:": "<div style='opacity: .5'><p>Pale</p></div>",
    "out of sight": "<button class='dk-go' style='margin-top: 600px; height: 40px'>Throw</button>",
    "the page scrolls sideways": "<div style='width: 500px'>Wide</div>",
}


def main() -> int:
    parser = argparse.ArgumentParser("python tests/screens.py", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path)
    for name, choices in (
        *(("game", GAMES), ("scene", tuple(SCENES)), ("language", LANGUAGES), ("look", LOOKS)),
        ("width", WIDTHS),
    ):
        kind = type(next(iter(choices)))
        parser.add_argument(f"--{name}", action="append", type=kind, choices=choices)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    which = (chosen.game or GAMES, chosen.scene or SCENES, chosen.language or LANGUAGES)
    scenes = [each for each in itertools.product(*which) if has_scene(*each[:2])]
    with ProcessPoolExecutor(WORKERS) as workers:
        parts = [scenes[k::WORKERS] for k in range(WORKERS)]
        done = workers.map(partial(look_at_all, chosen), filter(None, parts))
        found = dict(itertools.chain(*done))
    wrong = {name: faults for name, faults in sorted(found.items()) if faults}
    for name, faults in wrong.items():
        print(name, *faults, sep="\n    ")
    print(f"{len(found)} pictures, {len(wrong)} with faults, {time.monotonic() - begun:.0f} s")
    return 1 if wrong or not found else 0


def look_at_all(chosen: argparse.Namespace, scenes: list) -> list[tuple[str, list[str]]]:
    """The names of the pictures that were made, and what is wrong in each."""
    found = []
    with tempfile.TemporaryDirectory() as home:
        root = write_notebook(Path(home) / "notebooks")
        with jupyter_lab(root, Path(home) / "jupyter") as address, chromium() as browser:
            prove(browser.new_page())
            page = open_scenes(browser, address)
            for scene in scenes:
                try:
                    show(page, "/".join(scene))
                    found += looked_at(page, scene, chosen)
                except TimeoutError:
                    stuck = "-".join(("stuck", *scene))
                    page.screenshot(path=chosen.folder / f"{stuck}.png")
                    found.append((stuck, ["the scene does not come"]))
                    page.close()
                    page = open_scenes(browser, address)
    return found


def looked_at(page, scene: tuple, chosen: argparse.Namespace) -> list[tuple[str, list[str]]]:
    """The same for the pictures of one scene."""
    found = []
    for width, look in itertools.product(chosen.width or WIDTHS, chosen.look or LOOKS):
        name = "-".join((*scene, look, str(width))).replace(" ", "-").lower()
        room = ROOM if width == 1280 and scene[1] in IN_SIGHT else 0
        found.append((name, look_at(page, look, width, room, chosen.folder / f"{name}.png")))
    return found


def prove(page) -> None:
    """Fail if a deliberate fault of any kind is not seen, or one where there is none."""
    for kind, html in DELIBERATE.items():
        page.set_content(PAGE.format(html))
        faults = page.locator(".dk-board").evaluate(f"board => ({FAULTS})(board, {ROOM})")
        seen = [fault for fault in faults if fault.startswith(kind or " ")]
        assert bool(seen) == bool(kind) and (kind or not faults), (kind, faults)


def write_notebook(root: Path) -> Path:
    root.mkdir()
    (root / "scenes.py").write_bytes((HERE / "scenes.py").read_bytes())
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(CELL)], metadata={"kernelspec": KERNEL}
    )
    nbformat.write(notebook, root / "scenes.ipynb")
    return root


def open_scenes(browser, address: str):
    """A page of JupyterLab, ready for a scene."""
    size = {"width": 1280, "height": 2600}
    page = browser.new_context(viewport=size, reduced_motion="reduce").new_page()
    page.set_default_timeout(60_000)
    open_notebook(page, address, "scenes.ipynb")
    page.keyboard.press("Control+b")  # closes the file browser: room at small widths
    run_all(page)
    page.locator(FIELD).wait_for()
    page.add_style_tag(content="* { animation: none !important; transition: none !important }")
    page.evaluate(LOAD_DARK)
    return page


def show(page, scene: str) -> None:
    field = page.locator(FIELD)
    field.fill(scene)
    field.press("Enter")
    page.locator(".done", has_text=scene).wait_for(state="attached")
    page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()


def look_at(page, look: str, width: int, room: int, path: Path) -> list[str]:
    """What is wrong with the scene at this width, of which a picture is kept."""
    if page.viewport_size["width"] != width:
        page.set_viewport_size({"width": width, "height": 2600})
        page.wait_for_timeout(200)  # JupyterLab takes its time
    board = page.locator(".jp-OutputArea-output .dk-board").first
    board.evaluate(SET_LOOK, look)
    page.wait_for_timeout(30)
    try:
        board.screenshot(path=path)
    except TimeoutError:
        return ["no picture could be made"]
    return board.evaluate(f"board => ({FAULTS})(board, {room})")


if __name__ == "__main__":
    sys.exit(main())
