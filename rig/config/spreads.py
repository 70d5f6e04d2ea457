"""How far the members of an ensemble lie from the nominal: what a file says, in the units of the mechanism's own numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from model.ensemble import Spread, changed, drawn, every, number, part
from model.errors import ModelError
from model.mechanisms.mechanism import Mechanism
from rig.config.bench import Bench, InputChannel
from rig.config.experiment import Doubt, Ensemble, Experiment, Free
from rig.config.experiment import Spread as Given
from rig.config.shape import shapes
from rig.config.tree import Problem
from rig.config.units.quantities import QuantityError, in_unit_of, to_si

CHANNELS = "channels"
GAIN, ZERO, DELAY = "gain", "zero", "delay"
OF_CHANNEL = {GAIN: 1.0, ZERO: 0.0, DELAY: 0.0}
"""Numbers of a channel that can be identified, and what each is where it is not."""


class FreeNumber(NamedTuple):
    """Between `low` and `high`, in its SI unit; nominal: the file's; channel and what of it, empty where it is the mechanism's; prior and
    its standard deviation, None and 0 where only the bounds are known."""

    key: str
    unit: str
    low: float
    high: float
    nominal: float
    channel: str
    what: str
    prior: float | None = None
    prior_std: float = 0.0
    written: str = "1"
    """A quantity of it as the file has it, whose unit it is shown in."""

    def value(self, share: float) -> float:
        """At a share (0 to 1) of the way from low to high."""
        return self.low + share * (self.high - self.low)

    def share(self, value: float) -> float:
        """Of the way from low to high."""
        return (value - self.low) / (self.high - self.low)

    @property
    def shown(self) -> tuple[str, float]:
        """Unit that it is shown in, and the factor to it from SI."""
        factor, _, its = in_unit_of(self.written, self.unit, 1.0).partition(" ")
        return its or "1", float(factor)


def problems(experiment: Experiment) -> Iterator[Problem]:
    """What is wrong with the ensembles of an experiment."""
    for section in ("simulate", "predictor"):
        ensemble: Ensemble | None = getattr(experiment, section).ensemble
        if ensemble is None:
            continue
        found: list[tuple[tuple[str | int, ...], str]] = [
            (("spread", i), text) for i, given in enumerate(ensemble.spread) if (text := _fault(experiment.mechanism, given))
        ]
        if not ensemble.spread and ensemble.state == 0.0:
            found = [((), "the members do not differ; expected [[spread]] with key and relative or absolute, or state > 0")]
        if not found:
            found = [((), text) for text in _out_of_bounds(experiment.mechanism, ensemble)]
        for path, text in found:
            yield Problem((section, "ensemble", *path), text)


def of_budget(experiment: Experiment) -> Iterator[Problem]:
    """What is wrong with the budget of the comparison: keys without a number, spreads of nothing, laws and values that cannot be.

    A number that happens to be 0 does not differ by a share, which is no fault: somebody tries the mechanism without it.
    """
    budget, mechanism = experiment.comparison.budget, experiment.mechanism
    if budget is None:
        return
    for i, given in enumerate(budget.spread):
        if text := _unknown(mechanism, given):
            yield Problem(("comparison", "budget", "spread", i), text)
        elif given.relative == 0.0 and not given.absolute:
            yield Problem(("comparison", "budget", "spread", i), f"{given.key} does not differ; expected relative or absolute above 0")
    for law in budget.laws:
        try:
            mechanism.with_contact_law(law)
        except ValueError as error:
            yield Problem(("comparison", "budget", "laws"), str(error).removeprefix("law: "))
    for i, doubt in enumerate(budget.doubt):
        try:
            doubted(mechanism, doubt)
        except (ModelError, QuantityError) as error:
            yield Problem(("comparison", "budget", "doubt", i), str(error).removeprefix("ensemble: "))


def of_identification(experiment: Experiment, bench: Bench) -> Iterator[Problem]:
    """What is wrong with the numbers that shall be identified: keys without a number, bounds that are none, channels that there are not."""
    mechanism, channels = experiment.mechanism, {channel.name: channel for channel in bench.channels}
    keys = [one.key for one in experiment.identify.free]
    for i, free in enumerate(experiment.identify.free):
        try:
            free_number(free, mechanism, channels)
        except (ModelError, QuantityError, LookupError) as error:
            yield Problem(("identify", "free", i), str(error.args[0]).removeprefix("ensemble: "))
        if free.key in keys[:i]:
            yield Problem(("identify", "free", i), f"{free.key}: is there twice")
    for name in experiment.identify.channels:
        if name not in channels:
            yield Problem(("identify", "channels"), f"expected channels of the bench ({', '.join(channels)}), got {name!r}")


def free_number(free: Free, mechanism: Mechanism, channels: Mapping[str, InputChannel]) -> FreeNumber:
    """One that shall be identified. Raises ModelError, QuantityError or LookupError, which say what is wrong."""
    first, _, rest = free.key.partition(".")
    channel = what = ""
    if first == CHANNELS:
        channel, _, what = rest.rpartition(".")
        if channel not in channels or what not in OF_CHANNEL:
            names = ", ".join(channels)
            raise LookupError(f"{free.key}: expected channels.NAME.gain, .zero or .delay, where NAME is one of {names}")
        its, nominal = {GAIN: "1", ZERO: channels[channel].unit, DELAY: "s"}[what], OF_CHANNEL[what]
    else:
        nominal, its = number(mechanism, free.key), unit(mechanism, free.key)
    low, high = to_si(free.minimum, its), to_si(free.maximum, its)
    if not low < high:
        raise LookupError(f"{free.key}: maximum = {free.maximum!r}: expected more than minimum = {free.minimum!r}")
    return FreeNumber(free.key, its, low, high, nominal, channel, what, *_prior(free, its), free.minimum)


def _prior(free: Free, its: str) -> tuple[float | None, float]:
    """Value and standard deviation in `its` unit. Raises QuantityError or LookupError."""
    if not free.prior and not free.prior_std:
        return None, 0.0
    if not free.prior or not free.prior_std:
        raise LookupError(f'{free.key}: expected prior and prior_std together, as prior = "0.4 mm", prior_std = "0.02 mm"')
    prior, deviation = to_si(free.prior, its), to_si(free.prior_std, its)
    if not deviation > 0.0:
        raise LookupError(f"{free.key}: prior_std = {free.prior_std!r}: expected more than 0; what is known exactly is not free")
    return prior, deviation


def doubted(mechanism: Mechanism, doubt: Doubt) -> Mechanism:
    """The wrong model. Raises ModelError or QuantityError for one that cannot be."""
    values = values_of(mechanism, doubt)
    try:
        return changed(mechanism, values)
    except ValueError as error:
        raise ModelError(f"{', '.join(f'{key} = {value:g}' for key, value in values.items())}: {error}") from error


def values_of(mechanism: Mechanism, doubt: Doubt) -> dict[str, float]:
    """The numbers (SI) of the wrong model, by key."""
    keys = [one for key in doubt.keys for one in every(mechanism, key)]
    if doubt.times is not None:
        return {key: doubt.times * number(mechanism, key) for key in keys}
    return {key: to_si(doubt.value, unit(mechanism, key)) for key in keys}


def in_si(mechanism: Mechanism, ensemble: Ensemble) -> list[Spread]:
    """Raises ModelError or QuantityError for what `problems` finds."""
    return all_in_si(mechanism, ensemble.spread)


def all_in_si(mechanism: Mechanism, spread: Sequence[Given]) -> list[Spread]:
    """Raises ModelError or QuantityError for a key without a number, or a quantity in another unit."""
    return [one for given in spread for one in _in_si(mechanism, given)]


def _in_si(mechanism: Mechanism, given: Given) -> list[Spread]:
    """Of every number that the key stands for."""
    keys = every(mechanism, given.key)
    following = [every(mechanism, key) for key in given.following]
    if unlike := [key for key, found in zip(given.following, following, strict=True) if len(found) != len(keys)]:
        raise ModelError(f"{given.key}: following: expected as many numbers as it has itself, {len(keys)}; {unlike[0]} has another number")
    absolute = [to_si(given.absolute, unit(mechanism, key)) if given.absolute else 0.0 for key in keys]
    together = list(zip(*following, strict=True)) if following else [()] * len(keys)
    return [
        Spread(key, given.relative, size, also if number(mechanism, key) else ())
        for key, size, also in zip(keys, absolute, together, strict=True)
    ]  # of nothing nothing can be a share


def _fault(mechanism: Mechanism, given: Given) -> str:
    if text := _unknown(mechanism, given):
        return text
    found = _in_si(mechanism, given)
    if all(one.absolute < 0.0 or one.relative * abs(number(mechanism, one.key)) + one.absolute == 0.0 for one in found):
        return f"{given.key} does not differ among the members; expected relative or absolute above 0"
    return ""


def _unknown(mechanism: Mechanism, given: Given) -> str:
    try:
        _in_si(mechanism, given)
    except (ModelError, QuantityError) as error:
        return str(error).removeprefix("ensemble: ")
    return ""


def _out_of_bounds(mechanism: Mechanism, ensemble: Ensemble) -> list[str]:
    try:
        drawn(mechanism, in_si(mechanism, ensemble), ensemble.members, ensemble.seed)
    except ModelError as error:
        return [str(error).removeprefix("ensemble: ")]
    return []


def unit(config: object, key: str) -> str:
    """SI unit of a number of the mechanism."""
    name, _, rest = key.partition(".")
    return unit(part(config, name), rest) if rest else str(shapes(type(config))[name].metadata.get("unit", "1"))
