"""Properties of channels by NI's name. The subject is (task, channel).

A channel has the properties that its usage gave it (`Channel.attributes`); any other is not applicable to it. A change is checked for
itself at once and with everything else when the channel is settled: before a property is read, and when the task is verified.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nidaqmx import constants as ni

from drivers.simulated.daqmx.channels import analog_input, analog_output, counter
from drivers.simulated.daqmx.channels.settling import settle
from drivers.simulated.daqmx.configuration import device_settings, filter_settings, setting_changes
from drivers.simulated.daqmx.core import channel as ch
from drivers.simulated.daqmx.core.values import Value, as_float, as_floats, as_int
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import ChannelOfTask, NotServed, Property
from drivers.simulated.daqmx.io import counter_writing, power_supply
from drivers.simulated.daqmx.products import AnalogInputs
from drivers.simulated.daqmx.properties import bridges, counter_results, counter_state, unsupported_properties
from drivers.simulated.daqmx.sensors import measurements as ms
from drivers.simulated.daqmx.sensors import rosettes
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.status.property_names import c_name
from drivers.simulated.daqmx.subsystems.counter import usages as cu
from drivers.simulated.daqmx.timing import rates

SECONDS, SAMPLE_PERIODS = ni.DigitalWidthUnits.SECONDS.value, ni.DigitalWidthUnits.SAMPLE_CLOCK_PERIODS.value

READ_ONLY = {
    "AI_MEAS_TYPE", "AI_RESOLUTION", "AI_RESOLUTION_UNITS", "AI_RAW_SAMP_SIZE", "AI_RAW_SAMP_JUSTIFICATION", "AI_DEV_SCALING_COEFF",
    "AI_IS_TEDS", "AI_TEDS_UNITS", "AI_CHAN_CAL_HAS_VALID_CAL_INFO", "AO_OUTPUT_TYPE", "AO_RESOLUTION",
    "AO_DEV_SCALING_COEFF", rosettes.TYPE, rosettes.STRAINS, *power_supply.COEFFICIENTS, *counter.READ_ONLY,
}  # fmt: skip
ASKED = {"AI_MIN", "AI_MAX", "AI_RNG_HIGH", "AO_MIN", "AO_MAX", "AO_DAC_RNG_HIGH"}
MIRRORED = {"AI_RNG_LOW": "AI_RNG_HIGH", "AO_DAC_RNG_LOW": "AO_DAC_RNG_HIGH"}
"""Lower ends of ranges that are symmetric."""
UNSPECIFIED = {"AI_MIN": -200694, "AI_MAX": -200695}
"""What a limit that was reset answers (nidaqmx-python, tests/legacy/test_properties.py)."""
TOLD_ONLY = {"AO_RESOLUTION_UNITS"}
"""In what something is told: what was written stays. The client sets it before every raw write."""


def _get(name: str) -> Callable[[Engine, ChannelOfTask], Value]:
    def get(engine: Engine, subject: ChannelOfTask) -> Value:
        task, channel = subject
        _applies(subject, name)
        settle(engine, task, channel)
        if name in UNSPECIFIED and isinstance(channel, ch.AnalogChannel) and name in channel.forgotten:
            raise task.fail(UNSPECIFIED[name], Channel_Name=channel.name)
        if isinstance(channel, ch.CounterChannel):
            return counter_results.shown(engine, task, channel, name)
        return channel.attributes[name]

    return get


def _applies(subject: ChannelOfTask, name: str) -> None:
    task, channel = subject
    if name not in channel.attributes:
        raise task.fail(-200452, Property=c_name(name), Channel_Name=channel.name)


def _set(name: str) -> Callable[[Engine, ChannelOfTask, Value], None]:
    def change(engine: Engine, subject: ChannelOfTask, value: Value) -> None:
        task, channel = subject
        _applies(subject, name)
        value = as_floats(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
        _check(engine, subject, name, value)
        if task.running and name not in cu.LIVE | power_supply.LIVE:
            raise task.fail(-200557, Property=c_name(name), Channel_Name=channel.name)
        if not task.running:
            setting_changes.changed(engine, task, empties=name not in TOLD_ONLY)
        if name in MIRRORED:
            assert isinstance(channel, ch.AnalogChannel)
            channel.asked[MIRRORED[name]] = None if value is None else -as_float(value)
        elif name in ASKED:
            assert isinstance(channel, ch.AnalogChannel)
            channel.asked[name] = value
            channel.forgotten.discard(name)
        else:
            channel.attributes[name] = value
        inputs = engine.devices[channel.device].inputs
        if name == "AI_EXCIT_VAL" and "AI_EXCIT_ACTUAL_VAL" in channel.attributes:
            channel.attributes["AI_EXCIT_ACTUAL_VAL"] = value
        if name == "AO_TERM_CFG" and value == ch.DEFAULT:
            channel.attributes[name] = channel.defaults[name]
        if name == "AI_TERM_CFG" and inputs is not None:
            channel.attributes[name] = analog_input.configuration(inputs, channel.physical, as_int(value))
        if isinstance(channel, ch.CounterChannel):
            counter.changed(engine.devices[channel.device], channel, name)
            if task.running:
                counter_writing.changed(engine, task, channel)
        if name == "AI_RTD_TYPE":
            channel.attributes |= analog_input.rtd_coefficients(as_int(value))
            channel.defaults |= analog_input.rtd_coefficients(as_int(value))

    return change


def _check(engine: Engine, subject: ChannelOfTask, name: str, value: Value) -> None:
    task, channel = subject
    with task.naming(Channel_Name=channel.name):
        analog_input.check_value(name, value)
        counter.check_value(name, value)
        power_supply.check_value(name, value)
        filter_settings.check_line(engine, channel, name, value)
        device_settings.check(engine.devices[channel.device], channel.attributes, name, value)
        known = tuple(rosettes.NAMES) if name == rosettes.MEASUREMENT else analog_output.CHOICES.get(name)
        if known is not None and value not in known:
            raise DaqmxError(-200077, Property=c_name(name), Requested_Value=value)
        inputs = engine.devices[channel.device].inputs
        if channel.kind == ch.ANALOG_INPUT and inputs is not None and not isinstance(channel, (ch.PowerChannel, ch.RosetteChannel)):
            _check_input(inputs, channel, name, value)


def _check_input(inputs: AnalogInputs, channel: ch.Channel, name: str, value: Value) -> None:
    usage = ms.USAGES[as_int(channel.attributes["AI_MEAS_TYPE"])]
    if name in (usage.units, "AI_BRIDGE_PHYSICAL_UNITS"):
        analog_input.check_unit(usage, {**channel.attributes, name: value})
    if name == "AI_TERM_CFG":
        analog_input.configuration(inputs, channel.physical, as_int(value))
    if name == "AI_COUPLING" and not inputs.couplings & {ch.AC: 1, ch.DC: 2, 10066: 4}.get(as_int(value), 0):
        raise DaqmxError(-200077, Property="DAQmx_AI_Coupling", Requested_Value=value)


def _attribute(name: str) -> Property[ChannelOfTask]:
    def reset(engine: Engine, subject: ChannelOfTask) -> None:
        _applies(subject, name)
        _set(name)(engine, subject, subject[1].defaults.get(name, subject[1].attributes[name]))
        if name in UNSPECIFIED:
            assert isinstance(subject[1], ch.AnalogChannel)
            subject[1].forgotten.add(name)

    return Property(_get(name), None if name in READ_ONLY else _set(name), reset=None if name in READ_ONLY else reset)


def _line_count(kind: int) -> Property[ChannelOfTask]:
    def get(engine: Engine, subject: ChannelOfTask) -> int:
        task, channel = subject
        if channel.kind != kind or not isinstance(channel, ch.LineChannel):
            raise task.fail(-200452, Channel_Name=channel.name)
        return len(channel.lines)

    return Property(get)


# -- delay of digital filters ----------------------------------------------------------------------------------------------------------


def _filtered(engine: Engine, subject: ChannelOfTask, name: str) -> AnalogInputs:
    """Inputs of the channel's device, whose digital filters delay. Raises DaqmxError -200452 for others."""
    task, channel = subject
    inputs = engine.devices[channel.device].inputs
    if channel.kind != ch.ANALOG_INPUT or inputs is None or not inputs.filter_delay:
        raise task.fail(-200452, Property=name, Channel_Name=channel.name)
    return inputs


