"""The window on a motor rig: what is shown first, the last turn, and what the axes say; live and from the same record."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from drivers.instruments import force_gauge
from rig import config
from rig.config.bench import Instrument
from rig.config.experiment import Limit
from rig.config.plan import Plan
from rig.display.panels.curve import Curve
from rig.display.panels.turn import in_words, unrolled
from rig.display.quantities import shown
from rig.display.sources.axes import drives_of, spoken
from rig.display.sources.live import LiveSource
from rig.display.sources.record import RecordSource
from rig.display.sources.source import Axis, Trace
from rig.display.sources.view_model import ShownChannel, Subject, subject
from rig.display.window.live_window import LiveWindow
from rig.recorder.description import Description, StreamShape
from rig.recorder.reading import read_run
from rig.recorder.record import Record
from rig.streaming.ring import RingWriter

EXPERIMENTS = Path(__file__).resolve().parents[5] / "configs/experiments"
RATE, SPEED, BEGIN = 5000.0, 10.0 * math.pi, math.radians(240.0)
TURN = 2.0 * math.pi
AXES = ("sample", "axis", "setpoint", "position", "velocity", "torque")


def made(name: str) -> Subject:
    setup = config.load(str(EXPERIMENTS / f"{name}.toml"), [], None)
    return subject(setup.experiment, setup.bench, f"0001-{name}")


@pytest.fixture
def what() -> Subject:
    return made("four_bar_rig")


Streams = dict[str, tuple[tuple[str, ...], np.ndarray]]


@pytest.fixture
def on_rings(qt: QApplication) -> Iterator[Callable[[Path, Subject, Streams], LiveWindow]]:
    """Opens a window on streams that are in rings; in the end it is gone, and they are closed."""
    with contextlib.ExitStack() as left:

        def opened(folder: Path, what: Subject, made: Streams) -> LiveWindow:
            paths = {name: folder / name for name in made}
            for name, (names, block) in made.items():
                writer = RingWriter.create(paths[name], list(names), ["1"] * len(names), 6000, RATE)
                left.callback(writer.close)
                writer.append(block)
            source = LiveSource(paths, what.traces(what.force))
            left.callback(source.close)
            window = LiveWindow(what, source, folder / "window.ini", print, print)
            left.callback(window.deleteLater)
            left.callback(window.hide)
            window.show()
            return window

        yield opened


def recorded(folder: Path, what: Subject, apart: str, columns: tuple[str, ...], rows: np.ndarray) -> RecordSource:
    """A record with the streams of a second, and with what comes at times of its own."""
    path = folder / "run.h5"
    record = Record(path, Description("0001-a", "", "2026-01-01", "", "", {}))
    for name, (names, block) in streams(1.0).items():
        if name != "axes":
            record.stream(StreamShape(name, names, ("1",) * len(names), RATE))
            record.append(name, 0, block)
    record.close()
    with h5py.File(path, "r+") as file:
        for column, name in enumerate(columns):
            file[f"entry/{apart}/{name}"] = rows[:, column]
    return RecordSource(read_run(path), what.traces(what.force))


def streams(seconds: float) -> Streams:
    """Names and samples of a crank that turns; an impact at 90 deg of each turn, predicted half as large."""
    t = np.arange(round(seconds * RATE)) / RATE
    angle = BEGIN + SPEED * t
    wave = 50.0 * np.sin(angle) + 200.0 * np.exp(-(((angle % TURN) - 0.5 * math.pi) ** 2) / 0.002)
    told = np.arange(0, len(t), 50)
    nothing = np.full(len(told), np.nan)
    rows = np.column_stack((told, 0.0 * told, angle[told], angle[told] - math.radians(0.5), np.full(len(told), SPEED), nothing))
    return {
        "command": (("value", "phase", "cycle", "crank", "crank_rate"),
                    np.column_stack((SPEED * t, SPEED * t, np.floor(SPEED * t / TURN), angle, np.full(len(t), SPEED)))),
        "measured": (("acceleration", "crank_angle"), np.column_stack((wave, angle))),
        "predicted_as_measured": (("acceleration", "crank_angle"), np.column_stack((0.5 * wave, angle))),
        "axes": (AXES, rows),
    }  # fmt: skip


def points(curve: Curve) -> tuple[np.ndarray, np.ndarray]:
    """What is drawn, in the units of the axes."""
    elements = [curve._path.elementAt(i) for i in range(curve._path.elementCount())]
    return np.array([one.x for one in elements]), np.array([one.y for one in elements])


def test_a_motor_rig_shows_what_is_judged_and_its_angle(what: Subject) -> None:
    assert (what.force, what.stroke, what.angle, what.command_unit) == ("acceleration", None, "crank_angle", "rad")
    assert Trace("measured", "crank_angle") in what.traces("acceleration")
    assert what.channel("crank_angle").scale is None  # it goes on and on
    slider = made("slider_bar_rig")
    assert (slider.force, slider.stroke, slider.angle) == ("x", None, "bar_angle")  # the command leads it, an encoder tells the angle
    path = made("parallel_3rrpar_rig")
    assert (path.force, path.angle, path.command_unit) == ("ax", "", "s")
    assert made("linkage").angle is None


def test_the_last_turn_is_drawn_over_the_measured_angle(qt: QApplication, on_rings: Any, tmp_path: Path, what: Subject) -> None:
    window = on_rings(tmp_path, what, streams(1.0))
    for _ in range(6):
        window.refresh()
        qt.processEvents()
    turn = window.panels.turn
    assert turn is not None
    assert window.panels.loop is None
    curves = {role: points(turn.curves[role]) for role in ("measured", "predicted")}
    peaks = {role: (float(x[np.argmax(y)]), float(np.max(y))) for role, (x, y) in curves.items()}
    assert peaks["measured"] == (pytest.approx(90.0, abs=1.0), pytest.approx(250.0, rel=0.02))
    assert peaks["predicted"] == (pytest.approx(90.0, abs=1.0), pytest.approx(125.0, rel=0.02))
    assert float(np.ptp(curves["measured"][0])) == pytest.approx(360.0, abs=1.0)
    assert turn.figures.text() == "crank −0.50° off"
    assert "command" not in window.overlay._legend.text()  # it is in another unit
    raw = window.overlay.extremes["measured"][1]
    window.toggle_lowpass()
    for _ in range(6):
        window.refresh()
    window.panels.tell()
    assert window.overlay.extremes["measured"][1] < 0.8 * raw, "impacts are not what is judged"
    assert window.overlay.figures.text().startswith("below 100 Hz: ")
    assert window.panels.difference.figures.text().startswith("below 100 Hz: largest ")
    window.toggle_lowpass()
    for _ in range(6):
        window.refresh()
    window.panels.tell()
    assert window.overlay.extremes["measured"][1] == raw
    assert "below" not in window.overlay.figures.text()
    window.choose("crank_angle")
    assert "command" in window.overlay._legend.text()


def test_axes_of_a_record_are_those_of_the_moment_shown(tmp_path: Path, what: Subject) -> None:
    source = recorded(tmp_path, what, "axes", *streams(1.0)["axes"])
    (axis,) = source.axes(1020)
    assert (axis.name, axis.setpoint) == ("crank", pytest.approx(BEGIN + SPEED * 1000 / RATE))
    assert source.axes(-1) == ()
    source.close()


def test_each_axis_is_told_by_the_last_that_it_said() -> None:
    rows = np.array([[0, 0, 1.0, 1.5, 2.0, 0], [1, 2, 9.0, np.nan, np.nan, 0], [2, 0, 3.0, 3.0, 2.0, 0]], dtype=float)
    names = drives_of(("value", "phase", "cycle", "axis1", "axis1_rate", "axis2", "axis2_rate", "axis3", "axis3_rate"))
    assert names == ("axis1", "axis2", "axis3")
    found = spoken(names, AXES, rows)
    assert [axis.name for axis in found] == ["axis1", "axis3"]  # axis2 has not spoken
    assert found[0] == Axis("axis1", 3.0, 3.0, 2.0)
    assert in_words(found) == "axis1 +0.00° off"  # the other tells nothing
    assert in_words((found[0], Axis("axis2", 1.0, 1.0 - math.radians(0.2), 0.0))) == "axis2 −0.20° off"
    assert in_words((Axis("crank", 1.0, math.nan, -31.4159),)) == "crank −31.42 rad/s"


def test_a_turn_is_unrolled_at_its_seam() -> None:
    angle, values = unrolled(np.array([200.0, 300.0, 359.0, 10.0, 100.0, 190.0]), np.arange(6.0))
    np.testing.assert_array_equal(angle, [10.0, 100.0, 190.0, 200.0, 300.0, 359.0])
    np.testing.assert_array_equal(values, [3.0, 4.0, 5.0, 0.0, 1.0, 2.0])
    still = np.array([5.0, 6.0, 7.0])
    assert unrolled(still, still)[0] is still


def test_small_forces_stay_in_newtons() -> None:
    assert shown("N", 20.0).unit == "N"
    assert shown("N", 250e3).unit == shown("N").unit == "kN"


def gauged(what: Subject) -> Subject:
    return replace(what, instruments=(ShownChannel("gauge", "N", scale=500.0), ShownChannel("oil", "K")))


READ = np.array([[0, 1.0, np.nan], [500, 2.0, np.nan], [1000, np.nan, 300.0], [1500, 4.0, np.nan]])
COLUMNS = ("sample", "gauge", "oil")


def test_instruments_stand_below_the_channels(qt: QApplication, on_rings: Any, tmp_path: Path, what: Subject) -> None:
    """Of each the last reading, though the last row is another one's; a double click on one, which has no curve, does nothing."""
    window = on_rings(tmp_path, gauged(what), streams(1.0) | {"instruments": (COLUMNS, READ)})
    window.refresh()
    qt.processEvents()
    table = window.panels.channels
    rows = [[table.model._text(row, column) for column in range(3)] for row in range(table.model.rowCount())]
    assert rows[-2:] == [["Gauge", "+4.000", "N"], ["Oil", "+300.0", "K"]]
    assert [row[0] for row in rows[:-2]] == ["Acceleration", "Speed", "Crank angle", "Pickup", "Sample code"]
    shown_before = window.overlay.channel
    table._choose(table.model.index(len(rows) - 1, 0))
    assert window.overlay.channel == shown_before


