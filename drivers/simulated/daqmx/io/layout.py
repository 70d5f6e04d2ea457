"""How samples lie in the arrays of the client: row after row by channel, or scan after scan."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.task import Scalar, Task
from drivers.simulated.daqmx.core.values import Fields, as_int

GROUP_BY_CHANNEL = 0


def laid_out(data: NDArray[Scalar], count: int, fill_mode: int, room: int, task: Task) -> NDArray[Scalar]:
    """(channels, samples, ...) as the client's array has it: row after row by channel, or scan after scan; zeros behind a short read."""
    if data.shape[0] * data.shape[1] > room:
        raise task.fail(-200229)
    if fill_mode != GROUP_BY_CHANNEL:
        return np.swapaxes(data, 0, 1)
    if data.shape[1] < count:  # the driver lays short rows one behind the other (ni/nidaqmx-python, issue 528)
        short, whole = data, np.zeros((data.shape[0], count, *data.shape[2:]), data.dtype)
        whole.reshape(-1, *data.shape[2:])[: short.shape[0] * short.shape[1]] = short.reshape(-1, *data.shape[2:])
        return whole
    return data


def as_sent(task: Task, data: NDArray[np.float64] | NDArray[np.int64], fields: Fields) -> list[float]:
    """Numbers (channels, samples) as the list that answers a read."""
    count = max(as_int(fields["num_samps_per_chan"]), data.shape[1])
    fill = as_int(fields.get("fill_mode", fields.get("interleaved", GROUP_BY_CHANNEL)))
    out: list[float] = laid_out(data, count, fill, as_int(fields["array_size_in_samps"]), task).ravel().tolist()
    return out


def scans(task: Task, values: NDArray[Scalar], fields: Fields, width: int = 1) -> NDArray[Scalar]:
    """Values as sent, as (samples, channels[, lines])."""
    count, channels = as_int(fields["num_samps_per_chan"]), len(task.channels)
    task.need_channels()
    if count < 0 or values.size != count * channels * width:
        raise task.fail(-200524, 0)
    by_channel = fields["data_layout"] == GROUP_BY_CHANNEL
    tail = (width,) if width > 1 else ()
    shaped = values.reshape((channels, count, *tail) if by_channel else (count, channels, *tail))
    return np.swapaxes(shaped, 0, 1) if by_channel else shaped
