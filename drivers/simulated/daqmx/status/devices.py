"""NI-DAQmx status codes about devices, watchdogs of chassis and data sheets of sensors."""

from __future__ import annotations

MESSAGES: dict[int, str] = {
    -200626: "An empty physical channel has been specified within the power up states array. Specify a correct physical channel.",
    -200635: "You have attempted to control a Watchdog Task, but the task supplied was not a Watchdog Task.",
    -200643: "You have specified more than one line when getting a property. Specify a single line as the active channel.",
    -200644: (
        "Attempt to reset watchdog timer failed, because the timer had already expired. Clear expiration of the watchdog timer, or "
        "configure a longer watchdog timer timeout."
    ),
    -200648: (
        "Device identifier of the physical channel specified is not the same as the device used in the task. Use only the physical "
        "channels on the device used in the task."
    ),
    -200651: (
        "Attempt to set watchdog timer expiration state failed, because the specified physical channel only supports digital input, "
        "and watchdog timer expiration state does not apply."
    ),
    -200662: (
        "Attempt to create a watchdog timer task failed because the device does not support the feature, or the wrong device type "
        "was specified. For NI CompactDAQ devices supporting this feature, specify the chassis name on which to create a watchdog "
        "timer task."
    ),
    -200668: (
        "Requested value is not a supported value for Watchdog Timer Timeout. Use special value -1.0 to indicate that the internal "
        "timer should be disabled, and the watchdog timer will expire based on the external expiration trigger, or specify another "
        "valid value."
    ),
    -200678: (
        "Write failed because at least one of the lines in the task is also in a watchdog timer task whose watchdog timer has "
        "expired. Clear the expiration of the watchdog timer before writing by using DAQmx Control Watchdog Task, by restarting the "
        "watchdog timer task, or by resetting the device programmatically or through the Measurements & Automation Explorer. To "
        "prevent this error in the future reset the watchdog timer more frequently or increase the watchdog timer timeout."
    ),
    -200709: (
        "No TEDS sensor was detected on the specified physical channel. Ensure that your sensor is properly connected. If the sensor "
        "is connected to a TEDS interface device with addresses, make sure the configured address matches the address set on the "
        "interface device."
    ),
    -200784: "Virtual TEDS file could not be found at the specified location. Specify correct location for the Virtual TEDS file.",
    -200826: (
        "TEDS sensor data being written to the TEDS sensor contains an error. Ensure your TEDS sensor data conforms to the specification."
    ),
    -200827: (
        "Virtual TEDS data file being written to the TEDS sensor contains an error. Ensure your Virtual TEDS data file conforms to "
        "the specification."
    ),
    -200969: "TEDS operation failed because the corresponding physical channel is not an analog input channel.",
    -201247: "Device is not a network device.",
    -201388: "Network device is not reserved for this host.",
    -201401: "Retrieving properties from the network device failed. Make sure the device is connected.",
    -201450: "The requested device does not support cDAQ Sync connections.",
    -201459: "Specified devices do not support cDAQ Sync connections. Please select a different set of devices.",
    -201476: (
        "Task reservation failed because a watchdog timer task is reserved. Unreserve or commit the watchdog timer task to reserve a "
        "new task."
    ),
    -201477: (
        "Reservation of watchdog timer task failed because another task is reserved or running. Stop and unreserve all other tasks "
        "before reserving a watchdog timer task."
    ),
    -201478: "Watchdog timer task has expired. Reset the chassis to resume normal operation.",
    -209903: "ID pin name is invalid for the device.",
    -209904: "No memory was found at the specified ID pin.",
}
