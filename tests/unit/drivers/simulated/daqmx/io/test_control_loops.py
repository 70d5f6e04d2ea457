"""Control loops by hardware-timed single point: every sample once, outputs at the next edge, and what a loop that is late is told.

Expected: "NI-DAQmx Hardware-Timed Single Point Lateness Checking" (three kinds of it); NI-DAQmx Key Concepts, ControlAppCase1 (a wait that
does not start before the next edge is an error) and ControlAppCase3 (Report Missed Samples, Convert Late Errors to Warnings); comments of
DAQmx_RealTime_* in NIDAQmx.h (100 warm-up iterations, neither errors nor warnings before they are over); "Acquisition Type" (supported only
for sample clock and change detection timing); texts of -209800, -209802, -209815; "DAQ Devices with Hardware-Timed Single Point Sampling
Mode Support" (63xx and 43xx in slots) and X Series User Manual (not with USB); "Timing Considerations for C Series Devices" (not there).

nidaqmx has no method for the wait and the real-time properties: they are called as its interpreter calls.
"""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest
from nidaqmx._stubs import nidaqmx_pb2 as pb
from nidaqmx._stubs import nidaqmx_pb2_grpc as stubs
from nidaqmx.constants import AcquisitionType, ChannelType, LineGrouping
from nidaqmx.errors import DaqError, DaqWarning
from nidaqmx.system import System
from nidaqmx.types import CtrFreq

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, codes, decoded, error_of, volts_in

SINGLE, CONTINUOUS = AcquisitionType.HW_TIMED_SINGLE_POINT, AcquisitionType.CONTINUOUS
RATE = 1000.0
LATE_READ = "DAQmx Read did not complete before the arrival of the next sample clock or change detection event"
LATE_WAIT = "DAQmx Wait for Next Sample Clock detected one or more missed sample clocks"
WARM_UP = pb.RealTimeUInt32Attribute.Value("REALTIME_ATTRIBUTE_NUM_OF_WARMUP_ITERS")
TO_WARNINGS = pb.RealTimeBoolAttribute.Value("REALTIME_ATTRIBUTE_CONV_LATE_ERRORS_TO_WARNINGS")
REPORT = pb.RealTimeBoolAttribute.Value("REALTIME_ATTRIBUTE_REPORT_MISSED_SAMP")
WAIT_MODE = pb.RealTimeInt32Attribute.Value("REALTIME_ATTRIBUTE_WAIT_FOR_NEXT_SAMP_CLK_WAIT_MODE")
RECOVERY = pb.RealTimeInt32Attribute.Value("REALTIME_ATTRIBUTE_WRITE_RECOVERY_MODE")


class RealTime:
    """The calls that the client lacks."""

    def __init__(self, bench, task):
        self._client, self._task = task._interpreter, task._handle
        self._stub = stubs.NiDAQmxStub(bench.channel)

    def wait(self, timeout=10.0):
        """Whether it was late; errors and warnings as the client makes them."""
        answer = self._client._invoke(self._stub.WaitForNextSampleClock, pb.WaitForNextSampleClockRequest(task=self._task, timeout=timeout))
        self._client._check_for_error_from_response(answer.status)
        return answer.is_late

    def set(self, attribute, value):
        kind = {bool: "Bool", int: "UInt32" if attribute == WARM_UP else "Int32"}[type(value)]
        field = {"value_raw": value} if kind == "Int32" else {"value": value}
        request = getattr(pb, f"SetRealTimeAttribute{kind}Request")(task=self._task, attribute_raw=attribute, **field)
        self._client._invoke(getattr(self._stub, f"SetRealTimeAttribute{kind}"), request)

    def get(self, attribute):
        kind = {WARM_UP: "UInt32", TO_WARNINGS: "Bool", REPORT: "Bool"}.get(attribute, "Int32")
        request = getattr(pb, f"GetRealTimeAttribute{kind}Request")(task=self._task, attribute_raw=attribute)
        answer = self._client._invoke(getattr(self._stub, f"GetRealTimeAttribute{kind}"), request)
        return answer.value_raw if kind == "Int32" else answer.value

    def reset(self, attribute):
        self._client._invoke(self._stub.ResetRealTimeAttribute, pb.ResetRealTimeAttributeRequest(task=self._task, attribute_raw=attribute))


def let_pass(bench, seconds):
    with bench.engine.lock:
        bench.engine.advance(bench.engine.time + seconds)


