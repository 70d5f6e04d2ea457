"""Properties of counter channels: which a measurement has, and what they are unless set.

Expected: "NI-DAQmx Properties" (each group belongs to a measurement; any other answers -200452, not applicable to the task); signatures
of the add_ci_... and add_co_... calls of nidaqmx for defaults; NI's tests of nidaqmx (tests/component/task/channels/
test_channel_properties.py: the filter's timebase is 100MHzTimebase); "X Series User Manual": averaging of sample clocked frequencies is on
("the default is True"), "power up: the filters are disabled", prescaling disabled.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from nidaqmx import constants as c
from nidaqmx.errors import DaqError
from nidaqmx.task.channels._ci_channel import CIChannel

from tests.tiers import quick
from tests.unit.drivers.simulated.daqmx.client_calls import code_of

RISING, FALLING = c.Edge.RISING, c.Edge.FALLING
GROUPS = ("count_edges", "freq", "period", "pulse_width", "semi_period", "two_edge_sep", "pulse_freq", "pulse_time", "pulse_ticks",
          "duty_cycle", "ang_encoder", "lin_encoder", "encoder", "velocity", "timestamp", "gps_sync")  # fmt: skip
"""What the names of properties begin with that belong to some measurements only."""
ALWAYS = {
    "ctr_timebase_active_edge": RISING, "ctr_timebase_dig_fltr_enable": False, "ctr_timebase_dig_sync_enable": False,
    "ctr_timebase_dig_fltr_timebase_src": "100MHzTimebase", "prescaler": 1, "mem_map_enable": False,
}  # fmt: skip
MEASUREMENTS = {
    "count_edges_chan": (["count_edges"], {
        "ci_count_edges_active_edge": RISING, "ci_count_edges_dir": c.CountDirection.COUNT_UP, "ci_count_edges_initial_cnt": 0,
        "ci_count_edges_count_reset_enable": False, "ci_count_edges_count_reset_reset_cnt": 0,
        "ci_count_edges_count_reset_active_edge": RISING, "ci_count_edges_gate_enable": False, "ci_count_edges_gate_when": c.Level.HIGH,
        "ci_count_edges_count_dir_dig_fltr_enable": False, "ci_count_edges_gate_dig_fltr_enable": False,
        "ci_count_edges_count_reset_dig_fltr_enable": False, "ci_count_edges_dig_sync_enable": False,
    }),
    "freq_chan": (["freq"], {
        "ci_freq_starting_edge": RISING, "ci_freq_meas_meth": c.CounterFrequencyMethod.LOW_FREQUENCY_1_COUNTER, "ci_freq_meas_time": 0.001,
        "ci_freq_div": 4, "ci_freq_units": c.FrequencyUnits.HZ, "ci_freq_enable_averaging": True, "ci_min": 2.0, "ci_max": 100.0,
    }),
    "period_chan": (["period"], {
        "ci_period_starting_edge": RISING, "ci_period_meas_meth": c.CounterFrequencyMethod.LOW_FREQUENCY_1_COUNTER,
        "ci_period_meas_time": 0.001, "ci_period_div": 4, "ci_period_units": c.TimeUnits.SECONDS, "ci_period_enable_averaging": True,
        "ci_min": 1e-6, "ci_max": 0.1,
    }),
    "pulse_width_chan": (["pulse_width"], {
        "ci_pulse_width_starting_edge": RISING, "ci_pulse_width_units": c.TimeUnits.SECONDS, "ci_min": 1e-6, "ci_max": 0.1,
    }),
    "semi_period_chan": (["semi_period"], {"ci_semi_period_units": c.TimeUnits.SECONDS, "ci_min": 1e-6, "ci_max": 0.1}),
    "two_edge_sep_chan": (["two_edge_sep"], {
        "ci_two_edge_sep_first_edge": RISING, "ci_two_edge_sep_second_edge": FALLING, "ci_two_edge_sep_units": c.TimeUnits.SECONDS,
        "ci_min": 1e-6, "ci_max": 1.0,
    }),
    "pulse_chan_freq": (["pulse_freq"], {"ci_pulse_freq_units": c.FrequencyUnits.HZ, "ci_min": 1e3, "ci_max": 1e6}),
    "pulse_chan_time": (["pulse_time"], {"ci_pulse_time_units": c.TimeUnits.SECONDS, "ci_min": 1e-6, "ci_max": 1e-3}),
    "pulse_chan_ticks": (["pulse_ticks"], {"ci_min": 1e3, "ci_max": 1e6}),
    "ang_encoder_chan": (["encoder", "ang_encoder"], {
        "ci_ang_encoder_units": c.AngleUnits.DEGREES, "ci_ang_encoder_pulses_per_rev": 24, "ci_ang_encoder_initial_angle": 0.0,
        "ci_encoder_decoding_type": c.EncoderType.X_4, "ci_encoder_z_index_enable": False, "ci_encoder_z_index_val": 0.0,
        "ci_encoder_z_index_phase": c.EncoderZIndexPhase.AHIGH_BHIGH,
    }),
    "lin_encoder_chan": (["encoder", "lin_encoder"], {
        "ci_lin_encoder_units": c.LengthUnits.METERS, "ci_lin_encoder_dist_per_pulse": 0.001, "ci_lin_encoder_initial_pos": 0.0,
    }),
}  # fmt: skip
OF_MODULES = {
    "duty_cycle_chan": (["duty_cycle"], {"ci_duty_cycle_starting_edge": RISING, "ci_min": 2.0, "ci_max": 10e3}),
    "ang_velocity_chan": (["velocity"], {
        "ci_velocity_ang_encoder_units": c.AngularVelocityUnits.RPM, "ci_velocity_ang_encoder_pulses_per_rev": 24,
        "ci_velocity_encoder_decoding_type": c.EncoderType.X_4,
    }),
    "lin_velocity_chan": (["velocity"], {
        "ci_velocity_lin_encoder_units": c.VelocityUnits.METERS_PER_SECOND, "ci_velocity_lin_encoder_dist_per_pulse": 0.001,
    }),
}  # fmt: skip
NOT_OF_THE_GROUP = ("term_cfg", "logic_lvl_behavior", "thresh_voltage", "hyst")
"""Properties of terminals that only some products have."""


def group_of(name):
    """Which measurements a property belongs to, None where to all."""
    rest = name.removeprefix("ci_")
    if rest.startswith("freq_") and rest.removeprefix("freq_") in ("thresh_voltage", "hyst"):
        return None
    return next((g for g in sorted(GROUPS, key=len, reverse=True) if rest.startswith(f"{g}_")), None)


@pytest.mark.parametrize("what", [*MEASUREMENTS, *OF_MODULES])
def test_defaults_of_a_measurement(counters, what):
    _, expected = (MEASUREMENTS | OF_MODULES)[what]
    with counters.task() as task:
        channel = getattr(task.ci_channels, f"add_ci_{what}")("cDAQ1Mod1/ctr0" if what in OF_MODULES else "Dev1/ctr0")
        for name, value in (expected | {f"ci_{name}": value for name, value in ALWAYS.items()}).items():
            assert getattr(channel, name) == value, name
        assert channel.ci_custom_scale.name == ""


@pytest.mark.parametrize("what", quick([*MEASUREMENTS, *OF_MODULES], 4))
def test_what_a_measurement_has_not(counters, what):
    groups, _ = (MEASUREMENTS | OF_MODULES)[what]
    with counters.task() as task:
        channel = getattr(task.ci_channels, f"add_ci_{what}")("cDAQ1Mod1/ctr0" if what in OF_MODULES else "Dev1/ctr0")
        others = [n for n in dir(CIChannel) if n.startswith("ci_") and group_of(n) is not None and group_of(n) not in groups]
        assert len(others) > 100
        for name in others:
            if what in OF_MODULES and name.endswith(NOT_OF_THE_GROUP):
                continue
            assert code_of(getattr, channel, name) == -200452, name


@pytest.mark.parametrize("what", MEASUREMENTS)
def test_what_a_measurement_has_is_set_and_reset(counters, what):
    """Every property of the group keeps what it is given back; the reset leads to the default."""
    groups, _ = MEASUREMENTS[what]
    with counters.task() as task:
        channel = getattr(task.ci_channels, f"add_ci_{what}")("Dev1/ctr0")
        mine = [n for n in dir(CIChannel) if n.startswith("ci_") and group_of(n) in groups and not n.endswith(NOT_OF_THE_GROUP)]
        assert mine
        for name in mine:
            before = getattr(channel, name)
            setattr(channel, name, before if not name.endswith("min_pulse_width") else 1e-6)
            delattr(channel, name)
            assert getattr(channel, name) == before, name


@pytest.mark.parametrize("name", ["ci_count", "ci_tc_reached", "ci_output_state"])
def test_how_a_counter_stands_is_told_while_it_runs(counters, name):
    """-200983: only while the task is reserved, committed or running."""
    with counters.task() as task:
        channel = task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        assert code_of(getattr, channel, name) == -200983
        task.start()
        getattr(channel, name)


@pytest.mark.parametrize(("name", "value"), [
    # Numbers that are in none of the client's enumerations.
    ("ci_count_edges_active_edge", SimpleNamespace(value=1)), ("ci_count_edges_dir", SimpleNamespace(value=1)),
    ("ci_count_edges_gate_when", SimpleNamespace(value=1)), ("ci_count_edges_count_reset_active_edge", SimpleNamespace(value=1)),
    ("ci_ctr_timebase_active_edge", SimpleNamespace(value=1)), ("ci_prescaler", 5),
    ("ci_ctr_timebase_rate", -1.0), ("ci_count_edges_dig_fltr_min_pulse_width", -1.0),
])  # fmt: skip
def test_values_that_no_property_takes(counters, name, value):
    with counters.task() as task:
        channel = task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        assert code_of(setattr, channel, name, value) == -200077


@pytest.mark.parametrize("name", ["ci_max_meas_period", "ci_samp_clk_overrun_behavior"])
def test_what_only_counter_modules_have(counters, name):
    with counters.task() as task:
        assert code_of(getattr, task.ci_channels.add_ci_freq_chan("Dev1/ctr0"), name) == -200452
    with counters.task() as task:
        channel = task.ci_channels.add_ci_freq_chan("cDAQ1Mod1/ctr0")
        assert channel.ci_samp_clk_overrun_behavior is c.SampClkOverrunBehavior.REPEAT_LAST_SAMPLE


def test_only_counter_modules_average_dynamically(counters):
    method = c.CounterFrequencyMethod.DYNAMIC_AVERAGING
    with counters.task() as task:
        task.ci_channels.add_ci_freq_chan("Dev1/ctr0", meas_method=method)
        assert code_of(task.start) == -200077
    with counters.task() as task:
        task.ci_channels.add_ci_freq_chan("cDAQ1Mod1/ctr0", meas_method=method)
        task.control(c.TaskMode.TASK_VERIFY)


@pytest.mark.parametrize(("add", "where"), [("ci_gps_timestamp_chan", "Dev1/ctr0"), ("ci_ang_velocity_chan", "Dev1/ctr0"),
                                            ("ci_duty_cycle_chan", "Dev1/ctr0"), ("ci_lin_velocity_chan", "Dev1/ctr0")])  # fmt: skip
def test_measurements_of_other_products(counters, add, where):
    """-200431: the physical channel does not support the measurement type."""
    with counters.task() as task:
        assert code_of(getattr(task.ci_channels, f"add_{add}"), where) == -200431


# -- filters of every terminal -----------------------------------------------------------------------------------------------------------

FILTERED = (
    "ci_count_edges_count_dir_dig_fltr_enable", "ci_count_edges_count_dir_dig_fltr_min_pulse_width",
    "ci_count_edges_count_dir_dig_fltr_timebase_rate", "ci_count_edges_count_dir_dig_fltr_timebase_src",
    "ci_count_edges_count_dir_dig_sync_enable", "ci_count_edges_count_reset_dig_fltr_enable",
    "ci_count_edges_count_reset_dig_fltr_min_pulse_width", "ci_count_edges_count_reset_dig_fltr_timebase_rate",
    "ci_count_edges_count_reset_dig_fltr_timebase_src", "ci_count_edges_count_reset_dig_sync_enable", "ci_count_edges_dig_fltr_enable",
    "ci_count_edges_dig_fltr_min_pulse_width", "ci_count_edges_dig_fltr_timebase_rate", "ci_count_edges_dig_fltr_timebase_src",
    "ci_count_edges_dig_sync_enable", "ci_count_edges_gate_dig_fltr_enable", "ci_count_edges_gate_dig_fltr_min_pulse_width",
    "ci_count_edges_gate_dig_fltr_timebase_rate", "ci_count_edges_gate_dig_fltr_timebase_src", "ci_ctr_timebase_dig_fltr_enable",
    "ci_ctr_timebase_dig_fltr_min_pulse_width", "ci_ctr_timebase_dig_fltr_timebase_rate", "ci_ctr_timebase_dig_fltr_timebase_src",
    "ci_ctr_timebase_dig_sync_enable", "ci_duty_cycle_dig_fltr_enable", "ci_duty_cycle_dig_fltr_min_pulse_width",
    "ci_duty_cycle_dig_fltr_timebase_rate", "ci_duty_cycle_dig_fltr_timebase_src", "ci_encoder_a_input_dig_fltr_enable",
    "ci_encoder_a_input_dig_fltr_min_pulse_width", "ci_encoder_a_input_dig_fltr_timebase_rate",
    "ci_encoder_a_input_dig_fltr_timebase_src", "ci_encoder_a_input_dig_sync_enable", "ci_encoder_b_input_dig_fltr_enable",
    "ci_encoder_b_input_dig_fltr_min_pulse_width", "ci_encoder_b_input_dig_fltr_timebase_rate",
    "ci_encoder_b_input_dig_fltr_timebase_src", "ci_encoder_b_input_dig_sync_enable", "ci_encoder_z_input_dig_fltr_enable",
    "ci_encoder_z_input_dig_fltr_min_pulse_width", "ci_encoder_z_input_dig_fltr_timebase_rate",
    "ci_encoder_z_input_dig_fltr_timebase_src", "ci_encoder_z_input_dig_sync_enable", "ci_freq_dig_fltr_enable",
    "ci_freq_dig_fltr_min_pulse_width", "ci_freq_dig_fltr_timebase_rate", "ci_freq_dig_fltr_timebase_src", "ci_freq_dig_sync_enable",
    "ci_period_dig_fltr_enable", "ci_period_dig_fltr_min_pulse_width", "ci_period_dig_fltr_timebase_rate",
    "ci_period_dig_fltr_timebase_src", "ci_period_dig_sync_enable", "ci_pulse_freq_dig_fltr_enable",
    "ci_pulse_freq_dig_fltr_min_pulse_width", "ci_pulse_freq_dig_fltr_timebase_rate", "ci_pulse_freq_dig_fltr_timebase_src",
    "ci_pulse_freq_dig_sync_enable", "ci_pulse_ticks_dig_fltr_enable", "ci_pulse_ticks_dig_fltr_min_pulse_width",
    "ci_pulse_ticks_dig_fltr_timebase_rate", "ci_pulse_ticks_dig_fltr_timebase_src", "ci_pulse_ticks_dig_sync_enable",
    "ci_pulse_time_dig_fltr_enable", "ci_pulse_time_dig_fltr_min_pulse_width", "ci_pulse_time_dig_fltr_timebase_rate",
    "ci_pulse_time_dig_fltr_timebase_src", "ci_pulse_time_dig_sync_enable", "ci_pulse_width_dig_fltr_enable",
    "ci_pulse_width_dig_fltr_min_pulse_width", "ci_pulse_width_dig_fltr_timebase_rate", "ci_pulse_width_dig_fltr_timebase_src",
    "ci_pulse_width_dig_sync_enable", "ci_semi_period_dig_fltr_enable", "ci_semi_period_dig_fltr_min_pulse_width",
    "ci_semi_period_dig_fltr_timebase_rate", "ci_semi_period_dig_fltr_timebase_src", "ci_semi_period_dig_sync_enable",
    "ci_two_edge_sep_first_dig_fltr_enable", "ci_two_edge_sep_first_dig_fltr_min_pulse_width",
    "ci_two_edge_sep_first_dig_fltr_timebase_rate", "ci_two_edge_sep_first_dig_fltr_timebase_src",
    "ci_two_edge_sep_first_dig_sync_enable", "ci_two_edge_sep_second_dig_fltr_enable", "ci_two_edge_sep_second_dig_fltr_min_pulse_width",
    "ci_two_edge_sep_second_dig_fltr_timebase_rate", "ci_two_edge_sep_second_dig_fltr_timebase_src",
    "ci_two_edge_sep_second_dig_sync_enable", "ci_velocity_a_input_dig_fltr_enable", "ci_velocity_a_input_dig_fltr_min_pulse_width",
    "ci_velocity_a_input_dig_fltr_timebase_rate", "ci_velocity_a_input_dig_fltr_timebase_src", "ci_velocity_b_input_dig_fltr_enable",
    "ci_velocity_b_input_dig_fltr_min_pulse_width", "ci_velocity_b_input_dig_fltr_timebase_rate",
    "ci_velocity_b_input_dig_fltr_timebase_src", "co_ctr_timebase_dig_fltr_enable", "co_ctr_timebase_dig_fltr_min_pulse_width",
    "co_ctr_timebase_dig_fltr_timebase_rate", "co_ctr_timebase_dig_fltr_timebase_src", "co_ctr_timebase_dig_sync_enable",
)  # fmt: skip
AT_FIRST = {
    "dig_fltr_enable": False, "dig_fltr_min_pulse_width": 0.0, "dig_fltr_timebase_rate": 100e6, "dig_fltr_timebase_src": "100MHzTimebase",
    "dig_sync_enable": False,
}  # fmt: skip
ADDED = {"co": "Dev1/ctr0", **dict.fromkeys(MEASUREMENTS, "Dev1/ctr0"), **dict.fromkeys(OF_MODULES, "cDAQ1Mod1/ctr0")}


def test_every_terminal_has_its_filter(counters):
    """Of each property some channel has: disabled at first, what is set is kept, the reset leads back."""
    left = set(FILTERED)
    for what, where in ADDED.items():
        with counters.task() as task:
            add = task.co_channels.add_co_pulse_chan_freq if what == "co" else getattr(task.ci_channels, f"add_ci_{what}")
            channel = add(where)
            for name in sorted(n for n in left if hasattr(type(channel), n)):
                try:
                    before = getattr(channel, name)
                except DaqError as error:
                    assert error.error_code == -200452, name
                    continue
                left.discard(name)
                kind = name[name.index("dig_") :]
                assert before == AT_FIRST[kind], name
                value = {"dig_fltr_min_pulse_width": 5.12e-6, "dig_fltr_timebase_src": "20MHzTimebase", "dig_fltr_timebase_rate": 100e6}
                setattr(channel, name, value.get(kind, True))
                assert getattr(channel, name) == value.get(kind, True), name
                delattr(channel, name)
                assert getattr(channel, name) == before, name
    assert not left


ELSEWHERE = (
    "ci_count_edges_count_dir_hyst", "ci_count_edges_count_dir_logic_lvl_behavior", "ci_count_edges_count_dir_term_cfg",
    "ci_count_edges_count_dir_thresh_voltage", "ci_count_edges_count_reset_hyst", "ci_count_edges_count_reset_logic_lvl_behavior",
    "ci_count_edges_count_reset_term_cfg", "ci_count_edges_count_reset_thresh_voltage", "ci_count_edges_gate_hyst",
    "ci_count_edges_gate_logic_lvl_behavior", "ci_count_edges_gate_term_cfg", "ci_count_edges_gate_thresh_voltage", "ci_count_edges_hyst",
    "ci_count_edges_logic_lvl_behavior", "ci_count_edges_term_cfg", "ci_count_edges_thresh_voltage", "ci_duty_cycle_logic_lvl_behavior",
    "ci_duty_cycle_term_cfg", "ci_encoder_a_input_logic_lvl_behavior", "ci_encoder_a_input_term_cfg",
    "ci_encoder_b_input_logic_lvl_behavior", "ci_encoder_b_input_term_cfg", "ci_encoder_z_input_logic_lvl_behavior",
    "ci_encoder_z_input_term_cfg", "ci_filter_delay", "ci_filter_delay_units", "ci_filter_enable", "ci_filter_freq", "ci_filter_order",
    "ci_filter_response", "ci_freq_hyst", "ci_freq_logic_lvl_behavior", "ci_freq_term_cfg", "ci_freq_thresh_voltage",
    "ci_gps_sync_method", "ci_gps_sync_src", "ci_period_hyst", "ci_period_logic_lvl_behavior", "ci_period_term_cfg",
    "ci_period_thresh_voltage", "ci_pulse_freq_logic_lvl_behavior", "ci_pulse_freq_term_cfg", "ci_pulse_ticks_logic_lvl_behavior",
    "ci_pulse_ticks_term_cfg", "ci_pulse_time_logic_lvl_behavior", "ci_pulse_time_term_cfg", "ci_pulse_width_logic_lvl_behavior",
    "ci_pulse_width_term_cfg", "ci_semi_period_logic_lvl_behavior", "ci_semi_period_term_cfg", "ci_thresh_voltage",
    "ci_timestamp_initial_seconds", "ci_timestamp_units", "ci_two_edge_sep_first_logic_lvl_behavior", "ci_two_edge_sep_first_term_cfg",
    "ci_two_edge_sep_second_logic_lvl_behavior", "ci_two_edge_sep_second_term_cfg", "ci_velocity_a_input_logic_lvl_behavior",
    "ci_velocity_a_input_term_cfg", "ci_velocity_b_input_logic_lvl_behavior", "ci_velocity_b_input_term_cfg",
)  # fmt: skip
"""Thresholds, resistors and input configurations of counters that a card's counters do not have; receivers of GPS."""


