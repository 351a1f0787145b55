"""The command `dicekit`: its working copy of the notebooks, its words, and Voilà once."""

import os
import signal
import socket
import subprocess
import sys
import tomllib
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest

from dicekit import app

ROOT = Path(__file__).parents[1]
LINK = "?game=Farkle&players=Ana&players=Bia&points=400&dice=2"


@pytest.fixture
def source(tmp_path):
    source = tmp_path / "source"
    for name in ("00.ipynb", "board.ipynb", "solutions/00.ipynb", "games/farkle.jsonl", "x.txt"):
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name}, first", encoding="utf-8")
    return source


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "my copy"


def contents(folder):
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != app.MEMORY]
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}


@pytest.fixture
def started(monkeypatch, folder):
    """Run the command with a server that only notes how it is started."""
    calls = []
    monkeypatch.setattr(app, "run", lambda *call: calls.append(call))
    for name in ("DICEKIT_LANGUAGE", "DICEKIT_POSITION"):
        monkeypatch.setenv(name, "")  # so that it is put back

    def start(command, *arguments):
        code = app.main([command, "--folder", str(folder), *arguments])
        return code, calls.pop() if calls else None

    return start


# The copy


def test_pupils_get_the_notebooks_and_nothing_else(source, folder):
    (said,) = app.bring(source, folder)
    assert str(folder) in said and "2" in said
    assert contents(folder) == {"00.ipynb": "00.ipynb, first", "board.ipynb": "board.ipynb, first"}
    app.bring(source, folder, app.PUPILS + app.MASTERS)
    assert contents(folder).keys() == {"00.ipynb", "board.ipynb", "solutions/00.ipynb"}


def test_what_a_pupil_changed_is_never_overwritten(source, folder):
    app.bring(source, folder)
    (folder / "00.ipynb").write_text("mine")
    for name in ("00", "board", "01"):
        (source / f"{name}.ipynb").write_text("second")
    said = app.bring(source, folder)
    expected = {"board.ipynb": "second", "01.ipynb": "second"}
    expected |= {"00.ipynb": "mine", "00 (new).ipynb": "second"}
    assert contents(folder) == expected
    assert [line for line in said if "00.ipynb" in line and "00 (new).ipynb" in line]

    assert len(app.bring(source, folder)) == 1  # said once
    (folder / "00 (new).ipynb").unlink()
    app.bring(source, folder)
    assert "00 (new).ipynb" not in contents(folder)  # nothing newer, so nothing is put there

    (folder / "00 (new).ipynb").write_text("mine too")
    (source / "00.ipynb").write_text("third")
    app.bring(source, folder)
    assert contents(folder) == expected | {
        "00 (new).ipynb": "mine too",
        "00 (new 2).ipynb": "third",
    }


def test_what_was_deleted_comes_back(source, folder):
    app.bring(source, folder)
    (folder / "00.ipynb").unlink()
    app.bring(source, folder)
    assert contents(folder)["00.ipynb"] == "00.ipynb, first"


@pytest.mark.parametrize("damaged", ["", "[]", '{"00.ipynb": 3}', "\x00"])
def test_with_a_damaged_memory_nothing_is_lost(source, folder, damaged):
    app.bring(source, folder)
    (folder / "00.ipynb").write_text("mine")
    (folder / app.MEMORY).write_text(damaged)
    (source / "00.ipynb").write_text("second")
    app.bring(source, folder)
    assert contents(folder)["00.ipynb"] == "mine"
    assert contents(folder)["00 (new).ipynb"] == "second"


def test_a_copy_that_was_cut_short_is_finished_later(source, folder, monkeypatch):
    replace, left = os.replace, iter(range(2))

    def full(*paths):
        if next(left, None) is None:
            raise OSError(28, "No space left on device")
        replace(*paths)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="space"):
        app.bring(source, folder)
    monkeypatch.undo()
    assert (folder / "00.ipynb").exists() and not (folder / "board.ipynb").exists()
    app.bring(source, folder)
    app.bring(source, folder)
    for name in ("00.ipynb", "board.ipynb"):
        assert contents(folder)[name] == f"{name}, first"
    assert not [name for name in contents(folder) if "new" in name]


