"""A sample is cut into blocks of a fixed size, and the seed and the number of a block alone decide
its dice. So a seed gives the same sample on one core, on several processes and on a cluster, and
a larger sample begins with the smaller one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import chain
from typing import Any

from dicekit.dice import whole

LONGEST = 5_000  # turns
MOST = 30_000  # points with which every turn ends, as in `turn_result`
WON_AT_ONCE = -1  # in place of points


def with_numpy() -> bool:
    return find_spec("numpy") is not None


def short_enough(turns: int) -> int:
    if turns > LONGEST:
        still = f"after {LONGEST:,} turns a game is still on"
        raise ValueError(f"{still}: these strategies need never end it")
    return turns


def sample(work: Any, size: int, seed: int, progress: bool, executor: Any) -> Any:
    """So many samples, each a number or a row, in the order of their blocks: `work.block` of them
    in each, which `work.run(seed, number)` gives. An array, or a list where numpy is missing."""
    if whole(seed) is None or seed < 0:
        raise ValueError(f"a seed is a whole number from 0 on, not {seed!r}")
    parts = _parts(work, int(seed), -(-size // work.block), executor)
    found = list(_watched(parts, size) if progress and find_spec("tqdm") else parts)
    if not with_numpy():
        return list(chain(*found))[:size]
    import numpy as np

    return np.concatenate(found)[:size]


def _watched(parts: Iterator[Any], size: int) -> Iterator[Any]:
    """The parts, with a progress bar."""
    from tqdm.auto import tqdm

    with tqdm(total=size, unit=" played", smoothing=0) as bar:
        for part in parts:
            yield part
            bar.update(min(len(part), size - bar.n))


def _parts(work: Any, seed: int, blocks: int, executor: Any) -> Iterator[Any]:
    if executor is None:
        yield from (work.run(seed, number) for number in range(blocks))
        return
    if not hasattr(executor, "submit"):
        raise ValueError(
            "an executor is a ProcessPoolExecutor or client.get_executor(), "
            f"not {type(executor).__name__}"
        )
    share = -(-blocks // 64)  # large enough that sending the work is little beside doing it
    shares = [range(k, min(k + share, blocks)) for k in range(0, blocks, share)]
    try:
        for parts in executor.map(partial(_run, work, seed), shares):
            yield from parts
    except (AttributeError, TypeError) as problem:
        if "pickle" not in str(problem).lower():
            raise
        raise ValueError(
            "a rule made in the notebook cannot be sent to other processes; "
            "put it into a file and import it, or use a Dask executor"
        ) from problem


def _run(work: Any, seed: int, numbers: Iterable[int]) -> list[Any]:
    return [work.run(seed, number) for number in numbers]
