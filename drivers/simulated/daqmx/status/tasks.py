"""NI-DAQmx status codes about tasks, their timing, buffers, reading and writing."""

from __future__ import annotations

MESSAGES: dict[int, str] = {
    -50103: "The specified resource is reserved. The operation could not be completed as specified.",
    -50352: "The requested memory could not be allocated.",
    -200077: (
        "Requested value is not a supported value for this property. The property value may be invalid because it conflicts with "
        "another property."
    ),
    -200081: (
        "Sample rate exceeds the maximum sample rate for the number of channels specified. Reduce the sample rate or the number of "
        "channels. Increasing the convert rate or reducing the sample delay might also alleviate the problem, if you set either of "
        "them."
    ),
    -200088: "Task specified is invalid or does not exist.",
    -200096: "Number of samples to read must be -1 or greater.",
    -200097: (
        "Attempted to retrieve channel properties from a multichannel task with more than one channel selected. You must select an "
        "individual channel to retrieve channel properties. If you are programming with LabVIEW, use the Active Channel property to "
        "specify the individual channel."
    ),
    -200100: "Specified DAQmx Read only can be used to read from a single channel. Use the multichannel DAQmx Read.",
    -200101: "Number of channels in data to write does not match the number of channels in the task.",
    -200229: "Buffer is too small to fit read data.",
    -200231: "Property requested cannot be set.",
    -200233: "Property specified is not valid for this function.",
    -200268: (
        "Specified Offset is too small given AO Gain and Minimum Value. The following constraint must hold: "
        "Offset > (Gain * Minimum Value / 2)"
    ),
    -200277: (
        "Invalid combination of position and offset. The position and offset specified a sample prior to the first sample acquired "
        "(sample 0). Make sure any negative read offset specified will select a valid sample when combined with the read position."
    ),
    -200278: (
        "Attempted to read a sample beyond the final sample acquired. The acquisition has stopped, therefore the sample specified by "
        "the combination of position and offset will never be available.\n\nSpecify a position and offset which selects a sample up "
        "to, but not beyond, the final sample acquired. The final sample acquired can be determined by querying the total samples "
        "acquired after an acquisition has stopped."
    ),
    -200279: (
        "The application is not able to keep up with the hardware acquisition.\nIncreasing the buffer size, reading the data more "
        "frequently, or specifying a fixed number of samples to read instead of reading all available samples might correct the "
        "problem."
    ),
    -200281: (
        "Reading relative to the reference trigger or relative to the start of pretrigger samples position before the acquisition is "
        "complete. Wait for the acquisition to complete before reading, or increase your read timeout. Also, make sure the hardware "
        "is set up and wired correctly, the signal for the reference trigger is correct, and that the reference trigger occurs while "
        "the device is acquiring data."
    ),
    -200282: (
        "Reading relative to the reference trigger or relative to the start of a pretrigger sample is not supported with the current "
        "task configuration. If you have not configured a reference trigger or if one of your devices is utilizing an onboard buffer to"
        " transfer data after an acquisition has completed, reading relative to reference trigger or relative to the first pretrigger "
        "sample is not supported. Configure a reference trigger, or configure read position differently."
    ),
    -200284: (
        "Some or all of the samples requested have not yet been acquired.\n\nTo wait for the samples to become available use a longer "
        "read timeout or read later in your program. To make the samples available sooner, increase the sample rate. If your task "
        "uses a start trigger, make sure that your start trigger is configured correctly. It is also possible that you configured "
        "the task for external timing, and no clock was supplied. If this is the case, supply an external clock."
    ),
    -200287: (
        "Attempted to write to an invalid combination of position and offset. The position and offset specified a sample prior to "
        "the first sample generated (sample 0). Make sure any negative write offset specified will select a valid sample when "
        "combined with the write position."
    ),
    -200288: (
        "Attempted to write a sample beyond the final sample generated. The generation has stopped, therefore the sample specified "
        "by the combination of position and offset will never be available. Specify a position and offset which selects a sample up "
        "to, but not beyond, the final sample generated. The final sample generated can be determined by querying the total samples "
        "generated after a generation has stopped."
    ),
    -200289: (
        "Attempted to write samples that have already been generated or have already been sent to the device for generation. "
        "Increasing the buffer size or writing the data more frequently might correct the problem."
    ),
    -200290: (
        "The generation has stopped to prevent the regeneration of old samples. Your application was unable to write samples to the "
        "background buffer fast enough to prevent old samples from being regenerated.\nTo avoid this error, you can do any of the "
        "following:\n1. Increase the size of the background buffer by configuring the buffer.\n2. Increase the number of samples you "
        "write each time you invoke a write operation.\n3. Write samples more often.\n4. Reduce the sample rate.\n5. If your data "
        "transfer method is interrupts, try using DMA or USB Bulk.\n6. Reduce the number of applications your computer is executing "
        "concurrently.\nIn addition, if you do not need to write every sample that is generated, you can configure the regeneration "
        "mode to allow regeneration, and then use the Position and Offset attributes to write the desired samples."
    ),
    -200292: (
        "Some or all of the samples to write could not be written to the buffer yet. More space will free up as samples currently in "
        "the buffer are generated. To wait for more space to become available, use a longer write timeout. To make the space "
        "available sooner, increase the sample rate."
    ),
    -200293: (
        "The generation is not yet started, and not enough space is available in the buffer. Configure a larger buffer, or start the "
        "generation before writing more data than will fit in the buffer."
    ),
    -200295: (
        "Attempt was made to write samples after start of generation where only onboard memory was used. In this case, all samples must"
        " be written to the device before the start of generation. No samples may be updated once the generation has started. If you "
        "wish to modify samples in the generation after the start of the generation, do not enable the onboard memory."
    ),
    -200303: "External sample clock source must be specified for this application.",
    -200331: (
        "Specified sample rate is lower than the lowest rate that can be generated using the onboard clock. The rate has been "
        "coerced to the slowest possible sample rate. For slower rates, use an external sample clock or an external sample clock "
        "timebase."
    ),
    -200332: "Specified sample rate is higher than the fastest rate supported by the device.",
    -200341: (
        "Generation was configured to use only onboard memory, but the corresponding buffer is larger than onboard memory. Buffer size "
        "is provided implicitly when data is written or explicitly when the buffer is configured. Configure the generation so that the "
        "Use Only Onboard Memory property is false. Alternatively, you can make sure the number of samples written and/or the size of "
        "the configured buffer do not exceed the onboard memory size."
    ),
    -200428: "Value passed to the Task/Channels In control is invalid. The value must refer to a valid task or valid virtual channels.",
    -200452: "Specified property is not supported by the device or is not applicable to the task.",
    -200453: (
        "Specified timeout value is not supported. Supported timeout values are 0 (try or check once and return), positive numbers "
        "up to 4294967, and -1 (try or check until success or error)."
    ),
    -200459: "Write failed, because there are no output channels in this task to which data can be written.",
    -200460: "Read failed, because there are no channels in this task from which data can be read.",
    -200462: (
        "Generation cannot be started because the output buffer is empty. Write data before starting a buffered generation. The "
        "following actions can empty the buffer: changing the size of the buffer, unreserving a task, setting the Regeneration Mode "
        "property, changing the Sample Mode, or configuring retriggering."
    ),
    -200463: (
        "Specified read or write operation failed, because the number of lines in the data for a channel does not match the number "
        "of lines in the channel. If you are using the Digital Waveform datatype, make sure the number of lines in the digital "
        "waveform matches the number of lines in the channel. If you are using boolean data, make sure the array dimension for lines "
        "in the data matches the number of lines in the channel."
    ),
    -200473: (
        "Read cannot be performed when the Auto Start property is false and the task is not running or committed. Start the task "
        "before reading, or set Auto Start to true."
    ),
    -200475: "Specified operation can be performed only when the task is running. Start the task before requesting this operation.",
    -200478: "Specified operation cannot be performed when there are no channels in the task.",
    -200479: "Specified operation cannot be performed while the task is running.",
    -200500: (
        "Error code could not be found. Reinstalling the driver might fix the issue. Otherwise, contact National Instruments "
        "technical support."
    ),
    -200523: (
        "Read cannot be performed because this version of DAQmx Read only returns data from a single channel, and there are multiple "
        "channels in the task. Use the multichannel version of DAQmx Read."
    ),
    -200524: (
        "Write cannot be performed, because the number of channels in the data does not match the number of channels in the task. "
        "When writing, supply data for all channels in the task. Alternatively, modify the task to contain the same number of "
        "channels as the data written."
    ),
    -200525: (
        "Read cannot be performed because this version of DAQmx Read does not match the type of channels in the task. Use the "
        "version of DAQmx Read that corresponds to the channel type."
    ),
    -200526: (
        "Write cannot be performed because this version of DAQmx Write does not match the type of channels in the task. Use the "
        "version of DAQmx Write that corresponds to the channel type."
    ),
    -200538: "Action requested is invalid.",
    -200547: (
        "DAQmx Write failed, because a previous DAQmx Write automatically configured the output buffer size. The buffer size is "
        "equal to the original number of samples written per channel, so no more data can be written prior to starting the task. "
        "Start the generation before the second DAQmx Write, or set Auto Start to true in all occurences of DAQmx Write. To "
        "incrementally write into the buffer prior to starting the task, call DAQmx Configure Output Buffer before the first DAQmx "
        "Write."
    ),
    -200557: (
        "Specified property cannot be set while the task is running. Set the property prior to starting the task, or stop the task "
        "prior to setting the property."
    ),
    -200560: (
        "Wait Until Done did not indicate that the task was done within the specified timeout. Increase the timeout, check the "
        "program, and make sure connections for external timing and triggering are in place."
    ),
    -200561: (
        "Attempted writing analog data that is too large or too small. Change Minimum Value and Maximum Value to reflect the range "
        "of the channel."
    ),
    -200563: (
        "Specified digital channel contains more bits than supported by the 8-bit version of DAQmx Port Read. Use a version of DAQmx "
        "Port Read that supports wider digital ports."
    ),
    -200564: (
        "Specified digital channel contains more bits than supported by the 32-bit version of DAQmx Read. Use a version of DAQmx "
        "Read that returns an array of Boolean values or digital waveforms."
    ),
    -200565: (
        "Specified digital channel contains more bits than supported by the 8-bit version of DAQmx Port Write. Use the version of "
        "DAQmx Port Write that supports wider digital ports."
    ),
    -200566: "Specified digital channel contains more bits than supported by the 32-bit version of DAQmx Port Write.",
    -200587: (
        "Requested operation could not be performed, because the specified digital lines are either reserved or the device is not "
        "present in NI-DAQmx. It is possible that these lines are reserved by another task or the device is being reset. If you are "
        "using these lines with another task, wait for the task to complete. If you want to force the other task to relinquish the "
        "device, reset the device. If you are resetting the device, wait for the reset to finish."
    ),
    -200591: "Negative buffer size was supplied. The buffer size must be zero or greater.",
    -200608: "Acquisition cannot be started, because the selected buffer size is too small. Increase the buffer size.",
    -200609: "Generation cannot be started, because the selected buffer size is too small. Increase the buffer size.",
    -200658: (
        "Attempt to get property failed, because your task contains multiple channels, and the property has different values for "
        "different channels. Get this property one channel at a time using Active Channel to specify each individual channel."
    ),
    -200757: (
        "Sample Timing Type is set to On Demand which is not supported for analog input on this device.\nSet Sample Timing Type to "
        "Sample Clock. You can achieve this whlie setting related properties through DAQmx VIs or functions for configuring timing."
    ),
    -200832: (
        "DAQmx Read is not supported if the Sample Timing Type is On Demand, the Auto Start property is false, and the task is not "
        "running. Start the task before reading samples by calling DAQmx Start Task, set the Read.Auto Start property to true, or "
        "change the Sample Timing Type."
    ),
    -200846: (
        "Write cannot be performed when the auto start input to DAQmx Write is false, task is not running, and timing for the task is "
        "not configured or Timing Type is set to On Demand. Set auto start to true, start the task, or configure timing and specify "
        "Timing Type other than On Demand."
    ),
    -200863: (
        "DAQmx Wait for Next Sample Clock is not supported by the given device for tasks containing channels of the given type or "
        "timing type. DAQmx Wait for Next Sample Clock is only supported for the hardware-timed single-point timing type."
    ),
    -200878: (
        "Specified digital channel contains more bits than supported by the 16-bit version of DAQmx Port Read. Use a version of "
        "DAQmx Port Read that supports wider digital ports."
    ),
    -200879: (
        "Specified digital channel contains more bits than supported by the 16-bit version of DAQmx Port Write. Use the version of "
        "DAQmx Port Write that supports wider digital ports."
    ),
    -201087: (
        "Task contains physical channels on one or more devices that require you to specify the Sample Clock rate.\nUse the Sample Clock "
        "Timing function/VI to specify a Sample Clock rate. You cannot specify a Sample Clock rate if Mode is set to On Demand."
    ),
    -201096: "Sample clock timebase rate must be specified when using an external sample clock timebase.",
    -200983: (
        "You only can get the specified property while the task is reserved, committed or while the task is running. Reserve, commit "
        "or start the task prior to getting the property."
    ),
    -201105: (
        "Resource requested by this task has already been reserved by a different task with conflicting settings. Unreserve any "
        "other tasks using this device, or change their settings to be compatible with this task."
    ),
    -201118: (
        "Operation must be performed on the entire task. It cannot be performed only on specific devices in the task. Do not use the "
        "indexer, Item property in Visual Basic, or index operator in C++ to specify device names when performing this operation."
    ),
    -201133: (
        "Device cannot be configured for input or output because lines and/or terminals on this device are in use by another task or "
        "route. This operation requires temporarily reserving all lines and terminals for communication, which interferes with the "
        "other task or route. If possible, use DAQmx Control Task to reserve all tasks that use this device before committing any "
        "tasks that use this device. Otherwise, uncommit or unreserve the other task or disconnect the other route before attempting "
        "to configure the device for input or output."
    ),
}
