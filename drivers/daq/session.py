"""The way to NI-DAQmx, by the driver of this machine or a gRPC device server, and what it says when something is wrong."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol, TypeVar

import nidaqmx
from nidaqmx.errors import DaqError, DaqResourceWarning
from nidaqmx.system import System

from drivers.errors import DriverError, NoReply, NotConnected, Refused, Reserved, WatchdogExpired

if TYPE_CHECKING:
    import grpc

CONNECT_TIMEOUT = 3.0
HEALTH = "/grpc.health.v1.Health/Check"
"""Asked once: a channel that is watched until it is ready takes up to 0.2 s to be closed."""
OUTPUT_UNDERFLOW = -200290
INPUT_OVERRUN = (-200279, -200141)  # of the buffer, of the memory on board
TIMED_OUT = -200284
INDEPENDENT = -200558  # devices in one task
EXPIRED = (-200644, -200678)  # told by a reset, by writing lines
RESERVED = (-50103, -200022, -200587, -201477)  # the second by another task of ours as well, then of lines, and the watchdog's word for it


class Session:
    """Makes tasks; address None is the driver of this machine. Messages call the output `output`, and the inputs' devices `inputs`."""

    def __init__(self, address: str | None, output: str, inputs: str = "") -> None:
        self.where = address or "the NI driver of this machine"
        self.underflows = 0
        self._address, self._output, self._inputs = address, output, inputs
        self._channel: grpc.Channel | None = None

    def devices(self) -> list[str]:
        """Names of the devices there are, after a connection has been made. Raises NotConnected."""
        if self._address:
            self._open_channel(self._address)
        return list((System.remote(self.options()) if self._address else System.local()).devices.device_names)

    def options(self) -> nidaqmx.GrpcSessionOptions | None:
        """What every task is made with."""
        return nidaqmx.GrpcSessionOptions(self._channel, "") if self._channel is not None else None

    def task(self) -> nidaqmx.Task:
        """A new task."""
        return nidaqmx.Task(grpc_options=self.options())

    def close(self) -> None:
        """Let go of the server."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None

    @contextlib.contextmanager
    def explained(self, doing: str) -> Iterator[None]:
        """Turn what the vendor's package raises into a DriverError that says what was being done."""
        try:
            yield
        except DriverError:
            raise
        except DaqError as error:
            raise self._translated(error, doing) from error
        except OSError as error:  # a machine without the NI driver
            raise NotConnected(f"DAQ: {doing}: {first_line(error)}") from error
        except Exception as error:
            if type(error).__module__.split(".")[0] not in ("nidaqmx", "grpc"):
                raise
            raise NotConnected(f"DAQ: {doing}: {first_line(error)}") from error

    def _open_channel(self, address: str) -> None:
        import grpc

        unlimited = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
        self._channel = grpc.insecure_channel(address, options=unlimited)
        try:
            self._channel.unary_unary(HEALTH)(b"", timeout=CONNECT_TIMEOUT, wait_for_ready=True)
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.DEADLINE_EXCEEDED:
                return  # it answers: most servers have no such method, and what else is wrong the next call tells
            self.close()
            raise NotConnected(f"DAQ: no device server answers at {address} within {CONNECT_TIMEOUT:g} s; is it running?") from None

    def _translated(self, error: DaqError, doing: str) -> DriverError:
        text = f"DAQ: {doing}: {_in_short(error)} ({error.error_code})"
        if error.error_code == OUTPUT_UNDERFLOW:
            self.underflows += 1
            return Refused(f"DAQ: output {self._output} ran dry and holds its last value; raise command.ahead ({error.error_code})")
        if error.error_code in INPUT_OVERRUN:
            what = "samples were overwritten before they were read; raise daq.input_buffer, or lower acquisition.rate"
            return Refused(f"DAQ: {doing}: {what} ({error.error_code})")
        if error.error_code in RESERVED:
            return Reserved(f"{text}; another program holds the device")
        if error.error_code in EXPIRED:
            what = "nobody spoke to the device for longer than daq.watchdog, and its lines have gone to their safe states"
            remedy = "this computer stood still or is too busy: end other programs, or set daq.watchdog longer"
            return WatchdogExpired(f"DAQ: {doing}: {what} ({error.error_code}); {remedy}")
        if error.error_code == INDEPENDENT:
            what = f"inputs on {self._inputs or 'several devices'} have no sample clock in common, and those of a test go by one"
            remedy = "put them all on one device, on modules of one CompactDAQ chassis, or on PXIe modules that lock to its reference clock"
            return Refused(f"DAQ: {doing}: {what} ({error.error_code}); {remedy} (docs/modules.md)")
        if error.error_code == TIMED_OUT:
            return NoReply(text)
        # What happened stands first; what to do about it may well be to connect something.
        return NotConnected(text) if "connect" in first_line(error).partition(". ")[0].lower() else Refused(text)


class Closable(Protocol):
    """A task of the vendor's library, of whatever kind."""

    def close(self) -> None: ...


AnyTask = TypeVar("AnyTask", bound=Closable)


def close_tasks(tasks: dict[str, AnyTask]) -> list[str]:
    """Close and forget every task, by name; returns what could not be closed, in words (a dead server cannot close anything)."""
    complaints = []
    for name in list(tasks):
        try:
            tasks[name].close()
        except Exception as error:  # whatever the vendor's package raises for a server that is gone: said, and on to the next task
            complaints.append(f"DAQ: closing its {name} task: {first_line(error)}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DaqResourceWarning)  # that it was not closed has been said
            del tasks[name]
    return complaints


def first_line(error: BaseException) -> str:
    """Of what it says; its name where it says nothing."""
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__


def _in_short(error: DaqError) -> str:
    """NI's message in one line: what happened, then the details that name channel, property and value."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    details = [line for line in lines[1:] if ":" in line and not line.startswith(("Task Name", "Status Code"))]
    return "; ".join([lines[0], *details])
