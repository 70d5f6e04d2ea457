"""Where tasks are computed: workers of this computer, or those of a scheduler that somebody else has started."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rig.errors import ConfigError, RigError

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "local"
CONNECTING = 15.0  # s
LOGGED = 100  # of what its scheduler remembers of tasks that have ended
QUIET = {
    "logging.distributed": "critical",
    "distributed.worker.daemon": True,
    "distributed.comm.timeouts.connect": f"{CONNECTING:g}s",
    "distributed.worker.preload": ["rig.sweep.worker_start"],
    "distributed.admin.low-level-log-length": LOGGED,
    "distributed.diagnostics.computations.max-history": 1,
    "distributed.admin.log-length": LOGGED,
}
"""Settings of Dask for a campaign on this computer: it says by itself what goes on."""


@dataclass(frozen=True)
class Cluster:
    """A client, what its scheduler is called, and the threads of its workers."""

    client: Client
    address: str

    @property
    def threads(self) -> int:
        """Tasks that are computed at a time; 0 while no worker has come."""
        return sum(self.client.nthreads().values())


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def connected(scheduler: str | None, workers: int | None) -> Iterator[Cluster]:
    """Closed at the end, where it is this computer's own. Raises ConfigError for a scheduler that does not answer."""
    import dask
    from distributed import Client

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if scheduler is None:
        with dask.config.set(QUIET), _local(workers or cores()) as client:
            yield Cluster(client, LOCAL)
        return
    with dask.config.set({"distributed.comm.timeouts.connect": f"{CONNECTING:g}s"}):
        try:
            client = Client(scheduler, timeout=CONNECTING)
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            raise ConfigError(
                f"--scheduler {scheduler}: no scheduler of Dask answers there ({str(error) or type(error).__name__})"
            ) from None
    try:
        yield Cluster(client, scheduler)
    finally:
        client.close(timeout=2)


@contextlib.contextmanager
def _local(workers: int) -> Iterator[Client]:
    """Processes of one thread each; only who has their certificate, made for this campaign, is let in."""
    from distributed import Client, LocalCluster
    from distributed.security import Security

    try:
        cluster = LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, security=Security.temporary(),
            silence_logs=logging.CRITICAL, memory_limit=0,
        )  # fmt: skip
    except (OSError, RuntimeError, TimeoutError) as error:
        raise RigError(f"the workers of this computer could not be started ({error})") from None
    try:
        with Client(cluster) as client:
            yield client
    finally:
        cluster.close(timeout=5)
