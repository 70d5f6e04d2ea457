"""Counter channels: made from the fields of a call, with the terminals that the driver chooses. Counting is not done here."""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.channels import creation as creating
from drivers.simulated.daqmx.channels import names as channel_names
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core import finite
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, Value, Values, as_float, as_int, plain
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.products import usages as of_products
from drivers.simulated.daqmx.sensors import scales
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.subsystems.counter import terminals
from drivers.simulated.daqmx.subsystems.counter import timebases as ct
from drivers.simulated.daqmx.subsystems.counter import usages as cu

READ_ONLY = {"CI_MEAS_TYPE", "CO_OUTPUT_TYPE", "CI_NUM_POSSIBLY_INVALID_SAMPS"}
FREQUENCY_OUTPUT = "freqout"
DMA, USB_BULK, USB = ni.DataTransferActiveTransferMode.DMA.value, ni.DataTransferActiveTransferMode.USB_BULK.value, ni.BusType.USB.value


def add_counter(engine: Engine, task: Task, call: str, request: Fields) -> None:
    """Add counter channels, input or output by the call. Raises DaqmxError."""
    output = call in cu.OUTPUTS
    creation = cu.OUTPUTS[call] if output else cu.INPUTS[call]
    with engine.lock:
        creating.open_for(task, ch.COUNTER_OUTPUT if output else ch.COUNTER_INPUT)
        places = [_place(engine, task, full, creation, output) for full in creating.physical_names(task, str(request["counter"]))]
        names = channel_names.assigned([place[0] for place in places], str(request["name_to_assign_to_channel"]))
        made = []
        for name, (physical, device, product, number) in zip(names, places, strict=True):
            with task.naming(Channel_Name=name):
                channel = _make(engine, product, creation, request, ch.CounterChannel(name, physical, device, 0, number=number), output)
            made.append(channel)
        shared = all(p[2].counting is not None and not p[2].counting.outputs for p in places)
        if not output and not shared and len(made) + len(task.channels) > 1:
            raise task.fail(-200147, Channel_Name=made[-1].name)
        creating.append(engine, task, made)


def _place(engine: Engine, task: Task, full: str, creation: cu.CounterUsage, output: bool) -> tuple[str, str, Product, int]:
    device, product, channel = creating.locate(engine, task, full)
    counting = product.counting
    if counting is None:
        raise creating.missing(engine, task, device, channel)
    head, digits = (channel[:4], channel[4:]) if counting.hidden else (channel[:3], channel[3:])
    if channel == FREQUENCY_OUTPUT and output and counting.frequency_output:
        number, able = -1, [*of_products.FREQUENCY_OUTPUT]
    elif head == ("_ctr" if counting.hidden else "ctr") and digits.isdigit() and int(digits) < counting.count:
        number = int(digits)
        if output and not counting.outputs:
            raise task.fail(-200430, Physical_Channel_Name=channel, Device=device)
        able = [*(of_products.PULSES if output else of_products.COUNTER if counting.outputs else of_products.COUNTER_MODULE)]
    else:
        raise creating.missing(engine, task, device, channel)
    if creation.usage not in able:
        raise task.fail(-200431, Property="DAQmx_CO_OutputType" if output else "DAQmx_CI_MeasType", Device=device, Channel_Name=channel)
    return f"{device}/{channel}", device, product, number


def _make(
    engine: Engine, product: Product, creation: cu.CounterUsage, request: Fields, channel: ch.CounterChannel, output: bool
) -> ch.CounterChannel:  # fmt: skip
    channel.kind = ch.COUNTER_OUTPUT if output else ch.COUNTER_INPUT
    fixed = _generic(product, channel, "CO" if output else "CI") | dict(creation.fixed)
    given = {attribute: plain(request[key]) for key, attribute in creation.fields.items() if key in request}
    attributes: dict[str, Value] = {**fixed, **given, "CO_OUTPUT_TYPE" if output else "CI_MEAS_TYPE": creation.usage}
    defaults = fixed | {name: cu.DEFAULTS.get(name, fixed.get(name, value)) for name, value in given.items()}
    units, known = creation.units
    if units:
        attributes |= {units: as_int(request["units"])}
        defaults |= {units: known[0]}
    if not output:
        attributes["CI_CUSTOM_SCALE_NAME"], defaults["CI_CUSTOM_SCALE_NAME"] = str(request.get("custom_scale_name", "")), ""
    if creation.limits is not None:
        attributes |= {
            "CI_MIN": plain(request.get("min_val", attributes.get("CI_MIN"))),
            "CI_MAX": plain(request.get("max_val", attributes.get("CI_MAX"))),
        }
        defaults |= dict(zip(("CI_MIN", "CI_MAX"), creation.limits, strict=True))
    channel.attributes, channel.defaults = attributes, defaults
    _check(engine, creation, channel)
    _choose_terminals(product, creation, channel)
    return channel


