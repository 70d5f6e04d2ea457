"""What outputs and lines are when a device powers up, pull resistors of lines nobody drives, and logic families."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from nidaqmx import constants as ni

from drivers.simulated.daqmx.core.names import expand, terminal
from drivers.simulated.daqmx.core.values import Fields, as_floats, as_int, as_ints, as_sequence, as_texts
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.products import AnalogOutputs
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.system import enumeration as en

# VOLTAGE, CURRENT, HIGH_IMPEDANCE: PowerUpChannelType.
HIGH, LOW, TRISTATE = ni.PowerUpStates.HIGH.value, ni.PowerUpStates.LOW.value, ni.PowerUpStates.TRISTATE.value
PULL_UP, PULL_DOWN = ni.ResistorState.PULL_UP.value, ni.ResistorState.PULL_DOWN.value
VOLTAGE, CURRENT, HIGH_IMPEDANCE = 0, 1, 2


@runtime_checkable
class LineState(Protocol):
    """Message of the protocol: lines, and what they are when their device powers up or where nobody drives them."""

    channel_names: str
    state: int


@runtime_checkable
class OutputState(Protocol):
    """Message of the protocol: outputs, their level in V or A, and which of the two it is in."""

    channel_names: str
    state: float
    channel_type: int


# -- analogue outputs ------------------------------------------------------------------------------------------------------------------


def _output(engine: Engine, name: str) -> tuple[en.Physical, AnalogOutputs]:
    channel = en.physical(engine, name)
    outputs = channel.product.outputs
    if outputs is None or en.AO not in channel.kinds:
        raise DaqmxError(-200430, Physical_Channel_Name=channel.name)
    return channel, outputs


def level(engine: Engine, name: str) -> tuple[float, int]:
    """What an output is at power-up: (level in V or A, member of PowerUpChannelType)."""
    channel, outputs = _output(engine, name)
    return engine.nonvolatile.outputs.get(terminal(channel.name), (0.0, outputs.powers_up))


def _tops(outputs: AnalogOutputs, kind: int) -> tuple[float, ...]:
    return {VOLTAGE: outputs.tops, CURRENT: outputs.current_tops, HIGH_IMPEDANCE: outputs.tops}.get(kind, ())


def set_levels(engine: Engine, states: Sequence[tuple[str, float, int]]) -> None:
    """Set (channel, level, kind) of several outputs, all or none. Raises DaqmxError -200077, -200197."""
    found: dict[str, tuple[float, int]] = {}
    for name, value, kind in states:
        channel, outputs = _output(engine, name)
        if not outputs.sets_power_up:
            raise DaqmxError(-200197, Device=channel.device, Physical_Channel_Name=channel.name)
        tops = _tops(outputs, kind)
        if not tops or abs(value) > tops[-1]:
            raise DaqmxError(-200077, Property="AO.PowerUpState", Requested_Value=value, Physical_Channel_Name=channel.name)
        found[terminal(channel.name)] = (0.0 if kind == HIGH_IMPEDANCE else value, kind)  # what drives nothing has no level
    engine.nonvolatile.outputs.update(found)


def get_analog(engine: Engine, fields: Fields, alive: object) -> Fields:
    """`get_analog_power_up_states_with_output_type`."""
    levels = [level(engine, name) for name in expand(str(fields["channel_names"]))]
    kinds = [kind for _, kind in levels]
    return {"state_array": [value for value, _ in levels], "channel_type_array": kinds, "channel_type_array_raw": kinds}


def set_analog(engine: Engine, fields: Fields, alive: object) -> Fields:
    """`set_analog_power_up_states_with_output_type`."""
    names = expand(str(fields["channel_names"]))
    states, kinds = as_floats(fields["state_array"]), as_ints(fields["channel_type_array"])
    if not len(names) == len(states) == len(kinds):
        raise DaqmxError(-200077, Property="AO.PowerUpState", Requested_Value=len(states))
    set_levels(engine, list(zip(names, states, kinds, strict=True)))
    return {}


def set_analog_by_device(engine: Engine, fields: Fields, alive: object) -> Fields:
    """`set_analog_power_up_states`, which names the device, too."""
    engine.product(str(fields["device_name"]))
    states = [s for s in as_sequence(fields["power_up_states"]) if isinstance(s, OutputState)]
    set_levels(engine, [(name, s.state, s.channel_type) for s in states for name in expand(s.channel_names)])
    return {}


# -- lines -----------------------------------------------------------------------------------------------------------------------------


def _lines(engine: Engine, text: str) -> list[str]:
    """Lines of a list of lines and ports, in canonical form. Raises DaqmxError -200626 for an empty one."""
    names = expand(text)
    if not names:
        raise DaqmxError(-200626)
    found: list[str] = []
    for name in names:
        channel = en.physical(engine, name)
        if en.PORT in channel.kinds:
            found += [f"{channel.name}/line{n}" for n in range(channel.product.ports[channel.port])]
        elif en.LINE in channel.kinds:
            found.append(channel.name)
        else:
            raise DaqmxError(-200430, Physical_Channel_Name=channel.name)
    return [terminal(line) for line in found]


def _set(engine: Engine, kept: dict[str, int], states: object, known: Sequence[int], name: str) -> Fields:
    found: dict[str, int] = {}
    for item in [state for state in as_sequence(states) if isinstance(state, LineState)]:
        if item.state not in known:
            raise DaqmxError(-200077, Property=name, Requested_Value=item.state)
        found |= dict.fromkeys(_lines(engine, item.channel_names), item.state)
    kept.update(found)
    return {}


def get_digital(engine: Engine, fields: Fields, alive: object) -> Fields:
    """`get_digital_power_up_states`: one for each name; of a port that of its first line."""
    _may(engine, str(fields["device_name"]), "sets_power_up")
    lines = [_lines(engine, name)[0] for name in as_texts(fields["channel_name"])]
    return {"power_up_states": [engine.nonvolatile.lines.get(line, TRISTATE) for line in lines]}


def set_digital(engine: Engine, fields: Fields, alive: object) -> Fields:
    """`set_digital_power_up_states`."""
    _may(engine, str(fields["device_name"]), "sets_power_up")
    return _set(engine, engine.nonvolatile.lines, fields["power_up_states"], (HIGH, LOW, TRISTATE), "DO.PowerUpState")


def get_pulls(engine: Engine, fields: Fields, alive: object) -> Fields:
    """`get_digital_pull_up_pull_down_states`."""
    usual = _may(engine, str(fields["device_name"]), "pulls")
    lines = [_lines(engine, name)[0] for name in as_texts(fields["channel_name"])]
    return {"pull_up_pull_down_states": [engine.nonvolatile.pulls.get(line, usual) for line in lines]}


def set_pulls(engine: Engine, fields: Fields, alive: object) -> Fields:
    """`set_digital_pull_up_pull_down_states`."""
    _may(engine, str(fields["device_name"]), "pulls")
    return _set(engine, engine.nonvolatile.pulls, fields["pull_up_pull_down_states"], (PULL_UP, PULL_DOWN), "DO.ResistorState")


def _may(engine: Engine, device: str, what: str) -> int:
    name, product = engine.product(device)
    value = int(getattr(product.digital, what))
    if not value:
        raise DaqmxError(-200197, Device=name)
    return value


# -- logic families --------------------------------------------------------------------------------------------------------------------


def get_family(engine: Engine, fields: Fields, alive: object) -> Fields:
    """`get_digital_logic_family_power_up_state`."""
    name, families = _families(engine, str(fields["device_name"]))
    return {"logic_family": engine.nonvolatile.families.get(name, families[0])}


def set_family(engine: Engine, fields: Fields, alive: object) -> Fields:
    """`set_digital_logic_family_power_up_state`."""
    name, families = _families(engine, str(fields["device_name"]))
    if fields["logic_family"] not in families:
        raise DaqmxError(-200077, Property="Dig.LogicFamily", Requested_Value=fields["logic_family"], Device=name)
    engine.nonvolatile.families[name] = as_int(fields["logic_family"])
    return {}


def _families(engine: Engine, device: str) -> tuple[str, tuple[int, ...]]:
    name, product = engine.product(device)
    if not product.digital.families:
        raise DaqmxError(-200197, Device=name)
    return name, product.digital.families


CALLS = {
    "GetAnalogPowerUpStatesWithOutputType": get_analog,
    "SetAnalogPowerUpStatesWithOutputType": set_analog,
    "SetAnalogPowerUpStates": set_analog_by_device,
    "GetDigitalPowerUpStates": get_digital,
    "SetDigitalPowerUpStates": set_digital,
    "GetDigitalPullUpPullDownStates": get_pulls,
    "SetDigitalPullUpPullDownStates": set_pulls,
    "GetDigitalLogicFamilyPowerUpState": get_family,
    "SetDigitalLogicFamilyPowerUpState": set_family,
}