@pytest.mark.parametrize("what", quick(MEASUREMENTS, 3))
def test_inputs_of_a_card_are_as_they_are(counters, what):
    with counters.task() as task:
        channel = getattr(task.ci_channels, f"add_ci_{what}")("Dev1/ctr0")
        for name in ELSEWHERE:
            assert code_of(getattr, channel, name) == -200452, name


@pytest.mark.parametrize(("name", "value", "other"), [
    ("ci_data_xfer_mech", c.DataTransferActiveTransferMode.DMA, c.DataTransferActiveTransferMode.POLLED),
    ("ci_data_xfer_req_cond", c.InputDataTransferCondition.ON_BOARD_MEMORY_NOT_EMPTY,
     c.InputDataTransferCondition.ON_BOARD_MEMORY_MORE_THAN_HALF_FULL),
    ("ci_mem_map_enable", False, True), ("ci_num_possibly_invalid_samps", 0, None), ("ci_semi_period_starting_edge", RISING, FALLING),
    ("ci_usb_xfer_req_count", -200452, None), ("ci_usb_xfer_req_size", -200452, None),
    ("ci_ctr_timebase_master_timebase_div", -200452, None),
])  # fmt: skip
def test_transfer_of_counts_of_a_card(counters, name, value, other):
    with counters.task() as task:
        channel = task.ci_channels.add_ci_semi_period_chan("Dev1/ctr0")
        task.timing.cfg_implicit_timing()
        if value == -200452:
            assert code_of(getattr, channel, name) == value
            return
        assert getattr(channel, name) == value
        if other is not None:
            setattr(channel, name, other)
            assert getattr(channel, name) == other


