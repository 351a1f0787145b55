"""The race as a picture, and the end of a game: who won, by luck or by skill, and where it turned.

The lines are SVG that stretches to its place, in units of turns and points; every word is HTML
beside it, so that it keeps its size on a phone and on a projector.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

from dicekit.board.given import PLAYS, scores_of
from dicekit.board.pictures import html_of
from dicekit.board.play import isolated
from dicekit.coach import NOTHING, Move, Review, Roll
from dicekit.games.states import dashed
from dicekit.tables import Shown
from dicekit.words import _, number, percent

KEY = '<svg viewBox="0 0 26 6" aria-hidden="true"><path class="dk-line-{}" d="M1 3h24"/></svg>'
HIGH = 12.0  # the least distance of two names, in per cent of the height
FEWEST = 4  # so many turns of each player are as wide as the picture
MOST_POINTS = 5

# Where the finished turns of a record end: the place in its states, and the state itself.
_ends: WeakKeyDictionary[Any, list[tuple[int, Any]]] = WeakKeyDictionary()


def turn_ends(record: Any) -> list[Any]:
    """The state at the start and after each finished turn; what is known is not looked up again.

    >>> from dicekit.games.farkle import Farkle
    >>> from dicekit.games.record import Record
    >>> [state.scores for state in turn_ends(Record(Farkle(), ["Ana", "Bia"]))]
    [(0, 0)]
    """
    states = record.states
    ends = _ends.setdefault(record, [(0, states[0])])
    while len(ends) > 1 and not (ends[-1][0] < len(states) and states[ends[-1][0]] is ends[-1][1]):
        ends.pop()  # undone since
    for place in range(ends[-1][0] + 1, len(states)):
        before, after = states[place - 1], states[place]
        ended = after.is_terminal or (after.turn_begins and not before.turn_begins)
        if ended and not getattr(before, "contenders", ()):
            ends.append((place, after))
        elif after.turn_begins and before.turn_begins and len(ends) > 1:
            ends[-1] = place, after  # a bank on offer that was declined
    return [state for _, state in ends]


def race_picture(record: Any) -> str:
    """The scores after each turn as a picture, with its words for those who do not see it.

    A game of one moment only, or of 500 turns: the picture is as wide as the game is long.
    """
    ends = turn_ends(record)
    people, target = len(record.players), getattr(record.rules, "target", None)
    scores = [state.scores for state in ends]
    low = min(0, *map(min, scores))
    top = max(target or 50, *map(max, scores))
    wide, high = max(len(ends) - 1, FEWEST * people), top - low
    step = nice(high / 5)
    marks = range(-(-low // step) * step, top + 1, step)
    gaps = [points for points in marks if target is None or not 0 < target - points < 0.09 * high]
    heights = {points: 100 * (top - points) / high for points in {*gaps, *scores[-1]}}
    grid = "".join(f"M0 {top - points}h{wide}" for points in gaps)
    lines = "".join(_line(who, [of[who] for of in scores], top) for who in range(people))
    goal = "" if target is None else f'<path class="dk-goal" d="M0 {top - target}h{wide}"/>'
    words = _("The race so far: {scores}.", scores=scores_of(record))
    return (
        f'<figure class="dk-race"><figcaption class="dk-label">{_("The scores after each turn")}'
        f'</figcaption><div class="dk-plot"><svg viewBox="0 0 {wide} {high}" role="img" '
        f'preserveAspectRatio="none" aria-label="{escape(words)}"><path d="{grid}"/>{goal}{lines}'
        f"</svg>{_scale(gaps, heights)}{_turns(len(ends) - 1, people, wide)}"
        f"{_goal_word(target, top, high)}</div>{_names(record, heights)}</figure>"
    )


def _bdi(name: str) -> str:
    return f"<bdi>{escape(name)}</bdi>"


def nice(least: float) -> int:
    """The least of 1, 2, 5, 10, 20, 50, ... that is not below this.

    >>> nice(2500), nice(3), nice(0.2)
    (5000, 5, 1)
    """
    step, digits = 1, 0
    while step < least:
        digits += 1
        step = (1, 2, 5)[digits % 3] * 10 ** (digits // 3)
    return step


def _line(who: int, scores: list[int], top: int) -> str:
    """A player's score as steps, and a dot where it stands."""
    path, waited = f"M0 {top - scores[0]}", 0
    for before, after in pairwise(scores):
        waited += 1
        if after != before:
            path, waited = f"{path}h{waited}v{before - after}", 0
    name, dot = f"dk-line-{who}", f"M{len(scores) - 1} {top - scores[-1]}h0"
    return f'<path class="{name}" d="{path}h{waited}"/><path class="{name} dk-dot" d="{dot}"/>'