@pytest.fixture
def strict():
    """No warning goes unseen."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DaqWarning)
        yield


# -- loops -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("strict")
def test_a_loop_sees_each_sample_once_and_its_output_an_edge_later(bench):
    """Read, compute, write, wait at 1 kHz: the number of each sample is in its voltage; the output shows what was written before."""
    steps = 100
    with bench.task() as inputs, bench.task() as output:
        codes(inputs, RATE, 1, sample_mode=SINGLE)
        inputs.ai_channels.add_ai_voltage_chan("Dev1/_ao0_vs_aognd")
        output.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        output.timing.cfg_samp_clk_timing(RATE, source="/Dev1/ai/SampleClock", sample_mode=SINGLE)
        loop = RealTime(bench, inputs)
        output.start()
        inputs.start()
        loop.set(WARM_UP, 0)
        loop.set(REPORT, True)
        seen, fed_back = [], []
        for step in range(steps):
            code, volts = inputs.read()
            seen.append(decoded([code])[0])
            fed_back.append(volts)
            output.write(step / 100.0)
        assert bench.engine.time == pytest.approx((steps - 1) / RATE)
    np.testing.assert_array_equal(seen, np.arange(steps))
    # Sample n sees what was written behind sample n - 2: it came out at edge n - 1, which still saw the level before.
    np.testing.assert_allclose(fed_back[2:], np.arange(steps - 2) / 100.0, atol=1e-3)
    np.testing.assert_allclose(fed_back[:2], [0.0, 0.0], atol=1e-3)


@pytest.mark.usefixtures("strict")
def test_a_strict_loop_waits_for_each_edge(bench):
    with bench.task() as task:
        codes(task, RATE, 1, sample_mode=SINGLE)
        loop = RealTime(bench, task)
        task.start()
        loop.set(WARM_UP, 0)
        seen = []
        for _ in range(50):
            assert not loop.wait()
            seen.append(decoded([task.read()])[0])
    np.testing.assert_array_equal(np.diff(seen), np.ones(49))


@pytest.mark.parametrize("line", [0, 5])
@pytest.mark.usefixtures("strict")
def test_lines_in_and_out(make_bench, line):
    """What is written to a line comes out at the next edge, and is read at the one behind it."""
    bench = make_bench(wiring={"Dev1/port0/line8": f"Dev1/port0/line{line}"})
    with bench.task() as inputs, bench.task() as output, bench.task() as clock:
        volts_in(clock, RATE, sample_mode=CONTINUOUS)
        inputs.di_channels.add_di_chan("Dev1/port0/line8")
        output.do_channels.add_do_chan(f"Dev1/port0/line{line}")
        for task in (inputs, output):
            task.timing.cfg_samp_clk_timing(RATE, source="/Dev1/ai/SampleClock", sample_mode=SINGLE)
        output.write(False, auto_start=False)
        output.start()
        inputs.start()
        clock.start()
        written = [bool(n % 3) for n in range(30)]
        read = []
        for level in written:
            read.append(inputs.read())
            output.write(level)
    assert read[2:] == written[:-2]


@pytest.mark.usefixtures("strict")
def test_a_count_at_each_edge(bench):
    """Edges of a train of 10 kHz, counted at 1 kHz: ten more each time."""
    with bench.task() as train, bench.task() as count, bench.task() as clock:
        train.co_channels.add_co_pulse_chan_freq("Dev1/ctr1", freq=10e3)
        train.timing.cfg_implicit_timing(sample_mode=CONTINUOUS)
        count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0").ci_count_edges_term = "/Dev1/Ctr1InternalOutput"
        count.timing.cfg_samp_clk_timing(RATE, source="/Dev1/ai/SampleClock", sample_mode=SINGLE)
        volts_in(clock, RATE, sample_mode=CONTINUOUS)
        train.start()
        count.start()
        clock.start()
        seen = [count.read() for _ in range(20)]
    assert np.diff(seen[1:]).tolist() == [10] * 18


@pytest.mark.usefixtures("strict")
def test_a_train_goes_on_with_what_was_written_before_an_edge(bench):
    """A train of 10 kHz becomes one of 20 kHz, and of 5 kHz: rises in the ten milliseconds from then on. Before, as the channel says."""
    with bench.task() as train, bench.task() as count, bench.task() as clock:
        train.co_channels.add_co_pulse_chan_freq("Dev1/ctr1", freq=10e3)
        train.timing.cfg_samp_clk_timing(RATE, source="/Dev1/ai/SampleClock", sample_mode=SINGLE)
        count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0").ci_count_edges_term = "/Dev1/Ctr1InternalOutput"
        volts_in(clock, RATE, sample_mode=CONTINUOUS)
        for task in (train, count, clock):
            task.start()
        counts = []
        for freq in (None, 20e3, 5e3):
            if freq is not None:
                train.write(CtrFreq(freq, 0.5))
            let_pass(bench, 2.0 / RATE)
            before = count.read()
            let_pass(bench, 10e-3)
            counts.append(count.read() - before)
    assert counts == pytest.approx([100, 200, 50], abs=1)


def test_a_train_that_cannot_keep_up(bench):
    """-201318: a sample clock came before a pulse by the last specification; here pulses of 2 ms, and new ones every 1 ms."""
    with bench.task() as train, bench.task() as clock:
        train.co_channels.add_co_pulse_chan_freq("Dev1/ctr1", freq=500.0)
        train.timing.cfg_samp_clk_timing(RATE, source="/Dev1/ai/SampleClock", sample_mode=SINGLE)
        volts_in(clock, RATE, sample_mode=CONTINUOUS)
        train.start()
        clock.start()
        codes_seen = []
        for freq in np.linspace(400.0, 100.0, 20):
            try:
                train.write(CtrFreq(freq, 0.5))
                let_pass(bench, 1.0 / RATE)
            except DaqError as error:
                codes_seen.append(error.error_code)
        assert codes_seen and set(codes_seen) == {-201318}


def test_a_read_by_change_detection_takes_the_newest_change(bench):
    """Supported for change detection timing, too."""
    with bench.task() as output, bench.task() as inputs:
        output.do_channels.add_do_chan("Dev1/port0/line0:7", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        inputs.di_channels.add_di_chan("Dev1/port0/line0:7", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        inputs.timing.cfg_change_detection_timing("Dev1/port0/line0:7", "Dev1/port0/line0:7", sample_mode=SINGLE)
        output.write(0)
        inputs.start()
        for value in (1, 2, 3):
            output.write(value)
        assert inputs.read() == 3


# -- lateness --------------------------------------------------------------------------------------------------------------------------


def test_without_checking_a_late_read_takes_the_newest_sample(bench):
    with bench.task() as task:
        codes(task, RATE, 1, sample_mode=SINGLE)
        task.start()
        RealTime(bench, task).set(WARM_UP, 0)
        first = decoded([task.read()])[0]
        let_pass(bench, 5.0 / RATE)
        assert decoded([task.read()])[0] - first == 5


def _late_read(bench, task):
    task.read()
    let_pass(bench, 3.0 / RATE)
    return task.read()


def test_missed_samples_are_reported_by_reads(bench):
    with bench.task() as task:
        codes(task, RATE, 1, sample_mode=SINGLE)
        loop = RealTime(bench, task)
        loop.set(REPORT, True)
        loop.set(WARM_UP, 0)
        task.start()
        code, text = error_of(_late_read, bench, task)
        assert code == -209800 and text.startswith(LATE_READ)
        decoded([task.read()])  # in time again: the task goes on
        loop.set(TO_WARNINGS, True)
        with pytest.warns(DaqWarning, match=LATE_READ) as caught:
            value = _late_read(bench, task)
        assert caught[0].message.error_code == 209800 and decoded([value])[0] > 3


def test_no_read_is_late_one_sample_after_the_other(bench):
    """The control: a read of each sample, with the same settings."""
    with bench.task() as task:
        codes(task, RATE, 1, sample_mode=SINGLE)
        loop = RealTime(bench, task)
        loop.set(REPORT, True)
        loop.set(WARM_UP, 0)
        task.start()
        task.read()
        let_pass(bench, 1.0 / RATE)  # one new sample is what a read is for
        assert len({task.read() for _ in range(5)}) == 5


def test_a_wait_that_begins_behind_an_edge_is_late(bench):
    with bench.task() as task:
        codes(task, RATE, 1, sample_mode=SINGLE)
        loop = RealTime(bench, task)
        loop.set(WARM_UP, 0)
        task.start()
        assert not loop.wait()
        let_pass(bench, 1.0 / RATE)
        code, text = error_of(loop.wait)
        assert code == -209802 and text.startswith(LATE_WAIT)
        assert not loop.wait()
        loop.set(TO_WARNINGS, True)
        let_pass(bench, 2.0 / RATE)
        with pytest.warns(DaqWarning, match=LATE_WAIT):
            assert loop.wait()


@pytest.mark.parametrize("warm_up", [100, 7])
def test_the_first_iterations_are_never_late(bench, warm_up):
    with bench.task() as task:
        codes(task, RATE, 1, sample_mode=SINGLE)
        loop = RealTime(bench, task)
        if warm_up != 100:
            loop.set(WARM_UP, warm_up)
        task.start()
        for _ in range(warm_up):
            loop.wait()
            let_pass(bench, 2.0 / RATE)
        assert code_of(loop.wait) == -209802


def test_real_time_properties(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        loop = RealTime(bench, task)
        defaults = {WARM_UP: 100, TO_WARNINGS: False, REPORT: False, WAIT_MODE: 12523, RECOVERY: 12523}
        assert {attribute: loop.get(attribute) for attribute in defaults} == defaults
        for attribute, value in {WARM_UP: 3, TO_WARNINGS: True, REPORT: True, WAIT_MODE: 12524, RECOVERY: 12524}.items():
            loop.set(attribute, value)
            assert loop.get(attribute) == value
            loop.reset(attribute)
            assert loop.get(attribute) == defaults[attribute]
        assert code_of(loop.set, WAIT_MODE, 12525) == -200077  # Yield is not among them


# -- who has it ------------------------------------------------------------------------------------------------------------------------


def _channel(task, kind, device="Dev1"):
    {
        "ai": lambda: task.ai_channels.add_ai_voltage_chan(f"{device}/ai0"),
        "ao": lambda: task.ao_channels.add_ao_voltage_chan(f"{device}/ao0"),
        "di": lambda: task.di_channels.add_di_chan(f"{device}/port0/line0"),
        "do": lambda: task.do_channels.add_do_chan(f"{device}/port0/line1"),
        "ci": lambda: task.ci_channels.add_ci_count_edges_chan(f"{device}/ctr0"),
        "co": lambda: task.co_channels.add_co_pulse_chan_freq(f"{device}/ctr0"),
        "bridge": lambda: task.ai_channels.add_ai_bridge_chan(f"{device}/ai0"),
    }[kind]()


@pytest.mark.parametrize(
    ("product", "kind", "there"),
    [
        *(("PCIe-6363", kind, True) for kind in ("ai", "ao", "di", "do", "ci", "co")),
        *(("USB-6363", kind, False) for kind in ("ai", "ao", "di", "ci", "co")),
        ("PXIe-4331", "bridge", True), ("PXIe-4466", "ai", False), ("NI 9215", "ai", False), ("NI 9263", "ao", False),
        ("USB-6423", "ai", False),
    ],
)  # fmt: skip
def test_which_devices_have_it(make_bench, product, kind, there):
    devices = [("Dev1", product)] if not product.startswith("NI ") else [("c", "cDAQ-9178"), ("Dev1", product, "c", 1)]
    bench = make_bench(devices=devices)
    device = System.remote(bench.options).devices["Dev1"]
    if kind in ("ai", "ao", "ci", "co"):
        assert (SINGLE in getattr(device, f"{kind}_samp_modes")) is there
    with bench.task() as task:
        _channel(task, kind)
        source = {} if kind not in ("ci", "co") else {"source": "/Dev1/ai/SampleClock"}
        task.timing.cfg_samp_clk_timing(RATE, sample_mode=SINGLE, **source)
        if there:
            task.start()
        else:
            assert code_of(task.start) == -200077
            assert task.channels.chan_type in ChannelType


def test_no_other_timing_has_it(bench):
    with bench.task() as task:
        task.ci_channels.add_ci_freq_chan("Dev1/ctr0")
        task.timing.cfg_implicit_timing(sample_mode=SINGLE)
        assert code_of(task.start) == -200077


@pytest.mark.parametrize("kind", ["ao", "do"])
def test_one_sample_at_a_time(bench, kind):
    with bench.task() as task:
        _channel(task, kind)
        task.timing.cfg_samp_clk_timing(RATE, sample_mode=SINGLE)
        write = partial(task.write, auto_start=False)
        values = ([1.0, 2.0], 1.0) if kind == "ao" else ([True, False], True)
        assert code_of(write, values[0]) == -209815
        write(values[1])
        task.start()
        assert code_of(write, values[0]) == -209815
        write(values[1])
