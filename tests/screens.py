"""Every screen of the board, looked at by a program and kept as pictures for people.

    python tests/screens.py pictures
    python tests/screens.py pictures --game Farkle --scene chosen --language fr

In a real JupyterLab, in Chromium: each scene of each game, in each language, light, dark and
large for the projector, at the width of a phone, a tablet and a laptop. It fails, and names
every fault, where something is cut off, lies on top of something else, stands outside the board,
or makes the page scroll sideways.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from lab import chromium, jupyter_lab, open_notebook, run_all

GAMES = ("Farkle", "5000", "Dice poker")
LANGUAGES = ("en", "fr", "pt")
LOOKS = ("light", "dark", "projector")
WIDTHS = (375, 800, 1280)
SCENES = (
    *("setup", "explorer", "begin", "thrown", "chosen", "typed", "played", "coach", "class"),
    *("vote", "voted", "back", "late", "games", "delete", "end", "review"),
)

KERNEL = {"name": "python3", "display_name": "Python 3"}

# The cell of the notebook: it shows the scene whose name is typed into its field.
CELL = """
from tests_scenes import show_scene
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

# What is wrong with the board as it lies on the page.
FAULTS = """board => {
    const faults = [], box = part => part.getBoundingClientRect(), outer = box(board);
    const name = part => `<${part.tagName.toLowerCase()} class="${part.className}"> `
        + (part.innerText || part.value || '').trim().slice(0, 60);
    const shown = [...board.querySelectorAll('*')].filter(part => part.checkVisibility()
        && part.getClientRects().length && !part.closest('.dk-unseen, .dk-style, .dk-plot'));
    const scrolls = part => part.closest('.dk-wide, .dk-scroll');
    for (const part of shown) {
        const at = box(part), style = getComputedStyle(part);
        if (!scrolls(part) && (at.right > outer.right + 1 || at.left < outer.left - 1))
            faults.push(`outside: ${name(part)}`);
        const hides = style.overflowX !== 'visible' && !part.matches('.dk-wide, .dk-scroll, input');
        if (hides && part.scrollWidth > part.clientWidth + 1 && part.clientWidth)
            faults.push(`cut off: ${name(part)}`);
        if (hides && part.scrollHeight > part.clientHeight + 2 && part.clientHeight)
            faults.push(`cut off below: ${name(part)}`);
    }
    const solid = shown.filter(part => !scrolls(part) && (part.matches('button, input, select, svg')
        || [...part.childNodes].some(node => node.nodeType === 3 && node.data.trim())));
    for (const [k, one] of solid.entries()) for (const other of solid.slice(k + 1)) {
        if (one.contains(other) || other.contains(one)) continue;
        const a = box(one), b = box(other);
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 2 && high > 3) faults.push(`overlap: ${name(one)} and ${name(other)}`);
    }
    const area = board.closest('.jp-OutputArea-output');
    if (area.scrollWidth > area.clientWidth + 1) faults.push('the page scrolls sideways');
    return [...new Set(faults)];
}"""


def main() -> int:
    parser = argparse.ArgumentParser("python tests/screens.py", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path)
    for name, choices in (
        *(("game", GAMES), ("scene", SCENES), ("language", LANGUAGES), ("look", LOOKS)),
        ("width", WIDTHS),
    ):
        kind = type(choices[0])
        parser.add_argument(f"--{name}", action="append", type=kind, choices=choices)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as home:
        seen, faults = look_at_all(Path(home), chosen)
    for place, found in faults.items():
        print(place, *found, sep="\n    ")
    print(f"{seen} pictures, {len(faults)} with faults, {time.monotonic() - begun:.0f} s")
    return 1 if faults or not seen else 0


def look_at_all(home: Path, chosen: argparse.Namespace) -> tuple[int, dict[str, list[str]]]:
    """How many pictures were made, and what is wrong in which."""
    root = home / "notebooks"
    root.mkdir()
    (root / "tests_scenes.py").write_bytes(Path(__file__).with_name("scenes.py").read_bytes())
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(CELL)], metadata={"kernelspec": KERNEL}
    )
    nbformat.write(notebook, root / "scenes.ipynb")
    seen, faults = 0, {}
    scenes = list(
        itertools.product(
            chosen.game or GAMES, chosen.scene or SCENES, chosen.language or LANGUAGES
        )
    )
    with jupyter_lab(root, home / "jupyter") as address, chromium() as browser:
        for theme in ("light", "dark"):
            looks = [look for look in chosen.look or LOOKS if (look == "dark") == (theme == "dark")]
            if not looks:
                continue
            page = open_scenes(browser, address, home / "jupyter", theme)
            for game, scene, language in scenes:
                show(page, f"{game}/{scene}/{language}")
                for look, width in itertools.product(looks, chosen.width or WIDTHS):
                    name = f"{game}-{scene}-{language}-{look}-{width}".replace(" ", "-").lower()
                    found = look_at(page, look, width, chosen.folder / f"{name}.png")
                    seen += 1
                    if found:
                        faults[name] = found
            page.close()
    return seen, faults


def open_scenes(browser, address: str, home: Path, theme: str):
    """A page of JupyterLab in this theme, ready for a scene."""
    folder = home / "settings" / "@jupyterlab" / "apputils-extension"
    (folder / "themes.jupyterlab-settings").write_text(
        f'{{"theme": "JupyterLab {theme.capitalize()}"}}'
    )
    page = browser.new_context(viewport={"width": 1280, "height": 2600}).new_page()
    page.set_default_timeout(60_000)
    open_notebook(page, address, "scenes.ipynb")
    page.keyboard.press("Control+b")  # closes the file browser: room at small widths
    run_all(page)
    page.locator(FIELD).wait_for()
    page.add_style_tag(content="* { animation: none !important; transition: none !important }")
    return page


def show(page, scene: str) -> None:
    field = page.locator(FIELD)
    field.fill(scene)
    field.press("Enter")
    page.locator(".done", has_text=scene).wait_for(state="attached")
    page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()


def look_at(page, look: str, width: int, path: Path) -> list[str]:
    """What is wrong with the scene at this width, of which a picture is kept."""
    page.set_viewport_size({"width": width, "height": 2600})
    board = page.locator(".jp-OutputArea-output .dk-board").first
    large = "board => board.classList.toggle('dk-projector', {})"
    board.evaluate(large.format("true" if look == "projector" else "false"))
    page.wait_for_timeout(60)
    board.screenshot(path=path)
    return board.evaluate(FAULTS)


if __name__ == "__main__":
    sys.exit(main())
