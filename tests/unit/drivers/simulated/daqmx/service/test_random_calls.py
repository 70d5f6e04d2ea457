"""Random calls on the wire: whatever comes, the server answers, and nothing is left behind."""

from __future__ import annotations

import nidaqmx
from random_calls import RandomCalls

from drivers.simulated import serve_devices
from tests.each_row import each_row
from tests.thorough import times
from tests.unit.drivers.simulated.daqmx.client_calls import at_once

DEVICES = {"Dev1": "PCIe-6363", "Mod1": "PXIe-4466"}
STEPS = 200


@each_row("seed", range(times(4, thorough=20)))
def test_random_calls_are_answered(seed: int) -> None:
    with serve_devices(DEVICES, pace=("lockstep", "real")[seed % 2]) as bench:
        calls = RandomCalls(bench, seed)
        try:
            calls.run(STEPS)
            assert bench.engine.fault is None
        finally:
            calls.close()
        assert dict(bench.engine.tasks) == {}
        assert {"OK", "UNKNOWN", "UNIMPLEMENTED"} <= set(calls.answers)
        with nidaqmx.Task(grpc_options=bench.grpc_options) as task:
            task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
            task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
            assert len(task.read(10)) == 10


def test_a_hundred_clients_and_a_vanishing_one_leave_no_thread_waiting() -> None:
    with serve_devices({"Dev1": "PCIe-6363"}) as bench:

        def client(number: int) -> None:
            calls = RandomCalls(bench, number)
            try:
                calls.run(5)
            finally:
                calls.channel.close()

        assert at_once(client, 100) == []
        calls = RandomCalls(bench, 0)
        calls.close()
        assert dict(bench.engine.tasks) == {}
