"""The saved games of a folder: open, rename, delete, take along in one file, and bring back."""

from __future__ import annotations

import os
import warnings
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from io import BytesIO
from itertools import chain, count
from pathlib import Path, PurePosixPath
from re import sub
from time import monotonic
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from ipywidgets import FileUpload, HBox, Select, Text, VBox

from dicekit.board.pictures import html_of
from dicekit.board.play import isolated
from dicekit.board.widgets import box, button_for, html, show_if, watch
from dicekit.games.record import SUFFIX, Record, read
from dicekit.words import _, language, ngettext

SHOWN = 20
MOST_ROWS = 8
TOLD = 3  # of many problems
MOST_GAMES = 1000
LARGEST = 2_000_000  # bytes of a game
LARGEST_LINK = 2_000_000  # bytes; a Jupyter server drops messages of more than 3 MB
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
    over: bool
    trouble: str


# What is known of each file, as long as that does not change.
_known: dict[tuple[Saved, str], Game] = {}


def saved_in(folder: Path) -> list[Saved]:
    """The records in a folder, those played last first; none if there is no such folder."""
    found = []
    with suppress(OSError):
        for entry in os.scandir(folder):
            with suppress(OSError):
                if entry.name.endswith(SUFFIX) and entry.is_file():
                    at = entry.stat()
                    found.append(Saved(Path(entry.path), at.st_mtime_ns, at.st_size))
    return sorted(found, key=lambda saved: (saved.changed, saved.path), reverse=True)


def title_of(record: Record) -> str:
    """A game in one line."""
    people = zip(record.players, record.state.scores, strict=True)
    scores = [_("{name} {score}", name=isolated(who, LONGEST), score=n) for who, n in people]
    facts = [isolated(record.title, LONGEST), _(record.rules.name), ", ".join(scores)]
    if record.state.is_terminal:
        facts.append(_("over"))
    begun = _("begun {when}", when=record.started[:16].replace("T", " "))
    return " · ".join(filter(None, [*facts, begun if record.started else ""]))


def game_of(saved: Saved) -> Game:
    """What there is to say of a file, read once."""
    key = saved, language()
    if key not in _known:
        record, said = read(saved.path)
        if record is None:
            _known[key] = Game("", True, said[0])
        else:
            _known[key] = Game(title_of(record), record.state.is_terminal, "")
    return _known[key]


