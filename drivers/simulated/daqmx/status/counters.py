"""Status codes that counters answer with."""

from __future__ import annotations

_COMBINATION = (
    "property values are inconsistent with one or more counter timebase properties. The conflicting properties must satisfy the following"
)
_INFERRED = (
    "Counter Timebase Rate = Master Timebase Rate / Counter Timebase Master Timebase Divisor or is inferred from the Counter Timebase "
    "Source selection."
)
_NO_TIMEBASE = (
    "A timebase could not be selected that covers the entire range specified in the Maximum and Minimum properties.\n"
    "The conflicting properties must satisfy the following constraints:"
)
_WRITE = (
    "DAQmx Write is supported for counter output channels only while the task is running. To use DAQmx Write with the given task, invoke "
    "DAQmx Start prior to DAQmx Write. To specify the {} while the task is not running, set DAQmx properties instead of invoking DAQmx "
    "Write."
)
"""As published for frequencies and times; for ticks by analogy."""
MESSAGES: dict[int, str] = {
    -200134: (
        "Counter timebase source and counter timebase rate settings are inconsistent with one another. For internal counter timebase "
        "source selections, if the counter timebase rate is set, its value must match the rate corresponding to the counter timebase "
        "source. For example, 20 MHz corresponds to a rate of 20,000,000 Hz."
    ),
    -200136: (
        f"Frequency and Initial Delay {_COMBINATION} constraint: Counter Timebase Rate / Counter Maximum Count <= X <= Counter Timebase "
        f"Rate / 2 where X = Frequency and 1 / Initial Delay, and where {_INFERRED}"
    ),
    -200137: (
        f"Initial Delay, High Time, and Low Time {_COMBINATION} restraint: 2 / Counter Timebase Rate <= X <= Counter Maximum Count / "
        f"Counter Timebase Rate where X = Initial Delay, High Time, and Low Time, and where {_INFERRED}"
    ),
    -200138: f"{_NO_TIMEBASE} Maximum <= Counter Maximum Count / Counter Timebase Rate, Minimum >= 2 / Counter Timebase Rate.",
    -200139: f"{_NO_TIMEBASE} Maximum <= Counter Timebase Rate / 2, Minimum >= Counter Timebase Rate / Counter Maximum Count.",
    -200140: ("Two consecutive active edges of the input signal occurred without a counter timebase edge.\nUse a faster counter timebase."),
    -200142: "Internal timebase could not be found that matches the rate specified in the Counter Timebase Rate property.",
    -200143: (
        "Counter timebase rate must be specified for external counter timebase sources in order for frequency and/or time calculations to "
        "be made correctly.\nSet the Counter Timebase Rate property to the appropriate value for your external source."
    ),
    -200144: (
        "Pause trigger is only valid for continuous pulse generations.\nChange the sample mode to continuous, or do not use the pause "
        "trigger."
    ),
    -200145: "Pause trigger is only valid for event counting if sample clock is not used.",
    -200146: "Pause and start triggers cannot both be active in this task.",
    -200147: ("There cannot be multiple counters in the same task for input operations.\nUse a separate task for each counter."),
    -200301: (
        "Cannot update the Pulse Generation property. The pulse generation with previous property settings must complete a full cycle "
        "before the property can be updated."
    ),
    -200474: "Specified operation did not complete, because the specified timeout expired.",
    -200684: "Pulse duty cycle specified is not supported for this device given the pulse frequency and Counter Timebase Rate.",
    -200685: "Pulse frequency specified is not supported for this device given the Counter Timebase Rate.",
    -200686: "Pulse high time specified is not supported for this device given the Counter Timebase Rate.",
    -200687: "Pulse low time specified is not supported for this device given the Counter Timebase Rate.",
    -200688: "Pulse high tick count specified is not supported for this device.",
    -200689: "Pulse low tick count specified is not supported for this device.",
    -200745: (
        f"Frequency and Initial Delay {_COMBINATION} constraints: Counter Timebase Rate / Counter Maximum Count <= Frequency <= Counter "
        "Timebase Rate / 4, Counter Timebase Rate / Counter Maximum Count <= 1 / Initial Delay <= Counter Timebase Rate / 2. If the "
        "Counter Timebase Rate is not specified, it is inferred from the Counter Timebase Source selection."
    ),
    -200747: (
        "Acquisition type specified is not supported by the FREQOUT channel. To use the FREQOUT channel, set the acquisition type to a "
        "value supported by FREQOUT. To use specified output type, use a different counter output channel."
    ),
    -200770: "Digital Filter Enable and Digital Synchronization Enable properties cannot be true at the same time.",
    -200771: (
        "Digital Filter Enable is set to true but the Minimum Pulse Width property is not configured.\nConfigure the Minimum Pulse Width "
        "property or set Digital Filter Enable to false."
    ),
    -200774: "Terminal has already been configured with a different Minimum Pulse Width by another property in this task.",
    -200806: (
        "Programmable filter clock of the device is configured to a different Minimum Pulse Width by another task. A custom width has to "
        "be the same for all terminals of the device."
    ),
    -200807: (
        "Programmable filter clock of the device is configured to a different Minimum Pulse Width by this task. A custom width has to be "
        "the same for all terminals of the device."
    ),
    -200775: "Terminal has already been configured with a different Minimum Pulse Width by another task.",
    -200797: "An empty string was specified as a terminal name which is not supported.\nSpecify a valid terminal name.",
    -200814: (
        "Onboard Clock is not supported as an Input Terminal for counter measurements.\nRefer to user documentation for a list of "
        "supported input terminals."
    ),
    -200829: "Write cannot be performed, because the channels of the task generate pulses of several types.",
    -200840: (
        "Prescaler value requested is not supported by this device, given the requested Timebase Source.\nSet Prescaler to 1, or change "
        "the Timebase Source."
    ),
    -200841: (
        "Prescaler value requested is not supported by this device, given the requested Input Terminal.\nSet Prescaler to 1, or change "
        "the Input Terminal."
    ),
    -200844: (
        "Task contains a 'freqout' counter channel, which cannot be updated while the task is running.\nCreate separate tasks for the "
        "'freqout' channel and the other counter channels if you wish to write to the other counter channels. Alternatively, stop the "
        "task, reprogram the counters, and restart the task."
    ),
    -200874: _WRITE.format("low and/or high time"),
    -200875: _WRITE.format("frequency and/or the duty cycle"),
    -200876: _WRITE.format("low and/or high ticks"),
    -200999: (
        "Requested property, Ready For New Value, is not supported when the Sample Timing Type is On Demand.\nTo use the Ready For New "
        "Value property, change the Sample Timing Type."
    ),
    -201291: "Pulse specifications cannot be written to a finite counter output task on this device.",
    -201314: (
        "Multiple Sample Clock pulses were detected within one period of the input signal.\nUse a Sample Clock rate that is slower than "
        "the input signal. If you are using an external Sample Clock, ensure that clock signal is within the jitter and voltage level "
        "specifications and without glitches."
    ),
    -201317: "Multiple counters are not allowed in a buffered counter output task.",
    -201318: (
        "Sample Clock pulse occurred before a pulse could be generated using the previous pulse specification.\nUse a Sample Clock that is "
        "slower than the pulse train you want to generate."
    ),
    -201320: "Retriggering can only be enabled for finite task with a Start trigger configured.",
    -201323: (
        "Sample Clock timing is not supported when using a two-counter measurement method.\nUse a one-counter measurement method, or use a "
        "different timing type."
    ),
    -201324: "Multiple counters are not allowed in a single counter output task when using Sample Clock timing.",
    -201330: "Pulse train specifications cannot be modified while the task is running if Auto Increment Count is greater than 0.",
    -201367: "Filtering or digital synchronization of an internal signal is not supported by the device.",
    -201439: (
        "Retriggering is not allowed for finite Sample Clock-timed counter output tasks.\nReconfigure the task to use a different sample "
        "timing type or disable retriggering."
    ),
    -201442: (
        "Cannot measure two-edge separation with both the first and second terminal set to the same signal and both the first and second "
        "edge set to the same edge. To measure the period of a signal, use a counter input period task. Otherwise, change one of the "
        "terminals to a different signal, or change one of the edges to be different from the other."
    ),
    -201443: (
        "FREQOUT counter cannot generate the desired frequency. The 4-bit FREQOUT counter can divide the 20 MHz, 10 MHz (20 MHz / 2), or "
        "100 kHz (20 MHz / 200) timebase by a number between 1 and 16. Choose a frequency within this range."
    ),
}
