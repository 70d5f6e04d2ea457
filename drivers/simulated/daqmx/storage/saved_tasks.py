"""Tasks that are saved under a name, and made anew from what is saved: channels, timing, triggers, exported signals, streams, buffers.

What would not come back is not saved without a word: the task is made anew in trial first, and whatever differs is named (NotServed).
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from drivers.simulated.daqmx.channels import settling
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core import stored_words as words
from drivers.simulated.daqmx.core import task as tk
from drivers.simulated.daqmx.core.device_entries import Stored
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, Value, as_float, as_int, as_sequence, as_texts
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import NotServed
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.storage import persisted

DEFAULTS: dict[str, Value] = {
    "CHANNELS": "", "SAMP_TIMING_TYPE": tk.ON_DEMAND, "SAMP_CLK_RATE": 1000.0, "SAMP_CLK_SRC": "", "SAMP_CLK_ACTIVE_EDGE": tk.RISING,
    "SAMP_QUANT_SAMP_MODE": tk.FINITE, "SAMP_QUANT_SAMP_PER_CHAN": 1000, "REGEN_MODE": tk.ALLOW_REGENERATION, "REST": "{}",
}  # fmt: skip
"""What a stored task has in the words of NI MAX, and beside it the `REST` of what a task here is configured by, as JSON."""
REST = ("settings", "exports", "overwrite", "read_auto_start", "read_all_available", "buffer_size")
"""Fields of a task."""
OF_TIMING = ("divisor", "changes")
OF_CHANNELS = ("attributes", "asked", "forgotten", "sensor", "physical", "kind", "lines", "shifts", "columns", "number")
"""Fields of channels that are compared."""


def save_task(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    """`save_task`. Raises DaqmxError -200484 and -200919 where the name is taken, NotServed for what cannot be saved."""
    with engine.lock:
        task = engine.task(str(fields["task"]))
        task.need_channels()
        settling.settle_all(engine, task)
        name = str(fields["save_as"]).strip() or task.name
        listed = [c.name if c.attributes.get("CHAN_IS_GLOBAL") else f"{name}/{c.name}" for c in task.channels]
        texts = _texts(task, listed)
        own = {
            full: Stored(full, persisted.texts_of(channel))
            for channel, full in zip(task.channels, listed, strict=True) if not channel.attributes.get("CHAN_IS_GLOBAL")
        }  # fmt: skip
        _need_same(engine, task, Stored(name, texts), own)
        persisted.need_free(engine.stored_channels, name, -200919)
        name = persisted.keep(engine.stored_tasks, fields, task.name, texts, -200484)
        persisted.forget_channels(engine, name)
        engine.stored_channels.update(own)
    return {}


def _texts(task: Task, listed: list[str]) -> dict[str, str]:
    timing = task.timing
    rest = {name: getattr(task, name) for name in REST} | {name: getattr(timing, name) for name in OF_TIMING}
    return {
        "CHANNELS": ", ".join(listed), "SAMP_TIMING_TYPE": str(timing.kind), "SAMP_CLK_RATE": repr(timing.rate),
        "SAMP_CLK_SRC": timing.source, "SAMP_CLK_ACTIVE_EDGE": str(timing.edge), "SAMP_QUANT_SAMP_MODE": str(timing.mode),
        "SAMP_QUANT_SAMP_PER_CHAN": str(timing.samples), "REGEN_MODE": str(task.regeneration), "REST": json.dumps(rest),
    }  # fmt: skip


def _need_same(engine: Engine, task: Task, stored: Stored, own: Mapping[str, Stored]) -> None:
    """Raise NotServed, naming what differs, where the task that is made of what is stored is not the one that is saved."""
    trial = Task(task.name)
    _fill(engine, trial, stored, {**engine.stored_channels, **own})
    lost = [f"{name} of the task" for name in (*REST, "timing", "regeneration") if getattr(trial, name) != getattr(task, name)]
    if "settings of the task" in lost:
        lost += [name for name, value in task.settings.items() if trial.settings.get(name) != value]
    for before, after in zip(task.channels, trial.channels, strict=True):
        lost += [f"{name} of channel {before.name}" for name in _differing(before, after)]
    if lost:
        raise NotServed(f"a saved task with {', '.join(lost)}")


def _differing(before: ch.Channel, after: ch.Channel) -> list[str]:
    found = [name for name in OF_CHANNELS if name != "attributes" and getattr(before, name, None) != getattr(after, name, None)]
    names = {*before.attributes, *after.attributes} - {"CHAN_IS_GLOBAL"}
    return found + sorted(name for name in names if before.attributes.get(name) != after.attributes.get(name))


def fill_task(engine: Engine, task: Task, name: str) -> None:
    """Make a new task what is stored under `name`. Raises DaqmxError -200485 and whatever is wrong with its channels."""
    _fill(engine, task, persisted.stored_task(engine, name), engine.stored_channels)


def _fill(engine: Engine, task: Task, stored: Stored, channels: Mapping[str, Stored]) -> None:
    texts = words.by_name(stored.attributes, DEFAULTS)
    values = {key: words.value(key, texts[key], like if key not in words.ENUMERATIONS else None) if key in texts else like
              for key, like in DEFAULTS.items()}  # fmt: skip
    for full in [item.strip() for item in str(values["CHANNELS"]).split(",") if item.strip()]:
        channel = persisted.find(channels, full, -200882)
        persisted.add_stored(engine, task, channel, full.rpartition("/")[2])
        if "/" not in full:
            task.channels[-1].attributes["CHAN_IS_GLOBAL"] = True
    task.timing = tk.Timing(
        as_int(values["SAMP_TIMING_TYPE"]), as_float(values["SAMP_CLK_RATE"]), str(values["SAMP_CLK_SRC"]),
        as_int(values["SAMP_CLK_ACTIVE_EDGE"]), as_int(values["SAMP_QUANT_SAMP_MODE"]), as_int(values["SAMP_QUANT_SAMP_PER_CHAN"]),
    )  # fmt: skip
    task.regeneration = as_int(values["REGEN_MODE"])
    _fill_rest(task, str(values["REST"]))


def _fill_rest(task: Task, text: str) -> None:
    try:
        rest: dict[str, object] = json.loads(text)
    except ValueError:
        raise DaqmxError(-200077, Property="DAQmx_PersistedTask", Requested_Value=text) from None
    for name in REST:
        if name in rest:
            setattr(task, name, rest[name])
    # A list of JSON stands for what cannot be changed.
    task.settings = {key: tuple(value) if isinstance(value, list) else value for key, value in task.settings.items()}
    task.timing.divisor = None if rest.get("divisor") is None else as_int(rest["divisor"])
    if "changes" in rest:
        rising, falling = (tuple(as_texts(names)) for names in as_sequence(rest["changes"]))
        task.timing.changes = (rising, falling)


CALLS: dict[str, Call] = {"SaveTask": save_task}
