"""The texts that a record keeps: TOML with the values that ran, the author's comments kept."""

from __future__ import annotations

import json
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.config import Setup, load, tares
from rig.config.effective import as_run
from rig.errors import ConfigError
from tests.thorough import times

ROOT = Path(__file__).parents[4]
EXPERIMENT = ROOT / "configs" / "experiments" / "linkage.toml"
BENCH = ROOT / "configs" / "benches" / "virtual_loader.toml"


def again(setup: Setup) -> Setup:
    """The setup that its own two texts make, from files elsewhere."""
    with tempfile.TemporaryDirectory() as folder:
        experiment, bench = Path(folder) / "experiment.toml", Path(folder) / "bench.toml"
        experiment.write_text(setup.experiment_text, encoding="utf-8")
        bench.write_text(setup.bench_text, encoding="utf-8")
        return load(experiment, bench=bench)


def assert_same(setup: Setup) -> None:
    other = again(setup)
    assert other.experiment == setup.experiment
    assert other.bench == setup.bench


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
OVERRIDES = st.one_of(
    st.sampled_from([
        "trajectory.kind=sweep", "integrator.kind=rk4", "comparison.lowpass=none", "comparison.criteria=[]", "limits.0.action=stop",
        "mechanism.contact.law=flores", "predictor.source=stroke", "bench.pace=lockstep", "bench.plant.perturb=false",
        "bench.channels.stroke.sensor.expires=2031-02-03", "bench.address=127.0.0.1:40000", "simulate.duration=1 s",
        'comparison={discard_cycles=1, criteria=[{channel="stroke", metric="nrms", tolerance=0.5}]}',
    ]),
    st.floats(1e-6, 1e-3).map(lambda x: f"mechanism.clearance={x!r}"),
    st.floats(0.1, 1.0).map(lambda x: f"mechanism.contact.restitution={x!r}"),
    st.integers(1, 9).map(lambda n: f"trajectory.cycles={n}"),
    st.integers(1, 9).map(lambda n: f"limits.stroke.rate={n} m/s"),
    st.integers(0, 2**31).map(lambda n: f"bench.seed={n}"),
    st.floats(0.0, 1e-3).map(lambda x: f"bench.plant.force_delay={x!r}"),
    TEXTS.map(lambda text: f"title={text}"),
    TEXTS.map(lambda text: f"bench.channels.stroke.sensor.model={text}"),
)  # fmt: skip
SWEEP = ["trajectory.first_frequency=1 Hz", "trajectory.last_frequency=5 Hz", "trajectory.duration=4 s"]


@settings(max_examples=times(12, thorough=25))
@given(st.lists(OVERRIDES, max_size=6))
def test_the_texts_load_to_the_same_setup(overrides: list[str]) -> None:
    if "trajectory.kind=sweep" in overrides:
        overrides = [text for text in overrides if not text.startswith("trajectory.cycles")] + SWEEP
    try:
        setup = load(EXPERIMENT, overrides)
    except ConfigError:  # a title such as "1" is a number, and refused
        assert any(text.startswith(("title=", "bench.channels.stroke.sensor.model=")) for text in overrides)
        return
    assert_same(setup)


def test_a_text_that_nothing_was_put_over_is_the_files_own() -> None:
    setup = load(EXPERIMENT)
    assert setup.experiment_text == EXPERIMENT.read_text(encoding="utf-8")
    assert setup.bench_text == BENCH.read_text(encoding="utf-8")


def test_a_changed_value_stands_in_its_line_and_all_others_stay() -> None:
    setup = load(EXPERIMENT, ["mechanism.clearance=0.2 mm", "bench.plant.clearance=0.3 mm"])
    for text, file, value in ((setup.experiment_text, EXPERIMENT, "0.2 mm"), (setup.bench_text, BENCH, "0.3 mm")):
        before, after = file.read_text(encoding="utf-8").splitlines(), text.splitlines()
        changed = [i for i, line in enumerate(before) if line != after[i]]
        (at,) = changed
        assert after[at] == before[at].replace('"0.4 mm"', f'"{value}"')
        assert "#" in after[at]


def test_another_bench_is_named_by_the_text_as_well(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(BENCH.read_text(encoding="utf-8").replace("seed = 1", "seed = 5"), encoding="utf-8")
    setup = load(EXPERIMENT, bench=other)
    assert tomllib.loads(setup.experiment_text)["bench"] == {"file": other.as_posix()}
    path = tmp_path / "again.toml"
    path.write_text(setup.experiment_text, encoding="utf-8")
    assert load(path).bench.seed == 5


def test_sensors_with_a_file_of_their_own_are_in_the_text_and_tares_are_told(tmp_path: Path) -> None:
    bench = tmp_path / "bench.toml"
    text = BENCH.read_text(encoding="utf-8")
    begin = text.index("[channels.sensor]")
    end = text.index("[[channels]]", begin)
    (tmp_path / "cell.toml").write_text(text[begin:end].partition("\n")[2], encoding="utf-8")
    bench.write_text(text[:begin] + 'sensor = "cell.toml"\n\n' + text[end:], encoding="utf-8")
    plain = load(EXPERIMENT, bench=bench)
    assert plain.bench == load(EXPERIMENT).bench
    assert_same(plain)
    taken = {"tare": 12.5, "time": "2026-03-01T08:00:00+00:00", "by": "me", "sd": 1.0, "duration_s": 2.0}
    taken["of"] = tares.identity(plain.bench.channels[0])
    tares.tare_path(bench).write_text(json.dumps({"channels": {"transmitted_force": taken}, "history": []}), encoding="utf-8")
    setup = load(EXPERIMENT, bench=bench)
    assert setup.bench.channels[0].sensor.tare == 12.5
    assert "\n# tare of transmitted_force: 12.5 N (2026-03-01T08:00:00+00:00, by me" in setup.bench_text
    assert again(setup).bench == plain.bench  # a tare is taken, never written: /entry/sensors of the record has its value


# Layouts that tomlkit 0.15 does not take, or gives back wrong when something is put in; tomllib reads all of them.
@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("a.b = 1\nz = 2\n", lambda tree: tree["a"].update(new={"x": 1})),
        ("[tool.r]\n[tool.r.lint.a]\n[tool.r.lint]\n[[tool.p.s]]\n[tool.r.lint.b]\n", lambda tree: tree["tool"].update(x=1)),
        ("[[f]]\nn = 1\n[s]\nc = true\n[[f]]\nn = 2", lambda tree: tree["f"][1].update(n=3)),
        ("[a]\nx = 1\n", lambda tree: tree.update(top=1, a={"x": 2, "y": {"z": [1, {"w": 2}]}})),
    ],
)
def test_the_values_are_right_whatever_the_layout(text: str, change: Any) -> None:
    tree = tomllib.loads(text)
    change(tree)
    assert tomllib.loads(as_run(text, tree)) == tree


def test_remarks_stay_comments_whatever_is_in_them() -> None:
    text = as_run("a = 1\n", {"a": 1}, ["--set title=two\nlines\x00"])
    assert tomllib.loads(text) == {"a": 1}
    assert text.endswith("# --set title=two\\nlines\\x00\n")
