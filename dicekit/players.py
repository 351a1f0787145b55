"""Computer opponents. A player is a function from a state to one of its legal actions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dicekit.games.states import Action, Bank, Decline, Hold, SetAside, Throw, Write

Player = Callable[[Any], Action]


@dataclass(frozen=True)
class BanksAt:
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

    def __call__(self, state: Any) -> Action:
        actions = state.legal_actions()
        if not actions:
            raise ValueError("no player acts now: the dice are rolling, or the game is over")
        if Decline() in actions:
            return Decline()
        if isinstance(actions[0], SetAside):
            return max(
                actions,
                key=lambda a: (state.rules.score(a.dice, len(state.throw)), len(a.dice)),
            )
        return Bank() if Bank() in actions and self._is_enough(state) else Throw()

    def _is_enough(self, state: Any) -> bool:
        leader = getattr(state, "leader", None)
        if leader is None:
            return state.points >= self.points
        return state.scores[state.player] + state.points > state.scores[leader]


@dataclass(frozen=True)
class HoldsAlike:
    """Fills a score sheet: holds the most dice alike, and writes the row worth the most.

    >>> print(HoldsAlike())
    holds dice alike
    """

    def __str__(self) -> str:
        return "holds dice alike"

    def __call__(self, state: Any) -> Action:
        actions = state.legal_actions()
        if not actions:
            raise ValueError("no player acts now: the dice are rolling, or the game is over")
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
