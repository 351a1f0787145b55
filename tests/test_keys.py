"""The keyboard and the screen reader at the board, in a real JupyterLab in Chromium."""

import sys

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from lab import chromium, jupyter_lab, open_notebook, run_all
from playwright.sync_api import expect

from dicekit.board import Board, keys
from dicekit.words import speaking

BOARDS = """\
from dicekit import *
Board(Farkle(target=500), players=("Ana", "Bia"), seed=7)
Board(Farkle(target=500), players=("Cid", "Dia"), typed=True)"""
INSIDE = "document.activeElement.closest('.dk-board') !== null"
USABLE = "document.activeElement.matches('button, input')"
HERE = "document.activeElement.closest('.dk-board')?.querySelector('[role=status]')"
LIVE = ".dk-die:not(.dk-dead):visible"
browser = pytest.mark.browser


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A notebook with two boards, and nothing outside this machine asked for."""
    root = tmp_path_factory.mktemp("notebooks")
    cells = [nbformat.v4.new_code_cell(line) for line in BOARDS.splitlines()]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, root / "boards.ipynb")
    with jupyter_lab(root, tmp_path_factory.mktemp("jupyter")) as address, chromium() as shown:
        page = shown.new_context(viewport={"width": 1280, "height": 1800}).new_page()
        page.set_default_timeout(15_000)
        open_notebook(page, address, "boards.ipynb")
        run_all(page)
        expect(page.locator(".dk-board[role=group]")).to_have_count(2, timeout=30_000)
        yield page


@pytest.fixture
def board(page):
    return page.locator(".dk-board").first


@pytest.fixture
def typed_board(page):
    return page.locator(".dk-board").last


def press(page, *keys):
    """Press keys, each when a screen reader has heard the answer to the one before."""
    for key in keys:
        before = page.evaluate(f"{HERE}.textContent")
        page.keyboard.press(key)
        assert page.evaluate(INSIDE), f"after {key}"
        page.wait_for_function(f"before => {HERE}?.textContent !== before", arg=before)
        assert page.evaluate(f"{INSIDE} && {USABLE}"), f"some time after {key}"


def violations(page):
    found = Axe().run(page, context=".dk-board").response["violations"]
    return [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found]


def enter(page):
    """From the first cell into the board below it, by the key Tab."""
    page.locator(".jp-Cell .jp-InputPrompt").nth(1).click()
    for _ in range(30):
        if page.evaluate(INSIDE):
            return
        page.keyboard.press("Tab")
    raise AssertionError("the board cannot be reached")


def throw(page, board):
    """Throw, unless that was done."""
    enter(page)
    if not board.locator(LIVE).count():
        press(page, "t")


@browser
def test_what_a_screen_reader_finds(page, board):
    enter(page)
    press(page, "t", "1")
    place = board.locator("[role=status]").element_handle()
    tree = board.aria_snapshot()
    assert tree.startswith('- group "Farkle · first to 500":')
    assert tree.count("[pressed]") == 1
    assert " aside" in tree.split("[pressed]")[0].splitlines()[-1]
    expect(board.get_by_role("status")).to_have_count(1)
    said = board.get_by_role("status").inner_text()
    assert said and said.rstrip("\xa0") in tree
    press(page, "1")
    assert "[pressed]" not in board.aria_snapshot()
    # The same words twice are two changes of one and the same text.
    page.evaluate(
        """place => {
            window.heard = [];
            const hear = () => window.heard.push(place.textContent);
            new MutationObserver(hear).observe(place, { childList: true, characterData: true });
        }""",
        place,
    )
    press(page, "t", "t")
    heard = page.evaluate("window.heard")
    assert len(heard) == len(set(heard)) == 2
    assert len({words.strip() for words in heard}) == 1
    assert place.evaluate("place => place.isConnected")


@browser
def test_a_vote_is_typed(page, board):
    throw(page, board)
    board.locator(LIVE).first.click()
    score, voting = board.locator(".dk-score").inner_text(), board.locator(".dk-vote")
    board.locator(".dk-key-class").click()
    board.get_by_role("button", name="Ask the class").click()
    expect(voting.get_by_label("Stop")).to_be_focused()
    for key in (*"19", "Tab", *"11", "Enter"):
        page.keyboard.press(key)
    expect(voting.get_by_role("row")).to_have_text(["Stop1963.3 %", "Throw1136.7 %"])
    assert board.locator(".dk-score").inner_text() == score


@pytest.fixture
def low_page(page):
    """As high as what a projector shows of a page in large type."""
    page.set_viewport_size({"width": 1280, "height": 460})
    yield page
    page.set_viewport_size({"width": 1280, "height": 1800})


@browser
def test_what_has_changed_comes_into_view(low_page, board):
    dice, panel = board.locator(".dk-dice"), board.locator(".dk-teacher")
    opens, points = board.locator(".dk-key-class"), board.get_by_label("Points in the turn")
    throw(low_page, board)
    opens.click()
    points.fill("320")
    low_page.wait_for_timeout(300)
    expect(dice).not_to_be_in_viewport()
    board.get_by_role("button", name="Deal this position").click()
    expect(panel.get_by_text("320 points cannot be")).to_be_in_viewport(ratio=1)
    board.get_by_role("button", name="Copy").click()
    expect(panel.get_by_text("The link is copied.")).to_be_in_viewport(ratio=1)
    opens.click()  # closes it
    expect(dice).to_be_in_viewport(ratio=1)
    before = dice.bounding_box()
    press(low_page, "1")
    assert dice.bounding_box()["y"] == before["y"]  # what is in view does not move
    board.locator(".dk-saved").scroll_into_view_if_needed()
    expect(dice).not_to_be_in_viewport(ratio=1)
    press(low_page, "t")
    expect(dice).to_be_in_viewport(ratio=1)
    expect(board.locator(".dk-say")).to_be_in_viewport(ratio=1)


@browser
def test_enter_saves_the_name_of_a_game(page, board):
    board.locator(".dk-key-games").click()
    board.get_by_role("button", name="Rename").click()
    board.get_by_label("Name of the game").fill("Final")
    page.keyboard.press("Enter")
    expect(board.locator(".dk-said")).to_contain_text(["The game has its name.", ""])
    board.locator(".dk-key-games").click()


@browser
def test_jupyterlab_leaves_the_keys_to_the_board(page, board):
    cells = page.locator(".jp-Notebook .jp-Cell")
    enter(page)
    before = cells.all_inner_texts()
    for key in [*"baddxymcvz", "Enter", "Escape", "ArrowUp", "ArrowDown", "ArrowRight", *"00"]:
        page.keyboard.press(key)
    page.wait_for_timeout(500)
    assert cells.count() == len(before)
    assert page.locator(".jp-MarkdownCell, .jp-Dialog").count() == 0
    assert page.evaluate(INSIDE)
    # Where the attribute is missing, JupyterLab does insert a cell.
    page.evaluate(
        """addEventListener("keydown", event => {
            event.target.removeAttribute("data-lm-suppress-shortcuts");
        }, { capture: true, once: true })"""
    )
    page.keyboard.press("b")
    expect(cells).to_have_count(len(before) + 1)
    page.keyboard.press("z")
    expect(cells).to_have_count(len(before))


@browser
def test_the_list_of_keys(page, board):
    enter(page)
    was = page.evaluate("document.activeElement.innerText")
    page.keyboard.press("?")
    expect(board.get_by_role("dialog", name="Keys")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(board.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.innerText") == was


@browser
def test_a_game_by_keys_alone(page, board, typed_board):
    other = typed_board.text_content()
    enter(page)
    free = ".dk-die:not(.dk-dead):not(.dk-aside)"
    for _ in range(60):
        if board.get_by_text("Game over").is_visible():
            break
        dice = board.locator(".dk-die:visible")
        live = dice.evaluate_all(f"dice => dice.map(die => die.matches('{free}'))")
        for place, wanted in enumerate(live, 1):
            if wanted:
                press(page, str(place))
        bank = board.locator(".dk-key-bank:visible:not(.dk-not-yet)").count()
        press(page, "b" if bank else "t")
        if not board.locator(LIVE).count():  # the turn has passed: a key at once would be
            page.wait_for_timeout(1000)  # the second half of a double click
    expect(board.get_by_role("status")).to_contain_text("wins with")
    assert page.evaluate("document.activeElement.innerText") == "New game"
    assert violations(page) == []
    assert typed_board.text_content() == other


def bank_100(page, typed_board):
    for key in "152334":
        page.keyboard.press(key)
    expect(typed_board.locator(".dk-die:visible").first).to_be_focused()
    press(page, "1", "b")
    expect(typed_board.get_by_role("status")).to_contain_text("banks 100")


@browser
def test_real_dice_are_one_key_each(page, typed_board):
    field = typed_board.get_by_label("What the dice show")
    typed_board.get_by_role("button", name="New game").click()
    typed_board.get_by_role("button", name="Start").press("Enter")
    expect(field).to_be_focused()
    bank_100(page, typed_board)
    expect(field).to_be_focused()


@browser
def test_the_focus_is_not_taken_from_elsewhere(page, typed_board):
    """Not even where a throw is due, and what had the focus is gone."""
    typed_board.locator(".dk-typing input").focus()
    bank_100(page, typed_board)
    elsewhere = page.locator(".jp-Cell .cm-content").first
    elsewhere.click()
    typed_board.get_by_role("button", name="Undo").evaluate("button => button.click()")
    expect(typed_board.get_by_role("status")).to_contain_text("Taken back")
    page.wait_for_timeout(300)
    expect(elsewhere).to_be_focused()


@browser
def test_looking_back_by_keys(page, board):
    enter(page)
    page.keyboard.press("t")  # if the game is not over yet
    page.wait_for_timeout(500)
    looks_back = board.locator(".dk-title").get_by_text("Looking back")
    page.keyboard.press("<")
    expect(looks_back).to_be_visible()
    page.wait_for_function(f"{INSIDE} && {USABLE}")
    page.keyboard.press(">")
    expect(looks_back).to_be_hidden()
    page.wait_for_function(f"{INSIDE} && {USABLE}")


@browser
def test_the_focus_stays_where_the_language_is_changed(page, typed_board):
    typed_board.get_by_role("button", name="New game").click()
    expect(typed_board.get_by_role("button", name="Start")).to_be_focused()
    chooser = typed_board.locator("select:visible", has_text="français")
    chooser.press("ArrowDown")
    expect(typed_board).to_have_attribute("aria-label", "Une nouvelle partie", timeout=15_000)
    expect(chooser).to_be_focused()
    expect(chooser).to_have_value("français")


def test_a_link_has_the_address_of_the_page(monkeypatch, tmp_path):
    board = Board("Farkle", ("Ana", "Bia"), folder=tmp_path)
    position = board.teacher.position
    monkeypatch.setenv("VOILA_REQUEST_URL", "http://desk:8866/?game=Farkle&points=50")
    board._unfold("class")
    assert position.link.value == "http://desk:8866/?game=Farkle&players=Ana&players=Bia"
    state = board.state
    position._open()
    assert board.state == state
    assert board.state is not state
    monkeypatch.delenv("VOILA_REQUEST_URL")
    board._unfold("class")
    assert position.link.value.startswith("?game")


def test_the_same_words_are_said_again():
    widget = keys.make_keys()
    heard = []
    widget.observe(lambda change: heard.append(change.new), "said")
    for words in ("Ana to throw.", "Ana to throw.", "Ana to throw."):
        widget.said = words
    assert len(heard) == 3
    assert {words.strip() for words in heard} == {"Ana to throw."}


def test_the_keys_are_told_in_the_language_spoken():
    widget = keys.make_keys()
    with speaking("fr"):
        widget.said = "Ana lance."
        assert widget.help == keys.help_texts()
    assert len(widget.help) == len(keys.help_texts())


def test_without_anywidget_there_are_no_keys(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    assert keys._keys.__wrapped__() is None
