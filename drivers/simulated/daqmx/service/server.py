"""The gRPC side: an NI gRPC device server in front of an engine. Thin: handlers come from the service's own description and the tables.

What is in no table answers UNIMPLEMENTED. Errors of the driver are status UNKNOWN with the trailing metadata `ni-error`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn, TypeVar

import grpc
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.message import Message

# The only file that imports the client package's private stubs: they are the wire format itself.
from nidaqmx._stubs import nidaqmx_pb2 as pb

from drivers.errors import Refused as PortRefused
from drivers.simulated.daqmx.configuration.timing import BY_DEVICE
from drivers.simulated.daqmx.core.values import Fields, as_int
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import NotServed
from drivers.simulated.daqmx.properties.properties import FAMILIES
from drivers.simulated.daqmx.service import calls, sample_calls, wire
from drivers.simulated.daqmx.service.abandoned import Sweeper
from drivers.simulated.daqmx.service.peers import is_gone, is_loopback
from drivers.simulated.daqmx.service.threads import Workers
from drivers.simulated.daqmx.status.errors import DaqmxError

SERVICE = pb.DESCRIPTOR.services_by_name["NiDAQmx"]
OPTIONS = (("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1), ("grpc.so_reuseport", 0))
PROPERTY_CALLS = (
    "ExportedSignal", "Task", "Read", "Write", "Buffer", "Timing", "Trig", "Chan", "Device", "CalInfo", "SystemInfo", "PhysicalChan",
    "Watchdog", "RealTime", "Scale", "PersistedTask", "PersistedChan", "PersistedScale",
)  # fmt: skip
FAMILY_NAMES = {
    "Trig": "TRIGGER", "ExportedSignal": "EXPORTEDSIGNAL", "Chan": "CHANNEL", "SystemInfo": "SYSTEM", "PhysicalChan": "PHYSICALCHANNEL",
}  # fmt: skip
AGENT = "local-driver"
"""How programs that know of no server call themselves in the user agent: AGENT/PROCESS."""
PACKED = "ReadAnalogF64"
"""The call whose answer is packed by hand (`wire.py`)."""
COUNTS = ("samps_per_chan_read", "samps_per_chan_written")
_PROPERTY = re.compile(rf"^(Get|Set|Reset)({'|'.join(PROPERTY_CALLS)})Attribute(Ex)?([A-Z]\w*)?$")
UNLISTED = {("READ", 0x31E8): "DEFAULT_NUMBER_OF_SAMPLES_TO_READ"}
"""Properties that the client asks for by number though the service's enumerations do not list them."""


class Server:
    """A running server; `port` is the one it really has."""

    def __init__(self, engine: Engine, host: str, port: int, workers: Workers, for_others: bool) -> None:
        if not for_others and not is_loopback(host):
            raise PortRefused(f"device server: {host} is not a loopback address; the simulated devices are for this machine only")
        self.engine, self.host = engine, host
        engine.client_is_gone = is_gone
        self._pool = workers
        self._server = grpc.server(self._pool, handlers=[_Handlers(engine, self._pool)], options=OPTIONS)
        try:
            self.port = self._server.add_insecure_port(f"{host}:{port}")
        except RuntimeError:
            self.port = 0
        if self.port == 0:
            self._pool.shutdown()
            raise PortRefused(f"device server: port {port} of {host} cannot be opened; is another program using it?")
        engine.start_pacer()
        self._server.start()
        self._sweeper = Sweeper(engine, is_gone)

    def stop(self, grace: float = 0.5) -> None:
        """End all calls, then the engine."""
        self.engine.give_up()
        self._sweeper.stop()
        stopped = self._server.stop(grace)
        self.engine.close()
        stopped.wait()
        self._pool.shutdown(wait=False, cancel_futures=True)


def serve(
    engine: Engine, host: str = "127.0.0.1", port: int = 0, workers: Workers | None = None, *, for_others: bool = False
) -> Server:  # fmt: skip
    """Start serving; port 0 takes a free one. `for_others`: other machines may use the devices, whoever reaches the address.

    Raises drivers.errors.Refused for a port in use and, unless it is for others, for an address that is not of this machine only.
    """
    return Server(engine, host, port, workers or Workers(), for_others)


def family_of(call: str) -> str:
    """Family of properties that a remote call gets, sets or resets; empty for any other."""
    match = _PROPERTY.match(call)
    return FAMILY_NAMES.get(match[2], match[2].upper()) if match is not None else ""


