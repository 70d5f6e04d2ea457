"""Devices, wires and scales that cannot be had together: one line for each, naming what is wrong."""

from __future__ import annotations

from pathlib import Path

import nidaqmx
import pytest

from drivers.simulated import serve_devices
from drivers.simulated.device_file import BadDeviceFile, read
from drivers.simulated.serving import engine_of

CARD = '[[devices]]\nname = "a"\nproduct = "PCIe-6363"\n'
CHASSIS = '[[devices]]\nname = "c"\nproduct = "cDAQ-9174"\n'


def module(slot: int, name: str = "m", chassis: str = "c", product: str = "NI 9215") -> str:
    return f'[[devices]]\nname = "{name}"\nproduct = "{product}"\nchassis = "{chassis}"\nslot = {slot}\n'


def named(name: str) -> str:
    return f"[[devices]]\nname = '{name}'\nproduct = \"PCIe-6363\"\n"


def wire(end: str, signal: str, more: str = "") -> str:
    return f'[[wiring]]\nterminal = "{end}"\nsignal = "{signal}"\n{more}'


def scale(**attributes: str) -> str:
    return '[[scales]]\nname = "s"\n' + "".join(f"{key.replace('_', '.')} = {value}\n" for key, value in attributes.items())


def sheet(end: str) -> str:
    return f'[[teds]]\nterminal = "{end}"\nbits = "11 40"\n'


