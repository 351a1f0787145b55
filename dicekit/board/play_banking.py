"""Farkle and 5000 on the board: dice set aside, points at stake, bank or throw."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from dicekit.board import pictures
from dicekit.board.pictures import count
from dicekit.board.play import Control, Play, listed, places_of, throw_words, typing_label
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

    @property
    def may_throw(self) -> bool:
        return self.state.stage == "choose"

    @property
    def forced(self) -> bool:
        """Whether the rules leave no choice of what to set aside."""
        return getattr(self.rules, "keep", "any") == "all"

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
        if state.is_terminal:
            return "Game over"
        if getattr(state, "contenders", ()):
            return "Who begins?"
        words = f"{self.name}, throw {self.throw_number} of the turn"
        leader = getattr(state, "leader", None)
        if leader is not None:
            return f"Last round: pass {state.scores[leader]:,} · {words}"
        return words

    def scores(self) -> str:
        return pictures.score_table(self.state)

    def label(self) -> str:
        if self.state.stage == "thrown" and self.computer:
            return "Thrown"
        if self.state.stage == "thrown":
            forced = "Thrown: all that scores is set aside"
            return forced if self.forced else "Thrown: click what you set aside"
        return typing_label(self.state) if self.awaits_typing else self.last_label

    def tray(self) -> str:
        if self.state.is_terminal:
            return ""
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
        if not chosen:
            return "", self.prompt()
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

    def _spare(self) -> list[int]:
        """The chosen dice that are in the way of setting the others aside."""

        def left_over(dice: tuple[int, ...]) -> list[int] | None:
            left = list(self.dice)
            for face in dice:
                if face not in left:
                    return None
                left.remove(face)
            return left

        rests = map(left_over, self.rules.set_asides(self.state.throw))
        return min((rest for rest in rests if rest is not None), key=len, default=list(self.dice))

    def prompt(self) -> str:
        state = self.state
        if state.is_terminal:
            return ""
        if state.stage == "thrown" and self.forced:
            return (
                f"{self.name}: throw on, or bank." if self._may_bank else f"{self.name}: throw on."
            )
        if state.stage == "thrown":
            return f"{self.name}: choose the dice that you set aside; each must score."
        if state.stage == "offered":
            banker, banked = state.offer
            return (
                f"{self.name}: take over {state.players[banker]}'s {banked:,} points "
                f"and throw {count(state.dice, 'die', 'dice')}?"
            )
        if state.stage == "rolling" or not state.points:
            return f"{self.name} to throw."
        return f"{self.name}: throw on, or bank." if state.can_bank else f"{self.name}: throw on."

    @property
    def _may_bank(self) -> bool:
        return self.ahead is not None and self.ahead.stage == "choose" and self.ahead.can_bank

    def odds(self) -> str:
        ahead = self.ahead
        if self.state.is_terminal or self.computer or getattr(self.state, "contenders", ()):
            return ""
        if self.passes:
            return pictures.label(f"These dice pass {self.rules.target:,}.")
        if ahead is None:
            words = "The chance shows when all the dice chosen score."
            return pictures.label(words if self.chosen else "Choose dice to see the chance.")
        bust = self.rules.bust.lower()
        return pictures.odds(ahead.dice, bust_chance(self.rules, ahead.dice), bust)

    def controls(self) -> tuple[Control, ...]:
        state, ahead = self.state, self.ahead
        if (control := self.common_control()) is not None:
            return (control,)
        if state.stage == "offered":
            dice = count(state.dice, "die", "dice")
            take = f"Take over and throw {dice}" if not self._may_announce else "Take over"
            then = () if self._may_announce else (Throw(),)
            return (
                Control("take over", take, (TakeOver(), *then)),
                Control("decline", "Decline", (Decline(),), "first"),
            )
        aside = (SetAside(self.dice),) if state.stage == "thrown" else ()
        if self.passes:
            return (Control("throw", f"End the turn at {self.rules.target:,}", aside, "first"),)
        bank = self._bank(ahead, aside)
        if self.awaits_typing:
            return (bank,) if bank.look == "first" else ()
        look = "not-yet" if ahead is None else "" if bank.look == "first" else "first"
        throw = Control(
            "throw", self._throw_words(ahead), (*aside, Throw(self._guess(ahead))), look
        )
        return (throw, bank)

    @property
    def _may_announce(self) -> bool:
        return getattr(self.rules, "prediction", None) is not None and self.state.dice == 2

    def announces(self) -> bool:
        """Whether a sum may be announced for the throw that one would make now."""
        ahead = self.ahead
        seen = self.record.thrown_before()
        if self.computer or seen or ahead is None or ahead.stage != "choose":
            return False
        return any(action != Throw() for action in ahead.legal_actions() if action != Bank())

    def _guess(self, ahead: Any) -> int | None:
        return self.guess if ahead is not None and self.announces() else None

    def _throw_words(self, ahead: Any) -> str:
        if ahead is None:
            return "Throw"
        dice = count(ahead.dice, "die", "dice")
        return f"Throw {dice} ({ahead.points:,} at stake)" if ahead.points else f"Throw {dice}"

    def _bank(self, ahead: Any, aside: tuple[SetAside, ...]) -> Control:
        events = (*aside, Bank())
        if ahead is None or not ahead.points:
            return Control("bank", "Bank", events, "not-yet")
        if self._may_bank:
            return Control("bank", f"Bank {ahead.points:,}", events, "first")
        return Control("bank", self._why_no_bank(ahead), events, "not-yet")

    def _why_no_bank(self, ahead: Any) -> str:
        if getattr(ahead, "taking", False):
            return "Bank: throw first"
        if ahead.points < ahead.bank_from:
            return f"Bank needs {ahead.bank_from:,}"
        if getattr(self.rules, "full_hand", "may") == "must" and ahead.dice == self.rules.all_dice:
            return "Bank: not after a full hand"
        return "Bank: not the same twice"

    def rows(self) -> tuple[Control, ...]:
        return ()

    def history(self) -> list[tuple[str, str, str]]:
        turns = self.record.turns()
        return [
            self._told(turn, turns[place + 1 :])
            for place, turn in reversed(list(enumerate(turns)))
            if turn and self._is_finished(turn)
        ]

    def _is_finished(self, turn: Any) -> bool:
        before, event, after = turn[-1]
        begins = bool(getattr(before, "contenders", ()))
        ended = bool(after.turn_begins or after.is_terminal)
        return ended and not begins and not isinstance(event, Decline)

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
        if after.is_terminal:
            return name, dice, f"wins at once with {throw_words(event)}"
        lost = f", loses {before.points:,}" if before.points else ""
        score = after.scores[before.player]
        fell = f", falls to {score:,}" if score < before.scores[before.player] else ""
        return name, dice, f"{self.rules.bust.lower()} ({throw_words(event)}){lost}{fell}"

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
        if after.is_terminal:
            [winner] = after.winners
            said.append(f"{after.players[winner]} wins with {after.scores[winner]:,} points.")
        elif leader is not None and before.leader is None:
            name = after.players[leader]
            said.append(f"Last round! Everybody else has one turn to pass {name}.")
        elif leader is not None and before.leader != leader:
            said.append(f"{after.players[leader]} leads now.")
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
        if after.stage != "choose" or after.player != before.player or not after.points:
            name = before.players[before.player]
            return f"That passes {self.rules.target:,}: {name}'s turn brings nothing."
        gained = self.rules.score(event.dice, len(before.throw))
        if after.points != before.points + gained:
            return f"The announcement doubles: the turn is worth {after.points:,} now."
        return ""

    def _throw_result(self, before: Any, event: Any, after: Any) -> str:
        name, dice = before.players[before.player], throw_words(event)
        if getattr(before, "contenders", ()):
            begins = "" if after.contenders else f" {after.players[after.player]} begins."
            return f"{name} throws a {dice}.{begins}"
        if after.is_terminal and not before.rules.is_bust(event) and after.stage == "over":
            return f"{dice}! {name} wins at once."
        guess = getattr(before, "guess", None)
        came = "" if guess is None else f"{sum(event)} came, {guess} was announced."
        if before.rules.is_bust(event):
            mine = before.points and getattr(before, "offer", None) is None
            lost = f" {name} loses {before.points:,} points." if mine else ""
            return f"{self.rules.bust}! {dice} scores nothing.{lost}"
        return came

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
