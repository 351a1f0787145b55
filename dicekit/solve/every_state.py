"""Best play of two under rules for which the two scores do not tell everything.

Fines and lost scores count turns without points (`farkle_penalty`, `three_zeros`), other rules
look at the last turn or the last gain (`no_repeat`, `no_equal_scores`), and a turn that may be
taken over (`steal`) goes on as the next. So a *standing* is all that passes from one turn to the
next, seen by the player who is about to act. Standings, and how a bank or a bust leads from one
to another, are found with the rule book itself, by playing on from every pair of scores.

Given what the standings at its ends are worth, a turn is worth its best way to be played, found
as in `dicekit.solve.turn_values`. Scores can fall, so there is no order in which one standing
after the other could be solved: value iteration walks through them by falling total, always with
the latest values (the method of Gauss and Seidel), and guesses from the last two values of a turn
how it changes with what a bust is worth (the secant method), until nothing changes.

With fines scores have no lower end. The most that a player can owe is taken to be so many fines
that one more changes the chance of who begins by less than a ten-millionth.

Reference: D. P. Bertsekas, Dynamic programming and optimal control, volume 2 (2012), chapter 3.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from dicekit.dice import FAIR, Die
from dicekit.games.states import Action, Decline, TakeOver
from dicekit.solve.one_turn import choices, every_option, turn_of
from dicekit.solve.race import Race
from dicekit.solve.race_solver import RaceSolver
from dicekit.solve.turn import Turn

Array = Any
MOST_STANDINGS = 50_000
TOLERANCE = 1e-10
STEPS = 50  # of busts that are followed at once
_OPTIONS = "farkle_penalty", "three_zeros", "no_repeat", "no_equal_scores", "steal"
NEVER, LOST, WON, STANDINGS = range(4)  # first in the list of values: no bank, a game that is over


class _Turns(NamedTuple):
    """Turns by their places in the list, with points in steps; arrays in the end."""

    place: Any
    bust: Any
    banks: Any
    bank_from: Any
    mine: Any
    theirs: Any
    last: Any
    total: Any


class _Offers(NamedTuple):
    """The same of offers to take a turn over."""

    place: Any
    thief: Any
    declined: Any
    bust: Any
    points: Any
    dice: Any


class _Standings:
    """The standings of a game, each with its place in a list, and where they lead."""

    def __init__(self, game: Any, step: int, low: int) -> None:
        self.game, self.step, self.low = game, step, low
        has = {name: bool(getattr(game, name, False)) for name in _OPTIONS}
        self._counts = has["farkle_penalty"] or has["three_zeros"]
        self._dice = range(1, game.all_dice + 1) if has["steal"] else range(1, 2)
        self._only_scores = not (has["steal"] or has["no_repeat"] or has["no_equal_scores"])
        self.places: dict[Any, int] = {}
        self.turns: list[_Turns] = []
        self.offers: list[_Offers] = []
        self.banks: list[list[list[int]]] = []
        self._all: list[Any] = []
        self._complete = False
        self._find()
        self._complete = True

    def _key(self, state: Any) -> Any:
        """What matters of a turn beside its points and dice; who acts comes first."""
        game, order = self.game, -1 if state.player else 1
        scores = tuple([max(score, self.low) for score in state.scores[::order]])
        opened = state.opened[::order] if game.opening > game.minimum else (True, True)
        misses = state.misses[::order] if self._counts else (0, 0)
        if not hasattr(state, "offer"):
            return scores, opened, misses
        last: Any = (0, 0)
        gains: Any = ((), ())
        if game.no_repeat:
            last = tuple([points or 0 for points in state.last_turns[::order]])
        if game.no_equal_scores:
            gains = state.gains[::order]
            if not self._counts:  # who is behind cannot be thrown back before the next gain
                ahead = scores[0] > scores[1], scores[1] > scores[0]
                gains = tuple([own[-1:] * it for own, it in zip(gains, ahead, strict=True)])
        offer = state.offer and state.offer[1]
        return scores, opened, misses, last, gains, offer, state.dice * (state.stage == "offered")

    def _standing(self, key: Any) -> Any:
        """The state behind a key: the first player acts."""
        names = "scores", "opened", "misses", "last_turns", "gains"
        state = replace(self.after_banks(0, 0), **dict(zip(names, key, strict=False)))
        offer, dice = key[5:] or (None, 0)
        if offer:
            state = replace(state, offer=(1, offer))
        return replace(state, stage="offered", points=offer, dice=dice) if dice else state

    def after_banks(self, mine: int, theirs: int) -> Any:
        """The state of two players who have just banked these scores, if any."""
        scores = mine, theirs
        begin = replace(self.game.start("A", "B"), dice=self.game.all_dice, scores=scores)
        state = replace(begin, opened=(mine > 0, theirs > 0))
        if not hasattr(state, "gains"):
            return state
        gains = tuple([(score,) if score else () for score in scores])
        return replace(state, contenders=(), gains=gains)

    def place(self, state: Any) -> int:
        """The place of a standing; a new one is put at the end."""
        key = self._key(state)
        if key not in self.places:
            if self._complete:
                raise ValueError(f"no game with these rules comes to {state!r}")
            self.places[key] = len(self._all)
            self._all.append(self._standing(key))
        return self.places[key]

    def end(self, state: Any, me: int = 0) -> int:
        """What a state after a turn is worth to a player: a place in the list of values."""
        if state.is_terminal:
            return WON if state.returns[me] else LOST
        return STANDINGS + 2 * self.place(state) + (state.player != me)

    def _find(self) -> None:
        scores = range(0, self.game.target, self.step)
        for mine in scores:
            for theirs in scores:
                self.place(self.after_banks(mine, theirs))
        known: dict[Any, int] = {}
        for place, state in enumerate(self._all):  # which grows meanwhile
            if state.stage == "offered":
                self.offers.append(self._offer(place, state))
                continue
            banker = self._banker(state)
            at = self._key(banker)
            if at not in known:
                known[at] = len(self.banks)
                self.banks.append(self._banks(banker))
            last = getattr(state, "last_turns", (0,))[0]
            waits = getattr(state, "offer", None) or (1, 0)
            points = state.bank_from, *state.scores, last, sum(state.scores) + waits[1]
            steps = [-(-number // self.step) for number in points]
            self.turns.append(_Turns(place, self.end(state._end_turn(0)), known[at], *steps))

    def _offer(self, place: int, state: Any) -> _Offers:
        thief = state.child(TakeOver())
        ends = self.end(state.child(Decline())), self.end(thief._end_turn(0))
        turn = self.place(thief._first_throw_taken())
        return _Offers(place, turn, *ends, state.points // self.step, state.dice)

    def _banker(self, state: Any) -> Any:
        """A standing with less, from which the same score leads to the same."""
        if not self._only_scores:
            return state
        return replace(state, scores=(self.low, state.scores[1]), misses=(0, state.misses[1]))

    def _banks(self, state: Any) -> list[list[int]]:
        """Where banks lead, by the score that they make and, if it matters, the dice left."""
        found = []
        for made in range(self.low, self.game.target, self.step):
            points = made - state.scores[0]
            turns = [replace(state, points=points, dice=left) for left in self._dice]
            found.append([self.end(t._end_turn(points)) if points > 0 else NEVER for t in turns])
        return found


class EveryState(Race):
    """The best play of two players, as `best_play` finds it.

    As a player it is for `simulate`; `first`, `chance`, `handicap` and `values` are those of a
    `Race`, where whoever has points has just banked them. `lowest` is the lowest score that is
    looked at.
    """

    def __init__(self, turn: Turn, fines: int = 0) -> None:
        import numpy as np

        self._solver = RaceSolver(turn)
        super().__init__(turn, chances=(), chased=self._solver.chased.tolist())
        self.lowest = low = -fines * getattr(turn.game, "farkle_penalty", 0)
        _check_size(turn.game, turn.step, low)
        self._low = self._solver.low = low // turn.step
        self._standings = found = _Standings(turn.game, turn.step, low)
        self._turns, self._banks = np.array(found.turns).T, np.array(found.banks)
        self._turn_of = {place: number for number, place in enumerate(self._turns[0])}
        self._offers = np.array(found.offers, int).reshape(-1, len(_Offers._fields)).T
        self._values = np.full(STANDINGS + 2 * len(found.places), 0.5)
        self._values[:STANDINGS] = -np.inf, 0, 1
        self._before = np.full((2, len(found.places)), np.nan)
        self._slope = np.full(len(found.places), 0.4)
        self._solve()

    def _solve(self) -> None:
        import numpy as np

        all_turns = _Turns(*self._turns)
        order = np.lexsort((all_turns.mine, -all_turns.total))
        new = np.diff(all_turns.total[order]).nonzero()[0] + 1
        turns = [_Turns(*self._turns[:, some]) for some in np.split(order, new)]
        offers = [_Offers(*self._offers[:, np.isin(self._offers[1], t.place)]) for t in turns]
        for _ in range(1000):
            if max(list(map(self._improve, turns, offers))) < TOLERANCE:
                return
        raise ValueError("under these rules one can come to where nobody gets any further")

    def _improve(self, turns: _Turns, offers: _Offers) -> float:
        """Find these turns and offers anew from the latest values; how much is new."""
        import numpy as np

        t = self._solver
        bust = self._values[turns.bust]
        found, rows = self._sweep(turns)
        worth = t.start(found, rows)
        before, slope = self._before[:, turns.place], self._slope[turns.place]
        run = bust - before[0]
        moved = abs(run) > 1e-9
        slope[moved] = np.clip((worth - before[1])[moved] / run[moved], 0, 0.999)
        self._before[:, turns.place], self._slope[turns.place] = (bust, worth), slope
        change = self._put(turns.place, worth)
        for _ in range(STEPS):
            self._put(turns.place, worth + slope * (self._values[turns.bust] - bust))
        if len(offers.place):
            change = max(change, self._improve_offers(turns, offers, found, rows))
        return change

    def _improve_offers(self, turns: _Turns, offers: _Offers, found: Array, rows: Array) -> float:
        import numpy as np

        t, change = self._solver, 0.0
        column = {place: number for number, place in enumerate(turns.place)}
        thieves = np.array([column[place] for place in offers.thief])
        starts = rows[thieves] + offers.points
        for row in np.unique(starts):
            of, taken = _Offers(*[part[starts == row] for part in offers]), thieves[starts == row]
            to = t.leads_to(row, len(found) // t.dice - 1)
            thrown = t.thrown(found[:, taken], to, self._values[of.bust])
            best = thrown[of.dice - 1, np.arange(len(taken))]
            change = max(change, self._put(of.place, np.maximum(best, self._values[of.declined])))
        return change

    def _put(self, places: Array, worth: Array) -> float:
        at = STANDINGS + 2 * places
        change = abs(self._values[at] - worth).max()
        self._values[at], self._values[at + 1] = worth, 1 - worth
        return float(change)

    def _sweep(self, turns: _Turns) -> tuple[Array, Array]:
        """The values of these turns, as `TurnValues.sweep` has them, and their first rows."""
        import numpy as np

        settled, bust = turns.bank_from, self._values[turns.bust]
        if getattr(self.game, "no_repeat", False):
            settled = np.maximum(settled, turns.last + 1)
        first, known, end = self._solver.known(turns.mine, turns.theirs, settled, bust)
        bank = self._bank(turns, first, end)
        return self._solver.sweep(first, bank, bust, known), first

    def _bank(self, turns: _Turns, first: Array, end: int) -> Array:
        """What a bank is worth, by rows, dice left and turns; -inf where there is none."""
        import numpy as np

        n, solver, farthest = self._solver.n, self._solver, len(self._chased) - 1
        made, may = solver.may_bank(turns.mine, first, turns.bank_from, end)
        low = np.clip(made, self._low, n - 1) - self._low
        worth = self._values[self._banks[turns.banks, low]]
        over = made >= n
        gap = np.minimum(made - turns.theirs, farthest)[over]
        worth[over] = 1 - solver.chased[gap][:, None]
        if getattr(self.game, "no_repeat", False):
            may &= made != turns.mine + turns.last
        worth[~may] = -np.inf
        return np.moveaxis(worth, 2, 1)

    # What is asked of it

    def _chance(self, mine: int, theirs: int) -> float:
        return float(self._values[self._standings.end(self._standings.after_banks(mine, theirs))])

    def _scores(self, state: Any) -> tuple[int, ...]:
        """The place of the turn that a state is in, and 0; only the gap in a last round."""
        if len(state.players) != 2 or getattr(state, "opener", None) is not None:
            return super()._scores(state)
        if state.stage == "offered":
            state = state.child(TakeOver())
        if getattr(state, "taking", False):
            state = state._first_throw_taken()
        return self._standings.place(state), 0

    def _turn_at(self, *scores: int) -> Any:
        return super()._turn_at(*scores) if len(scores) == 1 else _Within(self, scores[0])


class _Within:
    """One turn, with the values of all that can come in it."""

    def __init__(self, play: Any, place: int) -> None:
        number = play._turn_of[place]
        self._play, turn = play, _Turns(*play._turns[:, number : number + 1])
        self._found, self._first = play._sweep(turn)

    def values(self, state: Any) -> dict[Action, float]:
        """What each legal action is worth."""
        return {x: self._worth(state.child(x), state.player) for x in state.legal_actions()}

    def _worth(self, state: Any, me: int) -> float:
        play, found, t = self._play, self._found, self._play._solver
        if getattr(state, "opener", None) is not None and not state.is_terminal:
            return float(1 - play.passes(state.scores[me] - state.scores[1 - me]))
        if state.is_terminal or state.turn_begins:
            return float(play._values[play._standings.end(state, me)])
        taking = getattr(state, "taking", False) and state.stage == "choose"
        if taking or state.stage == "thrown":
            return max(self.values(state).values())
        row, end = int(self._first[0]) + state.points // t.step, len(found) // t.dice - 1
        if state.stage == "choose":
            return float(found[min(row, end) * t.dice + state.dice - 1, 0])
        bust = play._values[[play._standings.end(state._end_turn(0), me)]]
        throw = list(choices(t.turn).throws).index((state.dice, getattr(state, "guess", None)))
        return float(t.means(found, t.leads_to(row, end), bust)[throw, 0])


def _size(game: Any, step: int, low: int, target: int) -> float:
    """About how many standings there are."""
    n, banks = target / step, max(target - game.minimum, step) / step
    counts, repeat, equal, steal = (getattr(game, name, False) for name in _OPTIONS[1:])
    size = (n - low / step) ** 2 * (9 if low or counts else 1)
    if repeat:
        size *= (banks + 1) ** 2 / 4
    if equal:
        size *= 4.0**banks / n**2 if counts else 0.6 * banks
    return size * 2.5 * banks if steal else size


def _check_size(game: Any, step: int, low: int) -> None:
    if _size(game, step, low, game.target) > MOST_STANDINGS:
        targets = range(step, game.target, step)
        best = max((x for x in targets if _size(game, step, low, x) <= MOST_STANDINGS), default=0)
        words = f"takes too much: it can be solved up to a target of about {best:,}"
        raise ValueError(f"{game!r} {words}; beyond, simulate gives a sample with its error")


def best_play(game: Any, die: Die = FAIR) -> EveryState:
    """The greatest chance to win for two players, whatever the rules, and how to play for it.

    For options that `best_race` does not take: a few seconds at a target of 500, minutes at the
    largest (about 3,500 for `three_zeros`, 1,000 for `no_repeat`, 2,000 for `no_equal_scores`,
    1,300 for `steal`, 2,500 for a `farkle_penalty` of 500, less for several at once).

    >>> from dicekit.games.five_thousand import FiveThousand
    >>> play = best_play(FiveThousand.beginner(target=300, steal="turn"))
    >>> round(play.first, 4)
    0.6847

    Raises ValueError for a die with symbols, and for a target that is too large.
    """
    turn_of(game, die)
    return _solved(every_option(Turn.of(game, die, True, 0)))


@lru_cache(maxsize=8)
def _solved(turn: Turn) -> EveryState:
    fine = getattr(turn.game, "farkle_penalty", 0)
    if fine % turn.step:
        raise ValueError(f"farkle_penalty: points are multiples of {turn.step}, and {fine} is none")
    _check_size(turn.game, turn.step, -2 * fine)  # two fines are looked at in any case
    fines = int(bool(fine))
    play, before = EveryState(turn, fines), None
    while fines and (before is None or abs(play.first - before) > 1e-7):
        fines, before = fines + 1, play.first
        play = EveryState(turn, fines)
    return play
