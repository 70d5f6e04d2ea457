"""The model along a recorded input: a record with the recording, and the prediction that a test would have made beside it.

What comes of it is the folder of a run: `rig compare`, `rig view` and `rig export` take it as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from model.errors import ModelError
from rig.config.bench import Bench, InputChannel
from rig.config.experiment import MODE_UNITS, Experiment
from rig.config.plan import Plan
from rig.config.setup import Setup
from rig.errors import ConfigError
from rig.exchange.outgoing import started
from rig.exchange.whole_turns import Turns, turns
from rig.formats.table import Values
from rig.prediction.stepper import counted, stepper
from rig.recorder.description import Description, Gap, StreamShape
from rig.recorder.folders import RECORD
from rig.recorder.reading import RunData
from rig.recorder.record import Record
from rig.report.alternative import advanced
from rig.sensors.transfer import Sensed
from rig.trajectory import create as create_trajectory

ROWS = 1 << 15
COMMAND = ("value", "phase", "cycle")
SAME_RATE = 1e-6


@dataclass(frozen=True)
class Followed:
    """folder: of the run that was made; said: how the recording was understood, in words."""

    folder: Path
    said: tuple[str, ...]


def follow(run: RunData, setup: Setup, folder: Path) -> Followed:
    """Make the folder's run.h5 and plan.json. Raises ConfigError for a recording that the experiment's model cannot be fed with, or whose
    channels are not those of its bench."""
    experiment, bench = setup.experiment, setup.bench
    names = _need_channels(run, bench)
    source = _source(run, experiment, bench)
    commanded, counts, said = _command(run, experiment, source)
    record = Record(folder / RECORD, _description(run, setup, folder))
    try:
        _copy(run, record, names, commanded, counts)
        _predict(run, record, setup, source, commanded)
        for gap in run.gaps:
            if gap.stream in ("command", "measured"):
                record.gap(Gap(gap.stream, max(0, gap.first - run.first_sample), gap.count, gap.reason))
        record.close(followed=str(run.path), experiment=str(setup.experiment_path))
    except BaseException:
        record.abandon()
        (folder / RECORD).unlink(missing_ok=True)
        raise
    Plan(folder.name, folder, folder, experiment, bench, setup.experiment_text, setup.bench_text, setup.sources).write()
    return Followed(folder, (*said, *_notes(run, experiment, bench, names)))


def _need_channels(run: RunData, bench: Bench) -> list[str]:
    """Names of what was measured, by the bench. Raises ConfigError for none, and for another unit than the bench's."""
    there = run.units.get("measured", {})
    known = {channel.name: channel for channel in bench.channels}
    if not (names := [name for name in there if name in known]):
        raise ConfigError(
            f"{run.path}: no channel of it is one of the bench: it has {', '.join(there) or 'none'}, the bench {', '.join(known)}; "
            "rig import --map gives them the bench's names"
        )
    for name in names:
        if there[name] != known[name].unit:
            raise ConfigError(
                f"{run.path}: measured/{name} is in {there[name]!r}, on the bench in {known[name].unit!r}; "
                'unit = "..." in the map of rig import says it'
            )
    return names


def _source(run: RunData, experiment: Experiment, bench: Bench) -> InputChannel | None:
    """The measured channel that the prediction is fed with; None: the command. Raises ConfigError where the recording has not got it."""
    source = experiment.predictor.source
    followed = None if source == "command" else bench.showing(source)
    if followed is None and "value" not in run.streams.get("command", ()):
        raise ConfigError(
            f"{run.path}: the model is fed with the command (predictor.source), which is not in it; name its column command in the map of "
            'rig import, or feed the model with a measured channel, as --set predictor.source="stroke"'
        )
    if followed is not None and followed.name not in run.streams.get("measured", ()):
        raise ConfigError(f"{run.path}: the model is fed with {source} (predictor.source), which was not measured as {followed.name}")
    return followed


