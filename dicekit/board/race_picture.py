"""The race as a picture, and the end of a game: who won, by luck or by skill, and where it turned.

The lines are SVG that stretches to its place, in units of turns and points; every word is HTML
beside it, so that it keeps its size on a phone and on a projector.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import Any

from dicekit.board.given import play_of, scores_of
from dicekit.board.pictures import bdi, html_of
from dicekit.board.play import isolated
from dicekit.coach import NOTHING, Move, Review, Roll
from dicekit.games.states import dashed
from dicekit.tables import Shown, html_table
from dicekit.words import N_, _, number

KEY = '<svg viewBox="0 0 26 6" aria-hidden="true"><path class="dk-line-{}" d="M1 3h24"/></svg>'
MOST_POINTS = 5


def turn_ends(record: Any) -> list[Any]:
    """The state at the start and after each finished turn.

    >>> from dicekit.games.farkle import Farkle
    >>> from dicekit.games.record import Record
    >>> [state.scores for state in turn_ends(Record(Farkle(), ["Ana", "Bia"]))]
    [(0, 0)]
    """
    ends = [record.states[0]]
    for before, after in pairwise(record.states):
        if after.turn_begins and before.turn_begins:  # a bank on offer that was declined
            ends[1:] = [*ends[1:-1], after]
        elif after.is_terminal or after.turn_begins:
            ends += [] if getattr(before, "contenders", ()) else [after]
    return ends


def race_picture(record: Any) -> str:
    """The scores after each turn as a picture, with its words for those who do not see it."""
    ends, target = turn_ends(record), getattr(record.rules, "target", None)
    scores = [state.scores for state in ends]
    top = max(target or 50, *map(max, scores))
    wide, high = max(len(ends) - 1, 1), top - min(0, *map(min, scores))
    step = nice(high / 5)
    marks = [
        points
        for points in range(-((high - top) // step) * step, top + 1, step)
        if target is None or not 0 < target - points < 0.09 * high
    ]
    path = "".join(f"M0 {top - points}h{wide}" for points in marks)
    lines = f'<path d="{path}"/>'
    words = [_mark("y", "top", (top - points) / high, number(points)) for points in marks]
    if target is not None:
        lines += f'<path class="dk-goal" d="M0 {top - target}h{wide}"/>'
        words.append(_mark("goal-word", "top", (top - target) / high, _("target")))
    people = range(len(record.players))
    lines += "".join(_line(who, [of[who] for of in scores], top) for who in people)
    each = wide / len(people)  # turns of each player
    step = nice(each / 6)
    turns = range(step, int(each) + 1, step)
    words += [_mark("x", "left", turn / each, number(turn)) for turn in turns]
    said = escape(_("The race so far: {scores}.", scores=scores_of(record)))
    order = sorted(people, key=lambda who: -scores[-1][who])
    names = "".join(
        f"<span>{KEY.format(who)}{bdi(name)} <b>{number(scores[-1][who])}</b></span>"
        for who, name in ((who, record.players[who]) for who in order)
    )
    return (
        f'<figure class="dk-race"><figcaption class="dk-label">{_("The scores after each turn")}'
        f'</figcaption><div class="dk-plot"><svg viewBox="0 0 {wide} {high}" role="img" '
        f'preserveAspectRatio="none" aria-label="{said}">{lines}</svg><div aria-hidden="true">'
        f'<span class="dk-y dk-foot">{_("turn")}</span>{"".join(words)}</div></div>'
        f'<div class="dk-names" aria-hidden="true">{names}</div></figure>'
    )


def _mark(kind: str, side: str, part: float, words: str) -> str:
    return f'<span class="dk-{kind}" style="{side}:{100 * part:.1f}%">{words}</span>'


def nice(least: float) -> int:
    """The least of 1, 2, 5, 10, 20, 50, ... that is not below this.

    >>> nice(2500), nice(3), nice(0.2)
    (5000, 5, 1)
    """
    return next(n * 10**zeros for zeros in range(30) for n in (1, 2, 5) if n * 10**zeros >= least)


def _line(who: int, scores: list[int], top: int) -> str:
    """A player's score as steps, and a dot where it stands."""
    path, waited = f"M0 {top - scores[0]}", 0
    for before, after in pairwise(scores):
        waited += 1
        if after != before:
            path, waited = f"{path}h{waited}v{before - after}", 0
    name, dot = f"dk-line-{who}", f"M{len(scores) - 1} {top - scores[-1]}h0"
    return f'<path class="{name}" d="{path}h{waited}"/><path class="{name} dk-dot" d="{dot}"/>'


