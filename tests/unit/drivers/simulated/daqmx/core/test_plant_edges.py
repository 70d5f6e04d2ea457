"""Counters and lines see a plant's edges at their exact times: an encoder, its index and a pickup on a shaft of rippling speed."""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.errors import RpcError

from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.plant.plant import NoPlant
from tests.unit.drivers.simulated.daqmx.client_calls import let_pass
from tests.unit.drivers.simulated.daqmx.turning_plant import TURN, TurningPlant

RATE = 10e3
WIRES = {
    "Dev1/PFI8": "encoder_a", "Dev1/PFI10": "encoder_b", "Dev1/PFI9": "encoder_z", "Dev1/PFI3": "pickup", "Dev1/port0/line0": "pickup",
    "Dev1/ai0": "cosine", "Dev1/ai1": "sine",
}  # fmt: skip
DECODED = {c.EncoderType.X_1: 1, c.EncoderType.X_2: 2, c.EncoderType.X_4: 4}


@pytest.fixture
def plant():
    return TurningPlant()


@pytest.fixture
def bench(make_bench, plant):
    """A card in lockstep with the shaft's signals at the terminals that counters 0 and 1 take by default."""
    return make_bench(wiring=WIRES, plant=plant)


def sampled(bench, make, samples=4000):
    """(counter's samples, angle by sine and cosine at the same samples); make(task) adds the counter's channel."""
    with bench.task() as inputs, bench.task() as counter:
        inputs.ai_channels.add_ai_voltage_chan("Dev1/ai0:1", min_val=-1.0, max_val=1.0)
        inputs.timing.cfg_samp_clk_timing(RATE, samps_per_chan=samples)
        make(counter)
        counter.timing.cfg_samp_clk_timing(RATE, source="/Dev1/ai/SampleClock", samps_per_chan=samples)
        counter.start()
        inputs.start()
        return np.array(counter.read(samples)), np.array(inputs.read(samples))


def times_of(bench, samples=4000, begun=0.0):
    return begun + np.arange(samples) / RATE


@pytest.mark.parametrize("decoding", DECODED)
def test_an_encoder_counts_every_edge_of_the_shaft_at_its_time(bench, plant, decoding):
    def make(task):
        task.ci_channels.add_ci_ang_encoder_chan("Dev1/ctr0", decoding_type=decoding, units=c.AngleUnits.RADIANS, pulses_per_rev=1024)

    begun = bench.engine.time
    angle, volts = sampled(bench, make)
    at = times_of(bench, begun=begun)
    step = TURN / 1024 / DECODED[decoding]
    # What has been counted: edges that lie between the start and each sample's clock edge.
    counts = np.floor(plant.angle(at) / step) - np.floor(plant.angle(begun) / step)
    np.testing.assert_array_equal(np.rint(angle / step), counts)
    np.testing.assert_allclose(volts[0], np.cos(plant.angle(at)), atol=1e-4)  # the same instants
    assert counts[-1] > 1024 * DECODED[decoding]  # more than a turn


def test_the_index_sets_the_angle(make_bench):
    index = 326 * TURN / 1024
    plant = TurningPlant(begin=1.0, index=index)
    bench = make_bench(wiring=WIRES, plant=plant)

    def make(task):
        task.ci_channels.add_ci_ang_encoder_chan(
            "Dev1/ctr0", decoding_type=c.EncoderType.X_4, units=c.AngleUnits.RADIANS, pulses_per_rev=1024, initial_angle=0.25,
            zidx_enable=True, zidx_val=0.0, zidx_phase=c.EncoderZIndexPhase.AHIGH_BLOW,
        )  # fmt: skip

    angle, _ = sampled(bench, make)
    true = plant.angle(times_of(bench))
    before = true < index
    np.testing.assert_allclose(angle[before], 0.25 + true[before] - 1.0, atol=TURN / 4096)
    behind = (true > index) & (true < index + TURN)
    np.testing.assert_allclose(angle[behind], true[behind] - index, atol=TURN / 4096)
    again = true > index + TURN
    assert np.count_nonzero(again) > 100
    np.testing.assert_allclose(angle[again], true[again] - index - TURN, atol=TURN / 4096)  # loaded anew