def _generic(product: Product, channel: ch.CounterChannel, family: str) -> dict[str, Value]:
    counting = product.counting
    assert counting is not None
    fastest = ct.name_of(counting.timebase)
    made: dict[str, Value] = {
        # A source and a rate that nobody chose follow from what is measured or put out (`subsystems/counter/timebases.py`).
        f"{family}_CTR_TIMEBASE_SRC": "", f"{family}_CTR_TIMEBASE_RATE": None,
        f"{family}_CTR_TIMEBASE_ACTIVE_EDGE": cu.RISING, f"{family}_PRESCALER": 1,
        f"{family}_DATA_XFER_MECH": USB_BULK if product.bus == USB else DMA,
        f"{family}_DATA_XFER_REQ_COND": 10242 if family == "CO" else 10241, f"{family}_MEM_MAP_ENABLE": False,
        **_filter(f"{family}_CTR_TIMEBASE", fastest, counting.timebase),
    }  # fmt: skip
    if family == "CI":
        made |= {"CI_DUP_COUNT_PREVENT": True, "CI_NUM_POSSIBLY_INVALID_SAMPS": 0}
        module = {} if counting.outputs else {"CI_SAMP_CLK_OVERRUN_BEHAVIOR": cu.REPEAT, "CI_SAMP_CLK_OVERRUN_SENTINEL_VAL": 0}
        return made | module
    return made | {"CO_ENABLE_INITIAL_DELAY_ON_RETRIGGER": None, "CO_USE_ONLY_ON_BRD_MEM": False, "CO_AUTO_INCR_CNT": 0}


def _filter(prefix: str, source: str, rate: float) -> dict[str, Value]:
    return {
        f"{prefix}_DIG_FLTR_ENABLE": False, f"{prefix}_DIG_FLTR_MIN_PULSE_WIDTH": 0.0, f"{prefix}_DIG_FLTR_TIMEBASE_SRC": source,
        f"{prefix}_DIG_FLTR_TIMEBASE_RATE": rate, f"{prefix}_DIG_SYNC_ENABLE": False,
    }  # fmt: skip


def _check(engine: Engine, creation: cu.CounterUsage, channel: ch.CounterChannel) -> None:
    a = channel.attributes
    for name, value in a.items():
        check_value(name, value)
    units, known = creation.units
    if units and a[units] == cu.FROM_CUSTOM_SCALE:
        scales.find(engine, str(a.get("CI_CUSTOM_SCALE_NAME", "")))
    elif units and a[units] not in known:
        raise DaqmxError(-200077, Property=c_name(units), Requested_Value=a[units])
    elif a.get("CI_CUSTOM_SCALE_NAME"):
        raise DaqmxError(-200447, Custom_Scale_Name=a["CI_CUSTOM_SCALE_NAME"])
    if creation.limits is not None and not as_float(a["CI_MIN"]) < as_float(a["CI_MAX"]):
        raise DaqmxError(-200082, Maximum_Value=a["CI_MAX"], Minimum_Value=a["CI_MIN"])


def check_value(name: str, value: Value) -> None:
    """Raise DaqmxError -200077 for a value that a property of counters never takes."""
    finite.need(c_name(name), value)
    terminals.check_name(name, value)
    known = ct.PRESCALERS if name.endswith("_PRESCALER") else cu.CHOICES.get(name)
    if (known is not None and value not in known) or _too_small(name, value) or (name == "CO_PULSE_DUTY_CYC" and as_float(value) >= 1.0):
        raise DaqmxError(-200077, Property=c_name(name), Requested_Value=value)


