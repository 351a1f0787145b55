"""The list of saved games: nothing is lost, nothing is overwritten, and everything is said."""

import io
import os
import re
import zipfile
from base64 import b64decode
from datetime import datetime

import pytest

from dicekit.board import shelf as module
from dicekit.board.shelf import SHOWN, Shelf
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.record import Record
from dicekit.games.states import Bank, SetAside, Throw

EVENTS = (Throw(), (1, 1, 1, 5, 2, 3), SetAside((1, 1, 1)), Bank())


def saved(path, rules=None, names=("Ana", "Bia"), events=EVENTS):
    record = Record(rules or Farkle(), names, path=path)
    for event in events:
        record.add(event)
    return record


@pytest.fixture
def opened():
    return []


@pytest.fixture
def shelf(tmp_path, opened):
    """A shelf of a game that is over and, played last, one that is not."""
    saved(tmp_path / "over.jsonl", Farkle(target=1000, last_round=False), ("Caio", "Dora"))
    saved(tmp_path / "open.jsonl")
    os.utime(tmp_path / "over.jsonl", ns=(1, 1))
    return Shelf(tmp_path, opened.append, lambda: None)


def lines(shelf):
    return [line.replace("\u200b", "") for line in shelf.games.options]


def choose(shelf, words):
    shelf.games.index = next(at for at, line in enumerate(lines(shelf)) if words in line)


def said(shelf):
    return re.sub("<[^>]+>", "", shelf.said.value)


def shown(widget):
    return widget.layout.display != "none"


def wait(shelf):
    shelf._asked_at -= 1


def upload(shelf, *files):
    shelf.upload.value = tuple(
        {
            "name": name,
            "type": "",
            "size": len(data),
            "content": memoryview(data),
            "last_modified": datetime.now(),
        }
        for name, data in files
    )


