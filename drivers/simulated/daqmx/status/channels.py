"""NI-DAQmx status codes about names, channels and scales."""

from __future__ import annotations

MESSAGES: dict[int, str] = {
    -200082: (
        "Minimum is greater than or equal to the maximum. Ensure the maximum value is greater than the minimum value. If using a "
        "custom scale, ensure that the scaled maximum is greater than the scaled minimum."
    ),
    -200086: "Physical channel range syntax in the input string is invalid because multiple devices were listed in the string.",
    -200087: (
        "Channel is not in the task, and the channel is not a valid global channel. Make sure that the channel is in the task or "
        "that the channel is a valid global channel. If you explicitly named the virtual channel in DAQmx Create Channel, you must "
        "use the name assigned to that channel. Also, check for typing errors."
    ),
    -200089: "Task name specified conflicts with an existing task name.",
    -200099: "Physical channel not specified.",
    -200160: (
        "Channel could not be created. All channels must be created before the task is verified. Before I/O can be performed or "
        "properties can be retrieved, tasks are verified. Channels must be created before these actions can occur."
    ),
    -200170: (
        "Physical channel specified does not exist on this device.\nRefer to the documentation for channels available on this device."
    ),
    -200171: "Virtual channel cannot be created. Another virtual channel with this name already exists.",
    -200197: "Device does not support this property.",
    -200212: "Measurement units specified for the channel are not valid for the Measurement Type of the channel.",
    -200220: "Device identifier is invalid.",
    -200348: "Scaled Values must be specified for the table scale.",
    -200349: "Prescaled Values must be specified for the table scale.",
    -200350: "Number of Prescaled Values needs to be equal to the number of Scaled Values in the table scale.",
    -200356: "Custom scale cannot be created. A saved scale with this name already exists.",
    -200371: (
        "Requested multiple virtual channels that correspond to the same physical channel within a task. A task cannot contain "
        "multiple physical channels of a specified type.\nUse different physical channels for each virtual channel."
    ),
    -200376: (
        "Requested creation of a separate channel for each line is not possible when a digital port is specified as the physical "
        'channel. Specify a range of digital lines, such as "Dev1/port0/line0:7", as the physical channel.'
    ),
    -200378: "Custom scale specified does not exist.",
    -200404: (
        "Forward and Reverse Coefficients for a polynomial scale are not specified. Each of these two sets of coefficients must "
        "contain at least one term. If only one set of coefficients is available, use the Compute Reverse Polynomial Coefficient "
        "utility to calculate the other set of coefficients."
    ),
    -200405: (
        "Forward Coefficients for a polynomial scale are not specified. This set of coefficients must contain at least one term. If "
        "the coefficients are not available, you can pass the supplied Reverse Coefficients to the Compute Reverse Polynomial "
        "Coefficients utility to calculate the required Forward Coefficients."
    ),
    -200406: (
        "Reverse Coefficients for a polynomial scale are not specified. This set of coefficients must contain at least one term. If "
        "the coefficients are not available, use the Compute Reverse Polynomial Coefficient utility to calculate the required "
        "coefficients from the supplied Forward Coefficients."
    ),
    -200407: "Forward Coefficients for a polynomial scale are all set to zero. At least one of these coefficients must be non-zero.",
    -200408: "Reverse Coefficients for a polynomial scale are all set to zero. At least one of these coefficients must be non-zero.",
    -200409: "Slope for a linear scale is set to zero. The slope must be non-zero.",
    -200430: "I/O type of the physical channel does not match the I/O type required for the virtual channel you are creating.",
    -200431: (
        "Selected physical channel does not support the measurement type required by the virtual channel you are creating. Create a "
        "channel of a measurement type that is supported by the physical channel, or select a physical channel that supports the "
        "measurement type."
    ),
    -200432: (
        "Selected physical channel does not support the output type required by the virtual channel you are creating. Create a "
        "channel of an output type that is supported by the physical channel, or select a physical channel that supports the output "
        "type."
    ),
    -200433: "Scaled Values for a table scale must contain at least two values.",
    -200434: "Prescaled Values for a table scale must contain at least two values.",
    -200447: "Units for the channel must be set to From Custom Scale when a custom scale is used with a channel.",
    -200461: "Specified channel name is invalid.",
    -200467: "Specified string is not valid, because it is empty.",
    -200483: (
        "Specified virtual channel cannot be saved, because a virtual channel with that name already exists in Data Neighborhood in "
        "MAX. Save the virtual channel under a different name, or specify that the existing virtual channel should be replaced."
    ),
    -200484: (
        "Specified task cannot be saved, because a task with that name already exists in Data Neighborhood in MAX. Save the task "
        "under a different name, or specify that the existing task should be replaced."
    ),
    -200485: (
        "The specified task cannot be loaded, because it is not in Data Neighborhood. Check Data Neighborhood in MAX. Look for "
        'similar characters, such as the capital letter "O" and the number zero.'
    ),
    -200486: "Specified channel is not in the task.",
    -200489: "Specified channel cannot be added to the task, because a channel with the same name is already in the task.",
    -200498: (
        "Syntax for a range of objects in the input string is invalid. For ranges of objects, specify a number immediately before "
        'and after every colon (":") in the input string. Or, if a name is specified after the colon, it must be identical to the '
        "name specified immediately before the colon. Colons are not allowed within the names of the individual objects."
    ),
    -200528: (
        "Requested line grouping is invalid. Either choose one channel for all lines or one channel for each line as the line grouping."
    ),
    -200552: "Specified string is not valid, because it contains an invalid character.",
    -200553: "Specified string is not valid, because its first character is a space character.",
    -200554: "Specified string is not valid, because its last character is a space character.",
    -200555: "Specified string is not valid, because its first character is an underscore.",
    -200558: "One task cannot contain multiple independent devices. Create one task for each independent device.",
    -200559: (
        "Task cannot contain a channel with the specified channel type, because the task already contains channels with a different "
        "channel type. Create one task for each channel type."
    ),
    -200598: "Repetition of a number in the Prescaled Values is invalid for input operations.",
    -200601: "Property not supported by this scale type.",
    -200602: "Prescaled Minimum cannot be equal to Prescaled Maximum for input operations.",
    -200603: "Scaled Minimum cannot be equal to Scaled Maximum for output operations.",
    -200620: (
        "Requested multiple virtual channels that correspond to the same analog input physical channel within a single task. A task "
        "cannot contain multiple analog input physical channels for this type of device.\nUse different physical channels for each "
        "virtual channel."
    ),
    -200694: "AI Minimum was not specified for an operation that requires it.",
    -200695: "AI Maximum was not specified for an operation that requires it.",
    -200847: (
        "Data Transfer Mechanism is set to Programmed I/O, which is not supported for buffered operations for this device and Channel "
        "Type. Change Data Transfer Mechanism or do not use buffering."
    ),
    -200767: (
        "Data Transfer Mechanism is set to Programmed I/O which is not supported for buffered analog output. Change Data Transfer "
        "Mechanism or use non-buffered analog output."
    ),
    -200882: (
        "Specified channel is not a valid global channel. Ensure that the Channel Name matches a channel in the Data Neighborhood in "
        "MAX. Check for typing errors."
    ),
    -200918: (
        "Global channel name specified is already used for a task in the Data Neighborhood. NI-DAQmx does not support overlapping task "
        "and global channel names.\nSelect a different name."
    ),
    -200919: (
        "Task name specified is already used for a global channel in the Data Neighborhood. NI-DAQmx does not support overlapping task "
        "and global channel names.\nSelect a different name."
    ),
    -201237: (
        "Physical channel name specified is invalid. Physical channel names are of the form <device name>/<physical channel name>, for "
        "example, dev1/ai0."
    ),
    -201493: (
        "Shunt calibration failed. The calculated gain adjust is out of range. Ensure that the shunt calibration terminals are "
        "connected properly and that the shunt resistance and shunt element location settings match how the hardware is wired."
    ),
}
