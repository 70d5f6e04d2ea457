"""NI-DAQmx status codes about sensors, their excitation and coupling, states of channels, logging: NI's numbers, short words."""

from __future__ import annotations

MESSAGES: dict[int, str] = {
    -201172: (
        "AI channels on this device do not support using DC coupling while using IEPE excitation. Set excitation source to none or the "
        "coupling mode to AC."
    ),
    -201312: "Logging is not supported for this channel and/or measurement type. Use a different measurement type or channel.",
    -201310: (
        "TDMS support is not installed or is too old. Use an NI-DAQmx runtime that includes TDMS support, or install a supported "
        "version of TDMS from a stand-alone installer."
    ),
    -201301: (
        "Reading samples is not supported in the specified logging mode. To access the samples while logging, either open the file "
        "being written to or use a different logging mode."
    ),
    -201299: (
        "Log Only mode is only supported for buffered tasks. Either use Log and Read mode or configure the task as Finite or Continuous."
    ),
    -50204: "The specified file could not be opened. The operation could not be completed as specified.",
    -201448: "No rosette measurements specified. Please specify one or more rosette measurements.",
    -201447: (
        "The selected rosette requires three physical channels. Make sure the physical channel list contains three physical channels for "
        "each rosette."
    ),
    -201446: (
        "Each tee rosette requires two physical channels. Make sure the physical channel list contains two physical channels for each tee "
        "rosette."
    ),
    -200816: (
        "TEDS sensor specifies a value for the Minimum Electrical Value that is greater than or equal to the Maximum Electrical Value."
        " Replace the sensor or have the sensor repaired. If the memory is the only defective part of the sensor, consider using MAX "
        "to create a Task, a Global Channel, or a Scale to acquire data using this sensor."
    ),
    -200815: (
        "TEDS sensor specifies a value for the Minimum Physical Value that is greater than or equal to the Maximum Physical Value. "
        "Replace the sensor or have the sensor repaired. If the memory is the only defective part of the sensor, consider using MAX to"
        " create a Task, a Global Channel, or a Scale to acquire data using this sensor."
    ),
    -200756: "TEDS sensor is not compatible with the measurement type of the channel.",
    -200754: "Template of the TEDS sensor has parameters that are not supported.",
    -200753: (
        "TEDS sensor data or the Virtual TEDS data file contains an error which was detected during parsing. Ensure your TEDS sensor "
        "or Virtual TEDS data file conforms to the specification. If this is not possible, use custom scales with the sensor."
    ),
    -200741: (
        "A TEDS sensor not supported by DAQmx is connected to the specified physical channel. Consider using MAX to create a Task, a "
        "Global Channel, or a Scale to acquire data using this sensor."
    ),
    -200362: (
        "The Overloaded Channels Exist property was not read prior to reading the specified property. The driver retrieves the overload"
        " state from the hardware when the application reads the Overloaded Channels Exist property. After the Overloaded Channels "
        "Exist property has been read, other information about overloaded channels may be read, such as which channels are overloaded."
    ),
    -201306: "File specified is already opened for output by another task. Specify a different file path.",
    -201302: "File specified is write protected. Remove the protection, or specify a different file path.",
    -201305: "Disk is full: samples could not be written to the log file. Free space, or specify a path on a different disk.",
    -201309: "An error occurred while writing to the log file.",
    -201311: "File specified is already opened for output. NI-DAQmx requires exclusive write access.",
}
