"""A clearance between actuator and specimen: what it becomes when it vanishes, what it does when slow, and its ideal test."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.signal import lsim

from model.contact.laws import damping
from rig.hybrid.realtime.clearance import Clearance, loose, reference
from rig.hybrid.realtime.floors import undivided
from rig.hybrid.realtime.frame import CASES, Partition, Specimen
from rig.hybrid.realtime.frame import reference as whole
from rig.hybrid.realtime.transfer_system import TransferSystem

Floats = NDArray[np.float64]
RATE = 4096.0
T = np.arange(8192) / RATE


def moved(clearance: Clearance, commands: Floats) -> Floats:
    """(N, 3): rod, m, force on the specimen, N, specimen, m, after each sample."""
    plant = loose(TransferSystem(), clearance, RATE)
    state, output, came = plant.state(), np.zeros(3), []
    for command in commands.tolist():
        plant.advance(state, plant.parameters, command, output)
        came.append(output.copy())
    return np.array(came)


def bolted(clearance: Clearance, commands: Floats) -> Floats:
    """(N,) m: rod and specimen as one mass, by scipy."""
    system = TransferSystem()
    s = system.specimen
    mass, losses = s.mass + clearance.rod_mass, s.damping + clearance.seal_damping
    one = Specimen(mass, losses / (2.0 * np.sqrt(s.stiffness * mass)), s.stiffness)
    a, b = replace(system, specimen=one).continuous()
    _, y, _ = lsim(
        (a, b[:, None], np.eye(5), np.zeros((5, 1))), np.append(commands, commands[-1]), np.arange(len(commands) + 1) / RATE, interp=False
    )
    return np.asarray(y[1:, 3])


def test_without_a_clearance_rod_and_specimen_are_one() -> None:
    commands = 2e-3 * np.sin(2.0 * np.pi * 3.0 * T)
    stiff = Clearance(size=1e-9, stiffness=1e12, substeps=64)
    expected = bolted(stiff, commands)
    assert np.abs(moved(stiff, commands)[:, 0] - expected).max() < 0.01 * np.abs(expected).max()
    wide = replace(stiff, size=1e-3)
    assert np.abs(moved(wide, commands)[:, 0] - expected).max() > 0.05 * np.abs(expected).max()


def test_a_slow_rod_takes_the_specimen_along_after_half_the_clearance() -> None:
    commands = 2e-3 * np.sin(2.0 * np.pi * 0.25 * np.arange(4 * 4096) / RATE)
    came = moved(Clearance(size=1e-3), commands)
    rod, force, specimen = came[-1 - 3 * 4096 :].T  # from a quarter on: at 2 mm and back
    pushed = rod > 0.6e-3
    assert specimen[pushed] == pytest.approx(rod[pushed] - 0.5e-3, abs=0.05e-3)  # the contact gives by as much
    assert force[pushed] == pytest.approx(Specimen().stiffness * specimen[pushed], rel=0.05)
    assert specimen[rod < -0.6e-3].max() < 0.0


def test_a_second_run_begins_as_the_first() -> None:
    plant = loose(TransferSystem(), Clearance(size=1e-4), RATE)
    runs = []
    for _ in range(2):
        state, output = plant.state(), np.zeros(3)
        for command in (1e-3 * np.sin(20.0 * T[:2000])).tolist():
            plant.advance(state, plant.parameters, command, output)
        runs.append(output.copy())
    assert np.array_equal(*runs)


def test_the_ideal_test_is_the_undivided_structure_where_there_is_no_clearance() -> None:
    ground = np.sin(2.0 * np.pi * 3.0 * np.arange(4097) / RATE)
    partition = Partition(whole(CASES[1]))
    floors = reference(partition, Clearance(size=1e-9, stiffness=1e12, substeps=64), ground, RATE)
    expected = undivided(partition.whole, ground, RATE)
    assert np.abs(floors - expected).max() < 0.01 * np.abs(expected).max()


def test_the_ideal_test_is_scipy_s() -> None:
    """The same equations by an integrator of scipy's with small steps, as long as one contact lasts."""
    clearance, partition = Clearance(size=0.2e-3, restitution=1.0), Partition(whole(CASES[1]))
    assert damping(clearance.law, 1.0) == pytest.approx(0.0, abs=1e-12)  # elastic: no approach speed is needed
    ground = 2.0 * np.sin(2.0 * np.pi * 3.0 * np.arange(1025) / RATE)
    a, b, f = partition.continuous()
    s = partition.specimen

    def slope(t: float, y: Floats) -> Floats:
        gap = y[0] - y[6]
        beyond = max(abs(gap) - 0.1e-3, 0.0)
        n = np.sign(gap) * clearance.stiffness * beyond**1.5
        acceleration = np.interp(t, np.arange(1025) / RATE, ground)
        return np.concatenate([a @ y[:6] + b * acceleration + f * n, [y[7], (n - s.damping * y[7] - s.stiffness * y[6]) / s.mass]])

    found = solve_ivp(slope, (0.0, 1023 / RATE), np.zeros(8), t_eval=np.arange(1024) / RATE, max_step=5e-5, rtol=1e-9, atol=1e-14)
    floors = reference(partition, clearance, ground, RATE)
    assert np.abs(floors - found.y[:3].T).max() < 1e-4 * np.abs(found.y[:3]).max()
