"""Counter channels as they are made: attributes, default terminals, what can be set.

Expected values: NI's tests of its nidaqmx package (tests/component/task/channels/test_ci_channel.py, test_co_channel.py,
test_channel_properties.py); "X Series User Manual", Default Counter/Timer Pinouts; "NI-DAQmx Help", Counter Signal Connections.
"""

from __future__ import annotations

import pytest
from nidaqmx import Scale
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, set_and_reset

U = c.UsageTypeCI


INPUTS = [
    ("ang_encoder_chan", "Dev1/ctr0", U.POSITION_ANGULAR_ENCODER,
     {"decoding_type": c.EncoderType.TWO_PULSE_COUNTING, "zidx_enable": True, "zidx_val": 30.0,
      "zidx_phase": c.EncoderZIndexPhase.AHIGH_BHIGH, "units": c.AngleUnits.DEGREES, "pulses_per_rev": 24, "initial_angle": 15.0},
     {"ci_encoder_decoding_type": c.EncoderType.TWO_PULSE_COUNTING, "ci_encoder_z_index_enable": True, "ci_encoder_z_index_val": 30.0,
      "ci_encoder_z_index_phase": c.EncoderZIndexPhase.AHIGH_BHIGH, "ci_ang_encoder_units": c.AngleUnits.DEGREES,
      "ci_ang_encoder_pulses_per_rev": 24, "ci_ang_encoder_initial_angle": 15.0,
      "ci_encoder_a_input_term": "/Dev1/PFI8", "ci_encoder_b_input_term": "/Dev1/PFI10", "ci_encoder_z_input_term": "/Dev1/PFI9"}),
    ("ang_velocity_chan", "cDAQ1Mod1/ctr0", U.VELOCITY_ANGULAR_ENCODER, {"decoding_type": c.EncoderType.X_2, "pulses_per_rev": 12},
     {"ci_velocity_encoder_decoding_type": c.EncoderType.X_2, "ci_velocity_ang_encoder_pulses_per_rev": 12}),
    ("count_edges_chan", "Dev1/ctr0", U.COUNT_EDGES,
     {"edge": c.Edge.FALLING, "initial_count": 1, "count_direction": c.CountDirection.COUNT_DOWN},
     {"ci_count_edges_active_edge": c.Edge.FALLING, "ci_count_edges_initial_cnt": 1, "ci_count_edges_dir": c.CountDirection.COUNT_DOWN,
      "ci_count_edges_term": "/Dev1/PFI8", "ci_count_edges_dir_term": "/Dev1/PFI10"}),
    ("duty_cycle_chan", "cDAQ1Mod1/ctr0", U.DUTY_CYCLE, {"edge": c.Edge.FALLING}, {"ci_duty_cycle_starting_edge": c.Edge.FALLING}),
    ("freq_chan", "Dev1/ctr1", U.FREQUENCY, {"edge": c.Edge.RISING},
     {"ci_freq_meas_meth": c.CounterFrequencyMethod.LOW_FREQUENCY_1_COUNTER, "ci_freq_term": "/Dev1/PFI4", "ci_min": 2.0, "ci_max": 100.0}),
    ("freq_chan", "Dev1/ctr0", U.FREQUENCY,
     {"edge": c.Edge.FALLING, "meas_method": c.CounterFrequencyMethod.HIGH_FREQUENCY_2_COUNTERS, "meas_time": 0.002},
     {"ci_freq_starting_edge": c.Edge.FALLING, "ci_freq_meas_time": 0.002, "ci_freq_term": "/Dev1/PFI8"}),
    ("freq_chan", "Dev1/ctr3", U.FREQUENCY, {"meas_method": c.CounterFrequencyMethod.LARGE_RANGE_2_COUNTERS, "divisor": 8},
     {"ci_freq_div": 8, "ci_freq_term": "/Dev1/PFI5"}),
    ("lin_encoder_chan", "Dev1/ctr2", U.POSITION_LINEAR_ENCODER, {"dist_per_pulse": 0.002, "initial_pos": 0.002},
     {"ci_lin_encoder_dist_per_pulse": 0.002, "ci_lin_encoder_initial_pos": 0.002, "ci_encoder_decoding_type": c.EncoderType.X_4,
      "ci_encoder_a_input_term": "/Dev1/PFI0", "ci_encoder_b_input_term": "/Dev1/PFI2", "ci_encoder_z_input_term": "/Dev1/PFI1"}),
    ("lin_velocity_chan", "cDAQ1Mod1/ctr0", U.VELOCITY_LINEAR_ENCODER, {"dist_per_pulse": 0.004},
     {"ci_velocity_lin_encoder_dist_per_pulse": 0.004}),
    ("period_chan", "Dev1/ctr0", U.PERIOD, {"meas_method": c.CounterFrequencyMethod.HIGH_FREQUENCY_2_COUNTERS, "meas_time": 0.002},
     {"ci_period_meas_time": 0.002, "ci_period_starting_edge": c.Edge.RISING}),
    ("pulse_chan_time", "Dev1/ctr0", U.PULSE_TIME, {}, {"ci_pulse_time_term": "/Dev1/PFI9"}),
    ("pulse_chan_freq", "Dev1/ctr0", U.PULSE_FREQ, {}, {"ci_pulse_freq_term": "/Dev1/PFI9"}),
    ("pulse_width_chan", "Dev1/ctr0", U.PULSE_WIDTH_DIGITAL, {"starting_edge": c.Edge.FALLING},
     {"ci_pulse_width_starting_edge": c.Edge.FALLING, "ci_pulse_width_term": "/Dev1/PFI9"}),
    ("semi_period_chan", "Dev1/ctr0", U.PULSE_WIDTH_DIGITAL_SEMI_PERIOD, {}, {"ci_semi_period_term": "/Dev1/PFI9"}),
    ("two_edge_sep_chan", "Dev1/ctr0", U.PULSE_WIDTH_DIGITAL_TWO_EDGE_SEPARATION,
     {"first_edge": c.Edge.FALLING, "second_edge": c.Edge.RISING},
     {"ci_two_edge_sep_first_edge": c.Edge.FALLING, "ci_two_edge_sep_second_edge": c.Edge.RISING,
      "ci_two_edge_sep_first_term": "/Dev1/PFI10", "ci_two_edge_sep_second_term": "/Dev1/PFI9"}),
    # "NI-DAQmx Help", Counter Signal Connections: NI 9401, eight channels.
    ("count_edges_chan", "cDAQ1Mod2/ctr2", U.COUNT_EDGES, {},
     {"ci_count_edges_term": "/cDAQ1Mod2/PFI3", "ci_count_edges_dir_term": "/cDAQ1Mod2/PFI0"}),
    ("freq_chan", "cDAQ1Mod2/ctr1", U.FREQUENCY, {}, {"ci_freq_term": "/cDAQ1Mod2/PFI5"}),
]  # fmt: skip


