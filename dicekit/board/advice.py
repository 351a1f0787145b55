"""The coach on the board: what may be done now, best first; after the game, a review.

What one click does is one way here: to set dice aside, and then to throw or to bank.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
from typing import Any, NamedTuple

from ipywidgets import HTML, FloatProgress, VBox

from dicekit.board.pictures import label
from dicekit.board.play import Play
from dicekit.board.play_sheet import written
from dicekit.board.widgets import button_for, change, show_if
from dicekit.coach import Coach, Review
from dicekit.dice import FAIR, Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.states import CHANCE, Action, Bank, Hold, Throw, Write
from dicekit.players import left_out, sheet_at_hand
from dicekit.solve.best_sheet import best_sheet
from dicekit.solve.race import best_race
from dicekit.tables import Grid, Shown
from dicekit.words import N_, _, ngettext, number, percent

MOST_SHOWN = 6


class Way(NamedTuple):
    """What one click does, in words, and what it is worth with the best play after it."""

    actions: tuple[Action, ...]
    words: str
    chance: float | None
    points: float

    @property
    def worth(self) -> float:
        """What ways are ranked by."""
        return self.points if self.chance is None else self.chance


def ways(coach: Coach, state: Any, done: tuple[Action, ...] = (), said: str = "") -> Iterator[Way]:
    """Everything that the player who acts may do with one click."""
    for row in coach.advice(state).rows:
        after = state.child(row.action)
        actions, words = (*done, row.action), f"{said}{in_words(state, row.action)}"
        if after.current_player == state.player and not after.turn_begins:
            yield from ways(coach, after, actions, f"{words}, ")
        else:
            yield Way(actions, words, row.chance, row.points)


def in_words(state: Any, action: Action) -> str:
    """An action in words.

    >>> from dicekit.games.farkle import Farkle
    >>> in_words(Farkle().start("Ana"), Throw())
    'throw 6 dice'
    """
    if isinstance(action, Bank):
        return _("bank {points}", points=state.points)
    if isinstance(action, Throw):
        if action.predict is None:
            return ngettext("throw {n} die", "throw {n} dice", state.dice)
        return _("throw {n} dice and announce {sum}", n=state.dice, sum=action.predict)
    if isinstance(action, Hold) and not action.dice:
        return _("throw all dice again")
    if isinstance(action, Write):
        return _("write {row}", row=written(state, action))
    return str(action)


class WaysTable(Shown):
    """The best ways, and those that are chosen now."""

    def __init__(self, ways: list[Way], chosen: Collection[Any], points: str, about: str) -> None:
        self._ways, self._chosen, self._points, self._about = ways, chosen, points, about

    def grid(self) -> Grid:
        rows, ways = [], self._ways
        for way in (w for n, w in enumerate(ways) if n < MOST_SHOWN or w.actions in self._chosen):
            chosen = way.actions in self._chosen
            words = _("{move} ▸ these dice", move=way.words) if chosen else way.words
            chance = [] if way.chance is None else [percent(way.chance)]
            rows.append([words, *chance, number(way.points, ",.1f")])
        most, notes = max(ways, key=lambda way: way.points), [self._about]
        if most.points > ways[0].points + 0.05:
            said = {"move": most.words, "points": number(most.points, ",.1f")}
            notes.insert(0, _("The most points on average: {move} ({points}).", **said))
        chance = [_("chance to win")] if len(rows[0]) > 2 else []
        return _("Coach: the best first"), [_("move"), *chance, _(self._points)], rows, notes


class Coaching(VBox):
    """The coach's place on the board. It computes only what is shown.

    `coach` is True if it is shown from the start, False if there is none; `changed` is called
    when it is shown or hidden. `was` is the coach of another language, whose place it takes.
    """

    def __init__(
        self, coach: bool | None, changed: Callable[[], None], was: Coaching | None = None
    ) -> None:
        if coach not in (True, False, None):
            raise ValueError(f"coach is True, False or None, not {coach!r}")
        self.allowed = coach is None or bool(coach)
        self.shown: bool = was.shown if was else bool(coach)
        self.reviews: bool = was.reviews if was else False
        self.review: Review | None = None
        self._changed = changed
        self._play: Any = None
        # Rules and die that were solved; else why not, in the language of that moment.
        solved = [key for key, trouble in was._tried.items() if not trouble] if was else []
        self._tried: dict[Any, str] = dict.fromkeys(solved, "")
        self._known: tuple[Any, Any] = (None, None)  # a state, and what was found of it
        self._silent = ""
        self.button, self.words = button_for("", self.toggle), HTML()
        words = _("Work out the chances (may take a minute)")
        self.solve = button_for(words, self.work_out, "dk-row")
        self.bar = FloatProgress(max=1, description=_("Working it out")).add_class("dk-working")
        super().__init__([self.words, self.solve])
        self.add_class("dk-coach")
        for part in (self, self.bar, self.solve):
            show_if(part, False)

    def toggle(self, button: Any = None) -> None:
        """Show the coach, or after the game the review; or hide it again."""
        if self._play is None:
            return
        if self._play.state.is_terminal:
            self.reviews = not self.reviews
        else:
            self.shown = not self.shown
        self._changed()

    def show(self, play: Play | None, hidden: bool = False, shown: bool = False) -> None:
        """Show what the coach has to say of this moment, or only if it is asked to; nothing if
        there is no game. After the game `review` is the review, once it was asked for."""
        self._play, self.review = play, None
        if play is None:
            return
        over = play.state.is_terminal
        self.reviews &= over
        shown = self.reviews if over else (self.shown or shown) and self.allowed and not hidden
        words = (_("Review"), _("Hide review")) if over else (_("Coach"), _("Hide coach"))
        names = ("dk-go" if over else "dk-quiet", "dk-key-coach")
        said = words[self.reviews if over else self.shown]
        change(self.button, description=said, _dom_classes=names)
        show_if(self.button, self.allowed)
        show_if(self.solve, False)
        if shown and over:
            self.review = self._review(play.record)
            self.words.value = "" if self.review else self._silent
            may_solve = self.review is not None and self._may_solve(play, self.review.unit)
            show_if(self.solve, may_solve)
            shown = self.review is None or may_solve
        elif shown and (play.computer or play.state.current_player == CHANCE):
            self.words.value = label(_("The coach waits for a person's turn."))
        elif shown:
            self.words.value = self._advice(play)
        show_if(self, shown)

    def cost(self, state: Any, events: Iterable[Any]) -> str:
        """What a person's move gives away, in words."""
        actions = tuple(event for event in events if isinstance(event, Action))
        found = self._ways(state) if self.allowed and actions else []
        for way in (way for way in found if way.actions[: len(actions)] == actions):
            lost, best = found[0].worth - way.worth, found[0].words
            if lost < (0.05 if way.chance is None else 0.0005):
                return ""
            said = {"n": number(lost if way.chance is None else 100 * lost, ",.1f"), "move": best}
            if way.chance is None:
                return _("That cost {n} points on average; better was: {move}.", **said)
            return _("That cost {n} percentage points of winning; better was: {move}.", **said)
        return ""

    def work_out(self, button: Any = None) -> None:
        """Solve the game for the chances to win."""
        if self._play is not None:
            self.solved(self._play.rules)
            self._changed()

    def solved(self, rules: Any, die: Die = FAIR) -> str:
        """Solve a game, with a bar while it lasts. Says why it cannot be solved, if so."""
        if (rules, die) not in self._tried:
            trouble = ""
            try:
                with self._watched() as tell:
                    if not isinstance(rules, DicePoker):
                        best_race(replace(rules, **left_out(rules)), die, progress=tell)
                    elif sheet_at_hand(rules):
                        best_sheet(rules, progress=tell)
                    else:
                        raise ImportError(_("numpy is missing"))
            except Exception as error:  # whatever it is, the game goes on
                trouble = _("The best play cannot be worked out here: {why}.", why=error)
            self._tried[rules, die] = trouble
            self._known = None, None
        return self._tried[rules, die]

    @contextmanager
    def _watched(self) -> Iterator[Any]:
        """Gives what is to be told from 0 to 1 how much is done, and shows it after a second."""
        last = monotonic() + 0.8

        def tell(part: float) -> None:
            nonlocal last
            if monotonic() > last + 0.2:
                last, self.bar.value = monotonic(), part
                show_if(self.bar, True)

        try:
            yield tell
        finally:
            show_if(self.bar, False)

    def _of(self, rules: Any) -> Coach:
        """The coach for these rules."""
        if isinstance(rules, DicePoker):
            self.solved(rules)
        return Coach(rules, solve=self._tried.get((rules, FAIR)) == "")

    def _found(self, state: Any, find: Callable[[Coach], Any], nothing: str) -> Any:
        """What the coach finds in a state, looked for once; None if that fails, and `nothing` is
        said."""
        if self._known[0] is not state:
            self._known = state, None
            try:
                self._known = state, find(self._of(state.rules))
            except Exception as error:  # whatever it is, the game goes on
                self._silent = label(_(nothing, why=error))
        return self._known[1]

    def _ways(self, state: Any) -> list[Way]:
        """The ways on from here, the best first; none if the coach has no advice."""

        def find(coach: Coach) -> list[Way]:
            return sorted(ways(coach, state), key=lambda way: -way.worth)

        nothing = N_("The coach has no advice here: {why}")
        return self._found(state, find, nothing) or []

    def _advice(self, play: Play) -> str:
        """What may be done now, the best first, and what is chosen."""
        if not (found := self._ways(play.state)):
            return self._silent
        asked = play.must_choose and not play.forced
        chosen = [control.events for control in play.controls() if asked]
        about = self._of(play.rules).about
        if found[0].chance is None and hasattr(play.rules, "target"):
            trouble = self._tried.get((play.rules, FAIR))
            about = trouble or _("Only the mean points of the turn count here.")
            show_if(self.solve, self._may_solve(play, "points"))
        return WaysTable(found, chosen, play.points_word, about)._repr_html_()

    def _may_solve(self, play: Play, unit: str) -> bool:
        """Whether there are no chances to win yet, but could be."""
        race = unit == "points" and hasattr(play.rules, "target")
        return race and len(play.state.players) > 1 and (play.rules, FAIR) not in self._tried

    def _review(self, record: Any) -> Review | None:
        """A game looked back upon."""

        def find(coach: Coach) -> Review:
            with self._watched() as tell:
                return coach.review(record, tell)

        nothing = N_("The coach has no review of this game: {why}")
        return self._found(record.state, find, nothing)
