import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pyqtgraph as pg
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from rig.commands import main
from rig.display.panels.interruption_marks import InterruptionMarks
from rig.display.sources import record
from rig.display.sources.record import RecordSource
from rig.display.sources.recorded import events, lost, recorded_subject
from rig.display.theme import LIGHT
from rig.display.window import replay, replay_window
from rig.display.window.replay_window import ReplayWindow
from rig.recorder.description import Event
from rig.recorder.reading import read_run
from rig.streaming.interruptions import Interruption
from tests.tiers import quick
from tests.unit.rig.display.display_records import made_up, write_record
from tests.unit.rig.display.display_rings import FREQUENCY, RATE, SUBJECT

ROOT = Path(__file__).resolve().parents[5]
SECONDS = 8.0
FIRST_PICTURE = 30.0  # s: of a program that is started beside others on a busy machine; on a free one it takes 0.8
MEMORY = 400e6  # bytes


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("0007-linkage")
    write_record(folder / "run.h5", made_up(round(SECONDS * RATE), folder / "rings"))
    return folder / "run.h5"


@pytest.fixture
def window(qt: QApplication, path: Path, tmp_path: Path) -> Iterator[ReplayWindow]:
    run = read_run(path)
    source = RecordSource(run, SUBJECT.traces(SUBJECT.force))
    made = ReplayWindow(SUBJECT, source, tmp_path / "window.ini", 4.0, events(run), lost(run))
    made.apply_theme("light")
    made.show()
    qt.processEvents()
    yield made
    made.hide()
    made.deleteLater()
    source.close()


def _words(window: ReplayWindow) -> str:
    return " | ".join(label.text() for label in window.findChildren(QLabel) if label.isVisible())


def test_the_same_window_shows_the_record(qt: QApplication, window: ReplayWindow) -> None:
    window.draw_picture()
    assert window.overlay.extremes["measured"][1] == pytest.approx(10.8e3, rel=0.1)
    for said in ("REPLAY", "0007-linkage", "4.0 s / 8.0 s", f"{int(FREQUENCY * 3.75)} / 180"):
        assert said in _words(window)
    assert window.tracker(0).errors.rows[: int(FREQUENCY * 3.75), 0].tolist() == list(range(int(FREQUENCY * 3.75)))
    assert window.panels.spectrum._averages["measured"].averaged >= 4


def test_what_is_shown_at_a_moment_was_known_then(window: ReplayWindow) -> None:
    whole = len(window.tracker(0).errors.rows)
    while window.work(0.02):
        pass
    assert len(window.tracker(0).errors.rows) > whole  # it has looked further than to the moment shown
    for seconds in (4.0, 1.3, 6.1, 0.1):
        window.playhead.seek(seconds * RATE)
        window.draw_picture()
        current = int(FREQUENCY * (seconds - 0.25)) if seconds > 0.25 else 0
        assert window.panels.trend._drawn == current
        if current:
            assert window.tracker(0).errors.known(window.moment())[-1, 0] == current - 1


def test_it_plays_at_the_speed_that_is_chosen(qt: QApplication, window: ReplayWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_BracketRight)
    assert window.playhead.speed == 2.0
    QTest.keyClick(window, Qt.Key.Key_Space)
    assert window.playhead.playing
    window.playhead.tick(100.0)
    begin = window.playhead.position
    window.playhead.tick(100.5)
    assert window.playhead.position - begin == pytest.approx(RATE, abs=2)
    QTest.keyClick(window, Qt.Key.Key_Space)
    assert not window.playhead.playing


