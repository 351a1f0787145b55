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
from dicekit.tables import html_table
from dicekit.words import LANGUAGES, _, number, percent, speaking

# Where the pips of the faces 1 to 6 lie, in three rows of three.
PIPS = ((4,), (0, 8), (0, 4, 8), (0, 2, 6, 8), (0, 2, 4, 6, 8), (0, 2, 3, 5, 6, 8))


_MARKED = str.maketrans({"\u2068": "<bdi>", "\u2069": "</bdi>"})


def html_of(words: str) -> str:
    """Words as HTML, escaped; a name that is kept apart by `isolated` stays so.

    >>> html_of("Ana & Bia")
    'Ana &amp; Bia'
    """
    return escape(words).translate(_MARKED)


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
    asleep = {code: _asleep(code) for code in LANGUAGES}
    words = "".join(f'.dk-board.dk-{code}{{--asleep:"{said}"}}\n' for code, said in asleep.items())
    folder = files(__package__).joinpath("css")
    sheets = sorted(folder.iterdir(), key=lambda file: file.name)
    return f"<style>{''.join(file.read_text('utf-8') for file in sheets)}{faces}{words}</style>"


def _asleep(language: str) -> str:
    """What a board says that has lost its kernel."""
    with speaking(language):
        return _("This board is asleep: run its cell again. The game is saved.")


