"""The serial lines of a virtual bench: device sides on `socket://`, turning the plant's shafts or moving its load frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drivers.simulated.axes.drive_side import DriveSideSettings
from drivers.simulated.axes.modbus_drive import ModbusDrive, Motor
from drivers.simulated.axes.odrive import ODrive
from drivers.simulated.axes.tmcl import Tmcl, TmclMotor
from drivers.simulated.clock import BenchClock
from drivers.simulated.instruments.instrument_side import InstrumentSideSettings
from drivers.simulated.loaders import instron_habits
from drivers.simulated.loaders.instron import Instron
from drivers.simulated.plant.load_frame import LoadFrame
from drivers.simulated.plant.shaft import Shaft, SkewedShaft
from drivers.simulated.serial.serial_bus import SerialBus
from drivers.simulated.serial.serial_device import SerialDevice
from drivers.simulated.serial.serial_side import SerialSide, Wire
from rig.config.bench import SerialEntry
from rig.errors import ConfigError
from rig.virtual.observed_plant import ObservedPlant
from rig.virtual.rig_plant import RigPlant

MODBUS_BITS = 11
"""Start, eight of data, parity, stop: 8E1."""


def sides(entries: Sequence[SerialEntry], plant: RigPlant, clock: BenchClock) -> dict[str, SerialSide]:
    """A side for each entry, attached to the plant (a `ObservedPlant` where there are instruments), by name. Raises ConfigError for shafts,
    frames and signals that there are not, and ports in use."""
    _check(entries, plant.shafts)
    _check_frames(entries, plant.load_frames)
    made: dict[str, SerialSide] = {}
    try:
        for entry in entries:
            made[entry.name] = side = _side(entry, plant.shafts, plant.load_frames, clock)
            _attach(entry, side, plant)
    except (ConfigError, ValueError):
        close(made)
        raise
    return made


def _attach(entry: SerialEntry, side: SerialSide, plant: RigPlant) -> None:
    if entry.kind != "instrument":
        plant.attach(side)
        return
    assert isinstance(plant, ObservedPlant)
    try:
        plant.look(side, entry.signal, entry.per_volt)
    except ValueError as error:
        raise ConfigError(f"virtual bench: serial {entry.name}: signal: {error}") from error


def close(made: dict[str, SerialSide]) -> None:
    """End every line."""
    for side in made.values():
        side.close()


def _check(entries: Sequence[SerialEntry], there: Mapping[str, Shaft]) -> None:
    names, turned = [entry.name for entry in entries], [shaft for entry in entries for shaft in entry.shafts]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"virtual bench: serial: there is more than one line called {name!r}; give each a name of its own")
    for entry in entries:
        if unknown := [habit for habit in entry.habits if habit not in instron_habits.SPOKEN]:
            known = ", ".join(instron_habits.SPOKEN)
            raise ConfigError(f"virtual bench: serial {entry.name}: habits: expected some of {known}; got {unknown[0]!r}")
        for shaft in entry.shafts:
            if shaft not in there:
                known = ", ".join(there) or "none that a serial drive could turn"
                raise ConfigError(f"virtual bench: serial {entry.name}: expected shafts of the plant, which has {known}; got {shaft!r}")
            if turned.count(shaft) > 1:
                raise ConfigError(
                    f"virtual bench: serial {entry.name}: more than one drive turns the shaft {shaft!r}; leave all but one out"
                )


def _check_frames(entries: Sequence[SerialEntry], frames: Mapping[str, LoadFrame]) -> None:
    named = [entry.frame for entry in entries]
    for entry in entries:
        if entry.frame and entry.frame not in frames:
            known = f"which has {', '.join(frames) or 'none on a serial line'}"
            raise ConfigError(f"virtual bench: serial {entry.name}: expected a load frame of the plant, {known}; got {entry.frame!r}")
        if entry.frame and named.count(entry.frame) > 1:
            raise ConfigError(f"virtual bench: serial {entry.name}: more than one controller for {entry.frame!r}; leave all but one out")


def _side(entry: SerialEntry, there: Mapping[str, Shaft], frames: Mapping[str, LoadFrame], clock: BenchClock) -> SerialSide:
    pace = 1.0 + 1e-6 * entry.skew_ppm
    shafts = [there[name] if pace == 1.0 else SkewedShaft(there[name], pace) for name in entry.shafts]
    wire = Wire(entry.baud, _bits(entry), entry.latency)
    try:
        return SerialSide(_device(entry, shafts, frames), clock, wire, entry.port, paced=False, pace=pace)
    except OSError as error:
        raise ConfigError(
            f"virtual bench: serial {entry.name}: port {entry.port} cannot be opened ({error.strerror}); choose another, or 0"
        ) from error


def _bits(entry: SerialEntry) -> int:
    """On the wire for a byte."""
    if isinstance(entry.drive, DriveSideSettings):
        return entry.drive.BITS
    return MODBUS_BITS if entry.kind == "modbus_drive" else 10


def _device(entry: SerialEntry, shafts: Sequence[Shaft], frames: Mapping[str, LoadFrame]) -> SerialDevice:
    if entry.kind == "instrument":
        assert isinstance(entry.device, InstrumentSideSettings)
        return entry.device.create(entry.name)
    if entry.kind == "instron":
        habits = instron_habits.of(entry.habits)
        return Instron(frames[entry.frame], entry.stroke_full_scale, entry.force_full_scale, entry.name, habits)
    if entry.kind == "drive":
        assert isinstance(entry.drive, DriveSideSettings)
        return _found_by_kind(entry, entry.drive, shafts)
    addresses = entry.addresses or tuple(range(1, len(shafts) + 1))
    if entry.kind == "odrive":
        return ODrive(*shafts, name=entry.name)
    if entry.kind == "tmcl":
        motors = (TmclMotor(s, entry.full_steps, entry.torque, name=n) for s, n in zip(shafts, entry.shafts, strict=True))
        return Tmcl(*motors, address=addresses[0], name=entry.name)
    motor = Motor(pole_pairs=entry.pole_pairs, rated_frequency=entry.rated_frequency)
    drives = [ModbusDrive(s, a, motor, name=n) for s, a, n in zip(shafts, addresses, entry.shafts, strict=True)]
    return drives[0] if len(drives) == 1 else SerialBus(*drives, name=entry.name)


def _found_by_kind(entry: SerialEntry, settings: DriveSideSettings, shafts: Sequence[Shaft]) -> SerialDevice:
    try:
        return settings.create(shafts, entry.name)
    except ValueError as error:
        raise ConfigError(f"virtual bench: serial {entry.name}: {error}") from error
