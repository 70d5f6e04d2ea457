"""The linkage against a second method: the equations again in plain Python, scipy's integrator, one call from contact to contact."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from model.integrators import dop853
from model.mechanisms.linkage import Config
from tests.tiers import quick

Floats = NDArray[np.float64]
AMPLITUDE, FREQUENCY, CLEARANCE, RATE = 30e3, 7.0, 0.4e-3, 100e3
STIFFNESS = 161916131734.1012  # N/m^1.5
DAMPING = 3 * 0.3 / (2 * 0.7)  # a of hu_guo at 0.7
SCALE = np.array([1e-6] * 3 + [1e-3] * 3 + [1e2, 1e-3, 1.0, 1e-3, 1e2, 1e5])


class Second:
    """The chain with both contacts of both joints; `servo` or flow-limited."""

    def __init__(self, servo: bool) -> None:
        self.servo, self.sign, self.latched = servo, 1.0, [0.0] * 4

    def gap(self, contact: int, y: Floats) -> tuple[float, float]:
        """Penetration and its rate: joint A tension, compression, joint B tension, compression."""
        joint, side = divmod(contact, 2)
        s = 1 - 2 * side
        return s * (y[joint + 1] - y[joint]) - CLEARANCE / 2, s * (y[joint + 4] - y[joint + 3])

    def joints(self, y: Floats) -> list[float]:
        forces = [0.0, 0.0]
        for contact, v0 in enumerate(self.latched):
            depth, rate = self.gap(contact, y)
            if v0 > 0.0 and depth > 0.0:
                forces[contact // 2] += (1 - 2 * (contact % 2)) * max(0.0, STIFFNESS * depth**1.5 * (1 + DAMPING * rate / v0))
        return forces

    def slope(self, t: float, y: Floats) -> Floats:
        force_a, force_b = self.joints(y)
        command, dy = AMPLITUDE * math.sin(2 * math.pi * FREQUENCY * t), np.zeros(len(y))
        dy[:3] = y[3:6]
        dy[3] = (force_a - 1.5e8 * y[0] - 1.2e4 * y[3]) / 60
        dy[4] = (force_b - force_a) / 3
        if not self.servo:
            resistance = self.sign * 50e3 * max(0.0, self.sign * y[5] / 0.2) ** 8
            dy[5] = (command - resistance - force_b) / 60
            return dy
        actuator, spool, spool_rate, integral, measured, measured_rate = y[6:]
        asked = min(1.0, max(-1.0, 2.5e-5 * (command - measured) + integral))
        valve, low_pass = 2 * math.pi * 150, 2 * math.pi * 1000
        dy[5] = (actuator - 2000 * y[5] - force_b) / 60
        dy[6] = 2e8 * (0.2 * spool * math.sqrt(max(0.0, 1 - math.copysign(1, spool) * actuator / 260e3)) - y[5] - 5e-8 * actuator)
        dy[7], dy[8] = spool_rate, valve**2 * (asked - spool) - 1.6 * valve * spool_rate
        dy[9], dy[10] = 1e-4 * (command - measured), measured_rate
        dy[11] = low_pass**2 * (1.5e8 * y[0] + 1.2e4 * y[3] - measured) - math.sqrt(2) * low_pass * measured_rate
        return dy

    def guard(self, contact: int) -> Callable[[float, Floats], float]:
        def guard(t: float, y: Floats) -> float:
            return self.gap(contact, y)[0]

        guard.terminal, guard.direction = True, -1.0 if self.latched[contact] > 0.0 else 1.0  # type: ignore[attr-defined]
        return guard

    def run(self, duration: float) -> Floats:
        """(N, 3): transmitted force and joint forces, N, at n/RATE."""
        grid, t, y = np.arange(round(duration * RATE) + 1) / RATE, 0.0, np.zeros(12 if self.servo else 6)
        forces = np.zeros((len(grid), 3))
        while t < grid[-1]:
            half = math.floor(2 * FREQUENCY * t + 1e-9)
            self.sign = 1.0 - 2.0 * (half % 2)
            end = min(grid[-1], (half + 1) / (2 * FREQUENCY))
            guards = [self.guard(contact) for contact in range(4)]
            tolerance = 1e-11 * SCALE[: len(y)]
            part = solve_ivp(self.slope, (t, end), y, "DOP853", rtol=1e-11, atol=tolerance, events=guards, dense_output=True, max_step=2e-4)
            for row in np.flatnonzero((grid >= t) & (grid <= part.t[-1])):
                at = part.sol(grid[row])
                forces[row] = 1.5e8 * at[0] + 1.2e4 * at[3], *self.joints(at)
            t, y = part.t[-1], part.y[:, -1]
            for contact in range(4):
                if len(part.t_events[contact]):
                    self.latched[contact] = 0.0 if self.latched[contact] > 0.0 else max(1e-3, self.gap(contact, y)[1])
            y = y + 1e-10 * self.slope(t, y)  # off the event, so that it is not found again
            t += 1e-10
        return forces


@pytest.mark.parametrize("source", quick(["servo", "flow_limited"], 1))
def test_a_second_method_agrees_and_the_default_evaluates_little_at_that_error(source: str) -> None:
    duration = 1.5 / FREQUENCY
    reference = Second(source == "servo").run(duration)
    stepper = Config(load_source=source, clearance=CLEARANCE).create(dop853.Config(), RATE)
    command = AMPLITUDE * np.sin(2 * np.pi * FREQUENCY * np.arange(len(reference) + stepper.lookahead) / RATE)
    stepper.start(command[: stepper.lookahead])
    values = stepper.advance(command[stepper.lookahead :])
    errors = np.max(np.abs(values[:, :3] - reference), axis=0) / np.max(np.abs(reference), axis=0)
    assert np.all(errors < 1e-6)
    assert stepper.work["evaluations"] < 50_000
