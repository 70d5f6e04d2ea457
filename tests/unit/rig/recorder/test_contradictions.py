"""A record that says one thing in one place and another in another: exit 2, and the contradiction by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

from rig import commands
from rig.errors import ConfigError
from rig.recorder.reading import read_run
from tests.tiers import quick
from tests.unit.rig.recorder.record_changes import Change, attribute, make

N, RATE = 10240, 51200.0
FORCE = "measured/transmitted_force"


def row(table: str, **values: object) -> Change:
    def change(entry: h5py.Group) -> None:
        there = entry[table]
        there.resize((len(there) + 1,))
        empty = {key: b"" if there.dtype[key].kind == "O" else 0 for key in there.dtype.names}
        there[-1] = np.array(tuple({**empty, **values}.values()), there.dtype)

    return change


def everywhere(key: str, value: object) -> Change:
    def change(entry: h5py.Group) -> None:
        for stream in ("command", "measured", "predicted", "predicted_as_measured"):
            for data in entry[stream].values():
                data.attrs[key] = value
        entry["time"].attrs[key] = value

    return change


def cut(where: str, length: int) -> Change:
    return lambda entry: entry[where].resize((length,))


def axis(change: Callable[[np.ndarray], np.ndarray]) -> Change:
    def apply(entry: h5py.Group) -> None:
        entry["time"][...] = change(entry["time"][...])

    return apply


CHANGES = {
    "first sample": (attribute(FORCE, "first_sample", 5000), "measured/transmitted_force: first_sample is 5000, expected 0"),
    "first sample of a prediction": (attribute("predicted/stroke", "first_sample", -1), "predicted/stroke: first_sample is -1"),
    "first sample of the command": (attribute("command/cycle", "first_sample", 7), "command/cycle: first_sample is 7"),
    "first sample of the time": (attribute("time", "first_sample", 7), "time: first_sample is 7"),
    "first sample no number": (attribute(FORCE, "first_sample", "0 or 1"), "first_sample is '0 or 1'"),
    "rate": (attribute(FORCE, "rate", 2 * RATE), "measured/transmitted_force: rate is 102400 Hz, that of the record's time is 51200 Hz"),
    "rate of a prediction": (attribute("predicted/stroke", "rate", 2 * RATE), "predicted/stroke: rate is 102400 Hz"),
    "rate of the compared prediction": (attribute("predicted_as_measured/stroke", "rate", 51200.1), "rate is 51200.1 Hz"),
    "rate NaN": (attribute(FORCE, "rate", np.nan), "rate is nan Hz"),
    "rate of the time": (attribute("time", "rate", RATE / 2), "rate is 51200 Hz, that of the record's time is 25600 Hz"),
    "rate everywhere but in the time axis": (everywhere("rate", RATE / 2), "/entry/time is "),
    "time axis": (axis(lambda t: 2.0 * t), "/entry/time is "),
    "time axis shifted": (axis(lambda t: t + 1.0), "/entry/time is 1 s at sample 0"),
    "time axis longer": (lambda entry: entry["time"].resize((N + 100,)), f"/entry/time has {N + 100} rows, the channels have {N}"),
    "time unit": (attribute("time", "units", "ms"), "/entry/time: units is 'ms', expected 's'"),
    "length": (cut(FORCE, N - 1), f"measured/transmitted_force has {N - 1} samples, other channels have {N}"),
    "length of a prediction": (cut("predicted_as_measured/stroke", 100), "predicted_as_measured/stroke has 100 samples"),
    "unit": (attribute(FORCE, "units", "lbf"), "measured/transmitted_force in 'lbf'"),
    "unit of a prediction": (attribute("predicted/stroke", "units", "mm"), "predicted/stroke in 'mm'"),
    "unit of a sensor": (attribute("sensors/stroke", "unit", "inch"), "sensors/stroke is in 'inch', measured/stroke in 'm'"),
    "place": (attribute(FORCE, "column", 1), "column is 1, as that of"),
    "scale": (attribute(FORCE, "volts_scale", 1.0), "volts_scale is 1, sensitivity of sensors/transmitted_force is 25000"),
    "sensitivity": (attribute("sensors/stroke", "sensitivity", 7.0), "sensitivity of sensors/stroke is 7"),
    "tare": (attribute(FORCE, "tare", 3.0), "tare is 3, tare of sensors/transmitted_force is 0"),
    "event beyond the end": (row("events", sample=N + 5000, text=b"odd"), f"('odd') is at sample {N + 5000}, the record ends at {N}"),
    "event before the beginning": (row("events", sample=-100, text=b"odd"), "at sample -100"),
    "gap beyond the end": (row("gaps", stream=b"measured", first=N - 10, count=20), f"of measured goes from sample {N - 10} to {N + 10}"),
    "gap before the beginning": (row("gaps", stream=b"measured", first=-5, count=3), "goes from sample -5 to -2"),
    "gap turned round": (row("gaps", stream=b"command", first=50, count=-3), "goes from sample 50 to 47"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_it_is_named(run: Path, name: str) -> None:
    change, said = CHANGES[name]
    read_run(run)
    make(change, run)
    with pytest.raises(ConfigError) as caught:
        read_run(run)
    assert said in str(caught.value) and "rig recover" in str(caught.value)


@pytest.mark.parametrize("name", quick(["first sample", "unit"], 1))
def test_no_command_uses_such_a_record(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    change, said = CHANGES[name]
    make(change, run)
    for command, *more in (["compare"], ["view", "--picture", str(tmp_path / "p.png")]):
        assert commands.main([command, str(run), *more]) == 2
        told = capsys.readouterr().err.strip()
        assert said in told and "\n" not in told


def test_a_unit_that_contradicts_the_plan_alone(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Changed wherever the record says it: the plan still knows."""
    with h5py.File(run / "run.h5", "r+") as file:
        for where in (FORCE, "predicted/transmitted_force", "predicted_as_measured/transmitted_force"):
            file["entry"][where].attrs["units"] = "lbf"
        file["entry/sensors/transmitted_force"].attrs["unit"] = "lbf"
    assert commands.main(["compare", str(run)]) == 2
    assert "measured/transmitted_force is in 'lbf', by plan.json in 'N'" in capsys.readouterr().err


def test_a_record_that_was_broken_off_may_end_anywhere(run: Path) -> None:
    with h5py.File(run / "run.h5", "r+") as file:
        file["entry"].attrs["complete"] = False
        file["entry"][FORCE].resize((N - 300,))
        row("events", sample=N + 50_000, text=b"tripped")(file["entry"])
    read = read_run(run)
    assert (read.samples, read.complete) == (N, False)


def test_missing_samples_that_no_gap_declares_are_told(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with h5py.File(run / "run.h5", "r+") as file:
        file["entry"][FORCE][4000:4500] = np.nan
    commands.main(["compare", str(run)])
    assert "transmitted_force: samples are missing: 500 of measured" in capsys.readouterr().err
