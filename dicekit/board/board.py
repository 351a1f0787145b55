"""The board: one record, one picture of it.

Every click becomes an event of the record; the record's state then says everything that is
shown. `_render` only changes traits of widgets that exist already, so that the keyboard focus
stays where it is.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from fractions import Fraction
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any

from ipywidgets import HTML, Button, Dropdown, HBox, Text, VBox
from traitlets import Any as AnyTrait

from dicekit.board import pictures, words
from dicekit.board.setup import Setup
from dicekit.games.farkle import Farkle
from dicekit.games.record import SUFFIX, Record, records_in
from dicekit.games.states import CHANCE, Bank, SetAside, Throw, dashed
from dicekit.players import BanksAt
from dicekit.probability import throws

GAMES = {"farkle": Farkle}
TURNS_SHOWN = 40
OFFERED = 20


class Board(VBox):
    """A game to play in a notebook.

    `Board()` and `Board("farkle")` begin with a choice of players and options. With rules and
    players the game begins at once: `Board(Farkle(target=5000), players=("A", BanksAt(300)))`;
    a player is a name, or a computer player. `typed=True` is for real dice on the table, whose
    throws are typed in. `seed` makes the throws reproducible. `folder` is where the game is
    saved while it is played; an unfinished game in it is offered again. `projector=True` is
    larger.

    `state` is the present moment of the game; `record` the whole of it.
    Raises ValueError for a game that is not known, or players that make no game.
    """

    state = AnyTrait()

    def __init__(
        self,
        game: Any = "farkle",
        players: Iterable[str | BanksAt] = (),
        *,
        seed: int | None = None,
        typed: bool = False,
        folder: str | os.PathLike[str] = "games",
        projector: bool = False,
    ) -> None:
        rules = GAMES.get(game.lower()) if isinstance(game, str) else game
        if rules not in GAMES.values() and type(rules) not in GAMES.values():
            known = " or ".join(f'"{name}"' for name in GAMES)
            raise ValueError(f"there is no board for {game!r}; write {known}, or rules")
        self._folder = Path(folder)
        self._typed = typed
        self._computers: dict[str, BanksAt] = {}
        self._chosen: set[int] = set()
        self._said = ""
        self._tumble = False
        self.record: Any = None
        self._make_widgets(rules if isinstance(rules, type) else type(rules))
        super().__init__(self._arrange())
        self.add_class("dk-board")
        if projector:
            self.add_class("dk-projector")
        names, computers = _named(players)
        if isinstance(rules, type):
            rules = rules()
        self.setup.fill(rules, names or self.setup.names, computers)
        if names:
            self._begin(rules, names, computers, seed)
        self._offer()

    # What a person can do. Whatever is wrong is said on the board, and changes nothing.

    def start(self, button: Any = None) -> None:
        """Begin the game that the set-up describes."""
        with self._saying_errors():
            form = self.setup
            self._typed = form.typed
            self._begin(form.rules, form.names, form.computers, form.seed)

    def toggle(self, index: int, button: Any = None) -> None:
        """Choose a die of the throw, or leave it."""
        if self._must_choose and 0 <= index < len(self.state.throw):
            self._chosen ^= {index}
            self._said = ""
            self._render()

    def throw(self, button: Any = None) -> None:
        """Set the chosen dice aside and throw the rest; or let a computer player play."""
        with self._saying_errors():
            if self._computer:
                self._play_computer()
                return
            self._set_aside()
            self._add(Throw())
            if not self._typed:
                self._roll()
            self._show()

    def bank(self, button: Any = None) -> None:
        """Set the chosen dice aside and bank the points of the turn."""
        with self._saying_errors():
            if self._must_choose:
                self.state.child(SetAside(self._chosen_dice)).child(Bank())
            self._set_aside()
            self._add(Bank())
            self._show()

    def type_throw(self, text: str) -> None:
        """Enter a throw of real dice, such as "1 4 4 5"."""
        with self._saying_errors():
            dice = _faces(text)
            if self.state.current_player != CHANCE and not self._must_choose:
                self.state.child(Throw()).child(dice)
                self._add(Throw())
            self._add(dice)
            self.typed_text.value = ""
            if self._computer:
                self._play_computer()
            self._show()

    def undo(self, button: Any = None) -> None:
        """Go back to the last decision of a person."""
        with self._saying_errors():
            names = enumerate(self.record.players)
            self.record.undo([i for i, name in names if name not in self._computers])
            self._said = "Taken back. The same dice come again."
            self._show()

    def retype(self, button: Any = None) -> None:
        """Take back the last throw, because it was typed wrongly."""
        with self._saying_errors():
            self.record.retype()
            self._said = "Type the throw again."
            self._show()

    def new_game(self, button: Any = None) -> None:
        """Back to the set-up. The game so far stays saved, and is offered again."""
        if self.record:
            self.setup.fill(self.record.rules, self.record.players, self._computers)
        self.record, self._said = None, ""
        self._show()
        self._offer()

    def resume(self, button: Any = None) -> None:
        """Go on with the unfinished game that is chosen in the list."""
        with self._saying_errors():
            self.load(self.unfinished.value)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Go on with the game in a file. Raises RecordError if it cannot be read."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.record = Record.load(path)
        notes = self.record.notes
        self._typed = notes.get("typed", False)
        self._computers = {n: BanksAt(points) for n, points in notes.get("computers", {}).items()}
        self._said = " ".join(["Here the game goes on.", *(f"{w.message}." for w in caught)])
        self._show()
        self._offer()

    # The record

    def _begin(
        self, rules: Any, names: tuple[str, ...], computers: dict[str, BanksAt], seed: int | None
    ) -> None:
        notes = {
            "typed": self._typed,
            "computers": {name: player.points for name, player in computers.items()},
        }
        self.record = Record(rules, names, seed=seed, notes=notes)
        self._computers = computers
        self._said = ""
        self._show()

    def _add(self, event: Any) -> None:
        record = self.record
        if not (record.events or record.path or record.trouble):
            self.record = record = Record(
                record.rules,
                record.players,
                seed=record.seed,
                notes=record.notes,
                path=self._free_path(),
            )
        before = record.state
        self._said = words.announce(before, event, record.add(event))
        self._tumble ^= before.current_player == CHANCE
        self.state = record.state

    def _roll(self) -> None:
        self._add(self.record.dice_due())

    def _set_aside(self) -> None:
        if self._must_choose:
            if not self._chosen:
                raise ValueError("choose the dice that you set aside first")
            self._add(SetAside(self._chosen_dice))

    def _play_computer(self) -> None:
        """Let the computer go on until its turn ends, or until its throw must be typed."""
        player: Any = self._computer
        name = self.record.players[self.state.player]
        while True:
            if self.state.current_player != CHANCE:
                self._add(player(self.state))
            elif self._typed:
                break
            else:
                self._roll()
            if self.state.turn_begins or self.state.is_terminal:
                _, aside, _ = words.told(self.record.turns()[-2])
                taken = ", then ".join(map(dashed, aside))
                self._said = f"{name} set aside {taken}. {self._said}" if aside else self._said
                break
        self._show()

    def _free_path(self) -> Path:
        stem = f"{type(self.record.rules).__name__.lower()}-{datetime.now():%Y-%m-%d-%H%M%S}"
        path = self._folder / f"{stem}{SUFFIX}"
        for number in count(2):
            if not path.exists():
                return path
            path = self._folder / f"{stem}-{number}{SUFFIX}"
        raise AssertionError

    def _offer(self) -> None:
        """List the unfinished games, if there are any."""
        records, _ = records_in(self._folder, OFFERED)
        self.unfinished.options = [
            (_title(record), str(record.path)) for record in records if not record.state.is_terminal
        ]
        self.unfinished.index = 0 if self.unfinished.options else None
        self._render()

    @contextmanager
    def _saying_errors(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, OSError) as error:
            text = str(error)
            self._said = f"{text[:1].upper()}{text[1:]}."
            self._render()

    # The present moment

    @property
    def _must_choose(self) -> bool:
        return self.state is not None and self.state.stage == "thrown" and not self._computer

    @property
    def _computer(self) -> BanksAt | None:
        """The computer player whose turn it is."""
        if self.state is None or self.state.is_terminal:
            return None
        return self._computers.get(self.state.players[self.state.player])

    @property
    def _chosen_dice(self) -> tuple[int, ...]:
        return tuple(self.state.throw[index] for index in sorted(self._chosen))

    @property
    def _path(self) -> Path | None:
        return self.record.path if self.record else None

    @property
    def _playing(self) -> bool:
        return bool(self.record and self.record.events)

    @property
    def _next(self) -> Any:
        """The state in which one would throw on or bank: the dice chosen count as set aside.
        None if they cannot be set aside."""
        state = self.state
        if state.stage != "thrown":
            return state
        action = SetAside(self._chosen_dice)
        return state.child(action) if action in state.legal_actions() else None

    # What is shown

    def _make_widgets(self, game: Any) -> None:
        self.title, self.say = _html("dk-title"), _html("dk-say")
        self.scores, self.label, self.tray = _html("dk-score"), HTML(), _html("dk-tray")
        self.odds, self.history, self.saved = (
            _html("dk-odds"),
            _html("dk-history"),
            _html("dk-saved"),
        )
        self.setup = Setup(game, self.start)
        self.unfinished = Dropdown(description="Unfinished games")
        self.offer = _box(HBox, "dk-offer", self.unfinished, _button("Resume", self.resume))
        self.dice = [
            _button("", partial(self.toggle, index), "dk-die") for index in range(game.all_dice)
        ]
        self.typed_text = Text(description="What the dice show", placeholder="such as 1 4 4 5")
        self.typed_text.continuous_update = False
        self.typed_text.observe(self._typed_in, "value")
        enter = _button("Enter throw", self._typed_in)
        self.typing = _box(HBox, "dk-typing", self.typed_text, enter)
        self.throw_button = _button("", self.throw, "dk-go")
        self.bank_button = _button("", self.bank, "dk-go")
        self.undo_button = _button("Undo", self.undo, "dk-quiet")
        self.retype_button = _button("Retype throw", self.retype, "dk-quiet")
        self.new_button = _button("New game", self.new_game, "dk-quiet")

    def _arrange(self) -> list[Any]:
        dice = _box(HBox, "dk-dice", *self.dice)
        play = _box(VBox, "dk-play", self.label, dice, self.typing, self.tray)
        quiet = _box(HBox, "dk-quiets", self.undo_button, self.retype_button, self.new_button)
        buttons = _box(HBox, "dk-buttons", self.throw_button, self.bank_button, quiet)
        self.body = _box(HBox, "dk-body", self.scores, play)
        self.act = _box(HBox, "dk-act", self.odds, buttons)
        style = _html("dk-style")
        style.value = pictures.style_sheet()
        screen = [self.title, self.offer, self.setup, self.body, self.say, self.act]
        return [style, *screen, self.history, self.saved]

    def _typed_in(self, change: Any = None) -> None:
        if self.typed_text.value.strip():
            self.type_throw(self.typed_text.value)

    def _show(self) -> None:
        """Show the record's present state, with no dice chosen."""
        self._chosen = set()
        self.state = self.record.state if self.record else None
        self._render()

    def _render(self) -> None:
        playing = self.state is not None
        for part in (self.body, self.act, self.history, self.saved):
            _show_if(part, playing)
        _show_if(self.setup, not playing)
        _show_if(self.offer, bool(self.unfinished.options) and not self._playing)
        if playing:
            self._render_dice()
            self._render_words()
            self._render_buttons()
        else:
            self.title.value = pictures.title(f"New game of {self.setup.game.name}", "")
            self.say.value = pictures.said(self._said, "")

    def _render_dice(self) -> None:
        state, last = self.state, words.last_throw(self.record)
        shown = state.throw or (() if state.stage == "rolling" else tuple(sorted(last)))
        tumble = "dk-roll-a" if self._tumble else "dk-roll-b"
        for index, die in enumerate(self.dice):
            _show_if(die, index < len(shown))
            face = shown[index] if index < len(shown) else 1
            aside = index in self._chosen
            die.description = f"{face} aside" if aside else str(face)
            dead = state.stage != "thrown" or not _can_score(state.rules, state.throw, face)
            look = (f"dk-f{face}", tumble, "dk-aside" * aside, "dk-dead" * dead)
            die._dom_classes = ("dk-button", "dk-die", *filter(None, look))

    def _render_words(self) -> None:
        state, rules = self.state, self.state.rules
        self.title.value = pictures.title(
            f"{rules.name} · first to {rules.target:,}", words.moment(self.record)
        )
        self.scores.value = pictures.score_table(state)
        self.label.value = pictures.label(words.asking(state, self._typed, bool(self._computer)))
        self.tray.value = pictures.tray(words.aside_now(self.record), state.points)
        fact, remark = self._said, words.prompt(state, self._chosen_dice)
        if self._must_choose and self._chosen and not self._said:
            fact, remark = words.selection(rules, state.throw, self._chosen_dice)
        self.say.value = pictures.said(fact, remark)
        dice = self._next and self._next.dice
        self.odds.value = pictures.odds(dice, bust_chance(rules, dice) if dice else None)
        finished = [turn for turn in self.record.turns()[:-1] if turn]
        self.history.value = pictures.history_table(map(words.told, finished[-TURNS_SHOWN:][::-1]))
        self.saved.value = pictures.saved(self._path, self.record.trouble)

    def _render_buttons(self) -> None:
        state, ahead = self.state, self._next
        playing, computer = not state.is_terminal, self._computer
        may_bank = bool(ahead and ahead.can_bank and not computer)
        typing = playing and self._typed and not self._must_choose
        typing = typing and not (computer and state.current_player != CHANCE)
        _show_if(self.typing, typing)
        _show_if(self.throw_button, playing and not typing)
        _show_if(self.bank_button, playing and not computer and state.stage != "rolling")
        _show_if(self.retype_button, self._typed and bool(words.last_throw(self.record)))
        self.throw_button.description = words.throw_button(state, ahead, computer)
        self.bank_button.description = words.bank_button(state, ahead)
        _mark(self.bank_button, "dk-first", may_bank)
        _mark(self.bank_button, "dk-not-yet", not may_bank)
        _mark(self.throw_button, "dk-first", ahead is not None and not may_bank)
        _mark(self.throw_button, "dk-not-yet", ahead is None)

    def __repr__(self) -> str:
        if self.state is None:
            return f"Board: a new game of {self.setup.game.name}"
        pairs = zip(self.state.players, self.state.scores, strict=True)
        scores = ", ".join(f"{name} {score:,}" for name, score in pairs)
        return f"Board: {self.state.rules.name}, {scores}"


