"""Properties of physical channels by NI's own names; the subject is the channel's name."""

from __future__ import annotations

from collections.abc import Callable

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.core.values import Value
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.engine.property import Property
from drivers.simulated.daqmx.products import AnalogInputs, AnalogOutputs, usages
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.system import enumeration as en
from drivers.simulated.daqmx.system import teds

Physical = en.Physical
Get = Callable[[Engine, Physical], Value]

VOLTAGE_AT_POWER_UP, HIGH_IMPEDANCE = ni.AOPowerUpOutputBehavior.VOLTAGE.value, ni.AOPowerUpOutputBehavior.HIGH_IMPEDANCE.value
"""Members of AOPowerUpOutputBehavior."""


def _inputs(get: Callable[[AnalogInputs, Physical], Value]) -> Get:
    return lambda engine, p: get(p.product.inputs, p) if en.AI in p.kinds and p.product.inputs else None


def _outputs(get: Callable[[AnalogOutputs, Physical], Value]) -> Get:
    return lambda engine, p: get(p.product.outputs, p) if en.AO in p.kinds and p.product.outputs else None


def _lines(get: Callable[[Physical], Value]) -> Get:
    return lambda engine, p: get(p) if {en.LINE, en.PORT} & {*p.kinds} else None


def _width(engine: Engine, p: Physical) -> int | None:
    return p.product.ports[p.port] if en.PORT in p.kinds else None


def _clocked(p: Physical) -> bool:
    return p.port in p.product.digital.clocked


def _modes(p: Physical) -> list[int] | None:
    return list(p.product.digital.sample_modes) if _clocked(p) else None


def _counted(engine: Engine, p: Physical) -> list[int] | None:
    if en.CI not in p.kinds or p.product.counting is None:
        return None
    return list(usages.COUNTER if p.product.counting.outputs else usages.COUNTER_MODULE)


def _generated(engine: Engine, p: Physical) -> list[int] | None:
    if en.CO not in p.kinds:
        return None
    return list(usages.FREQUENCY_OUTPUT if p.channel == "freqout" else usages.PULSES)


def _family(engine: Engine, p: Physical) -> int | None:
    families = p.product.digital.families
    return engine.nonvolatile.families.get(p.device, families[0]) if families and en.PORT in p.kinds else None


def _sensor(get: Callable[[teds.Sensor], Value]) -> Get:
    """Of the sensor whose memory was configured. Raises DaqmxError -200709 where there is none."""

    def value(engine: Engine, p: Physical) -> Value:
        if en.AI not in p.kinds:
            return None
        return get(teds.decode(teds.configured(engine, p)))

    return value


_ALL: dict[str, Get] = {
    "PHYSICAL_CHAN_AI_SUPPORTED_MEAS_TYPES": _inputs(lambda i, p: usages.usage_numbers(i.kinds, usages.INPUTS)),
    "PHYSICAL_CHAN_AI_TERM_CFGS": _inputs(lambda i, p: i.term_cfg(p.channel)),
    "PHYSICAL_CHAN_AI_INPUT_SRCS": _inputs(lambda i, p: en.joined(i.sources) or None),
    "PHYSICAL_CHAN_AO_SUPPORTED_OUTPUT_TYPES": _outputs(lambda o, p: usages.usage_numbers(o.kinds, usages.OUTPUTS)),
    "PHYSICAL_CHAN_AO_TERM_CFGS": _outputs(lambda o, p: o.term_cfgs[0]),
    "PHYSICAL_CHAN_AO_SUPPORTED_POWER_UP_OUTPUT_TYPES": _outputs(
        lambda o, p: [VOLTAGE_AT_POWER_UP, *((HIGH_IMPEDANCE,) if o.powers_up else ())] if o.sets_power_up else None
    ),
    "PHYSICAL_CHAN_CI_SUPPORTED_MEAS_TYPES": _counted,
    "PHYSICAL_CHAN_CO_SUPPORTED_OUTPUT_TYPES": _generated,
    "PHYSICAL_CHAN_DI_PORT_WIDTH": _width,
    "PHYSICAL_CHAN_DO_PORT_WIDTH": _width,
    "PHYSICAL_CHAN_DI_SAMP_CLK_SUPPORTED": _lines(_clocked),
    "PHYSICAL_CHAN_DO_SAMP_CLK_SUPPORTED": _lines(_clocked),
    "PHYSICAL_CHAN_DI_SAMP_MODES": _lines(_modes),
    "PHYSICAL_CHAN_DO_SAMP_MODES": _lines(_modes),
    "PHYSICAL_CHAN_DI_CHANGE_DETECT_SUPPORTED": _lines(lambda p: p.port in p.product.digital.detecting),
    "PHYSICAL_CHAN_DIG_PORT_LOGIC_FAMILY": _family,
    "PHYSICAL_CHAN_TEDS_MFG_ID": _sensor(lambda s: s.manufacturer),
    "PHYSICAL_CHAN_TEDS_MODEL_NUM": _sensor(lambda s: s.model),
    "PHYSICAL_CHAN_TEDS_SERIAL_NUM": _sensor(lambda s: s.serial),
    "PHYSICAL_CHAN_TEDS_VERSION_LETTER": _sensor(lambda s: s.version_letter),
    "PHYSICAL_CHAN_TEDS_VERSION_NUM": _sensor(lambda s: s.version_number),
    "PHYSICAL_CHAN_TEDS_TEMPLATE_I_DS": _sensor(lambda s: [template.number for template in s.templates]),
    "PHYSICAL_CHAN_TEDS_BIT_STREAM": lambda e, p: e.nonvolatile.teds.get(terminal(p.name)) if en.AI in p.kinds else None,
    # Manual control of ELVIS, amplifiers, sensor power and navigation: none of the simulated products has them.
    **dict.fromkeys(
        (
            "PHYSICAL_CHAN_AI_POWER_CONTROL_TYPE", "PHYSICAL_CHAN_AI_POWER_CONTROL_ENABLE", "PHYSICAL_CHAN_AI_POWER_CONTROL_VOLTAGE",
            "PHYSICAL_CHAN_AI_SENSOR_POWER_OPEN_CHAN", "PHYSICAL_CHAN_AI_SENSOR_POWER_OVERCURRENT", "PHYSICAL_CHAN_AI_SENSOR_POWER_TYPES",
            "PHYSICAL_CHAN_AI_SENSOR_POWER_VOLTAGE_RANGE_VALS", "PHYSICAL_CHAN_AO_MANUAL_CONTROL_ENABLE",
            "PHYSICAL_CHAN_AO_MANUAL_CONTROL_SHORT_DETECTED", "PHYSICAL_CHAN_AO_MANUAL_CONTROL_AMPLITUDE",
            "PHYSICAL_CHAN_AO_MANUAL_CONTROL_FREQ", "AO_POWER_AMP_CHANNEL_ENABLE", "AO_POWER_AMP_OVERCURRENT", "AO_POWER_AMP_GAIN",
            "AO_POWER_AMP_OFFSET", "AO_POWER_AMP_SCALING_COEFF", "PHYSICAL_CHAN_NAV_SUPPORTED_MEAS_TYPES",
        ),
        lambda e, p: None,
    ),
}  # fmt: skip


def _property(name: str, get: Get) -> Property[str]:
    def value(engine: Engine, subject: str) -> Value:
        channel = en.physical(engine, subject)
        found = get(engine, channel)
        if found is None:
            raise DaqmxError(-200197, Property=name, Physical_Channel_Name=channel.name)
        return found

    return Property(value)


PHYSICALCHANNEL: dict[str, Property[str]] = {name: _property(name, get) for name, get in _ALL.items()}
