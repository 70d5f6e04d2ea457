"""Many members of one mechanism at once: where motion is chaotic, or parameters are known within bounds only, a band is the prediction.

Each member has a stepper, and so memory, of its own; compiled code runs without Python's lock, so threads share the cores.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass, replace
from functools import reduce
from typing import Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np

from model.errors import ModelError, NotConverged
from model.floats import Floats
from model.mechanisms.mechanism import Dataclass
from model.stepping.contract import Prediction, Stepper

Described = TypeVar("Described", bound=Dataclass)
Result = TypeVar("Result")
Member = TypeVar("Member", bound=Prediction)


@runtime_checkable
class FreeStart(Protocol):
    """What a stepper has beside its contract where its start is free (model.stepping.explicit)."""

    @property
    def state(self) -> Floats: ...
    @property
    def usual(self) -> Floats: ...
    def start(self, samples: Floats, state: Floats | None = None) -> None: ...


class Spread(NamedTuple):
    """How far members lie from the nominal: evenly within value +- (relative * value + absolute); the key may be dotted."""

    key: str
    relative: float
    absolute: float  # in the key's own unit (SI)
    following: tuple[str, ...] = ()  # numbers that lie off by the same share, as an inertia with its mass


class Band(NamedTuple):
    """Over the members, at each sample: (k, channels) each."""

    mean: Floats
    low: Floats
    high: Floats


def band(values: Floats, coverage: float) -> Band:
    """Mean, and the quantiles (1 -+ coverage)/2, of values (members, k, channels); between two members straight."""
    ordered = np.sort(values, axis=0)  # a seventh of what np.quantile takes
    low, high = (_between(ordered, 0.5 * (1.0 + side * coverage)) for side in (-1.0, 1.0))
    return Band(values.mean(axis=0), low, high)


def _between(ordered: Floats, share: float) -> Floats:
    place = share * (len(ordered) - 1)
    below = min(int(place), len(ordered) - 2)
    return np.asarray(ordered[below] + (place - below) * (ordered[below + 1] - ordered[below]))


def drawn(config: Described, spreads: Sequence[Spread], members: int, seed: int) -> list[Described]:
    """Configurations of the members, the same for the same seed. Raises ModelError for a key without a number or a value out of bounds."""
    generator = np.random.default_rng(seed)
    made = []
    for member in range(members):
        one = config
        for spread, share in zip(spreads, generator.uniform(-1.0, 1.0, len(spreads)), strict=True):
            one = _drawn(one, spread, share, member)
        made.append(one)
    return made


def _drawn(one: Described, spread: Spread, share: float, member: int) -> Described:
    value = number(one, spread.key)
    off = share * (spread.relative * abs(value) + spread.absolute)
    values = {spread.key: value + off} | {key: number(one, key) * (1.0 + off / value) for key in spread.following}
    try:
        return changed(one, values)
    except ValueError as error:
        raise ModelError(f"ensemble: member {member}: {error}; choose a smaller spread of {spread.key}") from error


def part(config: object, name: str) -> object:
    """What `name` stands for in a description: a field, or of a list the item so called. LookupError: half a sentence on what there is."""
    if isinstance(config, tuple):
        named = {str(item.name): item for item in config if hasattr(item, "name")}
        if name not in named:
            raise LookupError(_there(name, list(named) or ["none with names"]))
        return named[name]
    if not hasattr(config, name):
        raise LookupError(_there(name, [one.name for one in fields(config)] if is_dataclass(config) else []))
    return getattr(config, name)


def _there(name: str, known: Sequence[str]) -> str:
    """Half a sentence: the one that may be meant, or all."""
    if near := difflib.get_close_matches(name, known, 1):
        return f"; did you mean {near[0]}?"
    return f"; instead of {name} there are {', '.join(known)}" if known else ""


def every(config: object, key: str) -> list[str]:
    """The keys that a key with `*` stands for, of each item of a list, as `bodies.*.mass`; where an item says nothing it is left out.

    Raises ModelError for a key without a number.
    """
    before, star, after = key.partition("*")
    if not star:
        number(config, key)
        return [key]
    try:
        items = reduce(part, before.strip(".").split("."), config)
    except LookupError as error:
        raise ModelError(f"ensemble: {key}: the mechanism has no such quantity{error.args[0]}") from None
    if not isinstance(items, tuple):
        raise ModelError(f"ensemble: {key}: expected a list before `*`, as bodies.*.mass")
    found = [one for item in items if hasattr(item, "name") for one in _known(config, f"{before}{item.name}{after}")]
    if not found:
        raise ModelError(f"ensemble: {key}: nothing there has a number")
    return found


def _known(config: object, key: str) -> list[str]:
    try:
        return every(config, key)
    except ModelError:
        return []


def number(config: object, key: str) -> float:
    """The number that the key stands for, as `clearance`, `contact.restitution`, `bodies.rod.mass`. Raises ModelError."""
    value = config
    for name in key.split("."):
        try:
            value = part(value, name)
        except LookupError as error:
            raise ModelError(f"ensemble: {key}: the mechanism has no such quantity{error.args[0]}") from None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ModelError(f"ensemble: {key}: expected a number to spread, it is {value!r}; give it a value")
    return float(value)


def changed(config: Described, values: Mapping[str, float]) -> Described:
    """The description with other numbers, by key, all at once: some bound each other. Raises ValueError for what it does not take."""
    made = _changed(config, [(key.split("."), value) for key, value in values.items()])
    assert isinstance(made, type(config))
    return made


def _changed(config: object, values: Sequence[tuple[Sequence[str], float]]) -> object:
    names = dict.fromkeys(keys[0] for keys, _ in values)
    inner = {name: [(keys[1:], value) for keys, value in values if keys[0] == name] for name in names}
    made = {name: below[0][1] if not below[0][0] else _changed(part(config, name), below) for name, below in inner.items()}
    if isinstance(config, tuple):
        return tuple(made.get(str(getattr(item, "name", "")), item) for item in config)
    assert is_dataclass(config) and not isinstance(config, type)
    return replace(config, **made)


def _interrupted(_stepper: Stepper) -> None:
    raise NotConverged("interrupted")


class Ensemble(Generic[Member]):
    """Steppers that are given the same input."""

    def __init__(self, steppers: Sequence[Member], threads: int = 0) -> None:
        """threads: 0 for one a core."""
        self._steppers = list(steppers)
        self.threads = min(threads or os.cpu_count() or 1, len(self._steppers))
        self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="member")
        self.lookahead = max(stepper.lookahead for stepper in self._steppers)

    def start(self, samples: Floats, spread: float = 0.0, seed: int = 0) -> None:
        """Put every member at rest, given the first `lookahead` samples, and then each state up to `spread` usual sizes of it off.

        Raises ModelError for a mechanism whose start is not free.
        """
        if any(stepper.lookahead != self.lookahead for stepper in self._steppers):
            raise ModelError("ensemble: the spread changes how far ahead the input is read; leave out what the members may not differ in")
        generator = np.random.default_rng([seed, 1])
        for stepper in self._steppers:
            stepper.start(samples)
            if spread > 0.0:
                if not isinstance(stepper, FreeStart):
                    raise ModelError("ensemble: constraints fix the start of this mechanism on this integrator; spread parameters instead")
                away = spread * stepper.usual * generator.uniform(-1.0, 1.0, len(stepper.usual))
                stepper.start(samples, stepper.state + away)

    def advance(self, samples: Floats) -> Floats:
        """The next output samples (members, k, channels). Raises NotConverged, which names the member."""
        return np.stack(self._each(lambda stepper: stepper.advance(samples)))

    def advance_with_extremes(self: Ensemble[Stepper], samples: Floats) -> tuple[Floats, Floats, Floats]:
        """(values, lowest, highest) of the members, first axis, as of a Stepper."""
        values, low, high = zip(*self._each(lambda stepper: stepper.advance_with_extremes(samples)), strict=True)
        return np.stack(values), np.stack(low), np.stack(high)

    def forget_events(self) -> None:
        """Drop what the members have noted of their events; in a run without end it would grow."""
        for stepper in self._steppers:
            stepper.events.clear()

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()

    def _each(self, work: Callable[[Member], Result]) -> list[Result]:
        try:
            return list(self._pool.map(lambda member: self._one(work, *member), enumerate(self._steppers)))
        except KeyboardInterrupt:
            for stepper in self._steppers:
                stepper.watch = _interrupted
            self._pool.shutdown(cancel_futures=True)
            raise

    @staticmethod
    def _one(work: Callable[[Member], Result], member: int, stepper: Member) -> Result:
        try:
            return work(stepper)
        except NotConverged as error:
            raise NotConverged(f"ensemble: member {member}: {error}") from error
