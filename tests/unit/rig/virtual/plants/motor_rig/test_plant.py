"""What all plants that motors drive have in common, tried on the four-bar rig."""

from __future__ import annotations

import functools
import math
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.axes import modbus_drive
from rig import config as config_of_rig
from rig.config.bench import SerialEntry
from rig.errors import ConfigError
from rig.virtual.plants import four_bar_rig, parallel_rig, slider_bar_rig, slider_crank_rig
from rig.virtual.plants.four_bar_rig import Config
from rig.virtual.plants.motor_rig import four_bar_kernel as kernel
from rig.virtual.plants.motor_rig.marks import Encoder, Pickup
from rig.virtual.plants.motor_rig.motor import Motor
from rig.virtual.plants.motor_rig.plant import SpeedDrive
from rig.virtual.plants.motor_rig.sensors import Accelerometer, TorqueSensor
from tests.thorough import times
from tests.unit.rig.virtual.plants.driven_benches import BLOCK, RATE, Turned, serial, turn

BENCH = Path(__file__).parents[6] / "configs/benches/virtual_four_bar.toml"
LINE = SerialEntry("line", "modbus_drive", ("crank",))
GEAR = Config().motor.gear
ANALOGUE = SpeedDrive(max_speed=200.0, acceleration=800.0)
FULL = 10.0 * 150.0 / 200.0  # V of 150 rad/s of the motor


def analogue(**changes):
    plant = Config(**{"perturb": False, "speed_drive": ANALOGUE, **changes}).create(1)
    turned = Turned(plant)
    turned.volts[:] = FULL
    return turned


def play(cuts, extra, seed=3):
    """Outputs at the samples, edges and state after 20 ms of turning, with the time cut at `cuts` and instants in between."""
    plant = Config(speed_drive=ANALOGUE).create(seed)
    times = np.arange(1, 1025) / RATE
    grid = np.unique(np.concatenate([times, extra]))
    volts = np.full((len(grid), 1), FULL)
    ends = np.unique([*cuts, len(grid)])
    lines = np.array([True, False])
    out = [plant.advance(grid[a:b], volts[a:b], lines) for a, b in zip([0, *ends[:-1]], ends, strict=True)]
    return np.concatenate(out)[np.isin(grid, times)], plant.take_edges(), plant.state


@functools.cache
def whole():
    return play([], [])


@given(
    cuts=st.lists(st.integers(1, 1023), max_size=12),
    extra=st.lists(st.floats(1e-6, 1023 / RATE), max_size=12),
)
@settings(max_examples=times(20), deadline=None)
def test_cutting_differently_gives_the_same_bits(cuts, extra):
    out, edges, state = whole()
    cut_out, cut_edges, cut_state = play(cuts, extra)
    assert np.array_equal(out, cut_out) and np.array_equal(state, cut_state)
    assert all(np.array_equal(a, b) for a, b in zip(edges, cut_edges, strict=True))
    assert len(edges[0]) > 1 and np.abs(out[:, 0]).max() > 0.0  # something did move


@pytest.mark.parametrize("module", [four_bar_rig, slider_crank_rig, slider_bar_rig, parallel_rig])
def test_it_keeps_up_with_real_time(module, record_property):
    """A limit of any machine's: a bench that takes all of a core serves nobody. It takes an eighth here."""
    plant = module.Config().create(1)
    lines, costs = np.ones(len(plant.digital_inputs), dtype=np.bool_), []
    for second in range(3):
        for shaft in plant.shafts.values():
            shaft.tell("velocity", 30.0, True)
        times = second + np.arange(1, round(RATE) + 1) / RATE
        begun = time.process_time()
        plant.advance(times, np.zeros((len(times), len(plant.analogue_inputs))), lines)
        costs.append(time.process_time() - begun)
    record_property("s of a core for each second", min(costs))
    assert min(costs) < 1.0, "s of a core for each second"


def test_individuals_are_their_seeds():
    same, other = (Config().create(seed).mechanics.parameters for seed in (1, 2))
    assert np.array_equal(same, Config().create(1).mechanics.parameters)
    assert not np.array_equal(same, other)
    drawing = Config(perturb=False).create(1).mechanics.parameters
    assert np.array_equal(drawing, Config(perturb=False).create(2).mechanics.parameters)
    assert np.max(np.abs(same[:4] - drawing[:4])) <= 2e-5, "lengths within workshop tolerance"


def test_stands_still_until_it_is_driven():
    bench = Turned(Config().create(1))
    before = bench.plant.state.copy()
    out = bench.run(0.2)
    assert np.max(np.abs(bench.plant.state[:8] - before[:8])) < 1e-9
    assert [len(edges) for edges in bench.plant.take_edges()] == [0, 0, 0, 0]
    sensor = Accelerometer()
    assert np.std(out[:, 0]) == pytest.approx(sensor.noise * sensor.sensitivity, rel=0.05), "nothing but the sensor's noise"
    assert not bench.plant.armed


