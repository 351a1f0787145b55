"""A class's own throws: records pooled, and counts compared with the exact chances.

    data = pool("games")          # every record in a folder
    data.faces().fairness()       # are our dice fair?
    data.suspects()               # which of the six is not?
    data.busts()                  # as often as computed?

What players do depends on the dice, and so does how many they throw next; but given the number
of dice thrown, each throw is a fair sample. Throws that were undone count only if they came
again: who undoes busts and then banks sees too few of them.
"""

from dicekit.own_data.observed import Fairness, Observed, throws_needed
from dicekit.own_data.pooled import ClassData, pool

__all__ = ["ClassData", "Fairness", "Observed", "pool", "throws_needed"]
