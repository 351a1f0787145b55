"""5000, the French game: five dice, 5,000 points, and six variants that can all be combined.

The rules are those of a text on 5000 (French, "Dans cet article, je vais vous présenter
les règles du jeu 5 000"). A turn is the common one of `dicekit.games.banking`. What differs from
Farkle: five dice; combinations that need a throw of all five; dice that score *must* be set
aside; five 5s that win at once; the first to bank the target wins, without a last round; and the
six variants. No two of them know of each other, but for the order in which a turn is settled:
the bank or its loss with what equal scores bring, then the turns without points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd
from typing import Any, ClassVar

from dicekit.dice import FACES, check_throw
from dicekit.games.banking import BankingRules, BankingState
from dicekit.games.options import choice, points, switch
from dicekit.games.scoring import ONES_FIVES_TRIPLETS, Table, row_name
from dicekit.games.states import Action, Bank, Decline, TakeOver, Throw, put
from dicekit.words import N_, _

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

    `opening` is the least for a player's first bank, `minimum` for every bank, in points. With
    `exact` the `target` must be hit, not passed. `keep="any"` lets dice that score be thrown
    again, `combinations="any throw"` counts three and more alike with fewer than five dice thrown;
    after a `full_hand`, five dice set aside, all five "may" or "must" be thrown again.
    `no_equal_scores` takes the last bank of whoever is caught up with, `three_zeros` the whole
    score after three turns without points; `no_repeat` forbids to bank the same twice running.

    `small_straight` and `large_straight` change rows of the `table`; at 1500 the table stands as
    it is, at 0 the row is left out. `prediction` doubles after a right announcement of two dice:
    the "throw", the "turn" so far, or the "total" of score and turn. `steal` is the coup de
    maître: after the "first throw" that scores the bank is lost, or only when the thief's
    "turn" ends in a bank. Raises ValueError for a value that makes no game.
    """

    name: ClassVar[str] = "5000"
    all_dice: ClassVar[int] = 5
    bust: ClassVar[str] = N_("No points")
    all_aside: ClassVar[str] = N_("a full hand")

    target: int = points(5000, N_("Play to"), 5000, 3000, 10_000, least=50)
    exact: bool = switch(False, N_("The target must be hit exactly"))
    opening: int = points(750, N_("First bank of each player at least"), 750, 500, 0)
    minimum: int = points(500, N_("Every bank at least"), 500, 0, step=1)
    keep: str = choice(
        "all",
        N_("Dice that score"),
        {"all": N_("must all be set aside"), "any": N_("at least one")},
    )
    combinations: str = choice(
        "five dice",
        N_("Three alike count"),
        {"five dice": N_("in a throw of five dice"), "any throw": N_("in any throw")},
    )
    small_straight: int = points(1500, N_("Small straight 1-2-3-4-5"), 1500, 300, 0, step=1)
    large_straight: int = points(1500, N_("Large straight 2-3-4-5-6"), 1500, 300, 0, step=1)
    wins_at_once: str | None = choice(
        "five 5s",
        N_("Wins the game at once"),
        {
            "five 5s": N_("five 5s in one throw"),
            "five 1s": N_("five 1s in one throw"),
            "five alike": N_("any five alike in one throw"),
            None: N_("nothing"),
        },
    )
    full_hand: str = choice(
        "may",
        N_("After a full hand"),
        {"may": N_("bank or throw all five"), "must": N_("throw all five")},
    )
    no_equal_scores: bool = switch(False, N_("Equal scores throw back"))
    three_zeros: bool = switch(False, N_("Three zeros in a row lose everything"))
    prediction: str | None = choice(
        None,
        N_("A right announcement of two dice doubles"),
        {
            None: N_("nothing"),
            "throw": N_("the throw"),
            "turn": N_("the turn"),
            "total": N_("score and turn"),
        },
    )
    no_repeat: bool = switch(False, N_("Never bank the same twice running"))
    steal: str | bool = choice(
        False,
        N_("Taking over a turn (coup de maître)"),
        {
            False: N_("not allowed"),
            "first throw": N_("by the first throw"),
            "turn": N_("by the whole turn"),
        },
    )
    first: str = choice(
        "order",
        N_("Who begins"),
        {"order": N_("the first name"), "highest throw": N_("the highest throw")},
    )
    table: Table = FIVE_THOUSAND

    @property
    def throws_all_again(self) -> bool:
        return self.full_hand == "must"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.exact:
            self._check_exact()

    def _check_exact(self) -> None:
        for row, value in self.rows.items():
            if value % 50:
                said = {"row": row_name(row), "points": value}
                text = N_("exact needs rows that are multiples of 50, but {row} is {points}")
                raise ValueError(_(text, **said))
        step = gcd(*self.rows.values())
        if self.target % step:
            said = {"step": step, "target": self.target}
            text = N_("exact: all rows are multiples of {step}, so nobody can land on {target}")
            raise ValueError(_(text, **said))

    @classmethod
    def official(cls, **options: Any) -> FiveThousand:
        """The official rules: 750 to open, at least 500 after that."""
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

    stages = (*BankingState.stages, "offered")

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
            and not (self.rules.throws_all_again and self.dice == self.rules.all_dice)
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
            if self.rules.throws_all_again and self.dice == self.rules.all_dice:
                return _("after a full hand all dice must be thrown")
            if self.rules.no_repeat and self.points == self.last_turns[self.player]:
                return _("the turn before brought {points} too", points=self.points)
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

    # Any moment

    def natural(self, given: dict[str, Any]) -> dict[str, Any]:
        facts = super().natural(given) | {"contenders": ()}
        many, who = len(self.players), given.get("player", 0)
        if given.get("contenders"):
            shown = len(given.get("shown", ())) % len(given["contenders"])
            return facts | {"dice": 1, "player": given["contenders"][shown]}
        if given.get("offer"):
            facts |= {"stage": "offered", "points": given["offer"][-1]}
            facts["player"] = (given["offer"][0] + 1) % many
        elif given.get("stage") == "offered":
            facts["offer"] = ((who - 1) % many, given.get("points", 0))
        scores, misses = given.get("scores", self.scores), given.get("misses", self.misses)
        return facts | {
            "gains": tuple((score,) if score else () for score in scores),
            "last_turns": tuple(0 if missed else None for missed in misses),
            "winner": who if given.get("stage") == "over" else None,
        }

    def impossible(self) -> Iterator[str]:
        if self.contenders:
            if not self._may_begin():
                yield _(
                    "while it is open who begins, each throws one die, "
                    "and nothing else has happened"
                )
            return
        yield from super().impossible()
        rules, target = self.rules, self.rules.target
        for name, score, gains in zip(self.players, self.scores, self.gains, strict=True):
            if sum(gains) != score or min(gains, default=1) <= 0:
                yield _("the gains of {name} must add up to {points}", name=name, points=score)
            if rules.no_equal_scores and score and self.scores.count(score) > 1:
                yield _("two players cannot both have {points} points", points=score)
        yield from self._impossible_end()
        most = max(self.scores) if self.is_terminal else self.scores[self.player] + self.points
        if rules.exact and most > target and not rules.steal:
            yield _("nobody can pass the target of {target}: it must be hit exactly", target=target)
        two = self.dice == 2 and rules.prediction is not None
        announced = two and self.stage == "rolling" and self.guess in range(2, 13)
        right = two and self.stage == "thrown"
        if (self.guess is not None and not announced) or (self.right and not right):
            yield _("a sum can be announced only for two dice that roll: 2 to 12")
        if not self._offer_fits():
            yield _("this bank cannot wait to be taken over")

    def _impossible_end(self) -> Iterator[str]:
        reached = [who for who, score in enumerate(self.scores) if score >= self.rules.target]
        won = reached == [self.player] or (not reached and self.rules.wins_at_once)
        if self.is_terminal and not won:
            yield _("the game is not over yet")
        if reached and not self.is_terminal:
            name = self.players[reached[0]]
            yield _("{name} has reached the target: the game is over", name=name)
        if self.winner != (self.player if self.is_terminal else None):
            yield _("the winner is the one who played last, once the game is over")

    def _offer_fits(self) -> bool:
        """Whether a bank can wait to be taken over now, if one does."""
        fresh = self.stage == "offered" or self.taking
        if self.offer is None:
            return not fresh
        who, points = self.offer if len(self.offer) == 2 else (-1, 0)
        return bool(
            self.rules.steal
            and who == (self.player - 1) % len(self.players) != self.player
            and 0 < points < self.rules.target - self.scores[who]
            and (self.points == points if fresh else self.points >= points)
            and (fresh or self.rules.steal == "turn")
            and self.stage in (("choose", "rolling") if self.taking else self.stages)
            and not self.is_terminal
        )

    def _may_begin(self) -> bool:
        """Whether nothing has happened but that some have thrown one die each."""
        shown, many = len(self.shown), len(self.players)
        same = {name: getattr(self, name) for name in ("contenders", "shown", "stage", "player")}
        return bool(
            self.rules.first == "highest throw"
            and self.contenders == tuple(sorted({*self.contenders} & {*range(many)}))
            and shown < len(self.contenders) > 1
            and {*self.shown} <= {*FACES}
            and self.stage in ("choose", "rolling")
            and self.player == self.contenders[shown]
            and self == replace(self.rules.start(*self.players), **same)
        )
