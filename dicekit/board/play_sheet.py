"""Dice poker and its relatives on the board: dice held, throws left, a sheet to fill."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from dicekit.board import pictures
from dicekit.board.play import Chances, Control, Play, places_of, throw_words, usual
from dicekit.games.states import Hold, Pass, Throw, Write, dashed
from dicekit.probability import throws
from dicekit.words import N_, _, listed, ngettext, pgettext

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

    chosen_word = N_("{face} held")
    points_word = N_("points in the end")

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
        game, rounds = _(usual(self.rules)[0]), len(self.rules.sheet.rows)
        return ngettext("{game} · {n} round", "{game} · {n} rounds", rounds, game=game)

    def moment(self) -> str:
        return ngettext(
            "Round {round} of {rounds} · {name}, {n} throw left",
            "Round {round} of {rounds} · {name}, {n} throws left",
            self.state.throws_left,
            round=self.state.round + 1,
            rounds=len(self.rules.sheet.rows),
            name=self.name,
        )

    def scores(self) -> str:
        return pictures.sheet_table(self.state)

    def thrown_label(self) -> str:
        if self.state.throws_left:
            return _("Thrown: click what you hold, or write a row")
        return _("Thrown: write a row")

    def tray(self) -> str:
        """The dice held while the others are thrown; before, they are marked among the dice."""
        held = self.state.held if self.state.stage == "rolling" else ()
        return pictures.tray(held, "", _("Held for the next throw")) if held else ""

    def collected(self) -> list[str]:
        said = []
        if self.state.held:
            said.append(_("Held: {dice}.", dice=listed(self.state.held)))
        for name, sheet in zip(self.names, self.state.sheets, strict=True):
            pairs = zip(self.rules.sheet.rows, sheet, strict=True)
            rows = [in_row(row.name, points) for row, points in pairs if points is not None]
            if rows:
                said.append(_("{name} has written {rows}.", name=name, rows=", ".join(rows)))
        return said

    def prompt(self) -> str:
        state, name = self.state, self.name
        if state.stage != "thrown":
            return _("{name} to throw.", name=name)
        if not state.throws_left:
            return _("{name}: write a row.", name=name)
        if not self.chosen:
            return _("{name}: hold some dice and throw the rest, or write a row.", name=name)
        return _("{name} holds {dice}.", name=name, dice=listed(self.dice))

    def chances(self) -> tuple[str, Chances]:
        state = self.state
        if state.stage != "thrown" or not state.throws_left or len(self.chosen) == len(state.throw):
            return "", []
        held, n = self.dice, len(state.throw) - len(self.chosen)
        rows = [row for row in state.open_rows if row.face or row.patterns]
        found = sorted(((row_chance(row, held, n), row) for row in rows), key=lambda c: -c[0])
        shown = [(_made(row), chance) for chance, row in found if 0 < chance < 1][:ODDS_SHOWN]
        if not shown:
            return "", []
        return ngettext("If you throw {n} die once", "If you throw {n} dice once", n), shown

    def odds(self) -> str:
        caption, chances = self.chances()
        return pictures.odds_list(caption, chances) if chances else ""

    def choices(self) -> tuple[Control, ...]:
        state = self.state
        if self.awaits_typing:
            return ()
        if state.stage != "thrown":
            return (Control("throw", throw_words(state.dice), (Throw(),), "first"),)
        may_pass = Pass() in state.legal_actions()
        passes = (Control("pass", _("Pass this round"), (Pass(),)),) * may_pass
        if not state.throws_left:
            return passes
        n = len(state.throw) - len(self.chosen)
        look = "first" if n else "not-yet"
        words = throw_words(n) if n else pgettext("button", "Throw")
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
        points = self.state.points_now(row)
        said = {"row": _(row.name), "points": _points(points)}
        if points != self.rules.points(row.name, self.state.throw):
            return _("{row}: {points} (doubled)", **said)
        return _("{row}: {points}", **said)

    def history(self) -> list[tuple[str, str, str]]:
        ended = [turn[-1] for turn in self.record.turns()[:-1]]
        return [
            (before.players[before.player], dashed(before.throw), self._done(before, event))
            for before, event, _after in reversed(ended)
        ]

    def _done(self, before: Any, event: Any) -> str:
        return _("passes") if isinstance(event, Pass) else written(before, event)

    def announce(self, before: Any, event: Any, after: Any) -> str:
        name = self.names[before.player]
        if isinstance(event, Pass):
            return _("{name} passes.", name=name)
        if not isinstance(event, Write):
            return ""
        said = _("{name} writes {row}.", name=name, row=written(before, event))
        sheets = after.sheets[before.player], before.sheets[before.player]
        bonus, had = map(self.rules.bonus, sheets)
        if bonus == had:
            return said
        return f"{said} {_('The school is full and brings {bonus} more.', bonus=bonus)}"


def _made(row: Any) -> str:
    """What a throw must bring for a row."""
    return _("three {face}s or more", face=row.face) if row.face else _(row.name)


def _points(points: int | None) -> Any:
    return _("dash") if points is None else points


def written(before: Any, event: Write) -> str:
    """A row, and what the dice on the table bring in it."""
    return in_row(event.row, before.points_now(before.rules.row(event.row)))


def in_row(row: str, points: int | None) -> str:
    """A row of the sheet and its points, within a sentence."""
    if row.isdigit():
        return _("row {face}: {points}", face=row, points=_points(points))
    return _("{row}: {points}", row=_(row), points=_points(points))
