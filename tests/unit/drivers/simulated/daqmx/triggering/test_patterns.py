"""Triggers on digital patterns: the examples of "NI-DAQmx Key Concepts", Digital Pattern Triggering, and which trigger comes again."""

from __future__ import annotations

import pytest
from nidaqmx.constants import AcquisitionType, DigitalPatternCondition, LineGrouping
from nidaqmx.errors import DaqError

from tests.unit.drivers.simulated.daqmx.client_calls import ADD, code_of, verified


def started_by(bench, source, pattern, port):
    """Which of the values of a port's lines, written one after the other, start an acquisition."""
    starting = []
    with bench.task() as lines:
        lines.do_channels.add_do_chan("Dev1/port0/line0:7", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        for value in port:
            lines.write(0)
            with bench.task() as task:
                task.ai_channels.add_ai_voltage_chan("Dev1/ai1")
                task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=2)
                task.triggers.start_trigger.cfg_dig_pattern_start_trig(source, pattern, DigitalPatternCondition.PATTERN_MATCHES)
                task.start()
                lines.write(value)
                if ended(task):
                    starting.append(value)
    return starting


def ended(task):
    try:
        task.wait_until_done(0.1)
    except DaqError as error:
        assert error.error_code == -200560
        return False
    return True


@pytest.mark.parametrize("source", ["Dev1/port0/line0:4,Dev1/port0/line6", "Dev1/line0:4,Dev1/line6"])
def test_the_first_sign_is_the_first_line(bench, source):
    # lines 1 to 3 high, 4 and 6 low, 0 whatever it is
    assert started_by(bench, source, "X11100", [0b0001110, 0b0001111, 0b1001110, 0b0111000, 0b0011110]) == [0b0001110, 0b0001111]


def test_the_signs_of_a_port_are_in_the_order_of_its_lines(bench):
    # Port 0 of a 6363 has 32 lines, and those that nobody drives are low.
    assert started_by(bench, "Dev1/port0", "1100 0000" + "X" * 24, [0b11, 0b11000000, 0b111, 0b01]) == [0b11]


def test_a_port_wants_a_sign_for_each_of_its_lines(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai1")
        task.timing.cfg_samp_clk_timing(1000.0)
        task.triggers.start_trigger.cfg_dig_pattern_start_trig("Dev1/port0", "11000000")
        assert code_of(task.start) == -200894


@pytest.mark.parametrize("kind", ADD)
@pytest.mark.parametrize(("mode", "trigger", "code"), [
    (AcquisitionType.FINITE, False, -201320), (AcquisitionType.CONTINUOUS, True, -201320), (AcquisitionType.FINITE, True, 0),
])  # fmt: skip
def test_only_a_finite_task_with_a_start_trigger_starts_again(bench, kind, mode, trigger, code):
    """-201320: "Retriggering can only be enabled for finite task with a Start trigger configured" (NI-DAQmx status codes)."""
    with bench.task() as task:
        ADD[kind](task)
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=mode, samps_per_chan=10)
        if trigger:
            task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/PFI0")
        task.triggers.start_trigger.retriggerable = True
        assert verified(task) == code


def test_no_change_is_too_fast(bench):
    """NI-DAQmx Properties, DAQmx Read, Change Detection Overflowed: whether changes came faster than the device could handle them."""
    with bench.task() as lines, bench.task() as task, bench.task() as other:
        lines.do_channels.add_do_chan("Dev1/port0/line0")
        task.di_channels.add_di_chan("Dev1/port0/line0")
        task.timing.cfg_change_detection_timing("Dev1/port0/line0", "Dev1/port0/line0", AcquisitionType.CONTINUOUS)
        task.start()
        for level in (True, False) * 5:
            lines.write(level)
        assert task.in_stream.avail_samp_per_chan == 10
        assert task.in_stream.change_detect_overflowed is False
        ADD["ai"](other)
        with pytest.raises(DaqError, match="Property: DAQmx_Read_ChangeDetect_HasOverflowed") as caught:
            _ = other.in_stream.change_detect_overflowed
        assert caught.value.error_code == -200452
