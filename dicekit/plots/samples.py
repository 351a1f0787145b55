"""Samples beside what is exact: what was seen, and how far off one must expect to be.

Bands and intervals are those of 95 %. Those of a mean go 1.96 standard errors to either side, as
the central limit theorem has it, which is good for thirty values or more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import accumulate
from operator import sub
from statistics import fmean
from typing import TYPE_CHECKING, Any

from dicekit.dice import exact as as_exact
from dicekit.plots import drawing as draw
from dicekit.probability import Distribution
from dicekit.words import N_, _, apart, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_SAMPLES, PLACES = 40, 300
NEAR = 1.96  # standard errors
OBSERVED = "band", "what was observed: Observed.of('1 6 3 3 2', Die())"


def observed(observed: Any, ax: Axes | None = None, title: str = "") -> Axes:
    """How often each outcome was observed, beside the band in which one expects it.

    `observed` has the counts, the exact distribution, and a band for each outcome. What lies
    outside its band is marked; one outcome in twenty is, with nothing wrong.

    >>> from dicekit.own_data import Observed
    >>> from dicekit.plots import alt_text
    >>> coin = Distribution({"heads": 1, "tails": 1})
    >>> alt_text(observed(Observed({"heads": 60, "tails": 40}, coin))).split("? ")[1]
    'Heads: 60 (50.0 expected, 40 to 60), tails: 40 (50.0 expected, 40 to 60).'

    Raises ValueError if nothing was observed, and for more outcomes than can be read.
    """
    if not (n := draw.check_has(observed, *OBSERVED).n):
        raise ValueError("nothing has been observed yet")
    outcomes = list(dict.fromkeys([*observed.exact, *observed.counts]))
    draw.few(dict(enumerate(outcomes)), draw.MOST_BARS)
    rows, names = range(len(outcomes)), [*map(draw.in_words, outcomes)]
    counts = [observed.counts.get(x, 0) for x in outcomes]
    means = [n * float(observed.exact[x]) for x in outcomes]
    low, high = zip(*map(observed.band, outcomes), strict=True)
    outside = [not a <= count <= b for a, count, b in zip(low, counts, high, strict=True)]
    title = title or _("How often did each happen?")
    ax = draw.new_axes(ax, title, _("times out of {n}", n=int(n)), high=1.8 + 0.38 * len(rows))
    look: Any = {"fc": draw.PALE[0], "ec": draw.COLOURS[0], "label": _("95 % band")}
    ax.barh(rows, [*map(sub, high, low)], 0.64, low, **look)
    ends = [y - 0.32 for y in rows], [y + 0.32 for y in rows]
    ax.vlines(means, *ends, color=draw.INK, lw=3, label=_("expected"))
    for far, label in ((False, _("observed")), (True, "_")):
        where = [y for y in rows if outside[y] == far]
        _dots(ax, [counts[y] for y in where], where, far=far, label=label)
    said = []
    rows_of = zip(names, counts, means, low, high, outside, strict=True)
    for y, (name, count, mean, least, most, far) in enumerate(rows_of):
        seen = number(count)
        look = {"textcoords": "offset points", "va": "center", "fontsize": draw.TEXT}
        words = _("{count}  outside", count=seen) if far else seen
        ax.annotate(words, (max(count, most), y), (13, 0), **look)
        if far or len(rows) <= 12:
            band = {"mean": number(mean, ",.1f"), "least": int(least), "most": int(most)}
            text = N_("{name}: {count} ({mean} expected, {least} to {most})")
            if far:
                text = N_("{name}: {count} ({mean} expected, {least} to {most}; outside)")
            said.append(_(text, name=name, count=seen, **band))
    ax.set(yticks=rows, yticklabels=names, ylim=(len(rows) + 0.7, -0.7))  # the legend has a row
    _count_axis(ax, n, [*counts, *low, *high])
    ax.legend(fontsize=draw.TEXT, loc="lower right", ncols=3, frameon=False)
    many = {"n": int(n), "outside": int(sum(outside)), "rows": len(rows)}
    kind = _("Counts out of {n} and 95 % bands, {outside} of {rows} outside", **many)
    return draw.described(ax, kind, title, ", ".join(said) or _("all as expected"))


def _count_axis(ax: Axes, n: int, counts: list[int]) -> None:
    """From 0, or from near the least count if that is far off; with room for words at the end."""
    first, last = min(counts), max(*counts, 1)
    first = first if 0.7 * last <= first < last else 0
    left, right = first - (last - first) / 30, last + (last - first) / 3
    ax.set_xlim(left, right)
    ax.locator_params(axis="x", integer=True)
    ax.set_xticks([x for x in ax.get_xticks() if left <= x <= min(n, right)])
    ax.grid(axis="x", color=draw.GREY)
    ax.set_axisbelow(True)


def running_mean(samples: Any, exact: Any = None, ax: Axes | None = None, title: str = "") -> Axes:
    """The mean of the first n values over n: the law of large numbers.

    `samples` is a list or an array of numbers, or up to four of them by name. In the band lie 95 %
    of all such means. It is that of `exact`, the distribution of one value; of its mean alone, or
    of nothing, with what is lacking taken from the sample itself.

    >>> from dicekit.plots import alt_text
    >>> alt_text(running_mean([1, 6] * 50, exact=3.5)).split("; ")[1:]
    ['95 % band after 100: 3.01 to 3.99', 'exact mean: 3.50.']

    Raises ValueError for fewer than two values, for what is no finite number, and for symbols.
    """
    arrays = _arrays(samples if isinstance(samples, Mapping) else {_("sample"): samples})
    centre, spread = (None, None) if exact is None else _moments(exact)
    most = max(map(len, arrays.values()))
    first = 10 if min(map(len, arrays.values())) >= 100 else 1
    title, said = title or _("Does the mean settle down?"), []
    ax = _mean_axes(ax, title, first, most)
    own = {name: _spread(values) for name, values in arrays.items()}
    errors = [own[name] / math.sqrt(len(values)) for name, values in arrays.items()]
    form = min(map(_form, errors))  # the one with the fewest decimals
    for k, (name, values) in enumerate(arrays.items()):
        places = _places(first, len(values))
        sums = list(accumulate(values))
        means = [sums[n - 1] / n for n in places]
        label = draw.of(name, number(means[-1], form))
        draw.curve(ax, k, dict(zip(places, means, strict=True)), label)
        ends = [_("{mean} after {n}", mean=number(means[i], form), n=places[i]) for i in (0, -1)]
        said.append(draw.of(name, ", ".join(ends)))
        if spread is None:
            middle = means[-1] if centre is None else centre
            label = _("95 % band") if k == len(arrays) - 1 else "_"
            look = draw.COLOURS[k], draw.DASHES[k], label
            said.append(_band(ax, places, middle, own[name], *look))
    if centre is not None:
        said.append(_("exact mean: {mean}", mean=number(centre, form)))
        ax.axhline(centre, color=draw.INK, ls=":", lw=2.5, label=said[-1])
    if centre is not None and spread is not None:
        said.append(_band(ax, _places(first, most), centre, spread, draw.INK, "-", _("95 % band")))
    ax.legend(fontsize=draw.TEXT, edgecolor="white", handlelength=3.2)
    kind = _("Curves over {first} to {last} values, on a logarithmic axis", first=first, last=most)
    return draw.described(ax, kind, title, apart(said))


def _mean_axes(ax: Any, title: str, first: int, last: int) -> Axes:
    ax = draw.new_axes(ax, title, _("number of values"), _("mean so far"))
    ax.set(xscale="log", xlim=(first, last))
    subs = (1,) if last > 100 * first else (1, 2, 5)
    ax.xaxis.set_major_locator(draw.part("ticker.LogLocator")(subs=subs))
    ax.xaxis.set_major_formatter(draw.numbered)
    ax.tick_params(axis="x", pad=8)  # away from the numbers of the other axis
    ax.minorticks_off()
    return ax


def _places(first: int, last: int) -> list[int]:
    """Numbers of values at which a mean is drawn, evenly spread on a logarithmic axis."""
    step = (last / first) ** (1 / (PLACES - 1))
    return sorted({round(first * step**k) for k in range(PLACES)})


def _band(ax: Axes, n: Any, mean: float, spread: float, colour: str, dash: str, label: str) -> str:
    """Where 95 % of the means of n values lie, drawn, and told for the last n."""
    errors = [NEAR * spread / many**0.5 for many in n]
    low, high = [mean - error for error in errors], [mean + error for error in errors]
    ax.fill_between(n, low, high, fc=colour, alpha=0.14, label=label)
    for edge in (low, high):
        ax.plot(n, edge, color=colour, ls=dash, lw=1, label="_")
    form = _form(errors[-1] / NEAR)
    ends = {"low": number(low[-1], form), "high": number(high[-1], form)}
    return _("95 % band after {n}: {low} to {high}", n=n[-1], **ends)


def intervals(samples: Any, exact: Any, ax: Axes | None = None, title: str = "") -> Axes:
    """The 95 % confidence interval for the mean from each of up to 40 samples, one a group.

    `samples` is a list of lists or arrays of numbers, or a dict that gives them names; `exact` is
    the exact mean, or the distribution that has it. The intervals that miss it are marked.

    >>> from dicekit.plots import alt_text
    >>> alt_text(intervals({"Ana": [1, 6] * 50, "Bia": [1, 3] * 50}, 3.5)).split("? ")[1]
    'Exact mean 3.50, missed by 1 of 2; Bia 1.80 to 2.20.'

    Raises ValueError for fewer than two values, for what is no finite number, and for symbols.
    """
    if not isinstance(samples, Mapping):
        listed = draw.check_has(samples, "__iter__", "a list of samples")
        samples = {_("sample {k}", k=k): sample for k, sample in enumerate(listed, 1)}
    arrays = _arrays(samples, MOST_SAMPLES)
    centre = _moments(exact)[0]
    rows, names, each = range(len(arrays)), [*arrays], arrays.values()
    means = [*map(fmean, each)]
    errors = [_spread(values) / math.sqrt(len(values)) for values in each]
    low = [mean - NEAR * error for mean, error in zip(means, errors, strict=True)]
    high = [mean + NEAR * error for mean, error in zip(means, errors, strict=True)]
    missed = [k for k in rows if not low[k] <= centre <= high[k]]
    form, title = _form(min(errors)), title or _("Does each interval hold the mean?")
    many = {"mean": number(centre, form), "missed": len(missed), "rows": len(rows)}
    result = _("exact mean {mean}, missed by {missed} of {rows}", **many)
    axis = _("95 % intervals; {result}", result=result)
    ax = draw.new_axes(ax, title, axis, high=1.5 + 0.19 * len(rows))
    ax.axvline(centre, color=draw.INK, ls=":", lw=2.5)
    for far in (False, True):
        where = [k for k in rows if (k in missed) == far]
        ends = [low[k] for k in where], [high[k] for k in where]
        ax.hlines(where, *ends, color=draw.COLOURS[far], lw=(2.5, 5)[far])
        _dots(ax, [means[k] for k in where], where, 8, far)
    for k in missed:
        above = low[k] > centre
        look: Any = {"va": "center", "ha": "left" if above else "right", "fontsize": draw.TEXT - 2}
        ax.text(high[k] if above else low[k], k, f"  {_('misses')}  ", **look)
    every = math.ceil(12.5 * len(rows) / draw.length(ax, upright=True))  # for which there is room
    ax.set(yticks=rows[::every], yticklabels=names[::every], ylim=(len(rows) - 0.4, -0.6))
    ax.tick_params(axis="y", labelsize=draw.TEXT if len(rows) <= 15 else draw.TEXT - 2)
    ax.margins(x=0.18)
    told = {k: {"low": number(low[k], form), "high": number(high[k], form)} for k in missed}
    said = [_("{name} {low} to {high}", name=names[k], **ends) for k, ends in told.items()]
    kind = _("Intervals of 95 % from {n} samples", n=len(rows))
    return draw.described(ax, kind, title, apart([result, *said]))


def _dots(ax: Axes, x: Any, y: Any, size: int = 12, far: bool = False, label: str = "_") -> None:
    look: Any = {"color": draw.COLOURS[far], "marker": "oD"[far], "ms": size, "mec": draw.INK}
    ax.plot(x, y, ls="", label=label, zorder=4, **look)


def _arrays(samples: Mapping[Any, Any], most: int = 4) -> dict[str, list[float]]:
    """Each sample as a list of floats."""
    lists = {}
    for name, sample in draw.few(samples, most).items():
        try:
            if isinstance(sample, Mapping) or any(isinstance(x, str | bytes) for x in sample):
                raise TypeError
            values = [*map(float, sample)]
        except (TypeError, ValueError):
            raise ValueError(f"{name}: a sample is a list of numbers, not {sample!r:.60}") from None
        if len(values) < 2:
            raise ValueError(f"{name}: a mean and its error need two values, not {len(values)}")
        for k, value in enumerate(values, 1):
            if not math.isfinite(value):
                raise ValueError(f"{name}: value {k} is {value}; leave it out")
        lists[name] = values
    return lists


def _spread(values: list[float]) -> float:
    """The standard deviation of what a sample is from."""
    mean = fmean(values)
    return math.sqrt(sum((x - mean) ** 2 for x in values) / (len(values) - 1))


def _moments(given: Any) -> tuple[float, float | None]:
    """Mean and standard deviation of a distribution; of a number, the number alone."""
    if not isinstance(given, Distribution):
        moments = [as_exact(given)]
    else:
        mean = given.E()
        moments = [mean, given.E(lambda x: x * x) - mean**2]
    try:
        mean, *variance = map(float, moments)
    except TypeError:
        raise ValueError(f"the mean is {moments[0]}; put a number in place of symbols") from None
    return mean, math.sqrt(*variance) if variance else None


def _form(error: float) -> str:
    """How a mean is written: with as many decimals as two digits of its standard error have."""
    return f",.{min(6, max(0, 1 - math.floor(math.log10(error)))) if error > 0 else 2}f"
