"""Kinds: `kind = "x"` in a table chooses a class, the `Config` of a file (or folder) x in the room of its role.

The room is a package: drivers.axes, model.mechanisms and so on. A user's own need no change in it. They are named by a dotted path
(`kind = "mylab.balance"`, or `"mylab.balance:Balance"` for another class than `Config`), by an entry point of an installed package in the
group `clearance_rig.ROLE`, or they are files `ROLE/x.py` in a folder that the user's own settings name (`drivers.files.user_settings`).
ROLE is the name of the room: axes, loaders, instruments, mechanisms, paths, trajectory, ...

A field may take kinds of another room by another key: `path = "x"` in [trajectory] chooses one of model.paths.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
import pkgutil
import traceback
from dataclasses import is_dataclass
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType

from drivers.files import user_settings
from drivers.files.text_files import Unusable
from model.errors import in_one_line
from rig.config.shape import Metadata
from rig.errors import ConfigError

CONTRACTS = {
    "drivers.axes": "drivers.axes.settings:AxisSettings",
    "drivers.daq": "drivers.daq.settings:DaqSettings",
    "drivers.instruments": "drivers.instruments.instrument:InstrumentSettings",
    "drivers.loaders": "drivers.loaders.settings:LoaderSettings",
    "drivers.simulated.axes": "drivers.simulated.axes.drive_side:DriveSideSettings",
    "drivers.simulated.instruments": "drivers.simulated.instruments.instrument_side:InstrumentSideSettings",
    "model.integrators": "model.integrators.method:Integrator",
    "model.mechanisms": "model.mechanisms.mechanism:Mechanism",
    "model.paths": "model.paths.course:Timed",
    "rig.control": "rig.control.settings:ControlSettings",
    "rig.virtual.plants": "rig.virtual.plants.settings:PlantSettings",
    "rig.display.panels": "rig.display.panels.display_panel:DisplayPanel",
    "rig.report.overlay.panels": "rig.report.overlay.panels.report_panel:ReportPanel",
    "rig.trajectory": "rig.trajectory.naming:TrajectorySettings",
}
"""Room -> what every `Config` in it derives from; in the others it is any dataclass."""
ROLES = {
    "model.contact.other_laws": "contact_laws",
    "drivers.simulated.axes": "simulated_axes",
    "drivers.simulated.instruments": "simulated_instruments",
    "rig.display.panels": "display_panels",
    "rig.report.overlay.panels": "report_panels",
}
"""Rooms that are called otherwise than by their last word."""
BESIDE = {"model.mechanisms": "model.contact.other_laws"}
"""Room whose files are named by keys of the kinds in another: there may be some of the user's own."""
_chosen: dict[type, str] = {}


def role(package: str) -> str:
    """Name of a room for those who are not in it."""
    return ROLES.get(package) or package.rpartition(".")[2]


@cache
def names(package: str) -> tuple[str, ...]:
    """The kinds that there are in a room, the user's own in it and entry points included.

    A room whose files take long to import names those that are no kinds, PARTS.
    """
    room = _room(package)
    parts, own = vars(room).get("PARTS"), list(room.__path__)
    if parts is None:
        found = [info.name for info in pkgutil.iter_modules(own) if _is_kind(package, info.name)]
    else:
        found = [info.name for info in pkgutil.iter_modules(own[:1]) if info.name not in parts]
        found += [info.name for info in pkgutil.iter_modules(own[1:]) if _is_kind(package, info.name)]
    return tuple(sorted({*found, *_entry_points(package)}))


@cache
def faults(package: str) -> dict[str, str]:
    """Files of the user's own in a room that is looked through, where nobody names them, and why they cannot be taken; `_x.py` is none."""
    own = list(_room(package).__path__)[1:]
    found: dict[str, str] = {}
    for name in sorted(info.name for info in pkgutil.iter_modules(own) if not info.name.startswith("_")):
        try:
            config_class(package, name)
        except LookupError as error:
            found[name] = str(error)
    return found