def served(call: str) -> bool:
    """Whether a remote call is in a table; a call for properties always is, though not every property."""
    return call in calls.CALLS or call in calls.STREAMS or call == PACKED or family_of(call) != ""


# -- handlers --------------------------------------------------------------------------------------------------------------------------


class _Handlers(grpc.GenericRpcHandler):  # type: ignore[misc]
    """Handlers of the service's calls, each made when it is first called: there are hundreds, and a program uses twenty."""

    def __init__(self, engine: Engine, workers: Workers) -> None:
        self._engine, self._workers = engine, workers
        self._made: dict[str, grpc.RpcMethodHandler | None] = {}

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        """The handler of `details.method`; None: not served."""
        service, _, name = details.method.removeprefix("/").partition("/")
        if service != SERVICE.full_name or name not in SERVICE.methods_by_name:
            return None
        if name not in self._made:
            self._made[name] = _method(self._engine, self._workers, SERVICE.methods_by_name[name])
        return self._made[name]


def _method(engine: Engine, workers: Workers, method: MethodDescriptor) -> grpc.RpcMethodHandler | None:
    request, response = method.input_type._concrete_class, method.output_type._concrete_class
    fields = _reader(method.input_type)
    # Reads and writes tell in their errors, too, how far they came.
    counted = [f"ni-{f.name.replace('_', '-')}" for f in method.output_type.fields if f.name in COUNTS]
    if method.name in calls.STREAMS:
        stream = _stream(engine, _waiting(workers, calls.STREAMS[method.name]), fields, response)
        return grpc.unary_stream_rpc_method_handler(stream, request.FromString, response.SerializeToString)
    if method.name == PACKED:
        read = _waiting(workers, sample_calls.read_analog)
        answer = _unary(engine, read, _read_analog_fields, lambda result: wire.pack_read_analog(*result), counted)
        return grpc.unary_unary_rpc_method_handler(answer, request.FromString, bytes)
    build = _builder(method.output_type)
    if method.name == "WriteAnalogF64":
        write = _waiting(workers, sample_calls.write_analog)
        answer = _unary(engine, write, lambda pair: {**fields(pair[0]), "write_array": pair[1]}, build, counted)
        return grpc.unary_unary_rpc_method_handler(
            answer, lambda raw: wire.unpack_write_analog(raw, request.FromString), response.SerializeToString
        )
    call = calls.CALLS.get(method.name) or _property_call(method)
    if call is None:
        return None
    if method.name.startswith(("Read", "Write", "Wait")):
        call = _waiting(workers, call)
    return grpc.unary_unary_rpc_method_handler(_unary(engine, call, fields, build, counted), request.FromString, response.SerializeToString)


Answer = TypeVar("Answer")
Serve = Callable[[Engine, Fields, Alive], Answer]
Sent = TypeVar("Sent")
"""A request as it comes in: a message, or one without its samples, and these."""


def _waiting(workers: Workers, call: Serve[Answer]) -> Serve[Answer]:
    """A call that may wait: refused once as many wait as may."""

    def admitted(engine: Engine, fields: Fields, alive: Alive) -> Answer:
        if workers.full:
            raise calls.Refused("RESOURCE_EXHAUSTED", f"The device server has {workers.waiting} calls that wait already; end some of them.")
        return call(engine, fields, alive)

    return admitted


def _unary(
    engine: Engine, call: Serve[Answer], fields: Callable[[Sent], Fields], build: Callable[[Answer], object], counted: Sequence[str] = ()
) -> Callable[[Sent, grpc.ServicerContext], object]:
    def handle(request: Sent, context: grpc.ServicerContext) -> object:
        try:
            return build(call(engine, _from(context, engine, fields(request)), context.is_active))
        except (DaqmxError, NotServed, calls.Refused) as error:
            _abort(context, error, counted)
        except MemoryError:
            _abort(context, DaqmxError(-50352, str(getattr(getattr(request, "task", None), "name", ""))), counted)

    return handle


def _stream(
    engine: Engine, call: Serve[Iterator[Fields]], fields: Callable[[Message], Fields], response: Callable[..., Message]
) -> Callable[[Message, grpc.ServicerContext], Iterator[Message]]:
    def handle(request: Message, context: grpc.ServicerContext) -> Iterator[Message]:
        try:
            events = call(engine, _from(context, engine, fields(request)), context.is_active)
            next(events)
        except (DaqmxError, NotServed, calls.Refused) as error:
            _abort(context, error)
        # The client waits for the initial metadata: only now is it registered.
        context.add_callback(lambda: _wake(engine))
        context.send_initial_metadata(())
        for event in events:
            yield response(**event)

    return handle


