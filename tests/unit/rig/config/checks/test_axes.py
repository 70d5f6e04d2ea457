"""What moves on a bench and what an experiment commands: whatever does not belong together is told, with what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig import config
from rig.errors import ConfigError
from tests.each_row import each_row

EXPERIMENTS = Path(__file__).parents[5] / "configs/experiments"
BENCHES = EXPERIMENTS.parent / "benches"

MOTOR = "{kind='speed_drive', output='Dev1/ao0', enable='Dev1/port0/line1', max_speed='10 rad/s'}"
ODRIVE = "{kind='odrive', port='COM3', gear=8.0, max_speed='60 rad/s'}"
CASES = {
    "a loader's mode on axes, whatever its units": ("four_bar_rig", ["command.mode=force"], "expected angle or path, got 'force'"),
    "a force for a pseudo-dynamic test, whatever its units": ("pseudo_dynamic", ["command.mode=force"], "expected 'stroke', got 'force'"),
    "an enable line that nothing lets fall": (
        "four_bar_rig", ["bench.daq.watchdog=none"], "axes[0].drive.enable_line: crank: nothing would raise it, nor let it fall if"
    ),
    "an output for an enable line": (
        "four_bar_rig", ["bench.axes.crank.drive.enable_line=Dev1/ao0"],
        "expected a digital line, as Dev1/port0/line6; got 'Dev1/ao0'",
    ),
    "a line for an output": (
        "slider_crank_rig", ["bench.axes.crank.drive.output=Dev1/port0/line1"],
        "expected an analogue output, as Dev1/ao0; got 'Dev1/port0/line1'",
    ),
    "a time-out shorter than from setpoint to setpoint": (
        "parallel_3rrpar_rig", ["bench.axes.axis2.drive.timeout=1 ms"],
        "expected at least 0.03 s, 3 setpoints at 100 Hz (axes.rate), got 0.001 s",
    ),
    "a register that there is not": ("four_bar_rig", ["bench.axes.crank.drive.registers.fault=99999"], "expected at most 65535, got 99999"),
    "a register for two things": (
        "four_bar_rig", ["bench.axes.crank.drive.registers.timeout=3104"], "expected a register of its own, got 3104, which is high_speed"
    ),
    "status bits that nobody looks at": (
        "linkage_instron", ["bench.loader.status_mask=0x0E00"], "status_good: expected bits of status_mask, 0x0e00, got 0x1000 besides"
    ),
    "a path for what turns": ("four_bar_rig", ["command.mode=path", "command.rate_limit=1 s/s"], "four_bar is driven by angle; got 'path'"),
    "an axis that moves no drive": ("four_bar_rig", ["bench.axes.crank.name=wheel"], "four_bar has no drive 'wheel'; it has crank (rad)"),
    "a drive that nothing moves": ("four_bar_rig", ["bench.axes.crank.name=wheel"], "nothing moves crank"),
    "a motor for a force": ("slider_bar_rig", [f"bench.axes.drive_force.drive={MOTOR}"], "drive_force is in N; expected a shaker"),
    "no watchdog for an analogue drive": ("slider_crank_rig", ["bench.daq.watchdog=none"], "nothing would stop it if the program died"),
    "a line that is none": (
        "four_bar_rig", ["bench.axes.crank.drive.port=virtual:other"], "no serial line 'other' ([[serial]]); there are drive"
    ),
    "a bench elsewhere without ports": ("four_bar_rig", ["bench.address=127.0.0.1:4000"], "bench.serial.drive.port=40001"),
    "faster than a drive may turn": (
        "four_bar_rig", ["bench.axes.crank.drive.max_speed=30 rad/s"], "asks for 31.4159 rad/s of crank; got 30 rad/s: ask for less"
    ),
    "faster than one of three drives may turn": (
        "parallel_3rrpar_rig", ["bench.axes.1.drive.max_speed=0.5 rad/s"], "rad/s of axis2; got 0.5 rad/s: ask for less"
    ),
    "farther than a drive counts finely": (
        "four_bar_rig", [f"bench.axes.crank.drive={ODRIVE}", "bench.axes.crank.mode=position", "trajectory.cycles=3000"],
        "rad the drive, which counts in single precision, has steps of 0.0015 rad, coarser than 0.001 rad; command by",
    ),
    "a zero that is too far": (
        "parallel_3rrpar_rig", ["bench.axes.axis2.drive.zero=-30000 rad"], "rad the drive, which counts in single precision, has steps of"
    ),
    "more force than the shaker has": (
        "slider_bar_rig", ["bench.axes.drive_force.drive.max_force=2 N"], "the trajectory asks for 3 N of drive_force; got 2 N"
    ),
    "a mode that the drive has not": ("four_bar_rig", ["bench.axes.crank.mode=position"], "modbus_drive is commanded by velocity"),
    "a position for an analogue speed drive": ("slider_crank_rig", ["bench.axes.0.mode=position"], "speed_drive is commanded by velocity"),
    "a time-out that its register cannot hold": (
        "four_bar_rig", ["bench.axes.crank.drive.registers.timeout_unit=0.1 ms", "bench.axes.crank.drive.timeout=4 s"],
        "expected at most 3.2767 s, what its register holds, got 4 s",
    ),
    "a time-out after which nobody waits": ("four_bar_rig", ["bench.axes.crank.drive.timeout=2 min"], "expected at most 10 s, got 120 s"),
    "a wave for what turns": (
        "four_bar_rig", ["trajectory={kind='sine', amplitude='1 rad', frequency='1 Hz'}"], 'expected kind = "turning"'
    ),
}  # fmt: skip


@each_row("case", CASES)
def test_what_does_not_belong_together_is_told(case: str) -> None:
    name, overrides, words = CASES[case]
    with pytest.raises(ConfigError) as told:
        config.load(EXPERIMENTS / f"{name}.toml", overrides)
    assert words in str(told.value)


@pytest.mark.parametrize("name", ["four_bar_rig", "slider_crank_rig", "slider_bar_rig", "parallel_3rrpar_rig"])
def test_the_rigs_own_files_have_nothing_against_each_other(name: str) -> None:
    setup = config.load(EXPERIMENTS / f"{name}.toml", [])
    assert setup.bench.axes and setup.bench.loader is None


def test_a_rig_on_a_loaders_bench_and_the_other_way_round() -> None:
    with pytest.raises(ConfigError, match="the bench has a loader; expected force or stroke, got 'angle'"):
        config.load(EXPERIMENTS / "four_bar_rig.toml", [], BENCHES / "virtual_loader.toml")
    with pytest.raises(ConfigError, match="the bench has axes; expected angle or path"):
        config.load(EXPERIMENTS / "linkage.toml", [], BENCHES / "virtual_four_bar.toml")
