"""Reads about a reference trigger.

`cfg_dig_edge_ref_trig` of nidaqmx: "When you use a Reference Trigger, the default for the read RelativeTo property is
first_pretrigger_sample with a read Offset of 0." NI's text for -200281: such a read waits for the end of the acquisition, or its time-out.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import ReadRelativeTo
from nidaqmx.error_codes import DAQmxErrors

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, codes, decoded, levels


@pytest.fixture
def triggered(make_bench):
    bench = make_bench(wiring={"Dev1/PFI0": "Dev1/port0/line0", "Dev1/ai1": "sample_code"})
    with bench.task() as task, bench.task() as pulse:
        codes(task, samples=40)
        task.triggers.reference_trigger.cfg_dig_edge_ref_trig("/Dev1/PFI0", 10)
        levels(pulse, [0, 0, 0, 0, 0, 1])
        yield task, pulse


def test_the_default_position(triggered):
    task, pulse = triggered
    assert task.in_stream.relative_to is ReadRelativeTo.FIRST_PRETRIGGER_SAMPLE
    task.start()
    pulse.start()
    # The trigger comes at 5 ms, with sample 50.
    np.testing.assert_array_equal(decoded(task.read(40)), np.arange(40, 80))
    np.testing.assert_array_equal(decoded(task.read(5)), np.arange(40, 45))
    task.in_stream.relative_to = ReadRelativeTo.REFERENCE_TRIGGER
    np.testing.assert_array_equal(decoded(task.read(5)), np.arange(50, 55))
    task.in_stream.relative_to = ReadRelativeTo.CURRENT_READ_POSITION
    np.testing.assert_array_equal(decoded(task.read(5)), np.arange(55, 60))
    del task.in_stream.relative_to
    task.stop()
    task.triggers.reference_trigger.disable_ref_trig()
    assert task.in_stream.relative_to is ReadRelativeTo.CURRENT_READ_POSITION


def test_a_trigger_that_does_not_come(triggered):
    task, _ = triggered
    task.start()
    assert code_of(task.read, 40, timeout=0.05) == DAQmxErrors.CANNOT_READ_RELATIVE_TO_REF_TRIG_UNTIL_DONE
