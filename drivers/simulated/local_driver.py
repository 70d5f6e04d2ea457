"""Makes nidaqmx mean a device server where a program says nothing else: every class and function that takes `grpc_options` has a default.

Loaded by its file into programs that `drivers.simulated.run` starts (`run_site/sitecustomize.py`), and by `SimulatedDevices.as_local`:
imports nothing of this project. A forked child gets a connection of its own. What a driver without a server does in another way is done
so: the name of a task that there is already is refused by its error, and a program that ends is not held by events.
"""

from __future__ import annotations

import functools
import inspect
import os
import threading
from collections.abc import Callable
from types import ModuleType

import grpc
import nidaqmx
import nidaqmx._grpc_interpreter
import nidaqmx.system
import nidaqmx.system.storage
from nidaqmx._grpc_interpreter import GrpcStubInterpreter
from nidaqmx.errors import DaqError, RpcError
from nidaqmx.grpc_session_options import SessionInitializationBehavior
from nidaqmx.scale import Scale
from nidaqmx.system.device import Device
from nidaqmx.system.physical_channel import PhysicalChannel
from nidaqmx.system.storage import PersistedChannel, PersistedScale, PersistedTask
from nidaqmx.system.watchdog import WatchdogTask
from nidaqmx.utils import flatten_channel_string

OPTIONS = "grpc_options"
UNLIMITED = (("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1))
CLASSES: tuple[type, ...] = (
    nidaqmx.Task, nidaqmx.system.System, Device, PhysicalChannel, Scale, WatchdogTask, PersistedTask, PersistedScale, PersistedChannel,
)  # fmt: skip
DUPLICATE_TASK = -200089
CHANNELS = 0x1273
"""Number of the property of a task that lists its channels."""
AGENT = "local-driver"
NEW = SessionInitializationBehavior.INITIALIZE_SERVER_SESSION

_last = threading.local()
"""`created`: name of the channels that this thread has made last."""

Options = Callable[[], nidaqmx.GrpcSessionOptions]


class Connections:
    """Options for this process: a channel to the server, made when it is first asked for, and anew in a forked child."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._owner = 0
        self._channel: grpc.Channel | None = None
        self._options: nidaqmx.GrpcSessionOptions | None = None

    def __call__(self) -> nidaqmx.GrpcSessionOptions:
        if self._options is None or self._owner != os.getpid():
            # Names of tasks are those of a process: the server goes by what it calls itself.
            agent = ("grpc.primary_user_agent", f"{AGENT}/{os.getpid()}")
            self._channel = grpc.insecure_channel(self._address, options=(*UNLIMITED, agent))
            # The driver makes a new task, and attaches to none.
            self._options = nidaqmx.GrpcSessionOptions(self._channel, "", initialization_behavior=NEW)
            self._owner = os.getpid()
        return self._options

    def close(self) -> None:
        """End the connection of this process."""
        if self._channel is not None and self._owner == os.getpid():
            self._channel.close()
        self._channel = self._options = None


def use_address(address: str) -> None:
    """From now on nidaqmx means the server at HOST:PORT, where a program says nothing else."""
    use(Connections(address))


def use(options: Options) -> Callable[[], None]:
    """The same, with the options that a call gives; returns what makes it undone."""
    changes = _Changes()
    for owner in CLASSES:
        for name, member in list(vars(owner).items()):
            wrapped = _with_default(member, options)
            if wrapped is not member:
                changes.set(owner, name, wrapped)
    changes.set(nidaqmx.system.System, "local", staticmethod(lambda: nidaqmx.system.System.remote(options())))
    _tell_names_of_channels(changes)
    _let_programs_end(changes)
    load = PersistedTask.load
    changes.set(PersistedTask, "load", functools.wraps(load)(lambda self: _as_the_driver(load, self)))
    return changes.undo


class _Changes:
    """Members of classes and modules that were replaced, the last one first."""

    def __init__(self) -> None:
        self._before: list[tuple[type | ModuleType, str, object]] = []

    def set(self, owner: type | ModuleType, name: str, member: object) -> None:
        self._before.insert(0, (owner, name, vars(owner).get(name, _NOTHING)))
        setattr(owner, name, member)

    def undo(self) -> None:
        for owner, name, member in self._before:
            if member is _NOTHING:
                delattr(owner, name)
            else:
                setattr(owner, name, member)
        self._before.clear()


_NOTHING = object()


class _DaemonThreads(ModuleType):
    """`threading` as the client's module sees it: its threads do not keep a process alive."""

    def __getattr__(self, name: str) -> object:
        return getattr(threading, name)

    def Thread(self, *args: object, **kwargs: object) -> threading.Thread:
        return threading.Thread(*args, **{"daemon": True, **kwargs})  # type: ignore[arg-type]


def _let_programs_end(changes: _Changes) -> None:
    """A program ends with events still registered: the driver's own threads call it back, where the client waits in Python's."""
    changes.set(nidaqmx._grpc_interpreter, "threading", _DaemonThreads("threading"))


def _tell_names_of_channels(changes: _Changes) -> None:
    """Channels have the names that the driver gave them: a client of a server works them out, sometimes wrongly, where the driver tells.

    ni/nidaqmx-python, issue 579: `myChan09` for four inputs is myChan09 to myChan12.
    """
    for name, member in list(vars(GrpcStubInterpreter).items()):
        if name.startswith("create_") and name.endswith(("_chan", "_chan_freq", "_chan_time", "_chan_ticks", "_chan_iex", "_chan_vex")):
            changes.set(GrpcStubInterpreter, name, _remembering(member))
    changes.set(GrpcStubInterpreter, "internal_get_last_created_chan", lambda self: getattr(_last, "created", None))


def _remembering(create: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(create)
    def call(self: GrpcStubInterpreter, task: object, *args: object, **kwargs: object) -> object:
        before = len(_names(self, task))
        done = create(self, task, *args, **kwargs)
        _last.created = flatten_channel_string(_names(self, task)[before:]).replace(",", ", ")
        return done

    return call


def _names(interpreter: GrpcStubInterpreter, task: object) -> list[str]:
    listed = interpreter.get_task_attribute_string(task, CHANNELS)
    return [name for name in listed.split(", ") if name]


def _with_default(member: object, options: Options) -> object:
    function = member.__func__ if isinstance(member, staticmethod | classmethod) else member
    if not inspect.isfunction(function) or OPTIONS not in inspect.signature(function).parameters:
        return member
    wrapped = _wrapped(function, options)
    return type(member)(wrapped) if isinstance(member, staticmethod | classmethod) else wrapped


def _wrapped(function: Callable[..., object], options: Options) -> Callable[..., object]:
    at = list(inspect.signature(function).parameters).index(OPTIONS)

    @functools.wraps(function)
    def call(*args: object, **kwargs: object) -> object:
        if len(args) <= at and kwargs.get(OPTIONS) is None:
            return _as_the_driver(function, *args, **{**kwargs, OPTIONS: options()})
        return function(*args, **kwargs)

    return call


def _as_the_driver(function: Callable[..., object], *args: object, **kwargs: object) -> object:
    """Call it; the server's refusal of a name that there is already becomes the driver's error. Raises DaqError -200089."""
    try:
        return function(*args, **kwargs)
    except RpcError as error:
        if error.rpc_code is not grpc.StatusCode.ALREADY_EXISTS:
            raise
        name = error.description.partition("'")[2].rpartition("'")[0]
    raise DaqError("Task name specified conflicts with an existing task name.", DUPLICATE_TASK, name)
