"""Configuration as JSON and back, without the costly parsers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rig.config import load
from rig.config.bench import Bench
from rig.config.experiment import Experiment
from rig.config.transport import from_json, to_json

EXPERIMENT = Path(__file__).parents[4] / "configs" / "experiments" / "linkage.toml"
SEGMENTS = '[{kind="sine", amplitude=1e3, frequency=3.0}, {kind="hold", value=0.0, duration=1.0}]'
PROGRAM = ["trajectory.kind=program", f"trajectory.segments={SEGMENTS}"]


@pytest.mark.parametrize("overrides", [[], PROGRAM, ["comparison.lowpass=none"]])
def test_there_and_back_is_the_same(overrides: list[str]) -> None:
    setup = load(EXPERIMENT, overrides)
    assert from_json(Experiment, json.loads(json.dumps(to_json(setup.experiment)))) == setup.experiment
    assert from_json(Bench, json.loads(json.dumps(to_json(setup.bench)))) == setup.bench


def test_a_kind_stands_beside_its_fields() -> None:
    data = to_json(load(EXPERIMENT).experiment)
    assert data["trajectory"]["kind"] == "sine"
    assert data["trajectory"]["amplitude"] == 10e3


def test_what_is_left_stays_plain_and_goes_out_again() -> None:
    data = to_json(load(EXPERIMENT).bench)
    bench = from_json(Bench, data, leave=("plant",))
    assert bench.plant == data["plant"]
    assert to_json(bench) == data


def test_reading_needs_neither_pint_nor_pydantic_nor_what_is_left(tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    file.write_text(json.dumps(to_json(load(EXPERIMENT).bench)), encoding="utf-8")
    program = (
        "import json, sys, pathlib\n"
        "from rig.config.bench import Bench\n"
        "from rig.config.transport import from_json\n"
        "from_json(Bench, json.loads(pathlib.Path(sys.argv[1]).read_text()), leave=('plant', 'daq'))\n"
        "print([name for name in ('pint', 'pydantic', 'numba', 'nidaqmx', 'rig.virtual.plants') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=True, cwd=EXPERIMENT.parents[2])
    assert done.stdout.strip() == "[]"
