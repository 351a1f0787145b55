"""Dice and tables as HTML. Whatever a person typed is escaped here."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from dicekit.dice import FACES
from dicekit.games.states import Write, dashed

# Where the pips of the faces 1 to 6 lie, in three rows of three.
PIPS = ((4,), (0, 8), (0, 4, 8), (0, 2, 6, 8), (0, 2, 4, 6, 8), (0, 2, 3, 5, 6, 8))


def die_svg(face: int) -> str:
    """One die as SVG, for a place where words say what it shows."""
    spots = "".join(
        f'<circle cx="{22 + 23 * (i % 3)}" cy="{22 + 23 * (i // 3)}" r="8.2" fill="#20242a"/>'
        for i in PIPS[face - 1]
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90" aria-hidden="true">'
        '<rect x="2" y="2" width="86" height="86" rx="16" fill="#fdfdfb" stroke="#c9c6bd" '
        f'stroke-width="1.5"/>{spots}</svg>'
    )


def small_dice(dice: Iterable[int]) -> str:
    """A row of small dice with one text alternative for all."""
    dice = tuple(dice)
    if not dice:
        return ""
    faces = "".join(die_svg(face) for face in dice)
    return f'<span class="dk-small" role="img" aria-label="{dashed(dice)}">{faces}</span>'


@cache
def style_sheet() -> str:
    """The board's style, with a class for each face of a die."""
    faces = "".join(
        f'.dk-board .dk-f{face}::before{{background-image:url("data:image/svg+xml,'
        f'{quote(die_svg(face))}")}}\n'
        for face in FACES
    )
    return f"<style>{files(__package__).joinpath('board.css').read_text('utf-8')}{faces}</style>"


def score_table(state: Any) -> str:
    """The scoreboard of a race: whose turn it is, the scores, the way to the target."""
    rows = ""
    leader = getattr(state, "leader", None)
    for who, (name, score) in enumerate(zip(state.players, state.scores, strict=True)):
        way = max(0, min(100, 100 * score // state.rules.target))
        best = "wins" if state.is_terminal else "leads"
        marked = who in state.winners if state.is_terminal else who == leader
        mark = f'<span class="dk-mark">{best}</span>' if marked else ""
        rows += (
            f'<tr{_turn(state, who)}><th scope="row">{_to_play(state, who)}{escape(name)}{mark}'
            f'<div class="dk-track" aria-hidden="true"><i style="width:{way}%"></i></div></th>'
            f"<td>{score:,}</td></tr>"
        )
    return f"<table><caption>Scores</caption><tbody>{rows}</tbody></table>"


def _turn(state: Any, who: int) -> str:
    return ' class="dk-turn"' if who == state.player and not state.is_terminal else ""


def _to_play(state: Any, who: int) -> str:
    return '<span class="dk-unseen">to play: </span>' if _turn(state, who) else ""


def sheet_table(state: Any) -> str:
    """The score sheets of all players side by side, with what a free row would get now."""
    rules = state.rules
    people = range(len(state.players))
    head = "".join(
        f'<th scope="col"{_turn(state, who)}>{_to_play(state, who)}{escape(name)}</th>'
        for who, name in enumerate(state.players)
    )
    school = [row for row in rules.sheet.rows if row.part == 1]
    body = "".join(_sheet_row(state, row) for row in school)
    body += _sum_row("subtotal", [rules.subtotal(state.sheets[who]) for who in people])
    body += _sum_row("bonus", [rules.bonus(state.sheets[who]) for who in people])
    body += "".join(_sheet_row(state, row) for row in rules.sheet.rows if row.part != 1)
    body += _sum_row("total", state.scores)
    if state.is_terminal:
        shares = [f"+{share}" if share > 0 else share for share in state.settlement]
        body += _sum_row("settlement", shares)
    return (
        '<div class="dk-wide" tabindex="0" role="region" aria-label="Score sheet"><table>'
        f"<caption>Score sheet</caption><thead><tr><th></th>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _sheet_row(state: Any, row: Any) -> str:
    place = state.rules.sheet.rows.index(row)
    cells = ""
    for who, sheet in enumerate(state.sheets):
        dash = sheet[place] == 0 and row.part != 1
        words = "" if sheet[place] is None else "–" if dash else _minus(sheet[place])
        if who == state.player and Write(row.name) in state.legal_actions():
            points = state.points_now(row)
            words = f"<i>{'dash' if points is None else _minus(points)}</i>"
        cells += f"<td{_turn(state, who)}>{words}</td>"
    return f'<tr><th scope="row">{escape(row.name)}</th>{cells}</tr>'


def _sum_row(name: str, values: Iterable[Any]) -> str:
    cells = "".join(f"<td>{_minus(value)}</td>" for value in values)
    return f'<tr class="dk-sum"><th scope="row">{name}</th>{cells}</tr>'


def _minus(value: Any) -> str:
    """A number with a minus sign as one prints it."""
    return str(value).replace("-", "−")


def title(words: str, moment: str) -> str:
    """The head of the board."""
    return f"<h2>{escape(words)}</h2><p>{escape(moment)}</p>"


def label(words: str) -> str:
    """What is asked for now."""
    return f'<p class="dk-label">{escape(words)}</p>'


def said(fact: str, remark: str) -> str:
    """What has just happened, and what it means."""
    if not fact and not remark:
        return ""
    return f'<p role="status"><b>{escape(fact)}</b> <em>{escape(remark)}</em></p>'


def tray(dice: Iterable[int], points: str, words: str) -> str:
    """Dice that are put away, and their points if they have any."""
    worth = f"<b>{points}</b>" if points else ""
    return f'<span class="dk-label">{words}</span>{small_dice(dice)}{worth}'


def odds(n: int, chance: Fraction, bust: str) -> str:
    """The chance of a bust with the next n dice."""
    percent = 100 * float(chance)
    return (
        f'<p class="dk-label">If you throw {count(n, "die", "dice")}: {bust}</p>'
        f'<p><span class="dk-num">{chance}</span> {percent:.1f}&nbsp;%</p>'
        f'<div class="dk-bar" aria-hidden="true"><i style="width:{percent:.1f}%"></i></div>'
    )


def odds_list(words: str, chances: Iterable[tuple[str, Fraction]]) -> str:
    """The chances of several rows."""
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{chance}</td>'
        f"<td>{100 * float(chance):.1f}&nbsp;%</td></tr>"
        for name, chance in chances
    )
    return f'<table class="dk-chances"><caption>{words}</caption><tbody>{rows}</tbody></table>'


def saved(path: Any, trouble: str, rules: str) -> str:
    """The house rules, and where the game is saved, or why it is not."""
    where = f"Saved as {path.parent.name}/{path.name}" if path else "Saved from the first throw on"
    return (label(rules) if rules else "") + label(trouble or where)


def history_table(turns: Iterable[tuple[str, str, str]]) -> str:
    """Turns as rows of player, dice and result."""
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{dice}</td><td>{escape(result)}</td></tr>'
        for name, dice, result in turns
    )
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{word}</th>' for word in ("player", "dice", "result"))
    return (
        '<div class="dk-scroll" tabindex="0" role="region" aria-label="Turns so far">'
        "<table><caption>Turns so far, the newest first</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def count(n: int, one: str, many: str) -> str:
    """A number with its noun.

    >>> count(1, "die", "dice"), count(2, "die", "dice")
    ('1 die', '2 dice')
    """
    return f"{n:,} {one if n == 1 else many}"