# The end of a game


def ending(record: Any, review: Review | None = None) -> str:
    """What remains of a game: who won, and the race; with a review luck and skill, the turning
    points and the mistakes too."""
    won = html_of(play_of(record).ending())
    shown = [f'<p class="dk-won">{won}</p>', race_picture(record)]
    if review is not None:
        *mistakes, both = review.tables()
        shown += [_luck_and_skill(review, both), turning_points(review)]
        shown += [_mistakes(review, table) for table in mistakes]
    return f'<div class="dk-end">{"".join(shown)}</div>'


def _luck_and_skill(review: Review, table: Shown) -> str:
    """What luck and skill brought each player: numbers, and bars left or right of nothing."""
    _caption, head, rows, notes = table.grid()
    most = max(abs(worth) for part in (review.luck, review.skill) for worth in part.values()) or 1
    told = [
        [bdi(who), luck + _bar(review.luck[who] / most), skill + _bar(review.skill[who] / most)]
        for who, luck, skill in rows
    ]
    caption = {
        "chance": _("Luck and skill: what they changed in the chance to win"),
        "points": _("Luck and skill: what they changed in points"),
    }[review.unit]
    below = "".join(f"<p>{html_of(note)}</p>" for note in notes)
    return html_table(caption, head, told, "dk-facts") + below


def _bar(part: float) -> str:
    side = "right" if part < 0 else "left"  # where it begins
    bar = f'<i class="dk-{side}" style="{side}:50%;width:{50 * abs(part):.1f}%"></i>'
    return f'<div class="dk-both" aria-hidden="true">{bar}</div>'


def turning_points(review: Review) -> str:
    """The throws and decisions that changed most, in the order in which they came."""
    happened: list[tuple[float, Roll | Move]] = [(roll.luck, roll) for roll in review.rolls]
    happened += [(-move.regret, move) for move in review.moves]
    happened = [pair for pair in happened if abs(pair[0]) > NOTHING[review.unit]]
    most = sorted(happened, key=lambda pair: -abs(pair[0]))[:MOST_POINTS]
    most.sort(key=lambda pair: (pair[1].turn, pair[1].state.player))
    if not most:
        return f"<p>{_('No throw and no decision changed much.')}</p>"
    unit = {"chance": _("percentage points"), "points": _("points on average")}[review.unit]
    rows = [[_told(what), _signed(review.unit, worth)] for worth, what in most]
    return html_table(_("The turning points"), [_("what happened"), unit], rows, "dk-facts")


def _signed(unit: str, worth: float) -> str:
    return number(100 * worth if unit == "chance" else worth, "+,.1f")


def _mistakes(review: Review, table: Shown) -> str:
    """The costliest mistakes, each with what its player had before him."""
    caption, head, rows, _notes = table.grid()
    told = [
        [f'{_told(move)}<div class="dk-label">{html_of(moment)}</div>', cost]
        for move, (_who, moment, *_moves, cost) in zip(review.mistakes, rows, strict=True)
    ]
    if not told:
        return f"<p>{html_of(caption)}</p>"
    return html_table(caption, [_("what happened"), head[-1]], told, "dk-facts")


def _told(what: Roll | Move) -> str:
    """What happened, as a sentence in HTML."""
    who: dict[str, Any] = {"turn": what.turn, "name": isolated(what.player)}
    if isinstance(what, Move):
        who |= {"done": what.action, "better": what.best}
        return html_of(_("Turn {turn}: {name} chooses “{done}”; better was “{better}”.", **who))
    before, after, rules = what.state, what.state.child(what.dice), what.state.rules
    who["dice"] = dashed(sorted(what.dice))
    if not hasattr(rules, "target"):
        text = N_("Turn {turn}: {name} throws {dice}.")
        if before.held:
            text = N_("Turn {turn}: {name} throws {dice} and has {all_dice}.")
        who["all_dice"] = dashed(after.throw)
    elif rules.is_bust(what.dice):
        text = N_("Turn {turn}: {name} throws {dice}, which scores nothing.")
        if before.points:
            text = N_("Turn {turn}: {name} throws {dice} and loses {lost} points.")
        who["lost"] = before.points
    elif after.is_terminal:
        text = N_("Turn {turn}: {name} throws {dice} and wins at once.")
    else:
        text = N_("Turn {turn}: {name} throws {dice}, worth {worth} points.")
        who["worth"] = rules.score(rules.set_asides(what.dice)[0], len(what.dice))
    return html_of(_(text, **who))
