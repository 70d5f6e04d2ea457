"""Hardware-timed single point: one sample at each edge of the clock, without a buffer."""

from __future__ import annotations

import grpc
import numpy as np
import pytest
from nidaqmx._stubs import nidaqmx_pb2 as pb
from nidaqmx._stubs import nidaqmx_pb2_grpc as stubs
from nidaqmx.constants import AcquisitionType

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, codes, decoded, volts_in

SINGLE = AcquisitionType.HW_TIMED_SINGLE_POINT


def test_each_read_takes_the_next_sample(bench):
    with bench.task() as task:
        codes(task, 1000.0, 1000, sample_mode=SINGLE)
        task.start()
        seen = decoded([task.read() for _ in range(5)])
        np.testing.assert_array_equal(seen, np.arange(5))
        assert bench.engine.time == pytest.approx(4e-3)
        assert code_of(task.read, 3) == -200077


def test_what_is_written_comes_out_at_the_next_edge_and_stays(bench):
    with bench.task() as out, bench.task() as task:
        out.ao_channels.add_ao_voltage_chan("Dev1/ao0")
        out.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/ai/SampleClock", sample_mode=SINGLE)
        volts_in(task, 1000.0, where="Dev1/_ao0_vs_aognd", sample_mode=SINGLE)
        out.start()
        task.start()
        seen = [task.read()]
        for volts in (1.0, 2.0):
            out.write(volts)
            seen += [task.read(), task.read(), task.read()]
    # Written behind edge 0: out at edge 1, which still sees the level before.
    np.testing.assert_allclose(seen, [0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0], atol=1e-3)


def test_waiting_for_the_clock(bench):
    with bench.task() as task:
        codes(task, 1000.0, 1000, sample_mode=SINGLE)
        task.start()
        # The client has no method for it: the remote call itself.
        request = pb.WaitForNextSampleClockRequest(timeout=1.0)
        request.task.name = task.name
        for _ in range(3):
            assert not stubs.NiDAQmxStub(bench.channel).WaitForNextSampleClock(request).is_late
        assert bench.engine.time == pytest.approx(2e-3)


def test_module_that_has_no_such_mode(make_bench):
    bench = make_bench(devices=[("Dev2", "PXIe-4466")])
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev2/ai0")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=SINGLE)
        assert code_of(task.start) == -200077


def test_waits_for_a_sample_clock(bench):
    """NI's text for -200863: "only supported for the hardware-timed single-point timing type"; for -200453: time-outs of 0 or more, and -1.

    nidaqmx has no method for this call: it is made as its interpreter makes it.
    """
    stub = stubs.NiDAQmxStub(bench.channel)

    def wait(task, timeout):
        request = pb.WaitForNextSampleClockRequest(timeout=timeout)
        request.task.name = task.name
        try:
            stub.WaitForNextSampleClock(request, timeout=10.0)
        except grpc.RpcError as error:
            return int(dict(error.trailing_metadata())["ni-error"])
        return 0

    for mode, timeouts in ((SINGLE, {1.0: 0, -5.0: -200453, float("nan"): -200453}), (AcquisitionType.CONTINUOUS, {1.0: -200863})):
        with bench.task() as task:
            task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
            task.timing.cfg_samp_clk_timing(1000.0, sample_mode=mode)
            task.start()
            for timeout, code in timeouts.items():
                assert wait(task, timeout) == code
