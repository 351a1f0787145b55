"""Where a library is missing, as in a browser: one sentence, and a stand-in to go on with."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import wraps
from importlib.util import find_spec
from math import nan
from typing import Any

from dicekit.words import N_, _

_said: set[tuple[int, str]] = set()


class Missing:
    """Stands for an answer that cannot be had: whatever is asked of it, it is the answer again,
    and it shows as –, or as its words. `why` is a sentence.

    >>> mean = Missing("").mean + 1
    >>> print(f"{mean:.1f} turns, {round(mean)} dice")
    – turns, – dice
    """

    def __init__(self, why: str, words: str = "–") -> None:
        self.why, self._words = why, words

    def _same(self, *_given: Any, **_named: Any) -> Missing:
        return self

    __call__ = __getitem__ = __round__ = __abs__ = __neg__ = _same
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _same
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __pow__ = __rpow__ = _same

    def __getattr__(self, name: str) -> Missing:
        if name.startswith("_"):
            raise AttributeError(name)
        return self

    def __bool__(self, _other: Any = None) -> bool:
        return False

    __lt__ = __le__ = __gt__ = __ge__ = __bool__

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __float__(self) -> float:
        return nan

    def __repr__(self) -> str:
        return self._words

    def __format__(self, spec: str) -> str:
        width = spec.partition(".")[0]
        return self._words.rjust(int(width) if width.isdigit() else 0)


def unanswered(why: str) -> Any:
    """The stand-in; why it must be is said once in each cell."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if (said := (getattr(shell, "execution_count", 0), why)) not in _said:
        _said.add(said)
        print(why)
    return Missing(why)


def or_missing(function: Any) -> Any:
    """The function; where numpy is missing, with the stand-in for what only numpy could answer."""
    if find_spec("numpy"):
        return function

    @wraps(function)
    def asked(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except (ImportError, ValueError) as problem:
            if getattr(problem.__cause__ or problem, "name", None) != "numpy":
                raise
            text = N_("{name} needs numpy for this, and numpy is missing here: – is the answer.")
            return unanswered(_(text, name=function.__name__))

    return asked
