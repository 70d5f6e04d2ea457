"""Analogue outputs of an NI-DAQmx device, in one task: streamed on the inputs' clock, or by hand, one value at a time.

With one output a sample is a number, and k samples are (k,); with several they are (outputs,) and (k, outputs), in their order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from nidaqmx import Task
from nidaqmx.constants import AcquisitionType, RegenerationMode, TaskMode
from nidaqmx.stream_writers import AnalogMultiChannelWriter
from numpy.typing import NDArray

from drivers.daq.session import Session
from drivers.errors import Refused

SAME_RATE = 1e-6  # share by which rates of one and the same clock may differ, as they are read back

Block = NDArray[np.float64]
Volts = float | Block  # of one output, or of several: (outputs,)


class Output:
    """Every method raises DriverError in words that name the terminals. `tasks` are its own, by name, for whoever closes them.

    Without terminals there is no task: `open` and `start` do nothing, and nothing else is asked for.
    """

    def __init__(self, session: Session, terminals: Sequence[str], timeout: float) -> None:
        self.tasks: dict[str, Task] = {}
        self._session, self._terminals, self._timeout = session, ", ".join(terminals), timeout
        self._count = len(terminals)
        self._written: deque[tuple[int, Block]] = deque()
        self._written_samples = 0

    def open(self, rate: float, clock: str, size: int) -> None:
        """On the clock at terminal `clock`, which runs at `rate` (Hz); a buffer of `size` samples. Raises Refused where rates differ."""
        if not self._count:
            return
        task = self.tasks["output"] = self._session.task()
        with self._session.explained(f"clocking output {self._terminals} from {clock}"):
            task.ao_channels.add_ao_voltage_chan(self._terminals, min_val=-10.0, max_val=10.0)
            task.timing.cfg_samp_clk_timing(rate, source=clock, sample_mode=AcquisitionType.CONTINUOUS, samps_per_chan=size)
            task.control(TaskMode.TASK_VERIFY)
            got = float(task.timing.samp_clk_rate)
        if abs(got - rate) > SAME_RATE * rate:
            raise Refused(
                f"DAQ: output {self._terminals} would run at {got:.9g} Hz and the inputs at {rate:.9g} Hz, so their samples do not "
                "belong together; choose an acquisition.rate that both have"
            )
        task.out_stream.regen_mode = RegenerationMode.DONT_ALLOW_REGENERATION
        self._writer = AnalogMultiChannelWriter(task.out_stream, auto_start=False)
        self._writer.verify_array_shape = False

    def start(self) -> None:
        """It waits for the clock."""
        if self._count:
            self.tasks["output"].start()

    def write(self, volts: Block) -> None:
        """Append samples."""
        rows = volts.reshape(len(volts), self._count)
        with self._session.explained(f"writing {len(rows)} samples to {self._terminals}"):
            self._writer.write_many_sample(np.ascontiguousarray(rows.T), self._timeout)
        self._written.append((self._written_samples, rows))
        self._written_samples += len(rows)

    def samples_ahead(self) -> int:
        """Samples written and not yet out there."""
        with self._session.explained("asking how far the output is"):
            out = int(self.tasks["output"].out_stream.total_samp_per_chan_generated)
        while len(self._written) > 1 and self._written[1][0] <= out:
            self._written.popleft()
        return self._written_samples - out

    def abort(self) -> Volts:
        """Stop at once; each holds its last value, which is returned (V). `set` goes on from there."""
        with self._session.explained("stopping the output"):
            last = self._written_samples - self.samples_ahead() - 1
            task = self.tasks.pop("output")
            task.stop()
            task.close()
            self._take_by_hand()
        first, rows = self._written[0]
        held = rows[min(max(last - first, 0), len(rows) - 1)]
        return float(held[0]) if self._count == 1 else np.array(held)

    def hold(self, volts: Volts) -> None:
        """By hand: it shows `volts` now, `set` changes it at once."""
        with self._session.explained(f"taking {self._terminals} by hand"):
            self._take_by_hand()
        self.set(volts)

    def set(self, volts: Volts) -> None:
        """One sample out now, after `abort` or `hold`."""
        values = np.array(volts, dtype=np.float64).reshape(self._count)
        told = ", ".join(f"{value:.4g}" for value in values)
        with self._session.explained(f"writing {told} V to {self._terminals}"):
            self._hand.write_one_sample(values, self._timeout)

    def release(self) -> None:
        """End of `hold`; the last value stays out there until samples come."""
        with self._session.explained(f"giving {self._terminals} back"):
            self.tasks.pop("hold").close()

    def _take_by_hand(self) -> None:
        task = self.tasks["hold"] = self._session.task()
        task.ao_channels.add_ao_voltage_chan(self._terminals, min_val=-10.0, max_val=10.0)
        self._hand = AnalogMultiChannelWriter(task.out_stream, auto_start=True)
