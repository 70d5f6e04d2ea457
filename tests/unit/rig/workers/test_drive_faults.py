"""What goes wrong on a motor rig's lines and in its drives at speed: the bench worker trips, says who and why, and nothing has power."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from drivers.axes.tmcl import DRIVER_FLAGS
from drivers.errors import WatchdogExpired
from drivers.simulated.axes.modbus_drive import OVERLOAD, ModbusDrive
from drivers.simulated.axes.odrive import ODriveAxis
from drivers.simulated.axes.tmcl import TmclMotor
from drivers.simulated.serial.serial_side import Fault
from tests.thorough import some
from tests.unit.rig.workers.bench.bench_worker import Rig, once, rig

LINES = ("cut", "garbled", "doubled", "another_address", "delayed", "silent", "unplugged")
RIGS = {
    "four_bar_rig": ("crank", "drive", "crank (Modbus drive, address 1) at socket://"),
    "slider_bar_rig": ("bar", "bar", "bar (TMCL module 1, motor 0) at socket://"),
    "parallel_3rrpar_rig": ("axis", "board2", "axis2 (ODrive axis 0) at socket://"),
}
AT = 0.6  # s of the test: it moves


def spoil(kind: str, line: str) -> Any:
    def do(rig: Rig) -> None:
        side = rig.hardware.serial[line]
        if kind == "unplugged":
            side.unplug()
        else:
            side.fault = Fault(kind, seconds=4.0)

    return once(lambda rig: rig.time > AT, do)


def cases() -> list[tuple[str, str]]:
    """Every fault on the first rig, some on the others; an ODrive's lines bear no address."""
    return [("four_bar_rig", kind) for kind in LINES] + [
        ("slider_bar_rig", "another_address"), ("slider_bar_rig", "unplugged"),
        ("parallel_3rrpar_rig", "garbled"),
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "kind"), some(cases(), 6))
def test_a_line_that_fails_in_mid_test_trips_it(tmp_path: Path, name: str, kind: str) -> None:
    drive, line, begins = RIGS[name]
    with rig(name, tmp_path) as bench:
        figures = bench.run(spoil(kind, line))
        assert figures["outcome"] == "tripped"
        assert figures["reason"].startswith(begins), figures["reason"]
        (told,) = [event for event in bench.heard.events if event["kind"] == "interlock"]
        assert told["text"] == figures["reason"] and 0.0 <= told["sample"] / figures["rate"] - AT < 0.05
        assert not any(bench.lines(drive)), "no drive has power"
        assert not [text for text in bench.heard.of("close") if "watchdog" in text], "it was kept alive after the trip"
        lows = [entry["bench"] for entry in bench.log if entry["text"] in ("enable input low", "enable low")]
        assert max(lows) - min(low for low in lows if low > AT) < 0.011, "all of them in one call"


def broken(rig: Rig) -> None:
    """The (second) drive of the rig has a fault of its own."""
    sides = list(rig.hardware.serial.values())
    if not sides:
        with rig.hardware.engine.lock:
            rig.hardware.injector.machine._analogue.fail("overload")  # type: ignore[attr-defined]
        return
    side = sides[min(1, len(sides) - 1)]
    (drive,) = side.device.drives
    with side.lock:
        if isinstance(drive, ModbusDrive):
            drive.trip(OVERLOAD)
        elif isinstance(drive, ODriveAxis):
            drive.fail(0x40)
        else:
            assert isinstance(drive, TmclMotor)
            drive.parameters[DRIVER_FLAGS] = 0x08


BROKEN = {
    "four_bar_rig": ("crank (Modbus drive", "fault 17 (OLF: motor overload)"),
    "slider_crank_rig": ("crank: ", "fault"),
    "slider_bar_rig": ("bar (TMCL module", "short circuit of phase A"),
    "parallel_3rrpar_rig": ("axis2 (ODrive", "axis error 0x40 (motor failed)"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_drive_that_fails_in_mid_move_trips_the_test(tmp_path: Path, name: str) -> None:
    begins, words = BROKEN[name]
    with rig(name, tmp_path) as bench:
        figures = bench.run(once(lambda rig: rig.time > AT, broken))
        assert figures["outcome"] == "tripped", figures
        assert figures["reason"].startswith(begins) and words in figures["reason"], figures["reason"]
        (told,) = [event for event in bench.heard.events if event["kind"] == "interlock"]
        assert 0.0 <= told["sample"] / figures["rate"] - AT < 0.3
        assert not any(bench.lines("")), "no drive has power"


def blocked(rig: Rig) -> None:
    """An arm that cannot move on: its motor may give next to nothing."""
    shaft: Any = rig.hardware.plant.shafts["axis1"]  # type: ignore[attr-defined]
    shaft.limit = lambda torque: None
    shaft._record["limit"] = 1e-3


def test_an_axis_that_does_not_follow_is_an_interlock(tmp_path: Path) -> None:
    with rig("parallel_3rrpar_rig", tmp_path) as bench:
        words = r"^axis1: following error -?[\d.]+ deg exceeds 3 deg at sample \d+"
        figures = bench.ends("tripped", words, once(lambda rig: rig.time > AT, blocked))
        assert not any(bench.lines("axis"))
        assert figures["clocks"]["axis1"]["following_error_rms"] > figures["clocks"]["axis3"]["following_error_rms"]


def test_plugged_in_again_the_next_test_runs(tmp_path: Path) -> None:
    with rig("four_bar_rig", tmp_path) as bench:
        assert bench.run(spoil("unplugged", "drive"))["outcome"] == "tripped"
        bench.hardware.serial["drive"].plug()
        bench.again(tmp_path / "second")
        figures = bench.run()
        assert (figures["outcome"], figures["reason"]) == ("done", "")
        assert bench.said("crank").count("operation enabled") == 2


def test_a_drive_whose_clock_is_off_is_found_out(tmp_path: Path) -> None:
    """At one rate here; at three and at each pace in the campaign."""
    ppm = -50
    with rig("slider_bar_rig", tmp_path, f"bench.serial.bar.skew_ppm={ppm}", "trajectory.cycles=1") as bench:
        figures = bench.run()
        assert figures["outcome"] == "done", figures
        assert abs(figures["clocks"]["bar"]["skew_ppm"] - ppm) < 5.0, figures["clocks"]


def test_a_watchdog_that_expired_has_done_what_a_trip_would_do_and_that_is_said(tmp_path: Path) -> None:
    """The computer stood still for longer, before the test: while the drive gets its power."""

    def stand_still(rig: Rig) -> None:
        with rig.hardware.engine.lock:
            rig.hardware.engine.advance(rig.hardware.engine.time + 1.5)

    with rig("four_bar_rig", tmp_path) as bench:
        with pytest.raises(WatchdogExpired, match=r"longer than daq\.watchdog"):
            bench.run(once(lambda rig: rig.worker.course.state == "starting", stand_still))
        assert bench.heard.of("close")[0] == ("the lines were in their safe states already, by the device's watchdog")
        assert not any(bench.lines("crank"))
