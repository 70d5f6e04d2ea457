"""What disturbs a frame: each key against what it is to do, and all at 0 leaving every bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rig.virtual.plants.linkage_frame import Config
from rig.virtual.plants.servo_frame import kernel, oil
from rig.virtual.plants.servo_frame.frame import past
from rig.virtual.plants.servo_frame.parameters import draw
from rig.virtual.plants.servo_frame.settings import Faults, Hydraulics, Sensors, Specimen

CONFIG = Config(perturb=False, monitor_noise=0.0, sensors=Sensors(stroke_noise=0.0))
H = 1e-6


def made(config: Config) -> tuple[np.void, np.void, tuple[np.ndarray, np.ndarray]]:
    """State and parameters, with the arrays that they lie in."""
    p, state = draw(config, 0), np.zeros(1, kernel.STATE)
    state["pressure"] = state["speed"] = 1.0
    return state[0], p[0], (state, p)


def hydraulics(**keys: float) -> Config:
    return replace(CONFIG, hydraulics=Hydraulics(**keys))


def test_dry_seals_hold_the_piston_until_they_break_loose() -> None:
    s, p, _ = made(hydraulics(seal_friction=500.0))
    s["f_h"] = 499.0
    for _ in range(1000):
        kernel.move(s, p)
    assert s["v3"] == 0.0
    s["f_h"] = 700.0
    for _ in range(100):
        kernel.move(s, p)
    assert s["v3"] == pytest.approx(100 * H * 200.0 / 60.0, rel=1e-2)  # what is beyond 500 N moves 60 kg, but for the seals' damping
    s["f_h"], before = 0.0, float(s["v3"])
    kernel.move(s, p)
    assert before - s["v3"] == pytest.approx(H * 500.0 / 60.0, rel=1e-2)


def flow(config: Config, asked: float, force: float = 0.0, steps: int = 1) -> float:
    """Growth of the hydraulic force in a step of a spool that stands where it is asked to, the piston held, per second."""
    s, p, _ = made(config)
    s["spool"] = s["asked"] = asked
    s["steps"], s["f_h"] = steps, force
    kernel.actuate(s, p, asked)
    return float(s["f_h"] - force) / H


def test_a_spool_within_its_overlap_lets_nothing_through() -> None:
    config = hydraulics(valve_deadband=0.03)
    assert flow(config, 0.029) == flow(config, -0.03) == 0.0
    assert flow(config, 0.05) == pytest.approx(flow(CONFIG, 0.02), rel=1e-9)
    assert flow(config, -0.05) == pytest.approx(-flow(CONFIG, 0.02), rel=1e-9)


def test_a_valve_with_hysteresis_turns_late() -> None:
    s, p, _ = made(hydraulics(valve_hysteresis=0.04))
    way = [0.1, 0.2, 0.17, 0.16, 0.15, 0.17]
    followed = []
    for asked in way:
        kernel.actuate(s, p, asked)
        followed.append(float(s["asked"]))
    np.testing.assert_allclose(followed, [0.08, 0.18, 0.18, 0.18, 0.17, 0.17], atol=1e-15)


def test_the_pump_ripples_the_supply() -> None:
    """A quarter of a period after the start the flow is that of a supply of 1.1 times the pressure: by its root."""
    config = hydraulics(pump_ripple=0.1, ripple_frequency=250.0)
    assert flow(config, 0.5, steps=1000) == pytest.approx(flow(CONFIG, 0.5) * np.sqrt(1.1), rel=1e-9)
    leaked = 2e8 * 5e-8 * 130e3
    loaded = (flow(config, 0.5, 130e3, steps=1000) + leaked) / flow(config, 0.5, steps=1000)
    assert loaded == pytest.approx(np.sqrt(1.0 - 0.5 / 1.1), rel=1e-9)


def test_warm_oil_is_thin_and_soft() -> None:
    """ISO VG 46 as its sheets have it: 46 and 6.8 mm^2/s, and some 95 at 25 degC; 1.3 times as stiff, 48 K colder."""
    assert oil.viscosity(0.0) == oil.stiffness(0.0) == 1.0
    assert oil.viscosity(1e-9) == pytest.approx(1.0, abs=1e-6)
    assert oil.viscosity(60.0) == pytest.approx(6.8 / 46.0, rel=1e-9)
    assert 46.0 * oil.viscosity(-15.0) == pytest.approx(95.0, rel=0.05)
    assert oil.stiffness(-48.0) == pytest.approx(1.3, rel=0.01)
    warm, usual = (draw(hydraulics(oil_warmer=k), 0)[0] for k in (20.0, 0.0))
    assert warm["k_oil"] < usual["k_oil"] and warm["leakage"] > usual["leakage"] and warm["c_p"] < usual["c_p"]


def test_a_crosshead_is_a_second_mode_of_the_frame() -> None:
    """Frequencies of the swinging upper link, from its spectrum, against those of two masses on two springs."""
    mass, frequency = 30.0, 180.0
    s, _, (state, record) = made(
        replace(CONFIG, specimen=Specimen(second_mode_mass=mass, second_mode_frequency=frequency, frame_damping=0.0))
    )
    record["c_4"] = 0.0
    s["x1"] = s["x4"] = 1e-6
    rate, out = 1e4, np.empty((2**14, len(kernel.OUTPUTS)))
    kernel.advance(np.arange(1, len(out) + 1) / rate, np.zeros(len(out)), out, state, record, past(CONFIG))
    motion = out[:, kernel.OUTPUTS.index("accelerometer_1")]
    spectrum = np.abs(np.fft.rfft(motion * np.hanning(len(motion))))
    spectrum[10:] /= np.arange(10, len(spectrum)) ** 2  # as a displacement
    spectrum[:10] = 0.0
    peaks = [
        k for k in range(1, len(spectrum) - 1) if spectrum[k - 1] < spectrum[k] > spectrum[k + 1] and spectrum[k] > 0.05 * spectrum.max()
    ]
    k_4 = mass * (2.0 * np.pi * frequency) ** 2
    stiffness, masses = np.array([[1.5e8 + k_4, -k_4], [-k_4, k_4]]), np.diag([60.0, mass])
    expected = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(masses, stiffness)))) / (2.0 * np.pi)
    resolution = rate / len(motion)
    np.testing.assert_allclose(np.array(peaks) * resolution, expected, atol=resolution)


def test_a_line_of_load_beside_the_axis_bends_the_fixture() -> None:
    bent = draw(replace(CONFIG, specimen=Specimen(misalignment=0.01, bending_stiffness=5e5)), 0)[0]
    assert 1.0 / bent["k_f"] == pytest.approx(1.0 / 1.5e8 + 0.01**2 / 5e5, rel=1e-12)


def test_a_grip_loosens_with_time_and_a_joint_wears_by_work() -> None:
    s, p, _ = made(replace(CONFIG, faults=Faults(loosening=1e-3)))
    for _ in range(1000):
        kernel.move(s, p)
    assert 2.0 * s["worn_a"] == pytest.approx(1e-6, rel=1e-9) and s["worn_b"] == 0.0
    s, p, _ = made(replace(CONFIG, faults=Faults(wear=1e-5)))
    s["x2"], s["v2"] = 0.2e-3, 0.1  # it strikes both outer links, and its energy is pressed into the joints
    for _ in range(2000):
        kernel.move(s, p)
    struck = 0.5 * 3.0 * 120.0 / 123.0 * 0.1**2  # of the middle link against both others, which it strikes at once
    assert 2.0 * s["worn_b"] / 1e-5 + 2.0 * s["worn_a"] / 1e-5 == pytest.approx(struck, rel=2e-3)
    with pytest.raises(ValueError, match="clearance"):
        replace(CONFIG, clearance=0.0, faults=Faults(wear=1e-3))
