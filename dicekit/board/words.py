"""What happened, and what may be done, in words. Nothing here is HTML."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dicekit.board.pictures import count
from dicekit.games.record import Step
from dicekit.games.states import Action, Bank, SetAside, dashed


def listed(words: Iterable[Any]) -> str:
    """Words in a row.

    >>> listed(["1", "5", "5"])
    '1, 5 and 5'
    """
    *most, last = map(str, words)
    return f"{', '.join(most)} and {last}" if most else last


def selection(rules: Any, throw: tuple[int, ...], chosen: tuple[int, ...]) -> tuple[str, str]:
    """What the chosen dice are worth, or why they cannot be set aside: a fact and a remark."""
    if not chosen:
        return f"{dashed(throw)}.", "Choose the dice that you set aside; each must score."
    parts = rules.split(chosen, len(throw))
    if parts is None:
        spare = _spare(rules, throw, chosen)
        verb = "scores" if len(spare) == 1 else "score"
        return f"{listed(chosen)} cannot be set aside.", f"{listed(spare)} {verb} nothing here."
    remarks = []
    if len(parts) > 1:
        remarks.append(", ".join(f"{dashed(dice)}: {points:,}" for dice, points in parts) + ".")
    if len(chosen) == len(throw):
        remarks.append("All dice are set aside: hot dice.")
    verb = "is" if len(chosen) == 1 else "are"
    worth = sum(points for _, points in parts)
    return f"{listed(chosen)} {verb} worth {worth:,}.", " ".join(remarks)


def _spare(rules: Any, throw: tuple[int, ...], chosen: tuple[int, ...]) -> list[int]:
    """The chosen dice that are in the way of setting the others aside."""

    def left_over(dice: tuple[int, ...]) -> list[int] | None:
        left = list(chosen)
        for face in dice:
            if face not in left:
                return None
            left.remove(face)
        return left

    rests = (left_over(dice) for dice in rules.set_asides(throw))
    return min((rest for rest in rests if rest is not None), key=len, default=list(chosen))


def announce(before: Any, event: Any, after: Any) -> str:
    """What an event brought about, or nothing worth saying."""
    name = before.players[before.player]
    said = []
    if isinstance(event, Bank):
        score = after.scores[before.player]
        said.append(f"{name} banks {before.points:,} and has {score:,}.")
    elif not isinstance(event, Action) and before.rules.is_bust(event):
        lost = f" {name} loses {before.points:,} points." if before.points else ""
        said.append(f"Farkle! {dashed(sorted(event))} scores nothing.{lost}")
        fined = before.scores[before.player] - after.scores[before.player]
        if fined:
            said.append(f"Three farkles in a row cost {name} {fined:,}.")
    if after.is_terminal:
        said.append(ending(after))
    elif after.opener is not None and before.opener is None:
        said.append(f"Last round! Everybody else has one turn to pass {name}.")
    elif after.leader != before.leader:
        said.append(f"{name} leads now.")
    return " ".join(said)


def ending(state: Any) -> str:
    """Who has won."""
    winner = listed(state.players[index] for index in state.winners)
    best = max(state.scores[index] for index in state.winners)
    return f"{winner} wins with {best:,} points."


def told(turn: list[Step]) -> tuple[str, list[tuple[int, ...]], str]:
    """A finished turn: the player, the dice set aside throw by throw, and the result."""
    before, event, _ = turn[-1]
    name = before.players[before.player]
    aside = [done.dice for _, done, _ in turn if isinstance(done, SetAside)]
    if isinstance(event, Action):
        return name, aside, f"banks {before.points:,}"
    lost = f", loses {before.points:,}" if before.points else ""
    return name, aside, f"farkle with {dashed(sorted(event))}{lost}"


def aside_now(record: Any) -> list[int]:
    """The dice set aside so far in the present turn, throw by throw."""
    steps = record.turns()[-1]
    return [face for _, event, _ in steps if isinstance(event, SetAside) for face in event.dice]


def last_throw(record: Any) -> tuple[int, ...]:
    """The last dice thrown, as they lay."""
    thrown = (event for event in reversed(record.events) if not isinstance(event, Action))
    return next(thrown, ())


def moment(record: Any) -> str:
    """Where the game stands: the throw of the turn, or the score to pass."""
    state = record.state
    if state.is_terminal:
        return "Game over"
    steps = record.turns()[-1]
    number = sum(not isinstance(event, Action) for _, event, _ in steps)
    number += state.stage != "thrown"
    words = f"{state.players[state.player]}, throw {number} of the turn"
    if state.leader is not None:
        words = f"Last round: pass {state.scores[state.leader]:,} · {words}"
    return words


def asking(state: Any, typed: bool, computer: bool) -> str:
    """What the dice row shows, and what to do with it."""
    if state.stage == "thrown":
        return "Thrown: click what you set aside"
    if typed and not state.is_terminal and (state.stage == "rolling" or not computer):
        return f"Throw {count(state.dice, 'die', 'dice')} on the table, and type what they show"
    return "Last throw"


def prompt(state: Any, chosen: tuple[int, ...]) -> str:
    """What is to be done next."""
    if state.is_terminal:
        return ""
    name = state.players[state.player]
    if state.stage == "thrown":
        return f"{name}: set aside one die or more; each must score."
    if state.stage == "rolling":
        return f"{name} throws {count(state.dice, 'die', 'dice')}."
    if state.turn_begins:
        return f"{name} to throw."
    return f"{name}: throw on, or bank."


def throw_button(state: Any, ahead: Any, computer: Any) -> str:
    """What the throw button says that it will do; `ahead` is the state it throws from."""
    if computer:
        return f"Let {state.players[state.player]} play"
    if ahead is None:
        return "Throw"
    stake = f" ({ahead.points:,} at stake)" if ahead.points else ""
    return f"Throw {count(ahead.dice, 'die', 'dice')}{stake}"


def bank_button(state: Any, ahead: Any) -> str:
    """What the bank button says that it will do, or what it still needs."""
    if ahead is None or not ahead.points:
        return "Bank"
    if not ahead.can_bank:
        return f"Bank needs {ahead.bank_from:,}"
    return f"Bank {ahead.points:,}"
