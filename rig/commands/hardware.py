"""A bench that can be reached, for commands that look at it without running a test."""

from __future__ import annotations

import contextlib
import queue
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rig.children import Child, Mail, not_listening, virtual_bench_command
from rig.config import Setup
from rig.plan import Plan

LISTEN_PATIENCE = 30.0  # s for the virtual bench to listen
END_PATIENCE = 2.0  # s for it to end by itself


@contextlib.contextmanager
def reachable(setup: Setup) -> Iterator[Plan]:
    """The setup as a plan whose bench can be connected to; simulated hardware runs for as long as this lasts.

    Raises what `rig.children.not_listening` gives when the simulated hardware does not come up.
    """
    with tempfile.TemporaryDirectory(prefix="rig-check-") as folder:
        plan = Plan("check", Path(folder), Path(folder), setup.experiment, setup.bench, setup.experiment_text, setup.bench_text)
        if setup.bench.plant is None or setup.bench.address is not None:
            yield plan
            return
        plan.write()
        log = plan.run_dir / "virtual_bench.log"
        mail: Mail = queue.SimpleQueue()
        child = Child("virtual_bench", virtual_bench_command(plan.run_dir), log, mail)
        try:
            yield replace(plan, bench=replace(setup.bench, address=_listening(child, mail, log)))
        finally:
            child.end(END_PATIENCE)


def _listening(child: Child, mail: Mail, log: Path) -> str:
    deadline = time.monotonic() + LISTEN_PATIENCE
    while (left := deadline - time.monotonic()) > 0.0:
        try:
            _, message = mail.get(timeout=min(left, 0.1))
        except queue.Empty:
            continue
        if message["message"] == "line" and message["text"].startswith("listening "):
            return str(message["text"].removeprefix("listening ").strip())
        if message["message"] == "end of output":
            break
    child.end(END_PATIENCE)
    raise not_listening(child, log)
