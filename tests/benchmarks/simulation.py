"""A million turns of Farkle, simulated: dicekit, a plain Python loop, and pyfarkle.

All play the same rules (pyfarkle's: four, five, six alike are multiples of the triplet, three
pairs 750) and the same strategy, Busche's table for the best turn. Each figure is processor
time on one core, after a tenth of the work to build tables; the peers play fewer turns, and the
time is taken for a million. A row has a
ratio only if its mean is within four standard errors of the exact one.
"""

import random
import sys
from functools import cache
from importlib.util import find_spec
from statistics import mean, stdev
from time import process_time

from dicekit.games.farkle import FARKLE, Farkle
from dicekit.simulation import simulate_turns
from dicekit.solve.best_turn import best_turn

GAME = Farkle(alike="multiples", three_pairs=750, table=FARKLE | {"aaaabb": None, "aaabbb": None})
MILLION = 1_000_000


def dicekit(turns):
    return simulate_turns(GAME, best_turn(GAME), turns).points.tolist()


@cache
def chosen(throw, points):
    """The points set aside from a throw, and the dice left; 0 points for a bust."""
    if GAME.is_bust(throw):
        return 0, 0
    aside = best_turn(GAME).set_aside(throw, points)
    return GAME.score(aside, len(throw)), len(throw) - len(aside) or 6


def plain_loop(turns):
    """Throw by throw, with what to set aside from dicekit, looked up once for each throw."""
    bank_at, results = best_turn(GAME).bank_at, []
    for _ in range(turns):
        points, dice = 0, 6
        while True:
            gained, dice = chosen(tuple(sorted(random.choices(range(1, 7), k=dice))), points)
            if not gained:
                points = 0
                break
            points += gained
            if points >= bank_at[dice]:
                break
        results.append(points)
    return results


def pyfarkle(turns):
    from pyfarkle.game import Player3

    player, results = Player3("p", threshold=0, triple_farkle=0), []
    for _ in range(turns):
        player.newturn()
        player.roll, player.totalscore = [], 0
        while True:
            player.rollem()
            if player.is_farkle:
                break
            holds, bank = player.ai_holds()
            player.hold(holds)
            if bank:
                player.bank()
                break
        results.append(player.totalscore)
    return results


def main():
    exact = float(best_turn(GAME).value)
    works = {dicekit: MILLION, plain_loop: 100_000}
    if find_spec("pyfarkle"):
        works[pyfarkle] = 2000
    ours = None
    print("| a million turns of Farkle | turns played | s for a million | ratio | mean |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for work, turns in works.items():
        work(turns // 10)
        start = process_time()
        results = work(turns)
        took = (process_time() - start) * MILLION / turns
        ours = ours or took
        error = stdev(results) / turns**0.5
        right = abs(mean(results) - exact) <= 4 * error
        ratio = f"{took / ours:,.0f}" if right else "wrong mean"
        name = work.__name__.replace("_", " ")
        print(
            f"| {name} | {turns:,} | {took:,.2f} | {ratio} | {mean(results):,.1f} ± {error:,.1f} |"
        )
    print(f"\nThe exact mean is {exact:,.1f}.")
    if pyfarkle not in works:
        print("pyfarkle is not installed.")


if __name__ == "__main__":
    sys.exit(main())
