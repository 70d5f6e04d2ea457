"""The compensators by name, as an experiment asks for them, tuned to what is believed of the plant."""

from __future__ import annotations

from collections.abc import Callable

from rig.hybrid.realtime.compensators import adaptive, feedforward_feedback, taps
from rig.hybrid.realtime.compensators.contract import Compensator
from rig.hybrid.realtime.frame import Specimen
from rig.hybrid.realtime.transfer_system import TransferSystem

SAMPLE_QUANTUM = 1.0 / 2**18  # m: of the package's converters, which its sample controller passes four times (F1_input_file.m)

# Tunings of our own: by hand on the nominal plant in case 1, once, for all cases and plants.
NOISE, DISTURBANCE, EFFORT = 16e-6, 10e-6, 1e-2  # m, m, 1: of the regulator
DOUBT, WANDER, RESIDUAL = 0.1, 0.02, 20e-6  # 1, 1 a second, m: of the Kalman filter
WINDOW, PRIOR, MOST = 1.0, 50e-6, 2.0  # s, m, 1: of the time series


def _bare() -> TransferSystem:
    """The actuator without a specimen, from which the gradient's authors begin (their AMB_L_1_vRTHS.m)."""
    return TransferSystem(a1_b0=2.13e13, a2=4.23e6, b2=1e5, gain=1.0, specimen=Specimen(mass=0.0, damping_ratio=0.0, stiffness=1.0))


Made = Callable[[TransferSystem, float], Compensator]

COMPENSATORS: dict[str, Made] = {
    "none": lambda plant, rate: taps.none(),
    "phase_lead": lambda plant, rate: feedforward_feedback.phase_lead(rate, SAMPLE_QUANTUM),
    "extrapolation": lambda plant, rate: taps.extrapolation(plant.delay, rate),
    "inverse_2": lambda plant, rate: taps.inverse(plant.denominator()[:3], rate),
    "inverse_3": lambda plant, rate: taps.inverse(plant.denominator()[:4], rate),
    "feedforward_feedback": lambda plant, rate: feedforward_feedback.feedforward_feedback(plant, rate, NOISE, DISTURBANCE, EFFORT),
    "time_series": lambda plant, rate: adaptive.time_series(plant.denominator()[:3], rate, WINDOW, PRIOR, MOST),
    "gradient": lambda plant, rate: adaptive.gradient(_bare().denominator()[:4], rate),
    "kalman": lambda plant, rate: adaptive.kalman(plant.denominator()[:4], rate, DOUBT, WANDER, RESIDUAL),
}


def compensator(name: str, believed: TransferSystem, rate: float, *, without_converters: bool = False) -> Compensator:
    """`believed`: what is known of the plant. rate: Hz. without_converters: as a linear one, for eigenvalues. Raises KeyError."""
    if without_converters and name == "phase_lead":
        return feedforward_feedback.phase_lead(rate)
    return COMPENSATORS[name](believed, rate)