def test_the_encoder_counts_what_the_crank_turns():
    bench = analogue()
    bench.run(1.0)
    a, b, z, pickup = bench.plant.take_edges()
    turned = float(bench.plant.state[0]) - Config().start_angle
    assert len(a) + len(b) == pytest.approx(turned * 4096 / (2.0 * math.pi), abs=1.0)
    assert all(np.all(np.diff(edges) > 0.0) for edges in (a, b, z, pickup))
    fast = a > 0.8
    # A before B by a quarter of a line: each edge of B lies in the middle of two of A.
    first = b[np.searchsorted(b, a[fast][0])]
    between = (first - a[fast][0]) / (a[fast][1] - a[fast][0])
    assert between == pytest.approx(0.5, abs=0.01)
    assert abs(len(z) / 2 - turned / (2.0 * math.pi)) <= 1.0
    assert np.min(np.abs(b - z[0])) < 1e-9, "Z rises with B, while A is high"
    assert np.min(np.abs(a - z[1])) < 1e-9, "and falls with A"


def test_the_pickup_rises_at_its_angle():
    bench = analogue()
    bench.run(1.0)
    a, b, _, pickup = bench.plant.take_edges()
    at = pickup[-2] if len(pickup) % 2 == 0 else pickup[-1]
    quarters = np.searchsorted(np.sort(np.concatenate([a, b])), at)
    angle = Config().start_angle + quarters * 2.0 * math.pi / 4096
    assert math.remainder(angle - math.pi, 2.0 * math.pi) == pytest.approx(0.0, abs=4.0 * math.pi / 4096)


@pytest.mark.parametrize(
    "fault, silent",
    [
        ({"encoder": Encoder(silent=True)}, (0, 1, 2)),
        ({"pickup": Pickup(silent=True)}, (3,)),
    ],
)
def test_what_is_silent_gives_no_edges(fault, silent):
    bench = analogue(**fault)
    bench.run(0.8)
    edges = bench.plant.take_edges()
    assert [i for i, one in enumerate(edges) if not len(one)] == list(silent)
    assert all(not bench.plant.edge_levels[i] for i in silent)


def test_every_third_pulse_may_be_missing():
    whole, gaps = analogue(), analogue(pickup=Pickup(missing=3))
    for bench in (whole, gaps):
        bench.run(2.0)
    all_of_them, those_left = whole.plant.take_edges()[3], gaps.plant.take_edges()[3]
    assert np.all(np.isin(those_left, all_of_them))
    assert 0.6 < len(those_left) / len(all_of_them) < 0.75


def test_every_third_tooth_may_give_two_pulses():
    width = Pickup().width
    whole, bouncing = analogue(), analogue(pickup=Pickup(doubled=3))
    for bench in (whole, bouncing):
        bench.run(2.0)
    usual, all_of_them = whole.plant.take_edges()[3], bouncing.plant.take_edges()[3]
    assert np.all(np.isin(usual, all_of_them)), "the tooth itself is where it was"
    added = all_of_them[~np.isin(all_of_them, usual)]
    assert 0.25 < len(added) / len(usual) < 0.42
    rises = usual[::2]
    fast = rises[np.searchsorted(rises, added[-2]) - 1]
    speed = 2.0 * math.pi / (rises[-1] - rises[-2])
    assert speed * (added[-2:] - fast) == pytest.approx([0.25 * width, 0.5 * width], rel=0.05)


def test_a_bridge_may_be_out_of_range():
    config = slider_crank_rig.Config(torque_sensor=TorqueSensor(fault="out_of_range"), speed_drive=ANALOGUE)
    bench = Turned(config.create(1))
    assert np.all(bench.run(0.1)[:, 0] == 15.0)


@pytest.mark.parametrize("kind", ["four_bar_rig", "slider_crank_rig", "slider_bar_rig", "parallel_rig"])
def test_a_bench_file_may_say_what_it_is_made_of_in_engineers_units(kind):
    play = "total_clearance" if kind == "slider_bar_rig" else "clearance"
    plant = f'{{kind="{kind}", {play}="80 um", step="5 us", motor={{gear=10, brake="2 N*m"}}}}'
    if kind == "slider_crank_rig":
        plant = plant.replace("5 us", "1 us")
    bench, _ = config_of_rig.load_bench(BENCH, [f"bench.plant={plant}", "bench.wiring=[]"])
    assert getattr(bench.plant, play) == pytest.approx(80e-6)
    made = bench.plant.create(1)
    assert {motor.gear for motor in made.mechanics.motors.values()} == {10.0}


@pytest.mark.parametrize("fault, volts", [("open", 24.0), ("shorted", 0.0)])
def test_a_faulty_accelerometer_is_stuck(fault, volts):
    bench = analogue(accelerometer=Accelerometer(fault=fault))
    assert np.all(bench.run(0.3)[:, 0] == volts)


