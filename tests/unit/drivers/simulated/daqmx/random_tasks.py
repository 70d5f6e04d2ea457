"""Random calls on random tasks, right and wrong ones."""

from __future__ import annotations

from typing import Any

import grpc
import nidaqmx
import numpy as np
from nidaqmx.errors import DaqError, RpcError


class RandomTasks:
    """A seed's calls, of which a test says what they are; an error of NI's may come of each, an exception inside the server may not."""

    def __init__(self, bench: Any, seed: int) -> None:
        self.bench, self.random = bench, np.random.default_rng(seed)
        self.tasks: list[nidaqmx.Task] = []

    def pick(self, *choices: Any) -> Any:
        return choices[self.random.integers(len(choices))]

    def step(self) -> None:
        try:
            self.call()
        except (DaqError, RpcError, ValueError, IndexError) as error:
            # UNKNOWN without a status of NI's is an exception inside the server.
            assert not (isinstance(error, RpcError) and error.rpc_code is grpc.StatusCode.UNKNOWN), error

    def call(self) -> None:
        """One call, or a few that belong together."""
        raise NotImplementedError

    def close(self, task: nidaqmx.Task) -> None:
        self.tasks.remove(task)
        task.close()
