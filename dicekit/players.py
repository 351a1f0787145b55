"""Computer opponents. A player is a function from a state to one of its legal actions.

Three levels have the same names in every game: "careful" keeps to a fixed rule, "best turn" takes
the most points on average and looks no further than the turn, "perfect" the greatest chance to win
or, on a score sheet, the most points on average in the end. With two players, and on a sheet, that
is exact. It is an estimate

- with three or more players: when a turn begins, the chance of a player to win counts as the
  product of the chances to win against each of the others alone, scaled so that all sum to 1. In
  Farkle's last round the last player who passes the leader wins, each as if nobody else had.
- with an option that needs more than two scores (three zeros, a fine for three farkles, no bank
  twice running, equal scores, taking over): this turn is played by all rules, and after it the
  chances are those of the game without the option.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from dicekit.dice import FAIR, Die, multisets, weights
from dicekit.games.states import Action, Bank, Decline, Hold, SetAside, Throw, Write
from dicekit.solve.best_sheet import BestSheet, best_sheet
from dicekit.solve.one_turn import TurnWorth, turn_of
from dicekit.solve.race import begins, best_race
from dicekit.solve.rounds import NEVER
from dicekit.solve.turn import Option, Rule, StopsWhen, Turn, rule_of
from dicekit.words import N_, _

Player = Callable[[Any], Action]


class _PlaysTurns:
    """Plays a turn by its `rule`, and in a last round until it passes the score that leads. It
    takes nobody's turn over."""

    def __call__(self: Any, state: Any) -> Action:
        actions = _to_choose_from(state)
        if hasattr(state, "open_rows"):
            game = _(state.rules.name)
            raise ValueError(_("this player banks points, and {game} has a score sheet", game=game))
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
    if not hasattr(state, "legal_actions"):
        words = "a player is asked with a state, such as Farkle().start('A') or record.state"
        raise ValueError(f"{words}, not {state!r:.80}")
    actions: tuple[Action, ...] = state.legal_actions()
    if actions:
        return actions
    raise ValueError(_("no player acts now: the dice are rolling, or the game is over"))


@dataclass(frozen=True)
class HoldsAlike:
    """Fills a score sheet: holds the most dice alike, and writes the row worth the most.

    >>> print(HoldsAlike())
    holds dice alike
    """

    def __str__(self) -> str:
        return N_("holds dice alike")

    def __call__(self, state: Any) -> Action:
        actions = _to_choose_from(state)
        if not hasattr(state, "open_rows"):
            raise ValueError(_("who holds dice alike needs a score sheet"))
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


@dataclass(frozen=True)
class Careful:
    """The level "careful": banks at 300; on a score sheet holds dice alike."""

    def __str__(self) -> str:
        return N_("careful")

    def __call__(self, state: Any) -> Action:
        return HoldsAlike()(state) if hasattr(state, "open_rows") else BanksAt(300)(state)


class _ByWorth:
    """Takes the action that is worth the most, the first of `legal_actions` among equals.

    A turn is worth what its ends are worth. `_context` is what matters of a state when its turn
    began, `_bank` and `_lost` are the worth of a bank and of a bust, `_win` that of a win.
    """

    def __call__(self: Any, state: Any) -> Action:
        values = self.values(state)
        return max(values, key=values.__getitem__)

    def _values(self: Any, state: Any) -> dict[Action, float]:
        if state.stage == "offered":
            after = {action: state.child(action) for action in state.legal_actions()}
            return {action: max(self._values(child).values()) for action, child in after.items()}
        if getattr(state, "contenders", ()):
            return {Throw(): self._who_begins(state)}
        if getattr(state, "taking", False):
            return {action: self._mean(state.child(action)) for action in state.legal_actions()}
        return _turn(self, self._context(state)).values(state)

    def _mean(self: Any, state: Any) -> float:
        """The mean over the throws of a state in which the dice roll."""
        throws, total = weights(state.dice, self.die).weights, 0.0
        for throw, weight in throws.items():
            total += float(weight) * self.after_throw(state, state.child(throw))
        return total / float(sum(throws.values()))

    def after_throw(self: Any, before: Any, after: Any) -> float:
        """What a throw has made it worth to the player who threw."""
        if after.stage == "thrown":
            return max(self.values(after).values())
        if before.player in after.winners:
            return float(self._win(before))
        return float(self._lost(after, before.player, before.scores[before.player]))


