"""Whole games solved: `python tests/benchmarks/best_play.py`.

Each in a process of its own, from nothing: the shipped tables are not used, imports do not
count. Processor time is that of all cores, the peak of memory that of the whole process. The
known values are published ones, or, of races and dice poker, those of our tests.
"""

import json
import subprocess
import sys
from importlib.util import find_spec
from resource import RUSAGE_SELF, getrusage
from time import perf_counter, process_time

YATZY = 248.4399893779


def sheet(kind, exact=False):
    from dicekit.games.dice_poker import DicePoker
    from dicekit.solve.best_sheet import best_sheet

    return lambda: best_sheet(getattr(DicePoker, kind)() if kind else DicePoker(), exact).value


def yatzy_solver():
    from yatzy_solver import Solver, Variant

    def value():
        solver = Solver.build(Variant("yatzy-scandinavian"))
        return solver.state_value("upper 0 | filled -")

    return value


def race(**options):
    from dicekit.games.farkle import Farkle
    from dicekit.solve.race import best_race

    return lambda: best_race(Farkle(**options)).first


WORKS = {
    "Scandinavian Yatzy, dicekit": (lambda: sheet("yatzy"), YATZY),
    "Scandinavian Yatzy, yatzy-solver": (yatzy_solver, YATZY),
    "dice poker, floats": (lambda: sheet(""), 164.9109713296),
    "dice poker, exact": (lambda: sheet("", exact=True), 164.9109713296),
    "Farkle to 2,000, two players": (lambda: race(target=2000), 0.5628809492),
    "Farkle to 10,000": (race, 0.5321919084),
    "Farkle to 10,000, opening 500": (lambda: race(opening=500), 0.5316771097),
}


def measure(name):
    import sympy  # noqa: F401

    from dicekit.solve import shipped

    shipped.STANDARD.clear()
    prepare, known = WORKS[name]
    if find_spec("numpy"):
        import numpy  # noqa: F401
    value = prepare()
    start, began = process_time(), perf_counter()
    found = float(value())
    times = process_time() - start, perf_counter() - began
    peak = getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return [*times, peak / 1e6, found, abs(found - known) < 1e-9 * max(1, known)]


def main():
    print("| solved | s of processor | s on the clock | peak MB | value |")
    print("| --- | ---: | ---: | ---: | ---: |")
    wrong = 0
    for name in WORKS:
        if "yatzy-solver" in name and not find_spec("yatzy_solver"):
            print(f"| {name} | not installed | | | |")
            continue
        command = [sys.executable, __file__, "--measure", name]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(f"| {name} | failed: {done.stderr.strip().splitlines()[-1]} | | | |")
            wrong += 1
            continue
        processor, clock, peak, found, right = json.loads(done.stdout)
        wrong += not right
        value = f"{found:.10f}" if right else f"{found:.10f} is wrong"
        print(f"| {name} | {processor:,.2f} | {clock:,.2f} | {peak:,.0f} | {value} |", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(sys.argv[2])))
    else:
        sys.exit(main())
