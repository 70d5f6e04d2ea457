"""A simulated device server for each test, and the stock client's options to reach it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import grpc
import nidaqmx
import pytest

from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.service.server import Server, serve
from drivers.simulated.plant.plant import NoPlant
from tests.unit.drivers.simulated.daqmx.client_calls import COUNTER_DEVICES
from tests.unit.drivers.simulated.daqmx.ni_testers import TESTERS

UNLIMITED = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
ONE_CARD = (("Dev1", "PCIe-6363"),)


class FirstCalled:
    """A call of a client's stub, made when it is first called."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    @cached_property
    def _call(self) -> Any:
        return self._make()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        """What else a call has: `future`, `with_call`."""
        return getattr(self._call, name)


class Channel:
    """A client channel. The client makes a stub of 450 calls for each task, of which a test uses ten: the others would take 5 ms."""

    def __init__(self, port: int) -> None:
        self._channel = grpc.insecure_channel(f"127.0.0.1:{port}", options=UNLIMITED)
        self.unary_stream, self.close = self._channel.unary_stream, self._channel.close

    def unary_unary(self, *args: Any, **kwargs: Any) -> FirstCalled:
        return FirstCalled(partial(self._channel.unary_unary, *args, **kwargs))


class Bench:
    """A server in this process and a client channel to it."""

    def __init__(self, pace: str, devices: Sequence[tuple[str, str]], wiring: Mapping[str, str], plant: Any) -> None:
        self.clock = BenchClock(pace)
        self.engine = Engine(devices, wiring, plant, self.clock)
        self.server: Server = serve(self.engine)
        self.channel = Channel(self.server.port)

    @property
    def options(self) -> nidaqmx.GrpcSessionOptions:
        return nidaqmx.GrpcSessionOptions(self.channel, "")

    def task(self, name: str = "") -> nidaqmx.Task:
        return nidaqmx.Task(name, grpc_options=self.options)

    def close(self) -> None:
        self.channel.close()
        self.server.stop(grace=0.1)


@pytest.fixture
def make_bench() -> Iterator[Callable[..., Bench]]:
    """Makes benches; closes them in the end."""
    made: list[Bench] = []

    def make(
        pace: str = "lockstep",
        devices: Sequence[tuple[str, str]] = ONE_CARD,
        wiring: Mapping[str, str] | None = None,
        plant: Any = None,
    ) -> Bench:
        made.append(Bench(pace, devices, wiring or {}, plant or NoPlant()))
        return made[-1]

    yield make
    for bench in made:
        bench.close()


@pytest.fixture
def bench(make_bench: Callable[..., Bench]) -> Bench:
    """One PCIe-6363 in lockstep, the sample code on ai1."""
    return make_bench(wiring={"Dev1/ai1": "sample_code"})


@pytest.fixture(params=["real", "lockstep"])
def either_pace(request: pytest.FixtureRequest, make_bench: Callable[..., Bench]) -> Bench:
    """The same with both paces."""
    return make_bench(request.param, wiring={"Dev1/ai1": "sample_code"})


@pytest.fixture
def counters(make_bench: Callable[..., Bench]) -> Bench:
    """Devices with counters of all kinds, in lockstep."""
    return make_bench(devices=COUNTER_DEVICES)


@pytest.fixture
def testers(make_bench: Callable[..., Bench]) -> Bench:
    """Devices of NI's own tests; the first inputs of three see Dev1/ao0."""
    return make_bench(devices=TESTERS, wiring={"Dev1/ai0": "Dev1/ao0", "bridgeTester/ai0": "Dev1/ao0", "dsaTester/ai0": "Dev1/ao0"})
