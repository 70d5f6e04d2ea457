"""How samples lie in the arrays of the client: row after row by channel, or scan after scan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from drivers.simulated.daqmx.core.task import Task

Fields = Mapping[str, Any]
GROUP_BY_CHANNEL = 0


def laid_out(data: NDArray[Any], count: int, fill_mode: int, room: int, task: Task) -> NDArray[Any]:
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


def as_sent(task: Task, data: NDArray[Any], fields: Fields) -> list[Any]:
    """Numbers (channels, samples) as the list that answers a read."""
    count = max(fields["num_samps_per_chan"], data.shape[1])
    fill = fields.get("fill_mode", fields.get("interleaved", GROUP_BY_CHANNEL))
    out: list[Any] = laid_out(data, count, fill, fields["array_size_in_samps"], task).ravel().tolist()
    return out


def scans(task: Task, values: NDArray[Any], fields: Fields, width: int = 1) -> NDArray[Any]:
    """Values as sent, as (samples, channels[, lines])."""
    count, channels = fields["num_samps_per_chan"], len(task.channels)
    task.need_channels()
    if count < 0 or values.size != count * channels * width:
        raise task.fail(-200524, 0)
    by_channel = fields["data_layout"] == GROUP_BY_CHANNEL
    tail = (width,) if width > 1 else ()
    shaped = values.reshape((channels, count, *tail) if by_channel else (count, channels, *tail))
    return np.swapaxes(shaped, 0, 1) if by_channel else shaped
