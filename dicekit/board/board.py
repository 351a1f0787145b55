"""The board: one record, one picture of it.

Every click becomes events of the record; the record's state then says everything that is
shown. What a game looks like is told by its `Play`. `_render` only changes traits of widgets
that exist already, so that the keyboard focus stays where it is.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from itertools import chain, count
from pathlib import Path
from time import monotonic
from typing import Any

from ipywidgets import HTML, HBox, Text, VBox
from traitlets import Any as AnyTrait

from dicekit.board import pictures
from dicekit.board.advice import Coaching
from dicekit.board.given import (
    PLAYS,
    faces_of,
    named,
    rules_of,
    scores_of,
    title_of,
)
from dicekit.board.play import Control, Play
from dicekit.board.setup import Choice, Setup
from dicekit.board.widgets import box, button_for, filled, html, show_if
from dicekit.games.record import SUFFIX, ChangedElsewhere, Record, records_in
from dicekit.games.states import CHANCE, Decline, Hold, SetAside, Throw, dashed
from dicekit.players import Perfect, Player, computers_of

MOST_DICE = 6
MOST_CONTROLS = 3
MOST_ROWS = 15
TURNS_SHOWN = 40
OFFERED = 20
DOUBLE_CLICK = 0.4


class Board(VBox):
    """A game to play in a notebook.

    `Board()` begins with a choice of game, players and options, `Board("5000")` with that game
    chosen. With rules and players the game begins at once:
    `Board(Farkle(target=5000), players=("A", BanksAt(300)))`; a player is a name, or a computer
    player. `typed=True` is for real dice on the table, whose throws are typed in. `seed` makes
    the throws reproducible. `folder` is where the game is saved while it is played; an
    unfinished game in it is offered again. `projector=True` is larger. `coach=True` shows from
    the start what each move is worth, which the class can otherwise ask for; `coach=False` takes
    that away, and the review of the game with it.

    `state` is the present moment of the game; `record` the whole of it.
    Raises ValueError for a game that is not known, or players that make no game.
    """

    state = AnyTrait()

    def __init__(
        self,
        game: Any = "Farkle",
        players: Iterable[str | Player] = (),
        *,
        seed: int | None = None,
        typed: bool = False,
        folder: str | os.PathLike[str] = "games",
        projector: bool = False,
        coach: bool | None = None,
    ) -> None:
        rules = rules_of(game)
        names, computers = named(players)
        self._folder = Path(folder).absolute()
        self._typed = False
        self._computers: dict[str, Player] = {}
        self._chosen: frozenset[int] = frozenset()
        self._said = ""
        self._tumble = False
        self._offering = True
        self._passed_on = 0.0
        self._entered, self._entered_at = "", 0.0
        self.record: Any = None
        self.coach = Coaching(coach, lambda: self._render())
        self._make_widgets()
        super().__init__(self._arrange())
        self.add_class("dk-board")
        if projector:
            self.add_class("dk-projector")
        self.setup.fill(rules, names or self.setup.names, computers, typed, seed)
        if names:
            self._begin()
        self._offer()

    # What a person can do. Whatever is wrong is said on the board, and changes nothing.

    def start(self, button: Any = None) -> None:
        """Begin the game that the set-up describes."""
        with self._saying_errors():
            self._begin()
            self._offering = False
            self._render()

    def toggle(self, place: int, button: Any = None) -> None:
        """Choose a die of the throw, or leave it."""
        play = self._play
        if play is None or not play.must_choose or not 0 <= place < len(self.state.throw):
            return
        self._said = ""
        if play.forced:
            self._said = "All dice that score must be set aside."
        else:
            self._chosen ^= {place}
        self._render()

    def press(self, name: str) -> None:
        """Press the button of that name: "throw", "bank", "take over", "decline", "pass", or a
        row of the score sheet. Nothing happens if it is not there."""
        play = self._play
        for control in (*play.controls(), *play.rows()) if play else ():
            if control.name == name:
                self._do(control)

    def type_throw(self, text: str) -> None:
        """Enter a throw of real dice, such as "1 4 4 5"."""
        with self._saying_errors():
            play, dice = self._play, faces_of(text)
            if play is None or not play.awaits_typing:
                raise ValueError("no throw is due now")
            first = () if self.state.current_player == CHANCE else (Throw(self.announced.picked),)
            cost = self.coach.cost(self.state, first)
            self._add(*first, dice)
            self._said = f"{cost} {self._said}".strip()
            self._entered, self._entered_at = text, monotonic()
            self.typed_text.value = ""
            self._show()
            if self._computer:
                self._play_computer()

    def undo(self, button: Any = None) -> None:
        """Go back to the last decision of a person."""
        with self._saying_errors():
            self.record.undo(self._people)
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
            self.setup.fill(self.record.rules, self.record.players, self._computers, self._typed)
        self.record, self._said, self._offering = None, "", True
        self.typed_text.value = ""
        self._show()
        self._offer()

    def resume(self, button: Any = None) -> None:
        """Go on with the unfinished game that is chosen in the list."""
        with self._saying_errors():
            if self.unfinished.values:
                self.load(self.unfinished.picked)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Go on with the game in a file. Raises RecordError if it cannot be read."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            record = Record.load(path)
        self.record, self._offering = record, False
        self._typed = record.notes.get("typed") is True
        self._computers = computers_of(record)
        self._said = " ".join(["Here the game goes on.", *(f"{w.message}." for w in caught)])
        self._show()
        self._offer()

    # The record

    def _begin(self) -> None:
        """Begin the game that the set-up describes."""
        form = self.setup
        typed, computers = form.dice.picked, form.computers
        notes = {"typed": typed, "computers": {who: str(kind) for who, kind in computers.items()}}
        self.record = Record(form.rules, form.names, seed=form.seed, notes=notes)
        self._typed, self._computers, self._said = typed, computers, ""
        self._show()

    def _do(self, control: Control) -> None:
        """Do what a button stands for."""
        if control.name == "new game":
            self.new_game()
            return
        with self._saying_errors():
            if self._computer:
                self._said = ""
                self._play_computer()
                return
            cost = self.coach.cost(self.record.state, control.events)
            self._add(*control.events)
            if self.record.state.current_player == CHANCE:
                seen = self.record.thrown_before()
                if not self._typed or len(seen) == self.record.state.dice:
                    self._add(self.record.dice_due())
            self._said = f"{cost} {self._said}".strip()
            self._show()

    def _add(self, *events: Any) -> None:
        """Write events down, all of them or none."""
        state = self.record.state
        for event in events:
            state = state.child(event)
        said = []
        for event in events:
            if not (self.record.events or self.record.path or self.record.trouble):
                self.record.keep_in(self._free_path())
            before = self.record.state
            after = self.record.add(event)
            self._offering = False
            said.append(self._play.announce(before, event, after))
            if after.is_terminal:
                said.append(self._play.ending())
            self._tumble ^= before.current_player == CHANCE
        self._said = " ".join(filter(None, said))

    def _play_computer(self) -> None:
        """Let the computer go on until its turn ends, or until its throw must be typed."""
        player: Any = self._computer
        said = [self._said, self._prepared(player)]
        while True:
            state = self.record.state
            event = player(state) if state.current_player != CHANCE else None
            if event is None and self._typed:
                break
            self._add(event or self.record.dice_due())
            said.append(_told(state.players[state.player], event))
            said.append(self._said)
            after = self.record.state
            ended = after.is_terminal or after.player != state.player
            if ended or (after.turn_begins and not isinstance(event, Decline)):
                break
        self._said = " ".join(filter(None, said))
        self._show()

    def _prepared(self, player: Player) -> str:
        """Let the perfect player work out its play, which can take a while."""
        state = self.record.state
        alone = hasattr(state, "opened") and len(state.players) == 1
        if alone or not isinstance(player, Perfect):
            return ""
        trouble = self.coach.solved(state.rules, player.die)
        return trouble and f"{trouble} {state.players[state.player]} plays the best turn."

    def _free_path(self) -> Path:
        stem = f"{type(self.record.rules).__name__.lower()}-{datetime.now():%Y-%m-%d-%H%M%S}"
        names = chain([stem], (f"{stem}-{number}" for number in count(2)))
        paths = (self._folder / f"{name}{SUFFIX}" for name in names)
        return next(path for path in paths if not os.path.exists(path))

    def _offer(self) -> None:
        """List the unfinished games, if there are any."""
        try:
            records, problems = records_in(self._folder, OFFERED)
        except OSError:
            records, problems = [], []
        begun = [record for record in records if record.events]
        self.unfinished.offer({title_of(record): record.path for record in begun})
        if problems and self.record is None:
            self._said = " ".join(["A game cannot be read:", *(f"{p}." for p in problems[:3])])
        self._render()

    @contextmanager
    def _saying_errors(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, OSError) as error:
            text = str(error)
            self._said = f"{text[:1].upper()}{text[1:]}."
            if isinstance(error, ChangedElsewhere):
                elsewhere = "This game went on elsewhere, perhaps on another board."
                self._said, self._offering = f"{elsewhere} Resume it above.", True
                self._offer()
            if self.record and self.record.state != self.state:
                self._show()
            self._render()

    # The present moment

    @property
    def _play(self) -> Any:
        """The picture of the game, None while there is none."""
        if self.record is None:
            return None
        kind = PLAYS[type(self.record.rules)]
        guess, computer = self.announced.picked, bool(self._computer)
        return kind(self.record, self._chosen, self._typed, guess, computer)

    @property
    def _computer(self) -> Player | None:
        """The computer player whose turn it is."""
        state = self.record.state
        return None if state.is_terminal else self._computers.get(state.players[state.player])

    @property
    def _people(self) -> list[int]:
        """The seats of those who are no computer players."""
        names = enumerate(self.record.players)
        return [seat for seat, name in names if name not in self._computers]

    def __repr__(self) -> str:
        if self.record is None:
            return "Board: a new game"
        return f"Board: {self.record.rules.name}, {scores_of(self.record)}"

    # What is shown

    def _make_widgets(self) -> None:
        self.title, self.say = html("dk-title"), html("dk-say")
        self.scores, self.label, self.tray = html("dk-score"), HTML(), html("dk-tray")
        self.odds, self.history = html("dk-odds"), html("dk-history")
        self.saved = html("dk-saved")
        self.setup = Setup(self.start)
        self.unfinished = Choice("Unfinished games", {})
        self.offer = box(HBox, "dk-offer", self.unfinished, button_for("Resume", self.resume))
        self.dice = [button_for("", partial(self.toggle, place)) for place in range(MOST_DICE)]
        self.typed_text = Text(description="What the dice show")
        self.typed_text.observe(self._typed_in, "value")
        self.typing = box(HBox, "dk-typing", self.typed_text)
        sums = {"nothing": None, **{str(total): total for total in range(2, 13)}}
        self.announced = Choice("Announce a sum", sums)
        self.announced.observe(lambda change: self._render(), "index")
        self.controls = [button_for("", self._clicked, "dk-go") for _ in range(MOST_CONTROLS)]
        self.rows = [button_for("", self._clicked, "dk-row") for _ in range(MOST_ROWS)]
        self.undo_button = button_for("Undo", self.undo, "dk-quiet")
        self.retype_button = button_for("Retype throw", self.retype, "dk-quiet")
        self.new_button = button_for("New game", self.new_game, "dk-quiet")

    def _arrange(self) -> list[Any]:
        dice = box(HBox, "dk-dice", *self.dice)
        rows = box(HBox, "dk-rows", *self.rows)
        play = box(VBox, "dk-play", self.label, dice, self.typing, self.tray, rows)
        quiets = (self.coach.button, self.undo_button, self.retype_button, self.new_button)
        quiet = box(HBox, "dk-quiets", *quiets)
        buttons = box(HBox, "dk-buttons", self.announced, *self.controls, quiet)
        self.body = box(HBox, "dk-body", self.scores, play)
        self.act = box(HBox, "dk-act", self.odds, buttons)
        style = HTML(pictures.style_sheet()).add_class("dk-style")
        screen = [self.title, self.offer, self.setup, self.body, self.say, self.act]
        self.after = box(HBox, "dk-after", self.coach, self.history)
        return [style, *screen, self.coach.bar, self.after, self.saved]

    def _clicked(self, button: Any) -> None:
        # The second half of a double click must not act for the next player.
        if self.record and button.control and monotonic() > self._passed_on + DOUBLE_CLICK:
            player = self.state.player
            self._do(button.control)
            if self.state is not None and self.state.player != player:
                self._passed_on = monotonic()

    def _typed_in(self, change: Any) -> None:
        """Take a typed throw as soon as all its dice are there.

        A browser may send a text once more just after it was entered. That does not count.
        """
        text = change.new
        again = text == self._entered and monotonic() < self._entered_at + DOUBLE_CLICK
        if not text.strip() or again:
            return
        self._entered = ""
        if self.record and sum(sign.isalnum() for sign in text) >= self.state.dice:
            self.type_throw(text)

    def _show(self) -> None:
        """Show the record's present state."""
        self.state = self.record.state if self.record else None
        self._chosen = self._play.first_choice() if self.record else frozenset()
        self.announced.index = 0
        self._render()

    def _render(self) -> None:
        play = self._play
        for part in (self.body, self.act, self.after, self.saved):
            show_if(part, play is not None)
        show_if(self.setup, play is None)
        show_if(self.offer, self._offering and bool(self.unfinished.values))
        if play is None:
            self.title.value = pictures.title("A new game", "")
            self.say.value = pictures.said(self._said, "")
            self.coach.show(None)
            return
        self._render_dice(play)
        self._render_words(play)
        self._render_buttons(play)
        self.coach.show(play)

    def _render_dice(self, play: Play) -> None:
        tumble = "dk-roll-a" if self._tumble else "dk-roll-b"
        for die, face in filled(self.dice, play.faces()):
            if face:
                die.description = face.words
                die._dom_classes = ("dk-die", f"dk-f{face.face}", tumble, *face.looks)

    def _render_words(self, play: Play) -> None:
        over = play.state.is_terminal
        self.title.value = pictures.title(play.title(), "Game over" if over else play.moment())
        self.scores.value = play.scores()
        self.label.value = pictures.label(play.label())
        self.tray.value = "" if over else play.tray()
        fact, remark = self._said, "" if over else play.prompt()
        if play.must_choose and self._chosen and not self._said:
            fact, remark = play.choice()
        self.say.value = pictures.said(fact, remark)
        self.odds.value = "" if over else play.odds()
        self.history.value = pictures.history_table(play.history()[:TURNS_SHOWN])
        self.saved.value = pictures.saved(self.record.path, self.record.trouble, play.house_rules())

    def _render_buttons(self, play: Any) -> None:
        for buttons, controls in ((self.controls, play.controls()), (self.rows, play.rows())):
            for button, control in filled(buttons, controls):
                button.control = control
                if control:
                    button.description = control.words
                    button._dom_classes = (button._dom_classes[0], f"dk-{control.look}")
        show_if(self.typing, play.awaits_typing)
        self.typed_text.placeholder = pictures.count(play.state.dice, "digit", "digits")
        show_if(self.undo_button, bool(self.record.decision(self._people)))
        show_if(self.new_button, not play.state.is_terminal)
        show_if(self.announced, play.announces())
        show_if(self.retype_button, self._typed and bool(play.last_throw))


def _told(name: str, event: Any) -> str:
    """What a computer player has done with its dice."""
    if isinstance(event, SetAside):
        return f"{name} sets aside {dashed(event.dice)}."
    return f"{name} holds {dashed(event.dice) or 'nothing'}." if isinstance(event, Hold) else ""
