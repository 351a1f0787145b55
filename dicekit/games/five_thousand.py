"""5000, the French game: five dice, 5,000 points, and six variants that can all be combined.

The rules are those of the seed text on 5000 (French, "Dans cet article, je vais vous présenter
les règles du jeu 5 000"). A turn is the common one of `dicekit.games.banking`. What differs from
Farkle: five dice; combinations that need a throw of all five; dice that score *must* be set
aside; five 5s that win at once; the first to bank the target wins, without a last round; and the
six variants. No two of them know of each other, but for the order in which a turn is settled:
the bank or its loss with what equal scores bring, then the turns without points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd
from typing import Any, ClassVar

from dicekit.dice import check_throw
from dicekit.games.banking import BankingRules, BankingState
from dicekit.games.options import choice, points, switch
from dicekit.games.scoring import ONES_FIVES_TRIPLETS, Table, row_name
from dicekit.games.states import Action, Bank, Decline, TakeOver, Throw, put

FIVE_THOUSAND = Table(ONES_FIVES_TRIPLETS | {"12345": 1500, "23456": 1500})
STRAIGHTS = {"small_straight": "12345", "large_straight": "23456"}


@dataclass(frozen=True, kw_only=True, repr=False)
class FiveThousand(BankingRules):
    """The rules of 5000, checked when they are made.

    >>> game = FiveThousand()
    >>> game.score((4, 4, 4)), game.score((4, 4, 4), thrown=3)
    (400, None)
    >>> FiveThousand.beginner()
    FiveThousand(opening=0, minimum=0)

    `small_straight` and `large_straight` change rows of the `table`; at 1500 the table stands as
    it is, at 0 the row is left out. `prediction` doubles after a right announcement of two dice:
    the "throw", the "turn" so far, or the "total" of score and turn. `steal` is the coup de
    maître: after the "first throw" that scores the bank is lost, or only when the thief's
    "turn" ends in a bank. Raises ValueError for a value that makes no game.
    """

    name: ClassVar[str] = "5000"
    all_dice: ClassVar[int] = 5
    bust: ClassVar[str] = "No points"
    all_aside: ClassVar[str] = "a full hand"

    target: int = points(5000, "Play to", 5000, 3000, 10_000, least=50)
    exact: bool = switch(False, "The target must be hit exactly")
    opening: int = points(750, "First bank of each player at least", 750, 500, 0)
    minimum: int = points(500, "Every bank at least", 500, 0, step=1)
    keep: str = choice(
        "all", "Dice that score", {"all": "must all be set aside", "any": "at least one"}
    )
    combinations: str = choice(
        "five dice",
        "Three alike count",
        {"five dice": "in a throw of five dice", "any throw": "in any throw"},
    )
    small_straight: int = points(1500, "Small straight 1-2-3-4-5", 1500, 300, 0, step=1)
    large_straight: int = points(1500, "Large straight 2-3-4-5-6", 1500, 300, 0, step=1)
    wins_at_once: str | None = choice(
        "five 5s",
        "Wins the game at once",
        {
            "five 5s": "five 5s in one throw",
            "five 1s": "five 1s in one throw",
            "five alike": "any five alike in one throw",
            None: "nothing",
        },
    )
    full_hand: str = choice(
        "may", "After a full hand", {"may": "bank or throw all five", "must": "throw all five"}
    )
    no_equal_scores: bool = switch(False, "Equal scores throw back")
    three_zeros: bool = switch(False, "Three zeros in a row lose everything")
    prediction: str | None = choice(
        None,
        "A right announcement of two dice doubles",
        {None: "nothing", "throw": "the throw", "turn": "the turn", "total": "score and turn"},
    )
    no_repeat: bool = switch(False, "Never bank the same twice running")
    steal: str | bool = choice(
        False,
        "Taking over a turn (coup de maître)",
        {False: "not allowed", "first throw": "by the first throw", "turn": "by the whole turn"},
    )
    first: str = choice(
        "order", "Who begins", {"order": "the first name", "highest throw": "the highest throw"}
    )
    table: Table = FIVE_THOUSAND

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.exact:
            self._check_exact()

    def _check_exact(self) -> None:
        for row, value in self.rows.items():
            if value % 50:
                words = f"{row_name(row)} is {value}"
                raise ValueError(f"exact needs rows that are multiples of 50, but {words}")
        step = gcd(*self.rows.values())
        if self.target % step:
            words = f"so nobody can land on {self.target}"
            raise ValueError(f"exact: all rows are multiples of {step}, {words}")

    @classmethod
    def official(cls, **options: Any) -> FiveThousand:
        """The seed's "official rules": 750 to open, at least 500 after that."""
        return cls(**options)

    @classmethod
    def beginner(cls, **options: Any) -> FiveThousand:
        """Without any minimum, to get to know the game."""
        return cls(**{"opening": 0, "minimum": 0} | options)

    @cached_property
    def rows(self) -> Table:
        """The scoring table with the straights worked in."""
        worth = {row: getattr(self, name) for name, row in STRAIGHTS.items()}
        changed = {row: value or None for row, value in worth.items() if value != 1500}
        return self.table | changed

    @cached_property
    def _short_rows(self) -> Table:
        """The rows that count in a throw of fewer than five dice."""
        most = 1 if self.combinations == "five dice" else self.all_dice
        return Table({row: value for row, value in self.rows.items() if len(row) <= most})

    def table_for(self, thrown: int) -> Table:
        return self.rows if thrown == self.all_dice else self._short_rows

    def is_win(self, throw: tuple[int, ...]) -> bool:
        """Whether this sorted throw wins the game at once."""
        if len(throw) < self.all_dice or throw[0] != throw[-1]:
            return False
        face = {"five 5s": 5, "five 1s": 1, "five alike": throw[0]}.get(self.wins_at_once or "")
        return throw[0] == face

    def is_bust(self, throw: Any) -> bool:
        return super().is_bust(throw) and not self.is_win(check_throw(throw))

    def set_asides(self, throw: Any) -> tuple[tuple[int, ...], ...]:
        """What may be set aside from a throw. Where all that scores must be, that is one thing:
        the most points, and among equals the most dice."""
        found = super().set_asides(throw)
        if self.keep == "any" or not found:
            return found
        thrown = len(throw)
        return (max(found, key=lambda dice: (self.score(dice, thrown) or 0, len(dice))),)

    def after_three_misses(self, score: int) -> int | None:
        return 0 if self.three_zeros else None

    def start(self, *players: str) -> FiveThousandState:
        """The first state of a game between these players, in their order.

        Raises ValueError if a name is empty or there twice.
        """
        many = len(players)
        own = {"gains": ((),) * many, "last_turns": (None,) * many}
        state = FiveThousandState.begin(self, players, **own)
        if self.first == "order" or many == 1:
            return state
        return replace(state, contenders=tuple(range(many)), dice=1)


