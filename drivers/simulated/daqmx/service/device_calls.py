"""Remote calls about devices as such: tests, resets, calibration, network devices, ID pins, cDAQ Sync, data sheets of sensors."""

from __future__ import annotations

from collections.abc import Callable

from drivers.simulated.daqmx.configuration import digital_sources
from drivers.simulated.daqmx.core.names import split, terminal
from drivers.simulated.daqmx.core.task import State, Task
from drivers.simulated.daqmx.core.values import Fields, as_bytes
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.io import task_states
from drivers.simulated.daqmx.products.product import TCP_IP
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.system import enumeration as en
from drivers.simulated.daqmx.system import power_up, teds

# Devices that were never calibrated anew tell when the factory did: any simulated one, this day.
CALIBRATED = {"year": 2024, "month": 1, "day": 1, "hour": 0, "minute": 0}


def _named(do: Callable[[Engine, en.Device], Fields | None]) -> Call:
    """A call that names a device. Raises DaqmxError -200220, -201003."""

    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        with engine.lock:
            name, product = engine.product(str(fields["device_name"]))
            if engine.gone(name):
                raise DaqmxError(-201003, Device=name)
            return do(engine, (name, product)) or {}

    return call


# -- tests, resets, calibration --------------------------------------------------------------------------------------------------------


def reset(engine: Engine, device: en.Device) -> None:
    """Abort what runs on the device (a chassis: and on its modules), and undo its routes; outputs and lines are as at power-up.

    "Device Resetting and Interactions with Routing" (NI-DAQmx Key Concepts): a task of another device that has a route to it ends, too.
    """
    names = en.with_modules(engine, device[0])
    heads = {terminal(name) for name in names}
    for task in [t for t in engine.tasks.values() if {*names} & {*t.devices} or heads & _routed(engine, t)]:
        task_states.abort(engine, task)
    engine.update(exact=True)
    engine.routes.dissolve(heads)
    for name in names:
        _power_up(engine, name)
        dog = engine.watchdogs.get(name)
        if dog is not None:
            task_states.stop(engine, dog.task)
            dog.expired = False


def _routed(engine: Engine, task: Task) -> set[str]:
    """Devices, in small letters, from or to which a task that is reserved has a route."""
    if task.state < State.RESERVED or not task.channels:
        return set()
    texts = [task.timing.source, *digital_sources.sources(task).values(), *(text for names in task.exports.values() for text in names)]
    return {engine.routes.full(text, task.device).partition("/")[0] for text in texts if text}


def _power_up(engine: Engine, name: str) -> None:
    before = {**engine.board.levels, **engine.board.lines}
    engine.board.reset(name)
    product = engine.devices[name]
    for channel in en.channels(product, en.AO):
        value, kind = power_up.level(engine, f"{name}/{channel}")
        if kind == power_up.VOLTAGE:
            engine.board.levels[terminal(f"{name}/{channel}")] = value
    for channel in en.channels(product, en.LINE):
        line = terminal(f"{name}/{channel}")
        state = engine.nonvolatile.lines.get(line, power_up.TRISTATE)
        engine.board.lines[line] = state == power_up.HIGH
        if state != power_up.TRISTATE:
            engine.board.held.add(line)
    now = {**engine.board.levels, **engine.board.lines}
    engine.recorder.put(engine.time, {end: value for end, value in now.items() if value != before[end]})


def _calibrates(engine: Engine, device: en.Device) -> bool:
    return device[1].inputs is not None or device[1].outputs is not None


def _calibration(engine: Engine, device: en.Device) -> None:
    if not _calibrates(engine, device):
        raise DaqmxError(-200197, Device=device[0])


def _self_test(engine: Engine, device: en.Device) -> None:
    """A device is tested and calibrated by itself only while no task has it. Raises DaqmxError -50103."""
    names = {*en.with_modules(engine, device[0])}
    for task in [t for t in engine.tasks.values() if t.channels and t.state >= State.RESERVED and names & {*t.devices}]:
        if not engine.clear_if_abandoned(task):
            raise DaqmxError(-50103, Device=device[0])


def _self_calibration(engine: Engine, device: en.Device) -> None:
    _calibration(engine, device)
    _self_test(engine, device)


def _calibrated(engine: Engine, device: en.Device) -> Fields:
    _calibration(engine, device)
    return CALIBRATED


