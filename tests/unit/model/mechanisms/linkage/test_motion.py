"""The linkage: reference values, conservation, located contact, any cut into blocks, what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from model.errors import InconsistentStart, ModelError, NotConverged
from model.integrators import dop853, generalized_alpha, rk4
from model.mechanisms import linkage
from model.mechanisms.linkage import Config
from model.mechanisms.linkage.config import Contact, contact_stiffness
from tests.each_row import each_row
from tests.thorough import some, times
from tests.tiers import quick

Floats = NDArray[np.float64]
TR, JOINT_A, JOINT_B, STROKE, _, MIDDLE, _, ACTUATOR = range(8)
RATE = 100e3


class Run:
    """A sine load from rest."""

    def __init__(self, config: Config, integrator: Any, amplitude: float, frequency: float, cycles: float, rate: float = RATE) -> None:
        self.stepper = config.create(integrator, rate)
        samples = round(cycles / frequency * rate) + 1
        command = amplitude * np.sin(2 * np.pi * frequency * np.arange(samples + self.stepper.lookahead) / rate)
        self.stepper.start(command[: self.stepper.lookahead])
        self.values, self.low, self.high = self.stepper.advance_with_extremes(command[self.stepper.lookahead :])
        self.command, self.time = command[:samples], np.arange(samples) / rate
        self.amplitude, self.frequency, self.cycles = amplitude, frequency, cycles

    def largest(self, channel: int, discard: int = 2) -> float:
        kept = self.time >= discard / self.frequency
        return float(max(-self.low[kept, channel].min(), self.high[kept, channel].max()))

    def peak(self, channel: int, share: float, discard: int = 2) -> float:
        """Mean over the half cycles of the largest s F within `share` T after the zero."""
        peaks = []
        for half in range(2 * discard, 2 * int(self.cycles)):
            begin = half / (2 * self.frequency)
            inside = (self.time > begin) & (self.time <= begin + share / self.frequency)
            peaks.append(self.high[inside, channel].max() if half % 2 == 0 else -self.low[inside, channel].min())
        return float(np.mean(peaks))


# c (mm): max, reversal peak, overshoot, joint A reversal peak (N); 10 kN, 3 Hz, flow-limited
REFERENCE = {0.0: (10003, 7070, 0, 7070), 0.2: (10298, 10300, 8350, 12800), 0.4: (11937, 11940, 9400, 14480)}


@pytest.mark.parametrize("integrator", quick([dop853.Config(), rk4.Config()], 1), ids=["dop853", "rk4"])
@pytest.mark.parametrize("clearance", some(REFERENCE, 2))
def test_flow_limited_reference(clearance: float, integrator: Any) -> None:
    run = Run(Config(load_source="flow_limited", clearance=clearance * 1e-3), integrator, 10e3, 3.0, 5)
    largest, reversal, overshoot, joint_a = REFERENCE[clearance]
    assert run.largest(TR) == pytest.approx(largest, rel=0.02)
    assert run.peak(TR, 1 / 8) == pytest.approx(reversal, rel=0.02)
    assert run.peak(Config.EXCESS, 1 / 8) == pytest.approx(overshoot, rel=0.02, abs=10)
    assert run.peak(JOINT_A, 1 / 8) == pytest.approx(joint_a, rel=0.05)


@pytest.mark.parametrize(
    "integrators",
    [
        (dop853.Config(), dop853.Config(tolerance=0.5e-8)),
        pytest.param((rk4.Config(), rk4.Config(step=0.5e-6)), marks=pytest.mark.long),
    ],
)
def test_halving_the_tolerance_moves_the_metrics_by_less_than_0_2_percent(integrators: tuple[Any, Any]) -> None:
    config = Config(load_source="flow_limited", clearance=0.4e-3)
    one, other = (Run(config, integrator, 10e3, 3.0, 3) for integrator in integrators)
    for channel in (TR, JOINT_A, JOINT_B, Config.EXCESS):
        assert one.peak(channel, 1 / 8) == pytest.approx(other.peak(channel, 1 / 8), rel=0.002)
    assert one.largest(TR) == pytest.approx(other.largest(TR), rel=0.002)


# c (mm), A (kN), f (Hz): fundamental error (%), phase (deg), max, overshoot within T/4, impact peak (N), first impact (ms);
# closed force loop, nominal, from an independent integration (semi-implicit Euler, 1 us)
SERVO = {
    (0, 10, 3): (0.03, -2.5, 10005, -5, 2845, 7.64),
    (0, 30, 2): (-0.04, -1.69, 29998, -17, 6708, 10.32),
    (0, 30, 5): (-0.03, -4.19, 30032, -61, 12038, 5.52),
    (0, 30, 7): (0.04, -5.86, 30074, -111, 15377, 4.61),
    (0, 10, 4): (0.06, -3.33, 10009, -8, 3439, 6.3),
    (0, 20, 4): (0.01, -3.35, 20015, -23, 6877, 6.32),
    (0, 30, 4): (-0.05, -3.36, 30017, -43, 10300, 6.32),
    (0.2, 10, 3): (-1.02, -8.18, 10182, 727, 7238, 32.11),
    (0.2, 30, 2): (0.3, -2.95, 30164, 642, 11361, 23.46),
    (0.2, 30, 5): (-0.66, -7.5, 30219, 483, 19642, 15.58),
    (0.2, 30, 7): (-1.45, -10.48, 30288, 158, 23741, 13.51),
    (0.2, 10, 4): (-2.58, -10.9, 10194, 776, 8246, 28.18),
    (0.2, 20, 4): (-0.68, -7.25, 20198, 641, 12927, 20.56),
    (0.2, 30, 4): (-0.3, -6, 30198, 489, 17370, 17.2),
    (0.4, 10, 3): (-4.3, -13.52, 10367, 1344, 9443, 44.87),
    (0.4, 30, 2): (0.36, -4.18, 30332, 1342, 14932, 31.96),
    (0.4, 30, 5): (-2.29, -10.61, 30388, 1364, 23878, 21.22),
    (0.4, 30, 7): (-4.48, -14.75, 30540, 1644, 27866, 18.31),
    (0.4, 10, 4): (-8.44, -17.93, 10450, 1429, 10448, 39.58),
    (0.4, 20, 4): (-2.65, -10.92, 20385, 1432, 16456, 28.2),
    (0.4, 30, 4): (-1.3, -8.51, 30377, 1318, 21216, 23.38),
}


@each_row("case", SERVO, ids=lambda case: "c{}_A{}_f{}".format(*case))
def test_servo_reference(case: tuple[float, float, float]) -> None:
    clearance, amplitude, frequency = case[0] * 1e-3, case[1] * 1e3, float(case[2])
    run = Run(Config(clearance=clearance), dop853.Config(), amplitude, frequency, 6, rate=50e3)
    fundamental, phase, largest, overshoot, impact_peak, first_impact = SERVO[case]
    force, kept = run.values[:, TR], (run.time >= 2 / frequency - 1e-9) & (run.time < 6 / frequency - 1e-9)
    impacts, peaks = [], []
    for half in range(4, 12):
        sign, begin = 1 - 2 * (half % 2), half / (2 * frequency)
        late = (run.time >= begin) & (run.time < begin + 3 / (8 * frequency)) & (sign * force > 0.1 * amplitude)
        impacts.append(run.time[late][0] - begin)
        after = (run.time >= run.time[late][0]) & (run.time <= run.time[late][0] + 0.010)
        peaks.append((sign * force)[after].max())
    turn = np.exp(-2j * np.pi * frequency * run.time[kept])
    ratio = np.sum(force[kept] * turn) / np.sum(run.command[kept] * turn)
    assert 100 * (abs(ratio) - 1) == pytest.approx(fundamental, abs=0.02)
    assert np.degrees(np.angle(ratio)) == pytest.approx(phase, abs=0.02)
    assert run.largest(TR) == pytest.approx(largest, rel=3e-4)
    assert run.peak(Config.EXCESS, 1 / 4) == pytest.approx(overshoot, rel=0.005, abs=4)
    assert np.mean(peaks) == pytest.approx(impact_peak, rel=0.002)
    assert np.mean(impacts) == pytest.approx(first_impact * 1e-3, abs=2e-5)


@pytest.mark.parametrize(("amplitude", "frequency", "clearance"), [(10e3, 3.0, 0.4e-3), (30e3, 7.0, 0.2e-3)])
def test_first_flight_obeys_the_flight_law(amplitude: float, frequency: float, clearance: float) -> None:
    """From the middle of the play under A sin wt: t = (6 m g/(A w))^(1/3), v = 1.651 (A w/m)^(1/3) g^(2/3), g the gap on one side."""
    run = Run(Config(load_source="ideal", clearance=clearance), dop853.Config(), amplitude, frequency, 0.25)
    first = run.stepper.events[0]
    mass, gap, slope = 60.0, clearance / 2, amplitude * 2 * np.pi * frequency
    assert linkage.Config.CONTACT_NAMES[first.guard] == "joint_b tension"
    assert first.time == pytest.approx((6 * mass * gap / slope) ** (1 / 3), rel=0.005)
    assert first.noted == pytest.approx(1.651 * (slope / mass) ** (1 / 3) * gap ** (2 / 3), rel=0.005)


def energy(config: Config, y: Floats) -> float:
    """Kinetic and elastic energy of a state, J; joints from their penetration."""
    masses = np.array([config.upper_mass, config.middle_mass, config.lower_mass])
    stiffness, n = contact_stiffness(config), config.contact.exponent
    joints = np.abs(np.diff(y[:3])) - config.clearance / 2
    stored = stiffness * np.maximum(joints, 0.0) ** (n + 1) / (n + 1)
    return float(0.5 * masses @ y[3:6] ** 2 + 0.5 * config.fixture_stiffness * y[0] ** 2 + stored.sum())


@pytest.mark.parametrize(("law", "damping"), [("hertz", 0.0), ("hu_guo", 0.0), ("hertz", 1.2e4)])
def test_energy_is_kept_without_damping_and_only_lost_with_it(law: str, damping: float) -> None:
    config = Config(load_source="ideal", fixture_damping=damping, contact=Contact(law=law, restitution=0.7))
    stepper = config.create(dop853.Config(tolerance=1e-10), 20e3)
    stepper.start(np.zeros(stepper.lookahead), np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.3]))
    levels = []
    for _ in range(200):
        stepper.advance(np.zeros(10))
        levels.append(energy(config, stepper.state))
    start = 0.5 * config.lower_mass * 0.3**2
    assert len(stepper.events) > 20
    if law == "hertz" and damping == 0.0:
        assert np.allclose(levels, start, rtol=1e-7)
    else:
        assert levels[-1] < 0.9 * start
        assert np.all(np.diff([start, *levels]) <= 1e-9 * start)


@settings(max_examples=times(15), deadline=None)
@given(
    st.lists(st.integers(1, 700), min_size=1, max_size=12),
    st.sampled_from(["servo", "flow_limited"]),
    st.sampled_from([dop853.Config(), rk4.Config(step=4e-6)]),
)
def test_any_cut_into_blocks_gives_the_same_samples(blocks: list[int], source: str, integrator: Any) -> None:
    def run(cuts: list[int]) -> tuple[Floats, Floats, list[Any]]:
        stepper = Config(load_source=source, clearance=0.2e-3).create(integrator, 51.2e3)
        command = 30e3 * np.sin(2 * np.pi * 40.0 * np.arange(sum(blocks) + stepper.lookahead) / 51.2e3)
        stepper.start(command[: stepper.lookahead])
        rest, parts = command[stepper.lookahead :], []
        for size in cuts:
            parts.append(stepper.advance_with_extremes(rest[:size])[::2])
            rest = rest[size:]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]), stepper.events

    once, cut = run([sum(blocks)]), run(blocks)
    assert np.array_equal(once[0], cut[0])
    assert np.array_equal(once[1], cut[1])
    assert once[2][: len(cut[2])] == cut[2]


def test_extremes_hold_the_samples_and_more() -> None:
    run = Run(Config(load_source="flow_limited"), dop853.Config(), 30e3, 7.0, 1, rate=5e3)
    fine = Run(Config(load_source="flow_limited"), dop853.Config(), 30e3, 7.0, 1, rate=1e6)
    assert np.all(run.low[:, : len(Config.CHANNELS)] <= run.values)
    assert np.all(run.high[:, : len(Config.CHANNELS)] >= run.values)
    for channel in (TR, JOINT_A, JOINT_B, MIDDLE):
        assert run.high[:, channel].max() == pytest.approx(fine.values[:, channel].max(), rel=1e-4)
    assert run.values[:, MIDDLE].max() < 0.99 * run.high[:, MIDDLE].max()  # what samples alone would have missed


def test_contacts_begin_and_end_in_turn_with_the_approach_speed() -> None:
    run = Run(Config(load_source="flow_limited"), dop853.Config(), 10e3, 3.0, 2)
    for guard in range(4):
        noted = [event.noted for event in run.stepper.events if event.guard == guard]
        assert len(noted) > 2
        assert all(speed >= 1e-3 for speed in noted[::2])
        assert all(speed == 0.0 for speed in noted[1::2])
    assert np.all(np.diff([event.time for event in run.stepper.events]) >= 0.0)


@pytest.mark.parametrize("clearance", [0.0, 0.4e-3])
@pytest.mark.parametrize("source", ["servo", "flow_limited", "ideal"])
def test_hanging_at_rest_stays_at_rest_and_reads_zero(source: str, clearance: float) -> None:
    stepper = Config(load_source=source, clearance=clearance, gravity=9.81).create(dop853.Config(), 10e3)
    stepper.start(np.zeros(stepper.lookahead))
    values = stepper.advance(np.zeros(500))
    assert np.allclose(values[:, TR], 0.0, atol=0.1)
    assert np.allclose(values[:, JOINT_A], 63 * 9.81, atol=0.1)
    assert np.allclose(values[:, JOINT_B], 60 * 9.81, atol=0.1)
    assert np.ptp(values[:, STROKE]) < 1e-9


@pytest.mark.parametrize("clearance", [0.0, 0.4e-3])
def test_a_measured_stroke_drives_the_chain_as_its_statics_say(clearance: float) -> None:
    config = Config(clearance=clearance)
    stepper = config.create(dop853.Config(), 10e3, "stroke")
    stroke = 0.55e-3 * np.sin(2 * np.pi * np.arange(4000 + stepper.lookahead) / 10e3)
    stepper.start(stroke[: stepper.lookahead])
    values = stepper.advance(stroke[stepper.lookahead :])
    assert np.max(np.abs(values[:, STROKE] - stroke[:4000])) < 2e-6  # tracked without delay
    load = values[2500, TR]
    stretch = load / config.fixture_stiffness
    pressed = (load / contact_stiffness(config)) ** (2 / 3)
    joint = load / config.joint_stiffness if clearance == 0.0 else clearance / 2 + pressed
    assert load > 5e3
    assert stretch + 2 * joint == pytest.approx(stroke[2500], rel=0.01)


def test_a_stroke_that_starts_loaded_starts_at_rest() -> None:
    config = Config()
    stepper = config.create(dop853.Config(), 10e3, "stroke")
    held = np.full(300 + stepper.lookahead, -0.6e-3)
    stepper.start(held[: stepper.lookahead])
    values = stepper.advance(held[stepper.lookahead :])
    assert np.ptp(values[:, TR]) < 1.0
    assert values[0, TR] < -1e4


def test_the_servo_s_own_force_as_input_repeats_its_motion() -> None:
    run = Run(Config(), dop853.Config(), 10e3, 20.0, 2)
    force = run.values[:, ACTUATOR]
    stepper = Config(load_source="ideal").create(dop853.Config(), RATE, "actuator_force")
    stepper.start(force[: stepper.lookahead])
    values = stepper.advance(force[stepper.lookahead :])
    assert np.max(np.abs(values[:, TR] - run.values[: len(values), TR])) < 1e-3 * 10e3
    assert np.allclose(values[:, ACTUATOR], force[: len(values)], rtol=1e-9, atol=1e-6)


def test_a_wild_command_stops_with_time_and_reason() -> None:
    stepper = Config(load_source="ideal", clearance=0.0).create(rk4.Config(step=1e-6), 10e3)
    stepper.start(np.zeros(stepper.lookahead))
    with pytest.raises(NotConverged, match=r"stopped at .* s: the motion grew beyond all bounds"):
        stepper.advance(np.full(5000, 1e15))


def test_a_step_above_the_stability_limit_is_refused_with_the_limit() -> None:
    with pytest.raises(ModelError, match=r"integrator.step 0.0005 s is above the stability limit of this method, .* s"):
        Config().create(rk4.Config(step=5e-4), RATE)


def test_a_step_that_turns_out_unstable_stops_the_run() -> None:
    with pytest.raises(NotConverged, match=r"stopped at .* s: the fixed step is above the stability limit"):
        Run(Config(load_source="flow_limited", clearance=0.2e-3), rk4.Config(step=6e-6), 10e3, 3.0, 1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"clearance": 0.02}, "clearance: .* less than the pin's radius, 15 mm, got 20 mm"),
        ({"clearance": -1e-4}, "clearance"),
        ({"friction": 0.1}, "friction: nothing slides"),
        ({"upper_mass": -60.0}, "upper_mass: expected more than 0, got -60"),
        ({"load_source": "hammer"}, "load_source: expected one of"),
    ],
)
def test_impossible_specimens_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Config(**settings)


@pytest.mark.parametrize("settings", [{"law": "newton"}, {"restitution": 0.0}, {"restitution": 1.2}])
def test_impossible_contacts_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(settings))):
        Contact(**settings)


def test_impossible_input_is_refused() -> None:
    with pytest.raises(ModelError, match="unknown input 'force'"):
        Config().create(dop853.Config(), RATE, "force")
    with pytest.raises(ModelError, match="sample rate"):
        Config().create(dop853.Config(), 0.0)
    with pytest.raises(ValueError, match="tolerance"):
        dop853.Config(tolerance=0.0)
    stepper = Config().create(dop853.Config(), RATE)
    with pytest.raises(InconsistentStart, match=r"first .* input samples"):
        stepper.start(np.zeros(2))
    stepper.start(np.zeros(stepper.lookahead))
    with pytest.raises(ModelError, match=f"input sample {stepper.lookahead + 1} is not finite"):
        stepper.advance(np.array([0.0, math.nan]))


def test_stiffness_follows_hertz_for_a_pin_in_a_bush() -> None:
    assert contact_stiffness(Config(clearance=0.2e-3)) == pytest.approx(228229509689.48932, rel=1e-12)
    assert contact_stiffness(Config(clearance=0.4e-3)) == pytest.approx(161916131734.1012, rel=1e-12)
    assert contact_stiffness(Config(contact=Contact(stiffness=1e9, stiffness_scale=1.5))) == 1.5e9


def test_following_the_extremes_changes_no_sample_and_can_begin_later() -> None:
    command = 30e3 * np.sin(2 * np.pi * 7.0 * np.arange(9000) / 51.2e3)
    runs = []
    for watched in (0, 1, 2):
        stepper = Config().create(dop853.Config(), 51.2e3)
        stepper.start(command[: stepper.lookahead])
        middle = stepper.lookahead + 4000
        first, rest = command[stepper.lookahead : middle], command[middle:]
        begin = stepper.advance_with_extremes(first)[0] if watched == 1 else stepper.advance(first)
        end, low, high = (stepper.advance(rest), None, None) if watched == 0 else stepper.advance_with_extremes(rest)
        runs.append((np.concatenate([begin, end]), low, high))
    assert np.array_equal(runs[0][0], runs[1][0])
    assert np.array_equal(runs[0][0], runs[2][0])
    assert np.array_equal(runs[1][1][1:], runs[2][1][1:])
    assert np.array_equal(runs[1][2][1:], runs[2][2][1:])


def test_an_integrator_that_does_not_suit_is_refused() -> None:
    with pytest.raises(ModelError, match="'generalized_alpha' does not suit the linkage; expected dop853 or rk4"):
        Config().create(generalized_alpha.Config(), RATE)


@pytest.mark.parametrize("friction", [0.0, 40.0])
def test_a_joint_that_rubs_takes_its_friction_from_the_load(friction: float) -> None:
    """From rest in the play under a constant load: (F - R) t^2/2m of the lower link, as the middle one hangs between two equal frictions;
    under less than R it creeps by what the window lets it: m_3 hardly moves."""
    config = Config(load_source="ideal", pin_friction=friction, pin_friction_whole_above=1e-5)
    ahead = config.create(dop853.Config(), RATE).lookahead
    for load in (100.0, 30.0):
        stepper = config.create(dop853.Config(), RATE)
        stepper.start(np.full(ahead, load))
        t = np.arange(round(0.015 * RATE) + 1) / RATE
        stroke = stepper.advance(np.full(len(t), load))[:, STROKE]
        if load > friction:
            assert stroke[-1] == pytest.approx(0.5 * (load - friction) / 60.0 * t[-1] ** 2, rel=1e-2)
        else:
            assert stroke[-1] < 2.0 * 0.75 * 1e-5 * t[-1] + 1e-6 < 0.1 * 0.5 * load / 60.0 * t[-1] ** 2


def test_joints_that_rub_smooth_the_force_as_the_paper_says() -> None:
    """What rings after the impacts: RMS of the force's second differences; the load is carried all the same."""
    keys: dict[str, Any] = {"load_source": "flow_limited", "clearance": 0.4e-3}
    smooth, rough = (Run(Config(pin_friction=friction, **keys), dop853.Config(), 10e3, 3.0, 2) for friction in (500.0, 0.0))
    rings = [float(np.sqrt(np.mean(np.diff(run.values[:, TR], 2) ** 2))) for run in (smooth, rough)]
    assert rings[0] < 0.95 * rings[1]
    assert smooth.largest(TR, 1) == pytest.approx(rough.largest(TR, 1), rel=0.1)


def test_a_fixed_step_that_the_friction_of_the_joints_makes_unstable_is_refused() -> None:
    with pytest.raises(ModelError, match="above the stability limit"):
        Config(load_source="ideal", pin_friction=5e3, pin_friction_whole_above=1e-5).create(rk4.Config(), RATE)
