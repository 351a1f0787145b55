"""The screen on which a game, its players and its options are chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from ipywidgets import HTML, Checkbox, Dropdown, HBox, Text, VBox

from dicekit.board.widgets import box, button_for, html, press_if, show_if, watch
from dicekit.games.dice_poker import DicePoker
from dicekit.games.farkle import Farkle
from dicekit.games.five_thousand import FiveThousand
from dicekit.games.options import options
from dicekit.games.positions import GAMES as KINDS
from dicekit.games.scoring import row_name
from dicekit.players import LEVELS, BanksAt, Player, in_words
from dicekit.words import N_, _, apart, ngettext

MOST_PLAYERS = 6
GAMES: dict[str, Any] = {
    N_("Farkle"): Farkle(),
    "5000": FiveThousand.official(),
    N_("5000 for beginners"): FiveThousand.beginner(),
    N_("Dice poker"): DicePoker(),
    N_("Yatzy"): DicePoker.yatzy(),
    N_("American sheet"): DicePoker.american(),
}
CAREFUL, *CLEVER = LEVELS
BANKERS: tuple[Player, ...] = (CAREFUL, BanksAt(500), BanksAt(1000), *CLEVER)
COMPUTERS = {kind: LEVELS if kind is DicePoker else BANKERS for kind in KINDS.values()}


def computer_words(player: Any, kind: Any = None) -> str:
    """A computer player in words; in a game of this kind, with what is careful there."""
    if player == CAREFUL and kind is DicePoker:
        return _("computer: careful (holds dice alike)")
    if player == CAREFUL and kind:
        return _("computer: careful (banks at 300)")
    return _("computer: {kind}", kind=in_words(player))


class Choice(Dropdown):
    """A drop-down list of any values, each with its words."""

    def __init__(self, description: str, choices: Mapping[str, Any]) -> None:
        super().__init__(description=description)
        self.offer(choices)

    def offer(self, choices: Mapping[str, Any]) -> None:
        """Offer these values. What was chosen stays so if it is among them."""
        stays = self.index is not None and self.picked in choices.values()
        was, self.values = self.picked, list(choices.values())
        self.options = list(choices)
        self._choose(self.values.index(was) if stays else 0 if choices else None)

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


class Tick(Checkbox):
    """A box to tick, used as a `Choice` of True or False."""

    @property
    def picked(self) -> bool:
        return bool(self.value)

    def pick(self, value: bool, words: str = "") -> None:
        self.value = value


def fields_of(kind: Any) -> dict[str, Choice | Tick]:
    """A field for each option of a game that can be chosen on the board."""
    fields: dict[str, Choice | Tick] = {}
    for name, option in options(kind).items():
        label = _(option.label)
        if set(option.choices) == {True, False}:
            fields[name] = Tick(description=label, indent=False)
        else:
            fields[name] = Choice(label, {option.says(value): value for value in option.choices})
    return fields


class Setup(VBox):
    """The game, names, computer players, options and dice of a new game.

    `rules`, `names`, `computers` and `seed` say what was chosen; each raises ValueError
    in words for what cannot be. `fields` stand beside the game, `links` beside the start.
    """

    def __init__(
        self, start: Callable[[Any], None], fields: Iterable[Any] = (), links: Iterable[Any] = ()
    ) -> None:
        self.game = Choice(_("Game"), named_games())
        watch(self.game, "index", self._show_game)
        many = {ngettext("{n} player", "{n} players", n): n for n in range(1, MOST_PLAYERS + 1)}
        self.number = Choice(_("Players"), many)
        self.number.pick(2)
        watch(self.number, "index", self._show_rows)
        self.people = [self._person(place) for place in range(MOST_PLAYERS)]
        self.fields = {kind: fields_of(kind) for kind in COMPUTERS}
        self.grids = {kind: box(VBox, "dk-grid", *f.values()) for kind, f in self.fields.items()}
        dice = {_("thrown by the board"): False, _("real dice, typed in"): True}
        self.dice = Choice(_("Dice"), dice)
        self.seed_text = Text(description=_("Seed"), placeholder=_("empty: other dice each time"))
        self.begin = button_for(_("Start"), start, "dk-go", "dk-first")
        self.folds = button_for(_("Which rules?"), self._fold, "dk-quiet")
        self.how = html("dk-how")
        self.house = box(VBox, "dk-house", self.how, *self.grids.values())
        super().__init__(
            [
                box(VBox, "dk-grid", self.game, self.number, *fields),
                HTML(f"<h3>{_('Who plays?')}</h3>"),
                box(VBox, "dk-people", *self.people),
                HTML(f"<h3>{_('Which dice?')}</h3>"),
                box(VBox, "dk-grid", self.dice, self.seed_text),
                box(HBox, "dk-starts", self.begin, self.folds, *links),
                self.house,
            ]
        )
        self.add_class("dk-setup")
        self.show_rules(False)
        self._show_rows()
        self._show_game()

    def _person(self, place: int) -> HBox:
        name = Text(description=_("Name {n}", n=place + 1), value=usual_name(place))
        kind = Choice(_("Player {n} is", n=place + 1), {_("a person"): None})
        return HBox([name, kind]).add_class("dk-player")

    def show_rules(self, shown: bool) -> None:
        """Unfold the options of the game, or fold them away."""
        press_if(self.folds, shown)
        show_if(self.house, shown)

    def _fold(self, button: Any) -> None:
        self.show_rules(self.house.layout.display == "none")

    def _show_rows(self, change: Any = None) -> None:
        for place, row in enumerate(self.people):
            show_if(row, place < (self.number.picked or 0))

    def _show_game(self, change: Any = None) -> None:
        if self.game.picked is None:
            return
        kind = type(self.game.picked)
        self.how.value = "".join(f"<p>{words}</p>" for words in turn_words(self.game.picked))
        for other, grid in self.grids.items():
            show_if(grid, other is kind)
        kinds = {computer_words(player, kind): player for player in COMPUTERS[kind]}
        for row in self.people:
            row.children[1].offer({_("a person"): None, **kinds})
        for name, field in self.fields[kind].items():
            value = getattr(self.game.picked, name)
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
        games = named_games()
        self.game.offer(games if rules in games.values() else {**games, _("these rules"): rules})
        self.game.pick(rules)
        self.show_rules(rules not in games.values())
        self._show_game()
        self.number.pick(max(1, min(len(names), MOST_PLAYERS)))
        for name, row in zip(names, self.people, strict=False):
            text, kind = row.children
            text.value = name
            kind.pick(computers.get(name), computer_words(computers.get(name)))

    @property
    def rules(self) -> Any:
        game = self.game.picked
        fields = self.fields[type(game)]
        return replace(game, **{name: field.picked for name, field in fields.items()})

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
            wrong = _("a seed is a whole number, 0 or more, not {typed}", typed=repr(text))
            raise ValueError(wrong)
        return int(text) if text else None


def turn_words(rules: Any) -> list[str]:
    """How a turn of a game goes, and what scores in it."""
    if isinstance(rules, DicePoker):
        return [
            _(
                "In each round one throws up to three times, holds what one likes, and writes the "
                "dice into one row of the sheet. Most points in the end win."
            )
        ]
    rows = (_("{row}: {points}", row=row_name(row), points=n) for row, n in rules.rows.items())
    return [
        _(
            "In a turn: throw all the dice, set aside some that score, then bank the points or "
            "throw the other dice. A throw in which nothing scores loses the points of the turn."
        ),
        _("What scores: {rows}.", rows=apart(rows)),
    ]


def usual_name(place: int) -> str:
    """What a player is called who has no name yet."""
    return _("Player {letter}", letter="ABCDEF"[place])


def named_games() -> dict[str, Any]:
    """The games by their names in the language spoken."""
    return {_(name): rules for name, rules in GAMES.items()}
