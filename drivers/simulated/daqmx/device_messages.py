"""NI-DAQmx status codes about devices, watchdogs of chassis and data sheets of sensors.

The numbers are NI's; of most of these texts no source was at hand, so the words are our own.
"""

from __future__ import annotations

MESSAGES: dict[int, str] = {
    -209904: "No memory was found at the specified ID pin.",
    -209903: "ID pin name is invalid for the device.",
    -201478: (
        "Operation could not be performed, because the watchdog timer of the chassis has expired. Reset the chassis before performing "
        "further operations on it."
    ),
    -201459: "None of the devices supports cDAQ Sync connections.",
    -201450: "Device does not support cDAQ Sync connections.",
    -201401: "Properties of the network device could not be retrieved. Make sure that the device is on the network and powered.",
    -201388: "Network device is not reserved by this host. Reserve the device before performing the operation.",
    -201247: "Device is not a network device.",
    -200969: "Physical channel specified for the TEDS operation is not an analog input channel.",
    -200827: "Virtual TEDS data file is invalid.",
    -200826: "TEDS sensor data is invalid.",
    -200784: "Virtual TEDS data file could not be found.",
    -200709: "TEDS sensor was not detected on the specified physical channel. Make sure that it is connected, or configure a virtual one.",
    -200643: "Property cannot be retrieved for several lines that differ. Specify one line.",
    -200626: "Physical channel of a power up state is empty.",
}