_ABOVE_ZERO = (
    "CO_PULSE_FREQ", "CO_PULSE_LOW_TIME", "CO_PULSE_HIGH_TIME", "CO_PULSE_DUTY_CYC", "CI_LIN_ENCODER_DIST_PER_PULSE", "CI_FREQ_MEAS_TIME",
    "CI_PERIOD_MEAS_TIME", "CI_VELOCITY_MEAS_TIME",
)  # fmt: skip
_LEAST = {
    "CO_PULSE_LOW_TICKS": 2, "CO_PULSE_HIGH_TICKS": 2, "CI_ANG_ENCODER_PULSES_PER_REV": 1, "CI_VELOCITY_ANG_ENCODER_PULSES_PER_REV": 1,
    "CI_FREQ_DIV": 1, "CI_PERIOD_DIV": 1, "CI_VELOCITY_DIV": 1,
}  # fmt: skip


def _too_small(name: str, value: Value) -> bool:
    if name in _ABOVE_ZERO or (name.endswith("_CTR_TIMEBASE_RATE") and value is not None):
        return not as_float(value) > 0.0
    if name in _LEAST or name.endswith(("_INITIAL_DELAY", "_DIG_FLTR_MIN_PULSE_WIDTH")):
        return as_float(value) < _LEAST.get(name, 0)
    return False


def _choose_terminals(product: Product, creation: cu.CounterUsage, channel: ch.CounterChannel) -> None:
    """Fill in the terminals that the driver takes unless told otherwise."""
    a, counting = channel.attributes, product.counting
    assert counting is not None
    fastest = ct.name_of(counting.timebase)
    for prefix, (term, which) in creation.inputs.items():
        chosen = {term: terminals.pin(product, channel, which, term), **_filter(prefix, fastest, counting.timebase)}
        channel.attributes, channel.defaults = {**a, **chosen, **_only(a, chosen)}, {**channel.defaults, **chosen}
        a = channel.attributes
    for name in ("CI_FREQ", "CI_PERIOD"):
        if f"{name}_MEAS_METH" in a:
            which = terminals.measured(as_int(a[f"{name}_MEAS_METH"]))
            a[f"{name}_TERM"] = channel.defaults[f"{name}_TERM"] = terminals.pin(product, channel, which)
    family = "CO" if channel.kind == ch.COUNTER_OUTPUT else "CI"
    if family == "CO":
        a["CO_PULSE_TERM"] = channel.defaults["CO_PULSE_TERM"] = terminals.pin(product, channel, cu.OUT)
    channel.defaults[f"{family}_CTR_TIMEBASE_SRC"] = ""
    changed(product, channel, f"{family}_CTR_TIMEBASE_SRC")


def changed(product: Product, channel: ch.CounterChannel, name: str) -> None:
    """A property was set: names of terminals are completed, and those that depend on the method follow it."""
    a = channel.attributes
    if name.endswith(("_TERM", "_CTR_TIMEBASE_SRC")):
        chosen = name.endswith("_TERM") or str(a[name]).strip().lower() not in cu.ONBOARD
        a[name] = terminals.qualified(channel, str(a[name])) if chosen else ""
    for prefix in ("CI_FREQ", "CI_PERIOD"):
        term = f"{prefix}_TERM"
        if name == f"{prefix}_MEAS_METH":
            untouched = a[term] == channel.defaults[term]
            channel.defaults[term] = terminals.pin(product, channel, terminals.measured(as_int(a[name])))
            a[term] = channel.defaults[term] if untouched else a[term]
    if name == "CI_PRESCALER":
        # "Setting this value disables duplicate count prevention unless you explicitly set it": NI-DAQmx Properties.
        a["CI_DUP_COUNT_PREVENT"] = channel.defaults["CI_DUP_COUNT_PREVENT"] = a[name] == 1


def _only(a: Values, chosen: Values) -> dict[str, Value]:
    return {name: a[name] for name in chosen if name in a}
