"""The board: one record, one picture of it.

Every click becomes events of the record; the record's state then says everything that is
shown. What a game looks like is told by its `Play`, and shown by the `Screen`.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Any

from traitlets import Any as AnyTrait

from dicekit.board import given
from dicekit.board.play import Control, dice_words
from dicekit.board.screen import Screen
from dicekit.board.setup import usual_name
from dicekit.board.shelf import DOUBLE_CLICK, free_names
from dicekit.board.widgets import close_all, in_its_language
from dicekit.games.record import SUFFIX, ChangedElsewhere, Record, RecordError
from dicekit.games.states import CHANCE, Decline, Throw
from dicekit.players import Perfect, Player, computers_of
from dicekit.words import _, speaking


class Board(Screen):
    """A game to play in a notebook.

    `Board()` begins with a choice of game, players and options, `Board("5000")` with that game
    chosen. With rules and players the game begins at once:
    `Board(Farkle(target=5000), players=("A", BanksAt(300)))`; a player is a name, or a computer
    player. `typed=True` is for real dice on the table, whose throws are typed in. `seed` makes
    the throws reproducible. `folder` is where the game is saved while it is played; an
    unfinished game in it is offered again. `projector=True` is larger. `coach=True` shows from
    the start what each move is worth, which the class can otherwise ask for; `coach=False` takes
    that away, and the review of the game with it. `language` is "en", "fr" or "pt"; what the
    environment variable DICEKIT_LANGUAGE names is the usual one. `position` is the link of a
    position to begin from.

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
        language: str | None = None,
        position: str = "",
    ) -> None:
        self.language = given.language_of(language)
        with speaking(self.language):
            rules = given.rules_of(game)
            names, computers = given.named(players)
        self.folder = Path(folder).absolute()
        self.typed = False
        self._computers: dict[str, Player] = {}
        self._chosen: frozenset[int] = frozenset()
        self._said = ""
        self._tumble = False
        self._moment: int | None = None
        self._passed_on = 0.0
        self._entered, self._entered_at = "", 0.0
        self.record: Any = None
        super().__init__()
        self.add_class("dk-board")
        self.add_class(f"dk-{self.language}")
        with speaking(self.language):
            self._make_widgets(coach)
            self.teacher.switch("large", projector)
            self.setup.fill(rules, names or self.setup.names, computers, typed, seed)
            if position := position or ("" if names else given.asked_position()):
                self.open_position(position)
            elif names:
                self._begin()
            self.refresh()

    # What a person can do. Whatever is wrong is said on the board, and changes nothing.

    @in_its_language
    def start(self, button: Any = None) -> None:
        """Begin the game that the set-up describes."""
        with self._saying_errors():
            self._begin()

    @in_its_language
    def toggle(self, place: int, button: Any = None) -> None:
        """Choose a die of the throw, or leave it."""
        play = self._play
        if play is None or not play.must_choose or not 0 <= place < len(play.state.throw):
            return
        self._said = ""
        if play.forced:
            self._said = _("All dice that score must be set aside.")
        else:
            self._chosen ^= {place}
        self.refresh()

    @in_its_language
    def press(self, name: str) -> None:
        """Press the button of that name: "throw", "bank", "take over", "decline", "pass", or a
        row of the score sheet. Nothing happens if it is not there."""
        play = None if self.looks_back else self._play
        for control in (*play.controls(), *play.rows()) if play else ():
            if control.name == name:
                self._do(control)

    @in_its_language
    def type_throw(self, text: str) -> None:
        """Enter a throw of real dice, such as "1 4 4 5"."""
        with self._saying_errors():
            play, dice = self._play, given.faces_of(text)
            if play is None or not play.awaits_typing or self.looks_back:
                raise ValueError(_("no throw is due now"))
            first = () if self.state.current_player == CHANCE else (Throw(self.announced.picked),)
            cost = self._cost(first)
            self._add(*first, dice)
            self._said = f"{cost} {self._said}".strip()
            self._entered, self._entered_at = text, monotonic()
            self.typed_text.value = ""
            self._show()
            if self._computer:
                self._play_computer()

    @in_its_language
    def undo(self, button: Any = None) -> None:
        """Go back to the last decision of a person."""
        if self.record is None or self.looks_back:
            return
        with self._saying_errors():
            self.record.undo(self._people)
            self._said = _("Taken back. The same dice come again.")
            self._show()

    @in_its_language
    def retype(self, button: Any = None) -> None:
        """Take back the last throw, because it was typed wrongly."""
        if self.record is None or self.looks_back:
            return
        with self._saying_errors():
            self.record.retype()
            self._said = _("Type the throw again.")
            self._show()

    @in_its_language
    def new_game(self, button: Any = None) -> None:
        """Back to the set-up. The game so far stays saved, and is offered again."""
        if self.record:
            self.setup.fill(self.record.rules, self.record.players, self._computers, self.typed)
        self.record, self._said = None, ""
        self._open_part, self.typed_text.value = "", ""
        self.shelf.refresh()
        self._show()

    @in_its_language
    def resume(self, button: Any = None) -> None:
        """Go on with the game that was played last and is not over."""
        with self._saying_errors():
            self.shelf.refresh()
            if last := self.shelf.unfinished:
                self.load(last[0])

    @in_its_language
    def load(self, path: str | os.PathLike[str]) -> None:
        """Go on with the game in a file. Raises RecordError if it cannot be read."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            record = Record.load(path)
        given.check_seats(record.players)
        said = _("This game is over.") if record.state.is_terminal else _("Here the game goes on.")
        self._go_on(record, " ".join([said, *(f"{w.message}." for w in caught)]))

    @in_its_language
    def speak(self, language: str) -> None:
        """Say everything in this language. The game stays as it is."""
        with self._saying_errors():
            self._speak(language)

    def _speak(self, language: str) -> None:
        form, names = self.setup, self.setup.names
        usual = [name == usual_name(place) for place, name in enumerate(names)]
        rules, computers, typed = form.rules, form.computers, form.dice.picked
        seed, explores = form.seed_text.value, len(self.begin.children) > 1
        old = self.children
        self.remove_class(f"dk-{self.language}")
        self.language = given.language_of(language)
        self.add_class(f"dk-{self.language}")
        with speaking(self.language), self.hold_sync():  # shown when all is as it is to be
            self._make_widgets(None if self.coach.allowed else False)
            pairs = enumerate(zip(names, usual, strict=True))
            names = tuple(usual_name(place) if new else name for place, (name, new) in pairs)
            computers = {names[form.names.index(who)]: kind for who, kind in computers.items()}
            self.setup.fill(rules, names, computers, typed)
            self.setup.seed_text.value = seed
            self._said = ""
            if explores:
                self.explore()
            self.refresh()
        close_all(*old)

    def describe(self) -> str:
        """The position in words, for whoever cannot see the board.

        >>> from tempfile import gettempdir
        >>> print(Board("Farkle", players=("Ana", "Bia"), folder=gettempdir()).describe())
        ...                                                   # doctest: +ELLIPSIS
        Farkle ...
        """
        with speaking(self.language):
            play, odds = self._play, self.teacher.on["odds"] and not self.teacher.vote.hides
            return play.describe(odds, not self.looks_back) if play else _("A new game")

    # What a teacher can do besides

    @property
    def moment(self) -> int:
        """After how many events of the game the moment lies that is shown."""
        return len(self.record.events) if self._moment is None else self._moment

    @property
    def looks_back(self) -> bool:
        """Whether an earlier moment of the game is shown."""
        return self._moment is not None

    @property
    def stops(self) -> list[int]:
        """The moments worth a look: those at which no dice roll, and now."""
        *states, _now = self.record.states
        rolling = [state.current_player == CHANCE for state in states]
        return [moment for moment, rolls in enumerate([*rolling, False]) if not rolls]

    @in_its_language
    def look_at(self, moment: int | None) -> None:
        """Show the game as it was after so many events, or at the next moment on the way there
        at which no dice roll; None is now."""
        stops, last = self.stops, len(self.record.events)
        moment = last if moment is None else max(0, moment)
        if moment > self.moment:
            moment = next((stop for stop in stops if stop >= moment), last)
        else:
            moment = next((stop for stop in reversed(stops) if stop <= moment), stops[0])
        back = moment < last
        self._moment = moment if back else None
        self._chosen, self._said = frozenset(), ""
        self.teacher.vote.forget()
        if not back:
            self._chosen = self._play.first_choice()
        self.refresh()

    @in_its_language
    def play_on(self, button: Any = None) -> None:
        """Begin another game that goes on from the moment that is shown."""
        if not self.looks_back:
            return
        view = self._play.record
        start, notes = view.states[0], self.record.notes
        record = Record(view.rules, view.players, notes=notes, start=start)
        self._keep(record)
        for event in view.events:
            record.add(event)
        self._go_on(record, _("Another game goes on from here. The first one stays saved."))

    @in_its_language
    def deal(self, facts: Callable[[], dict[str, Any]]) -> None:
        """Begin a game from a position of these rules and players."""
        with self._saying_errors():
            view = self._play.record
            self._deal(view.rules.deal(*view.players, **facts()), self.record.notes)

    @in_its_language
    def open_position(self, link: str) -> None:
        """Begin a game from the position that a link holds."""
        with self._saying_errors():
            self._deal(given.position_of(link), {})

    def _deal(self, state: Any, notes: dict[str, Any]) -> None:
        record = Record(state.rules, state.players, seed=self.setup.seed, notes=notes, start=state)
        self._go_on(record, _("A position was dealt. Other games stay in the list of games."))

    @in_its_language
    def explore(self, button: Any = None) -> None:
        """Show the chances of the rules in the set-up, and what other rules would change; the
        button shows and hides them."""
        from dicekit.board.explorer import RuleExplorer

        with self._saying_errors():
            rules, old = self.setup.rules, self.begin.children[1:]
            how: Any = {"make_board": self._with_rules, "keys": self.keyboard}
            new = [] if old and button else [RuleExplorer(rules, **how)]
            self.begin.children = (self.setup, *new)
            close_all(*old)

    def _with_rules(self, rules: Any) -> None:
        form = self.setup
        form.fill(rules, form.names, form.computers, form.dice.picked, form.seed)
        self.start()

    # The record

    def _begin(self) -> None:
        """Begin the game that the set-up describes."""
        form = self.setup
        typed, computers = form.dice.picked, form.computers
        notes = {"typed": typed, "computers": {who: str(kind) for who, kind in computers.items()}}
        record = Record(form.rules, form.names, seed=form.seed, notes=notes)
        self._go_on(record, "")
        self._computers = computers

    def _go_on(self, record: Record, said: str) -> None:
        """Show a record, and play it on."""
        self.record, self._said = record, said
        self.typed = record.notes.get("typed") is True
        self._computers = computers_of(record)
        self._open_part = ""
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
            cost = self._cost(control.events)
            self._add(*control.events)
            if self.record.state.current_player == CHANCE:
                seen = self.record.thrown_before()
                if not self.typed or len(seen) == self.record.state.dice:
                    self._add(self.record.dice_due())
            self._said = f"{cost} {self._said}".strip()
            self._show()

    def _cost(self, events: Iterable[Any]) -> str:
        """What a move gives away, if that is to be said."""
        if not (self.teacher.on["costs"] or self.coach.shown):
            return ""
        return self.coach.cost(self.record.state, events)

    def _add(self, *events: Any) -> None:
        """Write events down, all of them or none."""
        state = self.record.state
        for event in events:
            state = state.child(event)
        said = []
        for event in events:
            if not (self.record.events or self.record.path or self.record.trouble):
                self._keep(self.record)
            before = self.record.state
            after = self.record.add(event)
            said.append(self._play.announce(before, event, after))
            if after.is_terminal:
                said.append(self._play.ending())
            self._tumble ^= before.current_player == CHANCE
        self._said = " ".join(filter(None, said))

    def _play_computer(self) -> None:
        """Let the computer go on until its turn ends, or until its throw must be typed."""
        player: Any = self._computer
        said = [self._said, self._prepared(player)]
        name = self._play.name
        while True:
            state = self.record.state
            event = player(state) if state.current_player != CHANCE else None
            if event is None and self.typed:
                break
            self._add(event or self.record.dice_due())
            said.append(dice_words(name, event))
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
        plays = _("{name} plays the best turn.", name=self._play.name)
        return trouble and f"{trouble} {plays}"

    def _keep(self, record: Record) -> None:
        """Give a record a file of its own, also where other boards begin at this moment."""
        if given.keeps_no_files():
            why = _("this browser keeps no files of this page")
            record.trouble = _("This game is not being saved: {why}", why=why)
        name = f"{type(record.rules).__name__.lower()}-{datetime.now():%Y-%m-%d-%H%M%S}{SUFFIX}"
        paths = free_names(self.folder, name)
        while not (record.path or record.trouble):
            with suppress(RecordError):
                record.keep_in(next(paths))

    @contextmanager
    def _saying_errors(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, OSError) as error:
            text = str(error)
            self._said = f"{text[:1].upper()}{text[1:]}."
            if isinstance(error, ChangedElsewhere):
                elsewhere = _("This game went on elsewhere, perhaps on another board.")
                self._said = f"{elsewhere} {_('Resume it in the list of games.')}"
                self._open_part = "games"
                self.shelf.refresh()
            if self.record and self.record.state != self.state:
                self._show()
            self._heard = ""  # what is refused again is said again
            self.refresh()

    # The present moment

    @property
    def playing(self) -> Path | None:
        """The file of the game in play."""
        return self.record and self.record.path

    @property
    def _play(self) -> Any:
        """The picture of the game, or of the moment that is looked at; None if there is none."""
        if self.record is None:
            return None
        view = self.record if self._moment is None else self.record.until(self._moment)
        computer = not self.looks_back and bool(self._computer)
        return given.play_of(view, self._chosen, self.typed, self.announced.picked, computer)

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
        return f"Board: {self.record.rules.name}, {given.scores_of(self.record)}"

    # What comes from the widgets

    @in_its_language
    def _clicked(self, button: Any) -> None:
        # The second half of a double click must not act for the next player.
        if self.record and button.control and monotonic() > self._passed_on + DOUBLE_CLICK:
            if self.teacher.on["frozen"]:
                return
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
        if not text.strip() or again or self.teacher.on["frozen"]:
            return
        self._entered = ""
        if self.record and sum(sign.isalnum() for sign in text) >= self.state.dice:
            self.type_throw(text)

    def _show(self) -> None:
        """Show the record's present state."""
        self._moment = None
        self.state = self.record.state if self.record else None
        self._chosen = self._play.first_choice() if self.record else frozenset()
        self.announced.index = 0
        self.teacher.vote.forget()
        self.refresh()