@lru_cache(maxsize=512)  # 40 kB each: a long game
def _turn(player: Any, begun: Any) -> TurnWorth:
    """What every decision of the turn that begins so is worth to a player."""
    rules, me = begun.rules, begun.player
    score = begun.scores[me]
    turn = turn_of(rules, player.die, max(score, 0))

    def bank(points: int) -> float | None:
        state = replace(begun, points=points, dice=1)
        return float(player._bank(state, me)) if state.can_bank else None

    sizes = range(1, rules.all_dice + 1)
    busts = (throw for n in sizes for throw in multisets(n) if rules.is_bust(throw))
    throw = next(busts, None)
    bust = 0.0
    if throw:
        lost = replace(begun, stage="rolling", dice=len(throw)).child(throw)
        bust = float(player._lost(lost, me, score))
    return TurnWorth(turn, bank, bust, *player._most(begun))


@dataclass(frozen=True)
class BestTurns(_ByWorth):
    """The level "best turn": the most points on average in this turn, on a score sheet in this
    round. A throw that wins at once counts as the target.

    In a last round it goes on until it passes the score that leads.

    >>> print(BestTurns())
    best turn
    """

    die: Die = FAIR

    def __str__(self) -> str:
        return N_("best turn")

    def __call__(self, state: Any) -> Action:
        leader, actions = getattr(state, "leader", None), _to_choose_from(state)
        if leader is not None and Bank() in actions:
            passes = state.scores[state.player] + state.points > state.scores[leader]
            return Bank() if passes else Throw()
        return super().__call__(state)

    def values(self, state: Any) -> dict[Action, float]:
        """The mean points that the turn brings, for each legal action and the play after it that
        brings the most; on a score sheet those of the rest of the round.

        A fine counts as points lost. Raises ValueError if no player acts.
        """
        _to_choose_from(state)
        if hasattr(state, "open_rows"):
            return _best_round(state.rules, False).values(state)
        return self._values(state)

    def _context(self, state: Any) -> Any:
        """The player alone, without what makes no difference to the points of the turn."""
        rules, me = state.rules, state.player
        fined = state.misses[me] == 2 and rules.after_three_misses(0) is not None
        known = getattr(rules, "exact", False) or getattr(rules, "prediction", None) == "total"
        begun = replace(
            rules.start("one"),
            scores=(state.scores[me] if fined or known else 0,),
            misses=(2 * fined,),
            opened=(state.opened[me],),
        )
        if getattr(rules, "no_repeat", False):
            return replace(begun, last_turns=(state.last_turns[me],))
        return begun

    def _bank(self, state: Any, me: int) -> int:
        return int(state.points)

    def _lost(self, after: Any, me: int, score: int) -> int:
        return int(after.scores[me] - score)

    def _win(self, state: Any) -> int:
        return int(state.rules.target)

    def _most(self, begun: Any) -> tuple[float, ...]:
        return float(self._win(begun)), 1e9, 20_000

    def _who_begins(self, state: Any) -> float:
        return 0.0


class _BestRound(BestSheet):
    """The best play of a round, as if nothing came after it but a bonus that is earned."""

    def _find_worth(self, progress: Any) -> None:
        at, rounds = self._at, self._rounds
        bonus = [at.bonus(school) for school in range(len(at.school))]
        rounds.worth = [[*bonus, NEVER] for _ in at.second] + [[NEVER] * (len(bonus) + 1)]


_best_round = lru_cache(maxsize=8)(_BestRound)

TOO_MUCH = {
    "three_zeros": False,
    "farkle_penalty": 0,
    "no_repeat": False,
    "no_equal_scores": False,
    "steal": False,
}


def left_out(rules: Any) -> dict[str, Any]:
    """The options that a race leaves out, for which more than two scores would matter, and their
    values in it.

    >>> from dicekit.games.farkle import Farkle
    >>> left_out(Farkle(farkle_penalty=500))
    {'farkle_penalty': 0}
    """
    return {name: off for name, off in TOO_MUCH.items() if getattr(rules, name, off) != off}


@lru_cache(maxsize=8)
def race_of(rules: Any, die: Die) -> Any:
    """The race of two, without the options that are `left_out`; None if it cannot be had: there
    is no table of it and no numpy, or there are too many scores."""
    try:
        return best_race(replace(rules, **left_out(rules)), die)
    except (ImportError, ValueError):
        return None


def sheet_at_hand(rules: Any) -> bool:
    """Whether the best play of a sheet can be had: without numpy it would take many minutes if
    the school may be filled at any time."""
    return rules.sheet.in_order or find_spec("numpy") is not None


