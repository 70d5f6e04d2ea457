"""Watchdog tasks of cards and of chassis through the stock client.

Expected values: NI's own tests of its nidaqmx package (tests/component/system/test_watchdog_properties.py, test_watchdog.py,
tests/legacy/test_watchdog.py), "X Series User Manual" and "cDAQ-9185/9189 User Manual" (Watchdog Timer).
"""

from __future__ import annotations

import numpy as np
import pytest
from nidaqmx.constants import AcquisitionType, Edge, Level, LineGrouping, TriggerType, WatchdogAOExpirState, WatchdogCOExpirState
from nidaqmx.error_codes import DAQmxErrors
from nidaqmx.system import System
from nidaqmx.system.watchdog import AOExpirationState, COExpirationState, DOExpirationState, WatchdogTask

from tests.unit.drivers.simulated.daqmx.client_calls import code_of, let_pass, set_and_reset

CHASSIS = (("cDAQ1", "cDAQ-9189"), ("cDAQ1Mod1", "NI 9263"), ("cDAQ1Mod2", "NI 9401"), ("cDAQ1Mod3", "NI 9215"), ("Dev1", "PCIe-6363"))


@pytest.fixture
def bench(make_bench):
    return make_bench(devices=CHASSIS)


@pytest.fixture
def dog(bench):
    task = WatchdogTask("Dev1", timeout=0.5, grpc_options=bench.options)
    yield task
    task.close()


@pytest.fixture
def chassis_dog(bench):
    task = WatchdogTask("cDAQ1", timeout=0.5, grpc_options=bench.options)
    task.cfg_watchdog_ao_expir_states(
        [AOExpirationState(physical_channel="cDAQ1Mod1/ao0", expiration_state=-2.5, output_type=WatchdogAOExpirState.VOLTAGE)]
    )
    task.cfg_watchdog_do_expir_states([DOExpirationState(physical_channel="cDAQ1Mod2/port0/line0", expiration_state=Level.HIGH)])
    yield task
    task.close()


# -- properties ------------------------------------------------------------------------------------------------------------------------


def test_expired_is_false_while_it_runs(dog):
    dog.start()
    assert not dog.expired


def test_expired_needs_a_task_that_holds_something(dog):
    assert code_of(lambda: dog.expired) == DAQmxErrors.CANNOT_GET_PROPERTY_WHEN_TASK_NOT_RESERVED_COMMITTED_OR_RUNNING


def test_edge_source_and_timeout_with_their_defaults(dog):
    assert dog.expir_trig_dig_edge_edge is Edge.RISING
    assert set_and_reset(dog, "expir_trig_dig_edge_edge", Edge.FALLING) is Edge.RISING
    assert dog.expir_trig_dig_edge_src == ""
    assert set_and_reset(dog, "expir_trig_dig_edge_src", "PFI0") == ""
    assert dog.timeout == 0.5
    assert set_and_reset(dog, "timeout", 2) == 10
    assert dog.expir_trig_trig_type is TriggerType.NONE


def test_loss_of_the_network_is_for_chassis(chassis_dog, dog):
    assert not chassis_dog.expir_trig_trig_on_network_conn_loss
    chassis_dog.expir_trig_trig_on_network_conn_loss = True
    assert chassis_dog.expir_trig_trig_on_network_conn_loss
    del chassis_dog.expir_trig_trig_on_network_conn_loss
    assert not chassis_dog.expir_trig_trig_on_network_conn_loss
    assert code_of(lambda: dog.expir_trig_trig_on_network_conn_loss) == DAQmxErrors.ATTRIBUTE_NOT_SUPPORTED_IN_TASK_CONTEXT


@pytest.mark.parametrize("name", ["Dev1/port0/line3", "Dev1/port1/line2"])
def test_expiration_state_of_a_line(dog, name):
    dog.cfg_watchdog_do_expir_states([DOExpirationState(physical_channel=name, expiration_state=Level.TRISTATE)])
    state = dog.expiration_states[name]
    assert state.do_state is Level.TRISTATE
    assert set_and_reset(state, "do_state", Level.LOW) is Level.NO_CHANGE
    with pytest.deprecated_call():
        assert state.expir_states_do_state is Level.NO_CHANGE


