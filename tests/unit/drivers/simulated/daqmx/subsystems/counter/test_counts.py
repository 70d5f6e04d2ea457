"""Counters that count: edges, up and down and over their ends, and the steps of encoders."""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx import constants as c
from nidaqmx.stream_readers import CounterReader

from drivers.simulated.plant.plant import NoPlant
from tests.unit.drivers.simulated.daqmx.client_calls import let_pass

FINITE, CONTINUOUS = c.AcquisitionType.FINITE, c.AcquisitionType.CONTINUOUS


# -- edges -----------------------------------------------------------------------------------------------------------------------------


def steps(task, *states):
    for state in states:
        task.write(state)


def test_count_direction_initial_count_and_reset(bench):
    with bench.task() as line, bench.task() as count:
        line.do_channels.add_do_chan("Dev1/port1/line0:2", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        channel = count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0", initial_count=10, count_direction=c.CountDirection.EXTERNAL_SOURCE)
        channel.ci_count_edges_term, channel.ci_count_edges_dir_term = "/Dev1/PFI0", "/Dev1/PFI1"
        channel.ci_count_edges_count_reset_enable, channel.ci_count_edges_count_reset_term = True, "/Dev1/PFI2"
        channel.ci_count_edges_count_reset_reset_cnt = 100
        count.start()
        assert count.read() == 10
        steps(line, 0b010, 0b011, 0b010, 0b011)  # high is up
        assert count.read() == 12
        steps(line, 0b000, 0b001)
        assert count.read() == 11
        steps(line, 0b100)
        assert count.read() == 100
        steps(line, 0b110, 0b111)
        assert CounterReader(count.in_stream).read_one_sample_uint32() == 101


def test_a_count_goes_over_its_end(bench):
    with bench.task() as line, bench.task() as count:
        line.do_channels.add_do_chan("Dev1/port1/line0")
        channel = count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0", initial_count=2**32 - 1)
        channel.ci_count_edges_term = "/Dev1/PFI0"
        count.start()
        assert not channel.ci_tc_reached
        steps(line, True, False)
        assert channel.ci_count == 0
        assert channel.ci_tc_reached


def test_a_timebase_is_counted(bench):
    with bench.task() as count:
        count.ci_channels.add_ci_count_edges_chan("Dev1/ctr0").ci_count_edges_term = "/Dev1/100MHzTimebase"
        count.start()
        let_pass(bench, 0.25)
        let_pass(bench, 0.25)
        assert count.read() == pytest.approx(50e6, abs=1.0)


# -- encoders --------------------------------------------------------------------------------------------------------------------------


class Wheel(NoPlant):
    """The two lines of an encoder that makes a cycle in 40 ms."""

    digital_outputs = ("a", "b")

    def __init__(self):
        self.now = 0.0

    def advance(self, times, volts, lines):
        self.now = times[-1]
        return super().advance(times, volts, lines)

    def read_lines(self):
        quarter = int(self.now / 0.01) % 4
        return np.array([quarter in (1, 2), quarter in (2, 3)])


def test_encoder_of_the_plant(make_bench):
    bench = make_bench(plant=Wheel(), wiring={"Dev1/PFI8": "a", "Dev1/PFI10": "b"})
    with bench.task() as angle, bench.task() as back:
        angle.ci_channels.add_ci_ang_encoder_chan("Dev1/ctr0", pulses_per_rev=90)
        angle.start()
        let_pass(bench, 0.4005)
        assert angle.read() == pytest.approx(40.0)  # four counts a cycle, a degree each
        back.ci_channels.add_ci_period_chan("Dev1/ctr1", min_val=1e-3, max_val=0.1).ci_period_term = "/Dev1/PFI8"
        # A line of the plant is looked at every millisecond.
        assert back.read() == pytest.approx(0.04, abs=1.1e-3)


FORWARD = (0b01, 0b11, 0b10, 0b00)
"""A in the first line leads B in the second one: a cycle of an encoder."""


@pytest.mark.parametrize(("decoding", "counts"), [(c.EncoderType.X_1, 1), (c.EncoderType.X_2, 2), (c.EncoderType.X_4, 4)])
def test_encoder_goes_forth_and_back(bench, decoding, counts):
    with bench.task() as line, bench.task() as angle:
        line.do_channels.add_do_chan("Dev1/port1/line0:1", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        channel = angle.ci_channels.add_ci_ang_encoder_chan("Dev1/ctr0", decoding_type=decoding, pulses_per_rev=36, initial_angle=5.0)
        channel.ci_encoder_a_input_term, channel.ci_encoder_b_input_term = "/Dev1/PFI0", "/Dev1/PFI1"
        angle.start()
        steps(line, *FORWARD * 3)
        assert angle.read() == pytest.approx(5.0 + 30.0)
        assert CounterReader(angle.in_stream).read_one_sample_uint32() == 3 * counts
        steps(line, *(0b10, 0b11, 0b01, 0b00) * 4)
        assert angle.read() == pytest.approx(5.0 - 10.0)
        assert CounterReader(angle.in_stream).read_one_sample_uint32() == 2**32 - counts


def test_position_by_a_sample_clock(make_bench):
    """A position is sampled as it is at each clock edge, however many counts lie between ("X Series User Manual", Buffered Position)."""
    bench = make_bench(wiring={f"Dev1/PFI{n}": f"Dev1/port0/line{n}" for n in (0, 1)})
    with bench.task() as ab, bench.task() as place:
        ab.do_channels.add_do_chan("Dev1/port0/line0:1", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        ab.timing.cfg_samp_clk_timing(1000.0, sample_mode=FINITE, samps_per_chan=400)
        ab.write(np.tile(np.array(FORWARD, dtype=np.uint32), 100))
        channel = place.ci_channels.add_ci_lin_encoder_chan("Dev1/ctr0", decoding_type=c.EncoderType.X_4, dist_per_pulse=4.0)
        channel.ci_encoder_a_input_term, channel.ci_encoder_b_input_term = "/Dev1/PFI0", "/Dev1/PFI1"
        place.timing.cfg_samp_clk_timing(1000.0, source="/Dev1/do/SampleClock", samps_per_chan=400)
        place.start()
        ab.start()
        assert place.read(400) == list(range(400))


def test_two_pulse_encoder_in_metres(bench):
    with bench.task() as line, bench.task() as place:
        line.do_channels.add_do_chan("Dev1/port1/line0:1", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        channel = place.ci_channels.add_ci_lin_encoder_chan(
            "Dev1/ctr0", decoding_type=c.EncoderType.TWO_PULSE_COUNTING, dist_per_pulse=0.25, initial_pos=1.0
        )  # fmt: skip
        channel.ci_encoder_a_input_term, channel.ci_encoder_b_input_term = "/Dev1/PFI0", "/Dev1/PFI1"
        place.start()
        steps(line, 1, 0, 1, 0, 1, 0, 2, 0)
        assert place.read() == 1.5


def test_index_reloads_in_its_phase(bench):
    """ "X Series User Manual", Channel Z Behavior: a high level on Z in the phase reloads, after the count of the edge itself."""
    with bench.task() as line, bench.task() as angle:
        line.do_channels.add_do_chan("Dev1/port1/line0:2", line_grouping=c.LineGrouping.CHAN_FOR_ALL_LINES)
        channel = angle.ci_channels.add_ci_ang_encoder_chan(
            "Dev1/ctr0", zidx_enable=True, zidx_val=90.0, zidx_phase=c.EncoderZIndexPhase.AHIGH_BHIGH, pulses_per_rev=90
        )  # fmt: skip
        for name, pin in (("a", 0), ("b", 1), ("z", 2)):
            setattr(channel, f"ci_encoder_{name}_input_term", f"/Dev1/PFI{pin}")
        angle.start()
        steps(line, *FORWARD, 0b001)
        assert angle.read() == pytest.approx(5.0)  # a degree a count
        steps(line, 0b111)
        assert angle.read() == pytest.approx(90.0)
        steps(line, 0b010, 0b000)
        assert angle.read() == pytest.approx(92.0)
