"""Whether a loop is stable, beforehand and while it runs: against the continuous system, Pade's delays, and harmonic balance."""

from __future__ import annotations

from dataclasses import replace
from math import comb, factorial

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import lsim

from rig.hybrid.realtime import control_plant, loop, sampling
from rig.hybrid.realtime.compensators.named import compensator
from rig.hybrid.realtime.excitation import Chirp, GroundNoise
from rig.hybrid.realtime.experiment import Experiment, Sensors
from rig.hybrid.realtime.frame import CASES, Partition, continuous, reference
from rig.hybrid.realtime.stability import critical_delay, loop_matrix, spectral_radius
from rig.hybrid.realtime.testing import Bench, judged
from rig.hybrid.realtime.transfer_system import DISPLACEMENT, FORCE, TransferSystem
from tests.tiers import quick

Floats = NDArray[np.float64]
RATE = 4096.0
SILENT = Sensors(displacement_noise=0.0, force_noise=0.0, quantum=0.0)
SHORT = Experiment("short", ground_noise=GroundNoise(duration=12.0), stop=False)


def coupled(case: int) -> tuple[Floats, Floats]:
    """(A (11, 11), B (11,)) of structure and plant in one, continuous, uncompensated, nothing a sample late."""
    partition = Partition(reference(CASES[case]))
    a, ground, force = partition.continuous()
    plant, command = TransferSystem().continuous()
    whole = np.zeros((11, 11))
    whole[:6, :6], whole[6:, 6:], whole[6:, 0] = a, plant, command
    whole[:6, 6 + FORCE] += force
    return whole, np.concatenate([ground, np.zeros(5)])


def growth(case: int, name: str, rate: float) -> float:
    a, _, force = Partition(reference(CASES[case])).continuous()
    plant = control_plant.linear(TransferSystem(), rate)
    made = compensator(name, TransferSystem(), rate, without_converters=True)
    return float(rate * np.log(spectral_radius(loop_matrix(sampling.held(a, force, 1.0 / rate), plant, made))))


@pytest.mark.parametrize("case", list(CASES))
def test_the_loop_grows_as_the_continuous_system_once_it_is_sampled_fast(case: int) -> None:
    """Force and command come one to two samples late, so that the difference falls with the step."""
    exact = float(np.max(np.linalg.eigvals(coupled(case)[0]).real))
    off = [abs(growth(case, "none", rate) - exact) for rate in (4096.0, 16384.0, 65536.0)]
    assert exact > 0.0  # unstable, as published
    assert off[0] < 0.1 * exact
    assert off[1] == pytest.approx(off[0] / 4.0, rel=0.2) and off[2] == pytest.approx(off[1] / 4.0, rel=0.2)


def test_the_loop_is_that_of_scipy_in_time() -> None:
    experiment = Experiment("silent", rate=32768.0, chirp=Chirp(amplitude=0.1, duration=2.0, end=10.0), sensors=SILENT, stop=False)
    bench = Bench(experiment)
    made = bench.run(1, "none").results
    a, b = coupled(1)
    t = np.arange(len(bench.ground)) / 32768.0
    _, y, _ = lsim((a, b[:, None], np.eye(11), np.zeros((11, 1))), bench.ground, t)
    assert len(made) == len(y) - 1
    for column, state in ((loop.FLOORS, 0), (loop.ACTUATOR, 6 + DISPLACEMENT), (loop.FORCE, 6 + FORCE)):
        off = np.abs(made[:, column] - y[:-1, state]).max() / np.abs(y[:, state]).max()
        assert off < 0.01, column


@pytest.mark.parametrize("case", quick(list(CASES), 1))
def test_the_critical_delay_is_between_what_pade_finds_stable_and_unstable(case: int) -> None:
    partition = Partition(reference(CASES[case]))
    n, s = partition.numerical, partition.specimen
    delay = critical_delay(partition)

    def fastest(tau: float) -> float:
        """1/s of the divided structure with the specimen's force late by tau: Pade of eighth order, one denominator for all floors."""
        rising = [comb(8, k) * factorial(16 - k) / factorial(16) * tau**k for k in range(9)]
        above, below = (np.poly1d([sign**k * c for k, c in enumerate(rising)][::-1]) for sign in (-1.0, 1.0))
        specimen = np.poly1d([s.mass, s.damping, s.stiffness])
        entry = [[np.poly1d([n.mass[i, j], n.damping[i, j], n.stiffness[i, j]]) for j in range(3)] for i in range(3)]
        minor = entry[1][1] * entry[2][2] - entry[1][2] * entry[2][1]
        rest = entry[0][0] * minor
        rest -= entry[0][1] * (entry[1][0] * entry[2][2] - entry[1][2] * entry[2][0])
        rest += entry[0][2] * (entry[1][0] * entry[2][1] - entry[1][1] * entry[2][0])
        roots = np.roots((rest * below + specimen * minor * above).coeffs)
        return float(np.max(roots[np.abs(roots) < 2.0 * np.pi * 100.0].real))

    assert fastest(0.98 * delay) < 0.0 < fastest(1.02 * delay)
    assert 5.1e-3 < delay < TransferSystem().delay  # of the published sample (section 5.4), and of the bare plant