@dataclass(frozen=True)
class Perfect(_ByWorth):
    """The level "perfect": the greatest chance to win, on a score sheet the most points on
    average in the end. When it is exact, and what it takes else, is told above.

    Alone, or where the game cannot be solved without numpy, it plays the best turn.

    >>> print(Perfect())
    perfect
    """

    die: Die = FAIR

    def __str__(self) -> str:
        return N_("perfect")

    def values(self, state: Any) -> dict[Action, float]:
        """The chance to win of the player who acts, for each legal action and the best play after
        it; on a score sheet the mean of the points still to come.

        Raises ValueError if no player acts.
        """
        _to_choose_from(state)
        if hasattr(state, "open_rows") and sheet_at_hand(state.rules):
            return best_sheet(state.rules).values(state)
        alone = len(state.players) == 1 or hasattr(state, "open_rows")
        race = None if alone else race_of(state.rules, self.die)
        if race is None:
            return BestTurns(self.die).values(state)
        return race.values(state) if self.is_exact(state) else self._values(state)

    def is_exact(self, state: Any) -> bool:
        """Whether the chances in a game of Farkle or 5000 are exact."""
        return len(state.players) == 2 and not left_out(state.rules)

    def standings(self, state: Any) -> list[float]:
        """The chance of every player to win when a turn begins, or it is still open whose."""
        many, rules = range(len(state.players)), state.rules
        if state.is_terminal:
            return [float(worth) for worth in state.returns]
        if state.stage == "offered":
            return self.standings(state.child(Decline()))
        if getattr(state, "contenders", ()):
            settled = replace(state, contenders=(), shown=(), dice=rules.all_dice)
            cases = [
                (chance, self.standings(replace(settled, player=who)))
                for who, chance in begins(state, self.die).items()
            ]
            return [sum(chance * case[k] for chance, case in cases) for k in many]
        order = [(state.player + k) % len(many) for k in many]
        if getattr(state, "opener", None) is not None:
            return self._last_round(state, order[: order.index(state.opener)])
        race = race_of(rules, self.die)
        scores = [max(score, 0) // race.step * race.step for score in state.scores]
        found = [1.0] * len(many)
        for place, one in enumerate(order):
            for other in order[place + 1 :]:
                chance = race.chance(scores[one], scores[other])
                found[one] *= chance
                found[other] *= 1 - chance
        total = sum(found)
        return [chance / total for chance in found]

    def _last_round(self, state: Any, to_come: list[int]) -> list[float]:
        """The last of those to come who passes the leader wins."""
        lead = state.scores[state.leader]
        found = [0.0] * len(state.players)
        found[state.leader] = 1.0
        for who in to_come:
            passes = race_of(state.rules, self.die).passes(lead - state.scores[who])
            found = [chance * (1 - passes) for chance in found]
            found[who] = passes
        return found

    def _context(self, state: Any) -> Any:
        fresh = {"points": 0, "throw": (), "stage": "choose", "dice": state.rules.all_dice}
        if hasattr(state, "guess"):
            fresh |= {"guess": None, "right": False}
        return replace(state, **fresh)

    def _bank(self, state: Any, me: int) -> float:
        return self.standings(state.child(Bank()))[me]

    def _lost(self, after: Any, me: int, score: int) -> float:
        return self.standings(after)[me]

    def _win(self, state: Any) -> float:
        return 1.0

    def _most(self, begun: Any) -> tuple[float, ...]:
        return (1.0,)

    def _who_begins(self, state: Any) -> float:
        return self.standings(state)[state.player]


LEVELS = Careful(), BestTurns(), Perfect()


def in_words(player: Any) -> str:
    """What a computer player does, in the language spoken."""
    if isinstance(player, BanksAt):
        return _("banks at {points}", points=player.points)
    return _(str(player))


def player_named(words: str) -> Player:
    """The computer player that calls itself so.

    >>> player_named("banks at 300"), player_named("perfect")
    (BanksAt(points=300), Perfect(die=Die()))

    Raises ValueError if there is none.
    """
    for player in (*LEVELS, HoldsAlike()):
        if words == str(player):
            return player
    if isinstance(words, str) and (match := re.fullmatch(r"banks at (\d{1,6})", words)):
        return BanksAt(int(match[1]))
    raise ValueError(f"there is no computer player that {words!r}")


def computers_of(record: Any) -> dict[str, Player]:
    """The computer players that a record's notes name; unknown ones count as persons."""
    noted = record.notes.get("computers")
    found: dict[str, Player] = {}
    for name in record.players if isinstance(noted, dict) else ():
        with suppress(KeyError, ValueError):
            found[name] = player_named(noted[name])
    return found