@dataclass(frozen=True)
class FiveThousandState(BankingState):
    """A moment in a game of 5000.

    `gains` is what each player's banks have brought, the latest last; `last_turns` what each
    player's last turn brought, None before it; `guess` the sum announced for the throw that is
    due, `right` whether it came; `offer` the player whose bank waits to be taken over or not,
    and its points, `taking` whether the thief has yet to throw. While it is still open who
    begins, `contenders` are the players in question and `shown` the dice they threw.
    """

    gains: tuple[tuple[int, ...], ...] = ()
    last_turns: tuple[int | None, ...] = ()
    guess: int | None = None
    right: bool = False
    offer: Any = None
    taking: bool = False
    contenders: tuple[int, ...] = ()
    shown: tuple[int, ...] = ()
    winner: int | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        return () if self.winner is None else (self.winner,)

    @property
    def turn_begins(self) -> bool:
        own = super().turn_begins and not self.taking and not self.contenders
        return self.stage == "offered" or own

    # What may be done

    @property
    def can_bank(self) -> bool:
        lands = self.rules.exact and self.scores[self.player] + self.points == self.rules.target
        return (
            (super().can_bank or (lands and self.points > 0))
            and not self.taking
            and not (self.rules.full_hand == "must" and self.dice == self.rules.all_dice)
            and not (self.rules.no_repeat and self.points == self.last_turns[self.player])
        )

    def legal_actions(self) -> tuple[Action, ...]:
        if self.stage == "offered":
            return (TakeOver(), Decline())
        return super().legal_actions()

    def _throws(self) -> tuple[Throw, ...]:
        if self.rules.prediction is None or self.dice != 2:
            return super()._throws()
        return (Throw(), *(Throw(predict=total) for total in range(2, 13)))

    def _why_not(self, action: Action) -> str:
        if isinstance(action, Bank) and self.stage == "choose" and self.points and not self.taking:
            if self.rules.full_hand == "must" and self.dice == self.rules.all_dice:
                return "after a full hand all dice must be thrown"
            if self.rules.no_repeat and self.points == self.last_turns[self.player]:
                return f"the turn before brought {self.points} too"
        return super()._why_not(action)

    # What comes of it

    def _act(self, action: Action) -> Any:
        if isinstance(action, Decline):
            after = self._after_offer()._bank_stands(*self.offer)
            return replace(after, stage="choose", points=0, dice=self.rules.all_dice)
        if isinstance(action, TakeOver):
            return replace(self, stage="choose", taking=True)
        after = super()._act(action)
        if isinstance(action, Throw):
            return replace(after, guess=action.predict)
        if after.stage == "choose":
            after = replace(after, right=False)
            if self.rules.exact and after.scores[self.player] + after.points > self.rules.target:
                return after._end_turn(0)
        return after

    def _thrown(self, throw: tuple[int, ...]) -> Any:
        if self.contenders:
            return self._who_begins(throw[0])
        if self.rules.is_win(throw):
            after = self._first_throw_taken()
            if after.offer is not None:
                after = after._after_offer()._bank_stands(*after.offer)
            return replace(after, winner=self.player)._over()
        if self.rules.is_bust(throw):
            return replace(self, guess=None)._end_turn(0)
        right = sum(throw) == self.guess
        after = self._first_throw_taken()
        return replace(after, stage="thrown", throw=throw, right=right, guess=None)

    def collected(self, gained: int) -> int:
        turn = self.points + gained
        if not self.right:
            return turn
        score = self.scores[self.player]
        doubled = {"throw": turn + gained, "turn": 2 * turn, "total": 2 * (score + turn) - score}
        return doubled[self.rules.prediction]

    def _end_turn(self, banked: int) -> Any:
        after = self._after_offer()
        if self.offer is not None:
            after = after._settled(self.offer[0], 0) if banked else after._bank_stands(*self.offer)
        if not banked:
            return after._settled(self.player, 0)._pass_on()
        if after.scores[self.player] + banked >= self.rules.target:
            return replace(after._settled(self.player, banked), winner=self.player)._over()
        if self.rules.steal and len(self.players) > 1:
            offer = self.player, banked
            return replace(after, stage="offered", player=self.following, offer=offer)
        return after._bank_stands(self.player, banked)._pass_on()

    def _settled(self, who: int, points: int) -> Any:
        after = super()._settled(who, points)
        gains = (*self.gains[who], points) if points else self.gains[who]
        return replace(
            after,
            gains=put(self.gains, who, gains if after.scores[who] else ()),
            last_turns=put(self.last_turns, who, points),
        )

    def _bank_stands(self, who: int, points: int) -> Any:
        """The state after a bank that nobody takes away any more, and whom it throws back."""
        after = self._settled(who, points)
        landed = who
        while self.rules.no_equal_scores and after.scores[landed]:
            same = [k for k, score in enumerate(after.scores) if score == after.scores[landed]]
            same.remove(landed)
            if not same:
                break
            landed = same[0]
            *gains, last = after.gains[landed]
            after = replace(
                after,
                scores=put(after.scores, landed, after.scores[landed] - last),
                gains=put(after.gains, landed, tuple(gains)),
            )
        return after

    # Taking over a turn

    def _after_offer(self) -> Any:
        return replace(self, offer=None, taking=False)

    def _first_throw_taken(self) -> Any:
        """The state after a thief's first throw has scored."""
        if self.taking and self.rules.steal == "first throw":
            return self._after_offer()._settled(self.offer[0], 0)
        return replace(self, taking=False)

    # Who begins

    def _who_begins(self, face: int) -> Any:
        shown = (*self.shown, face)
        if len(shown) < len(self.contenders):
            return replace(self, stage="choose", shown=shown, player=self.contenders[len(shown)])
        pairs = zip(self.contenders, shown, strict=True)
        best = tuple(who for who, threw in pairs if threw == max(shown))
        after = replace(self, stage="choose", contenders=best, shown=(), player=best[0])
        return after if len(best) > 1 else replace(after, contenders=(), dice=self.rules.all_dice)
