"""Products as tables of TOML (`[[products]]`): the keys are those of `product.Product` and of its parts, ranges and rates as there.

`like` takes another product as it is, with the keys of this one laid over it; `without` takes parts of it away. What follows from other
keys need not stand there: the lowest rate that a timebase gives, the aggregate rate of converters that work side by side, the terminals of
a family. A product is looked at as a whole before it is made, and all that is wrong is told at once, with its key.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from nidaqmx import constants as ni

from drivers.files import tables
from drivers.simulated.daqmx.products import product as p
from drivers.simulated.daqmx.products import terminals, usages
from drivers.simulated.daqmx.products.product import AnalogInputs, AnalogOutputs, Counters, DigitalLines, Product

Tree = Mapping[str, Any]

CATEGORIES = {
    "X Series": p.X_SERIES, "sound and vibration": p.DYNAMIC_SIGNAL, "SC Express": p.SC_EXPRESS, "mioDAQ": p.MIO_DAQ,
    "digital": p.DIGITAL_IO, "CompactDAQ chassis": p.COMPACT_DAQ_CHASSIS, "C Series": p.C_SERIES_MODULE,
    "TestScale chassis": p.TEST_SCALE_CHASSIS, "TestScale": p.TEST_SCALE_MODULE,
}  # fmt: skip
BUSES = {
    "PCIe": p.PCI_EXPRESS, "PXI": p.PXI, "PXIe": p.PXI_EXPRESS, "USB": p.USB, "CompactDAQ": p.COMPACT_DAQ, "TCP/IP": p.TCP_IP,
}  # fmt: skip
CONFIGURATIONS = {"RSE": p.RSE, "NRSE": p.NRSE, "DIFF": p.DIFF, "PSEUDODIFF": p.PSEUDO_DIFF}
COUPLINGS = {"AC": p.AC, "DC": p.DC, "GND": p.GND}
TRIGGERS = {"pause": p.PAUSE, "reference": p.REFERENCE, "start": p.START}
PULLS = {"up": ni.ResistorState.PULL_UP.value, "down": ni.ResistorState.PULL_DOWN.value}
FAMILIES = {
    "2.5 V": ni.LogicFamily.TWO_POINT_FIVE_V.value, "3.3 V": ni.LogicFamily.THREE_POINT_THREE_V.value, "5 V": ni.LogicFamily.FIVE_V.value,
}  # fmt: skip
POWER_UP = {"voltage": 0, "current": 1, "high impedance": 2}
REPORTS = (
    "overloaded", "open_current_loop", "excitation_fault", "open_thermocouple", "common_mode", "overcurrent", "overtemperature",
)  # fmt: skip
MOST = 65_536
"""Channels, lines, ports, samples on board: more has no device."""

_count, _name = tables.whole(1, MOST), tables.text
_tops = tables.list_of(tables.positive)
_nothing = tables.list_of(tables.positive, empty=True)


def _words(known: Mapping[str, int]) -> tables.Check:
    """Several of some words, in a text with spaces between them."""

    def check(value: object) -> str | None:
        got = value.split() if isinstance(value, str) else []
        fits = got and all(word in known for word in got)
        return None if fits else f"expected some of {', '.join(known)}, with spaces between; got {value!r}"

    return check


def _configuration(value: object) -> str | None:
    words = value.split() if isinstance(value, str) else []
    number = words.pop(0) if words and words[0].isdigit() else "1"
    if not words or not 0 < int(number) <= MOST or any(word not in CONFIGURATIONS for word in words):
        return f"expected some of {', '.join(CONFIGURATIONS)}, before them of how many channels if not one; got {value!r}"
    return None


def _pin(value: object) -> str | None:
    part, _, pin = value.partition("/") if isinstance(value, str) else ("", "", "")
    return None if part and pin else f"expected a part and its pin (di/pfi5), got {value!r}"


_INPUTS: dict[str, tables.Check] = {
    "channels": _count, "bits": tables.whole(1, 64), "tops": _tops, "rate_single": tables.positive, "rate_aggregate": tables.positive,
    "rate_min": tables.positive, "kinds": tables.list_of(tables.one_of(usages.INPUTS)), "simultaneous": tables.truth,
    "grid": tables.positive, "filter_delay": tables.whole(0, MOST), "compensates": tables.truth, "on_demand": tables.truth,
    "shares": _name, "timebase": tables.positive, "divisors": _count, "term_cfgs": tables.list_of(_configuration),
    "couplings": _words(COUPLINGS), "triggers": _words(TRIGGERS), "single_point": tables.truth, "current_tops": _nothing,
    "charge_tops": _nothing, "gains": tables.list_of(tables.number, empty=True), "excitation_volts": _nothing, "excitation_amps": _nothing,
    "iepe_needs_ac": tables.truth, "corner": tables.positive, "reports": tables.list_of(tables.one_of(REPORTS), empty=True),
    "rejects_aliases": tables.truth, "names": tables.list_of(_name), "engines": tables.list_of(_name),
}  # fmt: skip
_OUTPUTS: dict[str, tables.Check] = {
    "channels": _count, "bits": tables.whole(1, 64), "tops": _tops, "rates": tables.list_of(tables.positive), "rate_min": tables.positive,
    "fifo": _count, "kinds": tables.list_of(tables.one_of(usages.OUTPUTS)), "timebase": tables.positive,
    "term_cfgs": tables.list_of(_configuration), "triggers": _words(TRIGGERS), "single_point": tables.truth, "current_tops": _nothing,
    "gains": tables.list_of(tables.number, empty=True), "powers_up": tables.one_of(POWER_UP), "sets_power_up": tables.truth,
    "reports": tables.list_of(tables.one_of(REPORTS), empty=True),
    "unipolar": tables.truth,
}  # fmt: skip
_DIGITAL: dict[str, tables.Check] = {
    "rate": tables.positive, "clocked": tables.list_of(tables.whole(0, MOST), empty=True),
    "detecting": tables.list_of(tables.whole(0, MOST), empty=True), "pulls": tables.one_of(PULLS), "sets_power_up": tables.truth,
    "families": tables.list_of(tables.one_of(FAMILIES)), "direction_of": _count, "direction": tables.one_of(p.DIRECTIONS),
    "single_point": tables.truth,
}  # fmt: skip
_COUNTERS: dict[str, tables.Check] = {
    "count": _count, "size": tables.whole(1, 64), "timebase": tables.positive, "outputs": tables.truth, "frequency_output": tables.truth,
    "hidden": tables.truth, "clocked": tables.truth, "single_point": tables.truth,
}  # fmt: skip
PARTS: dict[str, tuple[dict[str, tables.Check], tuple[str, ...]]] = {
    "inputs": (_INPUTS, ("channels", "bits", "tops", "rate_single")), "outputs": (_OUTPUTS, ("bits", "tops", "rates", "fifo")),
    "digital": (_DIGITAL, ()), "counters": (_COUNTERS, ("count",)),
}  # fmt: skip
"""Tables of a product: their keys, and those that must be there."""
_PRODUCT: dict[str, tables.Check] = {
    "name": _name, "like": _name, "without": tables.list_of(tables.one_of(PARTS)),
    "category": tables.one_of(CATEGORIES), "bus": tables.one_of(BUSES), "number": tables.whole(0, 2**32 - 1),
    "ports": tables.list_of(tables.whole(0, MOST), empty=True), "pfi": tables.whole(0, MOST), "apfi": tables.whole(0, MOST),
    "terminals": tables.list_of(_name), "slots": _count, "watchdog_tick": tables.positive,
    "guards": tables.list_of(tables.one_of(("do", "ao", "co"))), "analog_trigger": tables.truth, "analog_start": tables.truth,
    "multi_edge": tables.truth, "digital_trigger": tables.truth, "reads_teds": tables.truth, "dma_channels": _count, "id_pins": _count,
    "clocks_from": tables.list_of(_pin), "clocks_to": tables.list_of(_pin),
}  # fmt: skip


def read(found: Iterable[tuple[str, Tree]], known: Mapping[str, Tree], problems: list[str]) -> dict[str, tuple[Tree, Product]]:
    """Products by name, each with its whole table. `found`: tables with their places; `known`: whole tables that `like` may name, beside
    those that come before it. What is wrong goes to `problems`, and the product is left out.
    """
    made: dict[str, tuple[Tree, Product]] = {}
    for where, table in found:
        wrong: list[str] = []
        whole = _whole(where, table, {**known, **{name: tree for name, (tree, _) in made.items()}}, wrong)
        if not wrong and whole["name"] in made:
            wrong.append(f"{where}name: two products are called {whole['name']}")
        if not wrong:
            made[str(whole["name"])] = whole, _product(whole)
        problems += wrong
    return made


def _whole(where: str, table: Tree, known: Mapping[str, Tree], wrong: list[str]) -> dict[str, Any]:
    """A table as it is with what it is like under it."""
    parts = {key: table[key] for key in PARTS if key in table}
    own = tables.checked({k: v for k, v in table.items() if k not in PARTS}, _PRODUCT, ("name",), where, wrong, PARTS)
    for key, part in parts.items():
        if isinstance(part, dict):
            parts[key] = tables.checked(part, PARTS[key][0], (), f"{where}{key}.", wrong)
        else:
            wrong.append(f"{where}{key}: expected a table, got {part!r}")
    if wrong:
        return own
    base: Tree = {}
    if "like" in own:
        if own["like"] not in known:
            wrong.append(f"{where}like: no product {own['like']!r}{tables.meant(str(own['like']), known)}")
            return own
        base = known[str(own["like"])]
    left_out = own.get("without", [])
    assert isinstance(left_out, list)
    under = {k: v for k, v in base.items() if k not in left_out}
    whole = {**under, **own, **{key: {**under.get(key, {}), **part} for key, part in parts.items()}}
    wrong += [f"{where}{key}: missing; expected it, or like = a product that has it" for key in ("category", "bus") if key not in whole]
    for key, (_, needed) in PARTS.items():
        wrong += [f"{where}{key}.{one}: missing" for one in needed if key in whole and one not in whole[key]]
    if not wrong:
        wrong += _together(where, whole)
    return {k: v for k, v in whole.items() if k not in ("like", "without")}


def _together(where: str, whole: Tree) -> Iterable[str]:
    """What is wrong between keys that are each right."""
    inputs, outputs, digital = (whole.get(part, {}) for part in ("inputs", "outputs", "digital"))
    for part in ("inputs", "outputs"):
        for key in ("tops", "current_tops", "charge_tops"):
            if (tops := whole.get(part, {}).get(key, [])) != sorted(tops):
                yield f"{where}{part}.{key}: expected the smallest range first, got {tops}"
    if "names" in inputs and len(inputs["names"]) != inputs["channels"]:
        yield f"{where}inputs.names: expected {inputs['channels']}, one for each channel; got {len(inputs['names'])}"
    if inputs.get("gains") and len(inputs["gains"]) != len(inputs["tops"]):
        yield f"{where}inputs.gains: expected {len(inputs['tops'])}, one for each range; got {len(inputs['gains'])}"
    if len(outputs.get("rates", [])) > outputs.get("channels", MOST):
        yield f"{where}outputs.rates: expected at most {outputs['channels']}, for 1, 2, ... channels; got {len(outputs['rates'])}"
    for key in ("clocked", "detecting"):
        absent = [port for port in digital.get(key, []) if port >= len(whole.get("ports", []))]
        if absent:
            yield f"{where}digital.{key}: there is no port {absent[0]}; ports has {len(whole.get('ports', []))} entries, of lines in each"
    for part, kind in (("inputs", "current"), ("outputs", "current")):
        if kind in whole.get(part, {}).get("kinds", []) and not whole[part].get("current_tops"):
            yield f"{where}{part}.current_tops: missing; expected the ranges (A) of a device that has currents among its kinds"


_PLAIN = (
    "name", "number", "slots", "watchdog_tick", "analog_trigger", "analog_start", "multi_edge", "digital_trigger", "reads_teds",
    "dma_channels", "id_pins",
)  # fmt: skip


def _product(tree: Tree) -> Product:
    fields: dict[str, Any] = {key: tree[key] for key in _PLAIN if key in tree}
    fields |= {key: tuple(tree[key]) for key in ("ports", "guards") if key in tree}
    for key in ("clocks_from", "clocks_to"):
        fields[key] = tuple((pin.partition("/")[0], pin.partition("/")[2]) for pin in tree.get(key, ()))
    inputs, outputs, counters = (tree.get(part) for part in ("inputs", "outputs", "counters"))
    made = Product(
        category=CATEGORIES[tree["category"]], bus=BUSES[tree["bus"]], inputs=None if inputs is None else _inputs(inputs),
        outputs=None if outputs is None else _outputs(outputs), digital=_digital(tree.get("digital", {})),
        counting=None if counters is None else Counters(**_fields(counters)), **fields,
    )  # fmt: skip
    return replace(made, terminals=_terminals(tree, made))


def _terminals(tree: Tree, made: Product) -> tuple[str, ...]:
    pfi, apfi = tree.get("pfi", 0), tree.get("apfi", 0)
    if "terminals" in tree:
        return (*terminals.pfi(pfi), *tree["terminals"])
    if made.category in (p.X_SERIES, p.MIO_DAQ):
        multiplexed = made.inputs is None or not made.inputs.simultaneous
        bus = {p.PXI_EXPRESS: "pxi", p.PXI: "pxi", p.USB: "usb"}.get(made.bus, "pci")
        return terminals.multifunction(pfi, apfi, made.counters, bus=bus, multiplexed=multiplexed)
    if made.category in p.CHASSIS:
        return (*terminals.pfi(pfi), *terminals.chassis())
    if made.category in (p.DYNAMIC_SIGNAL, p.SC_EXPRESS):
        engines = ("ai",) if made.inputs is None else made.inputs.engines
        return terminals.dynamic_signal(outputs=made.inputs is None, express=made.bus == p.PXI_EXPRESS, engines=engines)
    return terminals.pfi(pfi)


def _bits(words: str, known: Mapping[str, int]) -> int:
    return sum(known[word] for word in words.split())


def _configurations(values: Sequence[str]) -> tuple[int, ...]:
    """`["8 RSE DIFF", "8 RSE"]` as sixteen bit fields."""
    made: list[int] = []
    for value in values:
        words = value.split()
        number = int(words.pop(0)) if words[0].isdigit() else 1
        made += [_bits(" ".join(words), CONFIGURATIONS)] * number
    return tuple(made)


_MODES: dict[bool, tuple[int, ...]] = {False: (p.FINITE, p.CONTINUOUS), True: (p.FINITE, p.CONTINUOUS, p.HW_TIMED)}
_CONVERTED: dict[str, Callable[[Any], Any]] = {
    "couplings": lambda words: _bits(words, COUPLINGS), "triggers": lambda words: _bits(words, TRIGGERS),
    "term_cfgs": _configurations, "pulls": PULLS.__getitem__, "powers_up": POWER_UP.__getitem__,
    "families": lambda words: tuple(FAMILIES[word] for word in words),
}  # fmt: skip


def _fields(part: Tree, leave: Iterable[str] = ()) -> dict[str, Any]:
    """Keys of a table as fields: words as NI's numbers, lists as tuples of numbers with a point where they are amounts."""
    made: dict[str, Any] = {}
    for key, value in part.items():
        if key in leave:
            continue
        if key in _CONVERTED:
            made[key] = _CONVERTED[key](value)
        elif key == "single_point":
            made["sample_modes"] = _MODES[value]
        else:
            made[key] = tuple(value) if isinstance(value, list) else value
    return made


