from __future__ import annotations

from pathlib import Path

import pytest

from rig.config import load
from rig.config.checks import control
from rig.config.checks.control import command_bounds
from rig.errors import ConfigError
from tests.each_row import each_row

EXPERIMENTS = Path(__file__).parents[5] / "configs/experiments"
AMPLITUDE, RANDOM, REVERSAL = (EXPERIMENTS / f"linkage_{name}.toml" for name in ("amplitude", "random", "random_reversal"))

BAD = [
    (AMPLITUDE, "trajectory.frequency=9 Hz", "command.ahead", "must act within the next"),
    (AMPLITUDE, "trajectory.soft_stop=0 s", "trajectory.soft_stop", "takes the correction out"),
    (AMPLITUDE, "control.gain=1.5", "control.gain", "at most 1"),
    (AMPLITUDE, "control.unreachable=trip", "control.unreachable", "indicate, stop"),
    (AMPLITUDE, "control.kind=magic", "control.kind", "amplitude, drive_file"),
    (
        AMPLITUDE,
        'trajectory={kind="sweep", amplitude="10 kN", first_frequency="2 Hz", last_frequency="7 Hz", duration="3 s"}',
        "control.kind",
        "one frequency",
    ),
    (RANDOM, "control.identification.rms=30 kN", "control.identification.rms", "lower rms or mean"),
    (RANDOM, "control.highest_frequency=0.2 Hz", "highest_frequency", "more than the lowest"),
    (RANDOM, "control.identification.segment=1 s", "lowest_frequency", "segment must be 2 s"),
    (RANDOM, "control.highest_frequency=20 kHz", "control.highest_frequency", "a third of the rate"),
    (RANDOM, "control.identification.duration=3 s", "segment", "half the duration"),
]


@each_row(("path", "override", "key", "word"), BAD, ids=[case[1].partition("=")[0] + case[3][:9] for case in BAD])
def test_what_an_outer_loop_cannot_work_with_is_bad_input(path: Path, override: str, key: str, word: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(path, [override])
    assert any(key in line and word in line for line in raised.value.problems), raised.value.problems


def test_only_a_target_that_reverses_in_a_specimen_with_play_is_doubted() -> None:
    assert "reverses the load" in control.doubts(load(REVERSAL).experiment)[0]
    assert control.doubts(load(RANDOM).experiment) == []
    assert control.doubts(load(REVERSAL, ["mechanism.clearance=0 mm"]).experiment) == []
    assert control.doubts(load(AMPLITUDE).experiment) == []


def test_limits_on_the_command_bound_what_is_corrected_as_well() -> None:
    setup = load(AMPLITUDE)
    plain = command_bounds(setup.experiment, setup.bench)
    assert (plain.low, plain.high, plain.rate) == (-50e3, 50e3, 2e6)
    assert plain.high <= setup.bench.loader.force_full_scale


def test_noise_of_the_identification_has_the_mean_of_what_will_be_run() -> None:
    assert control.identification_noise(load(RANDOM, ['control.identification={rms="1 kN"}']).experiment).mean == pytest.approx(
        15e3, rel=2e-3
    )
    assert control.identification_noise(load(REVERSAL).experiment).mean == 10e3
