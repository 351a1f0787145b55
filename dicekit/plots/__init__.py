"""Figures: exact chances, best decisions and samples drawn, each with its description in words.

Every figure is made for the back row: few marks, large words, numbers written where they belong.
The colours are Okabe and Ito's (Color Universal Design, 2008), which every eye tells apart, and
never speak alone: a hatch, a marker or a word says the same.

A figure function returns matplotlib's Axes, to be changed at will; `show` puts it into the
notebook together with its description, for those who cannot see it.
"""

from dicekit.plots.chains import chain, turns
from dicekit.plots.chances import bars, bust_chances
from dicekit.plots.drawing import Picture, alt_text, show
from dicekit.plots.races import race
from dicekit.plots.samples import intervals, observed, running_mean
from dicekit.plots.stopping import decisions, throw_or_bank

__all__ = [
    "Picture",
    "alt_text",
    "bars",
    "bust_chances",
    "chain",
    "decisions",
    "intervals",
    "observed",
    "race",
    "running_mean",
    "show",
    "throw_or_bank",
    "turns",
]
