"""A sample is cut into blocks of a fixed size, and the seed and the number of a block alone decide
its dice. So a seed gives the same sample on one core, on several processes and on a cluster, and
a larger sample begins with the smaller one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import as_completed
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
    blocks = -(-size // work.block)
    done = _parts(work, int(seed), blocks, executor)
    parts = dict(_watched(done, size) if progress and find_spec("tqdm") else done)
    found = [parts[number] for number in range(blocks)]
    if not with_numpy():
        return list(chain(*found))[:size]
    import numpy as np

    return np.concatenate(found)[:size]


def _watched(parts: Iterator[tuple[int, Any]], size: int) -> Iterator[tuple[int, Any]]:
    """The parts, with a progress bar."""
    from tqdm.auto import tqdm

    with tqdm(total=size, unit=" played", smoothing=0) as bar:
        for number, part in parts:
            yield number, part
            bar.update(min(len(part), size - bar.n))


def _parts(work: Any, seed: int, blocks: int, executor: Any) -> Iterator[tuple[int, Any]]:
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


def _run(work: Any, seed: int, numbers: Iterable[int]) -> list[tuple[int, Any]]:
    return [(number, work.run(seed, number)) for number in numbers]
