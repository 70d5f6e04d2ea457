"""NI-DAQmx status codes about sensors, their excitation and coupling, states of channels, logging: NI's numbers, short words."""

from __future__ import annotations

MESSAGES: dict[int, str] = {
    -201448: "No rosette measurements specified. Please specify one or more rosette measurements.",
    -201447: (
        "The selected rosette requires three physical channels. Make sure the physical channel list contains three physical channels for "
        "each rosette."
    ),
    -201446: (
        "Each tee rosette requires two physical channels. Make sure the physical channel list contains two physical channels for each tee "
        "rosette."
    ),
    -201172: "DC coupling is not allowed while IEPE excitation is on. Set the coupling to AC, or turn the excitation off.",
    -201312: "Logging is not supported for the measurement type or the channel.",
    -201310: "TDMS support could not be found. It is needed to log data to a file.",
    -201301: "Read cannot be performed when the logging mode is Log. To read while logging, set the logging mode to Log and Read.",
    -201299: "Logging is not supported for tasks without a buffer. Configure a sample clock.",
    -50204: "The file could not be opened. Make sure of its path, of the operation that was chosen, and that nobody else has it open.",
    -200816: "TEDS sensor specifies a minimum electrical value that is greater than or equal to its maximum.",
    -200815: "TEDS sensor specifies a minimum physical value that is greater than or equal to its maximum.",
    -200756: "TEDS sensor is not compatible with the measurement type of the channel.",
    -200754: "Template of the TEDS sensor has parameters that are not supported.",
    -200362: "Overloaded channels cannot be read before Overloaded Channels Exist has been.",
}
