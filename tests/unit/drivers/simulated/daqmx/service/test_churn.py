"""Seconds of clients that are killed in the middle of what they do."""

from __future__ import annotations

import time

import pytest
from churn import AT_ONCE, churn, working

from drivers.simulated import serve_devices
from drivers.simulated.daqmx.service.abandoned import Sweeper
from drivers.simulated.daqmx.service.peers import is_gone
from tests.thorough import times

SECONDS = times(3, thorough=6)
CALMED = 20.0


@pytest.mark.long
def test_killed_clients_leave_nothing() -> None:
    with serve_devices({f"Dev{lane}": "PCIe-6363" for lane in range(AT_ONCE)}) as bench:
        found = churn(bench, SECONDS)
        assert found.failed == []
        assert found.killed >= AT_ONCE
        sweeper = Sweeper(bench.engine, is_gone, grace=0.0, every=3600.0)
        deadline = time.monotonic() + CALMED
        while (bench.engine.tasks or working()) and time.monotonic() < deadline:
            sweeper.sweep(time.monotonic())
            time.sleep(0.1)
        sweeper.stop()
        assert dict(bench.engine.tasks) == {}
        assert working() == []
        assert bench.engine.fault is None
        print(f"{found.killed} clients killed, {max(found.threads)} threads at most")