@cache
def config_class(package: str, kind: str) -> type:
    """The `Config` of a kind. Raises LookupError, which lists the kinds there are, or says what is wrong with this one."""
    if package in BESIDE:
        _room(BESIDE[package])
    try:
        cls = _find(package, kind)
    except ConfigError:  # their settings, which name the folder
        raise
    except Exception as error:  # the user's program: it may raise whatever it likes
        raise LookupError(f"{kind} cannot be taken: {in_one_line(error)}{_place(error)}") from error
    if cls is None:
        there, said = names(package), _lacking(package, kind)
        meant = "" if said else "".join(f"; did you mean {near}?" for near in difflib.get_close_matches(kind, there, 1))
        raise LookupError(f"expected one of {', '.join(there) or '(none installed)'}; got {kind!r}{said}{meant}")
    if not _fits(package, cls):
        base = CONTRACTS.get(package, "builtins:object").replace(":", ".")
        raise LookupError(f"{kind}: expected a frozen dataclass that derives from {base}, got {cls!r}{_home(cls)}")
    _chosen.setdefault(cls, kind)
    return cls


def choosers(metadata: Metadata) -> dict[str, str]:
    """The keys that may choose what a table is, and the room of each: `kind`, and others that the field names (`or_by`)."""
    return {"kind": metadata["kinds"], **metadata.get("or_by", {})}


def chosen_by(metadata: Metadata, config: object) -> str:
    """Which of these keys chose `config`."""
    return next((key for key, package in choosers(metadata).items() if isinstance(config, _contract(package))), "kind")


def kind_of(config: object) -> str:
    """The kind that a `Config` belongs to, as it is named in a file."""
    return kind_of_class(type(config))


def kind_of_class(cls: type) -> str:
    """The same of the class."""
    return _chosen.get(cls) or cls.__module__.rpartition(".")[2]


def _find(package: str, kind: str) -> type | None:
    """None where there is no such kind. Raises what its file raises when it is imported."""
    if not kind.isidentifier():
        return _by_path(kind)
    if _room(package) and importlib.util.find_spec(f"{package}.{kind}") is not None:
        module = importlib.import_module(f"{package}.{kind}")
        return vars(module).get("Config")
    point = _entry_points(package).get(kind)
    return None if point is None else _by_path(point)


def _by_path(path: str) -> type | None:
    module, _, name = path.partition(":")
    if ("." not in module and not name) or not all(part.isidentifier() for part in module.split(".")):
        return None
    found: type = getattr(importlib.import_module(module), name or "Config")
    return found


def _is_kind(package: str, name: str) -> bool:
    """Whether it is no other part of the room, and no file that cannot be imported here."""
    try:
        cls = _find(package, name)
    except ConfigError:
        raise
    except Exception:
        return False
    return cls is not None and _fits(package, cls)


def _fits(package: str, cls: type) -> bool:
    return is_dataclass(cls) and issubclass(cls, _contract(package))


@cache
def _room(package: str) -> ModuleType:
    """The package of a room, which the folder of the user's own belongs to as well."""
    room = importlib.import_module(package)
    try:
        folders = user_settings.folders()
    except Unusable as error:
        raise ConfigError(str(error)) from error
    for folder in folders:
        if (there := folder / role(package)).is_dir():
            room.__path__.append(str(there))
    return room


@cache
def _contract(package: str) -> type:
    module, _, name = CONTRACTS.get(package, "builtins:object").partition(":")
    found: type = getattr(importlib.import_module(module), name)
    return found


@cache
def _entry_points(package: str) -> dict[str, str]:
    return {point.name: point.value for point in entry_points(group=f"clearance_rig.{role(package)}")}


def _home(found: object) -> str:
    """The file of what should be a class."""
    return f" ({inspect.getfile(found)})" if inspect.isclass(found) and found.__module__ != "builtins" else ""


def _place(error: Exception) -> str:
    """Where a file of the user's own goes wrong: the last line that is no part of importing; a SyntaxError has its own."""
    if isinstance(error, SyntaxError):
        return f" ({error.filename}, line {error.lineno})" if error.filename else ""
    frames = [
        one for one in traceback.extract_tb(error.__traceback__) if not one.filename.startswith(("<frozen", importlib.__file__, __file__))
    ]
    return f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""


def _lacking(package: str, kind: str) -> str:
    """What a file of that name has not; empty where there is none."""
    found = importlib.util.find_spec(f"{package}.{kind}") if kind.isidentifier() else None
    return "" if found is None else f"; {package.replace('.', '/')}/{kind} is there, but has no class Config ({found.origin})"
