"""Farkle and 5000 on the board: dice set aside, points at stake, bank or throw."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from dicekit.board import pictures
from dicekit.board.play import Chances, Control, Play, places_of, throw_words, usual
from dicekit.games.scoring import without
from dicekit.games.states import Action, Bank, Decline, SetAside, TakeOver, Throw, dashed
from dicekit.probability import throws
from dicekit.words import _, apart, listed, ngettext, number, pgettext


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

    @cached_property
    def _set_aside(self) -> Any:
        """The state after the chosen dice are set aside; None if they cannot be."""
        action = SetAside(self.dice)
        return self.state.child(action) if action in self.state.legal_actions() else None

    @cached_property
    def passes(self) -> bool:
        """Whether to set the chosen dice aside passes the target, which ends the turn."""
        after = self._set_aside if self.state.stage == "thrown" else None
        return after is not None and (after.turn_begins or after.is_terminal)

    @cached_property
    def ahead(self) -> Any:
        """The state in which one throws or banks, the chosen dice set aside; None if they
        cannot be, or end the turn."""
        if self.state.stage != "thrown":
            return self.state
        return None if self.passes else self._set_aside

    def is_dead(self, face: int) -> bool:
        return not any(face in dice for dice in self.rules.set_asides(self.state.throw))

    def title(self) -> str:
        game, target = _(usual(self.rules)[0]), self.rules.target
        return _("{game} · first to {target}", game=game, target=target)

    def moment(self) -> str:
        state = self.state
        if getattr(state, "contenders", ()):
            return _("Who begins?")
        words = _("{name}, throw {n} of the turn", name=self.name, n=self.throw_number)
        leader = getattr(state, "leader", None)
        if leader is None:
            return words
        return f"{_('Last round: pass {score}', score=state.scores[leader])} · {words}"

    def scores(self) -> str:
        return pictures.score_table(self.state)

    def thrown_label(self) -> str:
        if self.computer:
            return _("Thrown")
        if self.forced:
            return _("Thrown: all that scores is set aside")
        return _("Thrown: click what you set aside")

    def tray(self) -> str:
        points, more = self.state.points, 0
        if self.ahead is not None:
            more = self.ahead.points - points
        worth = f"{number(points)} + {number(more)}" if more > 0 else number(points)
        return pictures.tray(self._aside, worth, self._aside_from())

    @property
    def _aside(self) -> list[int]:
        """The dice that the turn has set aside."""
        turn = self.record.turns()[-1]
        aside = [event.dice for _before, event, _after in turn if isinstance(event, SetAside)]
        return [face for dice in aside for face in dice]

    def _aside_from(self) -> str:
        """Where the points of the turn come from."""
        if self.state.stage == "offered":
            return _("On offer")
        turn = self.record.turns()[-1]
        if any(isinstance(event, TakeOver) for _before, event, _after in turn):
            return _("Taken over, and set aside")
        return _("Set aside this turn")

    def collected(self) -> list[str]:
        said, points = [], self.state.points
        if self._aside:
            dice = listed(self._aside)
            said.append(_("{what}: {dice}.", what=self._aside_from(), dice=dice))
        if points:
            said.append(_("At stake: {points} points.", points=points))
        return said

    def choice(self) -> tuple[str, str]:
        throw, chosen = self.state.throw, self.dice
        parts = self.rules.split(chosen, len(throw))
        if parts is None:
            spare = self._spare()
            return (
                _("{dice} cannot be set aside.", dice=listed(chosen)),
                ngettext(
                    "{dice} scores nothing here.",
                    "{dice} score nothing here.",
                    len(spare),
                    dice=listed(spare),
                ),
            )
        remarks = []
        if len(set(parts)) > 1:
            split = (_("{row}: {points}", row=dashed(dice), points=n) for dice, n in parts)
            remarks.append(f"{apart(split)}.")
        if len(chosen) == len(throw):
            aside = _(self.rules.all_aside)
            remarks.append(_("All dice are set aside: {full_hand}.", full_hand=aside))
        worth = ngettext(
            "{dice} is worth {points}.",
            "{dice} are worth {points}.",
            len(chosen),
            dice=listed(chosen),
            points=sum(points for _dice, points in parts),
        )
        return worth, " ".join(remarks)

    def _spare(self) -> tuple[int, ...]:
        """The chosen dice that are in the way of setting the others aside."""
        rests = (without(self.dice, dice) for dice in self.rules.set_asides(self.state.throw))
        return min((rest for rest in rests if rest is not None), key=len, default=self.dice)

    def prompt(self) -> str:
        state, name = self.state, self.name
        if state.stage == "thrown" and not self.forced:
            return _("{name}: choose the dice that you set aside; each must score.", name=name)
        if state.stage == "offered":
            banker, banked = state.offer
            return ngettext(
                "{name}: take over {banker}'s {points} points and throw {n} die?",
                "{name}: take over {banker}'s {points} points and throw {n} dice?",
                state.dice,
                name=name,
                banker=self.names[banker],
                points=banked,
            )
        if state.stage == "rolling" or (state.stage == "choose" and not state.points):
            return _("{name} to throw.", name=name)
        if self._may_bank:
            return _("{name}: throw on, or bank.", name=name)
        return _("{name}: throw on.", name=name)

    @property
    def _may_bank(self) -> bool:
        return self.ahead is not None and self.ahead.stage == "choose" and self.ahead.can_bank

    def chances(self) -> tuple[str, Chances]:
        ahead = self.ahead
        if self.computer or getattr(self.state, "contenders", False):
            return "", []
        if self.passes:
            return _("These dice pass {target}.", target=self.rules.target), []
        if ahead is None and self.chosen:
            return _("The chance shows when all the dice chosen score."), []
        if ahead is None:
            return _("Choose dice to see the chance."), []
        words = ngettext("If you throw {n} die", "If you throw {n} dice", ahead.dice)
        return words, [(_(self.rules.bust).lower(), bust_chance(self.rules, ahead.dice))]

    def odds(self) -> str:
        words, chances = self.chances()
        for bust, chance in chances:
            return pictures.odds(_("{throw}: {chances}", throw=words, chances=bust), chance)
        return pictures.label(words) if words else ""

    def choices(self) -> tuple[Control, ...]:
        state, ahead = self.state, self.ahead
        if state.stage == "offered":
            return (self._take_over(), Control("decline", _("Decline"), (Decline(),), "first"))
        aside = (SetAside(self.dice),) if state.stage == "thrown" else ()
        if self.passes:
            words = _("End the turn at {target}", target=self.rules.target)
            return (Control("throw", words, aside, "first"),)
        bank = self._bank(aside)
        if self.awaits_typing:
            return (bank,) if bank.look == "first" else ()
        look = "not-yet" if ahead is None else "first"  # both alike: the board gives no advice
        throw = Throw(self.guess if self.announces() else None)
        return (Control("throw", self._throw_words(), (*aside, throw), look), bank)

    def _take_over(self) -> Control:
        if self.rules.prediction is not None and self.state.dice == 2:  # one may announce first
            return Control("take over", _("Take over"), (TakeOver(),))
        words = ngettext(
            "Take over and throw {n} die", "Take over and throw {n} dice", self.state.dice
        )
        return Control("take over", words, (TakeOver(), Throw()))

    def _throw_words(self) -> str:
        ahead = self.ahead
        if ahead is None:
            return pgettext("button", "Throw")
        if not ahead.points:
            return throw_words(ahead.dice)
        return ngettext(
            "Throw {n} die ({points} at stake)",
            "Throw {n} dice ({points} at stake)",
            ahead.dice,
            points=ahead.points,
        )

    def announces(self) -> bool:
        """Whether a sum may be announced for the throw that one would make now."""
        if self.computer or self.ahead is None or self.record.thrown_before():
            return False
        return Throw(predict=7) in self.ahead.legal_actions()

    def _bank(self, aside: tuple[SetAside, ...]) -> Control:
        events = (*aside, Bank())
        if not self._may_bank:
            return Control("bank", self._why_no_bank(), events, "not-yet")
        words = _("Bank {points}", points=self.ahead.points)
        return Control("bank", words, events, "first")

    def _why_no_bank(self) -> str:
        ahead = self.ahead
        if ahead is None or not ahead.points:
            return pgettext("button", "Bank")
        if getattr(ahead, "taking", False):
            return _("Bank: throw first")
        if ahead.points < ahead.bank_from:
            return _("Bank needs {points}", points=ahead.bank_from)
        if self.rules.throws_all_again and ahead.dice == self.rules.all_dice:
            return _("Bank: not after a full hand")
        return _("Bank: not the same twice")

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
        aside = [done.dice for _before, done, _after in turn if isinstance(done, SetAside)]
        dice = " · ".join(map(dashed, aside)) or "–"
        return self.state.players[before.player], dice, self._result(before, event, after, later)

    def _result(self, before: Any, event: Any, after: Any, later: list[Any]) -> str:
        bust = _(self.rules.bust).lower()
        if isinstance(event, Bank):
            return self._fate(before, after, later)
        if isinstance(event, SetAside):
            return _("passes {target}: {bust}", target=self.rules.target, bust=bust)
        dice = dashed(sorted(event))
        if after.is_terminal and not self.rules.is_bust(event):
            return _("wins at once with {dice}", dice=dice)
        said = [f"{bust} ({dice})"]
        if before.points:
            said.append(_("loses {points}", points=before.points))
        score = after.scores[before.player]
        if score < before.scores[before.player]:
            said.append(_("falls to {score}", score=score))
        return ", ".join(said)

    def _fate(self, before: Any, after: Any, later: list[Any]) -> str:
        """What became of a bank: it stood, or was taken over, or may still be."""
        points = before.points
        if after.stage != "offered":
            return _("banks {points}", points=points)
        states = (state for turn in later for _before, _event, state in turn)
        end = next((state for state in states if state.offer != after.offer), None)
        if end is None:
            return _("stops at {points}", points=points)
        if end.last_turns[after.offer[0]]:
            return _("banks {points}", points=points)
        return _("stops at {points}, taken over", points=points)

    # What happened

    def announce(self, before: Any, event: Any, after: Any) -> str:
        said = [self._event_words(before, event, after), *self._score_words(before, after)]
        leader = getattr(after, "leader", None)
        if leader is not None and before.leader != leader and not after.is_terminal:
            name = self.names[leader]
            last = _("Last round! Everybody else has one turn to pass {name}.", name=name)
            said.append(last if before.leader is None else _("{name} leads now.", name=name))
        return " ".join(filter(None, said))

    def _event_words(self, before: Any, event: Any, after: Any) -> str:
        name, points = self.names[before.player], before.points
        if isinstance(event, TakeOver):
            return _("{name} takes over {points} points.", name=name, points=points)
        if isinstance(event, Decline):
            return _("{name} declines.", name=name)
        if isinstance(event, Throw) and event.predict is not None:
            return _("{name} announces {sum}.", name=name, sum=event.predict)
        if isinstance(event, Bank) and after.stage == "offered":
            return _("{name} stops at {points} points.", name=name, points=points)
        if isinstance(event, SetAside):
            return self._aside_words(before, event, after)
        return "" if isinstance(event, Action) else self._throw_result(before, event, after)

    def _aside_words(self, before: Any, event: SetAside, after: Any) -> str:
        if after.turn_begins:
            name, target = self.names[before.player], self.rules.target
            passed = {"target": target, "name": name, "bust": _(self.rules.bust).lower()}
            return _("That passes {target}: {bust} for {name}.", **passed)
        gained = self.rules.score(event.dice, len(before.throw))
        if after.points != before.points + gained:
            worth = after.points
            return _("The announcement doubles: the turn is worth {points} now.", points=worth)
        return ""

    def _throw_result(self, before: Any, event: Any, after: Any) -> str:
        name, dice = self.names[before.player], dashed(sorted(event))
        if getattr(before, "contenders", ()):
            threw = _("{name} throws a {face}.", name=name, face=dice)
            if after.contenders:
                return threw
            return f"{threw} {_('{name} begins.', name=self.names[after.player])}"
        if self.rules.is_bust(event):
            bust = _("{bust}! {dice} scores nothing.", bust=_(self.rules.bust), dice=dice)
            if self.rules.table_for(self.rules.all_dice).fits(event, self.rules.all_dice):
                all_dice = self.rules.all_dice
                bust += " " + _("Three alike count only in a throw of {n} dice.", n=all_dice)
            if not before.points or getattr(before, "offer", None) is not None:
                return bust
            return f"{bust} {_('{name} loses {points} points.', name=name, points=before.points)}"
        if after.is_terminal:
            return _("{dice}! {name} wins at once.", dice=dice, name=name)
        guess = getattr(before, "guess", None)
        if guess is None:
            return ""
        return _("{sum} came, {guess} was announced.", sum=sum(event), guess=guess)

    def _score_words(self, before: Any, after: Any) -> list[str]:
        """How the scores have changed."""
        said: list[str] = []
        for who, name in enumerate(self.names):
            old, new = before.scores[who], after.scores[who]
            now = {"name": name, "score": new}
            if new > old:
                banked = _("{name} banks {points} and has {score}.", points=new - old, **now)
                said.insert(0, banked)
            elif new < old and (after.misses[who] == 0 and before.misses[who] == 2):
                now["bust"] = _(self.rules.bust)
                said.append(
                    _("{bust} for the third time in a row: {name} falls to {score}.", **now)
                )
            elif new < old:
                said.append(_("Equal scores: {name} falls back to {score}.", **now))
        offer = getattr(before, "offer", None)
        if offer and after.offer != offer and not after.last_turns[offer[0]]:
            name, points = self.names[offer[0]], offer[1]
            said.append(_("{name}'s bank of {points} is lost.", name=name, points=points))
        return said
