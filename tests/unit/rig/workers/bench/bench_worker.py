"""The bench worker in the test's own process, against a virtual bench in the same: quick enough for one test a fault.

Nobody reads along, so nobody is waited for. What the device side saw is in the virtual bench's own log.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rig import config
from rig.config.bench import Bench as Config
from rig.config.plan import Plan
from rig.config.virtual_ports import resolved
from rig.virtual.virtual_bench import Hardware, VirtualBench
from rig.workers.bench.worker import Bench

CONFIGS = Path(__file__).parents[5] / "configs/experiments"
QUICK = {
    "four_bar_rig": ("trajectory.speed=120 rpm", "trajectory.cycles=3", "trajectory.soft_start=0.3 s", "trajectory.soft_stop=0.3 s",
                     "acquisition.rate=10 kHz", "command.stop_ramp=0.4 s"),
    "slider_crank_rig": ("trajectory.speed=120 rpm", "trajectory.cycles=3", "trajectory.soft_start=0.3 s", "trajectory.soft_stop=0.3 s",
                         "acquisition.rate=10 kHz", "command.stop_ramp=0.4 s"),
    "slider_bar_rig": ("trajectory.cycles=1", "trajectory.soft_start=0.3 s", "trajectory.soft_stop=0.3 s", "acquisition.rate=2 kHz",
                       "command.stop_ramp=0.4 s"),
    "linkage_instron": ("trajectory.cycles=6", "acquisition.rate=10 kHz", "command.ahead=50 ms", "command.stop_ramp=0.3 s"),
    "playback": ("bench.loader.preparation.enabled=false",),
    "parallel_3rrpar_rig": ("trajectory.cycles=1", "acquisition.rate=10 kHz", "command.stop_ramp=0.4 s"),
}  # fmt: skip
STEPS = 20_000


@dataclass
class Heard:
    """What the worker says; stands for the supervisor and for the readers of its streams."""

    events: list[dict[str, Any]] = field(default_factory=list)
    beats: int = 0
    patience: float = math.inf  # beats after which somebody wants something
    abandoned: bool = False
    asked_for: list[str] = field(default_factory=list)

    def request(self, verb: str, **data: Any) -> None:
        self.asked_for.append(verb)

    def answer(self, asked: int | None, refused: str = "") -> None:
        """To whoever asked for it: nobody does here."""

    def event(self, sample: int | None, kind: str, text: str, **data: Any) -> None:
        self.events.append({"sample": sample, "kind": kind, "text": text})

    def gone(self, name: str) -> bool:
        return False

    def reached(self, name: str) -> int:
        return 2**62

    def beat(self) -> None:
        self.beats += 1

    def asked(self) -> bool:
        return self.beats > self.patience

    def signs_of_life(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def of(self, kind: str) -> list[str]:
        return [event["text"] for event in self.events if event["kind"] == kind]


class Rig:
    """One rig with its worker. `hardware` is the virtual bench; `log` what its devices noted, after `run`."""

    def __init__(self, name: str, folder: Path, *overrides: str, change: Callable[[Config], Config] = lambda bench: bench) -> None:
        setup = config.load(CONFIGS / f"{name}.toml", ["bench.pace=lockstep", *QUICK[name], *overrides])
        bench = change(setup.bench)
        self._out = io.StringIO()
        self.hardware = VirtualBench(Hardware.from_bench(bench), 0, self._out)
        self._ended = threading.Event()
        self._served = threading.Thread(target=self.hardware.run, args=(self._ended, threading.Event()))
        self._served.start()
        ports = {name: side.url for name, side in self.hardware.serial.items()}
        self._experiment, self._bench = setup.experiment, resolved(replace(bench, address=self.hardware.address), ports)
        self.again(folder)

    def again(self, folder: Path) -> None:
        """Another worker, as for another test on the same hardware."""
        (folder / "rings").mkdir(parents=True)
        self.heard = Heard()
        self.worker = Bench(Plan("0001", folder, folder / "rings", self._experiment, self._bench, "", ""), self.heard)  # type: ignore[arg-type]

    def run(self, meanwhile: Callable[[Rig], None] = lambda rig: None) -> dict[str, Any]:
        """A test to its end; `meanwhile` is called before each step. Returns the worker's figures."""
        try:
            self.worker.setup()
            self.worker.command("start", {})
            for _ in range(STEPS):
                if self.worker.done:
                    break
                meanwhile(self)
                self.step()
            assert self.worker.done, "it does not come to an end"
        finally:
            figures = self.worker.close()
        return figures

    def ends(self, outcome: str, words: str, meanwhile: Callable[[Rig], None] = lambda rig: None) -> dict[str, Any]:
        """As `run`; it has to end so, with a reason in which the words are found."""
        figures = self.run(meanwhile)
        assert figures["outcome"] == outcome, figures
        assert re.search(words, figures["reason"]), figures["reason"]
        return figures

    def step(self) -> None:
        """One of the worker; a test that it has prepared may begin."""
        self.worker.step()
        if self.heard.asked_for == ["begin"]:
            self.heard.asked_for.clear()
            self.worker.command("begin", {})

    @property
    def time(self) -> float:
        """Of the test, s; below 0 before it."""
        report = self.worker.report()
        return -1.0 if report["sample"] is None else report["sample"] / report["rate"]

    @property
    def log(self) -> list[dict[str, Any]]:
        """Lines of the device side so far."""
        self.hardware._write_log()
        return [json.loads(line) for line in self._out.getvalue().splitlines()]

    def said(self, source: str) -> list[str]:
        """What one device noted."""
        return [line["text"] for line in self.log if line["source"] == source]

    def lines(self, prefix: str) -> list[bool]:
        """State of the enable inputs of the drives whose names begin so, a few milliseconds from now."""
        with self.hardware.engine.lock:
            self.hardware.engine.advance(self.hardware.engine.time + 5e-3)
        drives = [drive for side in self.hardware.serial.values() for drive in side.device.drives]
        return [drive.enable_input for drive in drives if drive.name.startswith(prefix)]

    def close(self) -> None:
        self._ended.set()
        self._served.join(10.0)


@contextlib.contextmanager
def rig(name: str, folder: Path, *overrides: str, change: Callable[[Config], Config] = lambda bench: bench) -> Iterator[Rig]:
    """One rig, closed at the end. `change`: of what its bench file says, where no override can."""
    made = Rig(name, folder, *overrides, change=change)
    try:
        yield made
    finally:
        made.close()


def once(when: Callable[[Rig], bool], what: Callable[[Rig], None]) -> Callable[[Rig], None]:
    """`what` when `when` becomes true, once."""
    done: list[bool] = []

    def look(rig: Rig) -> None:
        if not done and when(rig):
            done.append(True)
            what(rig)

    return look
