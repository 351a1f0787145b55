"""Farkle and 5000 on the board: dice set aside, points at stake, bank or throw."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from dicekit.board import pictures
from dicekit.board.pictures import count
from dicekit.board.play import Control, Play, listed, places_of
from dicekit.games.scoring import without
from dicekit.games.states import Action, Bank, Decline, SetAside, TakeOver, Throw, dashed
from dicekit.probability import throws


@cache
def bust_chance(rules: Any, n: int) -> Fraction:
    """The exact chance that n dice score nothing."""
    all_throws = throws(n)
    return Fraction(all_throws.count(rules.is_bust), all_throws.total)


@dataclass(frozen=True)
class BankingPlay(Play):
    """The picture of a game of Farkle or 5000."""

    def first_choice(self) -> frozenset[int]:
        if not (self.must_choose and self.forced):
            return frozenset()
        return places_of(self.rules.set_asides(self.state.throw)[0], self.state.throw)

    @property
    def _set_aside(self) -> Any:
        """The state after the chosen dice are set aside; None if they cannot be."""
        action = SetAside(self.dice)
        return self.state.child(action) if action in self.state.legal_actions() else None

    @property
    def passes(self) -> bool:
        """Whether to set the chosen dice aside passes the target, which ends the turn."""
        after = self._set_aside if self.state.stage == "thrown" else None
        return after is not None and (after.turn_begins or after.is_terminal)

    @property
    def ahead(self) -> Any:
        """The state in which one throws or banks, the chosen dice set aside; None if they
        cannot be, or end the turn."""
        if self.state.stage != "thrown":
            return self.state
        return None if self.passes else self._set_aside

    def is_dead(self, face: int) -> bool:
        return not any(face in dice for dice in self.rules.set_asides(self.state.throw))

    def title(self) -> str:
        return f"{self.rules.name} · first to {self.rules.target:,}"

    def moment(self) -> str:
        state = self.state
        if getattr(state, "contenders", ()):
            return "Who begins?"
        words = f"{self.name}, throw {self.throw_number} of the turn"
        leader = getattr(state, "leader", None)
        return words if leader is None else f"Last round: pass {state.scores[leader]:,} · {words}"

    def scores(self) -> str:
        return pictures.score_table(self.state)

    def thrown_label(self) -> str:
        if self.computer:
            return "Thrown"
        forced = "Thrown: all that scores is set aside"
        return forced if self.forced else "Thrown: click what you set aside"

    def tray(self) -> str:
        turn = self.record.turns()[-1]
        aside = [event.dice for _, event, _ in turn if isinstance(event, SetAside)]
        more = 0 if self.ahead is None else self.ahead.points - self.state.points
        worth = f"{self.state.points:,} + {more:,}" if more > 0 else f"{self.state.points:,}"
        words = "Set aside this turn"
        if self.state.stage == "offered":
            words = "On offer"
        elif any(isinstance(event, TakeOver) for _, event, _ in turn):
            words = "Taken over, and set aside"
        return pictures.tray([face for dice in aside for face in dice], worth, words)

    def choice(self) -> tuple[str, str]:
        throw, chosen = self.state.throw, self.dice
        parts = self.rules.split(chosen, len(throw))
        if parts is None:
            spare = self._spare()
            verb = "scores" if len(spare) == 1 else "score"
            return f"{listed(chosen)} cannot be set aside.", f"{listed(spare)} {verb} nothing here."
        remarks = []
        if len(set(parts)) > 1:
            remarks.append(", ".join(f"{dashed(dice)}: {points:,}" for dice, points in parts) + ".")
        if len(chosen) == len(throw):
            remarks.append(f"All dice are set aside: {self.rules.all_aside}.")
        verb = "is" if len(chosen) == 1 else "are"
        worth = sum(points for _, points in parts)
        return f"{listed(chosen)} {verb} worth {worth:,}.", " ".join(remarks)

    def _spare(self) -> tuple[int, ...]:
        """The chosen dice that are in the way of setting the others aside."""
        rests = (without(self.dice, dice) for dice in self.rules.set_asides(self.state.throw))
        return min((rest for rest in rests if rest is not None), key=len, default=self.dice)

    def prompt(self) -> str:
        state = self.state
        if state.stage == "thrown" and not self.forced:
            return f"{self.name}: choose the dice that you set aside; each must score."
        if state.stage == "offered":
            banker, banked = state.offer
            return (
                f"{self.name}: take over {state.players[banker]}'s {banked:,} points "
                f"and throw {count(state.dice, 'die', 'dice')}?"
            )
        if state.stage == "rolling" or (state.stage == "choose" and not state.points):
            return f"{self.name} to throw."
        return f"{self.name}: throw on, or bank." if self._may_bank else f"{self.name}: throw on."

    @property
    def _may_bank(self) -> bool:
        return self.ahead is not None and self.ahead.stage == "choose" and self.ahead.can_bank

    def odds(self) -> str:
        ahead = self.ahead
        if self.computer or getattr(self.state, "contenders", False):
            return ""
        if self.passes:
            return pictures.label(f"These dice pass {self.rules.target:,}.")
        if ahead is None:
            words = "The chance shows when all the dice chosen score."
            return pictures.label(words if self.chosen else "Choose dice to see the chance.")
        bust = self.rules.bust.lower()
        return pictures.odds(ahead.dice, bust_chance(self.rules, ahead.dice), bust)

    def choices(self) -> tuple[Control, ...]:
        state, ahead = self.state, self.ahead
        if state.stage == "offered":
            words = f"Take over and throw {count(state.dice, 'die', 'dice')}"
            take = Control("take over", words, (TakeOver(), Throw()))
            if self.rules.prediction is not None and state.dice == 2:  # one may announce first
                take = Control("take over", "Take over", (TakeOver(),))
            return (take, Control("decline", "Decline", (Decline(),), "first"))
        aside = (SetAside(self.dice),) if state.stage == "thrown" else ()
        if self.passes:
            return (Control("throw", f"End the turn at {self.rules.target:,}", aside, "first"),)
        bank = self._bank(aside)
        if self.awaits_typing:
            return (bank,) if bank.look == "first" else ()
        look = "not-yet" if ahead is None else "plain" if bank.look == "first" else "first"
        throw = Throw(self.guess if self.announces() else None)
        words = f"Throw {count(ahead.dice, 'die', 'dice')}" if ahead else "Throw"
        stake = f" ({ahead.points:,} at stake)" if ahead and ahead.points else ""
        return (Control("throw", words + stake, (*aside, throw), look), bank)

    def announces(self) -> bool:
        """Whether a sum may be announced for the throw that one would make now."""
        if self.computer or self.ahead is None or self.record.thrown_before():
            return False
        return Throw(predict=7) in self.ahead.legal_actions()

    def _bank(self, aside: tuple[SetAside, ...]) -> Control:
        words = f"Bank {self.ahead.points:,}" if self._may_bank else self._why_no_bank()
        look = "first" if self._may_bank else "not-yet"
        return Control("bank", words, (*aside, Bank()), look)

    def _why_no_bank(self) -> str:
        ahead = self.ahead
        if ahead is None or not ahead.points:
            return "Bank"
        if getattr(ahead, "taking", False):
            return "Bank: throw first"
        if ahead.points < ahead.bank_from:
            return f"Bank needs {ahead.bank_from:,}"
        if getattr(self.rules, "full_hand", "may") == "must" and ahead.dice == self.rules.all_dice:
            return "Bank: not after a full hand"
        return "Bank: not the same twice"

    def history(self) -> list[tuple[str, str, str]]:
        turns = self.record.turns()
        return [
            self._told(turn, turns[place + 1 :])
            for place, turn in reversed(list(enumerate(turns[:-1])))
            if not getattr(turn[-1][0], "contenders", ())
        ]

    def _told(self, turn: Any, later: list[Any]) -> tuple[str, str, str]:
        """A finished turn in words; `later` are the turns that followed."""
        before, event, after = turn[-1]
        name = before.players[before.player]
        aside = [done.dice for _, done, _ in turn if isinstance(done, SetAside)]
        dice = " · ".join(map(dashed, aside)) or "–"
        if isinstance(event, Bank):
            return name, dice, self._fate(before, after, later)
        if isinstance(event, SetAside):
            return name, dice, f"passes {self.rules.target:,}: nothing"
        if after.is_terminal and not self.rules.is_bust(event):
            return name, dice, f"wins at once with {dashed(sorted(event))}"
        lost = f", loses {before.points:,}" if before.points else ""
        score = after.scores[before.player]
        fell = f", falls to {score:,}" if score < before.scores[before.player] else ""
        return name, dice, f"{self.rules.bust.lower()} ({dashed(sorted(event))}){lost}{fell}"

    def _fate(self, before: Any, after: Any, later: list[Any]) -> str:
        """What became of a bank: it stood, or was taken over, or may still be."""
        if after.stage != "offered":
            return f"banks {before.points:,}"
        settled = (state for turn in later for _, _, state in turn if state.offer != after.offer)
        end = next(settled, None)
        if end is not None and end.last_turns[after.offer[0]]:
            return f"banks {before.points:,}"
        return f"stops at {before.points:,}" + (", taken over" if end else "")

    # What happened

    def announce(self, before: Any, event: Any, after: Any) -> str:
        said = [self._event_words(before, event, after), *self._score_words(before, event, after)]
        leader = getattr(after, "leader", None)
        if leader is not None and before.leader != leader and not after.is_terminal:
            name = after.players[leader]
            last = f"Last round! Everybody else has one turn to pass {name}."
            said.append(last if before.leader is None else f"{name} leads now.")
        return " ".join(filter(None, said))

    def _event_words(self, before: Any, event: Any, after: Any) -> str:
        name = before.players[before.player]
        if isinstance(event, TakeOver):
            return f"{name} takes over {before.points:,} points."
        if isinstance(event, Decline):
            return f"{name} declines."
        if isinstance(event, Throw) and event.predict is not None:
            return f"{name} announces {event.predict}."
        if isinstance(event, Bank) and after.stage == "offered":
            return f"{name} stops at {before.points:,} points."
        if isinstance(event, SetAside):
            return self._aside_words(before, event, after)
        return "" if isinstance(event, Action) else self._throw_result(before, event, after)

    def _aside_words(self, before: Any, event: SetAside, after: Any) -> str:
        if after.turn_begins:
            name = before.players[before.player]
            return f"That passes {self.rules.target:,}: {name}'s turn brings nothing."
        gained = self.rules.score(event.dice, len(before.throw))
        if after.points != before.points + gained:
            return f"The announcement doubles: the turn is worth {after.points:,} now."
        return ""

    def _throw_result(self, before: Any, event: Any, after: Any) -> str:
        name, dice = before.players[before.player], dashed(sorted(event))
        if getattr(before, "contenders", ()):
            begins = "" if after.contenders else f" {after.players[after.player]} begins."
            return f"{name} throws a {dice}.{begins}"
        if self.rules.is_bust(event):
            mine = before.points and getattr(before, "offer", None) is None
            lost = f" {name} loses {before.points:,} points." if mine else ""
            return f"{self.rules.bust}! {dice} scores nothing.{lost}"
        if after.is_terminal:
            return f"{dice}! {name} wins at once."
        guess = getattr(before, "guess", None)
        return "" if guess is None else f"{sum(event)} came, {guess} was announced."

    def _score_words(self, before: Any, event: Any, after: Any) -> list[str]:
        """How the scores have changed."""
        said: list[str] = []
        for who, name in enumerate(after.players):
            old, new = before.scores[who], after.scores[who]
            if new > old:
                said.insert(0, f"{name} banks {new - old:,} and has {new:,}.")
            elif new < old and (after.misses[who] == 0 and before.misses[who] == 2):
                said.append(f"Three in a row without points: {name} falls to {new:,}.")
            elif new < old:
                said.append(f"Equal scores: {name} falls back to {new:,}.")
        offer = getattr(before, "offer", None)
        if offer and after.offer != offer and not after.last_turns[offer[0]]:
            said.append(f"{after.players[offer[0]]}'s bank of {offer[1]:,} is lost.")
        return said
