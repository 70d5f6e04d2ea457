"""A loader that runs the waveform by itself: what it cannot run, and what would not start or end it, is told before anything moves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rig import config
from rig.config.bench import SerialEntry
from rig.config.checks import waveform
from rig.config.virtual_ports import fixed, resolved, wanted
from rig.errors import ConfigError
from tests.each_row import each_row

CONFIGS = Path(__file__).parents[5] / "configs"
EXPERIMENT = CONFIGS / "experiments/linkage_instron.toml"
CASES = {
    "a soft start": ("trajectory.soft_start=0.5 s", "the loader's controller runs the waveform by itself, at full"),
    "a soft stop": ("trajectory.soft_stop=0.5 s", "expected 0 s"),
    "no such waveform": (
        "trajectory={kind='sweep', amplitude='10 kN', first_frequency='2 Hz', last_frequency='7 Hz', duration='3 s'}",
        "expected one of sine, triangle, haversine, got sweep",
    ),
    "a haversine from its peak": (
        "trajectory={kind='haversine', amplitude='5 kN', frequency='3 Hz', begins='peak'}", "its haversine begins at its valley"
    ),
    "an outer loop": ("control={kind='amplitude'}", "an outer loop corrects the setpoint, but the loader's controller runs"),
    "a chunk that is too short": ("bench.loader.chunk=0.6 s", "expected at least 2 cycles of 0.333333 s, 0.666667 s; got 0.6 s"),
    "an enable line that never falls": ("bench.daq.watchdog=none", "nothing would let it fall if the program died; expected daq.watchdog"),
    "a chunk that one lost reply outlasts": ("bench.loader.reply_timeout=1 s", "2.583 s: 0.25 s, a cycle, and twice reply_timeout (1 s)"),
    "a line that is none": ("bench.loader.port=virtual:other", "no serial line 'other' ([[serial]]); there are controller"),
    "a bench elsewhere without ports": ("bench.address=127.0.0.1:4000", "serial[0].port: controller: the bench is at 127.0.0.1:4000"),
    "more than full scale": ("trajectory.amplitude=260 kN", "the loader's full scale"),
}  # fmt: skip


@each_row("case", CASES)
def test_what_it_cannot_run_is_told(case: str) -> None:
    override, words = CASES[case]
    with pytest.raises(ConfigError) as told:
        config.load(EXPERIMENT, [override])
    assert words in str(told.value)


@pytest.mark.parametrize(
    ("key", "at", "words"),
    [
        ("start_output", ("loader", "start_output"), "expected the analogue output on the controller's run/hold input"),
        ("enable_line", ("daq", "watchdog"), "there is no line that it could let fall; expected loader.enable_line, or no watchdog"),
    ],
)
def test_what_its_table_leaves_out_is_told(key: str, at: tuple[str, ...], words: str) -> None:
    bench = config.load(EXPERIMENT).bench
    (problem,) = waveform.of_bench(replace(bench, loader=replace(bench.loader, **{key: None})))
    assert problem.path == at and words in problem.text


@pytest.mark.parametrize("trajectory", ["trajectory.kind=triangle", "trajectory={kind='haversine', amplitude='5 kN', frequency='3 Hz'}"])
def test_waveforms_that_it_has(trajectory: str) -> None:
    assert config.load(EXPERIMENT, [trajectory]).bench.loader.chunk == 2.5


def test_an_experiment_with_a_soft_start_is_refused_on_such_a_bench() -> None:
    with pytest.raises(ConfigError, match="at full amplitude from its first cycle to its last; expected 0 s"):
        config.load(CONFIGS / "experiments/linkage.toml", [], CONFIGS / "benches/virtual_linkage_instron.toml")


def test_its_port_stands_for_a_line() -> None:
    bench = config.load(EXPERIMENT).bench
    assert wanted(bench) == {"controller"}
    assert resolved(bench, {"controller": "socket://127.0.0.1:1"}).loader.port == "socket://127.0.0.1:1"
    there = config.load(EXPERIMENT, ["bench.address=127.0.0.1:4000", "bench.serial.controller.port=4001"]).bench
    assert resolved(there, fixed(there)).loader.port == "socket://127.0.0.1:4001"


@pytest.mark.parametrize("keys", [{}, {"frame": "frame", "shafts": ("a",)}, {"frame": "frame", "addresses": (1,)}])
def test_a_controller_has_a_frame_and_nothing_else(keys: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="frame: an instron needs the name of a load frame"):
        SerialEntry("controller", "instron", **keys)  # type: ignore[arg-type]


def test_a_drive_has_no_frame() -> None:
    with pytest.raises(ValueError, match="frame: tmcl turns shafts; leave frame out"):
        SerialEntry("drive", "tmcl", ("a",), "frame")
