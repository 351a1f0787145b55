"""Numbers of the rule explorer in words and as HTML, each beside what it was before."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from math import inf
from typing import Any

from dicekit.board.measures import Measures
from dicekit.board.pictures import region
from dicekit.dice import FAIR, Die
from dicekit.games.options import options
from dicekit.tables import Grid, Shown
from dicekit.words import N_, _, apart, ngettext, number, percent

CHANCES = ("bust", "one", "all")
HEADS = {
    "bust": N_("chance of no points"),
    "one": N_("in one throw"),
    "all": N_("in up to {throws} throws"),
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


@dataclass(frozen=True, repr=False)
class Compared(Shown):
    """The numbers of these rules, beside what they were before."""

    rules: Any
    now: Measures
    was: Measures = field(default_factory=dict)

    def means(self) -> list[tuple[str, str, str]]:
        """What a turn or a sheet is worth: the number, what it is, and what it was."""
        told = {name: self._told(name) for name in MEANS if name in self.now}
        return [(value, _(MEANS[name]), change) for name, (value, change) in told.items()]

    def grid(self) -> Grid:
        """All other numbers by row and column; below each number what it was."""
        caption, corner, throws = _("By the number of dice thrown"), _("dice"), self._throws
        if throws:
            caption, corner = _("Chance of each row, if one throws for it alone"), _("row")
        columns = [name for name in HEADS if name in self.now]
        head = [corner, *(_(HEADS[name], throws=throws) for name in columns)]
        rows = self._rows().items()
        cells = [[words, *(self._cell(name, row) for name in columns)] for row, words in rows]
        return caption, head, cells, self._notes()

    def table(self) -> str:
        """The same as HTML."""
        return region("dk-wide", self.grid()[0], self._repr_html_())

    def bars(self) -> str:
        """The chances as bars."""
        name, title, bars = "bust", _("Chance that a throw brings no points"), ""
        if self._throws:
            name, title = "all", _("Chance of each row in up to {n} throws", n=self._throws)
        for row, words in self._rows().items():
            now, was = self.now[name][row], self.was.get(name, {}).get(row)
            old = "" if was in (None, now) else _bar(was, ' class="dk-was"')
            bars += f"<span>{escape(words)}</span><div>{_bar(now)}{old}</div><b>{percent(now)}</b>"
        key = f" <small>{_('full: now; striped: before')}</small>" if "dk-was" in bars else ""
        return (
            f'<p class="dk-label">{title}{key}</p>'
            f'<div class="dk-bars" role="img" aria-label="{title}">{bars}</div>'
        )

    @property
    def _throws(self) -> int:
        """How many throws a round of a sheet has; 0 in another game."""
        return self.rules.sheet.throws if "one" in self.now else 0

    def _rows(self) -> dict[Any, str]:
        rows = next(iter(self.now.values()))
        return {r: _(r) if isinstance(r, str) else ngettext("{n} die", "{n} dice", r) for r in rows}

    def _notes(self) -> list[str]:
        rules, said = self.rules, []
        if getattr(rules, "wins_at_once", None):
            said.append(_("A throw that wins at once counts as {n} points.", n=rules.target))
        if getattr(rules, "exact", False) or getattr(rules, "prediction", None) == "total":
            said.append(_("This is the turn of a player with 0 points."))
        return said

    def _cell(self, name: str, row: Any) -> str:
        value, change = self._told(name, row)
        exact = str(self.now[name][row]) if name in CHANCES else ""
        if 0 < len(exact) <= MOST_SIGNS:
            value += f" =\N{NO-BREAK SPACE}{exact}"
        return f"{value}\n{change}".rstrip()

    def _told(self, name: str, row: Any = "") -> tuple[str, str]:
        """A number, and what it was."""
        value, before = self.now[name][row], self.was.get(name, {}).get(row)
        return value_words(name, value), change_words(name, value, before)


def _bar(chance: Any, kind: str = "") -> str:
    return f'<i{kind} style="width:{100 * float(chance):.1f}%"></i>'


def value_words(name: str, value: Any) -> str:
    """A number: a chance in per cent, or points.

    >>> from fractions import Fraction
    >>> value_words("bust", Fraction(4, 9)), value_words("bank", inf), value_words("bank", 300)
    ('44.4 %', 'never', '300')
    """
    if name in CHANCES:
        return percent(value)
    if value == inf:
        return _("never")
    return number(float(value), ",.0f" if name in ("bank", "first") else ",.1f")


def change_words(name: str, value: Any, before: Any) -> str:
    """What a number was and by how much it changed; nothing if it is the same.

    >>> from fractions import Fraction
    >>> change_words("bust", Fraction(1, 2), Fraction(4, 9)), change_words("bank", 300, 350)
    ('before 44.4 %: +5.6', 'before 350: −50')
    """
    if before is None or value == before:
        return ""
    was = value_words(name, before)
    if inf in (value, before):
        return _("before {was}", was=was)
    by = float(value - before) * (100 if name in CHANCES else 1)
    form = "+,.0f" if name in ("bank", "first") else "+,.1f" if abs(by) >= 0.05 else "+.1g"
    return _("before {was}: {change}", was=was, change=number(by, form))


def die_words(die: Die) -> str:
    """The chances of a die's faces, from 1 to 6.

    >>> die_words(FAIR), die_words(Die.loaded({6: 0.5}))
    ('fair', '1/10, 1/10, 1/10, 1/10, 1/10, 1/2')
    """
    return _("fair") if die == FAIR else ", ".join(map(str, die.chances))


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