def test_the_notebooks_are_found_in_a_checkout_and_in_an_installed_package(source, monkeypatch):
    assert app.originals() == ROOT / "notebooks"
    package = source.parent / "dicekit"
    package.mkdir()
    monkeypatch.setattr(app, "__file__", str(package / "app.py"))
    with pytest.raises(app.Trouble, match="no notebooks"):
        app.originals()
    source.rename(package / "notebooks")
    assert app.originals() == package / "notebooks"


# What is typed, and what is said


def test_help_has_examples_on_each_level(capsys):
    for arguments in (["--help"], ["board", "-h"], ["lab", "--help"]):
        with pytest.raises(SystemExit) as end:
            app.main(arguments)
        assert end.value.code == 0
        assert "dicekit board --language fr" in capsys.readouterr().out


def test_version(capsys):
    with pytest.raises(SystemExit) as end:
        app.main(["--version"])
    assert end.value.code == 0
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert capsys.readouterr().out == f"dicekit {project['version']}\n"
    assert project["scripts"] == {"dicekit": "dicekit.app:main"}


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "bord",
        "board --solutions",
        "board --language de",
        "lab --port 70000",
        "lab --port x",
        "board --position ?game=Poker",
        "lab extra",
    ],
)
def test_wrong_usage_is_2_and_no_folder_is_made(wrong, started, folder, capsys):
    with pytest.raises(SystemExit) as end:
        app.main([*wrong.split(), *(["--folder", str(folder)] if wrong else [])])
    assert end.value.code == 2
    assert "usage: dicekit" in capsys.readouterr().err
    assert not folder.exists()


