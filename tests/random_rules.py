"""What tests with random games share: option sets, the pairs they must cover, two processes."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations, product

from dicekit.games.states import CHANCE


def random_options(rng, values):
    """One value for every option, from a mapping of options to their possible values."""
    return {option: rng.choice(some) for option, some in values.items()}


def pairs(options):
    """Every two options with their values."""
    return set(combinations(sorted(options.items(), key=lambda item: item[0]), 2))


def uncovered(played, values):
    """The pairs of values, of two different options, that none of the option sets holds."""
    wanted = {
        ((one, first), (other, second))
        for one, other in combinations(sorted(values), 2)
        for first, second in product(values[one], values[other])
    }
    return wanted - {pair for options in played for pair in pairs(options)}


def one_by_one(play, seeds):
    """What a game returns for each seed; the seed of one that fails is printed."""
    results = []
    for seed in seeds:
        try:
            results.append(play(seed))
        except BaseException:
            print(f"the game that failed: {play.__name__}({seed!r})")
            raise
    return results


def in_two_processes(play, seeds):
    """The same, half of the games in another process."""
    middle = len(seeds) // 2
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        other = pool.submit(one_by_one, play, seeds[middle:])
        return one_by_one(play, seeds[:middle]) + other.result()


def played_again(state, thrown, players):
    """The last state of a game between these players with these throws, and its number of turns.

    The throws are taken out of the list.
    """
    turns = 0
    while not state.is_terminal:
        before = state
        if state.current_player == CHANCE:
            state = state.child(thrown.pop(0))
        else:
            state = state.child(players[state.current_player](state))
        turns += state.is_terminal or (state.turn_begins and not before.turn_begins)
    return state, turns
