"""The bench worker with everything around it made of parts that only note what they are told: its states, step by step."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rig import config
from rig.config.plan import Plan
from rig.workers.bench import before_test, worker
from rig.workers.bench.finding import Finding
from rig.workers.bench.worker import Bench

EXPERIMENT = Path(__file__).parents[5] / "configs/experiments/playback.toml"


@functools.cache
def plan() -> Plan:
    setup = config.load(EXPERIMENT, ["bench.pace=lockstep"])
    return Plan("0001", Path(), Path(), setup.experiment, setup.bench, "", "")


def finding(action: str, text: str = "force 9 kN above 8 kN", sample: int = 7) -> Finding:
    return Finding(sample, "limit", text, action)


class Noted:
    """`order` is what was told; each part answers from its attributes here, which a test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.order: list[Any] = []
        self.events: list[tuple[int | None, str, str]] = []
        self.asked = self.abandoned = False
        self.findings: list[Any] = []
        self.reading_findings: list[Any] = []
        self.left: Any = None
        self.fault: str | None = None
        self.told: list[tuple[str, bool]] = []
        self.session: Any = None
        self.rests = True
        links: Any = SimpleNamespace(
            event=lambda sample, kind, text, **data: self.events.append((sample, kind, text)), beat=lambda: self.does("beat"),
            request=lambda verb: self.does(f"asks {verb}"),
            asked=lambda: self.asked, signs_of_life=self._signs, gone=lambda name: False,
            reached=lambda name: self.reached.get(name, 2**62), abandoned=False,
        )  # fmt: skip
        self.links, self.reached = links, dict[str, int]()
        self.actuation = self._part("actuation", "enable", "trip", "release", ends_loaded=False, no_hold="")
        self.actuation.session = lambda ring, block, note: self.session
        self.actuation.prepare = lambda feedback, prepared: self.does("prepare") or 0.0
        self.actuation.rests = lambda: self.rests
        self.actuation.take_feedback, self.actuation.cause = (lambda: None), (lambda: "")
        self.daq = self._part("daq", "start_watchdog", "reset_watchdog", underflows=0)
        self.course = self._part(
            "course", "begin", "stop", "abort", "lower", "begin_unloading", "command", n=0, cycle=0.0, phase=0.0, end=10, over=False,
            ending=False, lowered=False, running="", unloading=False, unloaded=False, last=None,
        )  # fmt: skip
        self.course.refill = lambda times, more: self.does("refill")
        self.course.passed = lambda command, measured: self.does("passed")
        self.course.learn = lambda command, measured, limit: []
        self.course.unload = lambda *pair: self.does("unload")
        self.course.begun_blocks, self.course.out_of_reach = list, (lambda: "")
        self.course.awaited = lambda behind: 1000 - 100 * behind
        attending = self._part("attending", "keep")
        attending.attend = lambda more=False: self.does("attend") or self.fault
        watching = SimpleNamespace(
            test=lambda n, command, measured, state: self.findings, calculated=np.zeros((10, 0)),
            instruments=lambda read: self.reading_findings, stop=lambda n, command, measured: self.left,
            before=lambda n, measured: self.findings, force_and_stroke=lambda block: (np.zeros(1), np.zeros(1)),
        )  # fmt: skip
        self.course.output_figures, self.course.control_figures, self.course.pacing_figures = dict, dict, (lambda: None)
        self.paced: list[Any] = []
        self.course.place, watching.memory, watching.recall = (lambda: None), dict, (lambda memory: None)
        watching.learned, watching.learn_anew = list, (lambda numbers, sample: self.does(f"learn anew {numbers} from {sample}"))
        self.course.pace, self.course.repeated = (lambda command, measured, running: self.paced), 0
        instruments = self._part("instruments", "start")
        instruments.figures = dict
        instruments.take, instruments.take_notes = (lambda times, n: np.zeros((0, 1))), (lambda: self.told)
        equipment = SimpleNamespace(
            actuation=self.actuation, daq=self.daq, attending=attending, watching=watching, instruments=instruments, feedback={},
            grid=SimpleNamespace(rate=1000.0, block=10), reading=SimpleNamespace(next=lambda: np.zeros((10, 1)), left=0, times=None),
            rings=SimpleNamespace(preparation=None, append=lambda *blocks: self.does("record")), read=lambda behind: np.zeros((10, 1)),
            close=lambda safe: self.does(f"closed, {'safe' if safe else 'not safe'}") or [], clocks=dict,
        )  # fmt: skip
        monkeypatch.setattr(before_test, "TestRun", lambda *given: self.course)
        monkeypatch.setattr(worker, "Equipment", lambda plan, alive, gone: equipment)
        self.bench = Bench(plan(), links)

    def does(self, what: str) -> None:
        self.order.append(what)

    @contextlib.contextmanager
    def _signs(self) -> Iterator[None]:
        self.does("signs of life")
        yield
        self.does("signs end")

    def _part(self, name: str, *methods: str, **values: Any) -> Any:
        part = SimpleNamespace(**values)
        for method in methods:
            setattr(part, method, lambda *given, method=method: self.does(f"{name} {method}"))
        return part

    def run(self) -> Bench:
        """Started, one block read: running; `order` is empty."""
        self.bench.command("start", {})
        self.bench.step()
        assert self.bench.course.state == "running"
        self.order.clear()
        self.events.clear()
        return self.bench

    def said(self, kind: str) -> list[str]:
        return [text for _, one, text in self.events if one == kind]
