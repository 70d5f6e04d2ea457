"""What each reader of files makes of a changed one: something to work with, or one error of its own kind. Anything else is a fault."""

from __future__ import annotations

import datetime
import random
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from random_changes import of_bytes, of_text

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 10.0  # s


@dataclass(frozen=True)
class Kind:
    """`prepare` makes the files in an empty folder and returns the one that is changed; `use` reads it. `errors`: what `use` may raise."""

    prepare: Callable[[Path], Path]
    use: Callable[[Path], object]
    change: Callable[[random.Random, Path], bytes]


@dataclass
class Found:
    """Over the trials of a kind."""

    read: int = 0
    refused: int = 0
    slowest: float = 0.0
    faults: tuple[str, ...] = ()


def tried(kind: Kind, folder: Path, trials: int, seed: int) -> Found:
    """Change the file and read it, over and over; a fault is told with its number, by which it can be made again."""
    from drivers.simulated.device_file import BadDeviceFile
    from rig.errors import ConfigError

    path = kind.prepare(folder)
    whole, found, faults = path.read_bytes(), Found(), []
    kind.use(path)  # as it was, it can be read
    for trial in range(trials):
        path.write_bytes(whole)
        path.write_bytes(kind.change(random.Random(f"{seed} {trial}"), path))
        begun = time.monotonic()
        try:
            kind.use(path)
            found.read += 1
        except (ConfigError, BadDeviceFile) as error:
            found.refused += 1
            faults += [f"trial {trial}: {text}" for text in _unclear(error.problems)]
        except Exception as error:
            faults.append(f"trial {trial}: {type(error).__name__}: {error}"[:500])
        found.slowest = max(found.slowest, time.monotonic() - begun)
    found.faults = tuple(faults)
    return found


def _unclear(problems: Sequence[str]) -> list[str]:
    """Problems that are no line: empty, of several lines, or endless."""
    return [repr(text)[:300] for text in problems if not text.strip() or not text.isprintable() or len(text) > 2500]


# -- configuration ---------------------------------------------------------------------------------------------------------------------


def _text(rng: random.Random, path: Path) -> bytes:
    return of_text(rng, path.read_text(encoding="utf-8"))


def _bytes(rng: random.Random, path: Path) -> bytes:
    return of_bytes(rng, path.read_bytes())


def configs(folder: Path) -> Path:
    """The project's own, to be changed."""
    return Path(shutil.copytree(ROOT / "configs", folder / "configs"))


def _experiment(name: str) -> Kind:
    from rig.config import load_experiment

    return Kind(lambda folder: configs(folder) / "experiments" / name, load_experiment, _text)


def _bench(name: str) -> Kind:
    from rig.config import load_bench

    return Kind(lambda folder: configs(folder) / "benches" / name, load_bench, _text)


def _sensor() -> Kind:
    """The file of a sensor, read by a bench that names it."""
    from rig.config import load_bench

    return Kind(
        lambda folder: configs(folder) / "sensors" / "example_load_cell_250kn.toml",
        lambda path: load_bench(path.parents[1] / "benches" / "example_linkage_instron.toml"),
        _text,
    )


def _tares() -> Kind:
    from rig.config import load

    def prepare(folder: Path) -> Path:
        from rig.config import load_bench
        from rig.hardware.taring import Reading, entry, keep

        bench, path = load_bench(configs(folder) / "benches" / "virtual_loader.toml")
        now = datetime.datetime(2026, 5, 31, 12, 0, tzinfo=datetime.UTC)
        reading = Reading(12.5, 0.5, 0.1, 1000, 2.0)
        return keep(path, {channel.name: entry(channel, reading, "ada", now) for channel in bench.channels[:2]}, (), "ada", now)

    return Kind(prepare, lambda path: load(path.parents[1] / "experiments" / "linkage.toml"), _text)


def _calibrations() -> Kind:
    from rig.config import calibrations

    def prepare(folder: Path) -> Path:
        line = {"time": "2026-05-31T12:00:00+00:00", "points": [{"reference": 0.0, "volts": 0.01}], "new": {"sensitivity": 25e3}}
        path, text = next(iter(calibrations.append(folder / "lc-1.toml", line).items()))
        path.write_text(text, encoding="utf-8")
        return path

    return Kind(prepare, lambda path: calibrations.read(path.with_name("lc-1.toml")), _text)


def _points() -> Kind:
    """What is to be set in a calibration."""
    from rig.commands.bench.calibration.points import read_file

    def prepare(folder: Path) -> Path:
        path = folder / "points.csv"
        path.write_text("reference[kN]\n" + "".join(f"{load}\n" for load in (0, 50, 100, 150.5, 200, 100, 0)), encoding="utf-8")
        return path

    return Kind(prepare, lambda path: read_file(path, "N"), _text)