def test_instruments_of_a_record_are_those_of_the_moment_shown(tmp_path: Path, what: Subject) -> None:
    source = recorded(tmp_path, what, "instruments", COLUMNS, READ)
    assert source.instruments(1200) == {"gauge": (2.0, 1.0, 2.0), "oil": (300.0, 300.0, 300.0)}
    assert source.instruments(600) == {"gauge": (2.0, 1.0, 2.0)}
    assert source.instruments(-1) == {}
    source.close()


def test_the_unit_of_an_instrument_is_its_drivers(tmp_path: Path) -> None:
    """As the window's process has the plan of a run, in which most instruments are plain data."""
    setup = config.load(str(EXPERIMENTS / "four_bar_rig.toml"), [], None)
    bench = replace(setup.bench, instruments=(Instrument("gauge", force_gauge.Config("COM99")),))
    Plan("0001-a", tmp_path, tmp_path, setup.experiment, bench, "", "").write()
    plan = Plan.read(tmp_path, "display")
    limited = replace(plan.experiment, limits=(Limit("gauge", maximum=300.0, action="stop"),))
    (gauge,) = subject(limited, plan.bench, plan.run).instruments
    assert (gauge.maximum, gauge.limits) == (300.0, "at most 300 N: stop")
    assert subject(plan.experiment, plan.bench, plan.run).instruments == (ShownChannel("gauge", "N", scale=500.0),)