@pytest.mark.parametrize(("what", "where", "usage", "given", "expected"), INPUTS, ids=[f"{i[0]}-{i[1]}" for i in INPUTS])
def test_inputs(counters, what, where, usage, given, expected):
    with counters.task() as task:
        channel = getattr(task.ci_channels, f"add_ci_{what}")(where, **given)
        assert channel.chan_type is c.ChannelType.COUNTER_INPUT
        assert channel.ci_meas_type is usage
        for name, value in expected.items():
            assert getattr(channel, name) == value, name


@pytest.mark.parametrize("source", ["PFI0", "PFI1"])
def test_timebase_of_ticks_is_fully_qualified(counters, source):
    with counters.task() as task:
        assert task.ci_channels.add_ci_pulse_chan_ticks("Dev1/ctr0", source_terminal=source).ci_ctr_timebase_src == f"/Dev1/{source}"


def test_an_angle_by_a_custom_scale(counters):
    Scale.create_lin_scale("degrees_scale", 2.0, pre_scaled_units=c.UnitsPreScaled.DEGREES, grpc_options=counters.options)
    with counters.task() as task:
        add = task.ci_channels.add_ci_ang_encoder_chan
        channel = add("Dev1/ctr0", units=c.AngleUnits.FROM_CUSTOM_SCALE, custom_scale_name="degrees_scale", pulses_per_rev=8)
        assert channel.ci_custom_scale.name == "degrees_scale"
        assert channel.ci_ang_encoder_units is c.AngleUnits.FROM_CUSTOM_SCALE
        assert code_of(add, "Dev1/ctr1", units=c.AngleUnits.FROM_CUSTOM_SCALE, custom_scale_name="nobody") == -200378


OUTPUTS = [
    ("freq", {"idle_state": c.Level.HIGH, "initial_delay": 0.002, "freq": 100.0, "duty_cycle": 0.75}, c.UsageTypeCO.PULSE_FREQUENCY,
     {"co_pulse_idle_state": c.Level.HIGH, "co_pulse_freq_initial_delay": 0.002, "co_pulse_freq": 100.0, "co_pulse_duty_cyc": 0.75}),
    ("ticks", {"source_terminal": "PFI0", "initial_delay": 2, "low_ticks": 75, "high_ticks": 25}, c.UsageTypeCO.PULSE_TICKS,
     {"co_ctr_timebase_src": "/Dev1/PFI0", "co_pulse_ticks_initial_delay": 2, "co_pulse_low_ticks": 75, "co_pulse_high_ticks": 25}),
    ("ticks", {"source_terminal": "100khzTimebase", "idle_state": c.Level.HIGH, "initial_delay": 4, "low_ticks": 250, "high_ticks": 750},
     c.UsageTypeCO.PULSE_TICKS, {"co_ctr_timebase_src": "/Dev1/100khzTimebase", "co_pulse_high_ticks": 750}),
    ("time", {"initial_delay": 0.001, "low_time": 0.75, "high_time": 0.25}, c.UsageTypeCO.PULSE_TIME,
     {"co_pulse_idle_state": c.Level.LOW, "co_pulse_time_initial_delay": 0.001, "co_pulse_low_time": 0.75, "co_pulse_high_time": 0.25}),
]  # fmt: skip


