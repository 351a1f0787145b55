"""The games of a class taken together."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from dicekit.dice import FAIR, check_count
from dicekit.games.banking import BankingRules
from dicekit.games.dice_poker import DicePoker
from dicekit.games.record import SUFFIX, Record, read
from dicekit.games.scoring import contains, face_counts
from dicekit.games.states import Action
from dicekit.own_data.observed import Observed, Several, share
from dicekit.probability import Distribution, throws
from dicekit.solve.throw import check_rules, row_chances
from dicekit.tables import Shown

Dice = tuple[int, ...]


@dataclass(frozen=True, repr=False)
class ClassData(Shown):
    """The games of a class, finished or not; computers' throws are throws too.

    `problems` says which files could not be read or were counted already.

    >>> from dicekit.games.farkle import Farkle
    >>> from dicekit.games.states import Throw
    >>> record = Record(Farkle(), ["A"])
    >>> for event in (Throw(), (2, 3, 3, 4, 6, 6), Throw(), (1, 3, 3, 4, 6, 2)):
    ...     _ = record.add(event)
    >>> ClassData([record]).busts()[6].counts
    {'bust': 1, 'scores': 1}
    """

    records: list[Record]
    problems: list[str] = field(default_factory=list)

    def throws_of(self, n: int) -> list[Dice]:
        """All throws of n dice that stand, their dice in the order as thrown or typed."""
        n = check_count(n)
        return [throw for throw in _throws(self.records) if len(throw) == n]

    def faces(self) -> Observed:
        """How often each face came, all dice together, beside a fair die."""
        return Observed(Counter(chain.from_iterable(_throws(self.records))), FAIR)

    def dice(self) -> Several:
        """The die in each place, from throws of all the game's dice, beside a fair die.

        Throws of fewer dice do not tell which die is which. A class that types its dice in a
        fixed order, such as by colour, sees each die by itself.
        """
        places = enumerate(zip_longest(*_of_all_dice(self.records)), 1)
        samples = {n: Observed(Counter(filter(None, faces)), FAIR) for n, faces in places}
        return Several(samples, "die")

    def suspects(self, level: float = 0.05) -> dict[int, float]:
        """The places of the dice whose p-values, corrected for the number of dice, are below the
        level. If all are fair, there are none in 95 of 100 classes.

        Raises ValueError for a level not between 0 and 1.
        """
        most = share(level, "level")
        return {place: p for place, p in self.dice().corrected().items() if p < most}

    def busts(self, rules: Any = None) -> Several:
        """By the number of dice thrown: how often it was a bust, and how often it scored.

        Throws that decide who begins are left out. `rules` are needed if there are several games
        with busts, or several tables; ValueError otherwise, and if no record is of these rules.
        """
        rules, records = self._of(rules, BankingRules)
        counts: dict[int, Counter[str]] = {}
        for throw in _throws(records, in_turns=True):
            counts.setdefault(len(throw), Counter(bust=0, scores=0))[_result(rules, throw)] += 1
        samples = {n: Observed(counts[n], _results(rules, n)) for n in sorted(counts)}
        return Several(samples, "dice thrown")

    def rows(self, rules: Any = None) -> Observed:
        """How often each row of the table was in a throw of all the dice, as `row_chances` has
        it: several rows can be in one throw. For `rules` see `busts`."""
        rules, records = self._of(rules, (BankingRules, DicePoker))
        thrown = list(_of_all_dice(records))
        held = Counter(row for throw in thrown for row in _rows_in(rules, throw))
        return Observed(held, row_chances(rules), len(thrown))

    def _of(self, rules: Any, kind: Any) -> tuple[Any, list[Record]]:
        """The rules asked for, or the only ones there are, and the records of games by them."""
        if rules is not None:
            check_rules(rules, kind)
        games = [record for record in self.records if isinstance(record.rules, kind)]
        known = {_scoring(record.rules): record.rules for record in games}
        if rules is None and len(known) == 1:
            (rules,) = known.values()
        if rules is None or _scoring(rules) not in known:
            there = " and ".join(map(repr, known.values())) or "no such game"
            raise ValueError(f"name the rules of one game; these are records of {there}")
        return rules, [game for game in games if _scoring(game.rules) == _scoring(rules)]

    def grid(self) -> Any:
        numbers = Counter(map(len, _throws(self.records)))
        dice = sum(n * times for n, times in numbers.items())
        games = f"{len(self.records):,} game{'s' * (len(self.records) != 1)}"
        caption = f"{games}: {numbers.total():,} throws, {dice:,} dice"
        rows = [[str(n), f"{numbers[n]:,}"] for n in sorted(numbers)]
        return caption, ["dice thrown", "throws"], rows, self.problems


def pool(*places: str | os.PathLike[str]) -> ClassData:
    """The games of a class: all record files in these folders, and these files.

        data = pool("games")
        data = pool(*Path("collected").iterdir())    # a folder from each pupil

    A file that cannot be read is named in `problems`, and the others count. The same game twice
    counts once; of an earlier copy of a game and a later one, the later counts. Raises ValueError
    if there is no record to read.
    """
    problems: list[str] = []
    found: dict[Any, Record] = {}
    for record, lines in sorted(_read(places, problems), key=lambda read: -len(read[1])):
        begins = tuple(lines[:3])  # the players and when, and the first throw
        if begins in found:
            problems.append(f"{_name(record.path)}: the same game as {_name(found[begins].path)}")
        else:
            found[begins] = record
    if not found:
        raise ValueError("; ".join([f"there is no record (*{SUFFIX}) to read", *problems]))
    return ClassData(sorted(found.values(), key=lambda record: str(record.path)), problems)


def _read(places: Iterable[Any], problems: list[str]) -> Iterator[tuple[Record, list[bytes]]]:
    """The records in these places, and their lines, which are only ever added; what cannot be
    read is added to the problems."""
    for path in dict.fromkeys(chain.from_iterable(map(_files, places))):
        record, said = read(path)
        problems += [f"{path.parent.name}/{words}" for words in said]
        if record is not None:
            yield record, path.read_bytes().split(b"\n")


def _files(place: Any) -> list[Path]:
    if not isinstance(place, str | os.PathLike):
        raise ValueError(f"name folders or record files, such as pool('games'), not {place!r}")
    path = Path(place).absolute()
    return sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]


def _name(path: Any) -> str:
    return f"{path.parent.name}/{path.name}"


def _throws(records: Iterable[Record], in_turns: bool = False) -> Iterator[Dice]:
    """The throws that stand, or only those that do not decide who begins."""
    for record in records:
        for before, event, _ in record.steps():
            decides = in_turns and getattr(before, "contenders", None)
            if not isinstance(event, Action) and not decides:
                yield event


def _of_all_dice(records: Iterable[Record]) -> Iterator[Dice]:
    for record in records:
        yield from (t for t in _throws([record]) if len(t) == record.rules.all_dice)


def _scoring(rules: Any) -> Any:
    """What of the rules decides how a throw scores."""
    if isinstance(rules, DicePoker):
        return rules.sheet
    return type(rules), *(rules.table_for(n + 1) for n in range(rules.all_dice))


def _result(rules: BankingRules, throw: Dice) -> str:
    return "bust" if rules.is_bust(throw) else "scores"


@cache
def _results(rules: BankingRules, n: int) -> Distribution:
    return throws(n).map(lambda throw: _result(rules, throw))


def _rows_in(rules: Any, throw: Dice) -> set[str]:
    """The rows that a throw of all the dice holds, named as in `row_chances`."""
    counts = face_counts(throw)
    if isinstance(rules, DicePoker):
        rows = rules.sheet.rows
        return {row.name for row in rows for p in row.patterns if contains(counts, p)}
    table = rules.table_for(len(throw))
    return {row for row in table if contains(counts, row)} or {"nothing"} & set(table)
