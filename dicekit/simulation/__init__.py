"""Many turns and many games, played by throwing dice."""

from dicekit.simulation.samples import Games, Turns, simulate, simulate_turns

__all__ = ["Games", "Turns", "simulate", "simulate_turns"]