def test_expiration_states_of_a_chassis(bench):
    # NI: tests/component/system/test_watchdog.py
    with WatchdogTask("cDAQ1", timeout=0.8, grpc_options=bench.options) as dog:
        dog.cfg_watchdog_ao_expir_states([
            AOExpirationState(physical_channel=f"cDAQ1Mod1/ao{n}", expiration_state=0.0, output_type=WatchdogAOExpirState.VOLTAGE)
            for n in range(2)
        ])  # fmt: skip
        dog.cfg_watchdog_co_expir_states([
            COExpirationState(physical_channel=f"cDAQ1Mod2/ctr{n}", expiration_state=WatchdogCOExpirState.LOW) for n in range(2)
        ])  # fmt: skip
        dog.start()
        assert not dog.expired
        assert dog.timeout == 0.8
        output = dog.expiration_states["cDAQ1Mod1/ao1"]
        assert (output.ao_state, output.ao_output_type) == (0.0, WatchdogAOExpirState.VOLTAGE)
        assert dog.expiration_states["cDAQ1Mod2/ctr1"].co_state is WatchdogCOExpirState.LOW
        dog.clear_expiration()


# -- what is refused -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("device", "most"), [("Dev1", (2**32 - 1) * 8e-9), ("cDAQ1", (2**32 - 1) * 25e-9)])
def test_the_timer_has_32_bits(bench, device, most):
    # X Series: up to (2^32 - 1) x 8 ns; cDAQ-9185/9189: up to (2^32 - 1) x 25 ns
    with WatchdogTask(device, timeout=most, grpc_options=bench.options) as dog:
        for timeout in (most * 1.001, 0.0, -2.0):
            assert code_of(lambda t=timeout: setattr(dog, "timeout", t)) == DAQmxErrors.WATCHDOG_TIMEOUT_OUT_OF_RANGE_AND_NOT_SPECIAL_VAL
        dog.timeout = -1
        assert dog.timeout == -1


@pytest.mark.parametrize("device", ["cDAQ1Mod1", "cDAQ1Mod2"])
def test_modules_have_no_watchdog_of_their_own(bench, device):
    assert code_of(lambda: WatchdogTask(device, grpc_options=bench.options)) == DAQmxErrors.WATCHDOG_TIMER_NOT_SUPPORTED


def test_a_card_guards_its_lines_only(dog):
    # X Series User Manual: "A watchdog timer can be set for all DIO and PFI lines."
    state = AOExpirationState(physical_channel="Dev1/ao0", expiration_state=0.0, output_type=WatchdogAOExpirState.VOLTAGE)
    assert code_of(lambda: dog.cfg_watchdog_ao_expir_states([state])) == DAQmxErrors.ATTRIBUTE_NOT_SUPPORTED_IN_TASK_CONTEXT
    counter = COExpirationState(physical_channel="Dev1/ctr0", expiration_state=WatchdogCOExpirState.LOW)
    assert code_of(lambda: dog.cfg_watchdog_co_expir_states([counter])) == DAQmxErrors.ATTRIBUTE_NOT_SUPPORTED_IN_TASK_CONTEXT


def test_lines_of_another_device(dog):
    state = DOExpirationState(physical_channel="cDAQ1Mod2/port0/line0", expiration_state=Level.LOW)
    assert code_of(dog.cfg_watchdog_do_expir_states, [state]) == -200648


def test_levels_beyond_the_range(chassis_dog):
    state = AOExpirationState(physical_channel="cDAQ1Mod1/ao0", expiration_state=11.0, output_type=WatchdogAOExpirState.VOLTAGE)
    assert code_of(lambda: chassis_dog.cfg_watchdog_ao_expir_states([state])) == DAQmxErrors.INVALID_ATTRIBUTE_VALUE