class Shelf(VBox):
    """The list of saved games.

    `open` is called with the file of a game that somebody wants to see; `playing` tells the
    file of the game on the board, None if there is none. `refresh` reads the folder again.
    `len(shelf)` is the number of games.
    """

    title_of = staticmethod(title_of)

    def __init__(
        self, folder: Path, open: Callable[[Path], None], playing: Callable[[], Path | None]
    ) -> None:
        self._folder, self._open, self._playing = Path(folder), open, playing
        self._limit = SHOWN
        self._listed: list[Saved] = []
        self._files: list[Saved] = []
        self._asked: Saved | None = None
        self._asks, self._asked_at = "", 0.0
        self._make_widgets()
        super().__init__([self.head, self.games, self.chosen, self.asking, self.all, self.said])
        self.add_class("dk-shelf")
        self.refresh()

    def __len__(self) -> int:
        return len(self._files)

    def _make_widgets(self) -> None:
        self.head, self.said, self.link = html("dk-head"), html("dk-said"), html("dk-link")
        self.games = Select(description=_("Saved games")).add_class("dk-games")
        watch(self.games, "index", self._render)
        self.opener = button_for("", self.go_on, "dk-row")
        self.more = button_for("", self.show_more, "dk-quiet")
        buttons = (
            button_for(_("Rename"), self.ask_title, "dk-row"),
            button_for(_("Delete"), self.ask_delete, "dk-row"),
        )
        self.chosen = box(HBox, "dk-choices", self.opener, *buttons, self.more)
        self.question = html("dk-question")
        self.title = Text(description=_("Name of the game"))
        self.keep = button_for(_("Keep"), self.cancel, "dk-row")
        self.delete_button = button_for(_("Delete for good"), self.delete, "dk-row")
        self.name_button = button_for(_("Save the name"), self.rename, "dk-row")
        self.cancel_button = button_for(_("Cancel"), self.cancel, "dk-row")
        parts = (self.title, self.name_button, self.cancel_button, self.keep, self.delete_button)
        self.asking = box(HBox, "dk-choices", self.question, *parts)
        self.export_button = button_for(_("Export all"), self.export, "dk-quiet")
        # Its words are its tooltip (board.css): behind a description stands a count of files.
        self.upload = FileUpload(
            accept=f".zip,{SUFFIX}", multiple=True, description="", icon="", tooltip=_("Import")
        )
        watch(self.upload.add_class("dk-quiet"), "value", self._uploaded)
        self.all = box(HBox, "dk-choices", self.export_button, self.link, self.upload)

    # What a person can do

    def refresh(self, said: str = "") -> None:
        """Read the folder again, and say what was done."""
        before, self._files = self._picked, saved_in(self._folder)
        games = [(saved, game_of(saved)) for saved in self._files[: self._limit]]
        self._listed = [saved for saved, game in games if not game.trouble]
        troubles = [game.trouble for _saved, game in games if game.trouble]
        self._asks, self.link.value = "", ""
        self._offer([self._line(saved, game) for saved, game in games if not game.trouble], before)
        if troubles:
            said = " ".join([said, _("A game cannot be read:"), _some(troubles)])
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
            self._ask("title")
            record = Record.load(self._unchanged(self._asked).path)
            self.title.value = record.title

    def rename(self, button: Any = None) -> None:
        """Give the game its title. The game on the board is read again, to know it."""
        with self._saying_errors():
            path = self._unchanged(self._asked).path
            Record.load(path).rename(self.title.value.strip())
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
        if self._asks != "delete" or monotonic() < self._asked_at + DOUBLE_CLICK:
            return
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
            files = saved_in(self._folder)
            content = packed(files)
            if len(content) > LARGEST_LINK:
                raise ValueError(
                    _(
                        "these games are too many for one file; they are in the folder {folder}",
                        folder=self._folder.name,
                    )
                )
            words = ngettext(
                "Save the file with {n} game", "Save the file with {n} games", len(files)
            )
            self.link.value = (
                f'<a download="dicekit-{date.today()}.zip" '
                f'href="data:application/zip;base64,{b64encode(content).decode()}">{words}</a>'
            )

    def bring_in(self, name: str, content: bytes) -> tuple[int, list[str]]:
        """Write the games of a file into the folder. How many are new, and what is wrong with
        others. Raises ValueError for what is no such file."""
        new, wrong = 0, list[str]()
        for inner, data in unpacked(name, content):
            try:
                new += self._bring_in_one(inner, data)
            except ValueError as error:
                wrong.append(str(error))
        return new, wrong

    # How it is done

    def _bring_in_one(self, name: str, data: bytes) -> bool:
        shown = isolated(name, LONGEST)
        if not name.lower().endswith(SUFFIX):
            raise ValueError(_("{file} is no game", file=shown))
        if len(data) > LARGEST:
            raise ValueError(_("{file} is too large for a game", file=shown))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a crash cut short is taken as it is
            Record.from_text(data, shown)
        self._folder.mkdir(parents=True, exist_ok=True)
        for path in free_names(self._folder, name):
            try:
                with path.open("xb") as file:
                    file.write(data)
            except FileExistsError:
                if path.read_bytes() == data:
                    return False
            except OSError:
                path.unlink(missing_ok=True)
                raise
            else:
                return True
        raise AssertionError

    def _uploaded(self, change: Any) -> None:
        if not change.new:
            return
        with self._saying_errors():
            new, wrong = 0, list[str]()
            for file in change.new:
                try:
                    more, problems = self.bring_in(file["name"], bytes(file["content"]))
                except ValueError as error:
                    more, problems = 0, [str(error)]
                new, wrong = new + more, wrong + problems
            said = ngettext("{n} new game.", "{n} new games.", new)
            self.refresh(" ".join([said, *([_("Not taken:"), _some(wrong)] if wrong else [])]))
        self.upload.value = ()

    @property
    def _picked(self) -> Saved | None:
        at = self.games.index
        return None if at is None else self._listed[at]

    def _unchanged(self, saved: Saved | None) -> Saved:
        """The file, if it is as it was listed or is the one played here. Raises ValueError if
        not."""
        if saved is None:
            raise ValueError(_("choose a game first"))
        if saved not in saved_in(self._folder) and not self._is_played(saved.path):
            self.refresh()
            raise ValueError(_("this game was changed elsewhere; look at the list again"))
        return saved

    def _is_played(self, path: Path) -> bool:
        now = self._playing()
        return now is not None and path.absolute() == now.absolute()

    def _line(self, saved: Saved, game: Game) -> str:
        here = self._is_played(saved.path)
        return f"{game.words} · {_('on this board')}" if here else game.words

    def _offer(self, lines: list[str], before: Saved | None) -> None:
        """List the games by words of which no two are the same; choose the one before."""
        for at, line in enumerate(lines):
            if line in lines[:at]:
                lines[at] = f"{line} · {self._listed[at].path.stem}"
        paths = [saved.path for saved in self._listed]
        # The browser gets spaces at which no line breaks, so a break is offered after each.
        options = tuple(line.replace(" ", " \u200b") for line in lines)
        if self.games.options != options:
            self.games.options, self.games.rows = options, min(len(lines), MOST_ROWS) or 1
        if paths:
            at = paths.index(before.path) if before and before.path in paths else 0
            self.games.index = None  # the browser forgets it when the options change
            self.games.index = at

    def _ask(self, what: str) -> None:
        self._asked = self._unchanged(self._picked)
        self._asks, self._asked_at = what, monotonic()
        words = html_of(_("Delete this game for good? {game}", game=game_of(self._asked).words))
        if self._is_played(self._asked.path):
            words = f"<b>{_('This is the game on this board.')}</b> {words}"
        self.question.value = f"<p>{words}</p>"
        self._say("")
        self._render()

    @contextmanager
    def _saying_errors(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, OSError) as error:
            text = str(error) if isinstance(error, ValueError) else error.strerror or str(error)
            self._asks = ""
            self._render()
            self._say(f"{text[:1].upper()}{text[1:]}.")

    def _say(self, words: str) -> None:
        self.said.value = f'<p role="status">{html_of(words)}</p>' if words.strip() else ""

    def _render(self, change: Any = None) -> None:
        picked, hidden = self._picked, len(self._files) - self._limit
        self.head.value = "" if self._files else f"<p>{_('No saved games yet.')}</p>"
        over = picked is not None and game_of(picked).over
        self.opener.description = _("Look at") if over else _("Resume")
        self.more.description = ngettext("{n} older game", "{n} older games", max(hidden, 0))
        for part, shown in (
            (self.games, bool(self._listed)),
            (self.chosen, picked is not None and not self._asks),
            (self.more, hidden > 0),
            (self.asking, bool(self._asks)),
            (self.question, self._asks == "delete"),
            (self.keep, self._asks == "delete"),
            (self.delete_button, self._asks == "delete"),
            (self.title, self._asks == "title"),
            (self.name_button, self._asks == "title"),
            (self.cancel_button, self._asks == "title"),
            (self.export_button, bool(self._files)),
        ):
            show_if(part, shown)


