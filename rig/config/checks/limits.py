"""Limits on channels, and those that force mode needs."""

from __future__ import annotations

from collections.abc import Iterator

from rig.calculated.expression import PREDICTED
from rig.config.bench import Bench, InputChannel
from rig.config.checks import calculated
from rig.config.experiment import Experiment, Limit
from rig.config.pairing import meant
from rig.config.tree import Problem

ARMED = ("stop", "unload", "interlock")
STATES = ("starting", "running", "holding", "hold", "resuming", "stopping")
BOUNDS = ("minimum", "maximum", "rate", "rms", "following_error", "change", "relative_change", "slope", "drift", "margin")
LEAST_LEARNED = 20
"""Cycles that a scatter is learned from."""
READ = ("minimum", "maximum", "rate")
"""Of what is read now and then."""


def problems(experiment: Experiment, bench: Bench, channels: dict[str, InputChannel]) -> Iterator[Problem]:
    units = calculated.units(experiment, bench) | {one.name: one.unit for one in experiment.calculated}
    read = {one.name: one.unit for one in bench.instruments}
    for i, limit in enumerate(experiment.limits):
        if limit.channel not in units | read:
            own = (*channels, *read, *(one.name for one in experiment.calculated))
            known = [name for name in units if name.startswith(PREDICTED)] if limit.channel.startswith(PREDICTED) else own
            text = f"the bench has no channel {limit.channel!r}; it has {', '.join(known)} (or command){meant(limit.channel, units)}"
            yield Problem(("limits", i, "channel"), text)
            continue  # its bounds have no unit
        for key, text in _wrong(limit, units, read):
            yield Problem(("limits", i, *key), f"{limit.channel}: {text}")


def _wrong(limit: Limit, units: dict[str, str], read: dict[str, str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """(key, what is wrong with it)."""
    given = [key for key in BOUNDS if getattr(limit, key) is not None]
    if not given:
        yield (), f"nothing is limited; expected {', '.join(BOUNDS[:-1])} or {BOUNDS[-1]}"
    if limit.channel in read and (more := [key for key in given if key not in READ]):
        yield (more[0],), f"it is read beside the samples, so expected {', '.join(READ)}"
    elif limit.channel in read and not (_always(limit) and limit.debounce == 1):
        yield (), "it is read beside the samples, so it is armed in all states, by one reading: expected no states, phase or debounce"
    if limit.minimum is not None and limit.maximum is not None and limit.minimum >= limit.maximum:
        unit = (units | read)[limit.channel]
        yield (), f"minimum {limit.minimum:g} {unit} is not below maximum {limit.maximum:g} {unit}"
    if limit.drift is not None and limit.learn < LEAST_LEARNED:
        text = f"its scatter is learned from `learn` cycles: expected at least {LEAST_LEARNED}, got {limit.learn}"
        yield ("learn",), f"{text}; with 100 and more a smaller drift is found"
    if limit.following_error is not None:
        if limit.of not in units:
            yield ("of",), f"expected a channel or command, got {limit.of!r}{meant(limit.of, units)}"
        elif units[limit.of] != units.get(limit.channel):
            yield ("of",), f"it is in {units.get(limit.channel)}, and {limit.of} in {units[limit.of]}; expected one unit"
    if wrong := [state for state in limit.states if state not in STATES]:
        yield ("states",), f"expected states of {', '.join(STATES)}; got {wrong[0]!r}"


def armed(experiment: Experiment, bench: Bench) -> Iterator[Problem]:
    """In force mode the loop is open inside the play: stroke and its speed are what tells that the actuator runs away."""
    stroke = bench.loader_channel("stroke")
    if experiment.command.mode != "force" or not stroke:
        return
    armed = [limit for limit in experiment.limits if limit.channel == stroke and limit.action in ARMED and _always(limit)]
    missing = [word for word in ("minimum", "maximum", "rate") if all(getattr(limit, word) is None for limit in armed)]
    if missing:
        text = f"force mode needs armed limits (action stop or interlock) on {stroke}; missing: {', '.join(missing)}"
        yield Problem(("limits",), text)


def _always(limit: Limit) -> bool:
    """Armed in all states and phases, by the first sample outside."""
    return not limit.states and limit.phase_from is None
