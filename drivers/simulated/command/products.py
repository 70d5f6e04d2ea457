"""`daqmx-sim products [NAME]`: what can be simulated, and what each product has."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from nidaqmx import constants as ni

from drivers.files.tables import meant
from drivers.simulated.daqmx.products import faults, products
from drivers.simulated.daqmx.products.product import AnalogInputs, AnalogOutputs, Product
from drivers.simulated.run import BAD_INPUT


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="a product: tells what it has")


def execute(args: argparse.Namespace) -> int:
    """Print it; returns 0, or 2 for a product that there is not."""
    if args.name is None:
        for name, product in sorted(products().items(), key=lambda item: (item[1].category, item[0])):
            print(f"{name:12} {_category(product):22} {'; '.join(_parts(product))}")
        return 0
    found = [product for name, product in products().items() if name.lower() == args.name.lower()]
    if not found:
        print(f"products: no product {args.name!r}{meant(args.name, products())}{faults()}", file=sys.stderr)
        return BAD_INPUT
    print(f"{found[0].name}: {_category(found[0])}, {ni.BusType(found[0].bus).name}")
    for line in _details(found[0]):
        print(f"  {line}")
    return 0


def _category(product: Product) -> str:
    return str(ni.ProductCategory(product.category).name)


def _parts(product: Product) -> Iterator[str]:
    """What it has, in a few words each."""
    if product.inputs is not None:
        yield f"{product.inputs.channels} AI {product.inputs.bits} bit {_rate(product.inputs.rate_single)}"
    if product.outputs is not None:
        yield f"{product.outputs.channels} AO {_rate(product.outputs.rates[0])}"
    if product.ports:
        yield f"{sum(product.ports)} DIO"
    if product.counters:
        yield f"{product.counters} counters"
    if product.slots:
        yield f"{product.slots} slots"


def _details(product: Product) -> Iterator[str]:
    if (inputs := product.inputs) is not None:
        yield f"analogue inputs: {_names(inputs.names)}, {inputs.bits} bit, measure {', '.join(inputs.kinds)}"
        yield f"  ranges: {_ranges(inputs)}"
        yield f"  rate: {_input_rates(inputs)}"
    if (outputs := product.outputs) is not None:
        yield f"analogue outputs: {_names(outputs.names)}, {outputs.bits} bit, put out {', '.join(outputs.kinds)}"
        yield f"  ranges: {_ranges(outputs)}"
        yield f"  rate: up to {_rate(outputs.rates[0])}" + (f", all channels {_rate(outputs.rates[-1])}" if outputs.channels > 1 else "")
    for port, lines in enumerate(product.ports):
        clocked = product.digital.rate and port in product.digital.clocked
        yield f"digital lines: port{port}, {lines} lines" + (f", clocked up to {_rate(product.digital.rate)}" if clocked else ", on demand")
    if (counting := product.counting) is not None and counting.count:
        yield f"counters: ctr0 to ctr{counting.count - 1}, {counting.size} bit, timebase {counting.timebase / 1e6:g} MHz"
    if product.slots:
        yield f"slots: {product.slots}"
    if product.watchdog:
        yield f"watchdog: up to {product.longest_watchdog:.0f} s"


def _names(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def _ranges(part: AnalogInputs | AnalogOutputs) -> str:
    unit = "V/V" if isinstance(part, AnalogInputs) and "bridge" in part.kinds else "V"
    words = [f"+-{top:g} {unit}" for top in part.tops] + [f"+-{1e3 * top:g} mA" for top in part.current_tops]
    if isinstance(part, AnalogInputs):
        words += [f"+-{1e9 * top:g} nC" for top in part.charge_tops]
    return ", ".join(words)


def _input_rates(inputs: AnalogInputs) -> str:
    lowest = f"{_rate(inputs.rate_min)} to " if inputs.rate_min >= 1.0 else "up to "
    if inputs.simultaneous:
        return f"{lowest}{_rate(inputs.rate_single)}, each channel"
    return f"{lowest}{_rate(inputs.rate_single)}, all channels together {_rate(inputs.rate_aggregate)}"


def _rate(rate: float) -> str:
    for size, unit in ((1e6, "MS/s"), (1e3, "kS/s")):
        if rate >= size:
            return f"{rate / size:.4g} {unit}"
    return f"{rate:.4g} S/s"
