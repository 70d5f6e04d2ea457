"""NI-DAQmx status codes about triggers, routes, events and times."""

from __future__ import annotations

MESSAGES: dict[int, str] = {
    -89120: (
        "Source terminal to be routed could not be found on the device. Make sure the terminal name is valid for the device. Refer "
        "to Measurement & Automation Explorer for valid terminal names."
    ),
    -89121: (
        "Destination terminal to be routed could not be found on the device. Make sure the terminal name is valid for the device. "
        "Refer to Measurement & Automation Explorer for valid terminal names."
    ),
    -89125: (
        "No registered trigger lines could be found between the devices in the route. If you have a PXI chassis, identify the "
        "chassis correctly in MAX, and make sure it has been configured properly. If you are using PCI devices, make sure they are "
        "connected with a RTSI cable and that the RTSI cable is registered in MAX. Otherwise, make sure there is an available "
        "trigger line on the trigger bus shared between the devices."
    ),
    -89127: (
        "Terminal cannot be tristated because it is busy. Disconnect any routes spanning this terminal, or stop any tasks using this "
        "terminal."
    ),
    -89128: "Terminal could not be tristated because the hardware cannot tristate this terminal.",
    -89131: (
        "An attempt has been made to perform a route when the source and the destination are the same terminal. In many cases, such "
        "as when configuring an external clock or a counter source, you must select a PFI, PXI Trigger, or RTSI line as the source "
        "terminal."
    ),
    -89136: "Specified route cannot be satisfied, because the hardware does not support it.",
    -89137: "Specified route cannot be satisfied, because it requires resources that are currently in use by another route.",
    -89138: (
        "Specified route cannot be satisfied, because it requires resources that are currently in use by another route within this task."
    ),
    -200122: "Lines 0 through 3 of this port are configured for input. Cannot configure these lines for output at this time.",
    -200123: "Lines 0 through 3 of this port are configured for output. Cannot configure these lines for input at this time.",
    -200124: "Lines 4 to 7 of this port are configured for input. Cannot configure these lines for output at this time.",
    -200125: "Lines 4 through 7 of this port are configured for output. Cannot configure these lines for input at this time.",
    -200131: (
        "Analog trigger source must be the first channel in the acquisition or a valid analog trigger terminal. If you explicitly "
        "named the virtual channel in DAQmx Create Channel, you must use the name assigned to that channel."
    ),
    -200213: (
        "Pretrigger Samples per Channel requested plus minimum number of posttrigger samples exceed the requested Number of Samples "
        "per Channel. Decrease the number of Pretrigger Samples per Channel, or increase Number of Samples per Channel."
    ),
    -200214: (
        "Analog trigger circuitry unavailable on the device. Select a non-analog trigger type, or use a device with analog "
        "triggering hardware."
    ),
    -200254: "Terminal for the device is invalid.",
    -200261: (
        "An attempt has been made to use an analog trigger in multiple situations with differing properties. Change the analog "
        "trigger properties so they are the same, or do not use an analog trigger for all situations."
    ),
    -200262: (
        "An attempt has been made to configure a trigger without configuring the appropriate sample clock properties or when Sample "
        "Timing Type was set to On Demand. Configure the sample clock type to something other than On Demand to use a trigger."
    ),
    -200263: (
        "Device supports an analog channel as the source of an analog pause trigger only when it is the only channel in the task. "
        "Remove all of the channels currently in the task except the channel that will be used as the analog trigger source, or "
        "change the analog trigger source to a terminal."
    ),
    -200264: (
        "Device supports an analog channel as the source of an analog reference trigger only when it is the only channel in the "
        "task. Remove all of the channels currently in the task except the channel that will be used as the analog trigger source, "
        "or change the analog trigger source to a terminal."
    ),
    -200265: (
        "An attempt has been made to use an invalid analog trigger source. Ensure that the trigger source you specify matches the "
        "name of the virtual channel in the task or matches the name of a non-scannable terminal that the device can use as an "
        "analog trigger source."
    ),
    -200358: (
        "An attempt has been made to configure a reference trigger when the sample mode of the sample clock has been configured for "
        "continuous sampling. Reference trigger is only applicable for finite sampling. Change the sample mode to finite to use a "
        "reference trigger, or do not configure a reference trigger."
    ),
    -200374: "Signal type requested to be exported is not valid.",
    -200375: "Signal type requested to be exported is not supported for the specified task running on the given device.",
    -200333: (
        "Delay from the start trigger is shorter than the shortest delay that can be generated using the onboard clock with a timebase "
        "suitable for generating the sample clock. For shorter delays, use a sample clock timebase with a higher rate, if applicable."
    ),
    -200334: (
        "Delay from start trigger is longer than the longest delay that can be generated using the onboard clock with a timebase "
        "suitable for generating the sample clock. For longer delays, use a slower sample clock timebase rate, if applicable."
    ),
    -200421: (
        "Requested Hysteresis is not valid with the configured Trigger Level and AI Minimum. Configure the task so the following "
        "formula is satisfied: Trigger Level - Hysteresis > AI Minimum"
    ),
    -200422: (
        "Requested Trigger Level is not valid with the configured AI Minimum and AI Maximum. Configure the instrument so the "
        "following formula is satisfied: AI Minimum < Trigger Level < AI Maximum"
    ),
    -200423: (
        "Requested window trigger level is not valid with the configured AI Minimum and AI Maximum. Configure the instrument so the "
        "following formula is satisfied: AI Minimum < Window Trigger Level < AI Maximum"
    ),
    -200425: (
        "Requested hysteresis is not valid with the configured trigger level and AI Maximum. Configure the task so the following "
        "formula is satisfied: Trigger Level + Hysteresis < AI Maximum"
    ),
    -200436: (
        "Start trigger delay is not available when an external sample clock source is specified. Change the sample clock to onboard "
        "clock, or do not configure the start trigger delay."
    ),
    -200607: "2 signals cannot be simultaneously exported on the same terminal.",
    -200628: "Pause and reference triggers are both configured, which is not supported in this task.",
    -200751: (
        "Sample Timing Type was set to Change Detection but no physical channels on which to detect changes were specified. Specify the"
        " Change Detection Digital Input Rising and/or Falling Edge Physical Channels, or specify a different Sample Timing Type."
    ),
    -200848: (
        "DAQmx Every N Samples Event is not supported within non-buffered tasks. To receive Every N Samples Event notifications, "
        "configure your task to use buffering."
    ),
    -200880: "Zero is not a supported value for the Every N Samples Event Interval. Specify an event interval greater than zero.",
    -200887: (
        "Start Trigger Digital Pattern Source requested is not supported because at least one of the corresponding channels is not "
        "in the task. Ensure all the corresponding channels are in the task or choose different channels."
    ),
    -200889: (
        "Reference Trigger Digital Pattern Source requested is not supported because at least one of the corresponding channels is "
        "not in the task. Ensure all the corresponding channels are in the task or choose different channels."
    ),
    -200894: (
        "Number of values specified via the Start Trigger Digital Pattern does not match the number of physical lines requested via "
        "the Start Trigger Digital Pattern Source. Change one or both of the properties so these two numbers are equal."
    ),
    -200895: (
        "Number of values specified in Reference Trigger Digital Pattern does not match the number of physical lines requested in "
        "Reference Trigger Digital Pattern Source. Change one or both of the properties so these two numbers are equal."
    ),
    -200901: "Digital Pattern string specified contains an invalid character.",
    -200926: (
        "Rising and Falling Edge Physical Channels for Change Detection requested are not supported because at least one of the "
        "corresponding channels is not in the task. Ensure all the corresponding channels are in the task or choose different "
        "channels."
    ),
    -200927: (
        "Trigger Type was set to Digital Pattern Match but no physical channels were specified as the Digital Pattern Source. "
        "Specify physical channels for property."
    ),
    -200949: (
        "You can only register one DAQmx Signal Event at a time on a task. DAQmx Signal events include the Counter Output event, the "
        "Sample Complete Event, the Sample Clock Event, and the Digital Change Detection event. Unregister the event before "
        "registering it again."
    ),
    -200950: (
        "Done Event registration has failed because the event is already registered within the task. Unregister the event before "
        "registering it again."
    ),
    -200960: (
        "DAQmx software event cannot be registered because the task is running. Register all your DAQmx software events prior to "
        "starting the task."
    ),
    -200966: (
        "Every N Samples Acquired Into Buffer Event registration has failed because the event is already registered within the task. "
        "Unregister the event before registering it again."
    ),
    -200967: (
        "Every N Samples Transferred From Buffer Event registration has failed because the event is already registered within the "
        "task. Unregister the event before registering it again."
    ),
    -200980: "DAQmx Every N Samples Transferred from Buffer Event is not supported by the channel types or devices in your task.",
    -200981: "DAQmx Every N Samples Acquired into Buffer Event is not supported by the channel types or devices in your task.",
    -200984: (
        "Auto Start cannot be set to True when one or more DAQmx events are registered for the task. Set Auto Start to False and "
        "start the task manually."
    ),
    -200985: (
        "DAQmx Write parameter Auto Start cannot be set to True when one or more DAQmx events are registered for the task. Set Auto "
        "Start to false and start the task manually."
    ),
    -200986: (
        "DAQmx software event cannot be unregistered because the task is running. Unregister all your DAQmx software events prior to "
        "starting the task."
    ),
    -200987: (
        "DAQmx Signal Event type requested is not supported by the channel types or the devices in your task. DAQmx Signal events "
        "include the Counter Output event, the Sample Complete Event, the Sample Clock Event, and the Digital Change Detection "
        "event. Refer to product documentation for more details on which DAQmx Signal Events are supported by the channel types and "
        "devices in your task."
    ),
    -201102: (
        "Analog trigger source must be the first channel of the device in the acquisition or a valid analog trigger terminal. Create "
        "your channels in a different order so that this channel is first, select a different channel from this device, or select "
        "the first channel from another device in the task. If you explicitly named the virtual channel in DAQmx Create Channel you "
        "must use the name assigned to that channel."
    ),
    -201103: (
        "Device support an analog channel as the source of an analog pause trigger only when it is the only channel from this device "
        "in the task. Remove all of this device's channels currently in the task except the channel that will be used as the analog "
        "trigger source, change the analog trigger source to a terminal, or select a channel from another device that only has one "
        "channel in the task."
    ),
    -201104: (
        "An attempt has been made to use an analog trigger in multiple situations with differing properties. Change the analog "
        "trigger properties so they are the same, select an analog trigger source from another device for one of the triggers, or do "
        "not use an analog trigger for all situations."
    ),
    -201123: (
        "Device supports an analog channel as the source of an analog reference trigger only when it is the only channel from this "
        "device in the task. Remove all of the channels from this device in the task except the channel that you want to use as the "
        "analog trigger source, change the analog trigger source to a terminal, or select a channel from another device that only "
        "has one channel in the task."
    ),
    -209849: "A time Arm Start Trigger and time Start Trigger are configured. Ensure the Arm Start Trigger comes first.",
    -209828: (
        "All channels used for the analog trigger source must be on the same device. Remove trigger configurations from the task until all "
        "of the sources are channels from the same device."
    ),
    -209826: "Multiple sourced triggering requires the same number of values for all user-specified trigger configurations.",
    -209833: "DAQmx Wait for Valid Timestamp is not supported by one or more devices in this task.",
    -209840: "The configured time trigger is in the past.",
    -209842: "Timestamp requested is not enabled for this task.",
    -209843: "Time operations are not supported by this device or task type.",
    -209844: (
        "Attempted to query a timestamp before it is available. Use the DAQmx Wait for Valid Timestamp VI/function to wait until the "
        "desired timestamp is available."
    ),
}
