"""Terminals of counters: which there are, which lead where, and what they are by default.

"X Series User Manual", Routing a Signal to Counter n Source, Gate and A; "NI-9361 Getting Started", Counter Signal Routing; MAX's table of
routes of a PXIe-6738, whose counters are those of the X Series, as Linux' comedi publishes it (ni_device_routes/pxie-6738.c).
"""

from __future__ import annotations

import pytest
from nidaqmx import constants as c

from tests.unit.drivers.simulated.daqmx.client_calls import code_of


@pytest.mark.parametrize(("add", "name", "terminal", "code"), [
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/PFI99", -200254),
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/ao0", -200254),
    ("count_edges_chan", "ci_count_edges_term", "/Dev9/PFI0", -200220),
    ("count_edges_chan", "ci_count_edges_term", "/Dev2/PFI0", -89125),  # two cards without a cable
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/Ctr0Gate", -89136),
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/ai/SampleClockTimebase", -89136),
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/APFI0", -89136),
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/Ctr0Source", -89131),
    ("count_edges_chan", "ci_count_edges_term", "OnboardClock", -200814),
    ("freq_chan", "ci_freq_term", "/Dev1/PFI16", -200254),
    ("freq_chan", "ci_freq_term", "/Dev1/ao/SampleClockTimebase", -89136),
    ("freq_chan", "ci_freq_term", "/Dev1/Ctr0Source", -89136),
    ("freq_chan", "ci_freq_term", "/Dev1/Ctr1Aux", -89136),
    ("period_chan", "ci_period_term", "/Dev1/Ctr9InternalOutput", -200254),
    ("pulse_width_chan", "ci_pulse_width_term", "/Dev1/port0/line0", -200254),
    ("two_edge_sep_chan", "ci_two_edge_sep_second_term", "nonsense", -200254),
    ("ang_encoder_chan", "ci_encoder_a_input_term", "/Dev1/Ctr0SampleClock", -89136),
    ("ang_encoder_chan", "ci_encoder_a_input_term", "/Dev1/Ctr1B", -89136),
    ("ang_encoder_chan", "ci_encoder_b_input_term", "/Dev1/PFI77", -200254),
    ("period_chan", "ci_ctr_timebase_src", "/Dev1/PFI99", -200254),
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/Ctr1InternalOutput", None),
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/Ctr0InternalOutput", None),
    ("ang_encoder_chan", "ci_encoder_a_input_term", "/Dev1/ao/SampleClock", None),
    ("two_edge_sep_chan", "ci_two_edge_sep_first_term", "/Dev1/Ctr0Gate", None),  # the own gate gets to the aux
    ("freq_chan", "ci_freq_term", "/Dev1/ai/PauseTrigger", None),
    ("freq_chan", "ci_freq_term", "/Dev1/Ctr1Source", None),
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/ai/SampleClock", None),
    ("count_edges_chan", "ci_count_edges_term", "/Dev1/20MHzTimebase", None),
    ("freq_chan", "ci_freq_term", "/Dev1/ai/StartTrigger", None),
    ("freq_chan", "ci_freq_term", "PFI3", None),
    ("ang_encoder_chan", "ci_encoder_z_input_term", "/Dev1/PFI77", None),  # Z is not enabled
])  # fmt: skip
def test_terminals_are_looked_up_and_routed(counters, add, name, terminal, code):
    with counters.task() as task:
        channel = getattr(task.ci_channels, f"add_ci_{add}")("Dev1/ctr0")
        setattr(channel, name, terminal)
        if name == "ci_ctr_timebase_src":
            channel.ci_ctr_timebase_rate = 1e6
            channel.ci_min = 1e-4
        if code is None:
            task.control(c.TaskMode.TASK_VERIFY)
        else:
            assert code_of(task.start) == code


@pytest.mark.parametrize(("terminal", "code"), [("/Dev1/PFI99", -200254), ("/Dev1/20MHzTimebase", -89136),
                                                ("/Dev1/ai/StartTrigger", -89136),
                                                ("/Dev1/PFI0", None), ("/Dev1/RTSI3", None)])  # fmt: skip
def test_where_pulses_can_go(counters, terminal, code):
    with counters.task() as task:
        task.co_channels.add_co_pulse_chan_freq("Dev1/ctr0").co_pulse_term = terminal
        if code is None:
            task.control(c.TaskMode.TASK_VERIFY)
        else:
            assert code_of(task.start) == code


def test_gates_and_resets_are_looked_up_where_they_are_used(counters):
    with counters.task() as task:
        channel = task.ci_channels.add_ci_count_edges_chan("Dev1/ctr0")
        for enable, term in (("gate_enable", "gate_term"), ("count_reset_enable", "count_reset_term")):
            setattr(channel, f"ci_count_edges_{term}", "/Dev1/PFI99")
            task.control(c.TaskMode.TASK_VERIFY)
            setattr(channel, f"ci_count_edges_{enable}", True)
            assert code_of(task.control, c.TaskMode.TASK_VERIFY) == -200254
            setattr(channel, f"ci_count_edges_{enable}", False)
        assert code_of(setattr, channel, "ci_count_edges_term", "") == -200797


def test_default_lines_of_a_counter_module(counters):
    """ "NI-9361 Getting Started", Default Routing for Counter Signals, counters 0 and 6."""
    for number, source, reset, direction, gate, second, b, z in ((0, 0, 4, 7, 3, 4, 4, 7), (6, 6, 2, 1, 5, 2, 2, 1)):
        here, where = "/cDAQ1Mod1/PFI", f"cDAQ1Mod1/ctr{number}"
        with counters.task() as task:
            channel = task.ci_channels.add_ci_count_edges_chan(where)
            assert channel.ci_count_edges_term == f"{here}{source}"
            assert channel.ci_count_edges_count_reset_term == f"{here}{reset}"
            assert channel.ci_count_edges_dir_term == f"{here}{direction}"
            assert channel.ci_count_edges_gate_term == f"{here}{gate}"
        with counters.task() as task:
            channel = task.ci_channels.add_ci_two_edge_sep_chan(where)
            assert (channel.ci_two_edge_sep_first_term, channel.ci_two_edge_sep_second_term) == (f"{here}{source}", f"{here}{second}")
        with counters.task() as task:
            channel = task.ci_channels.add_ci_ang_encoder_chan(where)
            found = [getattr(channel, f"ci_encoder_{name}_input_term") for name in "abz"]
            assert found == [f"{here}{source}", f"{here}{b}", f"{here}{z}"]
