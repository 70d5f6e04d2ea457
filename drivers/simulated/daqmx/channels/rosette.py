"""Channels of rosettes: one for the strain of each gage, one for each measurement.

"NI-DAQmx", Create Channel (AI Strain Rosette Strain Gage): they are named rosette#_strainGage1, rosette#_principalStrain1 and so on; the
physical channels come in the order of the gages, and a multiple of their number makes as many rosettes.
"""

from __future__ import annotations

from collections.abc import Iterator

from nidaqmx import constants as ni

from drivers.simulated.daqmx.channels import analog_input, creation
from drivers.simulated.daqmx.channels import names as channel_names
from drivers.simulated.daqmx.core import finite
from drivers.simulated.daqmx.core.channel import ANALOG_INPUT, RosetteChannel
from drivers.simulated.daqmx.core.task import Task
from drivers.simulated.daqmx.core.values import Fields, Value, as_float, as_int, as_ints
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.sensors.rosettes import DELTA, MEASUREMENT, NAMES, ORIENTATION, RECTANGULAR, STRAINS, TEE, TYPE
from drivers.simulated.daqmx.status.property_names import c_name

USAGE, STRAIN = ni.UsageTypeAI.ROSETTE_STRAIN_GAGE.value, ni.StrainUnits.STRAIN.value


def add(engine: Engine, task: Task, f: Fields) -> None:
    """`add_ai_rosette_strain_gage_chan`. Raises DaqmxError -200077 (type), -201446, -201447 (physical channels), -201448 (measurements)."""
    with engine.lock:
        creation.open_for(task, ANALOG_INPUT)
        places = creation.physical_names(task, str(f["physical_channel"]))
        for place in places:
            analog_input.need_input(engine, task, place, "bridge")
        kind, measurements = as_int(f["rosette_type"]), as_ints(f["rosette_meas_types"])
        with task.naming():
            finite.need(c_name(ORIENTATION), as_float(f["gage_orientation"]))
        for name, known, wanted in ((TYPE, (RECTANGULAR, DELTA, TEE), [kind]), (MEASUREMENT, NAMES, measurements)):
            wrong = next((value for value in wanted if value not in known), None)
            if wrong is not None:
                raise task.fail(-200077, Property=c_name(name), Requested_Value=wrong)
        gages = 2 if kind == TEE else 3
        if len(places) % gages:
            raise task.fail(-201446 if kind == TEE else -201447, Physical_Channel_Name=f["physical_channel"])
        if not measurements:
            raise task.fail(-201448)
        before, host = list(task.channels), task.host
        names = _names(task, len(places) // gages, gages, measurements, str(f["name_to_assign_to_channel"]))
        try:
            for number in range(len(places) // gages):
                own = places[number * gages : (number + 1) * gages]
                _add_one(engine, task, f, own, [next(names) for _ in range(gages + len(measurements))])
        except Exception:
            task.channels[:], task.host = before, host  # all or none
            raise


def _names(task: Task, rosettes: int, gages: int, measurements: list[int], given: str) -> Iterator[str]:
    taken = {channel.name.lower().partition("_")[0] for channel in task.channels}
    free = (f"rosette{n}" for n in range(len(taken) + rosettes) if f"rosette{n}" not in taken)
    tails = [*(f"strainGage{n + 1}" for n in range(gages)), *(NAMES[measurement] for measurement in measurements)]
    usual = [f"{head}_{tail}" for head in (next(free) for _ in range(rosettes)) for tail in tails]
    return iter(channel_names.assigned(usual, given))


def _add_one(engine: Engine, task: Task, f: Fields, places: list[str], names: list[str]) -> None:
    request = {**f, "physical_channel": ", ".join(places), "name_to_assign_to_channel": ", ".join(names[: len(places)]), "units": STRAIN,
               "initial_bridge_voltage": 0.0, "custom_scale_name": ""}  # fmt: skip
    analog_input.add_input(engine, task, "CreateAIStrainGageChan", request)
    first = next(channel for channel in task.channels if channel.name == names[0])
    made = []
    for name, measurement in zip(names[len(places) :], as_ints(f["rosette_meas_types"]), strict=True):
        attributes: dict[str, Value] = {
            "AI_MEAS_TYPE": USAGE, TYPE: as_int(f["rosette_type"]), MEASUREMENT: measurement, ORIENTATION: as_float(f["gage_orientation"]),
            STRAINS: ", ".join(names[: len(places)]), "AI_STRAIN_UNITS": STRAIN, "AI_COUPLING": first.attributes["AI_COUPLING"],
        }  # fmt: skip
        made.append(RosetteChannel(name, first.physical, first.device, ANALOG_INPUT, attributes, dict(attributes)))
    creation.append(engine, task, made)
