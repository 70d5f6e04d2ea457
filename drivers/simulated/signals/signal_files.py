"""Samples of a signal from a file of measurements: CSV, TDMS (npTDMS), HDF5 and records of this project (h5py).

npTDMS and h5py are imported only where a file needs them.
"""

from __future__ import annotations

import csv
import importlib
import io
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

import numpy as np

from drivers.files.text_files import Unusable, need_file, read_text
from drivers.simulated.signals.played import BadSignal, Block

MOST = 2**31
"""Bytes of a file of measurements."""
SIGNS = (";", "\t", ",")
"""Between the columns of a CSV file."""


@dataclass(frozen=True)
class Column:
    """Values (n,) as they stand in a file; their times (n,) in s, or the rate (S/s), where it tells them. value = gain * volts + offset
    where it tells that, as a record of this project does."""

    values: Block
    times: Block | None = None
    rate: float | None = None
    gain: float | None = None
    offset: float = 0.0


def read_column(path: Path, column: str, time: str | None) -> Column:
    """A column of a file, with the times of the column `time`. Raises BadSignal."""
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise BadSignal(f"{path}: expected a file of measurements ({', '.join(_READERS)}), got {path.suffix or 'no ending'}")
    try:
        need_file(path, "measurements")
        found = reader(path, column, time)
    except Unusable as error:
        raise BadSignal(str(error)) from None
    except FileNotFoundError:
        raise BadSignal(f"{path}: no such file") from None
    except (OSError, ValueError) as error:
        if isinstance(error, BadSignal):
            raise
        raise BadSignal(f"{path}: cannot be read: {error}") from error
    times = None if found.times is None else _numbers(path, str(time), found.times)
    return replace(found, values=_numbers(path, column, found.values), times=times)


def _numbers(path: Path, name: str, values: object) -> Block:
    found = np.asarray(values)
    if found.dtype.kind not in "biuf" or found.ndim != 1:
        raise BadSignal(f"{path}: {name}: expected one column of numbers, got {found.dtype} of shape {found.shape}")
    found = found.astype(np.float64)
    wrong = np.flatnonzero(~np.isfinite(found))
    if not len(found) or len(wrong):
        got = f"{found[wrong[0]]} in row {wrong[0]}" if len(wrong) else "none"
        raise BadSignal(f"{path}: {name}: expected finite numbers, got {got}")
    return found


def _library(path: Path, name: str, package: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise BadSignal(f"{path}: needs {package}, which is not installed: pip install {package}") from None


def _named(path: Path, what: str, names: Collection[str]) -> str:
    """The one that is called so, or whose path ends so. Raises BadSignal."""
    what = what.strip("/")
    found = [what] if what in names else [name for name in names if name.endswith(f"/{what}")]
    if len(found) == 1:
        return found[0]
    if found:
        raise BadSignal(f"{path}: {what!r} may be {', '.join(found)}; expected one of them")
    raise BadSignal(f"{path}: no column {what!r}; there are {', '.join(list(names)[:30]) or 'none'}")


# -- CSV -------------------------------------------------------------------------------------------------------------------------------


def _csv(path: Path, column: str, time: str | None) -> Column:
    """Columns by the names in the last line before the numbers, or by number from 0. Between them ; a tab
    or , and with the first two also 1,5 for 1.5."""
    text = read_text(path, "measurements", MOST)
    lines = text.split("\n")
    ways = [(sign, decimal) for sign in SIGNS for decimal in (False, True)[: 1 if sign == "," else 2]]
    found = ((n, sign, decimal) for n, line in enumerate(lines) for sign, decimal in ways if _is_row(line, sign, decimal))
    first, sign, decimal = next(found, (None, "", False))
    if first is None:
        raise BadSignal(f"{path}: expected rows of numbers, got none")
    width = len(lines[first].split(sign))
    heads = [row for row in csv.reader(lines[:first], delimiter=sign) if len(row) == width]
    names: dict[str, int] = {str(n): n for n in range(width)}
    for row in heads:
        names |= {name.strip(): n for n, name in enumerate(row) if name.strip()}
    wanted = [column] if time is None else [column, time]
    places = [names[_named(path, name, names)] for name in wanted]
    body = "\n".join(lines[first:])
    table = np.loadtxt(io.StringIO(body.replace(",", ".") if decimal else body), delimiter=sign, usecols=places, ndmin=2)
    return Column(table[:, 0], None if time is None else table[:, 1])


def _is_row(line: str, sign: str, decimal: bool) -> bool:
    try:
        return (
            bool(line.strip())
            and (sign in line or sign == SIGNS[-1])
            and all(np.isfinite(float(cell.replace(",", ".") if decimal else cell)) for cell in line.split(sign))
        )
    except ValueError:
        return False


# -- TDMS ------------------------------------------------------------------------------------------------------------------------------


def _tdms(path: Path, column: str, time: str | None) -> Column:
    """Channels as Group/Channel, or by their own name where one group has it; the rate is that of the waveform."""
    tdms = _library(path, "nptdms", "npTDMS").TdmsFile.read(path)
    channels = {f"{group.name}/{channel.name}": channel for group in tdms.groups() for channel in group.channels()}
    channel = channels[_named(path, column, channels)]
    step = float(channel.properties.get("wf_increment", 0.0))
    times = None if time is None else channels[_named(path, time, channels)][:]
    return Column(channel[:], times, 1.0 / step if step > 0.0 else None)


# -- HDF5 ------------------------------------------------------------------------------------------------------------------------------


def _hdf5(path: Path, column: str, time: str | None) -> Column:
    """Datasets by their path, or the end of it. The attribute `rate`, and in a record of this project `volts_scale` and `volts_offset`,
    are those of the dataset."""
    h5py = _library(path, "h5py", "h5py")
    with h5py.File(path, "r") as file:
        names: list[str] = []
        file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) and item.ndim == 1 else None)
        data = file[_named(path, column, names)]
        times = None if time is None else file[_named(path, time, names)][:]
        rate, gain, offset = (data.attrs.get(name) for name in ("rate", "volts_scale", "volts_offset"))
        return Column(data[:], times, rate and float(rate), gain and float(gain), float(offset or 0.0))


_READERS: dict[str, Callable[[Path, str, str | None], Column]] = {
    ".csv": _csv, ".txt": _csv, ".tdms": _tdms, ".h5": _hdf5, ".hdf5": _hdf5, ".nxs": _hdf5,
}  # fmt: skip
