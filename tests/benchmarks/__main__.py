"""How long dicekit and its peers take over the same work: `python tests/benchmarks [rounds]`.

All figures are processor time in ms. *First* is the first call in a fresh process, the median of
several such processes: building counts, imports do not. *Next* is the best of further calls in
the same process, each with a die not seen before, a loaded one, so that no cache has the answer.
A row has figures only if the results of all these calls are equal.
"""

import json
import math
import platform
import subprocess
import sys
import warnings
from collections import Counter, defaultdict
from fractions import Fraction
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from operator import ge
from pathlib import Path
from statistics import linear_regression, median
from time import process_time
from types import SimpleNamespace

WORKS = (
    ("Farkle's rows, {} dice", "rows", (5, 6), ("icepool", "dyce")),
    ("largest number alike, {} dice", "alike", (5, 20, 50, 100), ("icepool", "dyce")),
    ("{} alike, chance p of a six", "symbol", (5,), ("lea",)),
    ("sum of {} dice", "sums", (5,), ("icepool", "dyce", "sympy.stats")),
)
GROWTH = (10, 20, 40, 80, 160, 320)
# Imported before the clock starts: "sympy" by all (its simplify, which lea calls, imports units
# late). A work gets the names in its tool's modules.
MODULES = {
    "sympy": ("sympy", "sympy.physics.units", "dicekit.games.farkle"),
    "dicekit": ("sympy", "dicekit.generating", "dicekit.solve.throw", "dicekit.games.farkle"),
    "icepool": ("icepool",),
    "dyce": ("dyce", "dyce.p"),
    "lea": ("sympy", "lea"),
    "sympy.stats": ("sympy", "sympy.stats"),
}


# The works. Each is given a tool, the number of dice and the number of the call.


def weights(call):
    """A fair die for the first call, then dice of which no part has been seen before."""
    return {**dict.fromkeys(range(1, 6), call), 6: call + (call > 1)}


def chances(found, total):
    return {outcome: Fraction(weight, total) for outcome, weight in found.items()}


def rows(counts, total, faces, all_of):
    """Farkle's rows, each by the quickest way that a peer has for it.

    `counts` are the numbers alike, most first, `faces[f]` how many dice show an f, both with
    their weights; `all_of(need)` is the chance that these faces are all there.
    """
    found = {}
    for row in sys.modules["dicekit.games.farkle"].FARKLE:
        need = Counter(row)
        if row.isalpha():
            alike = sorted(need.values(), reverse=True)
            held = [w for c, w in counts if len(c) >= len(alike) and all(map(ge, c, alike))]
            found[row] = Fraction(sum(held), total)
        elif len(need) == 1:
            held = [w for number, w in faces[int(row[0])] if number >= len(row)]
            found[row] = Fraction(sum(held), total)
        else:
            found[row] = all_of({int(face): number for face, number in need.items()})
    return found


def dicekit_die(tool, call):
    return tool.FAIR if call == 1 else tool.Die.loaded({6: Fraction(call + 1, 6 * call + 1)})


def dicekit_rows(tool, n, call):
    return tool.row_chances(tool.Farkle(), n, dicekit_die(tool, call))


def dicekit_alike(tool, n, call):
    return dict(tool.alike(n, dicekit_die(tool, call)).items())


def dicekit_symbol(tool, n, call):
    return {n: 1 - tool.at_most(n - 1, tool.Die.loaded({6: tool.Symbol(f"p{call}")}))[n]}


def dicekit_sums(tool, n, call):
    return dict(tool.sums(n, dicekit_die(tool, call)).items())


def icepool_rows(tool, n, call):
    die = tool.Die(weights(call))
    pool = die.pool(n)
    faces = {face: (n @ (die == face)).items() for face in die}
    counts = pool.all_counts()
    return rows(
        counts.items(),
        counts.denominator(),
        faces,
        all_of=lambda need: (pool >= need).probability(True),
    )


def icepool_alike(tool, n, call):
    found = tool.Die(weights(call)).pool(n).largest_count()
    return chances(found, found.denominator())


def icepool_sums(tool, n, call):
    found = n @ tool.Die(weights(call))
    return chances(found, found.denominator())


def dyce_survey(tool, n, call, initial, step):
    pool = n @ tool.P(tool.H(weights(call)))
    return pool.survey(initial=initial, accumulate=step, order=tool.survey_outcome_order_ascending)


def dyce_rows(tool, n, call):
    def counted(counts, face, number):
        return tuple(sorted((*counts, number), reverse=True))

    def all_of(need):
        found = dyce_survey(tool, n, call, 0, lambda met, f, k: met + (k >= need.get(f, n + 1)))
        return Fraction(found.get(len(need), 0), found.total)

    die = tool.H(weights(call))
    faces = {face: (n @ die.eq(face)).items() for face in die}
    counts = dyce_survey(tool, n, call, (), counted)
    return rows(counts.items(), counts.total, faces, all_of)


def dyce_alike(tool, n, call):
    found = dyce_survey(tool, n, call, 0, lambda most, face, number: max(most, number))
    return chances(found, found.total)


def dyce_sums(tool, n, call):
    found = n @ tool.H(weights(call))
    return chances(found, found.total)


def lea_symbol(tool, n, call):
    p = tool.Symbol(f"p{call}")
    die = tool.pmf({**dict.fromkeys(range(1, 6), (1 - p) / 5), 6: p})
    return {n: tool.P(tool.all_equal(*die.new(n)))}


