"""What the plant is told and what comes back from it: the engine in this process, in lockstep."""

from __future__ import annotations

import nidaqmx
import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, RegenerationMode
from nidaqmx.stream_readers import AnalogMultiChannelReader

from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.plant.plant import NoPlant
from tests.unit.drivers.simulated.daqmx.client_calls import LSB, decoded, volts_in


class Integrator:
    """y' = u, exactly, for held u; a line switches the sign of the output; the second output is the line as volts."""

    analogue_inputs = ("drive",)
    analogue_outputs = ("position", "seen")
    digital_inputs = ("invert",)
    digital_outputs = ("positive",)

    def __init__(self) -> None:
        self.now, self.position, self.calls = 0.0, 0.0, []
        self.inverted = False

    def advance(self, times, volts, lines):
        assert np.all(np.diff(times) > 0)
        assert times[0] >= self.now
        self.calls.append((times.copy(), volts.copy(), lines.copy()))
        steps = np.diff(times, prepend=self.now)
        path = self.position + np.cumsum(steps * volts[:, 0])
        self.now, self.position, self.inverted = times[-1], path[-1], bool(lines[0])
        out = -path if self.inverted else path
        return np.column_stack([out, np.full(len(times), 5.0 * self.inverted)])

    def read_lines(self):
        return np.array([self.position > 0.0])

    def take_events(self):
        return [(self.now, "plant", "looked at")]


WIRING = {
    "Dev1/ao0": "drive", "Dev1/ai0": "position", "Dev1/ai1": "seen", "Dev1/port0/line0": "invert", "Dev1/port0/line8": "positive",
    "Dev1/ai2": "sample_code",
}  # fmt: skip


@pytest.fixture
def plant():
    return Integrator()


def stream(bench, volts, blocks, block=100, rate=10_000.0):
    """Stream `volts` out and read it all back: (channels, samples)."""
    with bench.task() as inputs, bench.task() as outputs:
        volts_in(inputs, rate, where="Dev1/ai0:2", sample_mode=AcquisitionType.CONTINUOUS)
        outputs.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        outputs.timing.cfg_samp_clk_timing(rate, source="/Dev1/ai/SampleClock", sample_mode=AcquisitionType.CONTINUOUS)
        outputs.out_stream.regen_mode = RegenerationMode.DONT_ALLOW_REGENERATION
        outputs.write(volts)
        outputs.start()
        inputs.start()
        reader = AnalogMultiChannelReader(inputs.in_stream)
        data = np.empty((3, block))
        seen = []
        for _ in range(blocks):
            reader.read_many_sample(data, block, 5.0)
            seen.append(data.copy())
    return np.concatenate(seen, axis=1)


def test_plant_sees_each_level_over_its_own_interval(make_bench, plant):
    bench = make_bench(plant=plant, wiring=WIRING)
    rng = np.random.default_rng(3)
    volts = np.rint(rng.uniform(-9, 9, 1000) / LSB) * LSB
    seen = stream(bench, volts, 10)
    # Sample n is the integral of the levels put out at the edges 0 .. n - 1, quantised.
    expected = np.concatenate([[0.0], np.cumsum(volts)[:-1]]) / 10_000.0
    np.testing.assert_allclose(seen[0], expected, atol=0.51 * LSB)
    np.testing.assert_array_equal(decoded(seen[2]), np.arange(1000))


def test_runs_in_lockstep_are_the_same_bit_for_bit(make_bench):
    runs = []
    for _ in range(2):
        plant = Integrator()
        runs.append(stream(make_bench(plant=plant, wiring=WIRING), np.sin(np.arange(700) / 30.0), 7))
    np.testing.assert_array_equal(*runs)


def test_block_size_changes_nothing(make_bench):
    volts = np.sin(np.arange(200) / 6.0)
    runs = [stream(make_bench(plant=Integrator(), wiring=WIRING), volts, blocks, block) for blocks, block in ((10, 20), (1, 200), (200, 1))]
    np.testing.assert_allclose(runs[0], runs[1], atol=1e-12)
    np.testing.assert_allclose(runs[0], runs[2], atol=1e-12)


def test_lines_reach_the_plant_at_once(make_bench, plant):
    bench = make_bench(plant=plant, wiring=WIRING)
    with bench.task() as line, bench.task() as look, bench.task() as state:
        line.do_channels.add_do_chan("Dev1/port0/line0")
        look.ai_channels.add_ai_voltage_chan("Dev1/ai1")
        state.di_channels.add_di_chan("Dev1/port0/line8")
        assert look.read() == 0.0
        line.write(True)
        assert look.read() == pytest.approx(5.0, abs=LSB)
        assert state.read() is False
        plant.position = 1.0
        assert state.read() is True