def test_board_starts_voila_on_the_copy(started, folder, capsys):
    arguments = ("--language", "fr", "--position", LINK, "--no-browser", "--", "--theme=dark")
    code, (command, options) = started("board", *arguments)
    assert (code, command) == (0, "board")
    assert options[0] == str(folder / "board.ipynb")
    assert options[-1] == "--theme=dark"
    assert {"--Voila.open_browser=False", "--Voila.ip=127.0.0.1"} <= set(options)
    assert os.environ["DICEKIT_LANGUAGE"] == "fr"
    assert os.environ["DICEKIT_POSITION"] == LINK
    port = next(each for each in options if each.startswith("--Voila.port=")).split("=")[1]
    said = capsys.readouterr().out
    assert str(folder) in said and f"http://127.0.0.1:{port}/" in said
    masters = {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert contents(folder).keys() == masters


def test_lab_brings_the_solutions_only_when_asked(started, folder):
    code, (command, options) = started("lab")
    assert (code, command) == (0, "lab")
    assert f"--ServerApp.root_dir={folder}" in options
    assert not (folder / "solutions").exists()
    started("lab", "--solutions")
    assert (folder / "solutions" / "teachers-guide.md").exists()


def test_options_after_two_dashes_win(started):
    _, (_, options) = started("lab", "--", "--ServerApp.answer_yes=False")
    assert [each for each in options if "answer_yes" in each] == ["--ServerApp.answer_yes=False"]


def trouble(started, capsys, *arguments):
    code, call = started(*arguments)
    assert (code, call) == (1, None)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_a_folder_with_other_things_is_left_alone(started, folder, capsys):
    folder.mkdir()
    (folder / "letter.txt").write_text("mine")
    assert "other things" in trouble(started, capsys, "board")
    assert contents(folder) == {"letter.txt": "mine"}


def test_the_originals_are_never_worked_on(started, source, capsys, monkeypatch):
    monkeypatch.setattr(app, "originals", lambda: source)
    assert "other things" in trouble(started, capsys, "lab", "--folder", str(source))
    assert not (source / app.MEMORY).exists()


def test_a_folder_that_cannot_be_written(started, folder, capsys):
    folder.write_text("a file")
    assert "--folder" in trouble(started, capsys, "board")


def test_a_package_that_is_missing(started, folder, capsys, monkeypatch):
    monkeypatch.setattr(app, "find_spec", lambda name: None)
    for command, package in {"board": "voila", "lab": "jupyterlab"}.items():
        said = trouble(started, capsys, command)
        assert package in said and f'"{sys.executable}" -m pip install "dicekit[lab]"' in said
    assert not folder.exists()


def test_a_language_that_is_unknown(started, folder, capsys, monkeypatch):
    monkeypatch.setenv("DICEKIT_LANGUAGE", "klingon")
    assert "choose one of en, fr, pt" in trouble(started, capsys, "board")
    assert not folder.exists()
    monkeypatch.setenv("DICEKIT_LANGUAGE", "")
    assert started("board")[0] == 0


def test_a_home_that_is_unknown(capsys):
    for command in (["lab", "--folder"], ["site"]):
        with pytest.raises(SystemExit):
            app.main([*command, "~nosuch/x"])
        assert "~nosuch/x" in capsys.readouterr().err


def test_what_a_terminal_cannot_say_is_no_reason_to_end(source):
    command = [sys.executable, "-m", "dicekit", "--help"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    assert b"Voil\\xe0" in subprocess.check_output(command, env=environment)


def test_a_port_that_is_taken(started, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"Port {port} " in trouble(started, capsys, "board", "--port", str(port))
        assert app.free_port("127.0.0.1", None, port) > port
    assert app.free_port("127.0.0.1", port, 0) == port
    assert "nowhere" in trouble(started, capsys, "lab", "--ip", "nowhere.invalid")


def test_control_c_ends_quietly(started, monkeypatch, capsys):
    def interrupted(*call):
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "run", interrupted)
    assert started("lab") == (0, None)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(app, "make_site", interrupted)
    assert app.main(["site"]) == 130  # so that nobody publishes the site of before


# Voilà


@pytest.fixture
def voila(folder):
    """The command `dicekit board`, its address, and how it ended."""
    command = [sys.executable, "-m", "dicekit", "board", "--no-browser", "--port", "0"]
    command += ["--folder", str(folder), "--language", "fr"]
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    server = subprocess.Popen(command, **output)
    said = [server.stdout.readline() for _ in range(3)]
    try:
        yield server, said[1].split()[-1]
    finally:
        server.kill()
        server.stdout.close()
        server.wait()


@pytest.mark.browser
def test_a_class_plays_in_voila(voila, folder):
    from lab import chromium
    from playwright.sync_api import expect

    server, address = voila
    port = int(address.strip("/").rpartition(":")[2])
    while server.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            break
        sleep(0.1)
    refused, outside = [], []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 375, "height": 800})
        page.set_default_timeout(30_000)
        page.on("request", lambda request: outside.append(request.url))
        page.on("requestfailed", lambda request: refused.append((request.url, request.failure)))
        page.goto(address)
        board = page.locator(".dk-board")
        main = board.locator(".dk-go:visible").first
        main.click()  # Start
        expect(board.locator(".dk-score").first).to_be_visible()
        main.click()  # Throw
        expect(board.locator(".dk-die:visible")).to_have_count(6)
        assert page.evaluate("document.documentElement.lang") == "fr"
        assert "import" not in page.inner_text("body")
        assert "Shift" not in page.inner_text("body")
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
    own = (address, "data:", "blob:")
    asked = {url for url in outside if not url.startswith(own)}
    assert asked == {url for url, why in refused if why == "csp"}  # refused by the page itself
    assert list((folder / "games").glob("farkle-*.jsonl"))
    if os.name != "nt":  # where no other process can press Ctrl + C
        server.send_signal(signal.SIGINT)
        said, _ = server.communicate(timeout=60)
        assert server.returncode == 0
        assert "Traceback" not in said
