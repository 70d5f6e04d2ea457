"""A signal from a file as a table of keys says it: `{file = "yesterday.csv", column = "force", time = "t", sensitivity = "40 uV/V"}`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from drivers.simulated.signals.played import (
    BEGINS,
    BETWEEN,
    DEVICE,
    ENDS,
    HOLD,
    LINEAR,
    REPEAT,
    BadSignal,
    Block,
    Played,
    PlayedEdges,
    Samples,
    of_function,
    of_states,
    of_times,
)
from drivers.simulated.signals.signal_files import Column, read_column

VOLTS = {"V": 1.0, "mV": 1e-3, "uV": 1e-6}
KEYS = ("file", "column", "edges", "time", "rate", "sensitivity", "zero", "between", "begin", "delay", "end")
OF_EDGES = ("file", "edges", "begin", "delay")


@dataclass(frozen=True)
class _Amount:
    """What one unit of a file is at the terminal: V, or V/V of the excitation."""

    volts: float
    of_excitation: bool


Signal = Callable[[Block], object] | Sequence[float] | Block | Mapping[str, object]
"""What an input sees: a function from times (s) to volts, times of edges (s), or the keys of a signal from a file."""


def signals_of(signals: Mapping[str, Signal]) -> dict[str, Played | PlayedEdges]:
    """What is played to each terminal; files are looked for from the working folder. Raises BadSignal."""
    found: dict[str, Played | PlayedEdges] = {}
    for end, signal in signals.items():
        if callable(signal):
            found[end] = of_function(end, signal)
        elif isinstance(signal, Mapping):
            found[end] = signal_of(end, signal, Path(), digital=is_digital(end))
        else:
            found[end] = of_times(end, signal)
    return found


def signal_of(name: str, table: Mapping[str, object], folder: Path, *, digital: bool) -> Played | PlayedEdges:
    """What a table plays at the terminal `name`; its file is looked for in `folder`. Raises BadSignal."""
    _need_keys(name, table)
    path = folder / str(table["file"])
    delay = _number(name, table, "delay", 0.0)
    if (digital or "edges" in table) and table.get("begin", DEVICE) != DEVICE:
        raise BadSignal(f'{name}: begin: edges are the same for every task that sees them; expected "{DEVICE}"')
    if "edges" in table:
        times = read_column(path, str(table["edges"]), None).values
        return of_times(f"{name} ({path})", times + delay)
    column = read_column(path, str(table["column"]), None if table.get("time") is None else str(table["time"]))
    if digital:
        wrong = next((key for key in ("sensitivity", "zero", "between") if key in table), None)
        if wrong is not None:
            raise BadSignal(f"{name}: {wrong}: a digital input has none; expected states 0 and 1 in the column")
        samples = _samples(f"{name} ({path})", table, column, column.values)
        return of_states(Samples(samples.name, samples.times + delay, samples.values, samples.period, end=samples.end))
    amount, values = _electrical(name, table, column)
    samples = _samples(f"{name} ({path})", table, column, values)
    return Played(samples, amount.of_excitation, str(table.get("begin", DEVICE)), delay)


def is_digital(end: str) -> bool:
    """Whether a terminal is one of lines or counters, by its name."""
    return not end.strip("/").rpartition("/")[2].lower().startswith("ai")


def _need_keys(name: str, table: Mapping[str, object]) -> None:
    for key in table:
        if key not in KEYS:
            raise BadSignal(f"{name}: {key}: no such key of a signal; there are {', '.join(KEYS)}")
    if not isinstance(table.get("file"), str):
        raise BadSignal(f"{name}: file: expected the name of a file of measurements, got {table.get('file')!r}")
    if ("column" in table) == ("edges" in table):
        raise BadSignal(f"{name}: expected either column (samples) or edges (their times in s)")
    if "edges" in table and (wrong := [key for key in table if key not in OF_EDGES]):
        raise BadSignal(f"{name}: {wrong[0]}: times of edges have none; expected {', '.join(OF_EDGES)}")
    for key, known in (("between", BETWEEN), ("begin", BEGINS), ("end", ENDS)):
        if table.get(key, known[0]) not in known:
            raise BadSignal(f"{name}: {key}: expected one of {', '.join(known)}; got {table[key]!r}")


def _number(name: str, table: Mapping[str, object], key: str, default: float) -> float:
    value = table.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not np.isfinite(value):
        raise BadSignal(f"{name}: {key}: expected a number, got {value!r}")
    return float(value)


def _electrical(name: str, table: Mapping[str, object], column: Column) -> tuple[_Amount, Block]:
    """Volts, or V/V, of the values of a file: by `sensitivity` and `zero`, else as the file itself says, else it has volts."""
    zero = _number(name, table, "zero", 0.0)
    if "sensitivity" not in table and column.gain is not None:
        if "zero" in table:
            raise BadSignal(f"{name}: zero: the record says itself which volts its values were; give sensitivity as well, or neither")
        return _Amount(1.0, False), (column.values - column.offset) / column.gain
    amount = _amount(name, table.get("sensitivity", "1 V"))
    return amount, (column.values - zero) * amount.volts


def _amount(name: str, text: object) -> _Amount:
    number, _, unit = str(text).strip().partition(" ")
    top, _, under = unit.strip().replace("\N{MICRO SIGN}", "u").partition("/")
    try:
        if top in VOLTS and under in ("", "V") and np.isfinite(amount := float(number)) and amount:
            return _Amount(amount * VOLTS[top], under == "V")
    except ValueError:
        pass
    raise BadSignal(f"{name}: sensitivity: expected what one unit of the file is at the terminal, as '10 mV', or of a bridge '40 uV/V'; "
                    f"got {text!r}")  # fmt: skip


def _samples(name: str, table: Mapping[str, object], column: Column, values: Block) -> Samples:
    between, end = str(table.get("between", LINEAR)), str(table.get("end", HOLD))
    times, rate = column.times, _number(name, table, "rate", column.rate or 0.0)
    if times is not None and "rate" in table:
        raise BadSignal(f"{name}: expected either time (a column of times in s) or rate (S/s)")
    if times is None:
        if rate <= 0.0:
            raise BadSignal(f"{name}: expected time (a column of times in s) or rate (S/s, above 0); the file tells neither")
        return Samples(name, np.arange(len(values)) / rate, values, len(values) / rate, between, end)
    if np.any(np.diff(times) <= 0.0):
        row = int(np.flatnonzero(np.diff(times) <= 0.0)[0]) + 1
        raise BadSignal(f"{name}: times must increase; {times[row]:.9g} s in row {row} comes after {times[row - 1]:.9g} s")
    if len(times) < 2 and end == REPEAT:
        raise BadSignal(f"{name}: one sample repeats at no time; expected at least 2, or a rate")
    span = float(times[-1] - times[0])
    return Samples(name, times, values, span * len(times) / max(1, len(times) - 1) or 1.0, between, end)
