"""An Instron driver without a port: what it writes is noted burst by burst, what it asks is answered from a table."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from drivers.errors import NoReply
from drivers.loaders.instron import Config

WELL = {
    "Q22": "7680", "Q23": "1", "Q1": "0", "Q200": "0", "Q210": "0", "Q300": "2", "Q308,1": "0.05", "Q308,2": "100000",
    "Q307,1": "1,0", "Q307,2": "2,0", "Q134,1,0": "0.1", "Q134,2,0": "0.2",
}  # fmt: skip
"""Answers of a controller that is ready, in force mode and at rest; after the tables of `drivers.protocols.instron_ascii`."""
BEFORE, BEHIND = ["P909,1", "C904,0"], ["P909,0"]
"""What stands around the commands of each burst: computer control, its watchdog off; control back to the panel."""

Answer = str | None | Sequence[str] | Callable[[], str]


class Scripted:
    """`answers`: question -> one answer for ever, several of which the last stays, what a call returns, or None: no reply."""

    def __init__(self, mode: str = "force", **settings: Any) -> None:
        given = {"pause": 0.0, "settle": 0.0, "chunk": 1.0} | settings
        self.loader = Config("COM1", **given).create(mode)
        self.answers: dict[str, Answer] = dict(WELL)
        self.bursts: list[list[str]] = []
        self.asked: list[str] = []
        self.closed = 0
        line: Any = self.loader.line
        line.open, line.exchange, line.send, line.close = lambda: None, self._exchange, self._send, self._close
        line.within = lambda allowance: contextlib.nullcontext()

    def _exchange(self, request: bytes, parse: Callable[[bytes], Any]) -> Any:
        question = request.decode().removesuffix("\r\n")
        self.asked.append(question)
        answer = self.answers[question]
        if callable(answer):
            answer = answer()
        elif isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if answer is None:
            raise NoReply("no reply")
        return parse(f"{answer}\r\n".encode())

    def _send(self, burst: bytes) -> None:
        lines = burst.decode().split("\r\n")
        assert lines[:2] == BEFORE and lines[-2:] == [*BEHIND, ""]
        self.bursts.append(lines[2:-2])
        for line in lines[2:-2]:  # what is kept is read back
            name, _, value = line.rpartition(",")
            question = "Q" + name[1:]
            if name and question not in WELL:
                self.answers[question] = value

    def _close(self) -> list[str]:
        self.closed += 1
        return ["closing: gone"]
