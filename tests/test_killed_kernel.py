"""A kernel killed in the middle of a game loses nothing that the board had shown."""

import random
import time

import pytest
from jupyter_client.manager import start_new_kernel

from dicekit.games.record import Record

PLAY = """
from dicekit import *

board = Board(Farkle(target=100_000), players=("A", "B", BanksAt(300)))
with open("shown.txt", "a", buffering=1) as shown:
    while True:
        if board.state.stage == "thrown" and board.state.player != 2:
            best = list(board.state.rules.set_asides(board.state.throw)[0])
            for index, face in enumerate(board.state.throw):
                if face in best:
                    best.remove(face)
                    board.toggle(index)
            board.press("bank" if board.state.points > 200 else "throw")
        else:
            board.press("throw")
        shown.write(f"{len(board.record.events)} {board.state.scores}\\n")
"""


LONG = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 10)]


@pytest.mark.parametrize("seed", [*range(4), *LONG])
def test_nothing_that_was_shown_is_lost(tmp_path, seed):
    manager, client = start_new_kernel(cwd=str(tmp_path))
    try:
        client.execute(PLAY)
        shown = tmp_path / "shown.txt"
        end = time.monotonic() + 30
        while not (shown.exists() and shown.read_text()) and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(random.Random(seed).uniform(0, 0.5))
        manager.signal_kernel(9)
        while manager.is_alive():
            time.sleep(0.02)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    count, scores = shown.read_text().rsplit("\n", 2)[-2].split(" ", 1)
    [path] = (tmp_path / "games").glob("*.jsonl")
    record = Record.load(path)
    assert len(record.events) >= int(count) > 0
    assert str(record.states[int(count)].scores) == scores
    record.add(record.state.legal_actions()[0]) if record.state.legal_actions() else record.roll()
