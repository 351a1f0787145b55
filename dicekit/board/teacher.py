"""What a teacher steers: what is shown, a frozen board, looking back, a vote, a position."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ipywidgets import HTML, BoundedIntText, Checkbox, HBox, IntSlider, Text, VBox

from dicekit.board import pictures
from dicekit.board.given import faces_of, whole_of
from dicekit.board.setup import MOST_PLAYERS, Choice
from dicekit.board.widgets import box, button_for, html, show_if, watch
from dicekit.games.positions import facts_of, link_of
from dicekit.words import N_, _

SWITCHES = {
    "odds": N_("Chances"),
    "costs": N_("What a move has cost"),
    "picture": N_("Race picture"),
    "large": N_("Large type"),
    "frozen": N_("Freeze the game"),
}
MOST_VOTES = 999


class Teacher(VBox):
    """The panel of the board for whoever leads the class.

    `on` says which of SWITCHES are on at first, `was` is the vote in another language. `board`
    is told what to look at, to play and to deal.
    """

    def __init__(self, board: Any, on: Mapping[str, bool], was: Vote | None = None) -> None:
        self.vote = Vote(board, was)
        self.position = Position(board)
        self.look = Look(board)
        self.boxes = {
            name: Checkbox(on[name], description=_(words), indent=False)
            for name, words in SWITCHES.items()
        }
        for field in self.boxes.values():
            watch(field, "value", board.refresh)
        so_far = _head(_("The game so far")), box(HBox, "dk-line", self.vote.ask, self.look.begin)
        position = _head(_("A position to discuss")), self.position
        self.in_game = box(VBox, "dk-in-game", *so_far, *position)
        shown = box(HBox, "dk-line", *self.boxes.values(), board.tongue)
        super().__init__([_head(_("What is shown")), shown, self.in_game])
        self.add_class("dk-teacher")

    @property
    def on(self) -> dict[str, bool]:
        """Which of SWITCHES are on."""
        return {name: field.value for name, field in self.boxes.items()}

    def switch(self, name: str, on: bool) -> None:
        """Switch something on or off."""
        self.boxes[name].value = on


class Look(VBox):
    """Looking back: which moment of the game is shown, and the way to the others."""

    def __init__(self, board: Any) -> None:
        self._board = board
        self._stops: list[int] = [0]
        self.begin = button_for(_("Look back"), self._begin, "dk-row", "dk-key-back")
        self.slider = IntSlider(0, 0, 0, readout=False, description=_("Moment"))
        self.slider.continuous_update = False
        watch(self.slider, "value", self._slide)
        self.back = button_for(_("Back"), self._step(-1), "dk-row", "dk-key-back")
        self.forth = button_for(_("Forth"), self._step(1), "dk-row", "dk-key-forth")
        self.now = button_for(_("Now"), lambda button: board.look_at(None), "dk-row")
        self.play_on = button_for(_("Play on from here"), board.play_on, "dk-quiet")
        self.where = HTML()
        parts = (self.slider, self.back, self.forth, self.now, self.where, self.play_on)
        super().__init__([box(HBox, "dk-line", *parts)])
        self.add_class("dk-strip")

    def _step(self, by: int) -> Any:
        return lambda button: self._board.look_at(self._board.moment + by)

    def _begin(self, button: Any = None) -> None:
        self._board.fold()
        self._board.look_at(self._board.moment - 1)

    def _slide(self, change: Any) -> None:
        if (moment := self._stops[change.new]) != self._board.moment:
            self._board.look_at(moment)

    def show(self, moment: int, stops: list[int]) -> None:
        """Show where one looks, as one of these moments of the game."""
        self._stops, place = stops, stops.index(moment)
        self.slider.max, self.slider.value = len(stops) - 1, place
        words = _("Moment {n} of {all}", n=place + 1, all=len(stops))
        self.where.value = pictures.label(words)
        self.back.disabled, self.begin.disabled = place == 0, len(stops) == 1


class Vote(VBox):
    """A vote of the class, before the chances are shown.

    `hides` says whether the vote goes on, so that nothing may be given away; `shows` whether it
    has ended, and its result stands beside the chances.
    """

    def __init__(self, board: Any, was: Vote | None = None) -> None:
        self._board = board
        self.hides: bool = was.hides if was else False
        self.shows: bool = was.shows if was else False
        self.ask = button_for(_("Ask the class: stop or throw?"), self._ask, "dk-row")
        self.ask.tooltip = _("One can ask when both are possible.")
        self.votes: dict[str, Any] = {}
        for name, words in {"stop": _("Stop"), "throw": _("Throw")}.items():
            so_far = was.votes[name].value if was else 0
            field = BoundedIntText(so_far, 0, MOST_VOTES, description=words)
            self.votes[name] = watch(field, "value", self._render)
        self.end_button = button_for(_("Show the chances"), self._end, "dk-row")
        self.counted = box(HBox, "dk-line", *self.votes.values(), self.end_button)
        self.result = HTML()
        super().__init__([self.counted, self.result])
        self.add_class("dk-strip").add_class("dk-vote")
        self._render()

    def _ask(self, button: Any = None) -> None:
        for field in self.votes.values():
            field.value = 0
        self._board.fold()
        self._set(hides=True)

    def _end(self, button: Any = None) -> None:
        self._set(shows=True)

    def forget(self) -> None:
        """The moment has passed: nothing is asked any more."""
        self.hides = self.shows = False
        self._render()

    def _set(self, hides: bool = False, shows: bool = False) -> None:
        self.hides, self.shows = hides, shows
        self._render()
        self._board.refresh()

    def _render(self, change: Any = None) -> None:
        show_if(self, self.hides or self.shows)
        show_if(self.counted, self.hides)
        votes = [(field.description, field.value) for field in self.votes.values()]
        shown = self.shows and any(n for _answer, n in votes)
        self.result.value = pictures.votes(_("The class"), votes) if shown else ""


class Position(VBox):
    """The position on the board, to be changed, and its link, to be kept or opened."""

    def __init__(self, board: Any) -> None:
        self._board = board
        self._seen: Any = None
        self._prefilled: str | None = None  # the dice on the table, unless they were changed
        self.scores = [Text() for place in range(MOST_PLAYERS)]
        self.player = Choice(_("To play"), {})
        self.points = watch(Text(description=_("Points in the turn")), "value", self._to_throw)
        self.dice = watch(Choice(_("Dice left"), {}), "index", self._to_throw)
        self.throw = Text(description=_("Dice on the table"), placeholder=_("none: to be thrown"))
        self.left = Choice(_("Throws left"), {str(n): n for n in range(3)})
        self.link = Text(description=_("Link of this position; paste another to open it"))
        fields = [*self.scores, self.player, self.points, self.dice, self.throw, self.left]
        deal = button_for(_("Deal this position"), self._deal, "dk-row")
        opens = button_for(_("Open the link"), self._open, "dk-row")
        self.copy = button_for(_("Copy"), self._copied, "dk-row", "dk-key-copy")
        self.said = html("dk-said")
        self.file = HTML()
        dealt = box(HBox, "dk-line", deal, self.said)
        linked = box(HBox, "dk-line", self.link, opens, self.copy)
        super().__init__([box(VBox, "dk-grid", *fields), dealt, linked, self.file])

    def show(self, record: Any) -> None:
        """Offer the present position of a record to be changed."""
        state = record.state
        if state is self._seen:
            return
        self._seen, self._prefilled, self.said.value = state, None, ""
        banking = hasattr(state, "points")
        names = dict(zip(state.players, self.scores, strict=False))
        for field in self.scores:
            show_if(field, banking and field in names.values())
        for name, field in names.items():
            field.description = name.replace("$", "＄")  # no formula
            field.value = str(state.scores[state.players.index(name)])
        self.player.offer({name: seat for seat, name in enumerate(state.players)})
        self.player.pick(state.player)
        for field in (self.points, self.dice):
            show_if(field, banking)
        show_if(self.left, not banking)
        if banking:
            self.points.value = str(state.points)
            self.dice.offer({str(n + 1): n + 1 for n in range(state.rules.all_dice)})
            self.dice.pick(state.dice)
        else:
            self.left.pick(min(state.throws_left, 2))
        self.throw.value = self._prefilled = " ".join(map(str, state.throw))
        try:
            self.link.value = link_of(state, page_address())
        except ValueError as error:
            self.link.value = ""
            self.link.placeholder = str(error)
        show_if(self.copy, self._board.keyboard is not None)
        self.file.value = pictures.download(record.text(), "dicekit.jsonl", _("Save as a file"))

    def _to_throw(self, change: Any) -> None:
        """With other points or dice left, none lie on the table: they are to be thrown."""
        if self.throw.value == self._prefilled:
            self.throw.value = ""

    def _deal(self, button: Any = None) -> None:
        self._board.deal(self._facts)
        self._say(self._board._said)

    def _facts(self) -> dict[str, Any]:
        """What is to be dealt. Raises ValueError for what is no number, or no dice."""
        state, throw = self._seen, faces_of(self.throw.value)
        facts: dict[str, Any] = {"player": self.player.picked}
        if throw:
            facts["throw"] = throw
        if not hasattr(state, "points"):
            kept = facts_of(state)
            left = {"throws_left": self.left.picked} if throw else {}
            return {"sheets": kept.get("sheets", state.sheets), **facts, **left}
        people = len(state.players)
        facts["scores"] = tuple(whole_of(field.value) for field in self.scores[:people])
        dice = {} if throw else {"dice": self.dice.picked}
        return facts | {"points": whole_of(self.points.value)} | dice

    def _open(self, button: Any = None) -> None:
        self._board.open_position(self.link.value)
        self._say(self._board._said)

    def _copied(self, button: Any = None) -> None:
        """What keys.js has copied."""
        self._say(_("The link is copied."), live=True)

    def _say(self, words: str, live: bool = False) -> None:
        """Say it beside the buttons too."""
        self.said.value = pictures.said(words, "", live)


def page_address() -> str:
    """The address of the page on which Voilà shows the board; none in a notebook."""
    return os.environ.get("VOILA_REQUEST_URL", "").partition("?")[0]


def _head(words: str) -> HTML:
    return HTML(f"<h3>{words}</h3>")
