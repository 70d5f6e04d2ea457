"""The interface of `import rig`: its names and arguments, as they are promised, and that importing it costs nothing."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import rig
from rig.errors import ConfigError
from rig.prediction import tables
from rig.prediction.simulation import simulate

ROOT = Path(__file__).parents[4]
PROMISED = {
    "example": "(name: 'str') -> 'Path'",
    "load": "(experiment: 'str | Path', overrides: 'Sequence[str]' = (), bench: 'str | Path | None' = None) -> 'Setup | Alone'",
    "simulate": "(experiment: 'Setup | Alone | str | Path', overrides: 'Sequence[str]' = ()) -> 'DataTree'",
    "open_record": "(run: 'str | Path') -> 'DataTree'",
    "compare": "(run: 'str | Path', overrides: 'Sequence[str]' = (), experiment: 'str | Path | None' = None) -> 'Comparison'",
    "plot": "(run: 'str | Path', overrides: 'Sequence[str]' = ()) -> 'Picture'",
}
"""Another one is another version: the first number of it, before 1.0 the second."""


def test_names_and_arguments_are_the_promised_ones() -> None:
    assert {name: str(inspect.signature(getattr(rig, name))) for name in rig.__all__ if name != "__version__"} == PROMISED
    assert all(inspect.getdoc(getattr(rig, name)) for name in PROMISED)


def test_the_examples_in_their_documentation() -> None:
    found = doctest.testmod(rig, extraglobs={"rig": rig})
    assert found.attempted >= 5 and found.failed == 0


def test_the_version_is_that_of_the_distribution() -> None:
    assert rig.__version__ == tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_importing_it_loads_nothing_and_is_quick() -> None:
    program = (
        "import sys, time; before = time.process_time(); import rig; spent = time.process_time() - before;"
        "print(spent, *sorted({name.partition('.')[0] for name in sys.modules} & {'numpy', 'numba', 'xarray', 'PySide6', 'h5py', 'pint'}))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True).stdout.split()
    assert float(told[0]) < 0.2 and told[1:] == []


def test_a_simulation_has_the_columns_of_the_table() -> None:
    overrides = ["simulate.duration=0.05 s", "simulate.output_rate=20 kHz"]
    setup = rig.load(rig.example("linkage"), overrides)
    model = rig.simulate(setup)
    names, values = tables.columns(simulate(setup.experiment))
    for k, (name, unit) in enumerate(names):
        there = model["command/value" if name == "command" else f"predicted/{name}"]
        assert np.array_equal(there.to_numpy(), values[:, k]) and there.attrs["units"] == unit
    assert model["predicted/time"].to_numpy() == pytest.approx(np.arange(len(values)) / 20e3, rel=1e-12)
    assert model.attrs["title"] == setup.experiment.title and model["events/kind"].sizes["event"] > 0
    with pytest.raises(ConfigError, match="overrides belong to a file"):
        rig.simulate(setup, overrides)


def test_without_xarray_it_says_what_brings_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(ConfigError, match="pip install xarray"):
        rig.open_record(tmp_path)
