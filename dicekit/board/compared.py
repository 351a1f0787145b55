"""Numbers of the rule explorer in words and as HTML, each beside what it was before."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import inf
from typing import Any

from dicekit.board.measures import Measures, named_faces
from dicekit.dice import FAIR, Die
from dicekit.games.options import options
from dicekit.words import N_, _, apart, ngettext, number, percent

# Columns of chances, and of points.
CHANCES = {
    "bust": N_("chance of no points"),
    "one": N_("in one throw"),
    "all": N_("in up to {throws} throws"),
}
POINTS = {
    "best": N_("best points, on average"),
    "first": N_("first bank from"),
    "bank": N_("bank from"),
}
MEANS = {
    "turn": N_("points on average in a turn with the best play"),
    "opening": N_("points on average as long as the player has never banked"),
    "sheet": N_("points on average on a sheet with the best play"),
}
MOST_SIGNS = 25  # of a fraction that is shown


@dataclass(frozen=True)
class Compared:
    """Numbers, and what they were before if there is anything to compare with; `throws` is how
    many a round of a score sheet has, `waits` tells that there are more numbers to come."""

    now: Measures
    was: Measures | None = None
    throws: int = 0
    waits: bool = False

    @property
    def changed(self) -> bool:
        """Whether any number is not as it was."""
        was = self.was
        return was is not None and (was.cells, was.means) != (self.now.cells, self.now.means)

    def means(self) -> str:
        """What a turn or a sheet is worth."""
        was = self.was.means if self.was else {}
        text = ""
        for name, value in (self.now.means or (was if self.waits else {})).items():
            known = name in self.now.means
            change = change_words(name, value, was.get(name))
            exact = exact_words(value) if known else ""
            text += (
                f'<p><span class="dk-num">{value_words(name, value) if known else "…"}</span> '
                f"{_(MEANS[name])}{_small(change)}"
                f"{_small(exact and _('exactly {number}', number=exact))}</p>"
            )
        return text

    def table(self) -> str:
        """All numbers by row and column."""
        caption, corner = _("By the number of dice thrown"), _("dice")
        if self.throws:
            caption, corner = _("Chance of each row, if one throws for it alone"), _("row")
        if self.changed and not self.waits:
            note = _("Below a number that changed: what it was, and by how much.")
            caption = f"{caption}. {note}"
        columns = (self.was if self.was and self.waits else self.now).columns
        names = [_((CHANCES | POINTS)[column], throws=self.throws) for column in columns]
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
        body = ""
        for row, words in self._rows().items():
            cells = "".join(
                f'<td data-name="{escape(name)}">{self._cell(row, column)}</td>'
                for name, column in zip(names, columns, strict=True)
            )
            body += f'<tr><th scope="row">{escape(words)}</th>{cells}</tr>'
        return (
            f'<table><caption>{escape(caption)}</caption><thead><tr><th scope="col">{corner}</th>'
            f"{head}</tr></thead><tbody>{body}</tbody></table>"
        )

    def bars(self) -> str:
        """The chances as bars; in words for who does not see them."""
        column, title = "bust", _("Chance that a throw brings no points")
        if self.throws:
            column, title = "all", _("Chance of each row in up to {n} throws", n=self.throws)
        bars, told = "", []
        for row, words in self._rows().items():
            now, was = self.now.cells[row, column], self._before(row, column)
            change = change_words(column, now, was)
            told.append(f"{words}: {percent(now)}" + (f" ({change})" if change else ""))
            old = f'<i class="dk-was" style="width:{100 * float(was):.1f}%"></i>' if change else ""
            bars += (
                f"<span>{escape(words)}</span><div>"
                f'<i style="width:{100 * float(now):.1f}%"></i>{old}</div><b>{percent(now)}</b>'
            )
        key = _("full: now; striped: before") if "dk-was" in bars else ""
        said = escape(f"{title}. {'; '.join(told)}.")
        return (
            f'<p class="dk-label">{escape(title)}{_small(key)}</p>'
            f'<div class="dk-bars" role="img" aria-label="{said}">{bars}</div>'
        )

    def _rows(self) -> dict[Any, str]:
        """The rows with their words; those that count a face are one if they are alike."""
        rows = {row: row_words(row) for row in self.now.rows}
        school = [row for row in rows if getattr(row, "face", 0)]
        alike = {tuple(self._cell(row, column) for column in ("one", "all")) for row in school}
        if len(school) > 1 and len(alike) == 1:
            words = {school[0]: _("three of one number or more")}
            rows = words | {row: rows[row] for row in rows if row not in school}
        return rows

    def _before(self, row: Any, column: str) -> Any:
        return self.was.cells.get((row, column)) if self.was else None

    def _cell(self, row: Any, column: str) -> str:
        value = self.now.cells.get((row, column))
        if value is None:
            return "…" if self.waits else ""
        exact = exact_words(value) if column in CHANCES else ""
        fraction = f' <span class="dk-exact">{exact}</span>' if exact else ""
        change = change_words(column, value, self._before(row, column))
        return f"{value_words(column, value)}{fraction}{_small(change)}"


def row_words(row: Any) -> str:
    """A row of the table in words.

    >>> from dicekit.games.dice_poker import DicePoker
    >>> row_words(1), row_words(DicePoker().row("6"))
    ('1 die', 'three 6s or more')
    """
    if isinstance(row, int):
        return ngettext("{n} die", "{n} dice", row)
    return _("three {face}s or more", face=row.face) if row.face else _(row.name)


def value_words(column: str, value: Any) -> str:
    """A number of a column: a chance in per cent, or points.

    >>> from fractions import Fraction
    >>> value_words("bust", Fraction(4, 9)), value_words("bank", inf), value_words("bank", 300)
    ('44.4 %', 'never', '300')
    """
    if column in CHANCES:
        return percent(value)
    if value == inf:
        return _("never")
    return number(float(value), ",.1f" if column in ("best", *MEANS) else ",.0f")


def change_words(column: str, value: Any, before: Any) -> str:
    """What a number was and by how much it changed; nothing if it is the same.

    >>> from fractions import Fraction
    >>> change_words("bust", Fraction(1, 2), Fraction(4, 9)), change_words("bank", 300, 350)
    ('before 44.4 %: +5.6', 'before 350: −50')
    """
    if before is None or value == before:
        return ""
    was = value_words(column, before)
    if inf in (value, before):
        return _("before {was}", was=was)
    by = float(value - before) * (100 if column in CHANCES else 1)
    form = "+,.0f" if column in ("bank", "first") else "+,.1f" if abs(by) >= 0.05 else "+.1g"
    return _("before {was}: {change}", was=was, change=number(by, form))


def exact_words(value: Any) -> str:
    """A number as a fraction, if it is exact and that is short."""
    if isinstance(value, float):
        return ""
    short = max(abs(value.numerator), value.denominator) < 10**MOST_SIGNS
    text = str(value) if short else ""
    return text if len(text) <= MOST_SIGNS else ""


def die_words(die: Die) -> str:
    """The chances of a die's faces.

    >>> from fractions import Fraction
    >>> die_words(FAIR), die_words(Die.loaded({6: Fraction(1, 2)}))
    ('fair', '1/2 for a 6, 1/10 for any other face')
    """
    if die == FAIR:
        return _("fair")
    named, rest = named_faces(die)
    each = [_("{chance} for a {face}", chance=str(p), face=face) for face, p in named.items()]
    if rest is not None:
        each.append(_("{chance} for any other face", chance=str(rest)))
    return ", ".join(each)


def settings_words(rules: Any, die: Die, was_rules: Any, was_die: Die) -> str:
    """What is not as it was before, in words."""
    said = []
    for name, option in options(rules).items():
        now, was = getattr(rules, name), getattr(was_rules, name)
        if now != was:
            values = {"now": option.says(now), "was": option.says(was)}
            said.append(_("{option}: {now} (before: {was})", option=_(option.label), **values))
    if die != was_die:
        values = {"now": die_words(die), "was": die_words(was_die)}
        said.append(_("The die: {now} (before: {was})", **values))
    return apart(said)


def _small(words: str) -> str:
    return f' <small class="dk-change">{escape(words)}</small>' if words else ""
