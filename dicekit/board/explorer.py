"""The rule explorer: what an option of a game, or a loaded die, does to the chances.

The numbers come from `measures`; `compared` says them, beside what they were before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from html import escape
from typing import Any

from ipywidgets import HTML, BoundedIntText, FloatProgress, HBox, VBox

from dicekit.board import pictures
from dicekit.board.compared import Compared, settings_words
from dicekit.board.given import rules_of
from dicekit.board.keys import make_keys
from dicekit.board.measures import Measures, cell_text, of_play, of_throws, takes_long
from dicekit.board.setup import COMPUTERS, Choice, Tick, fields_of, named_games
from dicekit.board.widgets import box, button_for, close_all, html, show_if, watch
from dicekit.dice import FACES, FAIR, Die, check_die, face_weights
from dicekit.games.options import options
from dicekit.words import _

HEAVIEST = 10**9


class RuleExplorer(VBox):
    """A game's options and the weights of a die as controls, and beside them the exact chances
    of a throw, the best rule for stopping, the value of a turn, and what each was before.

    `RuleExplorer("5000")` begins with that game, `RuleExplorer(Farkle(opening=500))` with these
    rules; `die` is the die thrown. "Play with these rules" calls `make_board` with them; without
    it a board appears below. `keys` are those of a board that the explorer is a part of. `rules`
    and `die` are what is shown.

    >>> from dicekit.games.five_thousand import FiveThousand
    >>> explorer = RuleExplorer("5000")
    >>> explorer.use(FiveThousand(minimum=300))
    >>> explorer.settings
    'Every bank at least: 300 (before: 500)'

    Raises ValueError for a game that is not known, or a die with symbols.
    """

    children: Any

    def __init__(
        self,
        game: Any = "Farkle",
        *,
        die: Die = FAIR,
        make_board: Callable[[Any], Any] | None = None,
        keys: Any = None,
    ) -> None:
        self.rules, self.die, self.now = rules_of(game), die, Measures()
        self._make_board, self.voice = make_board, keys or make_keys()
        self._make_widgets()
        panel = box(VBox, "dk-explorer", *self._arrange())
        if not keys:
            style = HTML(pictures.style_sheet()).add_class("dk-style")
            panel.children = [style, *filter(None, [self.voice]), *panel.children]
            panel.add_class("dk-board")
        super().__init__([panel])
        self.use(self.rules, die)

    def use(self, rules: Any, die: Die | None = None) -> None:
        """Show these rules, with this die if one is given, beside what was shown before.

        Raises ValueError for what is no rules or no die.
        """
        rules, die = rules_of(rules), check_die(self.die if die is None else die)
        if die.is_symbolic:
            raise ValueError(_("the rule explorer needs a die with numbers, not with symbols"))
        near = [game for game in self.game.values if _book(game) == _book(rules)]
        self._filling = True
        self.game.pick(max(near, key=rules.__eq__, default=rules), _("these rules"))
        self._fill(rules, die)
        self._look_at(rules, die)

    def _look_at(self, rules: Any, die: Die) -> None:
        same = _book(rules) == _book(self.rules)
        self.settings = settings_words(rules, die, self.rules, self.die) if same else ""
        self.was = self.now if same else Measures()
        self.rules, self.die, self.now = rules, die, of_throws(rules, die)
        show_if(self.long, takes_long(rules, die))
        show_if(self.bar, False)
        if takes_long(rules, die):
            self._show(_("The best sheet takes some seconds."))
        else:
            self._work_out()

    def _work_out(self, button: Any = None) -> None:
        """Find the best play."""
        self.said.value, trouble = pictures.label(_("Working it out …")), ""
        show_if(self.bar, True)
        try:
            self.now = self.now | of_play(self.rules, self.die, partial(setattr, self.bar, "value"))
        except ValueError as error:
            trouble = str(error)
        show_if(self.long, False)
        self._show(trouble[:1].upper() + trouble[1:])

    # What a person can do

    def _choose_game(self, change: Any) -> None:
        if not self._filling and self.game.picked is not None:
            self.use(self.game.picked, FAIR)

    def _choose(self, change: Any) -> None:
        """Show what is chosen; if it cannot be, say why, and go back to what is shown."""
        if self._filling or change["new"] is None:
            return
        fields = self.fields[type(self.rules)].items()
        weights = [field.value for field in self.weights]
        try:
            rules = replace(self.rules, **{name: field.picked for name, field in fields})
            if not any(weights):
                raise ValueError(_("at least one face needs a weight above 0"))
        except ValueError as error:
            self._fill(self.rules, self.die)
            why = str(error).rstrip(".")
            self._say(_("This cannot be: {why}. Nothing has changed.", why=why))
        else:
            self._look_at(rules, Die(tuple(Fraction(weight, sum(weights)) for weight in weights)))

    def _play(self, button: Any) -> None:
        """Make a board with these rules."""
        if self._make_board is not None:
            self._make_board(self.rules)
            return
        from dicekit.board.board import Board

        panel, *old = self.children
        self.children = [panel, Board(self.rules)]
        close_all(*old)

    # The controls

    def _make_widgets(self) -> None:
        self.game = watch(Choice(_("Game"), named_games()), "index", self._choose_game)
        self.fields = {kind: fields_of(kind) for kind in COMPUTERS}
        for fields in self.fields.values():
            for field in fields.values():
                watch(field, "value" if isinstance(field, Tick) else "index", self._choose)
        self.grids = {kind: box(VBox, "dk-grid", *f.values()) for kind, f in self.fields.items()}
        self.weights = [
            BoundedIntText(1, 0, HEAVIEST, description=_("Weight of a {face}", face=face))
            for face in FACES
        ]
        for weight in self.weights:
            watch(weight, "value", self._choose)
        self.said, self.table = html("dk-means"), html("dk-numbers")
        self.figure, self.cell = html("dk-figure"), html("dk-cell")
        self.bar = FloatProgress(max=1, description=_("Working it out")).add_class("dk-working")
        work_out = button_for(_("Work out the best sheet"), self._work_out, "dk-row")
        self.long = box(HBox, "dk-line", work_out, self.bar)

    def _arrange(self) -> list[Any]:
        title = HTML(pictures.title(_("Rule explorer"), "")).add_class("dk-title")
        rules, die = HTML(f"<h3>{_('Which rules?')}</h3>"), HTML(f"<h3>{_('Which die?')}</h3>")
        weights = box(HBox, "dk-weights", *self.weights)
        chosen = box(VBox, "dk-chosen", self.game, rules, *self.grids.values(), die, weights)
        found = box(HBox, "dk-found", self.said, self.long, self.table, self.figure)
        play = button_for(_("Play with these rules"), self._play, "dk-go")
        back = button_for(_("Back to the usual rules"), self._choose_game, "dk-quiet")
        ways = box(HBox, "dk-ways", play, back)
        return [title, chosen, found, ways, self.cell]

    def _fill(self, rules: Any, die: Die) -> None:
        """Make the controls say what is shown."""
        self._filling = True
        for kind, grid in self.grids.items():
            show_if(grid, kind is type(rules))
        for name, field in self.fields[type(rules)].items():
            value = getattr(rules, name)
            field.pick(value, options(rules)[name].says(value))
        weights = face_weights(die).weights
        for face, field in zip(FACES, self.weights, strict=True):
            field.value = weights[face]
        self._filling = False

    # What is shown

    def _show(self, remark: str) -> None:
        """Show what is known; `remark` says why there is no more, if so."""
        if self.settings and self.now == self.was:
            remark = remark or _("None of these numbers changes.")
        self.shown = Compared(self.rules, self.now, self.was)
        self._say(self.settings, remark)
        self.table.value, self.figure.value = self.shown.table(), self.shown.bars()
        cell, words = escape(cell_text(self.rules, self.die)), _("As a notebook cell")
        self.cell.value = f"<details><summary>{words}</summary><pre>{cell}</pre></details>"

    def _say(self, fact: str, remark: str = "") -> None:
        """Say it, and what a turn is worth; let a screen reader say it too."""
        means = self.shown.means()
        self.said.value = pictures.said(fact, remark, live=False) + "".join(
            f'<p><span class="dk-num">{value}</span> {words} <small>{change}</small></p>'
            for value, words, change in means
        )
        if self.voice:
            self.voice.said = " ".join(filter(None, (fact, remark, *sum(means, ()))))


def _book(rules: Any) -> Any:
    """The game, and its score sheet if it has one."""
    return type(rules), getattr(rules, "sheet", None)
