"""PFI pins as digital channels, and change detection without a buffer.

"X Series User Manual", Digital I/O: port 1 is PFI 0 to 7, port 2 is PFI 8 to 15. A program that names them so: micro-manager,
mmCoreAndDevices, issue 464 (`/Dev1/PFI0`, buffer 0, changes exported to another PFI).
"""

from __future__ import annotations

import pytest
from nidaqmx.constants import AcquisitionType, LineGrouping, Signal
from nidaqmx.system import PhysicalChannel

from tests.unit.drivers.simulated.daqmx.client_calls import Heard, code_of, edges_out, let_pass

ALL = LineGrouping.CHAN_FOR_ALL_LINES
CONTINUOUS = AcquisitionType.CONTINUOUS


@pytest.mark.parametrize("name", ["/Dev1/PFI0", "Dev1/PFI0", "dev1/pfi0", "/Dev1/PFI00"])
def test_a_pin_is_a_channel_under_its_name(bench, name):
    with bench.task() as task:
        channel = task.di_channels.add_di_chan(name, line_grouping=ALL)
        assert task.channel_names == ["Dev1/PFI0"]
        assert channel.physical_channel.name == "Dev1/PFI0"
        assert channel.di_num_lines == 1


@pytest.mark.parametrize(
    ("pins", "lines"), [("PFI0", "port1/line0"), ("PFI7", "port1/line7"), ("PFI8", "port2/line0"), ("PFI15", "port2/line7")]
)
def test_a_pin_is_its_line(make_bench, pins, lines):
    bench = make_bench(wiring={"Dev1/port0/line0": f"Dev1/{lines}"})
    with bench.task() as out, bench.task() as seen:
        out.do_channels.add_do_chan(f"Dev1/{pins}")
        seen.di_channels.add_di_chan("Dev1/port0/line0")
        for level in (True, False, True):
            out.write(level)
            assert seen.read() is level


def test_a_range_of_pins_over_two_ports(bench):
    with bench.task() as task:
        task.do_channels.add_do_chan("/Dev1/PFI6:9", line_grouping=ALL)
        task.write(0b1101)
        task.start()
        assert [bench.engine.board.lines[f"dev1/port{p}/line{n}"] for p, n in ((1, 6), (1, 7), (2, 0), (2, 1))] == [True, False, True, True]


def test_a_pin_that_there_is_not(bench):
    with bench.task() as task:
        assert code_of(task.di_channels.add_di_chan, "Dev1/PFI16") == -200170


def test_a_pin_and_its_line_are_one_resource(bench):
    with bench.task() as one, bench.task() as two:
        one.do_channels.add_do_chan("Dev1/PFI3")
        two.do_channels.add_do_chan("Dev1/port1/line3")
        one.start()
        assert code_of(two.start) == -200587


def test_what_the_pin_can(bench):
    pin = PhysicalChannel("Dev1/PFI0", grpc_options=bench.options)
    assert pin.di_change_detect_supported and not pin.di_samp_clk_supported


# -- changes without a buffer ------------------------------------------------------------------------------------------------------------


def changes(task, *, buffer=0):
    task.di_channels.add_di_chan("/Dev1/PFI0", line_grouping=ALL)
    task.in_stream.input_buf_size = buffer
    task.timing.cfg_change_detection_timing("/Dev1/PFI0", "Dev1/PFI0", sample_mode=CONTINUOUS, samps_per_chan=0)


def test_changes_go_out_at_another_pin(make_bench):
    bench = make_bench(wiring={"Dev1/PFI0": "Dev1/port0/line0"})
    with bench.task() as task, bench.task() as out, bench.task() as counter:
        changes(task)
        task.export_signals.export_signal(Signal.CHANGE_DETECTION_EVENT, "/Dev1/PFI2")
        out.do_channels.add_do_chan("Dev1/port0/line0")
        count = edges_out(counter, "/Dev1/PFI2")
        task.start()
        for level in (True, False, True):
            out.write(level)
            let_pass(bench, 1e-3)
        assert count() == 3


def test_reads_give_the_newest_change(make_bench):
    bench = make_bench(wiring={"Dev1/PFI0": "Dev1/port0/line0"})
    with bench.task() as task, bench.task() as out:
        changes(task)
        out.do_channels.add_do_chan("Dev1/port0/line0")
        out.write(False)
        task.start()
        assert code_of(task.read, timeout=0.01) == -200284
        for level in (True, False, True):
            out.write(level)
            let_pass(bench, 1e-3)
        assert task.read(timeout=0.01) is True
        assert code_of(task.read, timeout=0.01) == -200284
        out.write(False)
        let_pass(bench, 1e-3)
        assert task.read(timeout=0.01) is False


def test_events_of_changes_without_a_buffer(make_bench):
    bench = make_bench("real", wiring={"Dev1/PFI0": "Dev1/port0/line0"})
    with bench.task() as task, bench.task() as out:
        changes(task)
        heard = Heard()
        task.register_signal_event(Signal.CHANGE_DETECTION_EVENT, heard)
        out.do_channels.add_do_chan("Dev1/port0/line0")
        out.write(False)
        task.start()
        out.write(True)
        heard.wait(1)
        task.stop()


def test_a_clocked_acquisition_needs_its_buffer(bench):
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0", line_grouping=ALL)
        task.timing.cfg_samp_clk_timing(1000.0, sample_mode=CONTINUOUS)
        task.in_stream.input_buf_size = 0
        assert code_of(task.start) == -200608
