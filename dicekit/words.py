"""The words of the game in the language of its players: English, French, Portuguese.

Whoever says something to players says it in English through `_`, `ngettext` or `pgettext` of
this module, and gives the values apart:

    >>> _("{name} loses {points} points.", name="Ana", points=1200)
    'Ana loses 1,200 points.'
    >>> with speaking("pt"):
    ...     print(_("{name} loses {points} points.", name="Ana", points=450))
    Ana: 450 pontos perdidos.

`N_` marks what is translated later, where it is shown. The translations are gettext catalogues
in `languages`; what has none is said in English.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from typing import Any

LANGUAGES = {"en": "English", "fr": "français", "pt": "português"}
# What groups the thousands, and what goes before the decimals.
_MARKS = {"en": ",.", "fr": "\u202f,", "pt": ".,"}
_spoken = "en"


def language() -> str:
    """The language that is spoken now: "en", "fr" or "pt"."""
    return _spoken


def speak(language: str) -> None:
    """Speak this language from now on: figures, coaches, new boards.

    >>> speak("en")

    Raises ValueError for a language that is not known.
    """
    global _spoken
    if language not in LANGUAGES:
        known = ", ".join(f'"{code}" ({name})' for code, name in LANGUAGES.items())
        raise ValueError(f"dicekit speaks {known}, not {language!r}")
    _spoken = language


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak this language within a block."""
    before = _spoken
    speak(language)
    try:
        yield
    finally:
        speak(before)


@cache
def _catalogue(language: str) -> NullTranslations:
    if language == "en":
        return NullTranslations()
    with files(__package__).joinpath("languages", f"{language}.mo").open("rb") as file:
        return GNUTranslations(file)


def N_(text: str) -> str:
    """A text that is translated where it is shown."""
    return text


def _(text: str, **values: Any) -> str:
    """A text in the language spoken, with its values; whole numbers as they are written there."""
    return _filled(_catalogue(_spoken).gettext(text) if text else "", values)


def ngettext(one: str, many: str, n: int, **values: Any) -> str:
    """A text that depends on a number, which is `n` in it.

    >>> ngettext("{n} die", "{n} dice", 1), ngettext("{n} die", "{n} dice", 6)
    ('1 die', '6 dice')
    """
    return _filled(_catalogue(_spoken).ngettext(one, many, n), {"n": n, **values})


def pgettext(context: str, text: str, **values: Any) -> str:
    """A text that means one thing in this context, and perhaps another elsewhere."""
    return _filled(_catalogue(_spoken).pgettext(context, text), values)


def _filled(text: str, values: dict[str, Any]) -> str:
    said = {name: number(v) if type(v) is int else v for name, v in values.items()}
    return text.format_map(said) if values else text


def number(value: float, form: str = ",d") -> str:
    """A number as it is written in the language spoken; `form` is a format of Python.

    >>> number(9200), number(-1234.56, ",.1f")
    ('9,200', '−1,234.6')
    >>> with speaking("pt"):
    ...     number(9200), number(44.44, ".1f")
    ('9.200', '44,4')
    """
    marks = str.maketrans(",.-", _MARKS[_spoken] + "−")
    return format(value, form).translate(marks)


def percent(chance: Any, sign: str = "") -> str:
    """A chance as a percentage. What is almost sure is not called sure.

    >>> percent(4 / 9), percent(0.99967), percent(1 / 6**6)
    ('44.4 %', '99.97 %', '0.002 %')
    """
    share = 100 * float(chance)
    places = next((places for places in (1, 2, 3, 4) if round(share, places) not in (0, 100)), 1)
    return f"{number(share, f'{sign}.{places}f')} %"


def listed(words: Any) -> str:
    """Words in a row.

    >>> listed(["1", "5", "5"])
    '1, 5 and 5'
    """
    *most, last = map(str, words)
    return _("{some} and {last}", some=", ".join(most), last=last) if most else last


def apart(parts: Any) -> str:
    """Parts of a text with semicolons between them.

    >>> apart(["Ana 200", "Bia 0"])
    'Ana 200; Bia 0'
    """
    return _("; ").join(parts)


def either(words: Any) -> str:
    """Words of which one is meant.

    >>> either(["Farkle", "5000"])
    'Farkle or 5000'
    """
    *most, last = map(str, words)
    return _("{some} or {last}", some=", ".join(most), last=last) if most else last