def test_a_chassis_watchdog_starts_before_its_tasks(bench, chassis_dog):
    # "No other operations may be running on the cDAQ chassis while the watchdog timer task is being started"
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("cDAQ1Mod3/ai0")
        task.start()
        assert code_of(chassis_dog.start) == DAQmxErrors.CANT_RESERVE_WATCHDOG_TASK_WHILE_OTHER_TASKS_RESERVED
    chassis_dog.start()


# -- expiry ----------------------------------------------------------------------------------------------------------------------------


def test_a_card_as_nis_own_test_has_it(bench, dog):
    # NI: tests/legacy/test_watchdog.py
    dog.cfg_watchdog_do_expir_states([DOExpirationState(physical_channel="Dev1/port0/line5", expiration_state=Level.TRISTATE)])
    dog.start()
    assert not dog.expired
    let_pass(bench, 1.0)
    assert dog.expired
    dog.clear_expiration()
    assert not dog.expired
    dog.stop()
    dog.start()
    for _ in range(5):
        dog.reset_timer()
        let_pass(bench, 0.2)
        assert not dog.expired
    dog.stop()


def test_a_line_that_goes_tristate_is_pulled_down(bench, dog):
    # X Series User Manual: lines have weak pull-down resistors.
    dog.cfg_watchdog_do_expir_states([
        DOExpirationState(physical_channel="Dev1/port0/line0", expiration_state=Level.TRISTATE),
        DOExpirationState(physical_channel="Dev1/port1/line7", expiration_state=Level.HIGH),
    ])  # fmt: skip
    dog.start()
    with bench.task() as lines:
        lines.do_channels.add_do_chan("Dev1/port0/line0, Dev1/port0/line1, Dev1/port1/line7", line_grouping=LineGrouping.CHAN_PER_LINE)
        lines.write([True, True, False])
        let_pass(bench, 0.6)
        assert lines.read() == [False, True, True]


def test_a_chassis_puts_analogue_and_digital_outputs_into_their_states(bench, chassis_dog):
    chassis_dog.start()
    with bench.task() as out:
        out.ao_channels.add_ao_voltage_chan("cDAQ1Mod1/ao0")
        out.write(4.0)
    let_pass(bench, 0.6)
    assert bench.engine.board.levels["cdaq1mod1/ao0"] == pytest.approx(-2.5)
    assert bench.engine.board.lines["cdaq1mod2/port0/line0"] is True
    assert chassis_dog.expired


@pytest.mark.parametrize("state", [WatchdogCOExpirState.LOW, WatchdogCOExpirState.HIGH])
def test_a_chassis_puts_counter_outputs_into_their_states(make_bench, state):
    """ "cDAQ-9185/9189 User Manual", Watchdog Timer: the state of the counter output at the expiration; pulses stop there and then."""
    devices = (("cDAQ1", "cDAQ-9189"), ("cDAQ1Mod2", "NI 9401"), ("Dev1", "PCIe-6363"))
    bench = make_bench(devices=devices, wiring={"Dev1/PFI0": "cDAQ1Mod2/PFI1"})
    with WatchdogTask("cDAQ1", timeout=0.5, grpc_options=bench.options) as dog, bench.task() as out, bench.task() as line:
        dog.cfg_watchdog_co_expir_states([COExpirationState(physical_channel="cDAQ1Mod2/ctr0", expiration_state=state)])
        dog.start()
        channel = out.co_channels.add_co_pulse_chan_freq("cDAQ1Mod2/ctr0", freq=1000.0)
        channel.co_pulse_term = "/cDAQ1Mod2/PFI1"
        out.timing.cfg_implicit_timing(sample_mode=AcquisitionType.CONTINUOUS)
        line.ci_channels.add_ci_count_edges_chan("Dev1/ctr0").ci_count_edges_term = "/Dev1/PFI0"
        line.start()
        out.start()
        let_pass(bench, 0.6)
        counted = line.read()
        assert counted == pytest.approx(500, abs=2)
        let_pass(bench, 0.6)
        assert line.read() == counted
        assert bench.engine.board.lines["cdaq1mod2/port0/line1"] is (state is WatchdogCOExpirState.HIGH)
        assert code_of(out.wait_until_done) == DAQmxErrors.CHASSIS_WATCHDOG_TIMER_EXPIRED


