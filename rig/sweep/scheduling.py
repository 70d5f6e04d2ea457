"""Tasks on a cluster: a bounded number at a time, in batches that take about a second, each kept when it comes back."""

from __future__ import annotations

import asyncio
import gc
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rig.errors import ConfigError, RigError
from rig.host import clock
from rig.sweep import child
from rig.sweep.cluster import Cluster
from rig.sweep.dataset import Result
from rig.sweep.design import Points
from rig.sweep.rows import Asked, Row, Work

if TYPE_CHECKING:
    from distributed import Future

BATCH = 1.0  # s that a batch takes, about
MOST = 500  # tasks in a batch
AHEAD = 2  # batches a thread: one computed, one that waits
WRITTEN = 10.0  # s between two writings of the data set
WAITING = 60.0  # s for the first worker to come


class Tasks:
    """The tasks of a campaign that are still to do, on a cluster."""

    def __init__(self, work: Work, points: Points, result: Result, cluster: Cluster) -> None:
        self._work, self._points, self._result, self._cluster = work, points, result, cluster
        self._waiting: deque[int] = deque(int(k) for k in result.to_do)
        self._alone: deque[int] = deque()
        self._flying: dict[Future, list[int]] = {}
        self._each = BATCH  # s a task: the first batches are one task each
        self.workers = 0

    def compute(self, tell: Callable[[int], None]) -> None:
        """Until all have ended; `tell` is told how many have. Raises RigError where scheduler, workers or disk are gone."""
        from distributed import as_completed
        from distributed.client import FutureCancelledError

        self._need_workers()
        written = clock.now()
        done = as_completed(self._submitted(), with_results=False, raise_errors=False)
        try:
            for future in done:
                self._take(future)
                tell(int((self._result.state != 0).sum()))
                if clock.now() - written > WRITTEN:
                    self._result.write()
                    gc.collect()  # batches that came back stand in circles with their futures
                    written = clock.now()
                for other in self._submitted():
                    done.add(other)
        except (FutureCancelledError, OSError, asyncio.CancelledError, TimeoutError) as error:
            raise self._gone() from error

    def _need_workers(self) -> None:
        try:
            self._cluster.client.wait_for_workers(1, timeout=WAITING)
        except (TimeoutError, OSError):
            raise RigError(f"{self._cluster.address}: no worker has come to this scheduler within {WAITING:g} s") from None
        self.workers = len(self._cluster.client.nthreads())

    def _gone(self) -> RigError:
        how = f"{len(self._result.to_do)} of {len(self._result.state)} tasks are left; the same command goes on with them"
        return RigError(f"{self._cluster.address}: the scheduler is gone; {how}")

    def _submitted(self) -> list[Future]:
        """Batches until enough are under way."""
        made = []
        if self._cluster.client.status not in ("running", "newly-created"):
            raise self._gone()
        most = AHEAD * max(self._cluster.threads, 1)
        while len(self._flying) < most and (batch := self._next()):
            future = self._cluster.client.submit(child.rows, self._work, self._asked(batch), pure=False, retries=0)
            self._flying[future] = batch
            made.append(future)
        return made

    def _next(self) -> list[int]:
        if self._alone:
            return [self._alone.popleft()]
        count = max(1, min(MOST, int(BATCH / max(self._each, 1e-6))))
        return [self._waiting.popleft() for _ in range(min(count, len(self._waiting)))]

    def _asked(self, batch: Sequence[int]) -> list[Asked]:
        if self._work.task == "function":
            return [(k, self._points.arguments(k)) for k in batch]
        return [(k, tuple(self._points.settings(k))) for k in batch]

    def _take(self, future: Future) -> None:
        """Keep what has come back. A batch whose worker has died too often is tried again task by task, then that task has failed."""
        from distributed import KilledWorker

        batch = self._flying.pop(future)
        if future.status == "finished":
            rows: list[Row] = future.result()
            self._result.add(rows)
            self._each = 0.7 * self._each + 0.3 * sum(row.wall_s for row in rows) / len(rows)
            return
        if future.status in ("cancelled", "lost"):
            raise self._gone()
        error = future.exception()
        if not isinstance(error, KilledWorker):
            raise error if isinstance(error, RigError) else RigError(f"{self._cluster.address}: a worker could not begin: {error}")
        if len(batch) > 1:
            self._alone.extend(batch)
        else:
            self._result.add([Row.failed(batch[0], f"its worker died, several times ({self._cluster.address})")])


def measured(work: Work, points: Points, tasks: Sequence[int]) -> Iterator[Row]:
    """Some tasks here and now, without a cluster."""
    try:
        for k in tasks:
            asked: Asked = (k, points.arguments(k) if work.task == "function" else tuple(points.settings(k)))
            yield from child.rows(work, [asked])
    finally:
        child.end()


def need_version(cluster: Cluster, version: str) -> None:
    """Raise ConfigError for a worker with another version of the program."""
    found = cluster.client.run(_version)
    if other := {address: one for address, one in found.items() if one != version}:
        address, one = next(iter(other.items()))
        raise ConfigError(f"{cluster.address}: worker {address} has clearance-rig {one}, expected {version}, as here")


def _version() -> str:
    from importlib.metadata import version

    return version("clearance-rig")
