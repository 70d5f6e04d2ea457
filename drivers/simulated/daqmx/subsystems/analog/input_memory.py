"""Memory on board of analogue inputs: while the host buffer is full, what is sampled stays there until a read has made room.

Programs that read a whole buffer at a time live on it (juliancabaleiro/nidaqmx-python-examples: 10 kS/s, buffer and reads of 10000): the
thread that reads wakes up a little after the last sample. In lockstep nobody is late, and the buffer is all there is.
"""

from __future__ import annotations

from collections import Counter

from drivers.simulated.daqmx.core.bench import Bench
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.products.product import C_SERIES_MODULE, X_SERIES

SAMPLES = {X_SERIES: 2047, C_SERIES_MODULE: 127}
"""Samples by category of device, shared by the channels: "NI 6363 Specifications", Input FIFO size; cDAQ-9178, for each slot."""

LATE = 0.05
"""For how long (s) at most: whoever reads later than that has not kept up, be the memory on board as large as it is."""


def per_channel(bench: Bench, task: Task) -> int:
    """Samples per channel of a task of analogue inputs that stay on board while the host buffer is full; 0 where no figure is known."""
    if bench.clock.lockstep:
        return 0
    counts = Counter(channel.device for channel in task.channels)
    onboard = min(SAMPLES.get(bench.devices[device].category, 0) // count for device, count in counts.items())
    return min(onboard, int(LATE * task.timing.rate))
