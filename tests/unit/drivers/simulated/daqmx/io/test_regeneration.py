"""What is written while an output runs: behind what is on board, and what a time-out leaves written.

Expected: NI knowledge base kA00Z0000019Mg6SAE, "Dynamic/Programmatic Analog Output" (with the request condition "less than full" the whole
on-board memory is put out before new data); "Regeneration", NI-DAQmx Key Concepts; FIFO sizes of the X Series specifications: 8191 samples
of AO, shared by the channels, 2047 of DO; -200292, "some or all of the samples to write could not be written ... before the time-out".
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.errors import DaqWriteError

from tests.unit.drivers.simulated.daqmx.client_calls import ADD, let_pass, volts_in

RATE = 10_000.0
CONTINUOUS = c.AcquisitionType.CONTINUOUS
AO_FIFO, DO_FIFO = 8191, 2047


def clocked(task, add, rate=RATE, regenerate=True):
    add(task)
    task.timing.cfg_samp_clk_timing(rate, sample_mode=CONTINUOUS)
    mode = c.RegenerationMode
    task.out_stream.regen_mode = mode.ALLOW_REGENERATION if regenerate else mode.DONT_ALLOW_REGENERATION


def seen(bench, count, name="Dev1/ai0"):
    """Samples of an input that sees the output, from the output's first on."""
    task = bench.task()
    volts_in(task, RATE, count, where=name, source="/Dev1/ao/SampleClock")
    task.start()
    return task


@pytest.mark.parametrize(("channels", "condition", "onboard"), [
    (1, c.OutputDataTransferCondition.ON_BOARD_MEMORY_LESS_THAN_FULL, AO_FIFO),
    (1, c.OutputDataTransferCondition.ON_BOARD_MEMORY_HALF_FULL_OR_LESS, AO_FIFO / 2),
    (2, c.OutputDataTransferCondition.ON_BOARD_MEMORY_LESS_THAN_FULL, AO_FIFO // 2),
])  # fmt: skip
def test_new_levels_come_out_behind_the_memory_on_board(make_bench, channels, condition, onboard):
    bench = make_bench(wiring={"Dev1/ai0": "Dev1/ao0"})
    with bench.task() as out:
        clocked(out, lambda task: task.ao_channels.add_ao_voltage_chan(f"Dev1/ao0:{channels - 1}"))
        out.ao_channels.all.ao_data_xfer_req_cond = condition
        shape = (1000,) if channels == 1 else (channels, 1000)
        out.write(np.zeros(shape), auto_start=False)
        with seen(bench, 12_000) as back:
            out.start()
            let_pass(bench, 999.5 / RATE)
            out.write(np.ones(shape))
            values = np.array(back.read(12_000, timeout=5.0))
    first = int(np.argmax(values > 0.5))
    assert first == pytest.approx(1000 + onboard, abs=3)
    assert (values[first:] > 0.99).all()


def test_writes_one_after_the_other(make_bench):
    bench = make_bench(wiring={"Dev1/ai0": "Dev1/ao0"})
    with bench.task() as out:
        clocked(out, ADD["ao"])
        out.write(np.zeros(1000), auto_start=False)
        with seen(bench, 16_000) as back:
            out.start()
            for level in (1.0, 2.0, 3.0):
                let_pass(bench, (999.5 if level == 1.0 else 1000.0) / RATE)
                out.write(np.full(1000, level))
            values = np.array(back.read(16_000, timeout=5.0))
    changes = np.flatnonzero(np.diff(np.rint(values))) + 1
    np.testing.assert_allclose(changes, AO_FIFO + 1000 * np.array([1, 2, 3]), atol=5)


def test_new_states_of_lines_come_out_behind_the_memory_on_board(make_bench):
    bench = make_bench()
    with bench.task() as out, bench.task() as back:
        clocked(out, lambda task: task.do_channels.add_do_chan("Dev1/port0/line0"))
        out.write([False] * 1000, auto_start=False)
        back.di_channels.add_di_chan("Dev1/port0/line0")
        back.timing.cfg_samp_clk_timing(RATE, source="/Dev1/do/SampleClock", samps_per_chan=5000)
        back.start()
        out.start()
        let_pass(bench, 999.5 / RATE)
        out.write([True] * 1000)
        values = np.array(back.read(5000, timeout=5.0))
    first = int(np.argmax(values))
    assert first == pytest.approx(1000 + DO_FIFO, abs=3)
    assert values[first:].all()


def test_a_stop_forgets_what_is_on_board(make_bench):
    bench = make_bench(wiring={"Dev1/ai0": "Dev1/ao0"})
    with bench.task() as out:
        clocked(out, ADD["ao"])
        out.write(np.zeros(1000), auto_start=False)
        out.start()
        out.write(np.ones(1000))
        out.stop()
        with seen(bench, 100) as back:
            out.start()
            values = np.array(back.read(100, timeout=1.0))
    assert (values[1:] > 0.99).all()


# -- space that becomes free -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "onboard", "timeout"), [("ao", AO_FIFO, 0.5), ("ao", AO_FIFO, 1.0), ("ao", AO_FIFO, 3.0), ("do", DO_FIFO, 1.0)]
)
def test_a_write_takes_what_becomes_free_until_its_time_out(bench, kind, onboard, timeout):
    wave = [0.0] * 20_000 if kind == "ao" else [False] * 20_000
    with bench.task() as out:
        clocked(out, ADD[kind], rate=1000.0, regenerate=False)
        out.out_stream.output_buf_size = 10_000
        out.write(wave[:10_000], auto_start=False)
        out.start()
        with pytest.raises(DaqWriteError) as caught:
            out.write(wave, timeout=timeout)
        assert caught.value.error_code == -200292
        assert caught.value.samps_per_chan_written == pytest.approx(onboard + 1000 * timeout, abs=2)
