"""Properties of devices, of the system, of physical channels and of watchdogs, by NI's own names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drivers.simulated.daqmx import configuring
from drivers.simulated.daqmx.engine import Engine
from drivers.simulated.daqmx.errors import DaqmxError
from drivers.simulated.daqmx.names import terminal
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.property import Property
from drivers.simulated.daqmx.tasks import Task
from drivers.simulated.daqmx.watchdog import LONGEST, NO_CHANGE

VERSION = (25, 5, 0)
"""Version of NI-DAQmx whose behaviour is simulated."""

# -- device: the subject is (name, product) --------------------------------------------------------------------------------------------

Device = tuple[str, Product]


def _inputs(device: Device) -> str:
    name, product = device
    return ", ".join(f"{name}/ai{n}" for n in range(product.inputs.channels)) if product.inputs else ""


def _outputs(device: Device) -> str:
    name, product = device
    return ", ".join(f"{name}/ao{n}" for n in range(product.outputs.channels)) if product.outputs else ""


def _line_names(device: Device) -> str:
    name, product = device
    return ", ".join(f"{name}/port{p}/line{n}" for p, count in enumerate(product.ports) for n in range(count))


def _port_names(device: Device) -> str:
    return ", ".join(f"{device[0]}/port{p}" for p in range(len(device[1].ports)))


def _pairs(tops: tuple[float, ...]) -> list[float]:
    return [value for top in tops for value in (-top, top)]


def _of_inputs(get: Callable[[Any], Any]) -> Property:
    return Property(lambda e, d: get(_have(d[1].inputs)))


def _of_outputs(get: Callable[[Any], Any]) -> Property:
    return Property(lambda e, d: get(_have(d[1].outputs)))


def _have(part: Any) -> Any:
    if part is None:
        raise DaqmxError(-200197)
    return part


DEVICE: dict[str, Property] = {
    "PRODUCT_TYPE": Property(lambda e, d: d[1].name),
    "PRODUCT_CATEGORY": Property(lambda e, d: d[1].category),
    "BUS_TYPE": Property(lambda e, d: d[1].bus),
    "SERIAL_NUM": Property(lambda e, d: 0),
    "IS_SIMULATED": Property(lambda e, d: True),
    "AI_PHYSICAL_CHANS": Property(lambda e, d: _inputs(d)),
    "AO_PHYSICAL_CHANS": Property(lambda e, d: _outputs(d)),
    "DI_LINES": Property(lambda e, d: _line_names(d)),
    "DO_LINES": Property(lambda e, d: _line_names(d)),
    "DI_PORTS": Property(lambda e, d: _port_names(d)),
    "DO_PORTS": Property(lambda e, d: _port_names(d)),
    "TERMINALS": Property(lambda e, d: ", ".join(f"/{d[0]}/{t}" for t in d[1].terminals)),
    "AI_MAX_SINGLE_CHAN_RATE": _of_inputs(lambda i: i.rate_single),
    "AI_MAX_MULTI_CHAN_RATE": _of_inputs(lambda i: i.rate_single if i.simultaneous else i.rate_aggregate),
    "AI_MIN_RATE": _of_inputs(lambda i: i.rate_min),
    "AI_SIMULTANEOUS_SAMPLING_SUPPORTED": _of_inputs(lambda i: i.simultaneous),
    "AI_BRIDGE_RNGS": _of_inputs(lambda i: _pairs(i.tops) if "bridge" in i.kinds else []),
    "AI_VOLTAGE_RNGS": _of_inputs(lambda i: _pairs(i.tops) if "voltage" in i.kinds else []),
    "AO_MAX_RATE": _of_outputs(lambda o: o.rates[0]),
    "AO_MIN_RATE": _of_outputs(lambda o: o.rate_min),
    "AO_VOLTAGE_RNGS": _of_outputs(lambda o: _pairs(o.tops)),
    "AO_SAMP_CLK_SUPPORTED": Property(lambda e, d: d[1].outputs is not None),
}
SYSTEM: dict[str, Property] = {
    "NIDAQ_MAJOR_VERSION": Property(lambda e, s: VERSION[0]),
    "NIDAQ_MINOR_VERSION": Property(lambda e, s: VERSION[1]),
    "NIDAQ_UPDATE_VERSION": Property(lambda e, s: VERSION[2]),
    "DEV_NAMES": Property(lambda e, s: ", ".join(e.devices)),
    "TASKS": Property(lambda e, s: ""),
    "GLOBAL_CHANS": Property(lambda e, s: ""),
    "SCALES": Property(lambda e, s: ""),
}


# -- physical channel: the subject is its name ----------------------------------------------------------------------------------------


def _port_width(engine: Engine, name: str) -> int:
    device, _, channel = name.strip("/").partition("/")
    known, product = engine.product(device)
    for port, count in enumerate(product.ports):
        if channel.lower() == f"port{port}":
            return count
    raise DaqmxError(-200170, Device=known, Physical_Channel_Name=channel)


PHYSICALCHANNEL: dict[str, Property] = {
    "PHYSICAL_CHAN_DI_PORT_WIDTH": Property(_port_width),
    "PHYSICAL_CHAN_DO_PORT_WIDTH": Property(_port_width),
}

# -- watchdog: the subject is (task, lines) -------------------------------------------------------------------------------------------


def _has_expired(engine: Engine, subject: tuple[Task, str]) -> bool:
    task, _ = subject
    _, dog = configuring.watchdog_of(engine, task)
    if not task.running:
        raise task.fail(-200475, Property="Watchdog.HasExpired")
    engine.update(exact=True)
    return dog.expired


def _set_timeout(engine: Engine, subject: tuple[Task, str], value: float) -> None:
    task, _ = subject
    task.need_stopped()
    device, dog = configuring.watchdog_of(engine, task)
    if not (value == -1 or 0 < value <= LONGEST):
        raise task.fail(-200668, Property="Watchdog.Timeout", Requested_Value=value, Device=device)
    dog.timeout = value


def _line_expiration(engine: Engine, subject: tuple[Task, str]) -> int:
    task, line = subject
    _, dog = configuring.watchdog_of(engine, task)
    return dog.states.get(terminal(line), NO_CHANGE)


WATCHDOG: dict[str, Property] = {
    "HAS_EXPIRED": Property(_has_expired),
    "TIMEOUT": Property(lambda e, s: configuring.watchdog_of(e, s[0])[1].timeout, _set_timeout, 10.0),
    "DO_EXPIR_STATE": Property(_line_expiration, lambda e, s, v: configuring.expiration_states(e, s[0], s[1], [v])),
}