def _filter_delay(engine: Engine, subject: ChannelOfTask) -> float:
    inputs = _filtered(engine, subject, "DAQmx_AI_FilterDelay")
    in_samples = _delay_units(engine, subject) == SAMPLE_PERIODS
    return float(inputs.filter_delay) if in_samples else inputs.filter_delay / rates.coerced_rate(engine, subject[0])


def _delay_units(engine: Engine, subject: ChannelOfTask) -> int:
    _filtered(engine, subject, "DAQmx_AI_FilterDelayUnits")
    return as_int(subject[1].attributes.get("AI_FILTER_DELAY_UNITS", SECONDS))


def _set_delay_units(engine: Engine, subject: ChannelOfTask, value: Value) -> None:
    task, channel = subject
    _filtered(engine, subject, "DAQmx_AI_FilterDelayUnits")
    if value not in (SAMPLE_PERIODS, SECONDS):
        raise task.fail(-200077, Property="DAQmx_AI_FilterDelayUnits", Requested_Value=value, Channel_Name=channel.name)
    channel.attributes["AI_FILTER_DELAY_UNITS"] = value


def _removed(engine: Engine, subject: ChannelOfTask) -> bool:
    if not _filtered(engine, subject, "DAQmx_AI_RemoveFilterDelay").compensates:
        raise subject[0].fail(-200452, Property="DAQmx_AI_RemoveFilterDelay", Channel_Name=subject[1].name)
    return True


def _set_removed(engine: Engine, subject: ChannelOfTask, value: Value) -> None:
    _removed(engine, subject)
    if not value:  # the hardware does it by itself
        raise subject[0].fail(-200077, Property="DAQmx_AI_RemoveFilterDelay", Requested_Value=value, Channel_Name=subject[1].name)