def _lowest(part: Tree) -> float:
    """The lowest rate that the timebase gives: divided by its last whole part, or by 32 bits."""
    if "divisors" in part:
        return float(part["rate_single"] / part["divisors"])
    return float(part.get("timebase", p.TIMEBASE) / 2**32)


def _divided(part: Tree, rate: float) -> float:
    """Data sheets round the highest rates: a device has the nearest that its timebase can be divided to."""
    timebase = float(part.get("timebase", p.TIMEBASE))
    nearest = timebase / round(timebase / rate)
    return float(rate) if math.isclose(nearest, rate, rel_tol=1e-4) else nearest


def _inputs(part: Tree) -> AnalogInputs:
    single = float(part["rate_single"]) if "divisors" in part or "grid" in part else _divided(part, part["rate_single"])
    fields = {"rate_min": _lowest(part), "rate_aggregate": single, **_fields(part), "rate_single": single}
    if part.get("simultaneous"):  # a converter for each channel
        fields["rate_aggregate"] = part["channels"] * single
    if "divisors" in part:
        fields["timebase"] = single
    return AnalogInputs(**fields)


def _outputs(part: Tree) -> AnalogOutputs:
    """The last rate is that of more channels, too."""
    rates = [_divided(part, rate) for rate in part["rates"]]
    rates += rates[-1:] * (part.get("channels", len(rates)) - len(rates))
    return AnalogOutputs(**{"rate_min": _lowest(part), **_fields(part, ("rates", "channels")), "rates": tuple(rates)})


def _digital(part: Tree) -> DigitalLines:
    return DigitalLines(**_fields(part))
