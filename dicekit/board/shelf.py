"""The saved games of a folder: open, rename, delete, take along in one file, and bring back."""

from __future__ import annotations

import re
import warnings
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from functools import cache
from io import BytesIO
from itertools import chain, count
from lzma import LZMAError
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from ipywidgets import FileUpload, HBox, Select, Text, VBox

from dicekit.board.given import scores_of
from dicekit.board.pictures import html_of
from dicekit.board.play import isolated, usual
from dicekit.board.widgets import box, button_for, html, show_if, watch
from dicekit.games.record import SUFFIX, Record, put, read
from dicekit.words import N_, _, ngettext

SHOWN = 20
MOST_ROWS = 8
TOLD = 3  # of many problems
MOST_GAMES = 1000
LARGEST = 2_000_000  # bytes of a game, and of a link: a Jupyter server drops more than 3 MB
DOUBLE_CLICK = 0.4
LONGEST = 40


class Saved(NamedTuple):
    """A file as it was last seen: its name, time and size."""

    path: Path
    changed: int
    size: int


class Game(NamedTuple):
    """A game in words, and whether it is over; or why it cannot be read."""

    words: str
    over: bool = False
    trouble: str = ""


def saved_in(folder: Path) -> list[Saved]:
    """The records in a folder, those played last first; none if there is no such folder."""
    found = []
    for path in folder.glob(f"*{SUFFIX}"):
        with suppress(OSError):
            at = path.stat()
            found.append(Saved(path, at.st_mtime_ns, at.st_size))
    return sorted(found, key=lambda saved: (saved.changed, saved.path), reverse=True)


def title_of(record: Record) -> str:
    """A game in one line."""
    facts = [isolated(record.title, LONGEST), _(usual(record.rules)[0]), scores_of(record)]
    if record.state.is_terminal:
        facts.append(_("over"))
    if record.started:
        facts.append(_("begun {when}", when=record.started[:16].replace("T", " ")))
    return " · ".join(filter(None, facts))


def game_in(saved: Saved) -> Game:
    """The game in a file."""
    record, said = read(saved.path)
    if record is None:
        return Game("", trouble=said[0])
    return Game(title_of(record), record.state.is_terminal)


