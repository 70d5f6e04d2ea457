"""Many calls and streams of events that wait: nobody else is kept waiting by them.

Expected: NI-DAQmx API reference, "DAQmx Stop Task" and "DAQmx Clear Task" act on a task whoever waits for its samples; a read that is under
way then ends with an error. NI's gRPC device server, whose protocol this is, refuses a call with the gRPC status when it cannot serve it.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import grpc
import nidaqmx
import pytest
from nidaqmx.errors import DaqError, RpcError
from waiting import until

from drivers.simulated.clock import BenchClock
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.service.server import serve
from drivers.simulated.daqmx.service.threads import Workers
from drivers.simulated.plant.plant import NoPlant
from tests.unit.drivers.simulated.daqmx.client_calls import code_of

CROWD = 150
IN_TIME = 10.0  # s


@pytest.fixture
def served():
    """Makes (options, workers, engine) of a server of two cards; at most `most` threads, `reserve` of them kept."""
    servers, channels = [], []

    def make(**limits):
        workers = Workers(**limits)
        engine = Engine((("Dev1", "PCIe-6363"), ("Dev2", "PCIe-6363")), {}, NoPlant(), BenchClock("real"))
        servers.append(serve(engine, workers=workers))
        channels.append(grpc.insecure_channel(f"127.0.0.1:{servers[-1].port}"))
        return nidaqmx.GrpcSessionOptions(channels[-1], ""), workers, engine

    yield make
    for channel, server in zip(channels, servers, strict=True):
        channel.close()
        server.stop(grace=0.1)


def waiting_task(options):
    """A task that runs and whose trigger never comes."""
    task = nidaqmx.Task(grpc_options=options)
    task.ai_channels.add_ai_voltage_chan("Dev1/ai0")
    task.timing.cfg_samp_clk_timing(1000.0)
    task.triggers.start_trigger.cfg_dig_edge_start_trig("/Dev1/ao/StartTrigger")
    task.start()
    return task


def other_client_is_served(options):
    def read():
        with nidaqmx.Task(grpc_options=options) as other:
            other.ai_channels.add_ai_voltage_chan("Dev2/ai0")
            return other.read()

    with ThreadPoolExecutor(1) as pool:
        assert isinstance(pool.submit(read).result(IN_TIME), float)


def test_reads_that_wait_for_ever(served):
    options, workers, engine = served()
    task, codes = waiting_task(options), []

    def read():
        try:
            task.read(1000, timeout=-1)
        except DaqError as error:
            codes.append(error.error_code)

    readers = [threading.Thread(target=read, daemon=True) for _ in range(CROWD)]
    for reader in readers:
        reader.start()
    until(lambda: engine.asleep == CROWD)
    assert workers.threads >= CROWD
    other_client_is_served(options)
    task.stop()
    for reader in readers:
        reader.join(IN_TIME)
    assert len(codes) == CROWD
    task.close()
    until(lambda: workers.threads <= 40)  # they are gone with the crowd


@pytest.mark.long
def test_events_of_many_tasks(served):
    options, workers, engine = served()
    tasks = [nidaqmx.Task(grpc_options=options) for _ in range(CROWD)]
    for task in tasks:
        task.di_channels.add_di_chan("Dev1/port0/line0")
        task.register_done_event(lambda *event: 0)
    assert workers.threads >= CROWD  # each stream of events holds one
    other_client_is_served(options)
    for task in tasks:
        task.close()
    assert not engine.tasks
    until(lambda: workers.threads <= 40)


def test_beyond_the_most_a_call_is_refused_and_a_stop_is_not(served):
    options, workers, engine = served(most=12, reserve=4)
    task = waiting_task(options)
    reads = []
    with ThreadPoolExecutor(8) as pool:
        try:
            for waiting in range(8):  # one by one: a call that has its answer already counts until its thread is free
                until(lambda n=waiting: workers.at_work == n)
                reads.append(pool.submit(code_of, task.read, 1000, timeout=-1))
                until(lambda n=waiting: engine.asleep == n + 1)
            for call in (lambda: task.read(1000, timeout=-1), lambda: task.wait_until_done(-1)):
                with pytest.raises(RpcError, match="8 calls that wait already") as caught:
                    call()
                assert caught.value.rpc_code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert not task.is_task_done()
        finally:
            task.stop()
        assert all(read.result(IN_TIME) < 0 for read in reads)
    task.close()
    other_client_is_served(options)
