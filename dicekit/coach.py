"""What every move is worth, and what a game has shown: advice before a move, a review after it.

The *regret* of a move is how much more the best one is worth. What a throw changes is *luck*: the
value after it less the value before, 0 on average. So where the chances of two players are exact,
the chance at the start, and the luck of a player less his regrets, less the other's luck and with
the other's regrets, are the result. On a score sheet luck and regrets lead from the mean at the
start to the final total. (Signal and noise taken apart in the same way for backgammon: D. Zare,
Hedging toward skill, 2000.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from dicekit.dice import FAIR, Die, check_die
from dicekit.games.banking import BankingRules
from dicekit.games.dice_poker import DicePoker
from dicekit.games.options import options
from dicekit.games.states import CHANCE, Action, Decline, dashed
from dicekit.players import BestTurns, Perfect, computers_of, left_out, race_of, sheet_at_hand
from dicekit.probability import throws
from dicekit.solve.race import shipped
from dicekit.solve.watched import watched
from dicekit.tables import Grid, Shown
from dicekit.words import N_, _, listed, ngettext, number, percent

SHOWN = 6
NOTHING = {"chance": 0.0005, "points": 0.05}  # what is shown as 0
COSTS = {"chance": N_("cost in percentage points"), "points": N_("cost in points")}
Said = dict[str, float]


def _amount(unit: str, worth: float) -> str:
    """What something is worth: a chance in per cent, or points."""
    return percent(worth) if unit == "chance" else _change(unit, worth)


def _change(unit: str, by: float, sign: str = "") -> str:
    """By how much a worth differs from another: percentage points, or points."""
    shown = round(100 * by if unit == "chance" else by, 1) + 0.0  # no -0.0
    decimals = int(unit == "chance" or shown % 1 > 0)
    return number(shown, f"{sign if shown else ''},.{decimals}f")


@dataclass(frozen=True)
class Row:
    """An action, the chance to win with it and the best play after it (None where there is
    none), and the mean points: of the turn with the play after it that brings the most, on a
    score sheet of the final total."""

    action: Action
    chance: float | None
    points: float


@dataclass(frozen=True, repr=False)
class Advice(Shown):
    """What each legal action is worth, the best first; shown are the best six and the one made.

    `unit` tells what counts, "chance" or "points".
    """

    rows: tuple[Row, ...]
    unit: str
    made: Action | None = None

    def __post_init__(self) -> None:
        if self.made is not None:
            self.regret(self.made)

    @property
    def best(self) -> Action:
        """The best action."""
        return self.rows[0].action

    def regret(self, action: Action) -> float:
        """How much more the best action is worth, in `unit`. Raises ValueError for an action
        that was not possible."""
        for row in self.rows:
            if row.action == action:
                return self._worth(self.rows[0]) - self._worth(row)
        raise ValueError(_("“{action}” was not possible here", action=action))

    def _worth(self, row: Row) -> float:
        return row.points if row.chance is None else row.chance

    def grid(self) -> Grid:
        shown = [row for n, row in enumerate(self.rows) if n < SHOWN or row.action == self.made]
        rows = [self._cells(row) for row in shown]
        chance = [_("chance to win")] if self.unit == "chance" else []
        notes = []
        if more := len(self.rows) - len(shown):
            cost = _change(self.unit, self.regret(self.rows[SHOWN - 1].action))
            notes.append(
                ngettext(
                    "{n} other move costs {cost} or more.",
                    "{n} other moves cost {cost} or more.",
                    more,
                    cost=cost,
                )
            )
        most = max(self.rows, key=lambda row: row.points)
        if most.points - self.rows[0].points > NOTHING["points"]:
            notes.append(_("The most points on average: {move}.", move=most.action))
        head = [_("move"), *chance, _("mean points"), _(COSTS[self.unit])]
        return _("What each move is worth"), head, rows, notes

    def _cells(self, row: Row) -> list[str]:
        cost = self.regret(row.action)
        made = row.action == self.made
        name = _("{move} (made)", move=row.action) if made else str(row.action)
        chance = [] if row.chance is None else [_amount("chance", row.chance)]
        costs = _change(self.unit, cost) if cost > NOTHING[self.unit] else ""
        return [name, *chance, _amount("points", row.points), costs]


@dataclass(frozen=True)
class Move:
    """A decision as it was made: in which turn of the player, and what it cost."""

    turn: int
    player: str
    state: Any
    action: Action
    best: Action
    regret: float


@dataclass(frozen=True)
class Roll:
    """A throw as it came: in which turn of the player, and what it changed."""

    turn: int
    player: str
    state: Any
    dice: tuple[int, ...]
    luck: float


@dataclass(repr=False)
class _Table(Shown):
    content: Grid

    def grid(self) -> Grid:
        return self.content


@dataclass(frozen=True, repr=False)
class Review:
    """A game looked back upon.

    `moves` are all decisions where there was a choice, `mistakes` the three costliest of persons,
    `rolls` all throws.
    `luck` is what each player's own throws have changed, `skill` minus the sum of his regrets,
    both in `unit`. `start` and `now` are what each player's game was worth at the start and is
    worth now, where that is exact; `about` says what the numbers are. `people` are the players
    who are no computers.
    """

    moves: tuple[Move, ...]
    mistakes: tuple[Move, ...]
    luck: Said
    skill: Said
    unit: str
    about: str
    start: Said = field(default_factory=dict)
    now: Said = field(default_factory=dict)
    people: tuple[str, ...] = ()
    rolls: tuple[Roll, ...] = ()

    def tables(self) -> list[Shown]:
        """The mistakes, if persons played, and luck and skill."""
        worst = [
            [
                _("{name}, turn {turn}", name=move.player, turn=move.turn),
                _moment(move.state),
                str(move.action),
                str(move.best),
                _change(self.unit, move.regret),
            ]
            for move in self.mistakes
        ]
        caption = _("The costliest mistakes")
        if not worst:
            some = any(move.regret > NOTHING[self.unit] for move in self.moves)
            every = _("No mistake: every move was the best.")
            caption = _("No mistake of a person.") if some else every
        head = [_("who"), _("when"), _("was done"), _("was better"), _(COSTS[self.unit])]
        both = [
            [who, *(_change(self.unit, part[who], "+") for part in (self.luck, self.skill))]
            for who in self.luck
        ]
        sums = [self._sum(who) for who in self.start]
        meant = N_(
            "Luck is what a player's own throws have changed, skill what the moves gave away."
        )
        unit = [_("Both are in percentage points.")] if self.unit == "chance" else []
        notes = [_(meant), *unit, *sums, self.about]
        mistakes = [_Table((caption, head, worst, []))] if self.people else []
        head = [_("player"), _("luck"), _("skill")]
        return [*mistakes, _Table((_("Luck and skill"), head, both, notes))]

    def _sum(self, who: str) -> str:
        def of(part: Said, name: str, times: int = 1) -> str:
            return _change(self.unit, times * part[name], "+")

        ends = {"start": self.start[who], "now": self.now[who]}
        said = {"name": who} | {name: _amount(self.unit, worth) for name, worth in ends.items()}
        said |= {"luck": of(self.luck, who), "skill": of(self.skill, who)}
        if self.unit != "chance":
            text = N_("{name}: {start} at the start, {luck} luck, {skill} skill: {now}.")
            return _(text, **said)
        (other,) = (name for name in self.luck if name != who)
        said |= {"other": other, "luck_of_other": of(self.luck, other, -1)}
        said |= {"skill_of_other": of(self.skill, other, -1)}
        return _(
            "{name}: {start} at the start, {luck} luck, {skill} skill, "
            "{luck_of_other} luck of {other}, {skill_of_other} skill of {other}: {now}.",
            **said,
        )

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self.tables()))

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self.tables())


def _moment(state: Any) -> str:
    """What a player had before him."""
    said = [_("at {score}", score=state.scores[state.player])]
    if getattr(state, "points", 0):
        said.append(_("{points} in the turn", points=state.points))
    if state.throw:
        said.append(_("thrown {dice}", dice=dashed(state.throw)))
    else:
        said.append(ngettext("{n} die to throw", "{n} dice to throw", state.dice))
    return ", ".join(said)


class Coach:
    """Says what every move in a game is worth.

    Chances to win are there at once for the usual games; with `solve` for others too, after
    what can be a minute. On a score sheet the mean of the final total counts, which is the same
    as that of the settlement. `about` tells what the numbers are.

    >>> from dicekit.games.dice_poker import DicePoker
    >>> from dicekit.games.states import Throw
    >>> state = DicePoker().start("Ana").child(Throw()).child((6, 6, 6, 2, 1))
    >>> advice = Coach(DicePoker()).advice(state)
    >>> print(advice.best)
    hold 6-6-6
    >>> advice.unit, round(advice.rows[0].points, 1)
    ('points', 176.4)

    Raises ValueError for what is no game, a die with symbols, a loaded die on a sheet, and a sheet
    that cannot be solved without numpy.
    """

    def __init__(self, game: Any, die: Die = FAIR, *, solve: bool = False) -> None:
        if not isinstance(game, BankingRules | DicePoker):
            raise ValueError(f"{game!r} is no game; write Farkle(), for example")
        self.game, self.die, self._sheet = game, check_die(die), isinstance(game, DicePoker)
        if die.is_symbolic or (self._sheet and die != FAIR):
            said = {"game": _(game.name), "die": repr(die)}
            raise ValueError(_("the coach of {game} has no answer for {die}", **said))
        if self._sheet and not sheet_at_hand(game):
            text = N_("{game} with these rows cannot be solved without numpy")
            raise ValueError(_(text, game=_(game.name)))
        self._best, self._turns = Perfect(die), BestTurns(die)
        self._left_out = {} if self._sheet else left_out(game)
        raced = replace(game, **self._left_out)
        there = not self._sheet and (solve or shipped(raced, die))
        self._raced = there and race_of(game, die) is not None

    @property
    def about(self) -> str:
        """What the numbers are, in a sentence or two."""
        return self._about(self._raced)

    def _about(self, chances: bool) -> str:
        if self._sheet:
            return _("Points are the exact mean of the final total with the best play to the end.")
        if not chances:
            return _("Only the mean points of the turn count here: no chances to win are at hand.")
        said = _(
            "Chances to win with the best play of all: exact for two players, for more "
            "estimated from the chances against each alone."
        )
        if not self._left_out:
            return said
        known = options(self.game)
        rules = listed(_("“{rule}”", rule=_(known[name].label)) for name in self._left_out)
        text = N_("They are estimated as if after this turn there were no rule {rules}.")
        return f"{said} {_(text, rules=rules)}"

    def advice(self, state: Any, made: Action | None = None) -> Advice:
        """What each legal action is worth, the best first; `made` is shown in any case.

        Raises ValueError for a state of another game, one in which no player acts, or who begins
        is thrown for and no chances are at hand; and for a `made` that was not possible.
        """
        self._check(state, "legal_actions", "a state, such as record.state")
        values, unit = self._player(state).values(state), self._unit(state)
        if unit == "points" and getattr(state, "contenders", None):
            raise ValueError(_("who begins is luck"))
        if self._sheet:
            own = state.scores[state.player]
            points = {action: own + more for action, more in values.items()}
        else:
            points = self._turns.values(state)
        chances = values if unit == "chance" else {}
        rows = [Row(action, chances.get(action), points[action]) for action in values]
        rows.sort(key=lambda row: (-values[row.action], -row.points))
        return Advice(tuple(rows), unit, made)

    def _check(self, given: Any, has: str, wanted: str) -> None:
        if not hasattr(given, has):
            raise ValueError(f"the coach looks at {wanted}, not at {given!r:.80}")
        if getattr(given, "rules", None) != self.game:
            raise ValueError(f"this is the coach of {self.game!r}; the state is of another game")

    def _unit(self, state: Any) -> str:
        return "chance" if self._raced and len(state.players) > 1 else "points"

    def _player(self, state: Any) -> Any:
        """The level whose values count."""
        chances = self._sheet or self._unit(state) == "chance"
        return self._best if chances else self._turns

    def review(self, record: Any, progress: bool | Callable[[float], None] = False) -> Review:
        """Every decision of a game, over or not, as it stands in a record.

        `progress` is True for a bar (tqdm), or a function that is told from 0 to 1 how much is
        done. Raises ValueError for a record of another game.
        """
        self._check(record, "steps", "a record of a game")
        player, steps = self._player(record.state), list(record.steps())
        moves, rolls, computers = [], [], computers_of(record)
        luck, skill = dict.fromkeys(record.players, 0.0), dict.fromkeys(record.players, 0.0)
        turns, first = dict.fromkeys(record.players, 0), record.states[0]
        turns[record.players[first.player]] += not first.turn_begins
        begun = worth = self._rolling(player, first) if first.current_player == CHANCE else 0.0
        for before, event, after in watched(steps, progress, _("moves and throws")):
            name = record.players[before.player]
            if not isinstance(event, Action):
                change = player.after_throw(before, after) - worth
                rolls.append(Roll(turns[name], name, before, event, change))
                luck[name] += change
                continue
            turns[name] += before.turn_begins and event != Decline()
            values = player.values(before)
            best, worth = max(values, key=values.__getitem__), values[event]
            skill[name] -= values[best] - worth
            if len(values) > 1:
                regret = values[best] - worth
                moves.append(Move(turns[name], name, before, event, best, regret))
        unit = self._unit(record.state)
        costly = [move for move in moves if move.regret > NOTHING[unit]]
        persons = [move for move in costly if move.player not in computers]
        worst = sorted(persons, key=lambda move: -move.regret)[:3]
        ends = self._standings(first, begun), self._standings(record.state, worth)
        people = tuple(name for name in record.players if name not in computers)
        said, found = self._about(unit == "chance"), (people, tuple(rolls))
        return Review(tuple(moves), tuple(worst), luck, skill, unit, said, *ends, *found)

    def _rolling(self, player: Any, state: Any) -> float:
        """What a throw that is due is worth to the one who throws."""
        found = throws(state.dice, self.die).items()
        return sum(float(p) * player.after_throw(state, state.child(dice)) for dice, p in found)

    def _standings(self, state: Any, rolling: float = 0.0) -> Said:
        """What the game is worth to each player, where that is exact; `rolling` is what it is to
        the one whose dice roll."""
        many = range(len(state.players))
        if self._sheet:
            found = [state.scores[who] + self._to_come(state, who, rolling) for who in many]
        elif self._unit(state) == "points" or not self._best.is_exact(state):
            return {}
        elif state.is_terminal:
            found = [float(worth) for worth in state.returns]
        else:
            mine = rolling
            if state.current_player != CHANCE:
                mine = max(self._best.values(state).values())
            found = [mine if who == state.player else 1 - mine for who in many]
        return dict(zip(state.players, found, strict=True))

    def _to_come(self, state: Any, who: int, rolling: float) -> float:
        """The mean of the points that a player still gets on a sheet."""
        if state.is_terminal:
            return 0.0
        if who != state.player:
            sheet, played = state.rules.sheet, state.round + (who < state.player)
            fresh = {"throw": (), "held": (), "throws_left": sheet.throws}
            state = replace(state, player=who, round=played, stage="begin", **fresh)
            if played == len(sheet.rows):
                return 0.0
        if state.current_player == CHANCE:
            return rolling
        return float(max(self._best.values(state).values()))