def _scale(marks: list[int], heights: dict[int, float]) -> str:
    return "".join(
        f'<span class="dk-y" style="top:{heights[points]:.1f}%" aria-hidden="true">'
        f"{number(points)}</span>"
        for points in marks
    )


def _turns(turns: int, people: int, wide: int) -> str:
    """The turns of each player, along the foot."""
    step = nice(wide / people / 6)
    marks = range(step, wide // people + 1, step)
    shown = "".join(
        f'<span class="dk-x" style="left:{100 * mark * people / wide:.1f}%" aria-hidden="true">'
        f"{number(mark)}</span>"
        for mark in marks
    )
    return f'<span class="dk-y dk-foot" aria-hidden="true">{_("turn")}</span>{shown}'


def _goal_word(target: int | None, top: int, high: int) -> str:
    if target is None:
        return ""
    place = f"top:{100 * (top - target) / high:.1f}%"
    return f'<span class="dk-goal-word" style="{place}" aria-hidden="true">{_("target")}</span>'


def _names(record: Any, heights: dict[int, float]) -> str:
    """The players beside the ends of their lines, each with a piece of the line."""
    scores = turn_ends(record)[-1].scores
    order = sorted(range(len(scores)), key=lambda who: heights[scores[who]])
    places = spread([heights[scores[who]] for who in order])
    names = "".join(
        f'<span class="dk-name" style="top:{place:.1f}%">{KEY.format(who)}'
        f"{_bdi(record.players[who])} <b>{number(scores[who])}</b></span>"
        for who, place in zip(order, places, strict=True)
    )
    return f'<div class="dk-names" aria-hidden="true">{names}</div>'


def spread(places: list[float]) -> list[float]:
    """Places in order, moved apart so far that names do not overlap, and none below 100.

    >>> spread([0, 50, 50, 100])
    [0, 50, 62.0, 100]
    >>> spread([100, 100])
    [88.0, 100]
    """
    for at in range(1, len(places)):
        places[at] = max(places[at], places[at - 1] + HIGH)
    places[-1] = min(places[-1], 100)
    for at in reversed(range(len(places) - 1)):
        places[at] = min(places[at], places[at + 1] - HIGH)
    return places


# The end of a game


def ending(record: Any, review: Review | None = None) -> str:
    """What remains of a game: who won, the race, the turns; with a review luck and skill, the
    turning points and the mistakes too."""
    shown = [f'<p class="dk-won">{html_of(PLAYS[type(record.rules)](record).ending())}</p>']
    if review is None:
        shown += [race_picture(record), _turn_table(record)]
    else:
        *mistakes, both = review.tables()
        shown += [race_picture(record), _luck_and_skill(review), *_notes(both.grid()[3])]
        shown += [turning_points(review), *map(_mistakes, mistakes)]
        shown += [_turn_table(record)]
    return f'<div class="dk-end">{"".join(shown)}</div>'


def _notes(notes: list[str]) -> list[str]:
    return [f"<p>{html_of(note)}</p>" for note in notes]


def _table(caption: str, head: list[str], rows: Sequence[tuple[str, ...]]) -> str:
    """A table; its cells are HTML already."""
    top = "".join(f'<th scope="col">{word}</th>' for word in head)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for first, *cells in rows
    )
    top = f"<caption>{caption}</caption><thead><tr>{top}</tr></thead>"
    return f'<table class="dk-facts">{top}<tbody>{body}</tbody></table>'


def _turn_table(record: Any) -> str:
    """What each player's turns were like; on a score sheet each says all itself."""
    if not hasattr(record.rules, "target"):
        return ""
    gains: list[list[int]] = [[] for _who in record.players]
    for before, after in pairwise(turn_ends(record)):
        gains[before.player].append(after.scores[before.player] - before.scores[before.player])
    rows = [
        (
            _bdi(name),
            number(len(own)),
            number(sum(gain <= 0 for gain in own)),
            number(max(own, default=0)),
            number(sum(own) / len(own) if own else 0, ",.0f"),
        )
        for name, own in zip(record.players, gains, strict=True)
    ]
    head = [_("player"), _("turns"), _("without points"), _("best turn"), _("points per turn")]
    return _table(_("The turns"), head, rows)


