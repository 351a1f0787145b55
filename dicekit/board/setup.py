"""The screen on which a game, its players and its options are chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ipywidgets import HTML, Button, Checkbox, Dropdown, HBox, Text, VBox

from dicekit.board.pictures import count
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.options import options
from dicekit.players import LEVELS, BanksAt, Player

MOST_PLAYERS = 6
GAMES: dict[str, Any] = {
    "Farkle": Farkle(),
    "5000": FiveThousand.official(),
    "5000 for beginners": FiveThousand.beginner(),
    "Dice poker": DicePoker(),
    "Yatzy": DicePoker.yatzy(),
    "American sheet": DicePoker.american(),
}
CAREFUL, *_ = LEVELS
CLEVER: tuple[Player, ...] = LEVELS[1:]


def _computers(careful: str, *others: Player) -> dict[str, Player]:
    """Computer players by their words."""
    return {f"{CAREFUL} ({careful})": CAREFUL, **{str(who): who for who in (*others, *CLEVER)}}


BANKERS = _computers("banks at 300", BanksAt(500), BanksAt(1000))
COMPUTERS = {Farkle: BANKERS, FiveThousand: BANKERS, DicePoker: _computers("holds dice alike")}


class Choice(Dropdown):
    """A drop-down list of any values, each with its words."""

    def __init__(self, description: str, choices: Mapping[str, Any]) -> None:
        super().__init__(description=description)
        self.offer(choices)

    def offer(self, choices: Mapping[str, Any]) -> None:
        """Offer other values."""
        self.values = list(choices.values())
        self.options = list(choices)
        self._choose(0 if choices else None)

    def _choose(self, index: int | None) -> None:
        """Set the index anew: the browser forgets it when the options change."""
        self.index = None
        self.index = index

    @property
    def picked(self) -> Any:
        return None if self.index is None else self.values[self.index]

    def pick(self, value: Any, words: str = "") -> None:
        """Choose a value; one that was not in the list is added to it."""
        if value not in self.values:
            self.values.append(value)
            self.options = [*self.options, words or str(value)]
        self._choose(self.values.index(value))


class Setup(VBox):
    """The game, names, computer players, options and dice of a new game.

    `rules`, `names`, `computers` and `seed` say what was chosen; each raises ValueError
    in words for what cannot be.
    """

    def __init__(self, start: Callable[[Any], None]) -> None:
        self.game = Choice("Game", GAMES)
        self.game.observe(self._show_game, "index")
        numbers = range(1, MOST_PLAYERS + 1)
        self.number = Choice("Players", {count(n, "player", "players"): n for n in numbers})
        self.number.pick(2)
        self.number.observe(self._show_rows, "index")
        self.people = [self._person(place) for place in range(MOST_PLAYERS)]
        self.fields = {kind: self._fields(kind) for kind in COMPUTERS}
        self.grids = {kind: _grid(*fields.values()) for kind, fields in self.fields.items()}
        self.dice = Choice("Dice", {"thrown by the board": False, "real dice, typed in": True})
        self.seed_text = Text(description="Seed", placeholder="empty: other dice each time")
        self.begin = Button(description="Start").add_class("dk-go").add_class("dk-first")
        self.begin.on_click(start)
        super().__init__(
            [
                _grid(self.game, self.number),
                HTML("<h3>Who plays?</h3>"),
                *self.people,
                HTML("<h3>Which rules?</h3>"),
                *self.grids.values(),
                HTML("<h3>Which dice?</h3>"),
                _grid(self.dice, self.seed_text),
                self.begin,
            ]
        )
        self.add_class("dk-setup")
        self._show_rows()
        self._show_game()

    def _person(self, place: int) -> HBox:
        name = Text(description=f"Name {place + 1}", value=f"Player {'ABCDEF'[place]}")
        kind = Choice(f"Player {place + 1} is", {"a person": None})
        return HBox([name, kind]).add_class("dk-player")

    def _fields(self, kind: Any) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for name, option in options(kind).items():
            if True in option.choices and len(option.choices) == 2:
                fields[name] = Checkbox(description=option.label, indent=False)
            else:
                choices = {option.says(value): value for value in option.choices}
                fields[name] = Choice(option.label, choices)
        return fields

    def _show_rows(self, change: Any = None) -> None:
        for place, row in enumerate(self.people):
            row.layout.display = "" if place < (self.number.picked or 0) else "none"

    def _show_game(self, change: Any = None) -> None:
        if self.game.picked is None:
            return
        kind = type(self.game.picked)
        for other, grid in self.grids.items():
            grid.layout.display = "" if other is kind else "none"
        kinds = {f"computer: {words}": player for words, player in COMPUTERS[kind].items()}
        for row in self.people:
            was = row.children[1].picked
            row.children[1].offer({"a person": None, **kinds})
            if was in kinds.values():
                row.children[1].pick(was)
        for name, field in self.fields[kind].items():
            value = getattr(self.game.picked, name)
            if isinstance(field, Checkbox):
                field.value = value
            else:
                field.pick(value, options(kind)[name].says(value))

    def fill(
        self,
        rules: Any,
        names: tuple[str, ...],
        computers: Mapping[str, Player],
        typed: bool = False,
        seed: int | None = None,
    ) -> None:
        """Offer these rules, players and dice."""
        self.dice.pick(typed)
        self.seed_text.value = "" if seed is None else str(seed)
        known = [name for name, game in GAMES.items() if game == rules]
        self.game.offer(GAMES if known else {**GAMES, "these rules": rules})
        self.game.pick(rules)
        self._show_game()
        self.number.pick(max(1, min(len(names), MOST_PLAYERS)))
        for name, row in zip(names, self.people, strict=False):
            text, kind = row.children
            text.value = name
            kind.pick(computers.get(name), f"computer: {computers.get(name)}")

    @property
    def rules(self) -> Any:
        game = self.game.picked
        chosen = {
            name: field.value if isinstance(field, Checkbox) else field.picked
            for name, field in self.fields[type(game)].items()
        }
        return replace(game, **chosen)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(row.children[0].value.strip() for row in self.people[: self.number.picked])

    @property
    def computers(self) -> dict[str, Player]:
        pairs = [(row.children[0].value.strip(), row.children[1].picked) for row in self.people]
        return {name: kind for name, kind in pairs[: self.number.picked] if kind}

    @property
    def seed(self) -> int | None:
        text = self.seed_text.value.strip()
        if text and not (text.isascii() and text.isdigit()):
            raise ValueError(f"a seed is a whole number, 0 or more, not {text!r}")
        return int(text) if text else None


def _grid(*fields: Any) -> VBox:
    return VBox(fields).add_class("dk-grid")