@cache
def bust_chance(rules: Any, n: int) -> Fraction:
    """The exact chance that n dice score nothing."""
    all_throws = throws(n)
    return Fraction(all_throws.count(rules.is_bust), all_throws.total)


def _can_score(rules: Any, throw: tuple[int, ...], face: int) -> bool:
    return any(face in dice for dice in rules.set_asides(throw))


def _named(players: Any) -> tuple[tuple[str, ...], dict[str, BanksAt]]:
    """The names of the players, and which of them are computers."""
    if isinstance(players, str):
        raise ValueError(f'players are a list of names such as ("A", "B"), not {players!r}')
    names: list[str] = []
    computers: dict[str, BanksAt] = {}
    for player in players:
        if isinstance(player, BanksAt):
            name = f"Computer {len(computers) + 1}" if computers else "Computer"
            computers[name] = player
        names.append(name if isinstance(player, BanksAt) else player)
    return tuple(names), computers


def _title(record: Record) -> str:
    pairs = zip(record.players, record.state.scores, strict=True)
    scores = ", ".join(f"{name} {score:,}" for name, score in pairs)
    return f"{scores} · begun {record.started.replace('T', ' ')[:16]}"


def _faces(text: str) -> tuple[int, ...]:
    """The dice in a typed throw: digits, with anything between them that is no letter.

    >>> _faces("1 4,4-5")
    (1, 4, 4, 5)
    """
    signs = [sign for sign in text if sign not in " ,;.-·/\t"]
    for sign in signs:
        if sign not in "123456":
            raise ValueError(f"a die shows 1 to 6, not “{sign}”")
    return tuple(map(int, signs))


def _html(name: str) -> HTML:
    return HTML().add_class(name)


def _button(words: str, click: Callable[[Any], None], *names: str) -> Button:
    button = Button(description=words)
    button._dom_classes = ("dk-button", *names)
    button.on_click(click)
    return button


def _box(kind: type, name: str, *children: Any) -> Any:
    return kind(children).add_class(name)


def _show_if(widget: Any, shown: bool) -> None:
    widget.layout.display = "" if shown else "none"


def _mark(widget: Any, name: str, on: bool) -> None:
    (widget.add_class if on else widget.remove_class)(name)
