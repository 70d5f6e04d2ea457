"""The setpoint of a real-time hybrid test, sample by sample on a specimen and a loader that are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from rig.config.checks.control import CommandBounds
from rig.control.amplitude import Note
from rig.hybrid.realtime import loop
from rig.hybrid.realtime.excitation import GroundNoise
from rig.hybrid.realtime.experiment import Experiment, Sensors
from rig.hybrid.realtime.floors import scaled, undivided
from rig.hybrid.realtime.frame import CASES, reference
from rig.hybrid.realtime.monitor import EnergyMonitor, Monitor
from rig.hybrid.realtime.testing import Bench
from rig.trajectory.hybrid import Config, faults
from rig.workers.bench.setpoints.hybrid import RealTime
from rig.workers.bench.setpoints.setpoint import Timing

Floats = NDArray[np.float64]
RATE = 1024.0
STIFFNESS = 1.19e6
GROUND = GroundNoise(peak=0.5, rise=0.5, duration=8.0)
CONFIG = Config(stiffness=STIFFNESS, duration=8.0, delay=(5 + 3) / RATE, ground_noise=GROUND, compensator="inverse_3", soft_stop=0.25)
WIDE = CommandBounds(-1.0, 1.0, 100.0)
TIMING = Timing(lead_in=50, fade=20)
AHEAD = 4  # samples that are filled ahead; the frame is one sample on when it commands


def on_a_spring(config: Config, late: int, feedback: float = 0.0, bounds: CommandBounds = WIDE) -> tuple[RealTime, Floats, list[Note]]:
    """(setpoint, its rows, notes) on a spring whose loader comes exactly so many samples late, until it ends or wants to be stopped."""
    setpoint = RealTime(config, RATE, feedback, TIMING, bounds)
    rows, notes, n = [setpoint.next(AHEAD)], list[Note](), 0
    sent = rows[0][:, 0].tolist()
    while not setpoint.finished and not any(note.stop for note in notes):
        stroke = sent[n - late] if n >= late else feedback
        notes += setpoint.learn(n, np.zeros((1, 7)), np.array([[stroke, STIFFNESS * stroke]]))
        rows.append(setpoint.next(1))
        sent.append(float(rows[-1][0, 0]))
        n += 1
    return setpoint, np.concatenate(rows), notes


def test_a_delay_that_is_made_up_for_leaves_the_undivided_structure() -> None:
    setpoint, rows, notes = on_a_spring(CONFIG, late=5)
    told = setpoint.figures()
    assert not notes and told["samples"] == 8 * 1024
    assert told["tracking"]["delay_s"] == pytest.approx(0.0, abs=1.5 / RATE)
    assert told["criteria"] is not None and all(told["criteria"][f"J{k}"] < 0.08 for k in range(2, 10))
    assert not told["stability"]["tripped"] and told["stability"]["indicator_max"] < 0.5
    whole = undivided(reference(CASES[1]), CONFIG.acceleration(RATE), RATE)
    model = rows[rows[:, 2] == 0.0, 4]
    assert np.abs(model).max() == pytest.approx(np.abs(whole[:, 0]).max(), rel=0.05)
    assert rows[-1, 0] == pytest.approx(0.0, abs=1e-5)  # it has come to rest where it began


def test_the_same_delay_without_a_compensator_trips_the_monitor_and_stops_the_test() -> None:
    setpoint, _, notes = on_a_spring(replace(CONFIG, case=4, compensator="none"), late=15)
    assert [note.stop for note in notes] == [True] and "feeds itself" in notes[0].text
    told = setpoint.figures()
    assert told["stability"]["tripped"] and told["criteria"] is None and told["samples"] < 8 * 1024


def test_the_delay_that_is_left_is_seen() -> None:
    told = on_a_spring(replace(CONFIG, monitor=Monitor(limit=100.0), compensator="none"), late=9)[0].figures()
    assert told["tracking"]["delay_s"] == pytest.approx((9 + AHEAD - 1) / RATE, rel=0.05)
    assert told["criteria"] is not None and told["criteria"]["J1"] == pytest.approx((9 + AHEAD - 1) / RATE, abs=1.1 / RATE)


def test_it_begins_at_the_feedback_and_fades_to_the_frame_s_rest() -> None:
    _, rows, _ = on_a_spring(CONFIG, late=5, feedback=2e-4)
    assert rows[0, 0] == 2e-4 and np.all(np.diff(rows[: TIMING.lead_in, 0]) <= 0.0)
    assert np.all(rows[: TIMING.lead_in, 2] == -1.0) and rows[TIMING.lead_in, 2] == 0.0


def test_a_command_beyond_its_bounds_and_a_measurement_that_is_none_stop_it() -> None:
    _, rows, notes = on_a_spring(CONFIG, late=5, bounds=CommandBounds(-1e-4, 1e-4, 100.0))
    assert notes[-1].stop and "allowed -0.1 to 0.1 mm" in notes[-1].text
    assert np.abs(rows[:, 0]).max() <= 1e-4
    setpoint = RealTime(CONFIG, RATE, 0.0, TIMING, WIDE)
    (note,) = setpoint.learn(TIMING.lead_in, np.zeros((1, 7)), np.array([[np.nan, 0.0]]))
    assert note.stop and "is no measurement" in note.text


def test_more_than_a_sample_at_once_is_too_late() -> None:
    setpoint = RealTime(CONFIG, RATE, 0.0, TIMING, WIDE)
    setpoint.next(TIMING.lead_in)
    for n in range(TIMING.lead_in, TIMING.lead_in + 3):
        assert not setpoint.learn(n, np.zeros((1, 7)), np.zeros((1, 2)))
        setpoint.next(1)
    setpoint.next(2)
    (note,) = setpoint.learn(TIMING.lead_in + 3, np.zeros((1, 7)), np.zeros((1, 2)))
    assert note.stop and "before the sample" in note.text


def test_it_cannot_be_held() -> None:
    with pytest.raises(ValueError, match="swings on"):
        RealTime(CONFIG, RATE, 0.0, TIMING, WIDE).hold(1.0)


def test_the_trajectory_is_within_its_bounds_and_that_of_the_frame() -> None:
    expected = replace(CONFIG, scale=16.0, stiffness=16.0 * STIFFNESS).create()
    t = np.linspace(0.0, expected.duration, 20001)
    value, _, cycle = expected.evaluate(t)
    low, high, fastest = expected.bounds()
    assert low <= value.min() and value.max() <= high
    assert np.abs(np.diff(value)).max() / (t[1] - t[0]) <= fastest * (1.0 + 1e-9)
    whole = undivided(scaled(1, 16.0), CONFIG.acceleration(2048.0), 2048.0)[:, 0]
    assert np.abs(value).max() == pytest.approx(np.abs(whole).max(), rel=1e-3)
    assert value[-1] == pytest.approx(0.0, abs=1e-12) and cycle[-1] == -1.0 and cycle[0] == 0.0


@pytest.mark.parametrize(
    ("change", "key"),
    [({"case": 5}, "case"), ({"stiffness": 3e7}, "stiffness"), ({"ground_noise": None}, "ground")],
)
def test_what_does_not_fit_is_said(change: dict[str, float | None], key: str) -> None:
    assert not list(faults(CONFIG))
    assert [name for name, _ in faults(replace(CONFIG, **change))] == [key]  # type: ignore[arg-type]


def test_both_monitors_see_the_same() -> None:
    """That of the compiled loop and that of the bench, on one test's samples."""
    silent = Sensors(displacement_noise=0.0, force_noise=0.0, quantum=0.0)
    bench = Bench(Experiment("one", ground_noise=GroundNoise(duration=3.0), sensors=silent, stop=False))
    results = bench.run(4, "phase_lead").results
    targets = results[:, 0]
    monitor = EnergyMonitor(Monitor(), np.diag([4000.0, 0.0, 0.0]), 1.0 / 4096.0)
    forces = results[:, loop.FORCE]
    used = np.concatenate([[0.0, 0.0], forces[:-2]])
    for k in range(len(results)):
        monitor.add(float(targets[k]), float(results[k, loop.MEASURED]), float(forces[k]), float(used[k]), np.zeros(3))
    assert monitor.spurious == pytest.approx(results[-1, loop.SPURIOUS], rel=1e-9)
    assert monitor.dissipated == 0.0
