"""A sample is cut into blocks of a fixed size, and the seed and the number of a block alone decide
its dice. So a seed gives the same sample on one core, on several processes and on a cluster, and
a larger sample begins with the smaller one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import as_completed
from typing import Any, Protocol

from dicekit.dice import whole

LONGEST = 20_000  # turns


def short_enough(turns: int) -> int:
    if turns > LONGEST:
        raise ValueError(
            f"after {LONGEST:,} turns a game is still on: these strategies need never end it"
        )
    return turns


class Work(Protocol):
    """What can be done block by block; each sample is a number or a row."""

    @property
    def block(self) -> int:
        """How many samples a call gives."""

    def run(self, seed: int, number: int) -> Any:
        """The samples of one block."""


def sample(work: Work, size: int, seed: int, progress: bool, executor: Any) -> Any:
    import numpy as np
    from tqdm.auto import tqdm

    if whole(seed) is None or seed < 0:
        raise ValueError(f"a seed is a whole number from 0 on, not {seed!r}")
    blocks = -(-size // work.block)
    parts: dict[int, Any] = {}
    with tqdm(total=size, disable=not progress, unit=" played", smoothing=0) as bar:
        for number, part in _parts(work, int(seed), blocks, executor):
            parts[number] = part
            bar.update(min(work.block, size - bar.n))
    return np.concatenate([parts[number] for number in range(blocks)])[:size]


def _parts(work: Work, seed: int, blocks: int, executor: Any) -> Iterator[tuple[int, Any]]:
    if executor is None:
        yield from ((number, work.run(seed, number)) for number in range(blocks))
        return
    if not hasattr(executor, "submit"):
        raise ValueError(
            "an executor is a ProcessPoolExecutor or client.get_executor(), "
            f"not {type(executor).__name__}"
        )
    share = -(-blocks // 64)  # large enough that sending the work is little beside doing it
    starts = range(0, blocks, share)
    tasks = [executor.submit(_run, work, seed, range(k, min(k + share, blocks))) for k in starts]
    try:
        for task in as_completed(tasks):
            yield from task.result()
    except (AttributeError, TypeError) as problem:
        if "pickle" not in str(problem).lower():
            raise
        raise ValueError(
            "a rule made in the notebook cannot be sent to other processes; "
            "put it into a file and import it, or use a Dask executor"
        ) from problem
    finally:
        for task in tasks:
            task.cancel()


def _run(work: Work, seed: int, numbers: Iterable[int]) -> list[tuple[int, Any]]:
    return [(number, work.run(seed, number)) for number in numbers]
