"""The mechanisms that samples may drive, each with what its tests need: a motion from rest, and the energy that it should keep."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.integrators import dop853, generalized_alpha, leapfrog
from model.integrators.method import Integrator
from model.mechanisms import four_bar, parallel_3rrpar, parallel_3rrpar_flexible, slider_bar, slider_crank, slider_crank_flexible
from model.paths import trajectory_1
from tests.unit.model.mechanisms.planar import described

Floats = NDArray[np.float64]


def ramp(x: Floats) -> Floats:
    """From 0 to 1 at rest at both ends, with continuous acceleration."""
    x = np.clip(x, 0.0, 1.0)
    return x**3 * (10.0 + x * (6.0 * x - 15.0))


def adaptive(tolerance: float, time: float) -> Integrator:
    """For a motion that lasts `time`, s."""
    return dop853.Config(tolerance=tolerance, longest_step=time / 50)


def implicit(tolerance: float, time: float) -> Integrator:
    """Of stiff bars: at least three thousand steps."""
    return generalized_alpha.Config(step=time / 3000, tolerance=max(tolerance, 1e-8))


@dataclass(frozen=True)
class Case:
    """One of them: `way` (of s) is gone through in `time` (s) from `begin` on, `rate` (Hz) is that of the samples."""

    name: str
    config: Any
    way: float
    time: float
    rate: float
    begin: float = 0.0
    speed: Callable[[Any], float] = lambda config: float(config.speed)
    level: dict[str, Any] = field(default_factory=lambda: {"gravity": 0.0})  # with which the start of constant speed is that of samples
    still: float = 0.3  # of `way`: where it is looked at whether it rests
    rest: float = 1e-4  # how still it rests, share of each quantity's size
    alike: float = 1e-6  # how near linear samples come to constant speed, share of each quantity's size
    compared: float = 0.2  # of `time`, over which they are compared: impacts part them
    smooth: bool = True  # no impacts: the error falls with the square of the samples' distance
    follows: float = 1e-7  # how near the first drive is to its samples, rad
    keys: dict[str, Any] = field(default_factory=dict)
    method: Callable[[float, float], Integrator] = adaptive
    takes_state: bool = True  # its stepper starts from a state that it is given, else both starts are its own

    def __str__(self) -> str:
        return self.name

    def stepper(self, source: str, rate: float = 0.0, tolerance: float = 1e-9, **changed: Any) -> Any:
        """At `rate`, if not its own, with some of the configuration changed."""
        integrator = self.method(tolerance, self.time)
        return replace(self.config, **changed).create(integrator, rate or self.rate, source, **self.keys)

    def samples(self, rate: float = 0.0) -> Floats:
        """s that begins and ends at rest, enough of it for a stepper to go through `time`."""
        rate = rate or self.rate
        return self.begin + self.way * ramp(np.arange(round(1.1 * self.time * rate)) / (self.time * rate))


def run(stepper: Any, samples: Floats, cut: int = 0, state: Floats | None = None) -> Floats:
    """Channels for all the samples, fed in blocks of `cut`, or at once."""
    ahead = stepper.lookahead
    stepper.start(samples[:ahead], *(() if state is None else (state,)))
    cut = cut or len(samples)
    return np.concatenate([stepper.advance(samples[first : first + cut]) for first in range(ahead, len(samples), cut)])


LEVEL_SIX_BAR = {"gravity": 0.0, "forces": ()}


def _crank(pin: float, guide: float, joint: str) -> Case:
    config = slider_crank.Config(clearance=pin, guide_clearance=guide, clearance_joint=joint, gravity=9.81, speed=100.0)
    name = f"slider-crank, {joint}, {pin * 1e6:g} and {guide * 1e6:g} um"
    return Case(name, config, 4.0, 0.05, 20e3, 0.3, alike=1e-4, compared=0.1, smooth=pin + guide == 0.0)


def _bar(**changed: Any) -> Case:
    config = slider_bar.Config(**changed)
    name = f"slider-bar, {', '.join(f'{key} {value}' for key, value in changed.items()) or 'as it is'}"
    return Case(name, config, 6.0, 8.0, 500.0, level={}, compared=1.0, still=0.0)


def _platform(name: str, config: parallel_3rrpar.Config) -> Case:
    keys = {"path": trajectory_1.Config().create(), "lasting": 1.0}
    smooth = config.ideal
    return Case(f"3-RRPaR, {name}", config, 0.5, 0.6, 5e3, 0.1, lambda _: 1.0, alike=1e-4, compared=0.1, smooth=smooth, keys=keys)


def _flexible(name: str, formulation: str, **changed: Any) -> Case:
    bars = parallel_3rrpar_flexible.config.Bars(formulation=formulation, elements=1)
    case = _platform(name, parallel_3rrpar_flexible.Config(bars=bars, **changed))
    return replace(case, name=f"flexible {case.name}", smooth=False, method=implicit, takes_state=False)


def leaping(tolerance: float, time: float) -> Integrator:
    """Five steps a sample."""
    return leapfrog.Config(step=2e-6)


def constrained(tolerance: float, time: float) -> Integrator:
    """A step a sample."""
    return generalized_alpha.Config(step=1e-5, tolerance=1e-8)


def _bent(name: str, method: Callable[[float, float], Integrator], pin: float, guide: float, **changed: Any) -> Case:
    rod = slider_crank_flexible.config.Rod(elements=2, damping=1e-6)
    config = slider_crank_flexible.Config(clearance=pin, guide_clearance=guide, gravity=9.81, speed=100.0, rod=rod, **changed)
    label = f"flexible slider-crank, {name}, {pin * 1e6:g} and {guide * 1e6:g} um"
    shortly = 0.1 if guide == 0.0 else 0.04  # corners strike at whole steps
    return Case(
        label, config, 4.0, 0.05, 100e3, 0.3, alike=1e-2, compared=shortly, smooth=False, rest=1e-3, method=method, takes_state=False
    )  # fmt: skip


def _described(pin: float, guide: float, joint: str) -> Case:
    like = slider_crank.Config(clearance=pin, guide_clearance=guide, clearance_joint=joint, gravity=9.81, speed=100.0)
    name = f"slider-crank described, {joint}, {pin * 1e6:g} and {guide * 1e6:g} um"
    # Each set of generated equations is compiled for seconds: one of four, and the six-bar's.
    equations = "generated" if joint == "rod_slider" and guide == 0.0 else "tables"
    return Case(
        name,
        replace(described.slider_crank(like), equations=equations),
        4.0,
        0.05,
        20e3,
        0.3,
        lambda _: 100.0,
        alike=1e-4,
        compared=0.1,
        smooth=False,
        follows=1e-6,
    )


CASES = [
    Case("four-bar", four_bar.Config(), 3.0, 0.3, 10e3, level={}, rest=1e-2, smooth=False),
    Case("four-bar, ideal", four_bar.Config(clearance=0.0), 3.0, 0.3, 10e3),
    *(
        _crank(pin, guide, joint)
        for joint in ("rod_slider", "crank_rod")
        for pin, guide in ((0.0, 0.0), (0.0, 5e-5), (5e-5, 0.0), (5e-5, 5e-5))
    ),
    *(_described(pin, guide, joint) for joint in ("rod_slider", "crank_rod") for pin, guide in ((5e-5, 0.0), (5e-5, 5e-5))),
    Case(
        "six-bar",
        described.six_bar(),
        2.0,
        0.2,
        10e3,
        0.0,
        lambda _: math.pi * 10.0,
        level=LEVEL_SIX_BAR,
        rest=1e-3,
        alike=1e-4,
        compared=0.04,
        smooth=False,
        follows=1e-6,
    ),
    _bar(),
    _bar(stick_band=0.0, motor_mount="ground"),
    _platform("both pins", parallel_3rrpar.Config()),
    _platform("R3 alone", parallel_3rrpar.Config(clearance_r1=0.0)),
    _platform("ideal", parallel_3rrpar.Config(clearance=0.0)),
    _flexible("reduced", "reduced"),
    *(_bent("leapfrog", leaping, pin, guide) for pin, guide in ((0.0, 0.0), (0.0, 5e-5), (5e-5, 0.0), (5e-5, 5e-5))),
    _bent("leapfrog, crank_rod", leaping, 5e-5, 5e-5, clearance_joint="crank_rod"),
    _bent("generalised alpha", constrained, 0.0, 0.0),
    _bent("dop853", adaptive, 5e-5, 0.0),
    _flexible("elements", "elastic_line"),
    _flexible("elements, ideal", "elastic_line", clearance=0.0),
]
