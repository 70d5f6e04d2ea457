"""What the tests of the simulated DAQmx devices share: errors, channels, the sample code, waves, pulses, time, events that are heard."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import grpc
import numpy as np
import pytest
from nidaqmx import Task
from nidaqmx import constants as c
from nidaqmx.errors import DaqError, DaqReadError, RpcError
from numpy.typing import ArrayLike, NDArray

LSB = 20 / 65536
"""V; of +-10 V in 16 bits."""
OUT0 = "/Dev1/Ctr0InternalOutput"
COUNTER_DEVICES = (
    ("Dev1", "PCIe-6363"), ("Dev2", "PCIe-6363"), ("cDAQ1", "cDAQ-9189"), ("cDAQ1Mod1", "NI 9361"), ("cDAQ1Mod2", "NI 9401"),
    ("PXI1Slot2", "PXIe-4331"),
)  # fmt: skip
"""Cards without a cable between them, modules that have counters, or none."""
CHASSIS_DEVICES = (
    ("PXI1Slot2", "PXIe-6363"), ("PXI1Slot3", "PXIe-4331"), ("PXI1Slot4", "PXIe-4466"), ("PXI1Slot5", "PXIe-4480"),
    ("PXI1Slot6", "PXI-4462"), ("Dev1", "PCIe-6363"),
)  # fmt: skip
"""A chassis with dynamic signal modules, beside a card in the computer."""
ADD: dict[str, Callable[[Task], Any]] = {
    "ai": lambda task: task.ai_channels.add_ai_voltage_chan("Dev1/ai0"),
    "ao": lambda task: task.ao_channels.add_ao_voltage_chan("Dev1/ao0"),
    "di": lambda task: task.di_channels.add_di_chan("Dev1/port0/line0"),
    "do": lambda task: task.do_channels.add_do_chan("Dev1/port0/line1"),
}
"""A channel of a kind that has a sample clock."""
PATIENCE = 20.0
"""s; by the clock on the wall, generous, the machines are shared."""


def error_of(call: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[int, str]:
    """NI's code and text of a call that has to fail."""
    with pytest.raises(DaqError) as caught:
        call(*args, **kwargs)
    return caught.value.error_code, str(caught.value)


def code_of(call: Callable[..., Any], *args: Any, **kwargs: Any) -> int:
    """NI's code of a call that has to fail."""
    return error_of(call, *args, **kwargs)[0]


def code_of_read(read: Callable[..., Any], *args: Any, **kwargs: Any) -> int:
    """NI's code of a read that has to fail, and has to say how many samples it took."""
    with pytest.raises(DaqReadError) as caught:
        read(*args, **kwargs)
    return caught.value.error_code


def verified(task: Task) -> int:
    """NI's code for what is configured; 0: so it can be."""
    try:
        task.control(c.TaskMode.TASK_VERIFY)
    except DaqError as error:
        return error.error_code
    return 0


def not_served(call: Callable[..., Any], *args: Any) -> bool:
    """Whether a call that has to fail answers UNIMPLEMENTED."""
    with pytest.raises(RpcError) as caught:
        call(*args)
    return caught.value.rpc_code is grpc.StatusCode.UNIMPLEMENTED


def volts_in(task: Task, rate: float = 10_000.0, samples: int = 1000, where: str = "Dev1/ai0", **timing: Any) -> None:
    """An input task of +-10 V."""
    task.ai_channels.add_ai_voltage_chan(where, min_val=-10.0, max_val=10.0)
    task.timing.cfg_samp_clk_timing(rate, samps_per_chan=samples, **timing)


def codes(task: Task, rate: float = 10_000.0, samples: int = 100, **timing: Any) -> None:
    """An input task that sees the index of its samples, where ai1 is wired to the sample code."""
    volts_in(task, rate, samples, "Dev1/ai1", **timing)


def decoded(values: ArrayLike) -> NDArray[np.int_]:
    """Index, modulo 65536, of the samples of the sample code."""
    return np.rint((np.array(values) + 10.0) / LSB).astype(int)


def volt_out(task: Task, volts: float) -> None:
    """A voltage at Dev1/ao0, from now on."""
    task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
    task.write(volts)


def volts_out(task: Task, wave: Sequence[float] | NDArray[np.float64], rate: float = 10_000.0, **timing: Any) -> None:
    """A wave that comes out at Dev1/ao0 once the task starts."""
    task.ao_channels.add_ao_voltage_chan("Dev1/ao0")
    task.timing.cfg_samp_clk_timing(rate, samps_per_chan=len(wave), **timing)
    task.write(wave)


def levels(task: Task, wave: Sequence[int], rate: float = 1000.0, **timing: Any) -> None:
    """Levels of Dev1/port0/line0, begun by the task's start."""
    task.do_channels.add_do_chan("Dev1/port0/line0")
    task.timing.cfg_samp_clk_timing(rate, samps_per_chan=len(wave), **timing)
    task.write([bool(level) for level in wave])


def train(
    task: Task, counter: str = "Dev1/ctr0", mode: c.AcquisitionType = c.AcquisitionType.CONTINUOUS, pulses: int = 1000, **how: Any
) -> None:
    """A train of pulses by frequency."""
    task.co_channels.add_co_pulse_chan_freq(counter, **how)
    task.timing.cfg_implicit_timing(sample_mode=mode, samps_per_chan=pulses)


def edges_out(task: Task, terminal: str = "/Dev1/PFI12") -> Callable[[], int]:
    """A running count of what comes out at a terminal."""
    task.ci_channels.add_ci_count_edges_chan("Dev1/ctr3").ci_count_edges_term = terminal
    task.start()
    return lambda: int(task.read())


def set_and_reset(owner: Any, name: str, value: object) -> Any:
    """A property has to be what it is set to; returned is what it is when that is taken back."""
    setattr(owner, name, value)
    assert getattr(owner, name) == value, name
    delattr(owner, name)
    return getattr(owner, name)


def filtered(owner: Any, head: str, width: float) -> None:
    """Give a clock, a trigger or a channel a digital filter of a width (s)."""
    setattr(owner, f"{head}_dig_fltr_enable", True)
    setattr(owner, f"{head}_dig_fltr_min_pulse_width", width)


def let_pass(bench: Any, seconds: float) -> None:
    """Move a lockstep clock on."""
    with bench.engine.lock:
        bench.engine.advance(bench.engine.time + seconds, exact=True)


def at_once(client: Callable[[int], object], count: int) -> list[Exception]:
    """What so many clients, each in a thread of its own, raised."""
    failed: list[Exception] = []

    def run(number: int) -> None:
        try:
            client(number)
        except Exception as error:  # told in the main thread
            failed.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    return failed


class Heard:
    """Counts the calls of an event."""

    def __init__(self) -> None:
        self.count = 0
        self._come = threading.Condition()

    def __call__(self, *event: object) -> int:
        with self._come:
            self.count += 1
            self._come.notify_all()
        return 0

    def wait(self, count: int) -> None:
        """Until there are `count` calls; they have to come."""
        with self._come:
            assert self._come.wait_for(lambda: self.count >= count, PATIENCE), f"{self.count} of {count} calls"
