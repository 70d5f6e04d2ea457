"""How long a virtual bench is waited for: as long as it works, on a machine however busy, and a bounded time once it does nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from rig.errors import ConfigError, RigError, WorkerDied
from rig.host import clock as host_clock
from rig.supervision.worker_process import WorkerProcess

IDLE = 30.0  # s in which it uses no processor time, at the most
LONGEST = 300.0  # s in all: what works for ever comes up never
LOOK_EVERY = 1.0  # s
WORKS = 1e-3  # s of processor time between two looks that tell work from waiting


class ComingUp:
    """The wait for `child` to listen at its address and at its serial `lines`."""

    def __init__(self, child: WorkerProcess, lines: Collection[str], clock: Callable[[], float] = host_clock.now) -> None:
        self._child, self._lines, self._clock = child, set(lines), clock
        self._begun = self._worked = self._looked = clock()
        self._used = 0.0

    @property
    def address(self) -> str | None:
        """Where it listens; None as long as it does not."""
        listening = self._child.report.get("listening")
        return str(listening) if listening and self._lines <= set(self._child.ports) else None

    def goes_on(self) -> bool:
        """Whether it may still come up."""
        now = self._clock()
        if now - self._looked >= LOOK_EVERY:
            self._looked = now
            self._child.measure()
            if (used := float(self._child.usage["cpu_s"])) > self._used + WORKS:
                self._used, self._worked = used, now
        return not self._child.silent and now - self._worked < IDLE and now - self._begun < LONGEST

    def failed(self, log: Path) -> RigError:
        """Why it did not come up: ConfigError where its description cannot be built, else WorkerDied. To be asked when it has ended."""
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        if self._child.exit == ConfigError.exit_code and said:
            return ConfigError(said[-1])
        return WorkerDied(f"the virtual bench did not come up: {said[-1] if said else self._story()} ({log})")

    def _story(self) -> str:
        waited, used = self._clock() - self._begun, float(self._child.usage["cpu_s"])
        at = f"waited {waited:.0f} s, in which it computed for {used:.1f} s"
        if self._child.silent:
            return f"it ended by itself without a word (exit {self._child.exit}) after {waited:.0f} s"
        if waited >= LONGEST:
            return f"{at} and still was at it; end other programs on this computer, or run `rig warmup` once before"
        missing = "its serial lines" if self._child.report.get("listening") else "its devices"
        return f"{at}, the last time {self._clock() - self._worked:.0f} s ago, and {missing} did not come; start the test again"
