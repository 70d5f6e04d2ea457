"""Scales, global channels and tasks that are kept under a name, as NI MAX keeps them: loaded, saved, deleted.

They live as long as the server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from drivers.simulated.daqmx.channels import analog_input, analog_output, counter, digital, settling
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core import stored_words as words
from drivers.simulated.daqmx.core.device_entries import Stored
from drivers.simulated.daqmx.core.names import expand, need_valid
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, Value, Values, as_int
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import NotServed, Property
from drivers.simulated.daqmx.sensors import measurements as ms
from drivers.simulated.daqmx.sensors import scales
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.subsystems.counter import usages as cu

OVERWRITE, EDITING, DELETION = 1, 2, 4
COLUMNS = "LINE_COLUMNS"
"""Order of the lines of a channel in waveforms: it had a port, or lines."""
OWN = {"AUTHOR", "ALLOW_INTERACTIVE_EDITING", "ALLOW_INTERACTIVE_DELETION"}


def find(kept: Mapping[str, Stored], name: str, code: int) -> Stored:
    """What is stored under a name. Raises DaqmxError `code`."""
    for known, stored in kept.items():
        if known.lower() == name.strip().lower():
            return stored
    raise DaqmxError(code, "", 0, **{"Channel_Name" if code == -200882 else "Task_Name": name})


def stored_task(engine: Engine, name: str) -> Stored:
    """Raises DaqmxError -200485."""
    return find(engine.stored_tasks, name, -200485)


def stored_channel(engine: Engine, name: str) -> Stored:
    """A global channel. Raises DaqmxError -200882."""
    found = find(engine.stored_channels, name, -200882)
    if "/" in found.name:  # a local one of a task
        raise DaqmxError(-200882, Channel_Name=name)
    return found


# -- scales ----------------------------------------------------------------------------------------------------------------------------


def save_scale(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    with engine.lock:
        scale = scales.find(engine, str(fields["scale_name"]))
        texts = {name: words.text_of(value) for name, value in scale.attributes.items() if name != "TYPE"}
        keep(engine.stored_scales, fields, scale.name, {"SCALE_TYPE": str(scale.kind), **texts}, -200356)
    return {}


def keep(kept: dict[str, Stored], fields: Fields, name: str, texts: Mapping[str, str], code: int) -> str:
    """Store under the name that is wanted. Raises DaqmxError `code` where it is taken and not to be overwritten."""
    options, wanted = as_int(fields["options"]), str(fields["save_as"]) or name
    need_valid(str(fields["save_as"]))
    there = next((known for known in kept if known.lower() == wanted.lower()), None)
    if there is not None and not options & OVERWRITE:
        raise DaqmxError(code, Name=wanted)
    own = {
        "AUTHOR": str(fields["author"]), "ALLOW_INTERACTIVE_EDITING": str(bool(options & EDITING)),
        "ALLOW_INTERACTIVE_DELETION": str(bool(options & DELETION)),
    }  # fmt: skip
    kept[there or wanted] = Stored(there or wanted, {**texts, **own})
    return there or wanted


def need_free(others: Mapping[str, Stored], name: str, code: int) -> None:
    """Raise DaqmxError `code` for a name of what is stored otherwise: tasks and global channels have no name together."""
    if any(known.lower() == name.strip().lower() for known in others):
        raise DaqmxError(code, Name=name)


# -- channels --------------------------------------------------------------------------------------------------------------------------


def texts_of(channel: ch.Channel) -> dict[str, str]:
    """What is stored of a channel."""
    values = {name: value for name, value in channel.attributes.items() if name != "CHAN_IS_GLOBAL"}
    if isinstance(channel, ch.AnalogChannel):
        values = {name: value for name, value in values.items() if not name.endswith(("_RNG_LOW", "_RNG_HIGH", "_DEV_SCALING_COEFF"))}
        values |= {name: value for name, value in channel.asked.items() if value is not None}
    made = {name: words.text_of(value) for name, value in values.items()}
    if isinstance(channel, ch.LineChannel):
        made[COLUMNS] = ", ".join(map(str, channel.columns))
    return {"CHAN_TYPE": str(channel.kind), "PHYSICAL_CHAN_NAME": channel.physical, **made}


def add_stored(engine: Engine, task: Task, stored: Stored, name: str) -> None:
    """Make the channel that a text describes, under `name`. Raises DaqmxError, NotServed."""
    place = words.by_name(stored.attributes, ("CHAN_TYPE", "PHYSICAL_CHAN_NAME"))
    kind, physical = as_int(words.value("CHAN_TYPE", place.get("CHAN_TYPE", "Analog Input"))), place.get("PHYSICAL_CHAN_NAME", "")
    before = len(task.channels)
    _MAKERS[kind](engine, task, stored, physical, name)
    for channel in task.channels[before:]:
        _fill(channel, stored)
        channel.name = name
        settling.settle(engine, task, channel)


def _fill(channel: ch.Channel, stored: Stored) -> None:
    """Take over what the call that makes the channel has no field for."""
    asked = channel.asked if isinstance(channel, ch.AnalogChannel) else {}
    known = {**channel.attributes, "CHAN_DESCR": ""}
    texts = words.by_name(stored.attributes, known)
    texts |= words.by_name(stored.attributes, ("DESCR",)) and {"CHAN_DESCR": words.by_name(stored.attributes, ("DESCR",))["DESCR"]}
    if isinstance(channel, ch.LineChannel) and stored.attributes.get(COLUMNS):
        channel.columns = tuple(map(int, stored.attributes[COLUMNS].split(",")))
    for name, text in texts.items():
        like = known[name]
        if name in asked:
            asked[name] = words.value(name, text, 0.0)
        elif name in words.ENUMERATIONS or isinstance(like, (bool, int, float, str, list)):
            channel.attributes[name] = words.value(name, text, like)
        elif like is None and text != "None":
            channel.attributes[name] = words.truth(text) if text in ("True", "False") else words.value(name, text)


def _given(stored: Stored, fields: Mapping[str, str], defaults: Values) -> dict[str, Value]:
    texts = words.by_name(stored.attributes, fields.values())
    return {
        key: words.value(name, texts[name], defaults.get(name)) if name in texts else defaults.get(name) for key, name in fields.items()
    }  # fmt: skip


def _input(engine: Engine, task: Task, stored: Stored, physical: str, name: str) -> None:
    texts = words.by_name(stored.attributes, ("AI_MEAS_TYPE", "AI_BRIDGE_SCALE_TYPE", "AI_EXCIT_VOLTAGE_OR_CURRENT", "AI_TERM_CFG"))
    usage = as_int(words.value("AI_MEAS_TYPE", texts.get("AI_MEAS_TYPE", "Voltage")))
    call = next((c for c, creation in ms.CREATIONS.items() if creation.usage == usage and _fits(creation, texts)), None)
    if call is None:
        raise NotServed(f"a stored channel of measurement type {texts.get('AI_MEAS_TYPE')}")
    of = ms.USAGES[usage]
    common = {"units": of.units, "custom_scale_name": "AI_CUSTOM_SCALE_NAME", "min_val": "AI_MIN", "max_val": "AI_MAX"}
    defaults = ms.DEFAULTS | {of.units: next(iter(of.known)), "AI_CUSTOM_SCALE_NAME": "", "AI_MIN": of.limits[0], "AI_MAX": of.limits[1]}
    request = _given(stored, {**ms.CREATIONS[call].fields, **common}, defaults)
    configuration = words.value("AI_TERM_CFG", texts.get("AI_TERM_CFG", "Default"))
    request |= {"physical_channel": physical, "name_to_assign_to_channel": name, "terminal_config": configuration}
    analog_input.add_input(engine, task, call, request)


def _fits(creation: ms.Creation, texts: Mapping[str, str]) -> bool:
    """Whether a call makes the kind of scaling, and of excitation, that is stored."""
    for name in ("AI_BRIDGE_SCALE_TYPE", "AI_EXCIT_VOLTAGE_OR_CURRENT"):
        if name in texts and name in creation.fixed and words.value(name, texts[name]) != creation.fixed[name]:
            return False
    return True


def _output(engine: Engine, task: Task, stored: Stored, physical: str, name: str) -> None:
    texts = words.by_name(stored.attributes, ("AO_OUTPUT_TYPE",))
    usage = as_int(words.value("AO_OUTPUT_TYPE", texts.get("AO_OUTPUT_TYPE", "Voltage")))
    call = next((c for c, known in analog_output.USAGES.items() if known == usage), "CreateAOFuncGenChan")
    units, unit = analog_output.UNITS.get(usage, ("AO_VOLTAGE_UNITS", ch.VOLTS))
    low, high = analog_output.LIMITS.get(usage, (-10.0, 10.0))
    fields = {"units": units, "custom_scale_name": "AO_CUSTOM_SCALE_NAME", "min_val": "AO_MIN", "max_val": "AO_MAX"}
    request = _given(stored, fields, {units: unit, "AO_CUSTOM_SCALE_NAME": "", "AO_MIN": low, "AO_MAX": high})
    analog_output.add_output(engine, task, call, {**request, "physical_channel": physical, "name_to_assign_to_channel": name})


def _lines(kind: int) -> Callable[[Engine, Task, Stored, str, str], None]:
    def make(engine: Engine, task: Task, stored: Stored, physical: str, name: str) -> None:
        request = {"lines": physical, "name_to_assign_to_lines": name, "line_grouping": digital.CHAN_FOR_ALL_LINES}
        digital.add_lines(engine, task, kind, request)

    return make


def _counter(table: Mapping[str, cu.CounterUsage], type_name: str) -> Callable[[Engine, Task, Stored, str, str], None]:
    def make(engine: Engine, task: Task, stored: Stored, physical: str, name: str) -> None:
        texts = words.by_name(stored.attributes, (type_name,))
        usage = words.value(type_name, texts.get(type_name, "0"))
        call = next((c for c, creation in table.items() if creation.usage == usage), None)
        if call is None:
            raise NotServed(f"a stored channel of type {texts.get(type_name)}")
        creation = table[call]
        fields, defaults = dict(creation.fields), dict(cu.DEFAULTS)
        if creation.units[0]:
            fields["units"], defaults[creation.units[0]] = creation.units[0], creation.units[1][0]
        if creation.limits is not None:
            fields |= {"min_val": "CI_MIN", "max_val": "CI_MAX"}
            defaults |= dict(zip(("CI_MIN", "CI_MAX"), creation.limits, strict=True))
        request = _given(stored, {**fields, "custom_scale_name": "CI_CUSTOM_SCALE_NAME"}, defaults | {"CI_CUSTOM_SCALE_NAME": ""})
        counter.add_counter(engine, task, call, {**request, "counter": physical, "name_to_assign_to_channel": name})

    return make


_MAKERS: dict[int, Callable[[Engine, Task, Stored, str, str], None]] = {
    ch.ANALOG_INPUT: _input, ch.ANALOG_OUTPUT: _output, ch.DIGITAL_INPUT: _lines(ch.DIGITAL_INPUT),
    ch.DIGITAL_OUTPUT: _lines(ch.DIGITAL_OUTPUT), ch.COUNTER_INPUT: _counter(cu.INPUTS, "CI_MEAS_TYPE"),
    ch.COUNTER_OUTPUT: _counter(cu.OUTPUTS, "CO_OUTPUT_TYPE"),
}  # fmt: skip


def add_globals(engine: Engine, task: Task, names: str) -> None:
    """`add_global_channels`. Raises DaqmxError -200882 for a name that is none."""
    with engine.lock:
        for stored in [stored_channel(engine, name) for name in expand(names)]:
            add_stored(engine, task, stored, stored.name)
            task.channels[-1].attributes["CHAN_IS_GLOBAL"] = True


def save_channel(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    with engine.lock:
        task = engine.task(str(fields["task"]))
        named = str(fields["channel_name"])
        channels = task.find(named, expand(named))
        if len(channels) != 1:
            raise task.fail(-200097)
        settling.settle(engine, task, channels[0])
        need_free(engine.stored_tasks, str(fields["save_as"]) or channels[0].name, -200918)
        keep(engine.stored_channels, fields, channels[0].name, texts_of(channels[0]), -200483)
    return {}


# -- tasks -----------------------------------------------------------------------------------------------------------------------------


def forget_channels(engine: Engine, task: str) -> None:
    """Channels that belong to a stored task go with it."""
    for name in [n for n in engine.stored_channels if n.lower().startswith(f"{task.lower()}/")]:
        del engine.stored_channels[name]


def _delete(kind: str) -> Call:
    def call(engine: Engine, fields: Fields, alive: Alive) -> Fields:
        with engine.lock:
            if kind == "task":
                name = stored_task(engine, str(fields["task_name"])).name
                del engine.stored_tasks[name]
                forget_channels(engine, name)
            elif kind == "channel":
                del engine.stored_channels[stored_channel(engine, str(fields["channel_name"])).name]
            else:
                del engine.stored_scales[scales.stored(engine, str(fields["scale_name"])).name]
        return {}

    return call


CALLS: dict[str, Call] = {
    "SaveScale": save_scale, "SaveGlobalChan": save_channel,
    "DeleteSavedScale": _delete("scale"), "DeleteSavedGlobalChan": _delete("channel"), "DeleteSavedTask": _delete("task"),
}  # fmt: skip


# -- properties: the subject is what is stored -----------------------------------------------------------------------------------------


def _own(name: str) -> Property[Stored]:
    if name == "AUTHOR":
        return Property(lambda e, s: words.by_name(s.attributes, (name,)).get(name, ""))
    return Property(lambda e, s: words.truth(words.by_name(s.attributes, (name,)).get(name, "True")))


PERSISTED: dict[str, Property[Stored]] = {
    **{name: _own(name) for name in sorted(OWN)},
    **{f"ACTIVE_{kind}": Property(lambda e, s: s.name) for kind in ("TASK", "CHAN", "SCALE")},
}
