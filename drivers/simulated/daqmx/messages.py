"""NI-DAQmx status codes that the simulated devices answer with, in the driver's own wording."""

from __future__ import annotations

from drivers.simulated.daqmx import counter_messages, device_messages

MESSAGES: dict[int, str] = {
    **device_messages.MESSAGES,
    **counter_messages.MESSAGES,
    -89125: (
        "No registered trigger lines could be found between the devices in the route. If you have PXI devices in your system, identify "
        "the PXI chassis in MAX; devices in a computer need a RTSI cable that is registered there."
    ),
    -89120: "Source terminal to be routed could not be found on the device.\nMake sure the terminal name is valid for the device.",
    -89121: "Destination terminal to be routed could not be found on the device.\nMake sure the terminal name is valid for the device.",
    -89131: "Specified route cannot be satisfied, because the source and the destination are the same terminal.",
    -89137: "Specified route cannot be satisfied, because it requires resources that are currently in use by another route.",
    -200213: (
        "Pretrigger samples and the smallest number of samples behind the trigger are together more than the samples to acquire.\n"
        "Acquire more samples, or keep fewer of them from before the trigger."
    ),
    -200281: "Samples relative to the reference trigger cannot be read before the acquisition is complete.",
    -200282: "Position relative to the reference trigger was asked for, but the task has no reference trigger.",
    -200358: "Reference trigger is not supported for continuous acquisitions.\nSet the Sample Mode to Finite Samples.",
    -200628: "Reference trigger and pause trigger cannot both be configured in one task.",
    -200751: "Change detection timing was configured, but no lines were specified whose changes are to be detected.",
    -200880: "Every N Samples event: an interval of zero samples is not supported.",
    -200926: "Line that is watched for changes is not in the task.",
    -200960: "Event cannot be registered while the task is running.",
    -200987: "Signal event of this type is not supported by the channels or the devices of the task.",
    -201118: "Property is not supported for single devices of the task.\nAsk it of the task as a whole.",
    -200268: "Offset is too small: it leads to before the first sample.\nSpecify a larger one, or another position that it is relative to.",
    -200289: (
        "Attempted to write samples that can no longer be written, because they are out already.\nSpecify a position further ahead, "
        "or write earlier."
    ),
    -200463: (
        "Specified read or write operation failed, because the number of lines in the data for a channel does not match the number of "
        "lines in the channel."
    ),
    -200473: "Read cannot be performed when the auto start property is false and the task is not running or committed.",
    -200832: "Read cannot be performed when the auto start property is false, the task is not running, and its timing is On Demand.",
    -200848: "Every N Samples events are not supported for tasks without a buffer.",
    -200949: "Signal event is already registered within the task.",
    -200950: "Done event is already registered within the task.",
    -200966: "Every N Samples acquired into buffer event is already registered within the task.",
    -200967: "Every N Samples transferred from buffer event is already registered within the task.",
    -200980: "Every N Samples transferred from buffer event is not supported by the device or by the channels of the task.",
    -200981: "Every N Samples acquired into buffer event is not supported by the device or by the channels of the task.",
    -200694: "Minimum value of the channel is not specified.",
    -200695: "Maximum value of the channel is not specified.",
    -209833: "Waiting for a valid timestamp is not supported by the device.",
    -209840: "Time of the trigger is in the past.",
    -209842: "Timestamp is not enabled.\nEnable it before the task is started.",
    -209843: "Triggers at a time are not supported by the device.",
    -209844: "Timestamp has not been received yet.",
    -50352: "The requested memory could not be allocated.",
    -50103: "The specified resource is reserved. The operation could not be completed as specified.",
    -200077: (
        "Requested value is not a supported value for this property. The property value may be invalid because it "
        "conflicts with another property."
    ),
    -200081: (
        "Sample rate exceeds the maximum sample rate for the number of channels specified. Reduce the sample rate or "
        "the number of channels. Increasing the convert rate or reducing the sample delay might also alleviate the "
        "problem, if you set either of them."
    ),
    -200082: (
        "Minimum is greater than or equal to the maximum. Ensure the maximum value is greater than the minimum value. "
        "If using a custom scale, ensure that the scaled maximum is greater than the scaled minimum."
    ),
    -200086: ("Physical channel range syntax in the input string is invalid because multiple devices were listed in the string."),
    -200087: (
        "Channel is not in the task, and the channel is not a valid global channel. Make sure that the channel is in "
        "the task or that the channel is a valid global channel. If you explicitly named the virtual channel in DAQmx "
        "Create Channel, you must use the name assigned to that channel. Also, check for typing errors."
    ),
    -200088: "Task specified is invalid or does not exist.",
    -200089: "Task name specified conflicts with an existing task name.",
    -200096: "Number of samples to read must be -1 or greater.",
    -200097: (
        "Attempted to retrieve channel properties from a multichannel task with more than one channel selected. You "
        "must select an individual channel to retrieve channel properties. If you are programming with LabVIEW, use the "
        "Active Channel property to specify the individual channel."
    ),
    -200099: "Physical channel not specified.",
    -200100: "Specified DAQmx Read only can be used to read from a single channel. Use the multichannel DAQmx Read.",
    -200101: "Number of channels in data to write does not match the number of channels in the task.",
    -200160: (
        "Channel could not be created. All channels must be created before the task is verified. Before I/O can be "
        "performed or properties can be retrieved, tasks are verified. Channels must be created before these actions "
        "can occur."
    ),
    -200170: (
        "Physical channel specified does not exist on this device.\nRefer to the documentation for channels available on this device."
    ),
    -200197: "Device does not support this property.",
    -200212: "Units of the custom scale's prescaled values are inconsistent with the measurement or generation of the channel.",
    -200220: "Device identifier is invalid.",
    -200229: "Buffer is too small to fit read data.",
    -200231: "Property requested cannot be set.",
    -200233: "Property specified is not valid for this function.",
    -200254: "Terminal for the device is invalid.",
    -200262: (
        "An attempt has been made to configure a trigger without configuring the appropriate sample clock properties or "
        "when Sample Timing Type was set to On Demand. Configure the sample clock type to something other than On "
        "Demand to use a trigger."
    ),
    -200278: (
        "Attempted to read a sample beyond the final sample acquired. The acquisition has stopped, therefore the sample "
        "specified by the combination of position and offset will never be available. Specify a position and offset "
        "which selects a sample up to, but not beyond, the final sample acquired. The final sample acquired can be "
        "determined by querying the total samples acquired after an acquisition has stopped."
    ),
    -200279: (
        "The application is not able to keep up with the hardware acquisition.\nIncreasing the buffer size, reading the "
        "data more frequently, or specifying a fixed number of samples to read instead of reading all available samples "
        "might correct the problem."
    ),
    -200284: (
        "Some or all of the samples requested have not yet been acquired.\nTo wait for the samples to become available "
        "use a longer read timeout or read later in your program. To make the samples available sooner, increase the "
        "sample rate. If your task uses a start trigger, make sure that your start trigger is configured correctly. It "
        "is also possible that you configured the task for external timing, and no clock was supplied. If this is the "
        "case, supply an external clock."
    ),
    -200288: (
        "Attempted to write a sample beyond the final sample generated. The generation has stopped, therefore the "
        "sample specified by the combination of position and offset will never be available. Specify a position and "
        "offset which selects a sample up to, but not beyond, the final sample generated. The final sample generated "
        "can be determined by querying the total samples generated after a generation has stopped."
    ),
    -200290: (
        "The generation has stopped to prevent the regeneration of old samples. Your application was unable to write "
        "samples to the background buffer fast enough to prevent old samples from being regenerated.\nTo avoid this "
        "error, you can do any of the following:\n1. Increase the size of the background buffer by configuring the "
        "buffer.\n2. Increase the number of samples you write each time you invoke a write operation.\n3. Write samples "
        "more often.\n4. Reduce the sample rate.\n5. If your data transfer method is interrupts, try using DMA or USB "
        "Bulk.\n6. Reduce the number of applications your computer is executing concurrently.\nIn addition, if you do not "
        "need to write every sample that is generated, you can configure the regeneration mode to allow regeneration, "
        "and then use the Position and Offset attributes to write the desired samples."
    ),
    -200292: (
        "Some or all of the samples to write could not be written to the buffer yet. More space will free up as samples "
        "currently in the buffer are generated. To wait for more space to become available, use a longer write timeout. "
        "To make the space available sooner, increase the sample rate."
    ),
    -200293: (
        "The generation is not yet started, and not enough space is available in the buffer. Configure a larger buffer, "
        "or start the generation before writing more data than will fit in the buffer."
    ),
    -200303: "External sample clock source must be specified for this application.",
    -200331: (
        "Specified sample rate is lower than the lowest rate that can be generated using the onboard clock. The rate "
        "has been coerced to the slowest possible sample rate. For slower rates, use an external sample clock or an "
        "external sample clock timebase."
    ),
    -200332: "Specified sample rate is higher than the fastest rate supported by the device.",
    -200348: "Table scale: no scaled values were specified.\nSpecify at least two scaled values.",
    -200349: "Table scale: no prescaled values were specified.\nSpecify at least two prescaled values.",
    -200350: "Number of prescaled values and number of scaled values of the table scale are not equal.",
    -200378: "Custom scale specified does not exist.",
    -200404: "Polynomial scale: neither forward nor reverse coefficients were specified.",
    -200405: "Polynomial scale: no forward coefficients were specified.",
    -200406: "Polynomial scale: no reverse coefficients were specified.",
    -200407: "Forward coefficients of a polynomial scale cannot all be zero.",
    -200408: "Reverse coefficients of a polynomial scale cannot all be zero.",
    -200409: "Slope of a linear scale cannot be zero.",
    -200356: "Custom scale could not be saved: there is already a saved scale of that name.\nTo replace it, allow overwriting.",
    -200428: ("Value passed to the Task/Channels In control is invalid. The value must refer to a valid task or valid virtual channels."),
    -200430: "I/O type of the physical channel is invalid for the requested operation.",
    -200431: ("Specified physical channel does not support the measurement type required by the virtual channel you are creating."),
    -200433: "Table scale: fewer than two scaled values were specified.\nSpecify at least two scaled values.",
    -200434: "Table scale: fewer than two prescaled values were specified.\nSpecify at least two prescaled values.",
    -200447: (
        "Custom scale name was specified, but the units are not From Custom Scale.\nSet the units to From Custom Scale, or do not specify "
        "a custom scale name."
    ),
    -200452: "Specified property is not supported by the device or is not applicable to the task.",
    -200453: "Timeout specified is invalid. Specify a timeout of zero or more seconds, or -1 to wait indefinitely.",
    -200462: (
        "Generation cannot be started, because the output buffer is empty.\nWrite data before starting a buffered "
        "generation. The following actions can empty the buffer: changing the size of the buffer, unreserving a task, "
        "setting the Regeneration Mode property, changing the Sample Mode, or configuring retriggering."
    ),
    -200475: "Specified operation cannot be performed when the task is not running.",
    -200478: "Specified operation cannot be performed when there are no channels in the task.",
    -200479: "Specified operation cannot be performed while the task is running.",
    -200486: "Specified channel is not in the task.",
    -200483: (
        "Channel could not be saved: there is already a global channel of that name.\nTo replace it, allow overwriting; else save it under "
        "another name."
    ),
    -200484: (
        "Task could not be saved: there is already a task of that name.\nTo replace it, allow overwriting; else save it under another name."
    ),
    -200485: "Specified task does not exist among the saved tasks.",
    -200489: "Specified channel cannot be added to the task, because a channel with the same name is already in the task.",
    -200498: (
        "Syntax for a range of objects in the input string is invalid. For ranges of objects, specify a number "
        'immediately before and after every colon (":") in the input string. Or, if a name is specified after the '
        "colon, it must be identical to the name specified immediately before the colon. Colons are not allowed within "
        "the names of the individual objects."
    ),
    -200500: (
        "Error code could not be found. Reinstalling the driver might fix the issue. Otherwise, contact National "
        "Instruments technical support."
    ),
    -200524: (
        "Write cannot be performed, because the number of channels in the data does not match the number of channels in "
        "the task. When writing, supply data for all channels in the task. Alternatively, modify the task to contain "
        "the same number of channels as the data written."
    ),
    -200525: (
        "Read cannot be performed because this version of DAQmx Read does not match the type of channels in the task. "
        "Use the version of DAQmx Read that corresponds to the channel type."
    ),
    -200526: (
        "Write cannot be performed because this version of DAQmx Write does not match the type of channels in the task. "
        "Use the version of DAQmx Write that corresponds to the channel type."
    ),
    -200528: (
        "Requested line grouping is invalid. Either choose one channel for all lines or one channel for each line as the line grouping."
    ),
    -200557: "Specified property cannot be set while the task is running.",
    -200558: ("Task cannot contain channels on multiple devices that cannot be synchronized. Create a separate task for each device."),
    -200559: (
        "Task cannot contain a channel with the specified channel type, because channels of a different type are already in the task."
    ),
    -200560: (
        "Wait Until Done did not indicate that the task was done within the specified timeout.\nIncrease the timeout, "
        "check the program, and make sure hardware is connected properly."
    ),
    -200561: "Attempted writing analog data that is too large or too small.",
    -200587: "Digital lines could not be reserved or are unavailable.",
    -200598: "Prescaled values of a table scale cannot contain the same number more than once.",
    -200601: "Property is not supported for the type of this scale.",
    -200602: "Prescaled minimum and maximum of a map scale cannot be equal.",
    -200603: "Scaled minimum and maximum of a map scale cannot be equal.",
    -200608: "Acquisition cannot be started, because the selected buffer size is too small.\nIncrease the buffer size.",
    -200609: "Generation cannot be started, because the selected buffer size is too small.\nIncrease the buffer size.",
    -200635: "Action specified is not supported, because the task is not a watchdog timer task.",
    -200644: "Watchdog timer cannot be reset, because it has expired. Clear the expiration first.",
    -200648: "Specified physical channel is on a device that is not in the task.",
    -200651: "Watchdog expiration states cannot be set on a digital input channel.",
    -200662: "Watchdog timer is not supported on this device.",
    -200668: "Watchdog timeout is out of range and is not the special value -1.",
    -200678: "Write failed, because the watchdog timer has expired. Clear the expiration before writing.",
    -200846: (
        "Write cannot be performed when the auto start input to DAQmx Write is false, task is not running, and timing "
        "for the task is not configured or Timing Type is set to On Demand.\nSet auto start to true, start the task, or "
        "configure timing before invoking DAQmx Write."
    ),
    -200882: "Specified global channel does not exist.",
    -200983: "Property cannot be queried unless the task is reserved, committed or running.",
    -201493: "Shunt calibration failed, because the measurement is out of range.\nCheck the connections and the shunt.",
    -201237: "Physical channel name specified is invalid.",
    -201477: "Watchdog task cannot be reserved while other tasks on the device are reserved.",
}
