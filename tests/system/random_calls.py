"""Random calls on a device server as bytes on the wire: right ones, wrong ones, cancelled ones, and ones that are no message at all.

Requests are made from the service's own description, so that every call there is, and every one that will be, is tried. Whatever comes,
the server answers a result, an error of NI's, or a status of gRPC; an exception of the server's own would be UNKNOWN without `ni-error`.
"""

from __future__ import annotations

import random
import threading
from typing import Any

import grpc
from nidaqmx._stubs import nidaqmx_pb2 as pb

from drivers.simulated.serving import UNLIMITED, SimulatedDevices

SERVICE = pb.DESCRIPTOR.services_by_name["NiDAQmx"]
PATIENCE = 30.0
"""Longest (s) that a call may take to be answered, on a machine that is busy with other things."""
ALLOWED = {
    grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.ALREADY_EXISTS, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.CANCELLED,
    grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND,
}  # fmt: skip
TASKS = ("one", "one", "one", "two", "two", "two", "three", "")
CHANNELS = (
    "Dev1/ai0", "Dev1/ai1:3", "Dev1/_ao0_vs_aognd", "Dev1/ai40", "Dev1/ai3:1", "Dev2/ai0", "Dev1/ai:", "Dev1/ao0", "Dev1/ao1:2",
    "Dev1/ctr0", "Dev1/ctr1", "Dev1/port0", "Dev1/port0/line0:3", "Dev1/port2/line9", "Mod1/ai0", "Mod1/ai0:1", "", ",", "/", "nowhere",
)  # fmt: skip
TERMINALS = ("", "PFI0", "/Dev1/PFI1", "/Dev1/ai/SampleClock", "/Dev1/ai/StartTrigger", "/Dev1/Ctr0InternalOutput", "/Dev1/nowhere", "x")
TEXTS = (*TERMINALS, *CHANNELS, "Dev1", "Mod1", "scale", "a" * 5000, "ä\n\t\x00", "Dev1/ai0, Dev1/ai1")
FIT = {
    "CreateAI": ("Dev1/ai0", "Dev1/ai1", "Dev1/ai1:3", "Mod1/ai0"), "CreateAO": ("Dev1/ao0", "Dev1/ao0", "Dev1/ao1:2"),
    "CreateDI": ("Dev1/port0", "Dev1/port0/line0:3"), "CreateDO": ("Dev1/port1", "Dev1/port0/line8:9"),
    "CreateCI": ("Dev1/ctr0", "Dev1/ctr1"), "CreateCO": ("Dev1/ctr2", "Dev1/ctr3"),
}  # fmt: skip
"""What channels of a kind can really be made of; most calls take these, so that tasks come to run."""
FITTING = {
    "min_val": (-5.0, -10.0), "max_val": (5.0, 10.0), "rate": (1000.0, 51200.0), "freq": (100.0, 1e4), "duty_cycle": (0.5, 0.2),
    "initial_delay": (0.0, 1e-3), "sample_mode_raw": (10178, 10123), "sample_mode": (10178, 10123), "samps_per_chan": (10, 100, 1000),
    "initialization_behavior": (0, 0, 0, 1), "active_edge": (10280, 10171),
    "source": ("",), "trigger_source": ("/Dev1/ai/StartTrigger",), "name_to_assign_to_channel": ("",),
    "name_to_assign_to_lines": ("",), "custom_scale_name": ("",), "action": (0, 1, 2, 3, 4, 5, 6),
    "num_samps_per_chan": (1, 10, -1), "terminal_config": (-1,), "line_grouping": (0, 1),
    "array_size_in_samps": (100, 1000), "array_size_in_bytes": (1000,), "fill_mode": (0, 1), "edge": (10280,), "idle_state": (10214,),
    "count_direction": (10128,), "initial_count": (0,),
}  # fmt: skip
HERTZ, VOLTS = 10373, 10348
REALS = (0.0, 1.0, -1.0, 10.0, 5.0, 0.01, 100.0, 1000.0, 51200.0, 1e9, 1e-9, 1e300, float("inf"), float("nan"))
WHOLES = (0, 1, 2, 5, 10, 100, 1000, 10150, 10178, 10280, -1, -2, 2**31 - 1, -(2**31))
LONGEST_WAIT = 0.02
USUAL = (
    "CreateTask", "CreateAIVoltageChan", "CreateAIVoltageChan", "CreateAOVoltageChan", "CreateDIChan", "CreateDOChan",
    "CreateCICountEdgesChan", "CreateCOPulseChanFreq", "CfgSampClkTiming", "CfgSampClkTiming", "CfgImplicitTiming", "CfgDigEdgeStartTrig",
    "StartTask", "StartTask", "StopTask", "ReadAnalogF64", "ReadAnalogF64", "WriteAnalogF64", "ReadDigitalU32", "WriteDigitalU32",
    "ReadDigitalLines", "WriteDigitalLines", "ReadCounterU32", "ReadCounterF64", "ReadRaw", "WriteRaw", "TaskControl", "IsTaskDone",
    "ClearTask", "ClearTask", "WaitUntilTaskDone", "ResetDevice",
)  # fmt: skip
RECIPES = (
    ("CreateAIVoltageChan", "CfgSampClkTiming", "StartTask", "ReadAnalogF64"),
    ("CreateAIVoltageChan", "CfgSampClkTiming", "RegisterEveryNSamplesEvent", "StartTask", "ReadRaw"),
    ("CreateAIVoltageChan", "ReadAnalogScalarF64"),
    ("CreateAOVoltageChan", "CfgSampClkTiming", "WriteAnalogF64", "StartTask", "WriteAnalogF64"),
    ("CreateDIChan", "CfgSampClkTiming", "StartTask", "ReadDigitalLines"),
    ("CreateDIChan", "ReadDigitalU32"),
    ("CreateDOChan", "CfgSampClkTiming", "WriteDigitalU32", "StartTask"),
    ("CreateDOChan", "WriteDigitalU32"),
    ("CreateCICountEdgesChan", "StartTask", "ReadCounterScalarU32"),
    ("CreateCOPulseChanFreq", "CfgImplicitTiming", "StartTask"),
    ("CreateWatchdogTimerTaskEx", "StartTask", "ControlWatchdogTask"),
)
"""Calls that make a task run; between them come others."""
STREAMS = {method.name for method in SERVICE.methods if method.name.startswith("Register")}