@pytest.mark.parametrize("case", list(CASES))
def test_the_published_sample_is_stable_and_no_compensator_is_not(case: int) -> None:
    assert growth(case, "phase_lead", RATE) < 0.0 < growth(case, "none", RATE)


def test_a_loop_that_learns_has_no_eigenvalues() -> None:
    with pytest.raises(ValueError, match="run it instead"):
        growth(1, "kalman", RATE)


@pytest.mark.parametrize(("case", "name"), [(1, "phase_lead"), (4, "phase_lead"), (4, "inverse_3")])
def test_the_indicator_is_what_harmonic_balance_says(case: int, name: str) -> None:
    """Shaken with its first frequency: work per period from the amplitudes of the continuous system, no energy summed."""
    hertz = float(reference(CASES[case]).frequencies[0])
    experiment = replace(SHORT, chirp=Chirp(amplitude=0.05, begin=hertz, end=hertz, duration=30.0), ground_noise=None, sensors=SILENT)
    shaken = replace(experiment, monitor=replace(experiment.monitor, floor=0.0))
    indicator = float(np.median(Bench(shaken).run(case, name).results[-8192:, loop.INDICATOR]))
    w = 2j * np.pi * hertz
    partition = Partition(reference(CASES[case]))
    n, s, p = partition.numerical, partition.specimen, TransferSystem()
    plant = 1.0 / np.polyval(p.denominator()[::-1], w)
    if name == "phase_lead":
        open_loop = (2.0 + 95.0 / w) * plant
        follows = 50.8 * (w + 168.6) / (w + 8570.0) * open_loop / (1.0 + open_loop)
    else:
        late = (1.0 - np.exp(-w / RATE)) * RATE
        follows = np.polyval(p.denominator()[:4][::-1], late) * plant
    hold = np.exp(-0.5 * w / RATE)  # a command that is held comes half a sample late
    follows *= hold
    specimen = s.stiffness + w * s.damping + w * w * s.mass
    feedback = specimen * follows * np.exp(-1.5 * w / RATE)  # a sample late, then held
    dynamic = n.stiffness + w * n.damping + w * w * n.mass + 0j
    dynamic[0, 0] += feedback
    x = np.linalg.solve(dynamic, -partition.whole.mass @ np.ones(3))
    given = np.imag(np.conj(x[0] * follows) * specimen * x[0] * follows)
    taken = np.imag(np.conj(x[0]) * feedback * x[0])
    lost = np.real(np.conj(x) @ (n.damping @ x)) * abs(w)
    assert indicator == pytest.approx((given - taken) / lost, rel=0.03, abs=0.005)


def test_noise_alone_trips_nothing() -> None:
    bench = Bench(replace(SHORT, ground_noise=GroundNoise(peak=1e-9, duration=20.0)))
    for name in ("phase_lead", "inverse_3", "kalman"):
        assert bench.run(4, name).trip is None, name


def test_every_perturbed_plant_is_judged_rightly() -> None:
    """A small one of the campaign's: unstable ones trip before the bound, stable ones never."""
    bench = Bench(replace(SHORT, cases=(1, 4), compensators=("none", "phase_lead", "inverse_3", "kalman"), perturbed=3))
    for one in judged(list(bench.tests())):
        assert one.missed == one.quiet == one.false_trips == one.beyond == 0, one
        assert (one.unstable, one.in_time) == ((4, 4) if one.compensator == "none" else (0, 0)), one


def test_a_monitor_with_too_high_a_limit_is_seen_to_miss() -> None:
    """The control: a judgement that could not fail would say nothing."""
    blind = replace(SHORT, cases=(4,), compensators=("none",), monitor=replace(SHORT.monitor, limit=50.0))
    (one,) = judged(list(Bench(blind).tests()))
    assert (one.unstable, one.in_time, one.missed) == (1, 0, 1)
    nervous = replace(SHORT, cases=(4,), compensators=("phase_lead",), monitor=replace(SHORT.monitor, limit=0.3))
    (one,) = judged(list(Bench(nervous).tests()))
    assert (one.stable, one.false_trips) == (1, 1)


def test_a_trip_stops_the_test_before_the_bound_and_noting_it_does_not() -> None:
    noted, stopped = (Bench(replace(SHORT, stop=stop)).run(4, "none") for stop in (False, True))
    assert (noted.end, stopped.end) == ("diverged", "tripped")
    assert stopped.trip == noted.trip == len(stopped.results) - 1
    assert np.abs(stopped.results[:, loop.MEASURED]).max() < SHORT.bounds.stroke <= np.abs(noted.results[-1, loop.MEASURED])
    assert np.array_equal(stopped.results, noted.results[: len(stopped.results)])


def test_the_undivided_structure_is_stable() -> None:
    for case in CASES.values():
        assert np.max(np.linalg.eigvals(continuous(reference(case))[0]).real) < 0.0
