"""Timing, triggers and exported signals that only products have which are not simulated: switches, oscilloscopes, 653x cards, FieldDAQ.

A task whose device has not got such a thing is told so (-200452); one whose device or kind may have it, that it is not served. Which
devices: "DAQmx Timing", "DAQmx Trigger" and "DAQmx Export Signal" of the NI-DAQmx property reference.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib.resources import files

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Value
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.products.product import DIGITAL_IO
from drivers.simulated.daqmx.status.not_served import NotServed
from drivers.simulated.daqmx.status.property_names import c_name

Has = Callable[[Product, Task], bool]


_HAVE: dict[str, Has] = {
    "nobody": lambda product, task: False,
    "digital_cards": lambda product, task: product.category == DIGITAL_IO,
    "inputs": lambda product, task: task.kind == ch.ANALOG_INPUT,
    "acquisitions": lambda product, task: task.kind in (ch.ANALOG_INPUT, ch.DIGITAL_INPUT),
    "counter_outputs": lambda product, task: task.kind == ch.COUNTER_OUTPUT,
    "modules": lambda product, task: bool(task.host),
    "several_records": lambda product, task: product.multi_edge,
}
"""Who may have a property: cards for fast digital signals, what takes several records about several triggers, and so on."""
_NAMES: dict[str, dict[str, list[str]]] = tomllib.loads(
    files(__package__).joinpath("unsupported_task_properties.toml").read_text(encoding="utf-8")
)
PARTLY = {
    "FIRST_SAMP_CLK_WHEN", "FIRST_SAMP_CLK_TIMESCALE", "FIRST_SAMP_CLK_OFFSET",
    *(name for groups in _NAMES.values() for who, names in groups.items() if who != "nobody" for name in names),
}  # fmt: skip
"""Names of those that some device here has, or may have; the first are in `timestamps`."""


def _only(name: str, has: Has, family: str) -> Property[Task]:
    def refuse(engine: Engine, task: Task, value: Value = None) -> Value:
        task.need_channels()
        if has(engine.devices[task.device], task):
            raise NotServed(name)
        raise task.fail(-200452, Property=c_name(name, family), Device=task.device)

    return Property(refuse, refuse, reset=refuse)


TIMING, TRIGGER, EXPORTED = (
    {name: _only(name, _HAVE[who], family) for who, names in _NAMES[family].items() for name in names}
    for family in ("TIMING", "TRIGGER", "EXPORTEDSIGNAL")
)