def len_of(message: Any) -> int:
    """Samples that a request to write announces, for one channel."""
    return max(1, int(getattr(message, "num_samps_per_chan", 1)))


class RandomCalls:
    """A sequence of calls from one seed."""

    def __init__(self, bench: SimulatedDevices, seed: int) -> None:
        self.bench, self.random = bench, random.Random(seed)
        self.fitting, self.physical, self.task = True, FIT.get("", ()), ""
        self.channel = grpc.insecure_channel(bench.address, options=UNLIMITED)
        self.methods = {method.name: method for method in SERVICE.methods}
        self.answers: dict[str, int] = {}

    def run(self, steps: int) -> None:
        """Make that many calls; raises AssertionError with the call at fault."""
        while steps > 0:
            steps -= self.recipe() if self.random.random() < 0.15 else self.step()

    def recipe(self) -> int:
        """Calls in an order that makes sense, on a task of its own; returns how many."""
        names = ("ClearTask", "CreateTask", *self.random.choice(RECIPES))
        self.task = self.random.choice(TASKS[:-1])
        made = sum(self.step(name) for name in names)
        self.task = ""
        return made

    def step(self, name: str = "") -> int:
        """One call of any kind; returns 1."""
        name = name or (self.random.choice(USUAL) if self.random.random() < 0.7 else self.random.choice(sorted(self.methods)))
        request = self.request(name)
        raw = request.SerializeToString()
        kind = self.random.random()
        if kind < 0.04:
            raw = self.spoilt(raw)
        if name in STREAMS:
            self.listen(name, raw)
        elif kind < 0.08:
            self.abandon(name, raw)
        else:
            self.call(name, raw, request)
        return 1

    def call(self, name: str, raw: bytes, request: Any = None) -> None:
        """A plain call and what may come of it."""
        try:
            self.unary(name)(raw, timeout=PATIENCE)
            self.count("OK")
        except grpc.RpcError as error:
            self.judge(name, error, request)

    def judge(self, name: str, error: Any, request: Any) -> None:
        """Raise AssertionError for an answer that is neither NI's nor gRPC's."""
        code, said = error.code(), dict(error.trailing_metadata() or ())
        self.count(code.name)
        if code is grpc.StatusCode.UNKNOWN and "ni-error" in said:
            assert int(said["ni-error"]) < 0, f"{name}: {said}"
        elif code is grpc.StatusCode.INTERNAL:
            assert "deserializing" in error.details(), f"{name}({request}): {error.details()}"
        else:
            assert code in ALLOWED, f"{name}({request}): {code} {error.details()}"

    def listen(self, name: str, raw: bytes) -> None:
        """Open a stream of events, and leave it open, or not."""
        stream = self.channel.unary_stream(f"/{SERVICE.full_name}/{name}")(raw, timeout=PATIENCE)
        leave = self.random.random() < 0.5
        timer = threading.Timer(0.05 if leave else 0.002, stream.cancel)
        timer.start()
        try:
            for _ in stream:
                pass
            self.count("OK")
        except grpc.RpcError as error:
            self.judge(name, error, raw)
        finally:
            timer.cancel()

    def abandon(self, name: str, raw: bytes) -> None:
        """Cancel a call, or let the whole client vanish meanwhile."""
        if self.random.random() < 0.7:
            self.unary(name).future(raw).cancel()
        else:
            channel = grpc.insecure_channel(self.bench.address, options=[("grpc.use_local_subchannel_pool", 1)])
            channel.unary_unary(f"/{SERVICE.full_name}/{name}").future(raw)
            channel.close()
        self.count("abandoned")

    def unary(self, name: str) -> Any:
        """A call of bytes."""
        return self.channel.unary_unary(f"/{SERVICE.full_name}/{name}")

    def count(self, answer: str) -> None:
        """Keep how often each kind of answer came."""
        self.answers[answer] = self.answers.get(answer, 0) + 1

    def close(self) -> None:
        """Clear every task, and go."""
        for name in list(self.bench.engine.tasks):
            request = pb.ClearTaskRequest()
            request.task.name = name
            self.call("ClearTask", request.SerializeToString(), request)
        self.channel.close()

    # -- requests --------------------------------------------------------------------------------------------------------------------

    def request(self, name: str) -> Any:
        """A request of that call with random fields."""
        descriptor = self.methods[name].input_type
        message = descriptor._concrete_class()
        self.fitting = self.random.random() < (0.95 if self.task else 0.7)
        self.physical = FIT.get(name[:8], ())
        chosen = {oneof.name: self.random.choice(oneof.fields).name for oneof in descriptor.oneofs}
        for field in descriptor.fields:
            if field.containing_oneof is None or chosen[field.containing_oneof.name] == field.name:
                self.fill(message, field)
        return message

    def fill(self, message: Any, field: Any) -> None:
        """Give a field a value."""
        if field.message_type is not None:
            if field.name == "task":
                message.task.name = self.task or self.random.choice(TASKS)
            return
        if hasattr(getattr(message, field.name), "extend"):
            count = len_of(message) if self.fitting and field.name == "write_array" else self.random.choice((0, 1, 2, 10, 100))
            getattr(message, field.name).extend(self.value(field) for _ in range(count))
            return
        setattr(message, field.name, self.value(field))

    def value(self, field: Any) -> Any:
        """A value for one field, by its name where that says what it means, else by its type."""
        known = FITTING.get(field.name.removesuffix("_raw"), ())
        if self.fitting and self.physical and field.name in ("physical_channel", "lines", "counter"):
            return self.random.choice(self.physical)
        if self.fitting and field.name.removesuffix("_raw") == "units":
            return HERTZ if "Dev1/ctr" in str(self.physical) else VOLTS
        if self.fitting and known:
            return self.fitted(field, self.random.choice(known))
        if field.cpp_type == field.CPPTYPE_STRING:
            return self.bytes_() if field.type == field.TYPE_BYTES else self.text(field.name)
        if field.cpp_type in (field.CPPTYPE_DOUBLE, field.CPPTYPE_FLOAT):
            if field.name in ("timeout", "time_to_wait"):
                return self.random.choice((0.0, LONGEST_WAIT, -5.0))
            return self.random.choice(REALS)
        if field.cpp_type == field.CPPTYPE_BOOL:
            return self.random.random() < 0.5
        if field.cpp_type == field.CPPTYPE_ENUM:
            return self.random.choice(field.enum_type.values).number
        return self.whole(field)

    def fitted(self, field: Any, value: Any) -> Any:
        """The same name may be a text in one call and a number in another, signed or not."""
        if field.cpp_type == field.CPPTYPE_STRING:
            return str(value)
        if field.cpp_type in (field.CPPTYPE_DOUBLE, field.CPPTYPE_FLOAT):
            return float(value or 0)
        value = int(value or 0)
        unsigned = field.cpp_type in (field.CPPTYPE_UINT32, field.CPPTYPE_UINT64)
        return abs(value) if unsigned else value

    def whole(self, field: Any) -> int:
        """A whole number, seldom a large one where it says how many."""
        value = self.random.choice(WHOLES)
        if "array_size" in field.name or field.name.startswith("num_samps") or field.name == "number_of_samples_per_channel":
            value = self.random.choice((1, 1, 10, 100, 1000, -1, 0))
        unsigned = field.cpp_type in (field.CPPTYPE_UINT32, field.CPPTYPE_UINT64)
        return abs(value) if unsigned else value

    def text(self, name: str) -> str:
        """A name of what the field wants, or of something else."""
        if name == "session_name":
            return self.task or self.random.choice(TASKS)
        pool = CHANNELS if "channel" in name or "line" in name or name == "counter" else TERMINALS if "source" in name else TEXTS
        return self.random.choice(pool) if self.random.random() < 0.95 else self.random.choice(TEXTS)

    def bytes_(self) -> bytes:
        """A few samples as bytes."""
        return self.random.randbytes(self.random.choice((0, 1, 4, 10, 80)))

    def spoilt(self, raw: bytes) -> bytes:
        """Bytes that were a message once."""
        spoilt = bytearray(raw or b"\x0a\xff")
        for _ in range(self.random.randint(1, 3)):
            spoilt[self.random.randrange(len(spoilt))] = self.random.randrange(256)
        return bytes(spoilt[: self.random.randint(1, len(spoilt))])
