"""Burst handshaking, and kinds of timing that a device has not got.

Expected values: "Burst Handshaking Signals" of NI-DAQmx Key Concepts (samples go over at the sample clock while the pause trigger lets
them); "DAQmx Timing (Pipelined Sample Clock)" of NI's LabVIEW reference (only of an NI 6536 and 6537); nidaqmx-python, tests/component/
task/test_timing.py (how properties look after the call, on a PCIe-6535); MAX's table of routes for a PXIe-6535, published with Linux'
comedi (ni_device_routes/pxie-6535.c): nothing in it is for single handshakes.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.errors import RpcError

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, train, verified

CARDS = (("Dev1", "PCIe-6363"), ("hs", "PCIe-6535"))
WIRES = {"hs/PFI5": "Dev1/PFI12", "hs/port0/line0": "Dev1/port0/line0", "hs/PFI0": "Dev1/port0/line1"}
DATA = [True, False, True, True, False, False, True, False, True, True]
PAUSE = [False, False, True, True, True, False, False, True, False, False]


@pytest.fixture
def rig(make_bench):
    """A peripheral (Dev1) that puts out data, a clock and a request."""
    return make_bench(devices=CARDS, wiring=WIRES)


def put_out(rig, stack):
    """Data and request, one sample at each rising edge of a clock of 1 kHz; started by the clock."""
    output, clock = (rig.task() for _ in range(2))
    output.do_channels.add_do_chan("Dev1/port0/line0:1", line_grouping=c.LineGrouping.CHAN_PER_LINE)
    output.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/Ctr0InternalOutput", samps_per_chan=len(DATA))
    output.write(np.array([DATA, PAUSE]).tolist())
    train(clock, "Dev1/ctr0", freq=1000.0)
    stack += [output, clock]
    output.start()
    clock.start()


@pytest.mark.parametrize("level", [c.Level.HIGH, c.Level.LOW])
def test_a_burst_goes_on_while_the_request_lets_it(rig, level):
    """Read in the middle of each of the peripheral's samples, at the falling edge of its clock."""
    stack = []
    wanted = [data for data, high in zip(DATA, PAUSE, strict=True) if high is not (level is c.Level.HIGH)]
    with rig.task() as task:
        task.di_channels.add_di_chan("hs/port0/line0")
        task.timing.cfg_burst_handshaking_timing_import_clock(
            1000.0, "PFI5", samps_per_chan=len(wanted), sample_clk_active_edge=c.Edge.FALLING, pause_when=level
        )
        task.triggers.pause_trigger.dig_lvl_src = "PFI0"
        task.start()
        put_out(rig, stack)
        assert task.read(len(wanted), timeout=2.0) == wanted
        assert task.timing.samp_clk_src == "PFI5"
    for other in stack:
        other.close()


def test_a_burst_on_default_terminals_is_not_simulated(rig):
    with rig.task() as task:
        task.di_channels.add_di_chan("hs/port0/line0")
        task.timing.cfg_burst_handshaking_timing_export_clock(1000.0, "PFI1")
        with pytest.raises(RpcError):
            task.start()


@pytest.mark.parametrize(("part", "pin", "clocks", "triggers"), [
    ("di", "PFI5", True, True), ("di", "RTSI7", True, False), ("di", "PFI4", False, True), ("di", "PFI0", False, True),
    ("di", "RTSI0", False, True), ("do", "PFI4", True, True), ("do", "RTSI7", True, False), ("do", "PFI5", False, True),
])  # fmt: skip
def test_pins_of_clocks_and_triggers(rig, part, pin, clocks, triggers):
    """MAX's table of routes for a PXIe-6535, published with Linux' comedi (ni_device_routes/pxie-6535.c)."""
    for use, possible in (("clock", clocks), ("trigger", triggers)):
        with rig.task() as task:
            getattr(getattr(task, f"{part}_channels"), f"add_{part}_chan")("hs/port0/line0")
            task.timing.cfg_samp_clk_timing(1000.0, source=pin if use == "clock" else "", samps_per_chan=10)
            if use == "trigger":
                task.triggers.start_trigger.cfg_dig_edge_start_trig(f"/hs/{pin}")
            assert verified(task) == (0 if possible else -89136)


@pytest.mark.parametrize(("part", "pin", "possible"), [
    ("di", "PFI5", True), ("di", "PFI4", False), ("di", "RTSI7", False), ("do", "PFI4", True), ("do", "RTSI7", True), ("do", "PFI0", False),
])  # fmt: skip
def test_where_a_clock_goes_out(rig, part, pin, possible):
    with rig.task() as task:
        getattr(getattr(task, f"{part}_channels"), f"add_{part}_chan")("hs/port0/line0")
        task.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
        task.export_signals.samp_clk_output_term = f"/hs/{pin}"
        assert verified(task) == (0 if possible else -89136)


def test_a_sample_clock_behind_a_burst_does_not_pause(rig):
    with rig.task() as task:
        task.di_channels.add_di_chan("hs/port0/line0")
        task.timing.cfg_burst_handshaking_timing_import_clock(1000.0, "PFI5")
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=c.AcquisitionType.FINITE, samps_per_chan=5)
        assert task.read(5) == [False] * 5


@pytest.mark.parametrize(("line", "kind"), [
    ("hs/port0/line0", c.SampleTimingType.PIPELINED_SAMPLE_CLOCK), ("Dev1/port0/line8", c.SampleTimingType.PIPELINED_SAMPLE_CLOCK),
    ("hs/port0/line0", c.SampleTimingType.HANDSHAKE), ("Dev1/port0/line8", c.SampleTimingType.BURST_HANDSHAKE),
    ("Dev1/port0/line8", c.SampleTimingType.HANDSHAKE),
])  # fmt: skip
def test_timing_that_a_device_has_not_got(rig, line, kind):
    with rig.task() as task:
        task.di_channels.add_di_chan(line)
        task.timing.samp_timing_type = kind
        assert code_of(task.start) == -200077


@pytest.mark.parametrize(("source", "edge"), [("PFI5", c.Edge.RISING), ("RTSI7", c.Edge.FALLING)])
def test_a_pipelined_clock_as_it_was_configured(rig, source, edge):
    with rig.task() as task:
        task.di_channels.add_di_chan("hs/port0/line0")
        task.timing.cfg_pipelined_samp_clk_timing(32000.0, source, active_edge=edge, samps_per_chan=2000)
        timing = task.timing
        assert timing.samp_timing_type is c.SampleTimingType.PIPELINED_SAMPLE_CLOCK
        assert (timing.samp_clk_src, timing.samp_clk_active_edge, timing.samp_quant_samp_per_chan) == (source, edge, 2000)
