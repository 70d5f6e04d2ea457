"""The processes of a run: one row each, in the order in which they start."""

from __future__ import annotations

from dataclasses import dataclass, replace

from drivers.serial.allowance import CONNECTING


@dataclass(frozen=True)
class Process:
    """One row: what it is for, when it runs, how its death ends the test."""

    name: str
    when: str  # "virtual": the bench file describes a plant and gives no address; "window": not headless; "estimate": asked for; "always"
    on_death: str  # "end": everything ends, exit 3; "stop": ramped stop, exit 3; "ask": predictor.on_death; "go on"
    nice: int = 0  # priority, where the system grants it: what feeds the output comes before what looks at it
    real_time: int = 0  # real-time priority (Linux), where granted, from when it is ready: so it must sleep most of the time
    setup: float = 60.0  # s from its start until it is ready, at most
    silent: float = 5.0  # s without a sign of life once it is ready: taken for dead
    closing: float = 20.0  # s for its end, once there is nothing more to do
    linger: float = 0.0  # s that it is left running when the test ends by a death, to be able to tell what it saw


VIRTUAL_BENCH = "virtual_bench"
SUPERVISOR = "supervisor"
SUPERVISOR_SILENT = 5.0
"""s without a sign of life of the supervisor after which the bench worker brings the test to its end by itself."""
SETUP_SILENT = 30.0
"""s without a sign of life before a process is ready: while Python starts and loads, on a busy computer, nobody gives one."""
PROCESSES = (
    Process(VIRTUAL_BENCH, "virtual", "end", nice=-15, real_time=2, linger=0.5),
    Process("recorder", "always", "stop", nice=-5, closing=60.0),  # a slow disk: what is not written by then is lost
    Process("predictor", "always", "ask", nice=-5, setup=180.0),  # where nothing was compiled ahead it compiles its model first
    Process("bench", "always", "end", nice=-10, real_time=1),
    Process("estimator", "estimate", "go on", nice=5),  # limits that wait for it tell that they do
    # It moves nothing, and where the cores are taken its first picture has its time.
    Process("display", "window", "go on", silent=20.0),
)
LAST_READER = "recorder"
"""Drains every stream before it ends, and tidies up where the supervisor cannot."""
WORKERS = tuple(process.name for process in PROCESSES if process.name != VIRTUAL_BENCH)
OPENING = 2.0 * CONNECTING
"""s that a device on a line of its own may take to be reached and to say what it is."""
ROWS = (*WORKERS, SUPERVISOR)
"""Of the board."""


def row(name: str, lines: int) -> Process:
    """The row of a process in a run whose bench has so many devices on `lines` of their own, opened one after the other by the bench
    worker."""
    process = next(process for process in PROCESSES if process.name == name)
    return replace(process, setup=process.setup + OPENING * lines) if name == "bench" else process