class Shelf(VBox):
    """The list of saved games.

    `open` is called with the file of a game that somebody wants to see; `playing` tells the
    file of the game on the board, None if there is none. `refresh` reads the folder again.
    `len(shelf)` is the number of games.
    """

    def __init__(
        self, folder: Path, open: Callable[[Path], None], playing: Callable[[], Path | None]
    ) -> None:
        self._folder, self._open, self._playing = Path(folder), open, playing
        self._limit = SHOWN
        self._files: list[Saved] = []
        self._listed: list[Saved] = []
        self._game = cache(game_in)  # read once, as long as the file is the same
        self._asked: Saved | None = None
        self._asks, self._asked_at = "", 0.0
        self._make_widgets()
        super().__init__([self.head, self.games, self.chosen, self.asking, self.all, self.said])
        self.add_class("dk-shelf")
        self.refresh()

    def __len__(self) -> int:
        return len(self._files)

    @property
    def unfinished(self) -> tuple[Path, str] | None:
        """The game that was played last and is not over, with what is said of it."""
        games = ((saved.path, self._game(saved)) for saved in self._listed)
        return next(((path, game.words) for path, game in games if not game.over), None)

    def _make_widgets(self) -> None:
        self.head, self.said, self.link = html("dk-head"), html("dk-said"), html("dk-link")
        self.games = Select(description=_("Saved games")).add_class("dk-games")
        watch(self.games, "index", self._render)
        self.opener = button_for("", self.go_on, "dk-row")
        self.more = button_for("", self.show_more, "dk-quiet")
        title = button_for(_("Rename"), self.ask_title, "dk-row")
        delete = button_for(_("Delete"), self.ask_delete, "dk-row")
        self.chosen = box(HBox, "dk-choices", self.opener, title, delete, self.more)
        self.question, self.title = html("dk-question"), Text(description=_("Name of the game"))
        self.name = button_for(_("Save the name"), self.rename, "dk-row")
        keep = button_for(_("Cancel"), self.cancel, "dk-row")
        self.gone = button_for(_("Delete for good"), self.delete, "dk-row")
        parts = (self.question, self.title, self.name, keep, self.gone)
        self.asking = box(HBox, "dk-choices", *parts)
        self.export_button = button_for(_("Export all"), self.export, "dk-quiet")
        # Its words are its tooltip (shelf.css): behind a description stands a count of files.
        self.upload = FileUpload(
            accept=f".zip,{SUFFIX}", multiple=True, description="", icon="", tooltip=_("Import")
        )
        watch(self.upload.add_class("dk-quiet"), "value", self._uploaded)
        self.all = box(HBox, "dk-choices", self.export_button, self.link, self.upload)

    # What a person can do

    def refresh(self, said: str = "") -> None:
        """Read the folder again, and say what was done."""
        before, self._files = self._picked, saved_in(self._folder)
        shown = self._files[: self._limit]
        self._listed = [saved for saved in shown if not self._game(saved).trouble]
        self._offer(before)
        if troubles := [game.trouble for game in map(self._game, shown) if game.trouble]:
            said = " ".join([said, _("A game cannot be read:"), _some(troubles)])
        self._asks, self.link.value = "", ""
        self._say(said)
        self._render()

    def show_more(self, button: Any = None) -> None:
        """Show the older games too."""
        self._limit += SHOWN
        self.refresh()

    def go_on(self, button: Any = None) -> None:
        """Go on with the game that is chosen, or look at it if it is over."""
        with self._saying_errors():
            self._open(self._unchanged(self._picked).path)

    def ask_title(self, button: Any = None) -> None:
        """Ask for the title of the game that is chosen."""
        with self._saying_errors():
            self.title.value = Record.load(self._ask("title")).title

    def rename(self, button: Any = None) -> None:
        """Give the game its title. The game on the board is read again, to know it."""
        if self._asks != "title":  # the second half of a double click
            return
        with self._saying_errors():
            path = self._unchanged(self._asked).path
            record = Record.load(path)
            record.rename(self.title.value)
            if record.trouble:
                raise ValueError(record.trouble)
            if self._is_played(path):
                self._open(path)
            self.refresh(_("The game has its name."))

    def ask_delete(self, button: Any = None) -> None:
        """Ask whether the game that is chosen shall be deleted."""
        with self._saying_errors():
            self._ask("delete")

    def delete(self, button: Any = None) -> None:
        """Delete the game, once that was asked."""
        # The second half of a double click on “Delete” is no answer.
        if self._asks == "delete" and monotonic() > self._asked_at + DOUBLE_CLICK:
            with self._saying_errors():
                self._unchanged(self._asked).path.unlink()
                self.refresh(_("The game is deleted."))

    def cancel(self, button: Any = None) -> None:
        """Leave everything as it is."""
        self._asks = ""
        self._say("")
        self._render()

    def export(self, button: Any = None) -> None:
        """Offer one file with all games."""
        with self._saying_errors():
            self.link.value = ""
            content, files = BytesIO(), saved_in(self._folder)
            with ZipFile(content, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
                for saved in files:
                    archive.write(saved.path, saved.path.name)
            if len(content.getvalue()) > LARGEST:
                text = N_("these games are too many for one file; they are in the folder {folder}")
                raise ValueError(_(text, folder=self._folder.name))
            words = ngettext(
                "Save the file with {n} game", "Save the file with {n} games", len(files)
            )
            data = b64encode(content.getvalue()).decode()
            self.link.value = (
                f'<a download="dicekit-{date.today()}.zip" '
                f'href="data:application/zip;base64,{data}">{words}</a>'
            )

    # How it is done

    def _uploaded(self, change: Any) -> None:
        """Bring in the games of some files, and say what is wrong with others."""
        if not change.new:
            return
        new, wrong = 0, list[str]()
        with self._saying_errors():
            for file in change.new:
                try:
                    for name, data in unpacked(file["name"], bytes(file["content"])):
                        try:
                            new += self._bring_in(name, data)
                        except ValueError as error:
                            wrong.append(str(error))
                except ValueError as error:
                    wrong.append(str(error))
            said = ngettext("{n} new game.", "{n} new games.", new)
            self.refresh(" ".join([said, *([_("Not taken:"), _some(wrong)] if wrong else [])]))
        self.upload.value = ()

    def _bring_in(self, name: str, data: bytes) -> bool:
        """Write a game into the folder: whether it is new. Raises ValueError for what is none."""
        shown = isolated(name, LONGEST)
        if not name.lower().endswith(SUFFIX):
            raise ValueError(_("{file} is no game", file=shown))
        if len(data) > LARGEST:
            raise ValueError(_("{file} is too large for a game", file=shown))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a crash cut short is taken as it is
            Record.from_text(data, shown)
        self._folder.mkdir(parents=True, exist_ok=True)
        paths = free_names(self._folder, name)
        path = next(path for path in paths if not path.exists() or path.read_bytes() == data)
        if new := not path.exists():
            put(path, data)
        return new

    @property
    def _picked(self) -> Saved | None:
        at = self.games.index
        return None if at is None else self._listed[at]

    def _unchanged(self, saved: Saved | None) -> Saved:
        """The file, if it is as it was listed or is the one played here; else ValueError."""
        if saved is None:
            raise ValueError(_("choose a game first"))
        if saved not in saved_in(self._folder) and not self._is_played(saved.path):
            self.refresh()
            raise ValueError(_("this game was changed elsewhere; look at the list again"))
        return saved

    def _is_played(self, path: Path) -> bool:
        now = self._playing()
        return now is not None and path.absolute() == now.absolute()

    def _offer(self, before: Saved | None) -> None:
        """List the games by words of which no two are the same; choose the one before."""
        lines = list[str]()
        for saved in self._listed:
            here = [_("on this board")] if self._is_played(saved.path) else []
            line = " · ".join([self._game(saved).words, *here])
            lines.append(f"{line} · {saved.path.stem}" if line in lines else line)
        # The browser gets spaces at which no line breaks, so a break is offered after each.
        options = tuple(line.replace(" ", " \u200b") for line in lines)
        if self.games.options != options:
            self.games.options, self.games.rows = options, min(len(lines), MOST_ROWS) or 1
        if options:
            paths = [saved.path for saved in self._listed]
            self.games.index = None  # the browser forgets it when the options change
            self.games.index = paths.index(before.path) if before and before.path in paths else 0

    def _ask(self, what: str) -> Path:
        self._asked = self._unchanged(self._picked)
        self._asks, self._asked_at = what, monotonic()
        words = html_of(_("Delete this game for good? {game}", game=self._game(self._asked).words))
        if self._is_played(self._asked.path):
            words = f"<b>{_('This is the game on this board.')}</b> {words}"
        self.question.value = f"<p>{words}</p>"
        self._say("")
        self._render()
        return self._asked.path

    @contextmanager
    def _saying_errors(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, OSError) as error:
            text = str(error) if isinstance(error, ValueError) else error.strerror or str(error)
            self.cancel()
            self._say(f"{text[:1].upper()}{text[1:]}.")

    def _say(self, words: str) -> None:
        self.said.value = f'<p role="status">{html_of(words)}</p>' if words.strip() else ""

    def _render(self, change: Any = None) -> None:
        picked, hidden = self._picked, len(self._files) - self._limit
        self.head.value = "" if self._files else f"<p>{_('No saved games yet.')}</p>"
        over = picked is not None and self._game(picked).over
        self.opener.description = _("Look at") if over else _("Resume")
        self.more.description = ngettext("{n} older game", "{n} older games", max(hidden, 0))
        show_if(self.games, bool(self._listed))
        show_if(self.chosen, picked is not None and not self._asks)
        show_if(self.more, hidden > 0)
        show_if(self.export_button, bool(self._files))
        show_if(self.asking, bool(self._asks))
        for part in (self.question, self.gone):
            show_if(part, self._asks == "delete")
        for part in (self.title, self.name):
            show_if(part, self._asks == "title")


def unpacked(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """The file, or those in a .zip, none of them longer than a game may be by more than a byte.

    Raises ValueError for a .zip that is damaged.
    """
    if not name.lower().endswith(".zip"):
        yield name, content
        return
    shown = isolated(name, LONGEST)
    try:
        with ZipFile(BytesIO(content)) as archive:
            files = [file for file in archive.infolist() if not file.is_dir()]
            for file in files if len(files) <= MOST_GAMES else ():
                with archive.open(file) as opened:
                    yield file.filename, opened.read(LARGEST + 1)
    except (BadZipFile, LZMAError, zlib.error, OSError, EOFError, RuntimeError, ValueError):
        raise ValueError(_("{file} is damaged, or locked", file=shown)) from None
    if len(files) > MOST_GAMES:
        raise ValueError(_("{file} holds more than {most} games", file=shown, most=MOST_GAMES))


def free_names(folder: Path, name: str) -> Iterator[Path]:
    """Paths in this folder for a file of that name, with numbers from the second on.

    >>> path = next(free_names(Path("games"), "../../a:b.jsonl"))
    >>> path.parent.name, path.name
    ('games', 'a_b.jsonl')
    """
    stem = re.split(r"[\\/]", name)[-1][: -len(SUFFIX)]
    stem = re.sub(r"[^\w .()+-]", "_", stem).strip(" .")[:LONGEST] or "game"
    stems = chain([stem], (f"{stem}-{number}" for number in count(2)))
    return (folder / f"{stem}{SUFFIX}" for stem in stems)


def _some(words: list[str]) -> str:
    """The first of many words, each as a sentence."""
    said = [f"{text[:200]}." for text in words[:TOLD]]
    more = len(words) - TOLD
    if more > 0:
        said.append(ngettext("And {n} more.", "And {n} more.", more))
    return " ".join(said)