def zipped(**files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def everything(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_games_are_listed_the_last_first_and_opened(shelf, opened, tmp_path):
    first, second = lines(shelf)
    assert "Farkle · Ana 1,000, Bia 0 · begun 20" in first
    assert "Caio 1,000, Dora 0 · over · begun 20" in second
    assert len(shelf) == 2
    assert shelf.opener.description == "Resume"
    shelf.go_on()
    choose(shelf, "Caio")
    assert shelf.opener.description == "Look at"
    shelf.go_on()
    assert opened == [tmp_path / "open.jsonl", tmp_path / "over.jsonl"]


def test_what_cannot_be_opened_is_said(shelf, tmp_path):
    shelf._open = lambda path: Record.load(path.with_name("gone.jsonl"))
    shelf.go_on()
    assert "No such file" in said(shelf)
    (tmp_path / "open.jsonl").unlink()
    shelf.go_on()
    assert "changed elsewhere" in said(shelf)
    assert len(shelf) == 1


def test_a_game_gets_a_title(shelf, tmp_path):
    shelf.ask_title()
    assert shown(shelf.title)
    assert not shown(shelf.opener) or not shown(shelf.chosen)
    shelf.title.value = " Class 3b "
    shelf.rename()
    assert lines(shelf)[0].startswith("Class 3b · Farkle")
    assert Record.load(tmp_path / "open.jsonl").title == "Class 3b"
    assert not shown(shelf.asking)


def test_renaming_the_game_on_the_board_lets_the_board_go_on(tmp_path):
    board = [saved(tmp_path / "open.jsonl")]
    shelf = Shelf(tmp_path, lambda path: board.append(Record.load(path)), lambda: board[-1].path)
    assert "on this board" in lines(shelf)[0]
    board[-1].add(Throw())
    shelf.ask_title()
    shelf.title.value = "Final"
    shelf.rename()
    board[-1].roll()
    again = Record.load(tmp_path / "open.jsonl")
    assert (again.title, len(again.events)) == ("Final", len(EVENTS) + 2)


def test_nothing_is_deleted_unasked_or_by_a_double_click(shelf, tmp_path):
    before = everything(tmp_path)
    shelf.delete()
    shelf.ask_delete()
    assert "Ana 1,000" in shelf.question.value
    shelf.delete()
    assert everything(tmp_path) == before
    shelf.cancel()
    wait(shelf)
    shelf.delete()
    assert everything(tmp_path) == before
    shelf.ask_delete()
    wait(shelf)
    shelf.delete()
    assert everything(tmp_path).keys() == {"over.jsonl"}
    assert "deleted" in said(shelf)


def test_a_game_that_went_on_elsewhere_is_not_deleted(shelf, tmp_path):
    shelf.ask_delete()
    wait(shelf)
    Record.load(tmp_path / "open.jsonl").add(Throw())
    shelf.delete()
    assert (tmp_path / "open.jsonl").exists()
    assert "changed elsewhere" in said(shelf)


def test_deleting_the_game_on_the_board_says_so(shelf, tmp_path):
    shelf.ask_delete()
    assert "on this board" not in shelf.question.value
    shelf._playing = lambda: tmp_path / "open.jsonl"
    shelf.ask_delete()
    assert "This is the game on this board" in shelf.question.value


def test_all_games_go_out_in_one_file_and_come_back(shelf, opened, tmp_path):
    (tmp_path / "broken.jsonl").write_text("{")
    before = everything(tmp_path)
    shelf.export()
    assert "3 games" in shelf.link.value
    data = b64decode(re.search(r"base64,([^\"]+)", shelf.link.value)[1])
    other = Shelf(tmp_path / "new", opened.append, lambda: None)
    assert len(other) == 0
    assert not shown(other.export_button)
    upload(other, ("games.zip", data))
    del before["broken.jsonl"]
    assert everything(tmp_path / "new") == before
    assert re.search("2 new games. Not taken: broken.jsonl, line 1: .*cannot be read", said(other))
    assert other.upload.value == ()
    upload(other, ("games.zip", data))
    assert "0 new games" in said(other)
    assert everything(tmp_path / "new") == before


def test_import_overwrites_nothing_and_stays_in_the_folder(shelf, tmp_path):
    folder = tmp_path / "inner"
    inner = Shelf(folder, print, lambda: None)
    game = (tmp_path / "open.jsonl").read_bytes()
    over = (tmp_path / "over.jsonl").read_bytes()
    names = ("../../a.jsonl", "/etc/a.jsonl", "C:\\x\\a.jsonl", ".jsonl", "b/open.jsonl")
    upload(inner, ("a.zip", zipped(**dict.fromkeys(names, game))), ("open.jsonl", over))
    assert everything(folder).keys() == {"a.jsonl", "game.jsonl", "open.jsonl", "open-2.jsonl"}
    assert (folder / "open.jsonl").read_bytes() == game
    assert (folder / "open-2.jsonl").read_bytes() == over
    assert {path.name for path in tmp_path.iterdir()} == {"open.jsonl", "over.jsonl", "inner"}


def test_what_is_no_game_is_refused_in_words(shelf, tmp_path, monkeypatch):
    before = everything(tmp_path)
    good = (tmp_path / "open.jsonl").read_bytes()
    locked = bytearray(zipped(**{"a.jsonl": good}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(mark) + place] |= 1
    newer = good.replace(b'"dicekit": 1', b'"dicekit": 99', 1)
    for name, data, words in (
        ("a.txt", b"hello", "a.txt is no game"),
        ("a.zip", b"hello", "damaged"),
        ("a.zip", zipped(**{"a.jsonl": good})[50:], "damaged"),
        ("a.zip", bytes(locked), "locked"),
        ("a.zip", zipped(**{"a.txt": b"hello"}), "a.txt is no game"),
        ("a.jsonl", b"\xff\xfe", "cannot be read"),
        ("a.jsonl", newer, "newer dicekit"),
        ("<b>.jsonl", b"{}", "&lt;b&gt;.jsonl, line 1"),
    ):
        upload(shelf, (name, data))
        assert words in said(shelf)
        assert "0 new games" in said(shelf)
    monkeypatch.setattr(module, "LARGEST", 100)
    upload(shelf, ("a.zip", zipped(**{"a.jsonl": good})))
    assert "too large" in said(shelf)
    monkeypatch.setattr(module, "MOST_GAMES", 1)
    upload(shelf, ("a.zip", zipped(**{"a.jsonl": good, "b.jsonl": good})))
    assert "more than 1 games" in said(shelf)
    assert everything(tmp_path) == before


def test_a_full_disk_leaves_no_half_game(shelf, tmp_path, monkeypatch):
    before = everything(tmp_path)
    game = (tmp_path / "over.jsonl").read_bytes()

    def full(path, data):
        path.touch(exist_ok=False)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(tmp_path), "write_bytes", full)
    upload(shelf, ("new.jsonl", game))
    assert "No space left" in said(shelf)
    assert everything(tmp_path) == before


def test_many_games_are_read_once_and_shown_in_parts(tmp_path, monkeypatch):
    record = saved(tmp_path / "g0.jsonl")
    text = record.path.read_bytes()
    for number in range(1, 50):
        (tmp_path / f"g{number}.jsonl").write_bytes(text)
        os.utime(tmp_path / f"g{number}.jsonl", ns=(number, number))
    reads, read = [], module.read
    monkeypatch.setattr(module, "read", lambda path: reads.append(path) or read(path))
    shelf = Shelf(tmp_path, print, lambda: None)
    assert len(shelf) == 50
    assert len(shelf.games.options) == len(set(shelf.games.options)) == len(reads) == SHOWN
    assert shelf.more.description == "30 older games"
    shelf.refresh()
    assert len(reads) == SHOWN
    shelf.games.index = 5
    shelf.show_more()
    assert shelf.games.index == 5
    shelf.show_more()
    assert len(shelf.games.options) == len(reads) == 50
    assert not shown(shelf.more)
    (tmp_path / "g3.jsonl").write_bytes(text + b'{"action": "Throw"}\n')
    shelf.refresh()
    assert len(reads) == 51


def test_broken_files_and_other_games_stand_beside_the_others(tmp_path):
    saved(tmp_path / "a.jsonl", FiveThousand.beginner(), ("<b>Ana</b>", "דנה"), ())
    (tmp_path / "bad.jsonl").write_text("nonsense")
    shelf = Shelf(tmp_path, print, lambda: None)
    [line] = lines(shelf)
    assert line.startswith("5000 for beginners · <b>Ana</b> 0, \u2068דנה\u2069 0")
    assert "bad.jsonl, line 1" in said(shelf)
    shelf.ask_delete()
    assert "<b>Ana" not in shelf.question.value
    assert "<bdi>דנה</bdi>" in shelf.question.value
