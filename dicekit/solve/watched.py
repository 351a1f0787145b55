"""Long work, with a progress bar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any, TypeVar

T = TypeVar("T")


def watched(steps: Sequence[T], progress: Any, unit: str) -> Iterator[T]:
    """The steps, with a bar if `progress` is True, or None and it takes more than five seconds;
    or with a function that is told from 0 to 1 how much is done."""
    if not callable(progress) and progress not in (None, False, True):
        raise ValueError(f"progress is True, False or a function, not {progress!r}")
    if progress in (None, True) and find_spec("tqdm"):
        from tqdm.auto import tqdm

        yield from tqdm(steps, unit=f" {unit}", delay=0 if progress else 5)
        return
    for number, step in enumerate(steps, 1):
        yield step
        if callable(progress):
            progress(number / len(steps))
