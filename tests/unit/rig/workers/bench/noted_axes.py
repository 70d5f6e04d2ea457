"""The axes of a motor rig with drives that note what they are told, on a mechanism whose drives are easy to reckon with."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

from drivers.axes.axis import Feedback
from drivers.axes.settings import SerialAxisSettings
from rig.config.bench import Axis
from rig.workers.bench.actuation.axes import AxesActuation

RATE, BLOCK = 1000.0, 0.01  # Hz, s
DRIVES = (("first", "rad"), ("second", "rad"), ("third", "N"))


@dataclass
class Mechanism:
    """Its drives go with the course s as s, 0.5 - 2 s and s^2."""

    setpoint_channels = DRIVES

    def setpoints(self, s: np.ndarray, path: None) -> tuple[np.ndarray, np.ndarray]:
        one = np.ones(len(s))
        return np.stack([s, 0.5 - 2.0 * s, s * s], axis=1), np.stack([one, -2.0 * one, 2.0 * s], axis=1)


@dataclass
class Drive(SerialAxisSettings):
    """Stands where it was told to, `off` rad from there; `speed` (rad/s) goes down by one with each look after its quick stop."""

    enable_line: str | None = None
    port: str = "COM1"
    off: float = 0.0
    speed: float = 0.0
    smoothing: float = 0.0
    fails: Exception | None = None
    stopped_by: str = ""
    stops_within: float = 0.5
    name: str = ""
    guard: Any = None
    at: float = 0.0
    calls: list[str] = field(default_factory=list)
    commands: list[tuple[float, ...]] = field(default_factory=list)
    limits: list[Any] = field(default_factory=list)

    def create(self, name: str, guard: Any) -> Drive:  # type: ignore[override]
        self.name, self.guard = name, guard
        return self

    @property
    def output_lines(self) -> dict[str, str]:
        return {} if self.enable_line is None else {f"{self.name}_enable": self.enable_line}

    @property
    def line(self) -> Any:
        return SimpleNamespace(settings=SimpleNamespace(port=self.port), limit=self.limits.append)

    def connect(self) -> None:
        self.calls.append("connect")

    def identity(self) -> str:
        return f"drive on {self.port}"

    def prepare(self, mode: str, rate: float) -> None:
        self.calls.append(f"prepare {mode} {rate:g}")

    def wait_by(self, clock: Any) -> None: ...

    def enable(self) -> None:
        self.calls.append("enable")

    def move_to(self, position: float) -> None:
        self.calls.append("move")
        self.at = position

    def arrived(self) -> bool:
        return True

    def command(self, *values: float) -> None:
        self.commands.append(values)
        if self.fails is not None:
            raise self.fails
        if len(values) > 1:
            self.at = values[0]

    def feedback(self) -> Feedback:
        self.calls.append("feedback")
        if "quick stop" in self.calls:
            self.speed = max(0.0, self.speed - 1.0)
        return Feedback(self.at + self.off, self.speed, None)

    def quick_stop(self) -> None:
        self.calls.append("quick stop")

    def close(self) -> list[str]:
        self.calls.append("close")
        return []


@dataclass
class Daq:
    """Notes volts and lines; `ok` is what its input lines say."""

    lines: tuple[str, ...] = ()
    ok: bool = True
    done: list[Any] = field(default_factory=list)

    @property
    def wiring(self) -> Any:
        return SimpleNamespace(output_lines=dict.fromkeys(self.lines, ""))

    def reset_watchdog(self) -> None: ...

    def start_inputs(self) -> None: ...

    def stop_inputs(self) -> None: ...

    def write_lines(self, states: dict[str, bool]) -> None:
        self.done.append(dict(states))

    def read_lines(self) -> dict[str, bool]:
        return {f"{name}_ok": self.ok for name, _ in DRIVES}

    def abort_output(self) -> None:
        self.done.append("abort")

    def set_output(self, volts: Any) -> None:
        self.done.append(volts)


def made(*axes: Axis, pace: str = "lockstep", watchdog: float | None = 0.25, daq: Daq | None = None) -> AxesActuation:
    """Opened, at 1000 Hz in blocks of 10 ms."""
    bench = SimpleNamespace(pace=pace, daq=SimpleNamespace(watchdog=watchdog), axes=axes, line_rate=lambda axis: 2.0 * axis.rate)
    acquisition = SimpleNamespace(block=BLOCK)
    experiment = SimpleNamespace(mechanism=Mechanism(), trajectory=Mechanism(), acquisition=acquisition)
    plan: Any = SimpleNamespace(bench=bench, experiment=experiment, first_sample=0)
    own = AxesActuation(plan, daq or Daq(), lambda: None)
    own.open(RATE)
    return own


def powered(own: AxesActuation) -> AxesActuation:
    """With threads that stand where the test begins."""
    session: Any = own.session(None, round(BLOCK * RATE), lambda text: None)
    session.begin()
    for block in range(1, 1000):
        for axis in own._serial.values():
            axis.tick(round(BLOCK * RATE) * block)
        if all(axis.ready or axis.failed for axis in own._serial.values()):
            break
    return own


def course(own: AxesActuation, s: np.ndarray) -> np.ndarray:
    """A block of the command as it goes out: s, phase and cycle, and the drives."""
    return own.append_axis_columns(np.column_stack([s, np.full(len(s), 70.0), np.full(len(s), 80.0)]))
