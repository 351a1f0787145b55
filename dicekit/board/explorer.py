"""The rule explorer: what an option of a game, or a loaded die, does to the chances.

The numbers come from `measures`; `compared` says them, beside what they were before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from html import unescape
from typing import Any

from ipywidgets import HTML, BoundedIntText, FloatProgress, HBox, Textarea, VBox

from dicekit.board import pictures
from dicekit.board.compared import Compared, die_words, settings_words
from dicekit.board.given import rules_of
from dicekit.board.keys import make_keys
from dicekit.board.measures import (
    Measures,
    at_once,
    cell_text,
    in_a_while,
    is_sheet,
    takes_long,
)
from dicekit.board.setup import GAMES, Choice, Tick, fields_of
from dicekit.board.widgets import box, button_for, html, show_if, watch
from dicekit.dice import FACES, FAIR, Die, check_die, face_weights
from dicekit.games.options import options
from dicekit.words import _

HEAVIEST = 99


class RuleExplorer(VBox):
    """A game's options and the weights of a die as controls, and beside them the exact chances
    of a throw, the best rule for stopping, the value of a turn, and what each was before.

    `RuleExplorer("5000")` begins with that game, `RuleExplorer(Farkle(opening=500))` with these
    rules; `die` is the die thrown. "Play with these rules" calls `make_board` with them; without
    it a board appears below. `keys` are those of a board that the explorer is a part of. `rules`
    and `die` are what is shown.

    >>> from dicekit.games.farkle import Farkle
    >>> explorer = RuleExplorer("Farkle")
    >>> explorer.use(Farkle(minimum=300))
    >>> explorer.settings
    'Every bank at least: 300 (before: 0)'

    Raises ValueError for a game that is not known, or a die with symbols.
    """

    def __init__(
        self,
        game: Any = "Farkle",
        *,
        die: Die = FAIR,
        make_board: Callable[[Any], Any] | None = None,
        keys: Any = None,
    ) -> None:
        self.rules, self.die = rules_of(game), _numbered(die)
        self.settings = ""
        self._make_board, self.voice = make_board, keys or make_keys()
        self._board: Any = None
        self._was: Measures | None = None
        self._now = Measures({}, {})
        self._filling = False
        self._make_widgets()
        chosen = box(VBox, "dk-chosen", *self._controls())
        found = box(VBox, "dk-found", self.said, self.solve, self.bar, self.table, self.figure)
        style = HTML(pictures.style_sheet()).add_class("dk-style")
        buttons = box(HBox, "dk-ways", self.play_button, self.cell_button, self.usual_button)
        parts = box(HBox, "dk-beside", chosen, found)
        own = () if keys else filter(None, [self.voice])
        panel = box(VBox, "dk-board", style, self.title, parts, buttons, self.cell, *own)
        super().__init__([panel.add_class("dk-explorer"), self.place])
        self.add_class("dk-exploring")
        self.use(self.rules, self.die)

    def use(self, rules: Any, die: Die | None = None) -> None:
        """Show these rules, with this die if one is given, beside what was shown before.

        Raises ValueError for what is no rules or no die.
        """
        rules, die = rules_of(rules), self.die if die is None else _numbered(die)
        before, was = (self.rules, self.die), self._now
        if (rules, die) == before and was.cells:
            return
        same = type(rules) is type(before[0]) and _sheet(rules) == _sheet(before[0])
        self.rules, self.die = rules, die
        self.settings = settings_words(rules, die, *before) if same else ""
        self._was = was if same and was.cells else None
        self._now = at_once(rules, die)
        self._fill()
        if takes_long(rules, die):
            self._show(_("The best sheet takes some seconds."))
        else:
            self._work_out()

    # What a person can do

    def _choose_game(self, change: Any) -> None:
        if not self._filling and change["new"] is not None:
            self._try(lambda: (self.game.picked, self.die))

    def _choose(self, change: Any) -> None:
        if not self._filling and change["new"] is not None:
            self._try(lambda: (self._chosen_rules(), self._chosen_die()))

    def _choose_usual(self, button: Any) -> None:
        known = [game for game in GAMES.values() if type(game) is type(self.rules)]
        same = (game for game in known if _sheet(game) == _sheet(self.rules))
        game = self.game.picked if self.game.picked in known else next(same, known[0])
        self._try(lambda: (game, FAIR))

    def _try(self, chosen: Callable[[], tuple[Any, Die]]) -> None:
        """Show what is chosen; if it cannot be, say why, and go back to what is shown."""
        try:
            rules, die = chosen()
        except ValueError as error:
            self._fill()
            why = _("This cannot be: {why}. Nothing has changed.", why=str(error).rstrip("."))
            self._say(pictures.said(why, "", live=False) + self._shown.means())
            return
        if (rules, die) != (self.rules, self.die):
            self.use(rules, die)

    def _work_out(self, button: Any = None) -> None:
        """Find what takes a while."""
        self._show(_("Working it out …"))
        show_if(self.solve, False)
        with self._watched() as tell:
            self._now |= in_a_while(self.rules, self.die, tell)
        self._show()

    def _play(self, button: Any) -> None:
        """Make a board with these rules."""
        if self._make_board is not None:
            self._make_board(self.rules)
            return
        if self._board is None:
            from dicekit.board.board import Board

            self._board = Board(self.rules)
            self.place.children = (self._board,)
            return
        self._board.new_game()
        form = self._board.setup
        form.fill(self.rules, form.names, form.computers)

    def _show_cell(self, button: Any) -> None:
        """Show the rules as Python, or hide them."""
        show_if(self.cell, self.cell.layout.display == "none")

    # The controls

    def _make_widgets(self) -> None:
        self.title, self.said = html("dk-title"), html("dk-means")
        self.table, self.figure, self.die_said = html("dk-numbers"), html("dk-drawn"), HTML()
        games = {_(name): rules for name, rules in GAMES.items()}
        self.game = watch(Choice(_("Game"), games), "index", self._choose_game)
        kinds = dict.fromkeys(map(type, GAMES.values()))
        self.fields = {kind: self._fields_of(kind) for kind in kinds}
        self.grids = {
            kind: box(VBox, "dk-grid", *fields.values()) for kind, fields in self.fields.items()
        }
        self.weights = [self._weight_of(face) for face in FACES]
        self.solve = button_for(_("Work out the best sheet"), self._work_out, "dk-row")
        self.bar = FloatProgress(max=1, description=_("Working it out")).add_class("dk-working")
        self.play_button = button_for(_("Play with these rules"), self._play, "dk-go")
        self.cell_button = button_for(_("As a notebook cell"), self._show_cell, "dk-quiet")
        self.usual_button = button_for(_("Back to the usual rules"), self._choose_usual, "dk-quiet")
        self.cell = Textarea(description=_("Copy this into a cell")).add_class("dk-cell")
        self.place = box(VBox, "dk-place")
        for part in (self.solve, self.bar, self.cell):
            show_if(part, False)

    def _controls(self) -> list[Any]:
        rules, die = _("Which rules?"), _("Which die?")
        return [
            self.game,
            HTML(f"<h3>{rules}</h3>"),
            *self.grids.values(),
            HTML(f"<h3>{die}</h3>"),
            box(HBox, "dk-weights", *self.weights),
            self.die_said,
        ]

    def _fields_of(self, kind: Any) -> dict[str, Any]:
        """A control for each option of a game."""
        fields = fields_of(kind)
        for field in fields.values():
            watch(field, "value" if isinstance(field, Tick) else "index", self._choose)
        return fields

    def _weight_of(self, face: int) -> Any:
        label = _("Weight of a {face}", face=face)
        return watch(
            BoundedIntText(1, min=0, max=HEAVIEST, description=label), "value", self._choose
        )

    def _chosen_rules(self) -> Any:
        fields = self.fields[type(self.rules)].items()
        return replace(self.rules, **{name: field.picked for name, field in fields})

    def _chosen_die(self) -> Die:
        chosen = [field.value for field in self.weights]
        if not sum(chosen):
            raise ValueError(_("at least one face needs a weight above 0"))
        return Die(tuple(Fraction(weight, sum(chosen)) for weight in chosen))

    def _fill(self) -> None:
        """Make the controls say what is shown."""
        self._filling = True
        try:
            self._fill_rules()
            self._fill_die()
        finally:
            self._filling = False

    def _fill_rules(self) -> None:
        kind = type(self.rules)
        # A game keeps its place in the list while its options are tried.
        like = self.game.picked
        near = type(like) is kind and _sheet(like) == _sheet(self.rules)
        if self.rules in GAMES.values():
            self.game.pick(self.rules)
        elif not near:
            self.game.pick(self.rules, _("these rules"))
        for other, grid in self.grids.items():
            show_if(grid, other is kind)
        for name, field in self.fields[kind].items():
            value = getattr(self.rules, name)
            if field.picked != value or type(field.picked) is not type(value):
                field.pick(value, options(kind)[name].says(value))

    def _fill_die(self) -> None:
        shown = [field.value for field in self.weights]
        if sum(shown) and self._chosen_die() == self.die:
            return
        weights = face_weights(self.die).weights
        for face, field in zip(FACES, self.weights, strict=True):
            field.max = max(HEAVIEST, *weights.values())
            field.value = weights[face]

    @contextmanager
    def _watched(self) -> Iterator[Any]:
        """Gives what is to be told from 0 to 1 how much is done."""

        def tell(part: float) -> None:
            self.bar.value = part
            show_if(self.bar, True)

        try:
            yield tell
        finally:
            show_if(self.bar, False)

    # What is shown

    def _show(self, waiting: str = "") -> None:
        """Show what is known; `waiting` says why there is no more yet."""
        throws = self.rules.sheet.throws if is_sheet(self.rules) else 0
        self._shown = Compared(self._now, self._was, throws, bool(waiting))
        self.title.value = pictures.title(_("Rule explorer"), self.game.options[self.game.index])
        idle = self.settings and not (waiting or self._now.trouble or self._shown.changed)
        remark = _("None of these numbers changes.") if idle else ""
        told = pictures.said(self.settings, remark, live=False)
        self._say(told + self._shown.means() + self._notes(waiting))
        self.table.value, self.figure.value = self._shown.table(), self._shown.bars()
        self.die_said.value = pictures.label(_("The die: {die}.", die=die_words(self.die)))
        self.cell.value = cell_text(self.rules, self.die)
        self.cell.rows = self.cell.value.count("\n") + 1
        show_if(self.solve, takes_long(self.rules, self.die))

    def _say(self, told: str) -> None:
        """Show words, given as HTML, and let a screen reader say them."""
        self.said.value = told
        if self.voice:
            self.voice.said = " ".join(unescape(re.sub("<[^>]*>", " ", told)).split())

    def _notes(self, waiting: str) -> str:
        rules = self.rules
        said = [waiting, self._now.trouble]
        if getattr(rules, "wins_at_once", None):
            said.append(_("A throw that wins at once counts as {n} points.", n=rules.target))
        if getattr(rules, "exact", False) or getattr(rules, "prediction", None) == "total":
            said.append(_("This is the turn of a player with 0 points."))
        return "".join(pictures.label(words[:1].upper() + words[1:]) for words in said if words)


def _sheet(rules: Any) -> Any:
    return getattr(rules, "sheet", None)


def _numbered(die: Die) -> Die:
    """A die with numbers."""
    if check_die(die).is_symbolic:
        raise ValueError(_("the rule explorer needs a die with numbers, not with symbols"))
    return die