def test_a_pickup_is_counted(bench, plant):
    begun = bench.engine.time
    count, _ = sampled(bench, lambda task: task.ci_channels.add_ci_count_edges_chan("Dev1/ctr1"), 10_000)
    turned = (plant.angle(times_of(bench, 10_000, begun)) - np.pi) / TURN
    np.testing.assert_array_equal(count, np.floor(turned) + 1)
    assert count[-1] == 5


def test_period_and_frequency_are_those_of_the_shaft(bench, plant):
    with bench.task() as task:
        task.ci_channels.add_ci_period_chan("Dev1/ctr0", min_val=1e-5, max_val=1e-2).ci_period_term = "/Dev1/PFI8"
        task.timing.cfg_implicit_timing(samps_per_chan=2000)
        periods = np.array(task.read(2000))
    line = TURN / 1024 / plant.speed
    assert periods.mean() == pytest.approx(line, rel=1e-3)
    assert periods.max() / line == pytest.approx(1.0 / 0.99, rel=1e-3)
    assert periods.min() / line == pytest.approx(1.0 / 1.01, rel=1e-3)


def test_a_line_shows_the_level_at_the_time(bench, plant):
    with bench.task() as line:
        line.di_channels.add_di_chan("Dev1/port0/line0")
        for _ in range(40):
            high = (plant.angle(bench.engine.time) - np.pi) % TURN < 0.1
            assert line.read() == high
            let_pass(bench, 0.00231)


def test_a_line_that_is_sampled(bench, plant):
    with bench.task() as line:
        line.di_channels.add_di_chan("Dev1/port0/line0")
        line.timing.cfg_samp_clk_timing(RATE, samps_per_chan=5000)
        seen = np.array(line.read(5000))
    high = (plant.angle(times_of(bench, 5000)) - np.pi) % TURN < 0.1
    np.testing.assert_array_equal(seen[1:], high[1:])
    assert np.count_nonzero(np.diff(seen.astype(int)) == 1) == 2


def test_lines_are_sampled_by_the_encoder(bench):
    with bench.task() as line:
        line.di_channels.add_di_chan("Dev1/port0/line0")
        line.timing.cfg_samp_clk_timing(RATE, source="/Dev1/PFI9", samps_per_chan=4)
        begun = bench.engine.time
        assert line.read(4, timeout=2.0) == [False] * 4
    assert bench.engine.time - begun == pytest.approx(0.8, abs=0.025)  # the index comes once in 0.2 s, the first time at its beginning


def test_an_analogue_task_does_not_go_by_them(bench):
    with bench.task() as inputs:
        inputs.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        inputs.timing.cfg_samp_clk_timing(RATE, samps_per_chan=10)
        inputs.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI9")
        with pytest.raises(RpcError, match="UNIMPLEMENTED"):
            inputs.start()


def test_a_counter_filter_takes_short_pulses_away(make_bench):
    plant = TurningPlant(lines=1024)
    bench = make_bench(wiring=WIRES, plant=plant)

    def make(task):
        channel = task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        channel.ci_count_edges_dig_fltr_enable = True
        channel.ci_count_edges_dig_fltr_min_pulse_width = 2.56e-3  # a line is 0.2 ms

    count, _ = sampled(bench, make, 1000)
    assert count[-1] == 0


class Backward(TurningPlant):
    """Gives its edges in the wrong order."""

    def take_edges(self):
        return [times[::-1] for times in super().take_edges()]


def test_a_plant_that_does_not_keep_to_its_protocol_is_told():
    engine = Engine([("Dev1", "PCIe-6363")], WIRES, Backward(), BenchClock("lockstep"))
    with engine.lock, pytest.raises(ValueError, match="edges of encoder_a: expected times that increase"):
        engine.advance(0.1, exact=True)
    plant = TurningPlant()
    plant.edge_levels = (True,)
    with pytest.raises(ValueError, match="edge_levels"):
        Engine([("Dev1", "PCIe-6363")], WIRES, plant, BenchClock("lockstep"))


def test_a_wire_to_a_signal_that_there_is_not():
    with pytest.raises(ValueError, match="encoder_a: no such signal of the plant; there are none"):
        Engine([("Dev1", "PCIe-6363")], WIRES, NoPlant(), BenchClock("lockstep"))
    with pytest.raises(ValueError, match=r"Dev1/PFI0 -> encoder_A: no such signal of the plant; did you mean encoder_a\?"):
        Engine([("Dev1", "PCIe-6363")], {"Dev1/PFI0": "encoder_A"}, TurningPlant(), BenchClock("lockstep"))
