"""Records in parts: ten thousand changed bytes, each found; a hundred kills amid rotations, after which no sample is missing."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from campaign_results import ROOT, Results

from rig.recorder import chain
from rig.recorder.chain import CHAIN, PIECE, entry_of
from rig.recorder.reading import read_run
from rig.recorder.recovery import recover
from rig.recorder.sealing import evidence, seal
from rig.recorder.verification import verified
from tests.unit.rig.recorder import parts_rig
from tests.unit.rig.recorder.parts_rig import STREAMS, begun, step
from tests.unit.rig.recorder.recorder_rig import BLOCK, samples

pytestmark = pytest.mark.campaign

CHANGES, KILLS = 10_000, 100
AT_ONCE = 500  # changes between two whole verifications


def test_every_changed_byte_is_found(results: Results, tmp_path: Path) -> None:
    found = results.once("records/changed bytes", lambda: _changed(tmp_path))
    assert found["changes"] == CHANGES and found["found"] == CHANGES, found
    assert found["false_alarms"] == 0


@pytest.mark.parametrize("seed", range(KILLS))
def test_killed_anywhere(results: Results, tmp_path: Path, seed: int) -> None:
    found = results.once(f"records/kill/seed {seed}", lambda: _killed(tmp_path, 1000 + seed))
    assert found["missing"] == 0 and found["wrong"] == 0 and found["events"], found


def _changed(folder: Path) -> dict[str, Any]:
    """A file by lot, of it a byte by lot, which becomes another one by lot."""
    made = begun(folder)
    for number in range(12):
        step(made, number)
    made.close()
    for name in ("plan.json", "state.json", "summary.json"):
        (folder / name).write_text(f'{{"name": "{name}", "events": [1, 2, 3]}}')
    seal(folder)
    dice, files = random.Random(33), [CHAIN, *evidence(folder)]
    whole = {file: (folder / file).read_bytes() for file in files}
    tally: dict[str, int] = dict.fromkeys(files, 0)
    found = alarms = 0
    for number in range(CHANGES):
        file = dice.choice(files)
        at, changed = dice.randrange(len(whole[file])), bytearray(whole[file])
        changed[at] ^= dice.randrange(1, 256)
        (folder / file).write_bytes(changed)
        tally[file] += 1
        found += _is_found(folder, file, at)
        (folder / file).write_bytes(whole[file])
        alarms += sum(not one.ok for one in verified(folder)) if number % AT_ONCE == 0 else 0
    return {"changes": CHANGES, "found": found, "false_alarms": alarms, "files": tally}


def _is_found(folder: Path, file: str, at: int) -> bool:
    """In this file, in the MiB where it is; in the chain not behind it."""
    if file == CHAIN:
        damaged_at = chain.read(folder).damaged_at
        return damaged_at is not None and damaged_at <= at
    entry, now = chain.read(folder).entries[file], entry_of(folder, file)
    piece = at // PIECE
    return now.sha256 != entry.sha256 and now.pieces[8 * piece : 8 * piece + 8] != entry.pieces[8 * piece : 8 * piece + 8]


def _killed(folder: Path, seed: int) -> dict[str, Any]:
    command = [sys.executable, parts_rig.__file__, str(folder), str(seed)]
    subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, check=False)
    promised = int((folder / "promised").read_text())
    recovered = recover(folder)
    run, missing, wrong = read_run(folder), 0, 0
    for late, name in enumerate(STREAMS):
        end = recovered.ends[name]
        missing += max(0, BLOCK * (promised - max(0, late - 1)) - end)
        got = np.column_stack(list(run.streams[name].values()))[:end]
        wrong += int((got != samples(name, 0, end)).sum())
    events = [event.text for event in run.events if event.kind == "mark"]
    shutil.rmtree(folder / "parts")
    return {"promised": promised, "missing": missing, "wrong": wrong, "events": events == [f"block {n}" for n in range(3, promised, 7)]}
