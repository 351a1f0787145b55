"""Markov chains, and how long one waits in them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import islice
from textwrap import fill
from typing import TYPE_CHECKING, Any

from dicekit.plots import drawing as draw
from dicekit.words import N_, _, apart, ngettext

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_STATES = 10
RADIUS = 0.38  # of a state


def turns(waiting_times: Any, ax: Axes | None = None) -> Axes:
    """The chance to have reached the target within n turns, a curve for each waiting time.

    `waiting_times` gives them names, up to four: {"bank at 300": turns_to_target(...), ...}. The
    medians are marked: the turn by which half of all players have reached the target.

    Raises ValueError for chances with symbols.
    """
    named = isinstance(waiting_times, Mapping)
    curves = draw.few(waiting_times if named else {_("one player"): waiting_times})
    for waiting in curves.values():
        draw.check_has(waiting, "floats", "waiting times, such as turns_to_target(Farkle(), 300)")
    last = max(waiting.quantile(0.99) * 5 // 4 for waiting in curves.values())
    title, said = _("How soon is the target reached?"), []
    ax = draw.new_axes(ax, title, _("turns"), _("chance to have reached it"))
    ax.axhline(0.5, color=draw.INK, linestyle=":", linewidth=1.5)
    for k, (name, waiting) in enumerate(curves.items()):
        half, most = waiting.quantile(0.5), waiting.quantile(0.9)
        chances = dict(enumerate(islice(waiting.floats(), last + 1)))
        draw.curve(ax, k, chances, _("{name}: half by turn {turn}", name=name, turn=half))
        draw.mark(ax, k, half, chances[half])
        text = N_("{name}: half by turn {half}, nine in ten by turn {most}")
        said.append(_(text, name=name, half=half, most=most))
    ax.set_xlim(0, last)
    draw.per_cent(ax, "y", 1.04)
    ax.legend(fontsize=draw.TEXT, loc="best", edgecolor="white", handlelength=3.2)
    kind = _("Curves over 0 to {last} turns", last=last)
    return draw.described(ax, kind, title, apart(said))


def chain(markov_chain: Any, ax: Axes | None = None) -> Axes:
    """The states of a Markov chain, with arrows that bear the exact chances.

    An absorbing state, which is never left, has a double ring.

    Raises ValueError for more states than can be read.
    """
    draw.check_has(markov_chain, "states", "a MarkovChain({state: {next state: chance}})")
    states, chance = list(markov_chain.states), markov_chain.chance
    if len(states) > MOST_STATES:
        raise ValueError(f"{len(states)} states are too many to read; draw {MOST_STATES} or fewer")
    title, said = _("From state to state"), []
    ax = draw.new_axes(ax, title, high=6.2 if len(states) > 2 else draw.HIGH)
    far = max(1.1, 0.34 * len(states)) if len(states) > 1 else 0
    wide, high = 1.3 * far + 1, far * (len(states) > 2) + 1
    ax.set(xlim=(-wide, wide), ylim=(-high, high), aspect="equal")
    ax.set_axis_off()
    angles = [math.pi * (1 - 2 * k / len(states)) for k in range(len(states))]
    spots = [complex(1.3 * far * math.cos(angle), far * math.sin(angle)) for angle in angles]
    middles = dict(zip(states, spots, strict=True))
    for state, middle in middles.items():
        absorbing = state in markov_chain.absorbing
        for radius in (RADIUS, 0.85 * RADIUS)[: 1 + absorbing]:
            ring = (middle.real, middle.imag), radius
            circle = draw.part("patches.Circle")(*ring, fc="white", ec=draw.INK, lw=2, zorder=3)
            ax.add_patch(circle)
        draw.plate(ax, middle, fill(draw.in_words(state), 8), "none")
        steps = [to for to in states if chance(state, to) != 0 and not absorbing]
        for to in steps:
            bend = 0.25 if chance(to, state) != 0 else 0
            _arrow(ax, middle, middles[to], str(chance(state, to)), bend)
        ways = [
            _("to {state} with {chance}", state=draw.in_words(to), chance=str(chance(state, to)))
            for to in steps
        ]
        start = draw.in_words(state)
        text = N_("from {state} {ways}") if ways else N_("from {state} no way out")
        said.append(_(text, state=start, ways=", ".join(ways)))
    kind = ngettext("Markov chain of {n} state", "Markov chain of {n} states", len(states))
    return draw.described(ax, kind, title, apart(said))


def _arrow(ax: Axes, start: complex, end: complex, text: str, bend: float) -> None:
    """An arrow between two nodes; from a node to itself a loop on its outer side."""
    Path = draw.part("path.Path")
    if start == end:
        out = start / abs(start) if start else 1j
        bends = (0.88 + 0.48j, 2.47 + 1.52j, 2.47 - 1.52j, 0.88 - 0.48j)
        way, curve, share = [start + RADIUS * out * bend for bend in bends], Path.CURVE4, 0.5
    else:
        middle = (start + end) / 2 + bend * 1j * (end - start)
        ends = [z + RADIUS * (middle - z) / abs(middle - z) for z in (start, end)]
        way, curve, share = [ends[0], middle, ends[1]], Path.CURVE3, 0.35
    points = [(z.real, z.imag) for z in way]
    path = Path(points, [Path.MOVETO, *[curve] * (len(way) - 1)])
    look: Any = {"arrowstyle": "-|>", "mutation_scale": 18, "lw": 2, "color": draw.COLOURS[0]}
    ax.add_patch(draw.part("patches.FancyArrowPatch")(path=path, **look))
    draw.plate(ax, complex(*draw.part("bezier.BezierSegment")(points)(share)), text, "white")
