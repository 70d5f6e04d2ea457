"""A recorder's memory does not grow with what it has recorded."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

from rig.config.experiment import Snapshots
from rig.recorder.columns import CHUNK, chunk_rows
from rig.recorder.description import StreamShape
from rig.recorder.intake import Intake
from rig.recorder.parted_recording import PartedRecording
from rig.recorder.reading import read_run
from rig.recorder.recording import Recording
from rig.recorder.rotation import Rotation
from tests.thorough import times
from tests.unit.rig.recorder.recorder_rig import BLOCK, description

ROOT = Path(__file__).resolve().parents[4]
CHANNELS = 24
RATE = 1000.0
SETTLED, RECORDED = 60.0, float(times(240, thorough=480))  # s of record
IN_PARTS = times(240, thorough=480)  # s of record
GAINED = 1e6  # bytes in between; HDF5 left to itself takes 3 MB for the index of these chunks


def test_memory_does_not_grow_with_the_record(tmp_path: Path) -> None:
    names = tuple(f"channel_{i}" for i in range(CHANNELS))
    recording = Recording(tmp_path, description())
    recording.stream(StreamShape("measured", names, ("N",) * CHANNELS, RATE, 0))
    rows, process = chunk_rows(RATE), psutil.Process()
    block = np.random.default_rng(1).standard_normal((rows, CHANNELS))
    sizes = []
    begun = time.thread_time()
    for number in range(round(RECORDED / CHUNK)):
        recording.append("measured", number * rows, block)
        recording._record.flush()  # ten times a second in a run
        if (number + 1) * CHUNK >= SETTLED:
            sizes.append(process.memory_info().rss)
    recording.close()
    print(f"{(sizes[-1] - sizes[0]) / 1e3:.0f} kB gained over {RECORDED - SETTLED:g} s of record, {time.thread_time() - begun:.1f} s CPU")
    assert sizes[-1] - sizes[0] <= GAINED


@pytest.mark.long
def test_nor_with_its_cycles_parts_and_snapshots(tmp_path: Path) -> None:
    """A hundred cycles a second, twenty samples each."""
    rate, per = 2000.0, 20
    told = description(cycles=True, samples="snapshots")
    made = Intake(PartedRecording(tmp_path, told, Rotation(60.0, 0.0)), Snapshots(every=100, before=0.5))
    made.stream(StreamShape("command", ("value", "phase", "cycle"), ("N", "rad", "1"), rate))
    made.stream(StreamShape("measured", ("force", "stroke"), ("N", "m"), rate))
    process, sizes = psutil.Process(), []
    block = np.random.default_rng(1).standard_normal((200, 2))
    for number in range(round(IN_PARTS * rate / 200)):
        first = 200 * number
        cycle = (np.arange(first, first + 200) // per).astype(float)
        made.append("command", first, np.column_stack((cycle, cycle, cycle)))
        made.append("measured", first, block)
        made.keep()
        if first >= 2 * SETTLED * rate:
            sizes.append(process.memory_info().rss)
    made.close()
    gained = np.median(sizes[-200:]) - np.median(sizes[:200])  # while a part is closed there are two
    print(f"{gained / 1e3:.0f} kB gained over {IN_PARTS - 2 * SETTLED:g} s of record")
    assert gained <= GAINED


STARVED = """
import resource, sys
from pathlib import Path
import psutil
import pytest
from rig.recorder.reading import read_run
from rig.workers import recorder, runtime
from tests.unit.rig.recorder.recorder_rig import Links, make_rings, plan, publish

folder = Path(sys.argv[1])
(folder / "rings").mkdir()
worker, reserve = recorder.create(plan(folder, folder / "rings"), Links()), bytearray(runtime.RESERVE)
worker.setup()
writers = make_rings(folder / "rings")
for _ in range(20):
    publish(writers)
    worker.step()
most = psutil.Process().memory_info().vms
resource.setrlimit(resource.RLIMIT_AS, (most, most))
publish(writers)
try:
    worker.step()
    print("went on", flush=True)
except MemoryError:
    print("out of memory", flush=True)
    reserve.clear()
worker.close()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits on the memory of a process")
def test_a_recorder_ends_in_words_while_there_is_enough_for_closing_its_files(tmp_path: Path) -> None:
    """It gets no more memory than it has: what a block takes it may have, or HDF5 may end the process without a word."""
    said = subprocess.run([sys.executable, "-c", STARVED, str(tmp_path)], capture_output=True, text=True, check=True, cwd=ROOT)
    assert said.stdout.split("\n")[0] == "out of memory"
    run = read_run(tmp_path)
    assert run.complete and run.samples == 20 * BLOCK