# -- network devices -------------------------------------------------------------------------------------------------------------------


def add_network_device(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    """There is nothing at any address. Raises DaqmxError -201401, as NI's own tests find it for 0.0.0.0."""
    raise DaqmxError(-201401, IP_Address=fields["ip_address"])


def _network(engine: Engine, device: en.Device) -> str:
    """Name of a network device. Raises DaqmxError -201247."""
    if device[1].bus != TCP_IP:
        raise DaqmxError(-201247, Device=device[0])
    return device[0]


def _delete(engine: Engine, device: en.Device) -> None:
    for name in en.with_modules(engine, _network(engine, device)):
        for task in [t for t in engine.tasks.values() if name in t.devices]:
            task_states.abort(engine, task)
        del engine.devices[name]


def _reserve(engine: Engine, device: en.Device) -> None:
    engine.nonvolatile.reserved.add(_network(engine, device))


def _unreserve(engine: Engine, device: en.Device) -> None:
    name = _network(engine, device)
    if name not in engine.nonvolatile.reserved:
        raise DaqmxError(-201388, Device=name)
    engine.nonvolatile.reserved.discard(name)


# -- ID pins, cDAQ Sync ----------------------------------------------------------------------------------------------------------------


def _id_pin(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    """The pins of simulated devices have no memory. Raises DaqmxError -209904, -209903 (no such pin), -200197."""
    name, product = engine.product(str(fields["device_name"]))
    if not product.id_pins:
        raise DaqmxError(-200197, Device=name)
    if fields["id_pin_name"] not in {f"id{n}" for n in range(product.id_pins)}:
        raise DaqmxError(-209903, Device=name, ID_Pin_Name=fields["id_pin_name"])
    raise DaqmxError(-209904, Device=name, ID_Pin_Name=fields["id_pin_name"])


def _sync_ports(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    """No simulated product has cDAQ Sync ports. Raises DaqmxError -201450 for one that is named, -201459 where all were asked."""
    for text in split(str(fields.get("chassis_devices_ports", "")) or str(fields.get("port_list", ""))):
        raise DaqmxError(-201450, Device=engine.product(text.strip("/").partition("/")[0])[0])
    raise DaqmxError(-201459)


# -- data sheets of sensors ------------------------------------------------------------------------------------------------------------


def _at_channel(do: Callable[[Engine, en.Physical, Fields], None]) -> Call:
    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        with engine.lock:
            do(engine, en.physical(engine, str(fields["physical_channel"])), fields)
        return {}

    return call


CALLS: dict[str, Call] = {
    "SelfTestDevice": _named(_self_test),
    "ResetDevice": _named(reset),
    "SelfCal": _named(_self_calibration),
    "RestoreLastExtCalConst": _named(_calibration),
    "DeviceSupportsCal": _named(lambda e, d: {"cal_supported": _calibrates(e, d)}),
    "GetSelfCalLastDateAndTime": _named(_calibrated),
    "GetExtCalLastDateAndTime": _named(_calibrated),
    "AddNetworkDevice": add_network_device,
    "DeleteNetworkDevice": _named(_delete),
    "ReserveNetworkDevice": _named(_reserve),
    "UnreserveNetworkDevice": _named(_unreserve),
    "ReadIDPinMemory": _id_pin,
    "WriteIDPinMemory": _id_pin,
    "AutoConfigureCDAQSyncConnections": _sync_ports,
    "AreConfiguredCDAQSyncPortsDisconnected": _sync_ports,
    "AddCDAQSyncConnection": _sync_ports,
    "RemoveCDAQSyncConnection": _sync_ports,
    "GetAutoConfiguredCDAQSyncConnections": lambda e, f, a: {"port_list": ""},
    "GetDisconnectedCDAQSyncPorts": lambda e, f, a: {"port_list": ""},
    "ConfigureTEDS": _at_channel(lambda e, p, f: teds.configure(e, p, str(f["file_path"]))),
    "ClearTEDS": _at_channel(lambda e, p, f: teds.clear(e, p)),
    "WriteToTEDSFromArray": _at_channel(lambda e, p, f: teds.write(e, p, as_bytes(f["bit_stream"]))),
    "WriteToTEDSFromFile": _at_channel(lambda e, p, f: teds.write_file(e, p, str(f["file_path"]))),
    **power_up.CALLS,
}
