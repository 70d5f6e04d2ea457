"""Rebuild a record from its journal."""

from __future__ import annotations

from pathlib import Path

from rig.errors import ConfigError
from rig.recorder.folders import JOURNAL, PARTS, RECORD
from rig.recorder.parts import numbers
from rig.recorder.parts_recovery import recover_parts
from rig.recorder.record import Record
from rig.recorder.replay import NEW, Recovered, Survey, is_intact, need_free, replayed, survey_of, take_its_place


def find_run(run: Path, whole_will_do: bool = False) -> Path:
    """The run folder that `run` (a run folder, or a record in it) means. Raises ConfigError when it has no journal; `whole_will_do`: nor a
    record that is whole."""
    folder = run if run.is_dir() else run.parent
    if not run.exists():
        raise ConfigError(f"{run}: no such run folder or record")
    if not (folder / JOURNAL).is_file() and not (whole_will_do and is_intact(folder / RECORD)):
        raise ConfigError(f"{folder}: no {JOURNAL} there, so nothing to recover from; expected a run folder as made by `rig run`")
    return folder


def recover(folder: Path) -> Recovered:
    """Make folder/run.h5 anew from the journal; the record that was there is kept as run.damaged.h5 (then -2, -3 ...).

    Raises ConfigError when the journal cannot be read or is still being written, or when another program has the record.
    """
    survey = survey_of([folder / JOURNAL]) if (folder / JOURNAL).exists() else Survey(0)
    description = survey.description
    if (folder / PARTS).is_dir() and (description is None or description.part or numbers(folder, ".h5")):
        return recover_parts(folder)
    if description is None:
        raise ConfigError(f"{folder / JOURNAL}: holds no readable description of a run; it is not a journal, or wholly damaged")
    need_free(folder, description)
    new = folder / NEW
    new.unlink(missing_ok=True)  # of a recovery that was interrupted
    recovered = Recovered(new)
    replayed([folder / JOURNAL], survey, Record(new, description), recovered)
    take_its_place(folder, recovered)
    return recovered
