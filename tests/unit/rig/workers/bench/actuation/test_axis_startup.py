"""Before a test: axes get power once, one that does not answer or is too slow is named and nothing keeps power, Ctrl-C comes to rest."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from drivers.errors import Refused
from drivers.simulated.serial.serial_side import Fault
from rig.config.bench import Bench
from tests.unit.rig.workers.bench.bench_worker import Rig, once, rig


def starting(bench: Rig) -> bool:
    """The drives are on their way to where the test begins: one of them moves."""
    return any(not drive.resting for side in bench.hardware.serial.values() for drive in side.device.drives)


def test_three_axes_go_where_the_test_begins_and_are_enabled_once(tmp_path: Path) -> None:
    with rig("parallel_3rrpar_rig", tmp_path) as bench:
        figures = bench.run()
        assert figures["outcome"] == "done", figures
        assert len(bench.heard.of("preparation")) == 3
        for source in ("board1.axis0", "board2.axis0", "board3.axis0"):
            assert bench.said(source).count("closed loop") == 1
        assert not any(bench.lines(""))


@pytest.mark.parametrize("verb", ["stop", "trip"])
def test_called_off_on_the_way_nothing_keeps_power(tmp_path: Path, verb: str) -> None:
    def call_off(bench: Rig) -> None:
        bench.worker.command(verb, {"reason": "Ctrl-C"})

    with rig("parallel_3rrpar_rig", tmp_path) as bench:
        figures = bench.run(once(starting, call_off))
        assert (figures["outcome"], figures["reason"]) == ({"stop": "stopped", "trip": "tripped"}[verb], "Ctrl-C")
        assert figures["samples"] == 0, "the test itself never began"
        assert not any(bench.lines(""))
        if verb == "stop":  # under power until it stands
            for side in bench.hardware.serial.values():
                (drive,) = side.device.drives
                states = [event.text for event in drive.log if event.text in ("at rest", "enable input low")]
                assert states[-2:] == ["at rest", "enable input low"] or "moving" not in [event.text for event in drive.log], drive.log


def test_of_two_that_answer_and_one_that_does_not_the_one_is_named(tmp_path: Path) -> None:
    def silence(bench: Rig) -> None:
        bench.hardware.serial["board3"].fault = Fault("silent", replies=10**6)

    with rig("parallel_3rrpar_rig", tmp_path) as bench:
        figures = bench.ends("failed", r"^preparation: axes: axis3 \(ODrive axis 0\) at socket://.*no reply", once(starting, silence))
        assert figures["preparation"]["refused"] == "axes"
        assert bench.heard.of("refused") and not any(bench.lines(""))


def test_one_that_does_not_answer_from_the_start(tmp_path: Path) -> None:
    with rig("parallel_3rrpar_rig", tmp_path) as bench:
        bench.hardware.serial["board2"].unplug()
        with pytest.raises(Exception, match=r"axis2 \(ODrive axis 0\) at socket://.*is it plugged in and switched on"):
            bench.run()
        assert not any(bench.lines(""))


def test_a_line_that_is_too_slow_for_its_setpoints_is_refused(tmp_path: Path) -> None:
    with rig("four_bar_rig", tmp_path, "bench.axes.crank.rate=20 kHz") as bench:
        with pytest.raises(Refused, match=r"^crank \(Modbus drive.* a second; 20000 are wanted: raise the baud rate, or stream fewer"):
            bench.run()
        assert bench.lines("crank") == [False]
        assert "operation enabled" not in bench.said("crank")


def test_a_setpoint_beyond_the_drives_speed_stops_it(tmp_path: Path) -> None:
    """The driver refuses it, and the drive must not go on with the one before."""

    def slower(bench: Bench) -> Bench:  # than a bench file is allowed to say
        (crank,) = bench.axes
        return replace(bench, axes=(replace(crank, drive=replace(crank.drive, max_speed=100 * 2.0 * math.pi / 60.0)),))

    with rig("four_bar_rig", tmp_path, change=slower) as bench:
        bench.ends("tripped", r"speed 10\.\d+ rad/s is beyond max_speed = 10\.472 rad/s")
        assert bench.lines("crank") == [False]
        assert {"quick stop active", "switch on disabled"} & {*bench.said("crank")[-4:]}
