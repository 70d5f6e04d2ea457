"""What a window reads of a long record for a picture, in samples: it must not grow with the record, or with the time that is shown."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from rig.display.sources import record
from rig.display.sources.record import RecordSource
from rig.display.window import replay_window
from rig.display.window.replay_window import ReplayWindow
from rig.recorder.reading import Samples, read_run
from tests.unit.rig.display.display_records import made_up, write_record
from tests.unit.rig.display.display_rings import RATE, SUBJECT

AT_ONCE = 2000
"""In place of the samples that may be read for one curve of one picture: this record is short."""
PICTURE = 5_000_000
"""Samples of all curves, spectra and tables of a picture: of a dozen traces at most 2^18 each, and the seconds of a spectrum."""


class Counting(RecordSource):
    """Counts what it reads."""

    read = 0

    def _samples_of(self, stream: str, channel: str, first: int, last: int) -> Samples:
        self.read += last - first
        return super()._samples_of(stream, channel, first, last)


Opened = Callable[[Path, float, float], ReplayWindow]


@pytest.fixture
def opened(qt: QApplication) -> Iterator[Opened]:
    """Makes a record of so many seconds in a folder, and a window on it at a moment."""
    made: list[ReplayWindow] = []

    def window(folder: Path, seconds: float, at: float) -> ReplayWindow:
        folder.mkdir()
        write_record(folder / "run.h5", made_up(round(seconds * RATE), folder / "rings"), gap=False)
        source = Counting(read_run(folder / "run.h5"), SUBJECT.traces(SUBJECT.force))
        made.append(ReplayWindow(SUBJECT, source, folder / "window.ini", at))
        return made[-1]

    yield window
    for one in made:
        one.deleteLater()
        assert isinstance(one.source, Counting)
        one.source.close()


def read_for(window: ReplayWindow, goes_on: bool) -> int:
    assert isinstance(window.source, Counting)
    before = window.source.read
    window.draw_picture(goes_on=goes_on)
    return window.source.read - before


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    for room in (record, replay_window):
        monkeypatch.setattr(room, "AT_ONCE", AT_ONCE)


def test_the_first_picture_of_a_window_reads_as_much_of_a_long_record_as_of_a_short_one(opened: Opened, tmp_path: Path) -> None:
    short, long = (opened(tmp_path / str(seconds), seconds, 3.5) for seconds in (4.0, 16.0))
    both = [read_for(window, goes_on=True) for window in (short, long)]
    assert both[0] == both[1]
    assert 0 < both[0] < PICTURE


def test_a_long_time_is_not_read_for_the_first_picture_and_read_at_once_for_a_file(opened: Opened, tmp_path: Path, brief: None) -> None:
    read = {}
    for span in (0.02, 10.0):
        window = opened(tmp_path / str(span), 12.0, 11.5)
        window.overlay.show_span(span)
        read[span] = read_for(window, goes_on=True)
    assert read[10.0] <= read[0.02]
    assert read_for(window, goes_on=False) > 10.0 * RATE  # the control: a picture in a file has its curves


def test_a_pan_over_a_record_that_was_looked_through_reads_no_more_for_a_longer_time(opened: Opened, tmp_path: Path, brief: None) -> None:
    window = opened(tmp_path / "a", 12.0, 11.5)
    while window.work(0.05):
        pass
    spent = []
    for span in (0.5, 10.0):
        window.overlay.show_span(span)
        window.playhead.seek(round(11.0 * RATE))
        spent.append(read_for(window, goes_on=True))
    assert spent[1] <= spent[0]
    assert np.isfinite(window.overlay.extremes["measured"]).all()
