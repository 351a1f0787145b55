"""Dice poker: five dice, up to three throws a round, a score sheet of fifteen rows.

The rules are those of a text on dice poker (Portuguese, "O pôquer de dados, também
conhecido como yatzi, knifel e tali"). The same engine plays its relatives: Scandinavian Yatzy
and the American sheet are other values of `sheet`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any, ClassVar

from dicekit.dice import check_throw, multisets
from dicekit.games.dealing import dealt, index_of
from dicekit.games.options import choice, named, points, switch, validate
from dicekit.games.scoring import without
from dicekit.games.sheet import AMERICAN, DICE_POKER, SCHOOL, SECOND, YATZY, Row, Sheet
from dicekit.games.states import Action, Hold, Pass, State, Throw, Write, dashed, put, wrong_number
from dicekit.words import N_, _


@dataclass(frozen=True, kw_only=True, repr=False)
class DicePoker:
    """The rules of dice poker, checked when they are made.

    >>> game = DicePoker()
    >>> game.points("chance", (1, 3, 5, 4, 6)), game.points("pair", (3, 3, 1, 2, 5))
    (19, 6)
    >>> game.points("poker", (6, 6, 6, 6, 6), first_throw=True)
    110

    `poker_bonus` is added to five alike, and doubled on the first throw only with
    `double_bonus`. `school_bonus` is for a school of at least `bonus_from` points.
    `chance="fallback"` allows that row only after three throws that hold no combination of a
    free row. `dashes="at the end"` lets a round of part two pass; rows still empty after the
    last round get their dashes then. Raises ValueError for a value that makes no game.
    """

    name: ClassVar[str] = N_("Dice poker")
    all_dice: ClassVar[int] = 5

    first_throw_doubles: bool = switch(True, N_("Made on the first throw: doubled"))
    poker_bonus: int = points(50, N_("Five alike: and besides"), 50, 0, least=0, step=1)
    double_bonus: bool = switch(False, N_("That bonus is doubled too"))
    school_bonus: int = points(50, N_("Bonus for the school"), 50, 0, least=0, step=1)
    bonus_from: int = points(0, N_("Bonus from a subtotal of"), 0, 63, least=None, step=1)
    chance: str = choice(
        "any",
        N_("Chance"),
        {"any": N_("at any time"), "fallback": N_("when nothing else is there")},
    )
    dashes: str = choice(
        "at once",
        N_("Dashes"),
        {"at once": N_("in the round"), "at the end": N_("after the last round")},
    )
    sheet: Sheet = DICE_POKER

    def __post_init__(self) -> None:
        validate(self)
        if not isinstance(self.sheet, Sheet):
            raise ValueError(f"sheet must be a Sheet, not {self.sheet!r}")
        if self.double_bonus and not self.first_throw_doubles:
            raise ValueError(
                _(
                    "the bonus cannot be doubled where the first throw doubles nothing: "
                    "double_bonus needs first_throw_doubles"
                )
            )

    __repr__ = named

    @classmethod
    def yatzy(cls) -> DicePoker:
        """Scandinavian Yatzy: fifteen rows in any order, 50 for an upper part of 63."""
        return cls(sheet=YATZY, first_throw_doubles=False, poker_bonus=0, bonus_from=63)

    @classmethod
    def american(cls) -> DicePoker:
        """The American sheet: thirteen rows in any order, 35 for an upper part of 63."""
        return replace(cls.yatzy(), sheet=AMERICAN, school_bonus=35)

    def row(self, name: str) -> Row:
        """The row of that name. Raises ValueError if the sheet has none."""
        for row in self.sheet.rows:
            if row.name == name:
                return row
        known = ", ".join(_(row.name) for row in self.sheet.rows)
        raise ValueError(
            _("the sheet has no row {name}; it has {rows}", name=f"{name!r:.60}", rows=known)
        )

    def points(self, name: str, dice: Any, first_throw: bool = False) -> int | None:
        """The points of five dice in a row; None if its combination is not there.

        Raises ValueError for an unknown row, or dice that are not five.
        """
        row, dice = self.row(name), check_throw(dice, self.all_dice)
        made = row.points(dice)
        if made is None:
            return None
        bonus = self.poker_bonus if row.bonus else 0
        if first_throw and self.first_throw_doubles and row.doubles:
            return 2 * made + (2 * bonus if self.double_bonus else bonus)
        return made + bonus

    def subtotal(self, written: tuple[int | None, ...]) -> int:
        """The points of the school so far."""
        pairs = zip(self.sheet.rows, written, strict=True)
        return sum(value or 0 for row, value in pairs if row.part == SCHOOL)

    def bonus(self, written: tuple[int | None, ...]) -> int:
        """The bonus for the school, 0 until it is full."""
        pairs = zip(self.sheet.rows, written, strict=True)
        full = all(value is not None for row, value in pairs if row.part == SCHOOL)
        return self.school_bonus if full and self.subtotal(written) >= self.bonus_from else 0

    def total(self, written: tuple[int | None, ...]) -> int:
        """All points of a sheet, with its bonus."""
        return sum(value or 0 for value in written) + self.bonus(written)

    def start(self, *players: str) -> DicePokerState:
        """The first state of a game between these players, in their order.

        Raises ValueError if a name is empty or there twice.
        """
        empty = ((None,) * len(self.sheet.rows),) * len(players)
        left = self.sheet.throws
        return DicePokerState.first(self, players, "begin", sheets=empty, throws_left=left)

    def deal(self, /, *players: str, **facts: Any) -> Any:
        """Any moment of a game between these players. The facts are fields of the state; those not
        given are natural. Sheets may be dicts of rows, in the players' order or by their names.

        >>> school = {"1": 0, "2": 2, "3": 0, "4": 4, "5": 0, "6": 0}
        >>> state = DicePoker().deal("Ana", sheets=[school], throw=(3, 3, 3, 5, 5), throws_left=1)
        >>> state.scores, state.round, state.points_now(state.open_rows[5])
        ((56,), 6, 19)

        Raises ValueError for a moment that cannot be.
        """
        start = self.start(*players)
        sheets = facts.get("sheets")
        if isinstance(sheets, Mapping):
            named = {index_of(name, start.players): sheet for name, sheet in sheets.items()}
            sheets = [named.get(who, {}) for who in range(len(start.players))]
        if isinstance(sheets, list | tuple):
            facts["sheets"] = [self._by_row(sheet or {}) for sheet in sheets]
        return dealt(start, facts)

    def _by_row(self, sheet: Any) -> Any:
        """A sheet with its values row by row, also from a dict of rows."""
        rows = self.sheet.rows
        if isinstance(sheet, Mapping):
            for name in sheet:
                self.row(name)
            sheet = [sheet.get(row.name) for row in rows]
        if not isinstance(sheet, list | tuple) or len(sheet) != len(rows):
            said = {"n": len(rows), "given": f"{sheet!r:.40}"}
            raise ValueError(_("a sheet has {n} rows, not {given}", **said))
        return sheet


@dataclass(frozen=True)
class DicePokerState(State):
    """A moment in a game of dice poker.

    `sheets` are the points that each player has written, row by row, None where it is empty;
    `throw` the five dice on the table, `held` those not thrown again, `throws_left` how many
    throws the round still has, `round` the number of rounds that all have finished; `stage` one
    of "begin", "rolling" (chance), "thrown" and "over".
    """

    stages = ("begin", "rolling", "thrown", "over")

    sheets: tuple[tuple[int | None, ...], ...]
    throws_left: int
    throw: tuple[int, ...] = ()
    held: tuple[int, ...] = ()
    round: int = 0

    @property
    def turn_begins(self) -> bool:
        return self.stage == "begin"

    @property
    def winners(self) -> tuple[int, ...]:
        if not self.is_terminal:
            return ()
        best = max(self.scores)
        return tuple(who for who, score in enumerate(self.scores) if score == best)

    @property
    def settlement(self) -> tuple[Fraction, ...]:
        """Each player's points above or below the mean of all; they sum to zero."""
        mean = Fraction(sum(self.scores), len(self.scores))
        return tuple(score - mean for score in self.scores)

    @property
    def returns(self) -> tuple[Fraction, ...]:
        """The settlement, 0 until the game is over."""
        return self.settlement if self.is_terminal else (Fraction(0),) * len(self.players)

    @property
    def is_first_throw(self) -> bool:
        """Whether the dice on the table are the first throw of the round."""
        return self.throws_left == self.rules.sheet.throws - 1

    @property
    def open_rows(self) -> tuple[Row, ...]:
        """The rows that the player may fill now: those still empty, part one before part two."""
        pairs = zip(self.rules.sheet.rows, self.sheets[self.player], strict=True)
        rows = tuple(row for row, value in pairs if value is None)
        school = tuple(row for row in rows if row.part == SCHOOL)
        return school if school and self.rules.sheet.in_order else rows

    def points_now(self, row: Row) -> int | None:
        """What the dice on the table would bring in a row; None for a combination not there."""
        return self.rules.points(row.name, self.throw, self.is_first_throw)

    def legal_actions(self) -> tuple[Action, ...]:
        if self.stage == "begin":
            return (Throw(),)
        if self.stage != "thrown":
            return ()
        writes = tuple(Write(row.name) for row in self.open_rows if self._may_write(row))
        passes = (Pass(),) if self._may_pass else ()
        return (*writes, *passes, *(_holds(self.throw) if self.throws_left else ()))

    def _may_write(self, row: Row) -> bool:
        if self.rules.chance == "fallback" and not row.face and not row.patterns:
            others = (other for other in self.open_rows if other.patterns)
            return not self.throws_left and all(self.points_now(o) is None for o in others)
        return self.points_now(row) is not None or self.rules.dashes == "at once"

    @property
    def _may_pass(self) -> bool:
        school = any(row.part == SCHOOL for row in self.open_rows)
        return self.rules.dashes == "at the end" and not school

    def _why_not(self, action: Action) -> str:
        if self.stage == "thrown" and isinstance(action, Write):
            row = self.rules.row(action.row)
            if self.sheets[self.player][self.rules.sheet.rows.index(row)] is not None:
                return _("that row is written already")
            if row not in self.open_rows:
                return _("part one must be full first")
            if not row.patterns:
                return _("chance is for three throws that hold no combination of a free row")
            return _("the dice are {dice}, and dashes come at the end", dice=dashed(self.throw))
        if self.stage == "thrown" and isinstance(action, Hold):
            if not self.throws_left:
                return _("there is no throw left in this round")
            return _(
                "the dice are {dice}, and at least one must be thrown", dice=dashed(self.throw)
            )
        return super()._why_not(action)

    def _act(self, action: Any) -> Any:
        if isinstance(action, Throw):
            return replace(self, stage="rolling", held=(), dice=self.rules.all_dice)
        if isinstance(action, Hold):
            left = self.rules.all_dice - len(action.dice)
            return replace(self, stage="rolling", held=action.dice, dice=left)
        return self._next_turn(self._written(action) if isinstance(action, Write) else self)

    def _written(self, action: Write) -> Any:
        row = self.rules.row(action.row)
        place = self.rules.sheet.rows.index(row)
        sheet = put(self.sheets[self.player], place, self.points_now(row) or 0)
        scores = put(self.scores, self.player, self.rules.total(sheet))
        return replace(self, sheets=put(self.sheets, self.player, sheet), scores=scores)

    def _thrown(self, throw: tuple[int, ...]) -> Any:
        dice, left = tuple(sorted((*self.held, *throw))), self.throws_left - 1
        fresh = {"held": (), "dice": self.rules.all_dice}
        return replace(self, stage="thrown", throw=dice, throws_left=left, **fresh)

    def _next_turn(self, after: Any) -> Any:
        played = self.round + (self.following == 0)
        over = played == len(self.rules.sheet.rows)
        if over:
            full = tuple(tuple(value or 0 for value in sheet) for sheet in after.sheets)
            after = replace(after, sheets=full, scores=tuple(map(self.rules.total, full)))
        stage, player = ("over", self.player) if over else ("begin", self.following)
        fresh = {"throw": (), "dice": self.rules.all_dice, "throws_left": self.rules.sheet.throws}
        return replace(after, stage=stage, player=player, round=played, **fresh)

    # Any moment

    def natural(self, given: dict[str, Any]) -> dict[str, Any]:
        sheets = given.get("sheets", self.sheets)
        many, rows = len(sheets), len(self.rules.sheet.rows)
        written = [len(sheet) - sheet.count(None) for sheet in sheets]
        over = min(written) == rows
        who = given.get("player", many - 1 if over else written.index(min(written)))
        rounds = max(n - (other < who) for other, n in enumerate(written))
        throw, held = given.get("throw", ()), given.get("held", ())
        return {
            "scores": tuple(map(self.rules.total, sheets)),
            "player": who,
            "round": rows if over else rounds,
            "stage": "over" if over else "rolling" if held else "thrown" if throw else "begin",
            "dice": self.rules.all_dice - len(held),
            "throws_left": self.rules.sheet.throws - bool(throw),
        }

    def impossible(self) -> Iterator[str]:
        yield from super().impossible()
        for who in range(len(self.players)):
            yield from self._impossible_sheet(who)
        if self.scores != tuple(map(self.rules.total, self.sheets)):
            yield _("the scores are what the sheets add up to, with the bonus")
        rows = len(self.rules.sheet.rows)
        if not 0 <= self.round < rows + self.is_terminal:
            yield _("{n} rounds cannot have been played: there are {rows}", n=self.round, rows=rows)
        if len(self.throw) not in (0, self.rules.all_dice):
            yield wrong_number(self.rules, len(self.throw))
        if not self._dice_fit():
            text = N_("these dice and throws cannot be at this stage of a round: {stage}")
            yield _(text, stage=self.stage)

    def _impossible_sheet(self, who: int) -> Iterator[str]:
        rules, sheet, worths = self.rules, self.sheets[who], _worths(self.rules)
        for row, value in zip(rules.sheet.rows, sheet, strict=True):
            late = value == 0 and self.is_terminal and rules.dashes == "at the end"
            if value is not None and value not in worths[row.name] and not late:
                said = {"name": self.players[who], "row": _(row.name), "points": value}
                yield _("{name} cannot have {points} points in this row: {row}", **said)
        parts = zip(rules.sheet.rows, sheet, strict=True)
        free = [row.part for row, value in parts if value is None]
        second = len(rules.sheet.names(SECOND))
        if rules.sheet.in_order and SCHOOL in free and free.count(SECOND) < second:
            yield _("part one must be full first")
        due = len(sheet) if self.is_terminal else self.round + (who < self.player)
        written, passes = len(sheet) - len(free), rules.dashes == "at the end"
        if written > due or (written < due and not (passes and SCHOOL not in free)):
            said = {"name": self.players[who], "n": written, "due": due}
            yield _("{name} has {n} rows written, and it should be {due}", **said)

    def _dice_fit(self) -> bool:
        """Whether dice and throws are as they can be at this stage."""
        most, left = self.rules.sheet.throws, self.throws_left
        if self.dice != self.rules.all_dice - len(self.held):
            return False
        if self.stage == "thrown":
            return bool(self.throw) and not self.held and 0 <= left < most
        if self.stage == "rolling" and self.throw:
            return 0 < left < most and bool(without(self.throw, self.held))
        fresh = not self.throw and not self.held and left == most
        return fresh and (not self.is_terminal or self.following == 0)


@cache
def _worths(rules: DicePoker) -> dict[str, set[int]]:
    """The points that can be written in each row."""
    made = [(throw, first) for throw in multisets(rules.all_dice) for first in (True, False)]
    names = [row.name for row in rules.sheet.rows]
    return {name: {rules.points(name, *throw) or 0 for throw in made} for name in names}


@cache
def _holds(throw: tuple[int, ...]) -> tuple[Hold, ...]:
    """Everything that may be held of a throw, the most dice first."""
    parts = {part for n in range(len(throw)) for part in combinations(throw, n)}
    return tuple(Hold(part) for part in sorted(parts, key=lambda part: (-len(part), part)))