def test_clocks_of_two_tasks_are_merged(make_bench, plant):
    # The output runs on a clock of its own, at 3/10 of the input's rate: the plant gets every instant of both, in order.
    bench = make_bench(plant=plant, wiring=WIRING)
    with bench.task() as inputs, bench.task() as outputs:
        volts_in(inputs, sample_mode=AcquisitionType.CONTINUOUS)
        outputs.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        outputs.timing.cfg_samp_clk_timing(3_000.0, samps_per_chan=60)
        outputs.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/ai/StartTrigger")
        rate = outputs.timing.samp_clk_rate
        volts = np.rint(np.linspace(-5, 5, 60) / LSB) * LSB
        outputs.write(volts)
        outputs.start()
        inputs.start()
        seen = np.array(inputs.read(150))
    level = np.array([volts[min(int(np.ceil(t * rate - 1e-9)) - 1, 59)] for t in np.arange(1, 200_000) / 1e7])
    exact = np.concatenate([[0.0], np.cumsum(level) / 1e7])[::1000]
    np.testing.assert_allclose(seen, exact[:150], atol=2 * LSB)


def test_events_of_the_plant_are_handed_on(make_bench, plant):
    bench = make_bench(plant=plant, wiring=WIRING)
    assert [source for _, source, _ in bench.engine.take_events()] == ["plant"]


def test_plant_goes_on_while_nothing_runs(make_bench, plant):
    bench = make_bench("real", plant=plant, wiring=WIRING)
    with bench.task() as out, bench.task() as look:
        out.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        look.ai_channels.add_ai_voltage_chan("Dev1/ai0", min_val=-10.0, max_val=10.0)
        out.write(2.0)
        first = bench.clock.now()
        before = look.read()
        begun = bench.clock.now()
        while bench.clock.now() < begun + 0.2:
            pass
        over = bench.clock.now()
        after = look.read()
        last = bench.clock.now()
    assert 2.0 * (over - begun) - 2 * LSB <= after - before <= 2.0 * (last - first) + 2 * LSB


def test_wires_that_end_nowhere_are_all_named():
    with pytest.raises(ValueError, match="Dev1/ai77: no such terminal; Dev1/ai0 -> nothing: no such signal"):
        Engine([("Dev1", "PCIe-6363")], {"Dev1/ai77": "sample_code", "Dev1/ai0": "nothing"}, NoPlant(), BenchClock("lockstep"))
    with pytest.raises(ValueError, match="no product PCIe-9999"):
        Engine([("Dev1", "PCIe-9999")], {}, NoPlant(), BenchClock("lockstep"))


def test_plant_that_fails_is_told(make_bench, plant):
    bench = make_bench("real", plant=plant, wiring=WIRING)
    with bench.task() as look:
        look.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        look.read()
        plant.advance = lambda *_: 1 / 0
        with pytest.raises(nidaqmx.errors.RpcError, match="division by zero"):
            look.read()
        with pytest.raises(nidaqmx.errors.RpcError, match="the bench has failed"):
            look.read()
    assert isinstance(bench.engine.fault, ZeroDivisionError)


class Gear(NoPlant):
    """A line that rises every 10 ms, for 5 ms."""

    digital_outputs = ("index",)

    def __init__(self) -> None:
        self.now = 0.0

    def advance(self, times, volts, lines):
        self.now = times[-1]
        return super().advance(times, volts, lines)

    def read_lines(self):
        return np.array([self.now % 0.01 >= 0.005])


def test_line_of_the_plant_as_a_clock_and_a_trigger(make_bench):
    bench = make_bench(plant=Gear(), wiring={"Dev1/PFI0": "index", "Dev1/port0/line3": "index", "Dev1/ai2": "sample_code"})
    with bench.task() as task:
        volts_in(task, 100.0, 20, where="Dev1/ai2", source="/Dev1/PFI0")
        np.testing.assert_array_equal(decoded(task.read(20)), np.arange(20))
        # Edges at 5, 15, .. 195 ms; a line of the plant is looked at every millisecond.
        assert bench.engine.time == pytest.approx(0.195, abs=2.1e-3)
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line3")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=200)
        levels = np.array(task.read(200))
    assert levels.sum() == pytest.approx(100, abs=5)
    assert np.count_nonzero(np.diff(levels.astype(int)) == 1) == pytest.approx(20, abs=1)