WRONG = {
    "a slot that the chassis has not": (CHASSIS + module(9), "m is in slot 9 of c; a cDAQ-9174 has 4 slots"),
    "the slot behind the last": (CHASSIS + module(5), "m is in slot 5 of c; a cDAQ-9174 has 4 slots"),
    "the chassis is the module itself": (module(1, chassis="m"), "m is in itself; expected the name of its chassis"),
    "in itself, in other letters": (module(1, chassis="M"), "m is in itself"),
    "a module in a module": (CHASSIS + module(1) + module(2, "n", "m"), "n is in m, which is no chassis but a NI 9215"),
    "two in each other": (module(1, "m", "n") + module(1, "n", "m"), "which is no chassis"),
    "a module in a card": (CARD + module(1, chassis="a"), "m is in a, which is no chassis but a PCIe-6363"),
    "a card in a chassis": (CHASSIS + module(1, product="PCIe-6363"), "m (PCIe-6363) does not go into c (cDAQ-9174)"),
    "a chassis in a chassis": (CHASSIS + module(1, product="cDAQ-9189"), "m (cDAQ-9189) does not go into c (cDAQ-9174)"),
    "a module without its chassis": ('[[devices]]\nname = "m"\nproduct = "NI 9215"\nslot = 1\n', "m is in slot 1, of which chassis?"),
    "a card in a slot": (CARD + "slot = 3\n", "a is in slot 3, of which chassis? PCIe-6363 goes into no chassis"),
    "in two chassis": (CHASSIS + module(1) + "pxi_chassis = 2\n", "m is in chassis c and in PXI chassis 2; expected one of them"),
    "a real module in a simulated chassis": (
        CHASSIS + module(1) + "simulated = false\n", "m says that it is real, and its chassis c does not; expected both, or neither"
    ),
    "two in one PXI slot": (
        "".join(f'[[devices]]\nname = "{n}"\nproduct = "PXIe-4331"\nslot = 3\n' for n in "pq"), "p and q are both in slot 3 of PXI"
    ),
    "a slash in a name": (named("Dev 1/2"), "a name cannot have '/' in it, got 'Dev 1/2'"),
    "a comma in a name": (named("a,b"), "a name cannot have ',' in it"),
    "a colon in a name": (named("a:b"), "a name cannot have ':' in it"),
    "a backslash in a name": (named("a\\b"), "a name cannot have '\\\\' in it"),
    "a space at the end": (named("a "), "a name begins and ends with no space"),
    "a very long name": (named("d" * 300), "a name has at most 255 characters, got 300"),
    "an input wired twice": (CARD + wire("a/ai0", "a/ao0") + wire("a/ai0", "a/ao1"), "wiring: a/ai0 is wired 2 times, expected once"),
    "wired twice in other letters": (CARD + wire("a/ai0", "a/ao0") + wire("/A/AI0", "a/ao1"), "wiring: a/ai0 is wired 2 times"),
    "a bridge at an output": (CARD + wire("a/ao0", "a/ai0", "bridge_resistance = 350\n"), "a/ao0 has a bridge_resistance, and is no"),
    "a bridge at an input for none": (
        CHASSIS + module(1) + wire("m/ai0", "sample_code", "bridge_resistance = 350\n"), "and its device measures no bridges"
    ),
    "two sensors at one input": (CARD + sheet("a/ai0") + sheet("/a/AI0"), "teds: a/ai0 has 2 sensors, expected one"),
    "a sensor at no input": (CARD + sheet("a/ao0"), "teds: a/ao0 is no analogue input of these devices"),
    "a sensor at no device": (CARD + sheet("b/ai0"), "teds: b/ai0 is no analogue input of these devices"),
    "a slope that is no number": (CARD + scale(Lin_Slope="nan", Lin_YIntercept="0"), "scales: s: Lin.Slope: expected a number, got nan"),
    "a type by a number that is none": (CARD + scale(ScaleType="1", Lin_Slope="1"), "scales: s: "),
    "an infinite offset": (CARD + scale(Lin_Slope="1", Lin_YIntercept="-inf"), "scales: s: Lin.YIntercept: expected a number, got -inf"),
    "a slope of nothing": (CARD + scale(Lin_Slope="0", Lin_YIntercept="0"), "Status Code: -200409"),
    "a table with an infinite value": (
        CARD + scale(ScaleType='"Table"', Table_PreScaledVals="[0, inf]", Table_ScaledVals="[0, 1]"), "Table.PreScaledVals: expected a"
    ),
    "a scale of no type": (CARD + scale(ScaleType='"Curved"'), "scales: s: "),
    "a limit that is no number": (CARD + '[[channels]]\nname = "x"\nAI.Max = nan\n', "channels: x: AI.Max: expected a number, got nan"),
    "two scales of one name": (CARD + scale(Lin_Slope="1") + scale(Lin_Slope="2"), "scales: two are called 's'"),
    "two tasks of one name": (CARD + '[[tasks]]\nname = "t"\n[[tasks]]\nname = "T"\n', "tasks: two are called 'T'"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_it_is_told_in_a_line(name: str, tmp_path: Path) -> None:
    text, said = WRONG[name]
    (tmp_path / "d.toml").write_text(text)
    with pytest.raises(BadDeviceFile) as caught:
        engine_of(read(tmp_path / "d.toml"))
    assert any(said in problem for problem in caught.value.problems), caught.value.problems
    assert not any("\n" in problem for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("wires", "said"),
    [
        ([("a/ai0", "a/ai0")], "both ends are the same terminal"),
        ([("a/ai0", "/A/ai0")], "both ends are the same terminal"),
        ([("a/PFI0", "a/PFI0")], "both ends are the same terminal"),
        ([("a/ai0", "a/ai1")], "a/ai1 is an input, which drives nothing"),
        ([("a/ao0", "a/ai1")], "a/ai1 is an input, which drives nothing"),
        ([("a/ai0", "a/port0/line0")], "a/port0/line0 is a digital terminal, a/ai0 an analogue input"),
        ([("a/ai0", "a/PFI1")], "a/PFI1 is a digital terminal"),
        ([("a/PFI0", "a/PFI1"), ("a/PFI1", "a/PFI0")], "these wires run in a circle"),
        ([("a/PFI0", "a/PFI1"), ("a/PFI1", "a/PFI2"), ("a/PFI2", "a/PFI0")], "these wires run in a circle"),
    ],
)
def test_wires_that_carry_nothing(wires: list[tuple[str, str]], said: str, tmp_path: Path) -> None:
    (tmp_path / "d.toml").write_text(CARD + "".join(wire(*one) for one in wires))
    with pytest.raises(BadDeviceFile, match=said):
        engine_of(read(tmp_path / "d.toml"))
    with pytest.raises(BadDeviceFile, match=said):
        serve_devices({"a": "PCIe-6363"}, dict(wires))


def test_names_that_are_given_in_a_program_are_looked_at_too() -> None:
    with pytest.raises(BadDeviceFile, match="a name cannot have '/' in it"):
        serve_devices({"a/b": "PCIe-6363"})


def test_what_is_right_is_taken(tmp_path: Path) -> None:
    both = "".join(module(n, f"m{n}") for n in range(1, 5))
    wires = wire("a/ai0", "a/ao0") + wire("a/PFI0", "a/port0/line1")
    (tmp_path / "d.toml").write_text(CHASSIS + both + CARD + scale(Lin_Slope="2") + wires)
    assert set(engine_of(read(tmp_path / "d.toml")).devices) == {"a", "c", "m1", "m2", "m3", "m4"}


@pytest.mark.parametrize(
    ("wires", "seen"), [(None, [1.0, 0.0]), ({}, [1.0, 0.0]), ({"a/ai1": "a/ao1"}, [1.0, 2.0]), ({"/A/ai0": "a/ao1"}, [2.0, 0.0])]
)
def test_wires_come_beside_those_of_the_file(wires: dict[str, str] | None, seen: list[float], tmp_path: Path) -> None:
    """An input that is not wired shows 0 V; one that is wired again shows what it is wired to now."""
    (tmp_path / "d.toml").write_text('pace = "lockstep"\n' + CARD + wire("a/ai0", "a/ao0"))
    with (
        serve_devices(tmp_path / "d.toml", wires) as bench,
        nidaqmx.Task(grpc_options=bench.grpc_options) as out,
        nidaqmx.Task(grpc_options=bench.grpc_options) as read_back,
    ):
        out.ao_channels.add_ao_voltage_chan("a/ao0:1")
        out.write([1.0, 2.0], auto_start=True)
        read_back.ai_channels.add_ai_voltage_chan("a/ai0:1")
        read = read_back.read()
    assert read == [pytest.approx(volts, abs=1e-3) if volts else pytest.approx(volts, abs=0.5) for volts in seen]  # an open input wanders
