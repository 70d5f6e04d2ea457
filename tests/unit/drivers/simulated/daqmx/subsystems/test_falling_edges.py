"""Falling edges of a sample clock: there are as many as rising ones, also behind the last sample.

Expected: "X Series User Manual", AI Sample Clock (a pulse for each sample); a reader on the falling edges of a generator's clock gets as
many samples as the generator takes.
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import Edge

from tests.unit.drivers.simulated.daqmx.client_calls import let_pass

COUNT, RATE = 50, 10_000.0
GENERATORS = {
    "ao": (lambda task: task.ao_channels.add_ao_voltage_chan("Dev1/ao0"), np.zeros(COUNT)),
    "do": (lambda task: task.do_channels.add_do_chan("Dev1/port0/line7"), [True, False] * (COUNT // 2)),
}
READERS = {
    "ai": lambda task: task.ai_channels.add_ai_voltage_chan("Dev1/ai0"),
    "di": lambda task: task.di_channels.add_di_chan("Dev1/port0/line0"),
    "ci": lambda task: task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0"),
}


def generator(task, kind):
    add, data = GENERATORS[kind]
    add(task)
    task.timing.cfg_samp_clk_timing(RATE, samps_per_chan=COUNT)
    task.write(data, auto_start=False)


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("by", GENERATORS)
def test_a_reader_gets_a_sample_for_each_falling_edge(either_pace, by, kind):
    with either_pace.task() as out, either_pace.task() as task:
        generator(out, by)
        READERS[kind](task)
        task.timing.cfg_samp_clk_timing(RATE, source=f"/Dev1/{by}/SampleClock", active_edge=Edge.FALLING, samps_per_chan=COUNT)
        task.start()
        out.start()
        assert len(task.read(COUNT, timeout=5.0)) == COUNT


def test_an_output_on_the_falling_edges_of_an_input(either_pace):
    with either_pace.task() as inputs, either_pace.task() as out:
        READERS["ai"](inputs)
        inputs.timing.cfg_samp_clk_timing(RATE, samps_per_chan=COUNT)
        GENERATORS["ao"][0](out)
        out.timing.cfg_samp_clk_timing(RATE, source="/Dev1/ai/SampleClock", active_edge=Edge.FALLING, samps_per_chan=COUNT)
        out.write(GENERATORS["ao"][1], auto_start=True)
        inputs.start()
        out.wait_until_done(5.0)
        assert out.out_stream.total_samp_per_chan_generated == COUNT


def test_a_clock_has_fallen_when_the_run_is_over(bench):
    with bench.task() as inputs, bench.task() as counting:
        READERS["ai"](inputs)
        inputs.timing.cfg_samp_clk_timing(RATE, samps_per_chan=COUNT)
        channel = counting.ci_channels.add_ci_count_edges_chan("Dev1/ctr3", edge=Edge.FALLING)
        channel.ci_count_edges_term = "/Dev1/ai/SampleClock"
        counting.start()
        inputs.start()
        inputs.wait_until_done(1.0)
        let_pass(bench, 0.01)
        assert counting.read() == COUNT