def test_after_expiry_a_chassis_refuses_everything_until_it_is_reset(bench, chassis_dog):
    expired = DAQmxErrors.CHASSIS_WATCHDOG_TIMER_EXPIRED
    chassis_dog.start()
    with bench.task() as running, bench.task() as other, bench.task() as card:
        running.ai_channels.add_ai_voltage_chan("cDAQ1Mod3/ai0")
        running.timing.cfg_samp_clk_timing(1000.0, sample_mode=AcquisitionType.CONTINUOUS)
        running.start()
        other.ao_channels.add_ao_voltage_chan("cDAQ1Mod1/ao0")
        assert len(running.read(100)) == 100
        let_pass(bench, 0.6)
        assert code_of(lambda: running.read(100)) == expired
        assert code_of(lambda: other.write(1.0)) == expired
        assert code_of(chassis_dog.clear_expiration) == expired
        assert code_of(chassis_dog.reset_timer) == expired
        card.ai_channels.add_ai_voltage_chan("Dev1/ai0")
        assert isinstance(card.read(), float)
    System.remote(bench.options).devices["cDAQ1"].reset_device()
    # "Resetting the chassis after a watchdog expiration event results in all module outputs defaulting to power up or startup states"
    assert bench.engine.board.levels["cdaq1mod1/ao0"] == 0.0
    with bench.task() as again:
        again.ai_channels.add_ai_voltage_chan("cDAQ1Mod3/ai0")
        again.timing.cfg_samp_clk_timing(1000.0, samps_per_chan=10)
        assert np.shape(again.read(10)) == (10,)


# -- expiry by an edge -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("edge", "levels"), [(Edge.RISING, [True]), (Edge.FALLING, [True, False])])
def test_an_edge_makes_it_expire(make_bench, edge, levels):
    """NI's text for -200668: with a time-out of -1 "the watchdog timer will expire based on the external expiration trigger"."""
    bench = make_bench(wiring={"Dev1/PFI0": "Dev1/port0/line0", "Dev1/port0/line6": "Dev1/port0/line5"})
    with WatchdogTask("Dev1", timeout=-1, grpc_options=bench.options) as dog, bench.task() as lines, bench.task() as seen:
        dog.cfg_watchdog_do_expir_states([DOExpirationState(physical_channel="Dev1/port0/line5", expiration_state=Level.HIGH)])
        dog.expir_trig_trig_type, dog.expir_trig_dig_edge_src = TriggerType.DIGITAL_EDGE, "/Dev1/PFI0"
        dog.expir_trig_dig_edge_edge = edge
        lines.do_channels.add_do_chan("Dev1/port0/line0")
        seen.di_channels.add_di_chan("Dev1/port0/line6")
        dog.start()
        lines.start()
        let_pass(bench, 1.0)
        for level in levels:
            assert not dog.expired
            lines.write(level)
        assert dog.expired
        assert seen.read() is True
        assert code_of(lambda: lines.write(True)) == DAQmxErrors.WRITE_FAILED_BECAUSE_WATCHDOG_EXPIRED
        dog.clear_expiration()
        assert not dog.expired
        lines.write(edge is Edge.FALLING)
        assert not dog.expired


def test_an_edge_from_nowhere(dog):
    dog.expir_trig_trig_type, dog.expir_trig_dig_edge_src = TriggerType.DIGITAL_EDGE, "/Dev1/PFI99"
    assert code_of(dog.start) == DAQmxErrors.INVALID_ROUTING_SOURCE_TERMINAL_NAME_ROUTING


def test_a_restart_ends_the_expiration(bench, dog):
    """NI's text for -200678: "Clear the expiration of the watchdog timer ... by restarting the watchdog timer task"."""
    dog.cfg_watchdog_do_expir_states([DOExpirationState(physical_channel="Dev1/port0/line5", expiration_state=Level.HIGH)])
    dog.start()
    let_pass(bench, 1.0)
    assert dog.expired
    dog.stop()
    dog.start()
    assert not dog.expired
