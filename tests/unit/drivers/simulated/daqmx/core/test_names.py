"""Lists and ranges of names, as clients send them and as they come back.

"NI-DAQmx Syntax for Specifying Physical Channel Strings" (NI knowledge base, kA00Z000000P8qaSAC): ranges between numbers or names, in
reverse order, identifiers not case sensitive. ni/nidaqmx-python, issue 216 and `unflatten_channel_string` (pull request 217): leading
zeros of the first number, unless it is zero itself, are "established precedence in the DAQmx algorithm".
"""

from __future__ import annotations

import pytest
from nidaqmx.constants import LineGrouping
from nidaqmx.utils import unflatten_channel_string

from drivers.simulated.daqmx.core.names import expand
from drivers.simulated.daqmx.status.errors import DaqmxError
from tests.each_row import each_row
from tests.unit.drivers.simulated.daqmx.client_calls import code_of, error_of

EACH, ALL = LineGrouping.CHAN_PER_LINE, LineGrouping.CHAN_FOR_ALL_LINES
BOTH = ("EV01:02", "EV01:EV03", "a3:0", "a009:011", "a00:2", "a10:08", "Dev1/ai0:3,Dev1/ai7", "b12:9", "x08:12", "Dev1/port0/line00:07")


@each_row("text", BOTH)
def test_they_are_expanded_as_by_the_client(text):
    assert expand(text) == unflatten_channel_string(text)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ai0:3", ["ai0", "ai1", "ai2", "ai3"]), ("AI0:3", ["ai0", "ai1", "ai2", "ai3"]), ("ai00:3", ["ai0", "ai1", "ai2", "ai3"]),
        ("ai01:03", ["ai1", "ai2", "ai3"]), ("ai3:2", ["ai3", "ai2"]), ("ai4:Dev1/ai5", ["ai4", "ai5"]), ("ai2:ai3", ["ai2", "ai3"]),
        (" ai0 : 1 ", ["ai0", "ai1"]), ("ai0, dev1/ai2 ,Dev1/ai04", ["ai0", "ai2", "ai4"]), ("ai5:5", ["ai5"]),
    ],
)  # fmt: skip
def test_inputs_of_a_card(bench, text, names):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan(f"Dev1/{text.lstrip()}")
        assert task.channel_names == [f"Dev1/{name}" for name in names]
        assert [c.physical_channel.name for c in task.ai_channels] == task.channel_names


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("line00:07", [f"port0/line{n}" for n in range(8)]), ("port0/line03:05", [f"port0/line{n}" for n in (3, 4, 5)]),
        ("Port0/Line3:0", [f"port0/line{n}" for n in (3, 2, 1, 0)]),
        ("line30:33", ["port0/line30", "port0/line31", "port1/line0", "port1/line1"]),
        ("port00/line1", ["port0/line1"]),
    ],
)  # fmt: skip
def test_lines_of_a_card(bench, text, lines):
    with bench.task() as task:
        task.di_channels.add_di_chan(f"Dev1/{text}", line_grouping=EACH)
        assert [c.physical_channel.name for c in task.di_channels] == [f"Dev1/{line}" for line in lines]


def test_the_end_of_a_range_may_name_its_port():
    assert expand("Dev1/port0/line0:port0/line2") == [f"Dev1/port0/line{n}" for n in range(3)]


def test_channels_whose_names_have_leading_zeros(bench):
    """Issue 216: the client sends `EV01:02` for the two that it was told of."""
    with bench.task() as task:
        for n in (1, 2):
            task.ao_channels.add_ao_voltage_chan(f"Dev1/ao{n}", f"EV0{n}")
        assert task.channel_names == ["EV01", "EV02"]
        assert task.channels.chan_type.name == "ANALOG_OUTPUT"
        assert task.ao_channels[1].name == "EV02"
        assert code_of(lambda: task._interpreter.get_chan_attribute_int32(task._handle, "EV1:2", 0x187F)) == -200486


@pytest.mark.parametrize(
    ("text", "code"), [("ai0:Dev2/ai3", -200086), ("ai0:ao3", -200498), ("ai0:", -200498), (":3", -200498), ("ai0:1:2", -200498)]
)
def test_ranges_that_are_none(bench, text, code):
    with bench.task() as task:
        assert code_of(task.ai_channels.add_ai_voltage_chan, f"Dev1/{text}") == code


def test_a_range_between_devices_is_told_as_one():
    with pytest.raises(DaqmxError, match="multiple devices"):
        expand("Dev1/ai0:Dev2/ai3")


# -- twice -----------------------------------------------------------------------------------------------------------------------------


def test_one_output_twice_in_a_task(bench):
    """tibor-barsi/nidaqwrapper, ao_task.py: the driver rejects duplicate physical AO channels at add time, with -200371."""
    with bench.task() as task:
        task.ao_channels.add_ao_voltage_chan("Dev1/ao0", "one")
        code, text = error_of(task.ao_channels.add_ao_voltage_chan, "Dev1/AO00", "two")
        assert code == -200371 and text.startswith(
            "Requested multiple virtual channels that correspond to the same physical channel within a task."
        )
        assert code_of(task.ao_channels.add_ao_voltage_chan, "Dev1/ao1, Dev1/ao1", "pair") == -200371
        assert task.channel_names == ["one"]


def test_one_line_twice_in_an_output_task(bench):
    with bench.task() as task:
        task.do_channels.add_do_chan("Dev1/port1/line0:3", "port", ALL)
        assert code_of(task.do_channels.add_do_chan, "Dev1/PFI2", "pin", EACH) == -200371
        task.do_channels.add_do_chan("Dev1/PFI4", "pin", EACH)


def test_one_input_twice_in_a_task(testers):
    """NI's text of -200620, "for this type of device": one converter a channel. A multiplexer scans an input as often as it is listed."""
    with testers.task() as task, testers.task() as simultaneous:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0", "one")
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0", "again")
        simultaneous.ai_channels.add_ai_voltage_chan("dsaTester/ai0", "one")
        assert code_of(simultaneous.ai_channels.add_ai_voltage_chan, "dsaTester/ai0", "again") == -200620


def test_one_name_twice_in_a_task(bench):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0", "force")
        assert code_of(task.ai_channels.add_ai_voltage_chan, "Dev1/ai1", "Force") == -200489
        assert code_of(task.ai_channels.add_ai_voltage_chan, "Dev1/ai2:3", "stroke, STROKE") == -200489
        assert task.channel_names == ["force"]


def test_tasks_without_a_name_are_numbered_as_the_driver_does(bench):
    """ni/grpc-device, pull request 920: `_unnamedTask<2C>`."""
    tasks = [bench.task() for _ in range(11)]
    assert [t.name for t in tasks[-2:]] == ["_unnamedTask<9>", "_unnamedTask<A>"]
    for task in tasks:
        task.close()
