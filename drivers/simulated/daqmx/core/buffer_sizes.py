"""Sizes of the host buffers of a task, and the memory that there is for them."""

from __future__ import annotations

import psutil

from drivers.simulated.daqmx.core.task import CONTINUOUS, Task

MEMORY = 2**32
"""Most memory (bytes) of one buffer or one read: a simulated device is not to take what the machine needs for others."""
LITTLE = 2**24
"""Memory (bytes) that there always is."""
SIZES = 2**32 - 1
"""Largest size that the properties of buffers can tell: they are of 32 bits."""


def need_memory(task: Task, samples: int, columns: int, size: int = 8) -> None:
    """Raise DaqmxError -50352 for more samples (of `size` bytes) than there is memory for, or than a buffer's size can tell."""
    wanted = samples * columns * size
    # How much is free is only asked where it may matter: it takes as long as a short read.
    if samples > SIZES or wanted > MEMORY or (wanted > LITTLE and wanted > psutil.virtual_memory().available // 2):
        raise task.fail(-50352)


def default_input_size(rate: float, samples: int) -> int:
    """Size of the buffer of a continuous acquisition: NI's table by sample rate, or `samples` where that is more."""
    for limit, size in ((100.0, 1_000), (10_000.0, 10_000), (1_000_000.0, 100_000)):
        if rate <= limit:
            return max(size, samples)
    return max(1_000_000, samples)


def input_size(task: Task) -> int:
    """Size of the buffer of a clocked acquisition: NI's default, unless it was configured, be it less than a finite task acquires.

    Raises DaqmxError -200608.
    """
    timing, size = task.timing, task.buffer_size
    if size is None:
        size = default_input_size(timing.rate, timing.samples) if timing.mode == CONTINUOUS else timing.samples
    if size < (timing.samples if task.referenced else 1):  # what is about a reference trigger is kept until it is complete
        raise task.fail(-200608)
    if size > SIZES:
        raise task.fail(-50352)
    return size