def _command(run: RunData, experiment: Experiment, source: InputChannel | None) -> tuple[Values | None, Turns | None, list[str]]:
    """(the command's value, its turns where the recording does not count cycles itself, how it was understood)."""
    there = tuple(run.streams.get("command", ()))
    value: Values | None = run.column("command", "value") if "value" in there else None
    if value is None and source is not None and source.unit == MODE_UNITS[experiment.command.mode]:
        value = run.column("measured", source.name)
    if set(COMMAND) <= set(there):
        return value, None, []
    counted_on = value if value is not None else run.column("measured", source.name) if source is not None else None
    assert counted_on is not None, "a source has been asked for above"
    frequency = create_trajectory(experiment.trajectory).frequency if experiment.trajectory is not None else None
    found = turns(counted_on, run.rate / frequency if frequency else None)
    number = int(np.sum(found.counted))
    if not number:
        raise ConfigError(
            f"{run.path}: no cycle of {frequency:g} Hz (the experiment's) is in its input; is it the recording of this experiment?"
        )
    name = "command" if "value" in there else source.name if source is not None else "command"
    how = f"whole turns of {name} at {frequency:g} Hz" if frequency else "all of it as one, as the trajectory is not periodic"
    said = [f"the recording does not count cycles: {number} counted ({how})"]
    if "value" not in there:
        taken = "the recorded input stands for it" if value is not None else "it stays at rest"
        said.append(f"the recording has no command: {taken}")
    return value, found, said


def _description(run: RunData, setup: Setup, folder: Path) -> Description:
    return Description(
        run=folder.name, title=setup.experiment.title, started=started(run).isoformat(timespec="microseconds"),
        experiment_text=setup.experiment_text, bench_text=setup.bench_text,
        sensors={name: dict(table) for name, table in run.sensors.items()},
    )  # fmt: skip


def _copy(run: RunData, record: Record, names: Sequence[str], value: Values | None, counts: Turns | None) -> None:
    """The recording itself, and the command with its phase and cycle."""
    unit = run.units.get("command", {}).get("value", "1")
    others = [name for name in run.streams.get("command", ()) if name not in COMMAND]
    units = run.units.get("command", {})
    record.stream(StreamShape("command", (*COMMAND, *others), (unit, "rad", "1", *(units[name] for name in others)), run.rate))
    record.stream(StreamShape("measured", tuple(names), tuple(run.units["measured"][name] for name in names), run.rate))
    stored = {name: run.column("command", name) for name in run.streams.get("command", ())}
    measured = [run.column("measured", name) for name in names]
    for first in range(0, run.samples, ROWS):
        end = min(first + ROWS, run.samples)
        commanded = np.zeros(end - first) if value is None else value[first:end]
        phase, cycle = counts.at(first, end) if counts is not None else (stored["phase"][first:end], stored["cycle"][first:end])
        record.append("command", first, np.column_stack([commanded, phase, cycle, *(stored[name][first:end] for name in others)]))
        record.append("measured", first, np.column_stack([one[first:end] for one in measured]))
        record.flush()


def _predict(run: RunData, record: Record, setup: Setup, source: InputChannel | None, value: Values | None) -> None:
    """As the predictor makes it beside a test: raw, and as the bench's sensors would have shown it."""
    experiment, bench = setup.experiment, setup.bench
    given: Values | None = value if source is None else run.column("measured", source.name)
    assert given is not None, "a source has been asked for above"
    sensed = Sensed(experiment.mechanism, {channel.name: channel for channel in bench.channels}, run.rate)
    for name, channels in (("predicted", experiment.mechanism.channels), ("predicted_as_measured", sensed.channels)):
        record.stream(StreamShape(name, tuple(one for one, _ in channels), tuple(unit for _, unit in channels), run.rate))
    first = 0
    try:
        made = stepper(experiment, run.rate, count=counted(experiment, bench))
        for part in advanced(made, given, max(1, round(experiment.acquisition.block * run.rate))):
            record.append("predicted", first, part)
            record.append("predicted_as_measured", first, sensed.apply(part))
            record.flush()
            first += len(part)
    except (ModelError, ValueError) as error:
        at = f"after {first / run.rate:.4g} s of the recorded input" if first else "along the recorded input"
        raise ConfigError(f"{run.path}: the model could not be led {at}: {error}") from error


def _notes(run: RunData, experiment: Experiment, bench: Bench, names: Sequence[str]) -> list[str]:
    """What of the recording the comparison does not know, or knows in another way."""
    notes = []
    if abs(run.rate / experiment.acquisition.rate - 1.0) > 0.01:
        notes.append(
            f"recorded at {run.rate:.10g} Hz, which is used; the experiment's acquisition.rate is {experiment.acquisition.rate:.10g} Hz"
        )
    if left := [name for name in run.streams["measured"] if name not in names]:
        notes.append(f"not of the bench, and left out: {', '.join(left)}")
    if lacking := [one.name for one in bench.channels if one.name not in names and one.quantity]:
        notes.append(f"of the bench, and not recorded: {', '.join(lacking)}")
    return notes
