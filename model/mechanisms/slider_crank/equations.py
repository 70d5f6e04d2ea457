"""What the solver calls of a slider-crank with clearance, compiled: by the pin of the rod that is ideal, on_crank or on_slider.

The right-hand side at constant speed, where the time goes, is there for each; in all else the hinge is asked.
Samples take a third of the time of a run: their crank, and the sine and cosine of each angle, are made once.
"""

from __future__ import annotations

from typing import NamedTuple

from model.compiled.signatures import CHANNELS, INDEX, RHS, VECTOR, ContactLaw, Floats, compiled
from model.compiled.sincos import sincos
from model.integrators import by_address, loop
from model.integrators.kernels import build_in
from model.integrators.memory import Memory, Method
from model.mechanisms.slider_crank import on_crank, on_slider
from model.mechanisms.slider_crank.kernel import (
    CRANK,
    CRANK_INERTIA,
    FREEDOMS,
    HINGED_TO_SLIDER,
    MOTION,
    PHI,
    TORQUE,
    WITH_PIN,
    guards,
    led,
    publish,
    steady,
    switch,
)
from model.stepping import inputs


@compiled(INDEX(CRANK, VECTOR, VECTOR, VECTOR, MOTION), inline=True)
def moving(crank: tuple[float, ...], y: Floats, dy: Floats, p: Floats, motion: tuple[float, ...]) -> int:
    """Time derivative of the state from what the hinge's `motion` gives; with a place for it the drive's power."""
    n = int(p[FREEDOMS])
    dy[0], dy[1] = y[n], y[n + 1]
    dy[n] = motion[0]
    dy[n + 1] = motion[1] if p[WITH_PIN] > 0.0 else motion[3]
    if n == 4:
        dy[2], dy[3] = y[6], y[7]
        dy[6], dy[7] = motion[2], motion[3]
    if y.size > 2 * n:
        dy[2 * n] = motion[4] * crank[1]
    return 0


@compiled(RHS.signature, built_in=True)
def rhs_on_crank(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """`moving` at constant speed, the rod's ideal pin on the crank."""
    sine, cosine = sincos(y[PHI])
    moving(steady(t, p), y, dy, p, on_crank.motion(steady(t, p), y, p, s, cosine, sine))
    return 0


@compiled(RHS.signature, built_in=True)
def rhs_on_slider(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """The same, the ideal pin on the slider."""
    sine, cosine = sincos(y[PHI])
    moving(steady(t, p), y, dy, p, on_slider.motion(steady(t, p), y, p, s, cosine, sine))
    return 0


@compiled(RHS.signature)
def rhs_driven(t: float, y: Floats, dy: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """`moving` as the samples turn the crank, whose inertia takes its share of the work."""
    crank, n = led(t, p, u), 2 * int(p[FREEDOMS])
    sine, cosine = sincos(y[PHI])
    if p[HINGED_TO_SLIDER] > 0.0:
        moving(crank, y, dy, p, on_slider.motion(crank, y, p, s, cosine, sine))
    else:
        moving(crank, y, dy, p, on_crank.motion(crank, y, p, s, cosine, sine))
    if y.size > n:
        _, omega, alpha = inputs.course(u, t)
        dy[n] += p[CRANK_INERTIA] * alpha * omega
    return 0


@compiled(CHANNELS.signature, built_in=True)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """CHANNELS of model.mechanisms.slider_crank, at constant speed."""
    crank = steady(t, p)
    sine, cosine = sincos(y[PHI])
    if p[HINGED_TO_SLIDER] > 0.0:
        publish(crank, y, values, p, s, cosine, sine, on_slider.motion(crank, y, p, s, cosine, sine))
    else:
        publish(crank, y, values, p, s, cosine, sine, on_crank.motion(crank, y, p, s, cosine, sine))
    return 0


@compiled(CHANNELS.signature)
def channels_driven(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """The same as the samples turn the crank, whose inertia takes its share of the torque."""
    crank = led(t, p, u)
    sine, cosine = sincos(y[PHI])
    if p[HINGED_TO_SLIDER] > 0.0:
        publish(crank, y, values, p, s, cosine, sine, on_slider.motion(crank, y, p, s, cosine, sine))
    else:
        publish(crank, y, values, p, s, cosine, sine, on_crank.motion(crank, y, p, s, cosine, sine))
    values[TORQUE] += p[CRANK_INERTIA] * inputs.course(u, t)[2]
    return 0


class OnCrank(NamedTuple):
    """The functions of a rod hinged to the crank, built into the solver's loop."""

    law: ContactLaw


class OnSlider(NamedTuple):
    """The same of a rod hinged to the slider."""

    law: ContactLaw


build_in(OnCrank, rhs_on_crank, guards, switch, channels)
build_in(OnSlider, rhs_on_slider, guards, switch, channels)


@compiled(by_address.ADVANCE)
def advance_on_crank(
    _rhs: object, _guards: object, _switch: object, _channels: object, law: ContactLaw, method: Method, memory: Memory,
    p: Floats, s: Floats, u: Floats, first: int, out: Floats, low: Floats, high: Floats, events: Floats,
) -> int:  # fmt: skip
    """See model.integrators.loop.advance; the functions are built in, their addresses are not read."""
    return loop.advance(OnCrank(law), method, memory, p, s, u, first, out, low, high, events)


@compiled(by_address.ADVANCE)
def advance_on_slider(
    _rhs: object, _guards: object, _switch: object, _channels: object, law: ContactLaw, method: Method, memory: Memory,
    p: Floats, s: Floats, u: Floats, first: int, out: Floats, low: Floats, high: Floats, events: Floats,
) -> int:  # fmt: skip
    """The same of a rod hinged to the slider."""
    return loop.advance(OnSlider(law), method, memory, p, s, u, first, out, low, high, events)
