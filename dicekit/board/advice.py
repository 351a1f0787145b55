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

from dicekit.board.pictures import count, label
from dicekit.board.play import Play
from dicekit.board.widgets import button_for, show_if
from dicekit.coach import Coach
from dicekit.dice import FAIR, Die
from dicekit.games.dice_poker import DicePoker
from dicekit.games.states import CHANCE, Action, Bank, Hold, Throw, Write
from dicekit.players import left_out, sheet_at_hand
from dicekit.solve.best_sheet import best_sheet
from dicekit.solve.race import best_race
from dicekit.tables import Grid, Shown

MOST_SHOWN = 6
SOLVE = "Work out the chances (may take a minute)"


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
        return f"bank {state.points:,}"
    if isinstance(action, Throw):
        announced = "" if action.predict is None else f" and announce {action.predict}"
        return f"throw {count(state.dice, 'die', 'dice')}{announced}"
    if isinstance(action, Hold) and not action.dice:
        return "throw all dice again"
    if isinstance(action, Write):
        row = state.rules.row(action.row)
        points = state.points_now(row)
        words = "a dash" if points is None else str(points).replace("-", "−")
        return f"write {words} in {row.name}{'s' * bool(row.face)}"
    return str(action)


class WaysTable(Shown):
    """The best ways, and those that are chosen now."""

    def __init__(self, ways: list[Way], chosen: Collection[Any], points: str, about: str) -> None:
        self._ways, self._chosen, self._points, self._about = ways, chosen, points, about

    def grid(self) -> Grid:
        rows, ways = [], self._ways
        for way in (w for n, w in enumerate(ways) if n < MOST_SHOWN or w.actions in self._chosen):
            words = f"{way.words} ▸ chosen" if way.actions in self._chosen else way.words
            chance = [] if way.chance is None else [f"{100 * way.chance:.1f} %"]
            rows.append([words, *chance, f"{way.points:,.1f}"])
        most = max(ways, key=lambda way: way.points)
        notes = [f"The most points on average: {most.words} ({most.points:,.1f})."]
        more = notes if most.points > ways[0].points + 0.05 else []
        head = ["move", *(["chance to win"] if len(rows[0]) > 2 else []), self._points]
        return "Coach: the best first", head, rows, [*more, self._about]


class Coaching(VBox):
    """The coach's place on the board. It computes only what is shown.

    `coach` is True if it is shown from the start, False if there is none; `changed` is called
    when it is shown or hidden.
    """

    def __init__(self, coach: bool | None, changed: Callable[[], None]) -> None:
        if coach not in (True, False, None):
            raise ValueError(f"coach is True, False or None, not {coach!r}")
        self.allowed, self.shown, self.reviews = coach is None or bool(coach), bool(coach), False
        self._changed = changed
        self._play: Any = None
        self._coach: Any = None
        self._tried: dict[Any, str] = {}  # rules and die that were solved; else why not
        self._known: tuple[Any, Any] = (None, None)  # a state, and what was found of it
        self._silent = ""
        self.button, self.words = button_for("", self.toggle), HTML()
        self.solve = button_for(SOLVE, self.work_out, "dk-row")
        self.bar = FloatProgress(max=1, description="Working it out").add_class("dk-working")
        super().__init__([self.words, self.solve])
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

    def show(self, play: Play | None) -> None:
        """Show what the coach has to say of this moment; nothing if there is no game."""
        self._play = play
        if play is None:
            return
        over = play.state.is_terminal
        self.reviews &= over
        shown, what = (self.reviews, "review") if over else (self.shown, "coach")
        self.button.description = f"Hide {what}" if shown else what.capitalize()
        self.button._dom_classes = ("dk-go" if over else "dk-quiet",)
        show_if(self.button, self.allowed)
        show_if(self.solve, False)
        if shown and over:
            self.words.value = self._review(play.record)
        elif shown and (play.computer or play.state.current_player == CHANCE):
            self.words.value = label("The coach waits for a person's turn.")
        elif shown:
            self.words.value = self._advice(play)
        self._dom_classes = ("dk-coach", "dk-review") if over else ("dk-coach",)
        show_if(self, shown)

    def cost(self, state: Any, events: Iterable[Any]) -> str:
        """What a person's move gives away, in words; nothing while the coach is hidden."""
        actions = tuple(event for event in events if isinstance(event, Action))
        found = self._ways(state) if self.shown and actions else []
        for way in (way for way in found if way.actions[: len(actions)] == actions):
            lost, unit = found[0].worth - way.worth, "points on average"
            if way.chance is not None:
                lost, unit = 100 * lost, "% of winning"
            worth_saying = f"That cost {lost:,.1f} {unit}; better was: {found[0].words}."
            return worth_saying if lost >= 0.05 else ""
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
                        raise ImportError("numpy is missing")
            except Exception as error:  # whatever it is, the game goes on
                trouble = f"The best play cannot be worked out here: {error}."
            self._tried[rules, die] = trouble
            self._coach, self._known = None, (None, None)
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
        if self._coach is None or self._coach.game != rules:
            self._coach = Coach(rules, solve=self._tried.get((rules, FAIR)) == "")
        return self._coach

    def _found(self, state: Any, find: Callable[[Coach], Any], what: str) -> Any:
        """What the coach finds in a state, looked for once; None if that fails."""
        if self._known[0] is not state:
            self._known = state, None
            try:
                self._known = state, find(self._of(state.rules))
            except Exception as error:  # whatever it is, the game goes on
                self._silent = label(f"The coach has no {what}: {error}")
        return self._known[1]

    def _ways(self, state: Any) -> list[Way]:
        """The ways on from here, the best first; none if the coach has no advice."""

        def find(coach: Coach) -> list[Way]:
            return sorted(ways(coach, state), key=lambda way: -way.worth)

        return self._found(state, find, "advice here") or []

    def _advice(self, play: Play) -> str:
        """What may be done now, the best first, and what is chosen."""
        if not (found := self._ways(play.state)):
            return self._silent
        chosen = [control.events for control in play.controls() if play.must_choose]
        about = self._of(play.rules).about
        if found[0].chance is None and hasattr(play.rules, "target"):
            trouble = self._tried.get((play.rules, FAIR))
            about = trouble or "Only the mean points of the turn count here."
            show_if(self.solve, trouble is None and len(play.state.players) > 1)
        return WaysTable(found, chosen, play.points_word, about)._repr_html_()

    def _review(self, record: Any) -> str:
        """A game looked back upon."""

        def find(coach: Coach) -> str:
            with self._watched() as tell:
                return coach.review(record, tell)._repr_html_()

        return self._found(record.state, find, "review of this game") or self._silent
