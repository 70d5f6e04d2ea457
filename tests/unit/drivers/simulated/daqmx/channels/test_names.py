"""Names that channels, tasks and scales can have, and what physical channels are called.

"Naming Channels, Tasks, and Scales" and "Physical Channel Syntax" of the NI-DAQmx Help; the numbers by their names in
`nidaqmx.error_codes`, the conditions by NI's texts for them.
"""

from __future__ import annotations

import nidaqmx
import pytest
from nidaqmx.constants import LineGrouping
from nidaqmx.error_codes import DAQmxErrors

from tests.unit.drivers.simulated.daqmx.client_calls import code_of

EACH = LineGrouping.CHAN_PER_LINE


WRONG = [("_load", DAQmxErrors.LEADING_UNDERSCORE_IN_STRING), ("lo\tad", DAQmxErrors.INVALID_CHAR_IN_STRING)]
SPACED = [(" load", DAQmxErrors.LEADING_SPACE_IN_STRING), ("load ", DAQmxErrors.TRAILING_SPACE_IN_STRING)]


@pytest.mark.parametrize(("name", "error"), WRONG)
def test_names_that_no_channel_can_have(bench, name, error):
    with bench.task() as task:
        assert code_of(task.ai_channels.add_ai_voltage_chan, "Dev1/ai0", name) == error
        assert task.number_of_channels == 0


@pytest.mark.parametrize(("name", "error"), [*WRONG, *SPACED])
def test_names_that_no_task_and_no_scale_can_have(bench, name, error):
    """In the names of channels, which are a list, spaces at the ends are trimmed (nidaqmx-python, test_channel_collection.py)."""
    assert code_of(bench.task, name) == error
    assert code_of(nidaqmx.Scale.create_lin_scale, name, 1.0, grpc_options=bench.options) == error


@pytest.mark.parametrize("name", ["load 2", "load-2", "load_2"])
def test_spaces_dashes_and_underscores_within(bench, name):
    with bench.task(name) as task:
        task.ai_channels.add_ai_voltage_chan("Dev1/ai0", name)
        assert task.name == name
        assert task.channel_names == [name]


def test_a_scale_needs_a_name(bench):
    assert code_of(nidaqmx.Scale.create_lin_scale, "", 1.0, grpc_options=bench.options) == DAQmxErrors.EMPTY_STRING


@pytest.mark.parametrize(
    ("add", "names"),
    [
        ("ai_channels.add_ai_voltage_chan", ("Dev1/ao0", "Dev1/port0", "Dev1/port0/line0", "Dev1/ctr0")),
        ("ao_channels.add_ao_voltage_chan", ("Dev1/ai0", "Dev1/port1")),
        ("di_channels.add_di_chan", ("Dev1/ai0", "Dev1/ctr1")),
        ("do_channels.add_do_chan", ("Dev1/ao0",)),
        ("ci_channels.add_ci_count_edges_chan", ("Dev1/ai0",)),
        ("co_channels.add_co_pulse_chan_freq", ("Dev1/port0/line0",)),
    ],
)
def test_a_physical_channel_of_another_kind(bench, add, names):
    """-200430: "I/O type of the physical channel does not match the I/O type required for the virtual channel you are creating."."""
    collection, call = add.split(".")
    for name in names:
        with bench.task() as task:
            assert code_of(getattr(getattr(task, collection), call), name) == DAQmxErrors.INVALID_PHYS_CHAN_TYPE


def test_lines_are_counted_through_all_ports(bench):
    """The help: "All lines have a unique identifier. Therefore, you can use lines without specifying which port they belong to"."""
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/line0:3", line_grouping=EACH)
        # Named as they were asked for: nidaqmx looks for its new channels under these names.
        assert task.channel_names == [f"Dev1/line{n}" for n in range(4)]
        assert [c.physical_channel.name for c in task.di_channels] == [f"Dev1/port0/line{n}" for n in range(4)]
    with bench.task() as task:  # port 0 of a 6363 has 32 lines, ports 1 and 2 have 8 ("X Series Physical Channels")
        channel = task.di_channels.add_di_chan("Dev1/line31:33", line_grouping=LineGrouping.CHAN_FOR_ALL_LINES)
        assert channel.physical_channel.name == "Dev1/port0/line31, Dev1/port1/line0, Dev1/port1/line1"
    with bench.task() as task:
        assert code_of(task.di_channels.add_di_chan, "Dev1/line48") == -200170


def test_a_port_is_no_channel_for_each_line(bench):
    """-200376: "creation of a separate channel for each line is not possible when a digital port is specified as the physical channel"."""
    with bench.task() as task:
        for add, port in ((task.di_channels.add_di_chan, "Dev1/port0"), (task.do_channels.add_do_chan, "Dev1/port1")):
            assert code_of(add, port, line_grouping=EACH) == DAQmxErrors.INVALID_OPTION_FOR_DIGITAL_PORT_CHANNEL


# -- names that are made of one given --------------------------------------------------------------------------------------------------

NAMES = [
    # "NI-DAQmx Help", Channel Name Generation
    ("ai0:1", "", ["Dev1/ai0", "Dev1/ai1"]),
    ("ai0:7", "foo", [f"foo{n}" for n in range(8)]),
    ("ai0:7", "foo31", [f"foo{n}" for n in range(31, 39)]),
    ("ai0:7", "foo 123", [f"foo{n}" for n in range(123, 131)]),
    ("ai0:7", "a0:3, b", ["a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"]),
    # test_di_channel.py
    ("ai0", " ", ["Dev1/ai0"]),
    ("ai0", " myChan ", ["myChan"]),
    ("ai0", "myChan 0", ["myChan 0"]),
    ("ai0:7", "myChan008", [f"myChan{n:03d}" for n in range(8, 16)]),
    ("ai0:1", "  myFirstChan  ,  mySecondChan  ", ["myFirstChan", "mySecondChan"]),
    ("ai0:1", "myFirstChan, , mySecondChan", ["myFirstChan", "mySecondChan"]),
    ("ai0:7", "myFirstChan,mySecondChan", ["myFirstChan", *(f"mySecondChan{n}" for n in range(7))]),
    ("ai0:7", "myFirstChan2:5,mySecondChan34", [*(f"myFirstChan{n}" for n in range(2, 6)), *(f"mySecondChan{n}" for n in range(34, 38))]),
    ("ai0:7", "myFirstChan0:9", [f"myFirstChan{n}" for n in range(8)]),
    ("ai0:7", "myFirstChan0:6, mySecondChan, myThirdChan", [*(f"myFirstChan{n}" for n in range(7)), "mySecondChan"]),
    ("ai0:7", "myFirstChan0:5, mySecondChan0:5", [*(f"myFirstChan{n}" for n in range(6)), "mySecondChan0", "mySecondChan1"]),
]


@pytest.mark.parametrize(("physical", "given", "names"), NAMES)
def test_names_that_channels_get(bench, physical, given, names):
    with bench.task() as task:
        task.ai_channels.add_ai_voltage_chan(f"Dev1/{physical}", given)
        assert task.channel_names == names


@pytest.mark.parametrize(("given", "name"), [
    ("", "Dev1/port0/line0..."), ("myChan", "myChan"), ("myChan0", "myChan0"), ("myFirstChan0:9", "myFirstChan0"),
    (" myChan 0 ", "myChan 0"),
])  # fmt: skip
def test_name_of_one_channel_for_all_lines(bench, given, name):
    with bench.task() as task:
        task.di_channels.add_di_chan("Dev1/port0/line0, Dev1/port0/line1", given)
        assert task.channel_names == [name]