@pytest.mark.parametrize(("name", "value"), [
    ("co_data_xfer_mech", c.DataTransferActiveTransferMode.DMA), ("co_mem_map_enable", False), ("co_use_only_on_brd_mem", False),
    ("co_data_xfer_req_cond", c.OutputDataTransferCondition.ON_BOARD_MEMORY_LESS_THAN_FULL), ("co_ctr_timebase_active_edge", RISING),
    ("co_usb_xfer_req_count", -200452), ("co_usb_xfer_req_size", -200452), ("co_auto_incr_cnt", 0), ("co_prescaler", 1),
])  # fmt: skip
def test_transfer_of_pulses_of_a_card(counters, name, value):
    with counters.task() as task:
        channel = task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0")
        task.timing.cfg_implicit_timing(samps_per_chan=10)
        if value == -200452:
            assert code_of(getattr, channel, name) == value
        else:
            assert getattr(channel, name) == value


@pytest.mark.parametrize("kind", ["pulse_freq", "pulse_time", "pulse_ticks"])
def test_a_pulse_begins_with_the_edge_that_is_chosen(counters, kind):
    with counters.task() as task:
        channel = getattr(task.ci_channels, "add_ci_pulse_chan_" + kind.removeprefix("pulse_"))("Dev1/ctr0")
        name = {"pulse_ticks": "ci_pulse_ticks_starting_edge", "pulse_time": "ci_pulse_time_starting_edge"}.get(kind)
        name = name or "ci_pulse_freq_starting_edge"
        assert getattr(channel, name) is RISING
        setattr(channel, name, FALLING)
        assert getattr(channel, name) is FALLING


def test_how_a_counter_stands_that_is_committed(counters):
    """nidaqmx-python, tests/legacy/test_channels.py: the count is the initial one; "reserved, committed or running" of -200983."""
    with counters.task() as task:
        channel = task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0", initial_count=10)
        task.control(c.TaskMode.TASK_COMMIT)
        assert (channel.ci_count, channel.ci_tc_reached) == (10, False)
        task.control(c.TaskMode.TASK_UNRESERVE)
        assert code_of(lambda: channel.ci_count) == -200983
    with counters.task() as task:
        channel = task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0", idle_state=c.Level.HIGH)
        task.control(c.TaskMode.TASK_RESERVE)
        assert channel.co_output_state is c.Level.HIGH
