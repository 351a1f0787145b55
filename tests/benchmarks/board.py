"""The board in use: `python tests/benchmarks/board.py`.

*Clicks*: in a real JupyterLab, in Chromium, 200 clicks in games between two persons with the
coach and the odds shown. A click is measured in the browser, from the click to the last change
that it makes on the board. *Long use*: a game of 500 turns and 50 new games in one kernel: how
many widget models live, and how much memory the process holds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

CLICKS = 200
GAMES = ("Farkle", "5000", "Dice poker")
KERNEL = {"name": "python3", "display_name": "Python 3"}
CELL = """
from dicekit import *
board = Board({game!r}, players=("A", "B"), seed=3, coach=True)
board
"""

# Clicks a button and tells how many ms later the board changed for the last time.
CLICK = """async button => {
    const board = button.closest('.dk-board'), begun = performance.now();
    let last = 0;
    const seen = change => !change.target.parentElement?.closest('[role=status].dk-unseen')
        && !change.target.closest?.('[role=status].dk-unseen');  // a screen reader's, told later
    const watcher = new MutationObserver(changes => {
        if (changes.some(seen)) last = performance.now();
    });
    watcher.observe(board, {subtree: true, childList: true, attributes: true, characterData: true});
    button.click();
    const quiet = () => last && performance.now() - last > 150;
    while (!quiet() && performance.now() - begun < 5000) await new Promise(requestAnimationFrame);
    watcher.disconnect();
    if (!last) throw new Error(`nothing changed after “${button.innerText}”`);
    return last - begun;
}"""


def clicks(game: str) -> list[float]:
    """How long the clicks took, in ms."""
    import nbformat

    sys.path.insert(0, str(Path(__file__).parents[1]))
    from lab import chromium, jupyter_lab, open_notebook, run_all

    with tempfile.TemporaryDirectory() as home:
        root = Path(home, "notebooks")
        root.mkdir()
        cell = nbformat.v4.new_code_cell(CELL.format(game=game))
        notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"kernelspec": KERNEL})
        nbformat.write(notebook, root / "board.ipynb")
        with jupyter_lab(root, Path(home)) as address, chromium() as browser:
            page = browser.new_page(viewport={"width": 1280, "height": 1400})
            open_notebook(page, address, "board.ipynb")
            run_all(page)
            page.locator(".dk-board .dk-go:visible").first.wait_for(timeout=60_000)
            return [timed_click(page) for number in range(CLICKS)]


def timed_click(page) -> float:
    """How long a click took, in ms; a moment after the last one, which is no double click."""
    page.wait_for_timeout(400)
    return page.evaluate(CLICK, next_button(page))


def next_button(page):
    """What a player would press: dice that score, then bank or throw, by turns; or a row."""
    dice = page.locator(".dk-die:visible:not(.dk-dead):not(.dk-aside)")
    rows = page.locator(".dk-rows .dk-row:visible")
    first = page.locator(".dk-go.dk-first:visible")
    aside = page.locator(".dk-aside:visible").count()
    next_button.count = getattr(next_button, "count", 0) + 1
    if rows.count():
        found = dice if aside < 2 and dice.count() and first.count() else first
        if next_button.count % 3 == 0 or not found.count():
            found = rows
    else:
        found = dice if dice.count() and (aside < 1 or not first.count()) else first
    return found.first.element_handle()


def long_use() -> list[tuple[str, int, float]]:
    """After each stage: its name, how many models live, and MB of memory held."""
    import os

    from ipywidgets.widgets.widget import _instances

    from dicekit.board import Board
    from dicekit.games.farkle import Farkle

    found = []

    def note(stage: str) -> None:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        found.append((stage, len(_instances), pages * os.sysconf("SC_PAGE_SIZE") / 1e6))

    board = Board(Farkle(target=10**6), players=("A", "B"), seed=1, folder=tempfile.mkdtemp())
    note("a new board")
    for stage in (100, 200, 300, 400, 500):
        while len(board.record.turns()) <= stage:
            play_on(board)
        note(f"{stage} turns")
    for number in range(1, 51):
        board.new_game()
        board.start()
        for _ in range(10):
            play_on(board)
        if number % 10 == 0:
            note(f"{number} new games")
    return found


def play_on(board) -> None:
    if board.state.stage == "thrown":
        wanted = list(board.state.rules.set_asides(board.state.throw)[0])
        for place, face in enumerate(board.state.throw):
            if face in wanted:
                wanted.remove(face)
                board.toggle(place)
        board.press("bank")
    if not board.state.turn_begins or board.state.stage == "choose":
        board.press("throw")


def in_its_own_process(*job: str):
    done = subprocess.run(
        [sys.executable, __file__, *job], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def report() -> None:
    print(f"\nThe board: {CLICKS} clicks in JupyterLab with coach and odds, ms to the last change")
    print(f"{'':24}{'median':>8}{'95 %':>8}{'longest':>9}")
    for game in GAMES:
        times = in_its_own_process("clicks", game)
        print(
            f"{game:24}{median(times):8.0f}{quantiles(times, n=20)[-1]:8.0f}{max(times):9.0f}",
            flush=True,
        )
    print("\nLong use: live widget models, memory of the process")
    for stage, models, memory in in_its_own_process("long"):
        print(f"{stage:24}{models:8}{memory:8.0f} MB")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["clicks", game]:
            print(json.dumps(clicks(game)))
        case ["long"]:
            print(json.dumps(long_use()))
        case _:
            report()