@pytest.mark.parametrize(("what", "given", "usage", "expected"), OUTPUTS, ids=["freq", "ticks", "ticks-100kHz", "time"])
def test_outputs(counters, what, given, usage, expected):
    with counters.task() as task:
        channel = getattr(task.co_channels, f"add_co_pulse_chan_{what}")("Dev1/ctr0", **given)
        assert channel.co_output_type is usage
        assert channel.chan_type is c.ChannelType.COUNTER_OUTPUT
        for name, value in expected.items():
            assert getattr(channel, name) == value, name
        assert channel.co_pulse_term == "/Dev1/PFI12"


def test_default_output_terminals(counters):
    for number, pin in enumerate((12, 13, 14, 15)):
        with counters.task() as task:
            assert task.co_channels.add_co_pulse_chan_freq(f"Dev1/ctr{number}").co_pulse_term == f"/Dev1/PFI{pin}"


def test_a_property_with_a_text_is_set_and_reset(counters):
    # test_channel_properties.py
    with counters.task() as task:
        channel = task.ci_channels.add_ci_pulse_width_chan("Dev1/ctr0")
        assert channel.ci_ctr_timebase_dig_fltr_timebase_src == "100MHzTimebase"
        assert set_and_reset(channel, "ci_ctr_timebase_dig_fltr_timebase_src", "20MHzTimebase") == "100MHzTimebase"


def test_terminals_are_chosen_and_given_back(counters):
    with counters.task() as task:
        channel = task.ci_channels.add_ci_freq_chan("Dev1/ctr0")
        channel.ci_freq_term = "PFI3"
        assert channel.ci_freq_term == "/Dev1/PFI3"
        del channel.ci_freq_term
        assert channel.ci_freq_term == "/Dev1/PFI9"
        channel.ci_freq_meas_meth = c.CounterFrequencyMethod.HIGH_FREQUENCY_2_COUNTERS
        assert channel.ci_freq_term == "/Dev1/PFI8"


@pytest.mark.parametrize(("add", "where", "given", "code"), [
    ("ci_channels.add_ci_count_edges_chan", "Dev1/ctr4", {}, -200170),
    ("ci_channels.add_ci_count_edges_chan", "PXI1Slot2/ctr0", {}, -200170),
    ("ci_channels.add_ci_count_edges_chan", "Dev1/freqout", {}, -200430),
    ("ci_channels.add_ci_ang_velocity_chan", "Dev1/ctr0", {}, -200431),
    ("ci_channels.add_ci_semi_period_chan", "cDAQ1Mod1/ctr0", {}, -200431),
    ("ci_channels.add_ci_gps_timestamp_chan", "Dev1/ctr0", {}, -200431),
    ("co_channels.add_co_pulse_chan_time", "Dev1/freqout", {}, -200431),
    ("co_channels.add_co_pulse_chan_freq", "cDAQ1Mod1/ctr0", {}, -200430),
    ("ci_channels.add_ci_freq_chan", "Dev1/ctr0", {"min_val": 5.0, "max_val": 5.0}, -200082),
    ("co_channels.add_co_pulse_chan_freq", "Dev1/ctr0", {"duty_cycle": 1.0}, -200077),
    ("co_channels.add_co_pulse_chan_freq", "Dev1/ctr0", {"freq": 0.0}, -200077),
    ("co_channels.add_co_pulse_chan_ticks", "Dev1/ctr0", {"source_terminal": "PFI0", "low_ticks": 1}, -200077),
])  # fmt: skip
def test_what_counters_do_not_do(counters, add, where, given, code):
    collection, _, call = add.partition(".")
    with counters.task() as task:
        assert code_of(getattr(getattr(task, collection), call), where, **given) == code


def test_names_and_types(counters):
    with counters.task() as task:
        assert task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0", name_to_assign_to_channel="myChan").name == "myChan"
        assert code_of(task.co_channels.add_co_pulse_chan_freq, "Dev1/ctr1") == -200559
        assert code_of(lambda: task.ci_channels[0].ci_freq_term) == -200452