# -- what all channels have ------------------------------------------------------------------------------------------------------------


def _description(engine: Engine, subject: ChannelOfTask, value: Value) -> None:
    subject[1].attributes["CHAN_DESCR"] = value


_NAMES = {
    *ms.DEFAULTS, *ms.CHOICES, *(usage.units for usage in ms.USAGES.values()), *(n for c in ms.CREATIONS.values() for n in c.fixed),
    *cu.names(), *power_supply.DEFAULTS, *READ_ONLY, *ASKED, *MIRRORED,
    *analog_output.CHOICES, *(units for units, _ in analog_output.UNITS.values()),
    rosettes.MEASUREMENT, rosettes.ORIENTATION, "AI_EXCIT_ACTUAL_VAL", "AI_ENHANCED_ALIAS_REJECTION_ENABLE", "AI_VOLTAGE_DB_REF",
    "AI_OPEN_THRMCPL_DETECT_ENABLE",
    "AI_COUPLING", "AI_TERM_CFG", "AI_BRIDGE_PHYSICAL_UNITS", "AI_CUSTOM_SCALE_NAME",
    "AI_DATA_XFER_MECH", "AI_MEM_MAP_ENABLE", "AI_RTD_A", "AI_RTD_B", "AI_RTD_C",
    "AI_LOSSY_LSB_REMOVAL_COMPRESSED_SAMP_SIZE", "AI_CHAN_CAL_ENABLE_CAL", "AI_CHAN_CAL_APPLY_CAL_IF_EXP", "AO_CUSTOM_SCALE_NAME",
    "AO_USE_ONLY_ON_BRD_MEM", "AO_MEM_MAP_ENABLE", "AO_REGLITCH_ENABLE", "AO_TERM_CFG",
    "DI_INVERT_LINES", "DI_DIG_FLTR_ENABLE", "DI_DIG_FLTR_MIN_PULSE_WIDTH", "DI_TRISTATE", "DI_DATA_XFER_MECH", "DI_DATA_XFER_REQ_COND",
    "DI_MEM_MAP_ENABLE", "DO_INVERT_LINES", "DO_TRISTATE", "DO_OUTPUT_DRIVE_TYPE", "DO_DATA_XFER_MECH", "DO_DATA_XFER_REQ_COND",
    "DO_MEM_MAP_ENABLE", "DO_USE_ONLY_ON_BRD_MEM",
}  # fmt: skip


def _of_no_channel(name: str) -> Property[ChannelOfTask]:
    """A property of products that are not simulated: the driver says so of any other."""

    def get(engine: Engine, subject: ChannelOfTask) -> None:
        if name in unsupported_properties.PARTLY and unsupported_properties.PARTLY[name](engine.devices[subject[1].device]):
            raise NotServed(f"property {name} of this device")
        _applies(subject, name)

    return Property(get, lambda e, s, v: get(e, s), reset=get)


def _set_gain(engine: Engine, subject: ChannelOfTask, value: Value) -> None:
    """Gain in dB of a module that has gains rather than ranges: it is the range that belongs to it."""
    task, channel = subject
    _applies(subject, "AI_GAIN")
    inputs = engine.devices[channel.device].inputs
    assert inputs is not None
    if value is not None and value not in inputs.gains:
        possible = ", ".join(map(str, inputs.gains))
        raise task.fail(
            -200077, Property="DAQmx_AI_Gain", Requested_Value=value, Possible_Values=possible, Channel_Name=channel.name
        )  # fmt: skip
    _set("AI_RNG_HIGH")(engine, subject, None if value is None else inputs.tops[inputs.gains.index(as_float(value))])


CHANNEL: dict[str, Property[ChannelOfTask]] = {
    "AI_GAIN": Property(_get("AI_GAIN"), _set_gain, reset=lambda e, s: _set_gain(e, s, None)),
    **{name: _of_no_channel(name) for name in (*unsupported_properties.PROPERTIES, *unsupported_properties.PARTLY)},
    **{name: _attribute(name) for name in sorted(_NAMES)},
    "AI_FILTER_DELAY": Property(_filter_delay),
    "AI_FILTER_DELAY_UNITS": Property(_delay_units, _set_delay_units, SECONDS),
    "AI_REMOVE_FILTER_DELAY": Property(_removed, _set_removed, True),
    "CHAN_TYPE": Property(lambda e, s: s[1].kind),
    "PHYSICAL_CHAN_NAME": Property(lambda e, s: s[1].physical),
    "CHAN_DESCR": Property(lambda e, s: s[1].attributes.get("CHAN_DESCR", ""), _description, ""),
    "CHAN_IS_GLOBAL": Property(lambda e, s: s[1].attributes.get("CHAN_IS_GLOBAL", False)),
    **bridges.CHANNEL,
    **power_supply.CHANNEL,
    **counter_state.CHANNEL,
    "DI_NUM_LINES": _line_count(ch.DIGITAL_INPUT),
    "DO_NUM_LINES": _line_count(ch.DIGITAL_OUTPUT),
}
