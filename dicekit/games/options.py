"""The options of a game: each with its default, its check and its words.

Rules are frozen dataclasses whose fields are made here. `validate` checks them all when rules
are made; a set-up form and a rules notebook read the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from dicekit.dice import whole
from dicekit.words import N_, _, either, number


@dataclass(frozen=True)
class Option:
    """What a rule is called, values to choose from with their words, and the check of a value."""

    label: str
    choices: Mapping[Any, str]
    check: Callable[[Any], Any]

    def says(self, value: Any) -> str:
        """A value in words."""
        words = _(self.choices.get(value, ""))
        return words or (number(value) if isinstance(value, int) else str(value))


def _option(default: Any, label: str, choices: Mapping[Any, str], check: Any) -> Any:
    return field(default=default, metadata={"option": Option(label, choices, check)})


def points(default: int, label: str, *choices: int, least: int | None = 0, step: int = 50) -> Any:
    """An option that is a number of points: a multiple of `step`, at least `least`, if any.

    `choices` are values that are often played; any other may be given in code.
    """

    def check(value: Any) -> int:
        points = whole(value)
        low = least is not None and points is not None and points < least
        if points is None or low or points % step or abs(points) >= 10**15:
            if least is None:
                raise ValueError(_("must be a whole number, not {value}", value=repr(value)))
            said = {"step": step, "least": least, "value": repr(value)}
            if step == 1:
                raise ValueError(_("must be a whole number from {least} up, not {value}", **said))
            raise ValueError(_("must be a multiple of {step} from {least} up, not {value}", **said))
        return points

    return _option(default, label, dict.fromkeys(choices, ""), check)


def choice(default: Any, label: str, choices: Mapping[Any, str]) -> Any:
    """An option that is one of a few values, each with its words."""

    def check(value: Any) -> Any:
        for known in choices:
            if type(value) is type(known) and value == known:
                return value
        known_ones = either(map(repr, choices))
        raise ValueError(_("must be {one}, not {value}", one=known_ones, value=repr(value)))

    return _option(default, label, choices, check)


def switch(default: bool, label: str) -> Any:
    """An option that is on or off."""
    return choice(default, label, {True: N_("yes"), False: N_("no")})


def options(rules: Any) -> dict[str, Option]:
    """The options of a game by name, in their order; of a rules class or a rules value."""
    return {f.name: f.metadata["option"] for f in fields(rules) if "option" in f.metadata}


def validate(rules: Any) -> None:
    """Check every option of a rules value. Raises ValueError that names the option."""
    for name, option in options(rules).items():
        try:
            object.__setattr__(rules, name, option.check(getattr(rules, name)))
        except ValueError as error:
            # = an option, and what its value must be
            raise ValueError(_("{option} {must}", option=name, must=error)) from None


def changed(rules: Any) -> dict[str, Any]:
    """The fields of a rules value that differ from their defaults."""
    values = {f.name: (getattr(rules, f.name), f.default) for f in fields(rules)}
    return {name: value for name, (value, usual) in values.items() if value != usual}


def named(rules: Any) -> str:
    """The rules as one writes them: the game and what differs from its defaults."""
    shown = ", ".join(f"{name}={value!r}" for name, value in changed(rules).items())
    return f"{type(rules).__name__}({shown})"
