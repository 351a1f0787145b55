"""The board in a real JupyterLab in Chromium: clicked, reloaded, looked at by axe."""

import itertools
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from lab import chromium, jupyter_lab, open_notebook, restart_kernel, run_all
from playwright.sync_api import expect
from test_plots import LESSON, SAID, lesson

pytestmark = pytest.mark.browser
NOTEBOOKS = Path(__file__).parent.parent / "notebooks"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("notebooks")
    shutil.copy(NOTEBOOKS / "board.ipynb", root)
    return root


@pytest.fixture(scope="module")
def address(root, tmp_path_factory):
    with jupyter_lab(root, tmp_path_factory.mktemp("jupyter")) as address:
        yield address


@pytest.fixture(scope="module")
def open_page(address):
    """The board notebook, run; nothing outside this machine may be asked for."""
    outside = []
    with chromium() as browser:
        page = browser.new_context(viewport={"width": 1280, "height": 1400}).new_page()
        page.set_default_timeout(15_000)
        page.on("request", lambda request: outside.append(request.url))
        open_notebook(page, address, "board.ipynb")
        page.keyboard.press("Control+b")  # closes the file browser: room at small widths
        run_all(page)
        yield page
    own = (address, "data:", "blob:")
    assert [url for url in outside if not url.startswith(own)] == []


@pytest.fixture
def page(open_page):
    """The board with its set-up shown."""
    page = open_page
    page.set_viewport_size({"width": 1280, "height": 1400})
    start_button = board(page).get_by_role("button", name="Start")
    new_game = board(page).get_by_role("button", name="New game")
    expect(start_button.or_(new_game)).to_be_visible(timeout=20_000)
    if new_game.is_visible():
        new_game.click()
    expect(start_button).to_be_visible()
    board(page).get_by_label("Game", exact=True).select_option("Farkle")
    board(page).get_by_label("Players", exact=True).select_option("2 players")
    board(page).get_by_label("Name 1").fill("Player A")
    board(page).get_by_label("Player 2 is").select_option("a person")
    return page


def board(page):
    return page.locator(".jp-OutputArea-output .dk-board")


@contextmanager
def awaited(page):
    """Do something that changes the words on the board, and wait until all have changed."""
    before = board(page).inner_text()
    yield
    page.wait_for_function(
        """before => {
            const board = document.querySelector(".jp-OutputArea-output .dk-board");
            return board && board.innerText !== before;
        }""",
        arg=before,
    )
    page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()
    now = None
    while now != (now := board(page).inner_text()):
        page.wait_for_timeout(80)


def press(page, name):
    with awaited(page):
        board(page).get_by_role("button", name=name).click()


def start(page, typed=False):
    dice = "real dice, typed in" if typed else "thrown by the board"
    board(page).get_by_label("Dice", exact=True).select_option(dice)
    press(page, "Start")
    expect(board(page).locator(".dk-say").get_by_text("Player A to throw.")).to_be_visible()


def type_throw(page, dice):
    box = board(page).get_by_label("What the dice show")
    with awaited(page):
        box.fill("")
        box.press_sequentially(dice)


def choose(page, *faces):
    for face in faces:
        with awaited(page):
            board(page).locator(".dk-die", has_text=re.compile(f"^{face}$")).first.click()