def packed(files: list[Saved]) -> bytes:
    """These files as one .zip, just as they are."""
    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
        for saved in files:
            archive.write(saved.path, saved.path.name)
    return content.getvalue()


def unpacked(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """The files in an uploaded file, without their folders, none of them longer than a game may
    be by more than a byte.

    Raises ValueError for a file that is no .zip and no .jsonl, and for one that is damaged.
    """
    shown = isolated(name, LONGEST)
    if name.lower().endswith(SUFFIX):
        yield name, content
    elif not name.lower().endswith(".zip"):
        raise ValueError(_("{file} is neither a .zip nor a .jsonl file", file=shown))
    else:
        try:
            with ZipFile(BytesIO(content)) as archive:
                files = [file for file in archive.infolist() if not file.is_dir()]
                if len(files) > MOST_GAMES:
                    raise ValueError(
                        _("{file} holds more than {most} games", file=shown, most=MOST_GAMES)
                    )
                for file in files:
                    with archive.open(file) as opened:
                        yield file.filename, opened.read(LARGEST + 1)
        except (BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError):
            raise ValueError(_("{file} is damaged, or locked", file=shown)) from None


def free_names(folder: Path, name: str) -> Iterator[Path]:
    """Paths in this folder for a file of that name, with numbers from the second on.

    >>> path = next(free_names(Path("games"), "../../a:b.jsonl"))
    >>> path.parent.name, path.name
    ('games', 'a_b.jsonl')
    """
    stem = PurePosixPath(name.replace("\\", "/")).name[: -len(SUFFIX)]
    stem = sub(r"[^\w .()+-]", "_", stem).strip(" .")[:LONGEST] or "game"
    stems = chain([stem], (f"{stem}-{number}" for number in count(2)))
    return (folder / f"{stem}{SUFFIX}" for stem in stems)


def _some(words: list[str]) -> str:
    """The first of many words, each as a sentence."""
    said = [f"{text}." for text in words[:TOLD]]
    more = len(words) - TOLD
    if more > 0:
        said.append(ngettext("And {n} more.", "And {n} more.", more))
    return " ".join(said)
