"""Timing, triggers and exported signals that only products have which are not simulated: switches, oscilloscopes, 653x cards, FieldDAQ.

A task whose device has not got such a thing is told so (-200452); one whose device or kind may have it, that it is not served. Which
devices: "DAQmx Timing", "DAQmx Trigger" and "DAQmx Export Signal" of the NI-DAQmx property reference.
"""

from __future__ import annotations

from collections.abc import Callable

from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Value
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.products import Product
from drivers.simulated.daqmx.products.product import DIGITAL_IO
from drivers.simulated.daqmx.status.not_served import NotServed
from drivers.simulated.daqmx.status.property_names import c_name

Has = Callable[[Product, Task], bool]


def _nobody(product: Product, task: Task) -> bool:
    return False


def _digital(product: Product, task: Task) -> bool:
    """Cards for fast digital signals."""
    return bool(product.category == DIGITAL_IO)


def _inputs(product: Product, task: Task) -> bool:
    return bool(task.kind == ch.ANALOG_INPUT)


def _records(product: Product, task: Task) -> bool:
    """What takes several records about several triggers."""
    return product.multi_edge


def _only(name: str, has: Has, family: str) -> Property[Task]:
    def refuse(engine: Engine, task: Task, value: Value = None) -> Value:
        task.need_channels()
        if has(engine.devices[task.device], task):
            raise NotServed(name)
        raise task.fail(-200452, Property=c_name(name, family), Device=task.device)

    return Property(refuse, refuse, reset=refuse)


PARTLY = {"FIRST_SAMP_CLK_WHEN", "FIRST_SAMP_CLK_TIMESCALE", "FIRST_SAMP_CLK_OFFSET"}
"""Names of those that some device here has, or may have; the first are in `timestamps`."""


def _all(has: Has, *names: str, family: str) -> dict[str, Property[Task]]:
    PARTLY.update(names if has is not _nobody else ())
    return {name: _only(name, has, family) for name in names}


TIMING: dict[str, Property[Task]] = {
    **_all(_digital, "HSHK_DELAY_AFTER_XFER", "HSHK_SAMPLE_INPUT_DATA_WHEN", "HSHK_START_COND", family="TIMING"),
    **_all(
        _inputs, "AI_CONV_DIG_FLTR_ENABLE", "AI_CONV_DIG_FLTR_MIN_PULSE_WIDTH", "AI_CONV_DIG_FLTR_TIMEBASE_RATE",
        "AI_CONV_DIG_FLTR_TIMEBASE_SRC", "AI_CONV_DIG_SYNC_ENABLE", "AI_CONV_SRC", "AI_CONV_TIMEBASE_SRC", "DELAY_FROM_SAMP_CLK_DELAY",
        "DELAY_FROM_SAMP_CLK_DELAY_UNITS", family="TIMING",
    ),
    **_all(lambda product, task: task.kind == ch.COUNTER_OUTPUT, "IMPLICIT_UNDERFLOW_BEHAVIOR", family="TIMING"),
    **_all(lambda product, task: task.kind in (ch.ANALOG_INPUT, ch.DIGITAL_INPUT), "SAMP_CLK_OVERRUN_BEHAVIOR", family="TIMING"),
    **_all(lambda product, task: bool(task.host), "SAMP_TIMING_ENGINE", family="TIMING"),
}  # fmt: skip
TRIGGER: dict[str, Property[Task]] = {
    **_all(
        _nobody, "ADV_TRIG_TYPE", "DIG_EDGE_ADV_TRIG_DIG_FLTR_ENABLE", "DIG_EDGE_ADV_TRIG_EDGE", "DIG_EDGE_ADV_TRIG_SRC",
        "REF_TRIG_AUTO_TRIGGERED", "TIME_START_TRIG_SRC", family="TRIGGER",
    ),
    **_all(_digital, "INTERLOCKED_HSHK_TRIG_ASSERTED_LVL", "INTERLOCKED_HSHK_TRIG_SRC", family="TRIGGER"),
    **_all(
        _records, "REF_TRIG_MAX_NUM_TRIGS_TO_DETECT", "REF_TRIG_RETRIGGER_WIN", "REF_TRIG_TRIG_WIN", "START_TRIG_MAX_NUM_TRIGS_TO_DETECT",
        "START_TRIG_RETRIGGER_WIN", "START_TRIG_TRIG_WIN", family="TRIGGER",
    ),
}  # fmt: skip
EXPORTED: dict[str, Property[Task]] = {
    **_all(
        _nobody, "ADV_CMPLT_EVENT_DELAY", "ADV_CMPLT_EVENT_ENABLE", "ADV_CMPLT_EVENT_OUTPUT_TERM", "ADV_CMPLT_EVENT_PULSE_POLARITY",
        "ADV_CMPLT_EVENT_PULSE_WIDTH", "ADV_CMPLT_EVENT_PULSE_WIDTH_UNITS", "ADV_TRIG_OUTPUT_TERM", "ADV_TRIG_PULSE_POLARITY",
        "ADV_TRIG_PULSE_WIDTH", "ADV_TRIG_PULSE_WIDTH_UNITS", family="EXPORTEDSIGNAL",
    ),
    **_all(
        _digital, "DATA_ACTIVE_EVENT_LVL_ACTIVE_LVL", "DATA_ACTIVE_EVENT_OUTPUT_TERM", "HSHK_EVENT_DELAY",
        "HSHK_EVENT_INTERLOCKED_ASSERTED_LVL", "HSHK_EVENT_INTERLOCKED_ASSERT_ON_START", "HSHK_EVENT_INTERLOCKED_DEASSERT_DELAY",
        "HSHK_EVENT_OUTPUT_BEHAVIOR", "HSHK_EVENT_OUTPUT_TERM", "HSHK_EVENT_PULSE_POLARITY", "HSHK_EVENT_PULSE_WIDTH",
        "PAUSE_TRIG_LVL_ACTIVE_LVL", "PAUSE_TRIG_OUTPUT_TERM", "RDY_FOR_START_EVENT_LVL_ACTIVE_LVL", "RDY_FOR_START_EVENT_OUTPUT_TERM",
        "RDY_FOR_XFER_EVENT_DEASSERT_COND", "RDY_FOR_XFER_EVENT_DEASSERT_COND_CUSTOM_THRESHOLD", "RDY_FOR_XFER_EVENT_OUTPUT_TERM",
        "SAMP_CLK_DELAY_OFFSET", family="EXPORTEDSIGNAL",
    ),
    **_all(_inputs, "AI_CONV_CLK_PULSE_POLARITY", "AI_HOLD_CMPLT_EVENT_PULSE_POLARITY", family="EXPORTEDSIGNAL"),
}  # fmt: skip