def test_the_slider_and_the_keys_seek(qt: QApplication, window: ReplayWindow) -> None:
    window.player.slider.setValue(window.player.slider.maximum() // 4)
    assert window.moment() == pytest.approx(2.0 * RATE, abs=5)
    assert "2.0 s / 8.0 s" in _words(window)
    QTest.keyClick(window, Qt.Key.Key_Right)
    assert window.moment() == pytest.approx(2.4 * RATE, abs=5)
    QTest.keyClick(window, Qt.Key.Key_Home)
    assert window.moment() == 0


def test_events_appear_when_they_happened(window: ReplayWindow) -> None:
    text = window.panels.events._text
    window.playhead.seek(0.5 * RATE)
    window._tell()
    assert text.toPlainText().endswith("bench  running")
    window.playhead.seek(3.0 * RATE)
    window._tell()
    assert "limit: stroke 0.3 mm exceeds maximum" in text.toPlainText()


def test_looking_through_the_record_ends(window: ReplayWindow) -> None:
    deadline = time.monotonic() + 30.0
    while window.work(0.02):
        assert time.monotonic() < deadline
    assert window.source.progress == 1.0
    assert len(window.tracker(0).errors.rows) == int(FREQUENCY * (SECONDS - 0.25))
    window.overlay.show_span(8.0)
    window.playhead.seek(SECONDS * RATE)
    window.refresh()
    assert window.overlay.extremes["measured"][1] > 10e3


def test_a_record_has_no_stop_button(window: ReplayWindow) -> None:
    assert not hasattr(window, "stop_button")
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.isVisible()
    window.close()
    assert window.closed


def _view(path: Path, *arguments: str, display: bool = True) -> tuple[int, dict[str, object], int]:
    """`rig view --json` in a process of its own: exit code, object, largest memory (bytes)."""
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    process = subprocess.Popen(
        [sys.executable, "-m", "rig", "view", str(path), "--json", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT, env=environment,
    )  # fmt: skip
    largest, watched = 0, psutil.Process(process.pid)
    while process.poll() is None:
        try:
            largest = max(largest, watched.memory_info().rss)
        except psutil.Error:
            break
        time.sleep(0.01)
    out, _ = process.communicate(timeout=60)
    return process.returncode, json.loads(out), largest


def test_a_picture_without_a_display(path: Path, tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    file = tmp_path / "window.png"
    code, said, memory = _view(path, "--picture", str(file), "--theme", "dark", "--size", "1200x800", "--channel", "stroke", "--at", "3")
    assert code == 0, said
    image = QImage(str(file))
    assert (image.width(), image.height()) == (1200, 800)
    seconds = said["first_picture_s"]
    assert isinstance(seconds, float)
    record_property("first_picture_s", seconds)
    print(f"first picture after {seconds:.2f} s, {memory / 1e6:.0f} MB at most")
    assert seconds < FIRST_PICTURE
    assert memory < MEMORY
    assert not list(tmp_path.glob(".window*"))


def test_ctrl_c_closes_the_window_and_keeps_its_layout(
    qt: QApplication, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    before = signal.getsignal(signal.SIGINT)
    pressed: list[bool] = []

    def press() -> None:
        QTimer.singleShot(200, lambda: signal.raise_signal(signal.SIGINT))
        pressed.append(True)

    said = replay.show(path, replay.Wanted(theme="dark"), press)
    assert pressed == [True]
    assert said["display"]["frames"] > 0
    assert "theme=dark" in (tmp_path / "clearance-rig" / "window.ini").read_text()
    assert signal.getsignal(signal.SIGINT) is before


def test_no_display_is_one_clear_message(path: Path) -> None:
    code, said, _ = _view(path)
    assert code == 3
    assert "no window can be shown: no display" in str(said["error"])
    assert "--picture FILE.png" in str(said["error"])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    quick(
        [
            (("--picture", "x.jpg"), "expected a name that ends in .png"),
            (("--picture", "/not/there/x.png"), "there is no folder /not/there"),
            (("--picture", "x.png", "--channel", "farce"), "--channel farce: not measured in this run; there are transmitted_force"),
            (("--picture", "x.png", "--at", "99"), "--at 99: the record lasts from 0 to 8.000 s"),
            (("--picture", "x.png", "--span", "-1"), "expected a time above 0 s"),
            (("--size", "10x10"), "expected WIDTHxHEIGHT from 400 to 8000 pixels"),
        ],
        3,
    ),
)
@pytest.mark.usefixtures("qt")
def test_bad_arguments_are_one_clear_message(
    path: Path, arguments: tuple[str, ...], expected: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process; as a program of its own it is asked below."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert main(["view", str(path), "--json", *arguments]) == 2
    assert expected in str(json.loads(capsys.readouterr().out)["error"])


def test_a_record_that_is_not_there_is_one_clear_message(tmp_path: Path) -> None:
    code, said, _ = _view(tmp_path, "--picture", str(tmp_path / "x.png"))
    assert code == 2
    assert "no such record" in str(said["error"])


def test_drawing_a_record_is_cheap(qt: QApplication, window: ReplayWindow, record_property: Callable[[str, object], None]) -> None:
    window.playhead.toggle()
    spent = []
    for _ in range(60):
        began = time.process_time()
        window.refresh()
        qt.processEvents()
        spent.append(time.process_time() - began)
    median, p95 = np.quantile(spent, [0.5, 0.95])
    record_property("replay_frame_cpu_ms_p95", 1e3 * float(p95))
    print(f"frame of a record {1e3 * median:.1f} ms (median), {1e3 * p95:.1f} ms (p95) of CPU time")
    assert median < 0.050  # as long as a redraw may take twenty times a second; a fifth of that here


def test_a_picture_of_a_long_time_has_its_curves(qt: QApplication, window: ReplayWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """A window draws them as soon as the record has been looked through; a picture is drawn once."""
    for room in (record, replay_window):
        monkeypatch.setattr(room, "AT_ONCE", 1000)
    window.overlay.show_span(2.0)
    window.draw_picture()
    assert window.overlay.extremes["measured"][1] == pytest.approx(10.8e3, rel=0.1)


def test_where_a_test_was_held_or_resumed_is_marked_while_it_is_in_sight(qt: QApplication) -> None:
    plot = pg.PlotWidget()
    box = plot.getViewBox()
    marks = InterruptionMarks(box, [Interruption(1.0, 2.0, "held"), Interruption(5.0, 5.0, "broken off, resumed")], words=True)
    marks.theme(LIGHT)

    def seen(now: float) -> list[tuple[str, float]]:
        marks.refresh(now, 3.0)
        words = [item for item in box.childGroup.childItems() if isinstance(item, pg.TextItem) and item.isVisible()]
        return [(item.toPlainText(), item.pos().x()) for item in words]

    assert seen(0.9) == []
    assert seen(3.0) == [("held", -2.0)]
    assert seen(4.5) == [("held", -3.0)], "its begin is out of sight, its band is not"
    assert seen(5.5) == [("broken off, resumed", -0.5)]
    (line,) = (
        item for item in box.childGroup.childItems() if isinstance(item, pg.InfiniteLine) and item.isVisible() and item.value() == -0.5
    )
    assert line.isVisible()
    plot.close()


def test_a_record_tells_where_its_test_was_held(tmp_path: Path) -> None:
    write_record(tmp_path / "run.h5", made_up(2000, tmp_path / "rings"))
    run = read_run(tmp_path / "run.h5")
    assert recorded_subject(run).interruptions == ()
    words = (("holding: hold by me", 0.01), ("hold", 0.02), ("resuming", 0.03), ("running", 0.04))
    held = [Event(int(at * RATE), at, "bench", "state", text) for text, at in words]
    assert recorded_subject(replace(run, events=[*run.events, *held])).interruptions == (Interruption(0.01, 0.04, "held"),)
