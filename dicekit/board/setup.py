"""The screen on which players and options are chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any

from ipywidgets import HTML, Button, Checkbox, Dropdown, HBox, Text, VBox

from dicekit.board.pictures import count
from dicekit.games.options import options
from dicekit.players import BanksAt

MOST_PLAYERS = 6
KINDS = {
    "a person": None,
    "computer, banks at 300": BanksAt(300),
    "computer, banks at 500": BanksAt(500),
    "computer, banks at 1,000": BanksAt(1000),
}


class Setup(VBox):
    """Names, computer players, options and dice of a new game.

    `rules`, `names`, `computers`, `typed` and `seed` say what was chosen; each raises ValueError
    in words for what cannot be.
    """

    def __init__(self, game: type, start: Callable[[Any], None]) -> None:
        self.game: Any = game
        self.number = Dropdown(
            description="Players",
            options=[(count(n, "player", "players"), n) for n in range(1, MOST_PLAYERS + 1)],
            value=2,
        )
        self.number.add_class("dk-number")
        self.number.observe(self._show_rows, "value")
        self.rows = [self._row(index) for index in range(MOST_PLAYERS)]
        self.fields = {name: self._field(name) for name in options(game)}
        self.dice = Dropdown(
            description="Dice",
            options=[("thrown by the board", False), ("real dice, typed in", True)],
        )
        self.seed_text = Text(description="Seed", placeholder="empty: by chance")
        self.begin = Button(description="Start")
        self.begin.add_class("dk-go").add_class("dk-first")
        self.begin.on_click(start)
        super().__init__(
            [
                _heading("Who plays?"),
                self.number,
                *self.rows,
                _heading("Which rules?"),
                _grid(*self.fields.values()),
                _heading("Which dice?"),
                _grid(self.dice, self.seed_text),
                self.begin,
            ]
        )
        self.add_class("dk-setup")
        self._show_rows()

    def _row(self, index: int) -> HBox:
        name = Text(description=f"Name {index + 1}", value=f"Player {'ABCDEF'[index]}")
        kind = Dropdown(description="is", options=list(KINDS.items()))
        return HBox([name, kind]).add_class("dk-player")

    def _field(self, name: str) -> Any:
        option = options(self.game)[name]
        default = next(field.default for field in fields(self.game) if field.name == name)
        assert default is not MISSING
        if isinstance(default, bool):
            return Checkbox(description=option.label, value=default, indent=False)
        values = [
            (option.says(value), value) for value in dict.fromkeys((default, *option.choices))
        ]
        return Dropdown(description=option.label, options=values, value=default)

    def _show_rows(self, change: Any = None) -> None:
        for index, row in enumerate(self.rows):
            row.layout.display = "" if index < self.number.value else "none"

    def fill(self, rules: Any, names: tuple[str, ...], computers: dict[str, BanksAt]) -> None:
        """Offer these rules and players again."""
        for name, field in self.fields.items():
            value = getattr(rules, name)
            if isinstance(field, Dropdown) and value not in [v for _, v in field.options]:
                field.options = [*field.options, (options(self.game)[name].says(value), value)]
            field.value = value
        self.number.value = max(1, min(len(names), MOST_PLAYERS))
        for name, row in zip(names, self.rows, strict=False):
            kind = computers.get(name)
            text, chosen = row.children
            text.value = name
            chosen.value = kind if kind in KINDS.values() else None

    @property
    def rules(self) -> Any:
        return self.game(**{name: field.value for name, field in self.fields.items()})

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(row.children[0].value for row in self.rows[: self.number.value])

    @property
    def computers(self) -> dict[str, BanksAt]:
        chosen = {row.children[0].value.strip(): row.children[1].value for row in self.rows}
        return {name: chosen[name.strip()] for name in self.names if chosen[name.strip()]}

    @property
    def typed(self) -> bool:
        return self.dice.value

    @property
    def seed(self) -> int | None:
        text = self.seed_text.value.strip()
        if text and not (text.isascii() and text.isdigit()):
            raise ValueError(f"a seed is a whole number, 0 or more, not {text!r}")
        return int(text) if text else None


def _heading(words: str) -> HTML:
    return HTML(f"<h3>{words}</h3>")


def _grid(*fields: Any) -> VBox:
    return VBox(fields).add_class("dk-grid")
