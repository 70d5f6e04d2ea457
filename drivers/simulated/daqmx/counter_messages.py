"""Status codes that counters answer with, in the manner of the driver."""

MESSAGES: dict[int, str] = {
    -200141: "Counter overflowed: the measured interval is longer than the counter can count.\nUse a slower counter timebase.",
    -200144: "Pause trigger is only valid for continuous pulse generation. Set the generation mode to continuous or remove the trigger.",
    -200146: "Counter output start trigger and pause trigger are both configured. Use only one of them.",
    -200147: (
        "Specified channel cannot be added to the task, because a counter channel is already in the task. Create one task for each "
        "counter channel."
    ),
    -200301: "Property cannot be updated while a buffer of pulses is generated.",
    -200305: "Finite or clocked pulse train generation is not possible on the frequency output. Use a counter.",
    -200474: "Specified operation did not complete, because the specified timeout expired.",
    -200684: "Duty cycle to be written is out of range. It has to be between 0.0 and 1.0.",
    -200685: "Frequency to be written is out of range.",
    -200686: "Pulse high time to be written is out of range.",
    -200687: "Pulse low time to be written is out of range.",
    -200688: "Number of pulse high ticks to be written is not supported.",
    -200689: "Number of pulse low ticks to be written is not supported.",
    -200799: "Sample clock source is not valid for counting edges in this sample mode: counters need a clock from outside of them.",
    -200800: "Sample clock source is not valid for this sample timing type: counters need a clock from outside of them.",
    -200801: "Sample clock source is not valid for counter outputs: counters need a clock from outside of them.",
    -200829: "Write cannot be performed, because the channels of the task generate pulses of several types.",
    -200874: "Pulse times cannot be written, because the task is not running and has no buffer. Start the task or set auto start to true.",
    -200875: (
        "Pulse frequency cannot be written, because the task is not running and has no buffer. Start the task or set auto start to true."
    ),
    -200876: "Pulse ticks cannot be written, because the task is not running and has no buffer. Start the task or set auto start to true.",
    -201291: "Pulses cannot be written to a finite counter output task while it runs.",
    -201317: "Counter input tasks that are buffered with implicit timing can have one channel only. Create one task for each channel.",
    -201314: (
        "Multiple Sample Clock pulses were detected within one period of the input signal.\nUse a Sample Clock rate slower than the input "
        "signal. If you are using an external Sample Clock, ensure that the clock signal is free of glitches."
    ),
}