def _devices(name: str, text: str = "") -> Kind:
    from drivers.simulated.device_file import read
    from drivers.simulated.serving import engine_of

    def prepare(folder: Path) -> Path:
        path = configs(folder) / "devices" / name
        if text:
            path.write_text(text, encoding="utf-8")
        return path

    return Kind(prepare, lambda path: engine_of(read(path)), _text)


EXPORTED = """[DAQmx]
MajorVersion = 21
[DAQmxScale double]
Lin.Slope = 2
ScaleType = Linear
[DAQmxChannel load]
AI.Max = 10
[DAQmxDevice bridge]
ProductType = PXIe-4331
DevSerialNum = 0x1F
PXI.ChassisNum = 1
PXI.SlotNum = 2
[DAQmxCDAQChassis c]
ProductType = cDAQ-9174
DevSerialNum = 0x2
[DAQmxCDAQModule cMod1]
ProductType = NI 9234
CompactDAQ.ChassisDevName = c
CompactDAQ.SlotNum = 1
"""
LOAD_CELL = bytes.fromhex("11400020043930008410000000000024744802000000bc490cec28da003086c01d00000000000060")
"""Template 33: full bridge of 350 ohm, 0 to 250 kN, 2 mV/V, so 12.5 MN/V excited with 10 V; serial 12345."""


def _memory() -> Kind:
    """The memory of a sensor, and what is made of it: by the simulated device, and by who reads that device."""
    from drivers.simulated.daqmx.system.teds import decode, read_data_sheet

    def use(path: Path) -> object:
        from drivers.files.text_files import Unusable
        from drivers.simulated.daqmx.status.errors import DaqmxError
        from rig.errors import ConfigError

        try:
            return decode(read_data_sheet(path))
        except (DaqmxError, Unusable) as error:
            raise ConfigError(str(error)) from error

    def prepare(folder: Path) -> Path:
        path = folder / "load_cell.ted"
        path.write_bytes(LOAD_CELL)
        return path

    return Kind(prepare, use, _bytes)


def _drive() -> Kind:
    """A drive that an iteration left, as the trajectory of another test."""
    from rig.config import load

    def prepare(folder: Path) -> Path:
        experiments = configs(folder) / "experiments"
        t = np.arange(4000) / 1000.0
        value = 1e3 * np.sin(np.pi * t / 4.0) ** 2 * np.sin(6.0 * np.pi * t)
        value[-1] = 0.0
        np.save(experiments / "drive.npy", np.column_stack([value, 6.0 * np.pi * t, np.floor(3.0 * t)]))
        return experiments / "drive.npy"

    def use(path: Path) -> object:
        keys = ("trajectory.kind=drive", f"trajectory.file={path}", 'trajectory.rate="1 kHz"')
        return load(path.with_name("linkage_no_clearance.toml"), keys)

    return Kind(prepare, use, _bytes)


def _settings() -> Kind:
    """Series of `--set`, one a line."""
    from rig.config import load

    lines = (
        "trajectory.amplitude=12 kN", "trajectory.frequency=2.5 Hz", "mechanism.clearance=0.2 mm", "bench.pace=lockstep", "bench.seed=7",
        'bench.channels.stroke.sensor.delay="0.2 ms"', "limits.0.maximum=55 kN", "comparison.criteria.nrms.tolerance=0.01",
        "integrator.kind=dop853", "mechanism.contact.law=flores", 'bench.plant={kind="linkage_frame"}', "acquisition.rate=51200",
    )  # fmt: skip

    def prepare(folder: Path) -> Path:
        path = configs(folder) / "experiments" / "settings"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    def use(path: Path) -> object:
        given = path.read_bytes().decode("utf-8", "surrogateescape").split("\n")
        return load(path.with_name("linkage.toml"), [one for one in given if one])

    return Kind(prepare, use, _text)


KINDS: dict[str, Callable[[], Kind]] = {
    "experiment, linkage": lambda: _experiment("linkage.toml"),
    "experiment, four bar": lambda: _experiment("four_bar_rig.toml"),
    "experiment, random": lambda: _experiment("linkage_random.toml"),
    "bench, loader": lambda: _bench("virtual_loader.toml"),
    "bench, axes": lambda: _bench("virtual_parallel.toml"),
    "sensor": _sensor,
    "tares": _tares,
    "calibrations": _calibrations,
    "points": _points,
    "devices": lambda: _devices("lab.toml"),
    "devices of NI MAX": lambda: _devices("exported.ini", EXPORTED),
    "TEDS": _memory,
    "drive": _drive,
    "settings": _settings,
}
