"""A record in the window, or as a picture."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from rig.display.sources.record import RecordSource
from rig.display.sources.recorded import doubt, events, lost, recorded_subject
from rig.display.theme import THEMES
from rig.display.window.application import application
from rig.display.window.layout import settings_file
from rig.display.window.pacing import Pacer
from rig.display.window.replay_window import ReplayWindow
from rig.errors import ConfigError, RigError
from rig.files import output_files
from rig.host import clock, interruption
from rig.recorder.reading import RunData, read_run

LISTEN = 0.010  # s between two looks at mouse and keyboard
WORK = 0.012  # s of looking through the record between two of them
FIRST = 2.0  # s of a record at which the window begins


@dataclass
class Wanted:
    """What is asked for on the command line; None: as it was the last time, or as fits."""

    at: float | None = None
    channel: str | None = None
    theme: str | None = None
    span: float | None = None
    size: tuple[int, int] | None = None
    lowpass: bool = False
    motion: bool = False


def show(path: Path, wanted: Wanted, first: Callable[[], None]) -> Mapping[str, object]:
    """Show the record until the window is closed, or Ctrl-C; `first` is called when the first picture stands.

    Returns the figures of drawing.
    """
    run = read_run(path)
    app = application()
    pacer = Pacer()
    with _window(run, wanted, settings_file(), FIRST if wanted.at is None else wanted.at) as window:
        window.show()
        window.draw_picture(goes_on=True)
        app.processEvents()
        first()
        # An exception would be lost in the middle of a paint event.
        with interruption.answered(lambda words: _close(window)):
            while not window.closed:
                _step(window, pacer, app.processEvents)
    return {"samples": run.samples, "rate_hz": run.rate, "display": pacer.figures()}


def picture(path: Path, wanted: Wanted, file: Path) -> Mapping[str, object]:
    """Write a picture of the window at one moment (PNG), with the layout and the theme of a first start."""
    run = read_run(path)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = application()
    half = 0.5 * run.samples / run.rate
    nowhere = file.with_name(f".{file.name}.layout")  # never written: a picture does not depend on who makes it
    with _window(run, wanted, nowhere, half if wanted.at is None else wanted.at) as window:
        window.show()
        app.processEvents()
        window.draw_picture()
        app.processEvents()
        with output_files.whole("--picture", file) as new:
            if not window.grab().save(str(new), "PNG"):
                raise RigError(f"--picture {file}: cannot be written")
        at = window.moment() / run.rate
    return {"samples": run.samples, "rate_hz": run.rate, "at_s": at, "files": {"picture": file}}


def _close(window: ReplayWindow) -> None:
    window.close()


def _step(window: ReplayWindow, pacer: Pacer, listen: Callable[[], None]) -> None:
    began, used = clock.now(), time.thread_time()
    due = pacer.wait(began) == 0.0
    drawn = False
    if due:
        drawn = window.refresh()
    listen()
    if due:
        pacer.drawn(began, clock.now(), time.thread_time() - used, counts=drawn)
    if not window.work(WORK):
        time.sleep(min(LISTEN, pacer.wait(clock.now())))


@contextmanager
def _window(run: RunData, wanted: Wanted, settings: Path, at: float) -> Iterator[ReplayWindow]:
    """The window; the record is closed at the end, whatever was wrong with it."""
    what = recorded_subject(run)
    if wanted.channel is not None and wanted.channel not in {channel.name for channel in what.channels}:
        there = ", ".join(channel.name for channel in what.channels)
        raise ConfigError(f"--channel {wanted.channel}: not measured in this run; there are {there}")
    if not 0.0 <= at <= run.samples / run.rate and wanted.at is not None:
        raise ConfigError(f"--at {at:g}: the record lasts from 0 to {run.samples / run.rate:.3f} s")
    with closing(RecordSource(run, what.traces(what.force), what.measured_delay)) as source:
        window = ReplayWindow(what, source, settings, at, events(run), lost(run), doubt(run))
        _fit(window, wanted)
        yield window


def _fit(window: ReplayWindow, wanted: Wanted) -> None:
    if wanted.channel is not None:
        window.choose(wanted.channel)
    if wanted.motion:
        window.show_motion()
    if wanted.lowpass:
        window.toggle_lowpass()
    if wanted.theme is not None:
        window.apply_theme(THEMES[wanted.theme].name)
    if wanted.span is not None:
        window.overlay.show_span(wanted.span)
    if wanted.size is not None:
        window.resize(*wanted.size)
