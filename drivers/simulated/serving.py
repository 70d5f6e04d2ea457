"""Simulated devices in a Python program: for somebody's tests, and for running a program that knows of no gRPC."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType

import grpc
from nidaqmx import GrpcSessionOptions
from nidaqmx.system import System

from drivers.simulated.clock import LONGEST_GAP, LONGEST_GAP_WITHOUT_PLANT, BenchClock
from drivers.simulated.daqmx.core.device_entries import entries
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.written import MOST, Written
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.service.server import serve
from drivers.simulated.device_file import read
from drivers.simulated.device_setup import BadDeviceFile, Setup, together
from drivers.simulated.faults import Faults
from drivers.simulated.plant.plant import NoPlant, Plant
from drivers.simulated.program_environment import environment
from drivers.simulated.signals.played import BadSignal
from drivers.simulated.signals.signal_tables import Signal, signals_of

LOOPBACK = "127.0.0.1"
ANY = ("0.0.0.0", "[::]")
"""Each address of this machine: to listen at, not to call."""
UNLIMITED = (("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1))


def engine_of(setup: Setup, plant: Plant | None = None) -> Engine:
    """An engine with the devices of a setup. Raises BadDeviceFile for wires that end nowhere, and for unknown products."""
    clock = BenchClock(setup.pace, LONGEST_GAP_WITHOUT_PLANT if plant is None else LONGEST_GAP)
    try:
        engine = Engine(setup.devices, setup.wiring, plant or NoPlant(), clock, setup.unconnected, setup.signals)
    except ValueError as error:
        raise BadDeviceFile([str(error)]) from error
    if plant is not None:
        clock.wait_for(lambda: engine.time)
    engine.board.bridges = {terminal(name): ohms for name, ohms in setup.bridges.items()}
    engine.nonvolatile.sensors = {terminal(name): memory for name, memory in setup.teds.items()}
    for kept, stored in (
        (engine.stored_scales, setup.scales), (engine.stored_channels, setup.channels), (engine.stored_tasks, setup.tasks),
    ):  # fmt: skip
        kept.update({one.name: one for one in stored})
    return engine


class SimulatedDevices:
    """Devices that are served from this process until `close`, or the end of the `with`; `grpc_options` is what nidaqmx is to be given.

    `faults` are what can happen to them. `host`: an address of this machine to listen at; other than loopback: other machines may use them.
    A bench that has failed, by a signal or a plant, raises RuntimeError at the end of the `with`, if nothing else is raised there.
    """

    def __init__(self, setup: Setup, host: str = LOOPBACK) -> None:
        self.engine = engine_of(setup)
        self._server = serve(self.engine, host, setup.port, for_others=host != LOOPBACK)
        self.address = f"{host}:{self._server.port}"
        self._from_here = f"{LOOPBACK if host in ANY else host}:{self._server.port}"
        self.faults = Faults(self.engine)
        self._channel = grpc.insecure_channel(self._from_here, options=UNLIMITED)

    @property
    def grpc_options(self) -> GrpcSessionOptions:
        """For `nidaqmx.Task(grpc_options=...)`, and everything else of nidaqmx that takes it."""
        return GrpcSessionOptions(self._channel, "")

    @property
    def system(self) -> System:
        """What `nidaqmx.system.System.local()` is on a machine with a driver."""
        return System.remote(self.grpc_options)

    def environment(self) -> dict[str, str]:
        """Environment of a Python process, and of what it starts in turn, in which nidaqmx without `grpc_options` means these devices."""
        return {**os.environ, **environment(self._from_here)}

    @contextlib.contextmanager
    def as_local(self) -> Iterator[None]:
        """While it lasts nidaqmx without `grpc_options` means these devices in this process, as if they were those of a driver here."""
        from drivers.simulated import local_driver  # it looks into all of nidaqmx

        connections = local_driver.Connections(self._from_here)
        restore = local_driver.use(connections)
        try:
            yield
        finally:
            restore()
            connections.close()

    def advance(self, seconds: float) -> None:
        """Let device time go on with pace `lockstep`: for what nobody waits for in a call, as the expiry of a watchdog.

        Raises RuntimeError with pace `real`, where time goes on by itself.
        """
        if not self.engine.clock.lockstep:
            raise RuntimeError("advance: these devices have pace 'real'; their time cannot be moved (serve them with pace=\"lockstep\")")
        with self.engine.lock:
            self.engine.advance(self.engine.time + seconds)
            self.engine.changed.notify_all()

    def record(self, *terminals: str, most: int = MOST) -> None:
        """Keep what these put out from now on: analogue outputs and lines (`Dev1/ao0`, `Dev1/port0/line0`) sample by sample, counters
        (`Dev1/ctr0`) and other digital terminals (`Dev1/PFI12`) edge by edge; of each the last `most`.

        Raises ValueError for what is no output.
        """
        if most < 1:
            raise ValueError(f"record: most: expected a number of samples from 1 on, got {most}")
        with self.engine.lock:
            for name in terminals:
                self.engine.recorder.record(terminal(name), most, self._edges_of(name))

    def written(self, output: str) -> Written:
        """What a terminal has put out since `record`. Raises ValueError for one that is not recorded."""
        with self.engine.lock:
            self.engine.update()
            found = self.engine.recorder.written(terminal(output))
        if found is None:
            raise ValueError(f'{output} is not recorded; bench.record("{output}") before the program writes')
        return found

    def _edges_of(self, name: str) -> str:
        """The signal whose edges are recorded, "" for what has samples. Raises ValueError."""
        text, board = terminal(name), self.engine.board
        if text in board.levels or text in board.lines:
            return ""
        device, _, pin = text.rpartition("/")
        counter = pin.removeprefix("_")
        internal = "frequencyoutput" if pin == "freqout" else f"{counter}internaloutput" if counter.startswith("ctr") else pin
        if f"{device}/{internal}" not in board.terminals:
            raise ValueError(f"record: {name} is no output of these devices; expected one as Dev1/ao0, Dev1/port0/line0, Dev1/ctr0")
        return self.engine.routes.canonical(f"{device}/{internal}")

    def close(self) -> None:
        """End every call and every task."""
        self._channel.close()
        self._server.stop(grace=0.1)

    def __enter__(self) -> SimulatedDevices:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
        if kind is None:  # a program may have caught what its calls were told
            self.engine.need_whole()


def serving(
    devices: str | Path | Mapping[str, str], wiring: Mapping[str, str] | None, pace: str | None, port: int | None, unconnected: str | None,
    signals: Mapping[str, Signal] | None = None,
) -> SimulatedDevices:  # fmt: skip
    """See `drivers.simulated.serve_devices`."""
    return SimulatedDevices(setup_of(devices, wiring, pace, port, unconnected, signals))


def setup_of(
    devices: str | Path | Mapping[str, str], wiring: Mapping[str, str] | None = None, pace: str | None = None, port: int | None = None,
    unconnected: str | None = None, signals: Mapping[str, Signal] | None = None,
) -> Setup:  # fmt: skip
    """What is None stays as it is, and wires and signals come beside those of the file. Raises BadDeviceFile."""
    setup = Setup(tuple(entries([*devices.items()]).values())) if isinstance(devices, Mapping) else read(Path(devices))
    try:
        wires, playing = dict(wiring or {}), signals_of(signals or {})
    except BadSignal as error:
        raise BadDeviceFile([f"signals: {error}"]) from error
    again = {terminal(end) for end in (*wires, *playing)}
    others = {end: signal for end, signal in setup.wiring.items() if terminal(end) not in again}
    played = {end: signal for end, signal in setup.signals.items() if terminal(end) not in again}
    setup = replace(
        setup, wiring=others | wires, signals=played | playing, pace=setup.pace if pace is None else pace,
        port=setup.port if port is None else port, unconnected=setup.unconnected if unconnected is None else unconnected,
    )  # fmt: skip
    if isinstance(devices, Mapping) and (problems := [*together(setup)]):
        raise BadDeviceFile(problems)
    return setup
