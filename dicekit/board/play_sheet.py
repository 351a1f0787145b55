"""Dice poker and its relatives on the board: dice held, throws left, a sheet to fill."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from dicekit.board import pictures
from dicekit.board.pictures import count
from dicekit.board.play import Control, Play, listed, places_of
from dicekit.board.setup import GAMES
from dicekit.games.states import Hold, Pass, Throw, Write, dashed
from dicekit.probability import throws

ODDS_SHOWN = 4


@cache
def row_chance(row: Any, held: tuple[int, ...], n: int) -> Fraction:
    """The exact chance that a throw of n dice completes a row with the dice held; for a row
    that counts a face, that there are three or more of it."""

    def made(throw: tuple[int, ...]) -> bool:
        dice = tuple(sorted((*held, *throw)))
        return dice.count(row.face) >= 3 if row.face else row.points(dice) is not None

    outcomes = throws(n)
    return Fraction(outcomes.count(made), outcomes.total)


@dataclass(frozen=True)
class SheetPlay(Play):
    """The picture of a game with a score sheet."""

    held_word = "held"
    points_word = "points in the end"

    @property
    def usual(self) -> tuple[str, Any]:
        sheet = self.rules.sheet
        same = (pair for pair in GAMES.items() if getattr(pair[1], "sheet", None) == sheet)
        return next(same, super().usual)

    @property
    def last_dice(self) -> tuple[int, ...]:
        thrown = (state.throw for state in reversed(self.record.states) if state.throw)
        return next(thrown, ())

    def first_choice(self) -> frozenset[int]:
        """The dice held so far stay held until somebody takes them back."""
        held = self.record.events[-2] if len(self.record.events) > 1 else None
        if not (self.must_choose and self.state.throws_left and isinstance(held, Hold)):
            return frozenset()
        return places_of(held.dice, self.state.throw)

    def title(self) -> str:
        return f"{self.usual[0]} · {len(self.rules.sheet.rows)} rounds"

    def moment(self) -> str:
        state, rounds = self.state, len(self.rules.sheet.rows)
        left = count(state.throws_left, "throw", "throws")
        return f"Round {state.round + 1} of {rounds} · {self.name}, {left} left"

    def scores(self) -> str:
        return pictures.sheet_table(self.state)

    def thrown_label(self) -> str:
        if self.state.throws_left:
            return "Thrown: click what you hold, or write a row"
        return "Thrown: write a row"

    def tray(self) -> str:
        held = self.state.held if self.state.stage == "rolling" else self.dice
        return pictures.tray(held, "", "Held for the next throw") if held else ""

    def prompt(self) -> str:
        state = self.state
        if state.stage != "thrown":
            return f"{self.name} to throw."
        if not state.throws_left:
            return f"{self.name}: write a row."
        if not self.chosen:
            return f"{self.name}: hold some dice and throw the rest, or write a row."
        return f"{self.name} holds {listed(self.dice)}."

    def odds(self) -> str:
        state = self.state
        if state.stage != "thrown" or not state.throws_left or len(self.chosen) == len(state.throw):
            return ""
        held, n = self.dice, len(state.throw) - len(self.chosen)
        rows = [row for row in state.open_rows if row.face or row.patterns]
        chances = sorted(((row_chance(row, held, n), row) for row in rows), key=lambda c: -c[0])
        words = [
            (f"three {row.name}s or more" if row.face else row.name, chance)
            for chance, row in chances
            if 0 < chance < 1
        ]
        caption = f"If you throw {count(n, 'die', 'dice')} once"
        return pictures.odds_list(caption, words[:ODDS_SHOWN]) if words else ""

    def choices(self) -> tuple[Control, ...]:
        state = self.state
        if self.awaits_typing:
            return ()
        if state.stage != "thrown":
            return (Control("throw", "Throw 5 dice", (Throw(),), "first"),)
        actions = state.legal_actions()
        passes = tuple(Control("pass", "Pass this round", (a,)) for a in actions if a == Pass())
        if not state.throws_left:
            return passes
        n = len(state.throw) - len(self.chosen)
        look = "first" if n else "not-yet"
        words = f"Throw {count(n, 'die', 'dice')}" if n else "Throw"
        return (Control("throw", words, (Hold(self.dice),), look), *passes)

    def rows(self) -> tuple[Control, ...]:
        if not self.must_choose:
            return ()
        return tuple(
            Control(action.row, self._row_words(self.rules.row(action.row)), (action,))
            for action in self.state.legal_actions()
            if isinstance(action, Write)
        )

    def _row_words(self, row: Any) -> str:
        plain = self.rules.points(row.name, self.state.throw)
        doubled = " (doubled)" if self.state.points_now(row) != plain else ""
        return f"{row.name}: {_points(self.state, row.name)}{doubled}"

    def history(self) -> list[tuple[str, str, str]]:
        ended = [turn[-1] for turn in self.record.turns()[:-1]]
        return [
            (before.players[before.player], dashed(before.throw), self._done(before, event))
            for before, event, _ in reversed(ended)
        ]

    def _done(self, before: Any, event: Any) -> str:
        if isinstance(event, Pass):
            return "passes"
        row = f"row {event.row}" if event.row.isdigit() else event.row
        return f"{row}: {_points(before, event.row)}"

    def announce(self, before: Any, event: Any, after: Any) -> str:
        name = before.players[before.player]
        if isinstance(event, Hold | Throw | tuple):
            return ""
        if isinstance(event, Pass):
            return f"{name} passes."
        said = f"{name} writes {_points(before, event.row, 'a dash')} in {event.row}."
        sheets = after.sheets[before.player], before.sheets[before.player]
        bonus, had = map(self.rules.bonus, sheets)
        return f"{said} The school is full and brings {bonus} more." if bonus > had else said


def _points(state: Any, row: str, nothing: str = "dash") -> Any:
    """What the dice on the table bring in a row."""
    points = state.points_now(state.rules.row(row))
    return nothing if points is None else points
