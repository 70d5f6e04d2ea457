"""kill -9 of the recorder at random moments: the journal lacks at most two blocks, the record at most one flush more."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from rig.recorder.reading import read_run
from rig.recorder.recording import FLUSH_WITHIN
from rig.recorder.recovery import recover
from tests.tiers import quick
from tests.unit.rig.recorder import recorder_rig
from tests.unit.rig.recorder.recorder_rig import BLOCK, NAMES, RATE, make_rings, publish, samples

ROOT = Path(__file__).parents[4]


def wait_for(condition, process: subprocess.Popen) -> None:
    limit = time.monotonic() + 30.0
    while not condition():
        assert process.poll() is None, "the recorder ended by itself"
        assert time.monotonic() < limit, "the recorder does not get on"
        time.sleep(0.0005)


@pytest.mark.parametrize("seed", quick([1, 2, 3], 1))
def test_killed_at_a_random_moment(tmp_path: Path, seed: int) -> None:
    """The writer never gets more than two blocks ahead of the recorder, so that the loss does not depend on the machine's load."""
    dice = random.Random(seed)
    run_dir, rings = tmp_path / "0001-linkage", tmp_path / "rings"
    run_dir.mkdir()
    rings.mkdir()
    progress = rings / "progress"
    progress.write_bytes(bytes(8))
    process = subprocess.Popen([sys.executable, recorder_rig.__file__, str(run_dir), str(rings)], cwd=ROOT, env={"PYTHONPATH": str(ROOT)})
    try:
        writers = make_rings(rings)
        wait_for((rings / "ready").exists, process)
        for _ in range(dice.randrange(20, 60)):
            publish(writers)
            head = writers["measured"].head
            wait_for(lambda head=head: int.from_bytes(progress.read_bytes(), "little") >= head - BLOCK, process)
        time.sleep(dice.uniform(0.0, 0.015))
    finally:
        process.kill()
        process.wait()
    head = writers["measured"].head
    rows = read_run(run_dir).samples  # a record that does not open fails here
    assert head - rows <= FLUSH_WITHIN * RATE + 2 * BLOCK
    recovered = recover(run_dir)
    run = read_run(run_dir)
    for name in NAMES:
        assert head - recovered.ends[name] <= 2 * BLOCK
        got = np.column_stack(list(run.streams[name].values()))[: recovered.ends[name]]
        np.testing.assert_array_equal(got, samples(name, 0, recovered.ends[name]))
    print(f"seed {seed}: {head} published, record {rows}, journal {recovered.ends}")
    for writer in writers.values():
        writer.close()
