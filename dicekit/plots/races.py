"""Who is ahead? The chance to win a race of two, by both scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dicekit.missing import Missing, unanswered
from dicekit.plots import drawing as draw
from dicekit.words import _, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS, EVEN = 40, 0.5  # of the grid, in each direction; the line that is drawn thick
LEVELS = [0.1, 0.3, EVEN, 0.7, 0.9]


def race(found: Any, ax: Axes | None = None) -> Axes:
    """The chance to win of the one about to throw, as lines over both scores.

    `found` is a `best_race`. On the thick line the game is even: it tells by how much one may be
    behind, or what the next throw is worth.
    """
    if isinstance(found, Missing):
        return unanswered(found.why)
    draw.check_has(found, "handicap", "a race of two, such as best_race(Farkle())")
    target = found.game.target
    step = max(50, target // POINTS // 50 * 50)
    scores = range(0, target, step)
    chances = {b: [found.chance(a, b) for a in scores] for b in scores}
    title = _("Chance of the one about to throw")
    ax = draw.new_axes(ax, title, _("own points"), _("points of the other"))
    ax.contourf(scores, scores, list(chances.values()), [0, EVEN, 1], colors=draw.PALE[::-1])
    labelled = -target
    for level in LEVELS:
        width = 4 if level == EVEN else 1.5
        look: Any = {"levels": [level], "colors": draw.INK, "linewidths": width}
        lines: Any = ax.contour(scores, scores, list(chances.values()), **look).get_paths()
        spots = [spot for line in lines for spot in line.vertices]
        spot = min(spots, key=lambda spot: abs(sum(spot) - target), default=None)
        if spot is not None and (level == EVEN or spot[0] - spot[1] > labelled + target / 8):
            labelled = spot[0] - spot[1]
            draw.plate(ax, complex(*spot), f"{100 * level:.0f} %", draw.PALE[level < EVEN])
    ax.set_aspect("equal")
    even = ", ".join(
        _("{mine} to {theirs}", mine=a, theirs=_even(found, a))
        for a in (0, scores[len(scores) // 2])
    )
    start = number(100 * found.chance(), ".1f")
    said = _("{chance}% at 0 to 0; even at {even}", chance=start, even=even)
    kind = _("Map of the scores from 0 to {target}", target=target)
    return draw.described(ax, kind, title, said)


def _even(found: Any, mine: int) -> int:
    """The score of the other at which the game is nearest to even."""
    scores = range(0, found.game.target, 50)
    return min(scores, key=lambda theirs: abs(found.chance(mine, theirs) - EVEN))
