"""A test as the page shows it: looked at again and again by a thread, told from what was seen last. It asks, reads, and changes nothing."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from drivers.files.plain_values import Json, table
from rig.config.plan import Plan
from rig.errors import RigError
from rig.host import clock
from rig.monitor import history
from rig.monitor.live import Live
from rig.monitor.trend import Span, Trend
from rig.streaming.interruptions import RESUMED, STATE, Told, interruptions
from rig.supervision.run_status import BROKEN_OFF, Fields, folder_of, look

PICTURE = "overlay.png"
EVERY = 0.4  # s between two looks at a test that runs
EVERY_ENDED = 2.0
CLOSED_PARTS_EVERY = 10.0
SLOW = 2.0  # s without a new look, after which the page says so


class Observation:
    """Of one run."""

    def __init__(self, run: Path) -> None:
        """Raises ConfigError or RigError where there is nothing to be looked at."""
        self.folder = folder_of(run)
        self._lock, self._over = threading.Lock(), threading.Event()
        self._status = look(self.folder)
        self._looked = clock.now()
        self._trouble = ""
        self._trend, self._spans = Trend(), dict[str, Span]()
        self._part, self._parts_at, self._whole = 0, -CLOSED_PARTS_EVERY, False
        self._events: dict[Told, None] = {}  # that tell where the test did not go on, of all its sessions, in order
        self._live = self._open() if not self._status.get("ended") else None

    @property
    def status(self) -> Fields:
        """As `rig status --json` has it, of the last look."""
        with self._lock:
            return self._status

    @property
    def picture_file(self) -> Path:
        """The overlay of the whole test; there once it has ended."""
        return self.folder / PICTURE

    def start(self) -> None:
        """Look again and again, until `stop`."""
        threading.Thread(target=self._run, name="looking", daemon=True).start()

    def stop(self) -> None:
        """No further look."""
        self._over.set()

    def look(self) -> None:
        """Once; what goes wrong is shown, and the last look that did not stays."""
        try:
            status = look(self.folder)
            trouble = ""
        except (RigError, OSError, ValueError) as error:
            status, trouble = None, str(error)
        with self._lock:
            self._trouble = trouble
            if status is not None:
                self._status, self._looked = _kept(self._status, status), clock.now()
        self._remember()

    def view(self, channel: str) -> dict[str, Json]:
        """All that the page draws, with the course of one channel."""
        with self._lock:
            points = asdict(self._trend.points(channel))
            spans = {name: [*span] for name, span in self._spans.items()}
            stood = [{"begin": one.begin, "end": one.end, "words": one.words} for one in interruptions(self._events)]
            status, age, trouble = self._status, clock.now() - self._looked, self._trouble
        live = None
        if self._live is not None and not status.get("ended"):
            with contextlib.suppress(RigError, OSError, ValueError):
                live = self._live.picture(channel)
        ended = status.get("ended")
        course: Json = None
        if live is not None:
            curves: dict[str, Json] = {name: [*curve] for name, curve in live.curves.items()}
            course = {"times": [*live.times], "curves": curves}
        return {
            "status": status, "spans": spans, "age_s": round(age, 3), "slow": age > SLOW and "ended" not in status, "trouble": trouble,
            "channel": channel, "live": course, "interruptions": [*stood],
            "trend": {name: [*values] for name, values in points.items()},
            "picture": self.picture_file.stat().st_mtime if ended and self.picture_file.exists() else None,
        }  # fmt: skip

    def _run(self) -> None:
        self._remember()  # of a long test that has ended this takes seconds; the page is there before
        while not self._over.wait(EVERY_ENDED if "ended" in self.status else EVERY):
            self.look()

    def _note(self, events: Iterable[Told]) -> None:
        """Keep those that are new."""
        for event in events:
            if event.kind == RESUMED or (event.kind == STATE and event.time is not None):
                self._events.setdefault(event)

    def _open(self) -> Live | None:
        with contextlib.suppress(RigError):
            return Live(Plan.read(self.folder, "display"))
        return None

    def _remember(self) -> None:
        """What the channels went through since the last look, and in parts that were closed before the first one."""
        if self._status.get("ended"):
            if not self._whole:
                self._remember_whole()
            return
        if self._live is None:
            self._live = self._open()
        now, steps, events = clock.now(), list[history.Step](), list[Told]()
        if self._part == 0 and now - self._parts_at >= CLOSED_PARTS_EVERY:
            self._parts_at, events = now, history.told(self.folder)
            for number in history.new_parts(self.folder, 0):  # what comes later is seen live
                self._part = number
                steps += history.of_part(self.folder, number)
        at, spans = self._live.spans() if self._live is not None else (None, {})
        with self._lock:
            self._note([*events, *_told(self._status)])
            for time_s, of_step in steps:
                self._trend.add(time_s, of_step)
            if at is not None:
                self._trend.add(at, spans)
                self._spans = spans

    def _remember_whole(self) -> None:
        """Of a test that has ended: all of it, from its record; where there is none, what was seen live stays."""
        self._whole = self._status.get("ended") is not None
        steps = history.of_record(self.folder)
        if not steps:
            steps = [step for number in history.new_parts(self.folder, 0) for step in history.of_part(self.folder, number)]
        events = history.told(self.folder)
        with self._lock:
            self._note(events or _told(self._status))
            if steps:
                self._trend = Trend()
                for time_s, spans in steps:
                    self._trend.add(time_s, spans)
                self._spans = steps[-1][1]
        if self._live is not None:
            self._live.close()
            self._live = None


def _told(status: Fields) -> list[Told]:
    """The events of a status."""
    events = status.get("events")
    return [
        Told(time if isinstance(time := event["time_s"], float) else None, str(event["kind"]), str(event["text"]))
        for event in map(table, events if isinstance(events, list) else [])
    ]


def _kept(before: Fields, now: Fields) -> Fields:
    """A test that was broken off while it was looked at has its last values, where its files do not tell them."""
    if now.get("ended") != BROKEN_OFF:
        return now
    missing = {name: before.get(name) for name, value in now.items() if value in (None, {}, []) and before.get(name) is not None}
    return {**now, **missing}
