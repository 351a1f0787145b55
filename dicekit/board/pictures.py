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
from dicekit.games.states import dashed

PIPS = {
    1: (4,),
    2: (0, 8),
    3: (0, 4, 8),
    4: (0, 2, 6, 8),
    5: (0, 2, 4, 6, 8),
    6: (0, 2, 3, 5, 6, 8),
}


def die_svg(face: int, words: str = "") -> str:
    """One die as SVG; `words` are its text alternative, none for a picture beside words."""
    spots = "".join(
        f'<circle cx="{22 + 23 * (i % 3)}" cy="{22 + 23 * (i // 3)}" r="8.2" fill="#20242a"/>'
        for i in PIPS[face]
    )
    role = f'role="img" aria-label="{escape(words)}"' if words else 'aria-hidden="true"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90" {role}>'
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
    """The scoreboard: whose turn it is, the scores, the way to the target."""
    rows = ""
    for index, (name, score) in enumerate(zip(state.players, state.scores, strict=True)):
        turn = index == state.player and not state.is_terminal
        way = max(0, min(100, 100 * score // state.rules.target))
        marks = (
            '<span class="dk-unseen">to play: </span>' if turn else "",
            '<span class="dk-mark">leads</span>' if index == state.leader else "",
        )
        rows += (
            f'<tr{" class=dk-turn" if turn else ""}><th scope="row">{marks[0]}{escape(name)}'
            f'{marks[1]}<div class="dk-track" aria-hidden="true"><i style="width:{way}%"></i></div>'
            f"</th><td>{score:,}</td></tr>"
        )
    return f"<table><caption>Scores</caption><tbody>{rows}</tbody></table>"


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


def tray(dice: Iterable[int], points: int) -> str:
    """The dice set aside in this turn, and their points."""
    return f'<span class="dk-label">Set aside this turn</span>{small_dice(dice)}<b>{points:,}</b>'


def odds(n: int | None, chance: Fraction | None) -> str:
    """The chance of a bust with the next n dice; None while it is open how many those are."""
    if not n or chance is None:
        return '<p class="dk-label">The odds show when the dice are chosen.</p>'
    percent = 100 * float(chance)
    return (
        f'<p class="dk-label">If you throw {count(n, "die", "dice")}: bust</p>'
        f'<p><span class="dk-num">{chance}</span> {percent:.1f}&nbsp;%</p>'
        f'<div class="dk-bar" aria-hidden="true"><i style="width:{percent:.1f}%"></i></div>'
    )


def saved(path: Any, trouble: str) -> str:
    """Where the game is saved, or why it is not."""
    words = trouble or (f"Saved as {path}" if path else "Saved from the first throw on")
    return label(words)


def history_table(turns: Iterable[tuple[str, list[tuple[int, ...]], str]]) -> str:
    """Turns as rows of player, dice set aside throw by throw, and result."""
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{" · ".join(map(dashed, aside)) or "–"}</td>'
        f"<td>{escape(result)}</td></tr>"
        for name, aside, result in turns
    )
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{word}</th>' for word in ("player", "set aside", "result"))
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
