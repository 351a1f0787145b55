"""Farkle, also called Dez mil: six dice, 10,000 points, one last round.

The rules are those of a text on Farkle (Portuguese, "Regras do Farkle: como jogar o Dez
mil com dados"). A turn is the common one of `dicekit.games.banking`; Farkle's own are its table,
three farkles in a row, and the last round in which everybody else may pass the first to reach
the target.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from dicekit.dice import FACES
from dicekit.games.banking import BankingRules, BankingState
from dicekit.games.options import choice, points, switch
from dicekit.games.scoring import ONES_FIVES_TRIPLETS, Table
from dicekit.words import N_, _

FARKLE = Table(
    ONES_FIVES_TRIPLETS
    | {"aaaa": 1000, "aaaaa": 2000, "aaaaaa": 3000}
    | {"123456": 1500, "aabbcc": 1500, "aaaabb": 1500, "aaabbb": 2500}  # all six dice
)
ALIKE = {"multiples": (2, 3, 4), "doubling": (2, 4, 8)}


@dataclass(frozen=True, kw_only=True, repr=False)
class Farkle(BankingRules):
    """The rules of Farkle, checked when they are made.

    >>> game = Farkle(opening=500)
    >>> game.score((1, 1, 1, 1)), game.score((1, 4))
    (1100, None)
    >>> game.is_bust((2, 3, 4))
    True

    The first to `target` wins, after one last turn of the others if there is a `last_round`.
    `opening` is the least for a player's first bank, `minimum` for every bank, `farkle_penalty`
    what the third turn in a row without points costs, all in points.

    `table` is the scoring table; `Farkle().table | {"aabbcc": None}` has no three pairs.
    `three_pairs` and `alike` change its rows; at their defaults the table stands as it is.
    `alike="multiples"` makes four, five, six alike 2, 3, 4 times the triplet, "doubling" 2, 4,
    8 times. Raises ValueError for a value that makes no game.
    """

    name: ClassVar[str] = "Farkle"
    all_dice: ClassVar[int] = 6
    bust: ClassVar[str] = N_("Farkle")
    all_aside: ClassVar[str] = N_("hot dice")

    target: int = points(10_000, N_("Play to"), 10_000, 5000, 2000, least=50)
    opening: int = points(0, N_("First bank of each player at least"), 0, 500)
    three_pairs: int = choice(1500, N_("Three pairs are worth"), {1500: "", 750: ""})
    alike: str = choice(
        "table",
        N_("Four, five, six alike are worth"),
        {
            "table": N_("1,000, 2,000, 3,000"),
            "multiples": N_("2, 3, 4 × the triplet"),
            "doubling": N_("2, 4, 8 × the triplet"),
        },
    )
    farkle_penalty: int = points(0, N_("Fine for three farkles in a row"), 0, 500, 1000)
    minimum: int = points(0, N_("Every bank at least"), 0, 300, step=1)
    last_round: bool = switch(True, N_("The others get one last turn"))
    table: Table = FARKLE

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.table, Table) or not self.table:
            raise ValueError(f"table must be a Table with at least one row, not {self.table!r}")

    @cached_property
    def rows(self) -> Table:
        """The scoring table with `three_pairs` and `alike` worked in."""
        changes: dict[str, int | None] = {}
        if self.three_pairs != 1500 and "aabbcc" in self.table:
            changes["aabbcc"] = self.three_pairs
        if self.alike != "table":
            for n, times in zip((4, 5, 6), ALIKE[self.alike], strict=True):
                changes["a" * n] = None
                for face in map(str, FACES):
                    if triplet := self.table.row((int(face),) * 3):
                        changes[face * n] = times * triplet
        return self.table | changes

    def table_for(self, thrown: int) -> Table:
        return self.rows

    def after_three_misses(self, score: int) -> int | None:
        return score - self.farkle_penalty if self.farkle_penalty else None

    def start(self, *players: str) -> FarkleState:
        """The first state of a game between these players, in their order.

        >>> Farkle().start("A", "B").legal_actions()
        (Throw(),)

        Raises ValueError if a name is empty or there twice.
        """
        return FarkleState.begin(self, players)


@dataclass(frozen=True)
class FarkleState(BankingState):
    """A moment in a game of Farkle.

    `opener` is the player whose bank opened the last round, `leader` the one whose score must
    be passed in it; both are None before.
    """

    opener: int | None = None
    leader: int | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        return (self.leader,) if self.is_terminal and self.leader is not None else ()

    def _end_turn(self, banked: int) -> Any:
        after = self._settled(self.player, banked)
        if banked and after._leads():
            opener = self.player if self.opener is None else self.opener
            after = replace(after, leader=self.player, opener=opener)
        return after._over() if after._last_turn_was_played() else after._pass_on()

    def _leads(self) -> bool:
        """Whether the player has just set the score that the others must pass."""
        best = self.rules.target - 1 if self.leader is None else self.scores[self.leader]
        return self.scores[self.player] > best

    def _last_turn_was_played(self) -> bool:
        ends = not self.rules.last_round or self.following == self.opener
        return self.opener is not None and ends

    # Any moment

    def natural(self, given: dict[str, Any]) -> dict[str, Any]:
        facts = super().natural(given)
        state = replace(self, **{name: given[name] for name in ("scores", "player") & given.keys()})
        reached = state._reached()
        leader = max(reached, key=lambda who: state.scores[who], default=None)
        return facts | {"opener": reached[0] if reached else None, "leader": leader}

    def _reached(self) -> list[int]:
        """Who has reached the target, in the order in which they did."""
        many = len(self.players)
        order = [(self.following + n) % many for n in range(many)]
        return [who for who in order if self.scores[who] >= self.rules.target]

    def impossible(self) -> Iterator[str]:
        yield from super().impossible()
        natural, reached = self.natural(vars(self)), self._reached()
        if (self.opener, self.leader) != (natural["opener"], natural["leader"]):
            yield _("who opened the last round and who leads follows from the scores and the turn")
        if self.is_terminal:
            last = [self.following] if self.rules.last_round else [self.player]
            if reached[:1] != last or (len(reached) > 1 and not self.rules.last_round):
                yield _("the game is not over yet")
        elif self.player in reached:
            name = self.players[self.player]
            yield _("{name} has reached the target and has no turn any more", name=name)
        elif reached and not self.rules.last_round:
            yield _(
                "{name} has reached the target: the game is over", name=self.players[reached[0]]
            )
