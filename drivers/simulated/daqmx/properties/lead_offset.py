"""The voltage that the current for finding open thermocouples makes in their leads, and taking it off.

"NI-DAQmx Properties", AI.Thrmcpl.LeadOffsetVoltage: it is subtracted from measurements, and ignored where open thermocouples are not looked
for. No such current flows here: what is measured at the leads is 0 V.
"""

from __future__ import annotations

from nidaqmx import constants as ni

from drivers.simulated.daqmx.configuration import setting_changes
from drivers.simulated.daqmx.core.values import Fields
from drivers.simulated.daqmx.engine.call import Alive, Call
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.properties.bridges import chosen

NAME = "AI_THRMCPL_LEAD_OFFSET_VOLTAGE"
THERMOCOUPLE = ni.UsageTypeAI.TEMPERATURE_THERMOCOUPLE.value
DETECTS = "AI_OPEN_THRMCPL_DETECT_ENABLE"


def null(engine: Engine, fields: Fields, alive: Alive) -> Fields:
    """`perform_thrmcpl_lead_offset_nulling_cal`. Raises DaqmxError -200452 for a channel without such an offset that may not be skipped."""
    with engine.lock:
        task, channels = chosen(engine, fields, (THERMOCOUPLE,), NAME)
        for channel in channels:
            if DETECTS in channel.attributes:
                setting_changes.changed(engine, task)
                channel.attributes[NAME] = 0.0
            elif not fields["skip_unsupported_channels"]:
                raise task.fail(-200452, Property="DAQmx_AI_Thrmcpl_LeadOffsetVoltage", Channel_Name=channel.name)
    return {}


CALLS: dict[str, Call] = {"PerformThrmcplLeadOffsetNullingCal": null}