def _from(context: grpc.ServicerContext, engine: Engine, fields: Fields) -> Fields:
    """Remember who uses a task: the far end of the connection; and, where a task is made, which program, if it is one of its own."""
    client = str(context.peer())
    task = engine.tasks.get(str(fields.get("task", "")))
    if task is not None:
        task.client = client
    if "session_name" not in fields:
        return {**fields, "client": client}
    return {**fields, "client": client, "program": _program(dict(context.invocation_metadata()).get("user-agent", ""))}


def _program(agent: str) -> str:
    """The process that a connection says it is of (`local_driver.py`); empty for the stock client, which shares its tasks."""
    name, _, process = str(agent).partition(" ")[0].partition("/")
    return process if name == AGENT else ""


def _wake(engine: Engine) -> None:
    with engine.lock:
        engine.changed.notify_all()


def _abort(context: grpc.ServicerContext, error: Exception, counted: Sequence[str] = ()) -> NoReturn:
    if isinstance(error, NotServed):
        context.abort(grpc.StatusCode.UNIMPLEMENTED, str(error))
    if isinstance(error, calls.Refused):
        context.abort(grpc.StatusCode[error.status], str(error))
    assert isinstance(error, DaqmxError)
    context.set_trailing_metadata((("ni-error", str(error.code)), *((key, str(error.samples)) for key in counted)))
    context.abort(grpc.StatusCode.UNKNOWN, error.text())
    raise AssertionError("abort returns never")


# -- fields ----------------------------------------------------------------------------------------------------------------------------


def _reader(descriptor: Descriptor) -> Callable[[Message], Fields]:
    """Fields of a request by name: a oneof `x_enum` of `x` and `x_raw` is one field `x`, a session is its name."""
    plain = [f.name for f in descriptor.fields if f.containing_oneof is None and f.name != "task"]
    either = [(_base(f.name), f.name, f.containing_oneof.name) for f in descriptor.fields if f.containing_oneof is not None]
    session = "task" in descriptor.fields_by_name

    def read(request: Message) -> Fields:
        fields = {name: getattr(request, name) for name in plain}
        for base, name, oneof in either:
            fields.setdefault(base, 0)
            if request.WhichOneof(oneof) == name:
                fields[base] = getattr(request, name)
        if session:
            fields["task"] = request.task.name
        return fields

    return read


def _read_analog_fields(request: Message) -> Fields:
    """The same for the call that is made most: twice as fast."""
    return {
        "task": request.task.name, "num_samps_per_chan": request.num_samps_per_chan, "timeout": request.timeout,
        "fill_mode": request.fill_mode or request.fill_mode_raw, "array_size_in_samps": request.array_size_in_samps,
    }  # fmt: skip


def _base(name: str) -> str:
    return name.removesuffix("_raw").removesuffix("_mapped")


def _builder(descriptor: Descriptor) -> Callable[[Fields], Message]:
    message = descriptor._concrete_class
    session = "task" in descriptor.fields_by_name

    def build(result: Fields) -> Message:
        if session and "task" in result:
            answer = message(**{k: v for k, v in result.items() if k != "task"})
            answer.task.name = result["task"]
            return answer
        return message(**result)

    return build


# -- properties ------------------------------------------------------------------------------------------------------------------------


def _property_call(method: MethodDescriptor) -> Call | None:
    """One pattern serves every property: the number in the request is looked up in the enumeration that the request names."""
    match = _PROPERTY.match(method.name)
    if match is None:
        return None
    verb, family = match[1], FAMILY_NAMES.get(match[2], match[2].upper())
    numbers = method.input_type.fields_by_name["attribute"].enum_type.values_by_number
    names = {number: value.name.partition("_ATTRIBUTE_")[2] for number, value in numbers.items()}
    names |= {number: name for (of, number), name in UNLISTED.items() if of == family and match[4] == "UInt32"}
    raw = "value_raw" in method.output_type.fields_by_name
    device_scoped = match[3] is not None

    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        name = names.get(as_int(fields["attribute"]))
        if not name:
            raise NotServed(f"{family} property {fields['attribute']:#x}")
        if device_scoped and fields["device_names"]:
            engine.product(str(fields["device_names"]))
            if name not in BY_DEVICE:
                raise engine.task(str(fields["task"])).fail(-201118, Property=name)
        served = FAMILIES[family]
        if verb == "Get":
            return {"value_raw" if raw else "value": served.get(engine, name, fields)}
        (served.set if verb == "Set" else served.reset)(engine, name, fields)
        return {}

    return call