def test_the_analogue_drive_follows_its_reference_and_stops_when_its_enable_falls():
    bench = analogue()
    bench.run(1.0)
    speed = bench.run(0.4)[:, 1] / 0.2
    assert np.mean(speed) == pytest.approx(150.0 / GEAR, rel=0.02)
    ripple = (speed.max() - speed.min()) / np.mean(speed) / 2.0
    assert 0.003 < ripple < 0.02, "the links make it uneven"
    bench.lines["crank_enable"] = False
    bench.run(0.02)
    assert float(bench.plant._motors["torque"][0]) == 0.0
    bench.run(3.0)
    assert not bench.plant.armed
    assert [text for _, _, text in bench.plant.take_events()] == ["enable high", "moving", "enable low", "at rest"]


def test_a_serial_drive_turns_it_and_a_lost_line_lets_it_come_to_rest():
    plant = Config().create(1)
    bench = Turned(plant)
    with serial(plant, LINE) as lines:
        axis = modbus_drive.Config(
            lines["line"].url, gear=GEAR, max_speed=35.0, acceleration=80.0, timeout=0.5, baud=115200, reply_timeout=1.0
        ).create("crank")
        axis.connect()
        axis.prepare("velocity")
        bench.run(0.01)
        axis.enable()
        for _ in range(40):
            axis.command(31.4)
            bench.run(0.025)
        speed = bench.run(0.3)[:, 1] / 0.2
        assert np.mean(speed) == pytest.approx(31.4, rel=0.02)
        heard = lines["line"].device.heard
        bench.run(4.0)
        texts = {text: time for time, _, text in plant.take_events()}
        assert texts["communication lost"] == pytest.approx(heard + 0.5, abs=0.01)
        assert texts["at rest"] < texts["communication lost"] + 3.0
        assert not plant.armed
        assert axis.close() == []


def test_an_enable_line_that_falls_takes_the_torque_of_a_serial_drive():
    plant = Config().create(1)
    bench = Turned(plant)
    with serial(plant, LINE) as lines:
        (drive,) = lines["line"].device.drives
        bench.lines["crank_enable"] = False
        bench.run(2 * BLOCK / RATE)
        assert not drive.enable_input
        bench.lines["crank_enable"] = True
        bench.run(2 * BLOCK / RATE)
        assert drive.enable_input


@pytest.mark.parametrize("skew", [0.0, 1e4])
def test_a_clock_that_is_too_fast_turns_the_shaft_too_fast(skew):
    plant = Config(perturb=False, motor=Motor(velocity_gain=0.1, velocity_integral=2.0)).create(1)
    bench = Turned(plant)
    with serial(plant, SerialEntry("line", "odrive", ("crank",), skew_ppm=skew)) as lines:
        bench.run(0.01)
        turn(lines["line"], 8.0)
        bench.run(1.0)
        begun = float(plant.state[0])
        bench.run(1.0)
    assert float(plant.state[0]) - begun == pytest.approx(8.0 * 2.0 * math.pi / GEAR * (1.0 + 1e-6 * skew), rel=2e-3)


@pytest.mark.parametrize(
    "entries, told",
    [
        ((SerialEntry("a", "modbus_drive", ("bar",)),), "which has crank; got 'bar'"),
        ((LINE, SerialEntry("other", "odrive", ("crank",))), "more than one drive turns the shaft 'crank'"),
        ((LINE, LINE), "more than one line called 'line'"),
    ],
)
def test_lines_that_turn_nothing_are_refused(entries, told):
    with pytest.raises(ConfigError, match=told), serial(Config().create(1), *entries):
        raise AssertionError("it should have been refused")


def test_an_analogue_rig_has_no_shaft_for_a_serial_drive():
    plant = Config(speed_drive=ANALOGUE).create(1)
    with pytest.raises(ConfigError, match="none that a serial drive could turn"), serial(plant, LINE):
        raise AssertionError("it should have been refused")


def test_a_port_in_use_is_said():
    plant, another = (Config().create(1) for _ in range(2))
    with serial(plant, LINE) as lines:
        port = int(lines["line"].url.rpartition(":")[2])
        told = rf"serial line: port {port} cannot be opened \(.*\); choose another"
        with pytest.raises(ConfigError, match=told), serial(another, SerialEntry("line", "modbus_drive", ("crank",), port=port)):
            raise AssertionError("it should have been refused")


def test_wear_opens_the_play_by_turns_and_none_leaves_it() -> None:
    def run(wear: float) -> tuple[float, float]:
        bench = Turned(Config(perturb=False, speed_drive=ANALOGUE, wear=wear).create(1))
        bench.volts[:] = FULL
        bench.run(0.3)
        return float(bench.plant.mechanics.parameters[kernel.GAP]), float(bench.plant.state[0]) - math.radians(240.0)

    assert run(0.0)[0] == 0.2e-3
    play, turned = run(1e-6)
    assert play == pytest.approx(0.2e-3 + 1e-6 * turned / (2.0 * math.pi), abs=1e-9) and turned > 1.0