def score_table(state: Any) -> str:
    """The scoreboard of a race: whose turn it is, the scores, the way to the target."""
    rows = ""
    leader = getattr(state, "leader", None)
    best = _("wins") if state.is_terminal else _("leads")
    for who, (name, score) in enumerate(zip(state.players, state.scores, strict=True)):
        way = max(0, min(100, 100 * score // state.rules.target))
        marked = who in state.winners if state.is_terminal else who == leader
        mark = f'<span class="dk-mark">{best}</span>' if marked else ""
        rows += (
            f'<tr{_turn(state, who)}><th scope="row">{_to_play(state, who)}{bdi(name)}{mark}'
            f'<div class="dk-track" aria-hidden="true"><i style="width:{way}%"></i></div></th>'
            f"<td>{number(score)}</td></tr>"
        )
    return f"<table><caption>{_('Scores')}</caption><tbody>{rows}</tbody></table>"


def _turn(state: Any, who: int) -> str:
    return ' class="dk-turn"' if who == state.player and not state.is_terminal else ""


def _to_play(state: Any, who: int) -> str:
    return _unseen(_("to play:")) + "&nbsp;" if _turn(state, who) else ""


def _unseen(words: str) -> str:
    """Words for a screen reader alone."""
    return f'<span class="dk-unseen">{words}</span>'


def bdi(name: str) -> str:
    """A name in a table, which may be written from right to left."""
    return f"<bdi>{escape(name)}</bdi>"


def sheet_table(state: Any) -> str:
    """The score sheets of all players side by side, with what a free row would get now."""
    rules = state.rules
    people = range(len(state.players))
    head = "".join(
        f'<th scope="col"{_turn(state, who)}>{_to_play(state, who)}{bdi(name)}</th>'
        for who, name in enumerate(state.players)
    )
    school = [row for row in rules.sheet.rows if row.part == 1]
    body = "".join(_sheet_row(state, row) for row in school)
    body += _sum_row(_("subtotal"), [rules.subtotal(state.sheets[who]) for who in people])
    body += _sum_row(_("bonus"), [rules.bonus(state.sheets[who]) for who in people])
    body += "".join(_sheet_row(state, row) for row in rules.sheet.rows if row.part != 1)
    body += _sum_row(_("total"), state.scores)
    if state.is_terminal:
        body += _sum_row(_("settlement"), state.settlement, "+")
    caption, rows = _("Score sheet"), _unseen(_("row"))
    top = f'<thead><tr><th scope="col">{rows}</th>{head}</tr></thead>'
    table = f"<table><caption>{caption}</caption>{top}<tbody>{body}</tbody></table>"
    return region("dk-wide", caption, table)


def _sheet_row(state: Any, row: Any) -> str:
    place = state.rules.sheet.rows.index(row)
    cells = ""
    for who, sheet in enumerate(state.sheets):
        dash = sheet[place] == 0 and row.part != 1
        words = "" if sheet[place] is None else "–" if dash else number(sheet[place])
        if who == state.player and Write(row.name) in state.legal_actions():
            points = state.points_now(row)
            words = f"<i>{_('dash') if points is None else number(points)}</i>"
        cells += f"<td{_turn(state, who)}>{words}</td>"
    return f'<tr><th scope="row">{escape(_(row.name))}</th>{cells}</tr>'


def _sum_row(name: str, values: Iterable[Any], sign: str = "") -> str:
    cells = "".join(f"<td>{_exact(value, sign)}</td>" for value in values)
    return f'<tr class="dk-sum"><th scope="row">{name}</th>{cells}</tr>'


def _exact(value: Any, sign: str) -> str:
    """A whole number, or a fraction, with a plus sign if that is asked for."""
    value = Fraction(value)
    above = number(value.numerator, f"{sign if value else ''},d")
    return above if value.denominator == 1 else f"{above}/{number(value.denominator)}"


def title(words: str, moment: str) -> str:
    """The head of the board."""
    return f"<h2>{html_of(words)}</h2><p>{html_of(moment)}</p>"


def label(words: str) -> str:
    """What is asked for now."""
    return f'<p class="dk-label">{html_of(words)}</p>'


def folded(head: str, paragraphs: Iterable[str]) -> str:
    """Text that a click unfolds."""
    text = "".join(f"<p>{html_of(words)}</p>" for words in paragraphs)
    return f"<details><summary>{html_of(head)}</summary>{text}</details>"


def said(fact: str, remark: str, live: bool = True) -> str:
    """What has just happened, and what it means; `live` for a screen reader to announce."""
    if not fact and not remark:
        return ""
    role = ' role="status"' if live else ""
    return f"<p{role}><b>{html_of(fact)}</b> <em>{html_of(remark)}</em></p>"


def tray(dice: Iterable[int], points: str, words: str) -> str:
    """Dice that are put away, and their points if they have any."""
    worth = f"<b>{points}</b>" if points else ""
    return f'<span class="dk-label">{words}</span>{small_dice(dice)}{worth}'


def odds(words: str, chance: Fraction) -> str:
    """The chance of what these words say."""
    width = f"{100 * float(chance):.1f}%"
    return (
        f'{label(words)}<p><span class="dk-num">{chance}</span> {_percent(chance)}</p>'
        f'<div class="dk-bar" aria-hidden="true"><i style="width:{width}"></i></div>'
    )


def odds_list(words: str, chances: Iterable[tuple[str, Fraction]]) -> str:
    """The chances of several rows."""
    return _shares(words, ((name, str(chance), chance) for name, chance in chances))


def votes(words: str, votes: Iterable[tuple[str, int]]) -> str:
    """How many of a class voted for each of a few answers, one person at least."""
    votes = tuple(votes)
    every = sum(n for _answer, n in votes)
    return _shares(words, ((answer, number(n), Fraction(n, every)) for answer, n in votes))


def _shares(words: str, rows: Iterable[tuple[str, str, Fraction]]) -> str:
    """A small table of names, each with what it has and which part of the whole that is."""
    cells = [[escape(name), has, _percent(share)] for name, has, share in rows]
    return html_table(words, (), cells, "dk-chances")


def _percent(chance: Fraction) -> str:
    return percent(chance).replace(" ", "&nbsp;")


def download(text: str, name: str, words: str) -> str:
    """A link that saves a text as a file of this name."""
    link = f"data:text/plain;charset=utf-8,{quote(text, safe='')}"
    return f'<a href="{link}" download="{escape(name)}">{escape(words)}</a>'


def saved(path: Any, trouble: str, rules: str) -> str:
    """The house rules, and where the game is saved, or why it is not."""
    where = _("Saved from the first throw on")
    if path:
        where = _("Saved as {file}", file=f"{path.parent.name}/{path.name}")
    return (label(rules) if rules else "") + label(trouble or where)


def history_table(turns: Iterable[tuple[str, str, str]]) -> str:
    """Turns as rows of player, dice and result."""
    rows = [[bdi(name), dice, html_of(result)] for name, dice, result in turns]
    head = _("player"), _("dice"), _("result")
    table = html_table(_("Turns so far, the newest first"), head, rows)
    return region("dk-scroll", _("Turns so far"), table) if rows else ""


def region(name: str, words: str, table: str) -> str:
    """A table that scrolls by itself, also with the keyboard, where there is no room for it."""
    return f'<div class="{name}" tabindex="0" role="region" aria-label="{words}">{table}</div>'
