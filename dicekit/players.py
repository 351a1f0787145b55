"""Computer opponents. A player is a function from a state to one of its legal actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dicekit.games.states import Action, Bank, SetAside, Throw


@dataclass(frozen=True)
class BanksAt:
    """Sets aside the most points, and banks as soon as the turn is worth `points`.

    In a last round it goes on until it passes the score that leads.

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
