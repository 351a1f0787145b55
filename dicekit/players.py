"""Computer opponents. A player is a function from a state to one of its legal actions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dicekit.games.states import Action, Bank, Decline, Hold, SetAside, Throw, Write
from dicekit.solve.turn import Option, Rule, StopsWhen, Turn, rule_of

Player = Callable[[Any], Action]


class _PlaysTurns:
    """Plays a turn by its `rule`, and in a last round until it passes the score that leads. It
    takes nobody's turn over."""

    def __call__(self: Any, state: Any) -> Action:
        actions = _to_choose_from(state)
        if Decline() in actions:
            return Decline()
        if isinstance(actions[0], SetAside):
            return self._aside(state)
        if Bank() in actions and self._stops(state):
            return Bank()
        announced = Throw(self.rule.announces(state.points, state.dice))
        return announced if announced in actions else Throw()

    def _stops(self: Any, state: Any) -> bool:
        leader = getattr(state, "leader", None)
        if leader is None:
            return self.rule.bank(state.points, state.dice)
        return state.scores[state.player] + state.points > state.scores[leader]

    def _aside(self: Any, state: Any) -> SetAside:
        if isinstance(self.rule, StopsWhen):
            return _most_points(state.rules, state.throw)
        options = _options(self.rule.turn, state.throw, getattr(state, "right", False))
        return SetAside(options[self.rule.picks(tuple(sorted(options)), state.points)])


@dataclass(frozen=True)
class BanksAt(_PlaysTurns):
    """Sets aside the most points, with the most dice among equals, and banks as soon as the turn
    is worth `points`.

    In a last round it goes on until it passes the score that leads. It takes nobody's turn over,
    and announces nothing.

    >>> print(BanksAt(300))
    banks at 300
    """

    points: int = 300

    def __post_init__(self) -> None:
        if isinstance(self.points, bool) or not isinstance(self.points, int) or self.points < 0:
            raise ValueError(f"banks at how many points? A whole number, not {self.points!r}")

    def __str__(self) -> str:
        return f"banks at {self.points}"

    @property
    def rule(self) -> StopsWhen:
        """What it does in a turn."""
        return StopsWhen(lambda points, dice: points >= self.points, 0)


@dataclass(frozen=True)
class TurnPlayer(_PlaysTurns):
    """Plays each turn by a rule for turns, as `turn_result` takes it; `of` makes one.

    >>> from dicekit.games.farkle import Farkle
    >>> player = TurnPlayer.of(lambda points, dice: points >= 300 or dice == 1, Farkle())
    >>> player(Farkle().start("Ana"))
    Throw()
    """

    rule: Rule

    @classmethod
    def of(cls, rule: Any, game: Any) -> TurnPlayer:
        """The player with this rule in this game. Raises ValueError if it is none."""
        return cls(rule_of(rule, game))


@lru_cache(maxsize=10_000)
def _most_points(rules: Any, throw: tuple[int, ...]) -> SetAside:
    found = rules.set_asides(throw)
    return SetAside(max(found, key=lambda dice: (rules.score(dice, len(throw)), len(dice))))


@lru_cache(maxsize=10_000)
def _options(turn: Turn, throw: tuple[int, ...], right: bool) -> dict[Option, tuple[int, ...]]:
    return turn.options(throw, right)


def _to_choose_from(state: Any) -> tuple[Action, ...]:
    if actions := state.legal_actions():
        return actions
    raise ValueError("no player acts now: the dice are rolling, or the game is over")


@dataclass(frozen=True)
class HoldsAlike:
    """Fills a score sheet: holds the most dice alike, and writes the row worth the most.

    >>> print(HoldsAlike())
    holds dice alike
    """

    def __str__(self) -> str:
        return "holds dice alike"

    def __call__(self, state: Any) -> Action:
        actions = _to_choose_from(state)
        if not hasattr(state, "open_rows"):
            raise ValueError(f"who {self} needs a score sheet, and {state.rules.name} has none")
        if actions == (Throw(),):
            return Throw()
        held = self._held(state)
        if state.throws_left and held in actions:
            return held
        writes = [action for action in actions if isinstance(action, Write)]
        return max(writes, key=lambda action: self._worth(state, action)) if writes else actions[0]

    def _held(self, state: Any) -> Hold:
        """The most dice alike, of a face that is still of use if there is one."""
        wanted = {row.face for row in state.open_rows if row.face}
        throw = state.throw
        best = max(throw, key=lambda face: (not wanted or face in wanted, throw.count(face), face))
        return Hold((best,) * throw.count(best))

    def _worth(self, state: Any, action: Write) -> tuple[int, int]:
        row = state.rules.row(action.row)
        points = state.points_now(row)
        made = -1 if points is None else points
        return made, -len(row.patterns[0]) if row.patterns else 0


def player_named(words: str) -> Player:
    """The computer player that calls itself so.

    >>> player_named("banks at 300")
    BanksAt(points=300)

    Raises ValueError if there is none.
    """
    if words == str(HoldsAlike()):
        return HoldsAlike()
    if isinstance(words, str) and (match := re.fullmatch(r"banks at (\d{1,6})", words)):
        return BanksAt(int(match[1]))
    raise ValueError(f"there is no computer player that {words!r}")