def violations(page):
    found = Axe().run(page, context=".dk-board").response["violations"]
    return [
        (each["id"], [node["html"][:120] for node in each["nodes"]])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


def test_a_turn_by_clicking(page):
    start(page, typed=True)
    type_throw(page, "1 5 2 3 3 4")
    choose(page, 1, 5)
    expect(board(page).locator(".dk-say").get_by_text("1 and 5 are worth 150.")).to_be_visible()
    expect(board(page).get_by_text("17/108")).to_be_visible()
    press(page, "Throw 4 dice (150 at stake)")
    type_throw(page, "5 2 3 4")
    choose(page, 5)
    press(page, "Bank 200")
    expect(
        board(page).locator(".dk-say").get_by_text("Player A banks 200 and has 200.")
    ).to_be_visible()
    expect(board(page).locator(".dk-say").get_by_text("Player B to throw.")).to_be_visible()
    expect(board(page).get_by_role("row", name="Player A 200")).to_be_visible()


def test_a_turn_with_keys_alone(page):
    start(page, typed=True)
    type_throw(page, "1 1 1 2 3 4")
    board(page).locator(".dk-die:visible").first.focus()
    for _ in range(3):
        page.keyboard.press("Space")
        page.wait_for_timeout(200)
        page.keyboard.press("Tab")
    expect(
        board(page).locator(".dk-say").get_by_text("1, 1 and 1 are worth 1,000.")
    ).to_be_visible()
    bank = board(page).get_by_role("button", name="Bank 1,000")
    for _ in range(8):
        if bank.evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(
        board(page).locator(".dk-say").get_by_text("Player A banks 1,000 and has 1,000.")
    ).to_be_visible()


def test_no_serious_violation_on_any_screen(page):
    assert violations(page) == [], "the set-up"
    start(page, typed=True)
    assert violations(page) == [], "before the first throw"
    type_throw(page, "1 5 2 3 3 4")
    choose(page, 1)
    assert violations(page) == [], "dice chosen"
    press(page, "Bank 100")
    type_throw(page, "2 3 3 4 4 6")
    expect(board(page).locator(".dk-say").get_by_text("Farkle!")).to_be_visible()
    assert violations(page) == [], "history and a farkle"


def test_names_are_shown_as_they_are_typed(page):
    name = '<b onclick="alert(1)">José & "Zoë"</b>'
    board(page).get_by_label("Name 1").fill(name)
    press(page, "Start")
    expect(board(page).locator(".dk-say").get_by_text(f"{name} to throw.")).to_be_visible()


@pytest.mark.slow
def test_screens_have_no_fault(tmp_path):
    """A part of what `screens.py` looks at: 54 pictures."""
    scenes = ("--scene", "chosen", "--scene", "review", "--language", "pt")
    command = [sys.executable, Path(__file__).with_name("screens.py"), tmp_path, *scenes]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def start_game(page, game, kind, *options):
    """A game of one person with real dice against a computer, with some options changed."""
    form = board(page)
    form.get_by_label("Game", exact=True).select_option(game)
    page.wait_for_timeout(300)
    form.get_by_label("Player 2 is").select_option(f"computer: {kind}")
    for label, value in options:
        shown = form.get_by_label(label, exact=True).locator("visible=true")
        if not shown.count():
            press(page, "Which rules?")
        expect(shown).to_have_count(1)
        shown.select_option(value)
    start(page, typed=True)


def play_to_the_end(page, throw, decide):
    """Click and type until the game is over: `throw(n)` tells n dice, `decide` what to click."""
    typing = board(page).get_by_label("What the dice show")
    let_play = board(page).get_by_role("button", name="Let Player B play")
    for _ in range(400):
        if board(page).get_by_text("Game over").is_visible():
            return
        if typing.is_visible():
            dice = int(typing.get_attribute("placeholder").split()[0])
            type_throw(page, throw(dice))
        elif let_play.is_visible():
            page.wait_for_timeout(400)  # a click as fast as a double click would not count
            with awaited(page):
                let_play.click()
        else:
            decide()
    raise AssertionError("the game did not end")


def bank_or_throw(page):
    free = board(page).locator(".dk-die:visible:not(.dk-dead):not(.dk-aside)")
    while free.count():
        with awaited(page):
            free.first.click()
    bank = board(page).get_by_role("button", name=re.compile(r"^Bank [\d,]+$"))
    throw = board(page).get_by_role("button", name=re.compile("^Throw"))
    with awaited(page):
        (bank if bank.is_visible() else throw.first).click()


@pytest.mark.parametrize(
    ("game", "kind", "options", "dice"),
    [
        ("Farkle", "perfect", [("Play to", "2,000")], "111555"),
        pytest.param(
            *("5000", "banks at 500", [("Play to", "3,000")], "11155"), marks=pytest.mark.slow
        ),
    ],
)
def test_a_full_game_of_throwing(page, game, kind, options, dice):
    """The coach is asked in one of them."""
    start_game(page, game, kind, *options)
    if coached := kind == "perfect":
        press(page, "Coach")
        expect(board(page).get_by_role("table", name="Coach")).to_be_visible()
    play_to_the_end(page, lambda n: dice[:n], lambda: bank_or_throw(page))
    expect(
        board(page).locator(".dk-say").get_by_text(re.compile("Player [AB] wins with"))
    ).to_be_visible()
    expect(board(page).locator(".dk-score").get_by_text("wins", exact=True)).to_be_visible()
    if coached:
        press(page, "Review")
        expect(board(page).get_by_role("table", name="Luck and skill")).to_be_visible()
    assert violations(page) == []
    keep_picture(page, f"end-{game}")


@pytest.mark.slow
def test_a_full_game_of_dice_poker(page):
    start_game(page, "Dice poker", "careful (holds dice alike)")
    faces = itertools.cycle("6616213545")

    def write():
        with awaited(page):
            board(page).locator(".dk-row:visible").first.click()

    play_to_the_end(page, lambda n: "".join(itertools.islice(faces, n)), write)
    expect(board(page).get_by_role("row", name=re.compile("^settlement"))).to_be_visible()
    assert violations(page) == []
    keep_picture(page, "end-dice-poker")


def keep_picture(page, name):
    """A picture to look at, where DICEKIT_PICTURES names a folder."""
    if folder := os.environ.get("DICEKIT_PICTURES"):
        board(page).screenshot(path=f"{folder}/{name}.png")


def test_a_game_survives_the_kernel(page):
    start(page)
    press(page, "Throw 6 dice")
    expect(board(page).get_by_text("Thrown: click what you set aside")).to_be_visible()
    dice = board(page).locator(".dk-die:visible").all_inner_texts()
    restart_kernel(page)
    page.reload()
    page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for(timeout=60_000)
    run_all(page)
    press(page, "Resume")
    expect(board(page).locator(".dk-say").get_by_text("Here the game goes on.")).to_be_visible()
    assert board(page).locator(".dk-die:visible").all_inner_texts() == dice


@pytest.mark.parametrize("name", ["stored", "fresh"])
def test_a_figure_has_its_description(name, address, root, open_page):
    notebook = nbformat.from_dict(lesson())
    if name == "fresh":
        notebook.cells = [nbformat.v4.new_code_cell(LESSON)]
    nbformat.write(notebook, root / f"{name}.ipynb")
    page = open_page.context.new_page()
    open_notebook(page, address, f"{name}.ipynb")
    if name == "fresh":
        run_all(page)
    image = page.locator(".jp-OutputArea-output img")
    image.wait_for(timeout=30_000)
    assert image.count() == 1
    assert image.get_attribute("alt").startswith(SAID)
    page.close()