def sympy_stats_sums(tool, n, call):
    if call == 1:
        dice = [tool.Die(f"D{i}", 6) for i in range(n)]
    else:
        die = {face: tool.Rational(w, 6 * call + 1) for face, w in weights(call).items()}
        dice = [tool.FiniteRV(f"D{i}", die) for i in range(n)]
    return dict(tool.density(sum(dice)))


# Measuring: one fresh process, and all of them.


def measure(tool, job, n):
    warnings.simplefilter("ignore")  # dyce calls its survey experimental
    imports, names, times, results = {}, {}, [], []
    for name in ("sympy", tool):
        start = process_time()
        names = {k: v for module in MODULES[name] for k, v in vars(import_module(module)).items()}
        imports[name] = 1000 * (process_time() - start)
    work, names = globals()[f"{tool.replace('.', '_')}_{job}"], SimpleNamespace(**names)
    from sympy import expand, sympify

    while len(times) < 2 or (len(times) < 12 and sum(times) < 500):
        start = process_time()
        found = work(names, n, len(times) + 1)
        times.append(1000 * (process_time() - start))
        exact = {str(x): expand(sympify(chance)) for x, chance in found.items()}
        results.append({x: str(chance) for x, chance in exact.items() if chance != 0})
    return {"times": times, "results": results, "imports": imports}


def fresh(tool, job, n):
    command = [sys.executable, __file__, "--measure", tool, job, str(n)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or ["no message"])[-1]}
    return json.loads(done.stdout)


def installed(tool):
    return find_spec(tool.split(".")[0]) is not None


def first_call(runs):
    return median(run["times"][0] for run in runs)


def compare(ours, theirs):
    """The cells of a row: six figures, or the one reason why there are none."""
    if not theirs:
        return ["not installed"]
    if failed := [run["failed"] for run in ours + theirs if "failed" in run]:
        return [f"failed: {failed[0]}"]
    if any(a != b for a, b in zip(ours[0]["results"], theirs[0]["results"], strict=False)):
        return ["results differ"]
    first, their_first = first_call(ours), first_call(theirs)
    again, their_again = (min(min(run["times"][1:]) for run in runs) for runs in (ours, theirs))
    figures = [f"{t:,.2f}" for t in (first, again, their_first, their_again)]
    return [*figures, f"{their_again / again:,.1f}", f"{their_first / first:,.1f}"]


def main(rounds):
    lines = [
        (name.format(n), peer, job, n)
        for name, job, numbers, peers in WORKS
        for n in numbers
        for peer in peers
    ]
    tasks = {(tool, job, n) for _, peer, job, n in lines for tool in ("dicekit", peer)}
    tasks |= {("dicekit", "alike", n) for n in GROWTH}
    queue = [task for task in sorted(tasks, key=lambda t: t[1:]) if installed(task[0])] * rounds
    found = defaultdict(list)
    for i, (tool, job, n) in enumerate(queue):
        bar = f"[{'#' * (30 * i // len(queue)):<30}] {i + 1} of {len(queue)}"
        print(f"\r{f'{bar}: {tool}, {job}, {n} dice':<79}", end="", file=sys.stderr, flush=True)
        found[tool, job, n].append(fresh(tool, job, n))
    print(f"\r{'':<79}\r", end="", file=sys.stderr)

    head = ["work", "peer", "ours: first", "next", "peer: first", "next", "ratio: next", "first"]
    table = [head]
    for name, peer, job, n in lines:
        cells = compare(found["dicekit", job, n], found[peer, job, n])
        table.append([name, peer, *cells, *[""] * (6 - len(cells))])
    wide = [max(map(len, column)) for column in zip(*table, strict=True)]
    table.insert(1, ["-" * w if i < 2 else "-" * (w - 1) + ":" for i, w in enumerate(wide)])
    for row in table:
        left = [cell.ljust(w) for cell, w in zip(row[:2], wide[:2], strict=True)]
        right = [cell.rjust(w) for cell, w in zip(row[2:], wide[2:], strict=True)]
        print("|", " | ".join(left + right), "|")
    notes(found, rounds)
    return int(any(not row[-1] and row[2].strip() != "not installed" for row in table))


def notes(found, rounds):
    print(f"\nms of processor time, {rounds} fresh processes a figure; ratio: peer over ours.")
    growth = {n: found["dicekit", "alike", n] for n in GROWTH}
    if not any("failed" in run for runs in growth.values() for run in runs):
        curve = {n: first_call(runs) for n, runs in growth.items()}
        points = [(math.log(n), math.log(t)) for n, t in curve.items() if n >= 40]
        slope = linear_regression(*zip(*points, strict=True)).slope
        listed = ", ".join(f"{n}: {t:,.1f}" for n, t in curve.items())
        print(
            f"Our largest number alike among n dice, first: {listed}; from 40 on as n^{slope:.1f}."
        )
    imports = defaultdict(list)
    for run in (run for runs in found.values() for run in runs if "failed" not in run):
        for name, took in run["imports"].items():
            imports[name].append(took)
    listed = ", ".join(f"{name} {median(took):,.0f}" for name, took in imports.items())
    print(f"Imports, in no figure above, sympy first: {listed}.")
    tools = [tool for tool in ("sympy", "icepool", "dyce", "lea") if installed(tool)]
    print(f"Python {platform.python_version()}", *(f"{t} {version(t)}" for t in tools), sep=", ")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(sys.argv[2], sys.argv[3], int(sys.argv[4]))))
    else:
        failed = main(int(sys.argv[1]) if sys.argv[1:] else 5)
        for other in ("simulation.py", "best_play.py", "board.py"):
            print(flush=True)
            failed |= subprocess.run([sys.executable, Path(__file__).with_name(other)]).returncode
        sys.exit(failed)