def _mistakes(table: Shown) -> str:
    """The costliest mistakes; when each was made stands below who made it."""
    caption, head, rows, _notes = table.grid()
    if not rows:
        return f"<p>{html_of(caption)}</p>"
    told = [
        (f'{html_of(who)}<div class="dk-label">{html_of(when)}</div>', *map(html_of, rest))
        for who, when, *rest in rows
    ]
    return _table(caption, [head[0], *head[2:]], told)


def _luck_and_skill(review: Review) -> str:
    """What luck and skill brought each player: numbers, and bars left or right of nothing."""
    parts = review.luck, review.skill
    most = max(abs(part[who]) for part in parts for who in part) or 1.0
    rows = [
        (_bdi(who), *(_bar(review.unit, part[who], most) for part in parts)) for who in parts[0]
    ]
    head = [_("player"), _("luck"), _("skill")]
    caption = {
        "chance": _("Luck and skill: what they changed in the chance to win"),
        "points": _("Luck and skill: what they changed in points"),
    }[review.unit]
    return _table(caption, head, rows)


def _bar(unit: str, worth: float, most: float) -> str:
    wide = 50 * abs(worth) / most
    side = "right" if worth < 0 else "left"  # where it begins
    bar = f'<i class="dk-{side}" style="{side}:50%;width:{wide:.1f}%"></i>'
    return f'{_signed(unit, worth)}<div class="dk-both" aria-hidden="true">{bar}</div>'


def _signed(unit: str, worth: float) -> str:
    """What something changed, with its sign; nothing has none."""
    scale = 3 if unit == "chance" else 1
    worth = round(worth, scale) + 0.0  # no -0.0
    sign = "+" if worth else ""
    return percent(worth, sign) if unit == "chance" else number(worth, f"{sign},.1f")


def turning_points(review: Review) -> str:
    """The throws and decisions that changed most, in the order in which they came."""
    happened: list[tuple[float, Roll | Move]] = [(abs(roll.luck), roll) for roll in review.rolls]
    happened += [(move.regret, move) for move in review.moves]
    happened = [pair for pair in happened if pair[0] > NOTHING[review.unit]]
    most = sorted(happened, key=lambda pair: -pair[0])[:MOST_POINTS]
    rows = [
        (_told(what), _signed(review.unit, what.luck if isinstance(what, Roll) else -what.regret))
        for what in sorted((what for _much, what in most), key=lambda w: (w.turn, w.state.player))
    ]
    if not rows:
        return f"<p>{_('No throw and no decision changed much.')}</p>"
    unit = {"chance": _("chance to win"), "points": _("points on average")}[review.unit]
    return _table(_("The turning points"), [_("what happened"), unit], rows)


def _told(what: Roll | Move) -> str:
    """What happened, as a sentence in HTML."""
    who: dict[str, Any] = {"turn": what.turn, "name": isolated(what.player)}
    if isinstance(what, Move):
        who |= {"done": what.action, "better": what.best}
        return html_of(_("Turn {turn}: {name} chooses “{done}”; better was “{better}”.", **who))
    before, rules = what.state, what.state.rules
    who["dice"] = dashed(sorted(what.dice))
    if not hasattr(rules, "target"):
        all_dice = dashed(before.child(what.dice).throw)
        said = _("Turn {turn}: {name} throws {dice} and has {all_dice}.", **who, all_dice=all_dice)
    elif rules.is_bust(what.dice):
        lost = before.points
        said = (
            _("Turn {turn}: {name} throws {dice} and loses {lost} points.", **who, lost=lost)
            if lost
            else _("Turn {turn}: {name} throws {dice}, which scores nothing.", **who)
        )
    elif before.child(what.dice).is_terminal:
        said = _("Turn {turn}: {name} throws {dice} and wins at once.", **who)
    else:
        worth = rules.score(rules.set_asides(what.dice)[0], len(what.dice))
        said = _("Turn {turn}: {name} throws {dice}, worth {worth} points.", **who, worth=worth)
    return html_of(said)
