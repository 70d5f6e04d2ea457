"""What the pulses of a counter do elsewhere: events at pins and for programs, clocks and triggers of other tasks."""

from __future__ import annotations

import time

import numpy as np
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import OUT0, codes, decoded, edges_out, train

FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS


def test_event_of_every_pulse_at_a_pin(bench):
    with bench.task() as out, bench.task() as count:
        train(out, mode=FINITE, pulses=5, freq=1000.0)
        out.export_signals.export_signal(c.Signal.COUNTER_OUTPUT_EVENT, "/Dev1/PFI3")
        counted = edges_out(count, "/Dev1/PFI3")
        out.start()
        out.wait_until_done()
        assert counted() == 5


def test_pulses_clock_and_trigger_an_acquisition(either_pace):
    with either_pace.task() as clock, either_pace.task() as pulse, either_pace.task() as volts:
        train(clock, mode=FINITE, pulses=60, freq=1000.0)
        pulse.co_channels.add_co_pulse_chan_time("Dev1/ctr1", initial_delay=0.0105)
        codes(volts, 1000.0, 20, source=OUT0)
        volts.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI13")
        volts.start()
        pulse.start()
        clock.start()
        np.testing.assert_array_equal(np.diff(decoded(volts.read(20))), 1)


def test_an_event_for_every_pulse(bench):
    seen = []
    with bench.task() as out:
        train(out, mode=FINITE, pulses=7, freq=100.0)
        out.register_signal_event(c.Signal.COUNTER_OUTPUT_EVENT, lambda *args: seen.append(args) or 0)
        out.start()
        out.wait_until_done()
        deadline = time.monotonic() + 10.0
        while len(seen) < 7 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert len(seen) == 7
