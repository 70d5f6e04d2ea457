"""Names of the terminals of each family, in the driver's order.

Seen in listings of `Device.terminals` that users published: PCIe-6351 (the X Series) and cDAQ-9171 with an NI 9401; completed for the X
Series by the signals that the "X Series User Manual" names for each subsystem (ConvertClock, HoldCompleteEvent, ...). Their order within
the list is that of the chassis' listing, for a multifunction card not checked. Those of modules in PXI Express slots are the ones that
their manuals name (PFI 0, PXI triggers, star and reference clocks); order not checked.
"""

from __future__ import annotations


def pfi(count: int) -> tuple[str, ...]:
    """PFI0 and on."""
    return tuple(f"PFI{n}" for n in range(count))


def _backplane(pci: bool) -> tuple[str, ...]:
    if pci:
        return tuple(f"RTSI{n}" for n in range(8))
    return (*(f"PXI_Trig{n}" for n in range(8)), "PXI_Star", "PXI_Clk10", "PXIe_Clk100", "PXIe_DStarA", "PXIe_DStarB")


def _counters(count: int) -> tuple[str, ...]:
    signals = ("Source", "Gate", "Aux", "SampleClock", "ArmStartTrigger", "InternalOutput", "A", "B", "Z")
    names = tuple(f"Ctr{n}{signal}" for signal in signals for n in range(count))
    return (*names, "PairedCtrInternalOutput", "PairedCtrOutputPulse", "FrequencyOutput")


_EDGES = (
    "ai/ReferenceTrigger", "ai/SampleClock", "ai/StartTrigger", "ao/SampleClock", "ao/StartTrigger",
    "di/SampleClock", "di/StartTrigger", "di/ReferenceTrigger", "do/SampleClock", "do/StartTrigger",
)  # fmt: skip
_LEVELS = (
    "ai/PauseTrigger", "ai/SampleClockTimebase", "ao/PauseTrigger", "ao/SampleClockTimebase",
    "di/SampleClockTimebase", "di/PauseTrigger", "do/PauseTrigger", "do/SampleClockTimebase",
)  # fmt: skip


def multifunction(lines: int, analog: int, counters: int, *, bus: str, multiplexed: bool = True) -> tuple[str, ...]:
    """An X Series or mioDAQ device with that many PFI lines and analogue trigger inputs; `bus`: `pci`, `pxi` or `usb`."""
    convert = ("ai/ConvertClock", "ai/HoldCompleteEvent") if multiplexed else ("ai/HoldCompleteEvent",)
    return (
        *pfi(lines), *(f"APFI{n}" for n in range(analog)), *(() if bus == "usb" else _backplane(bus == "pci")),
        "20MHzTimebase", "100MHzTimebase", "10MHzRefClock", *convert, *_EDGES,
        "ChangeDetectionEvent", "WatchdogExpiredEvent", "WatchdogExpirationTrigger", "AnalogComparisonEvent",
        *(("ai/ConvertClockTimebase",) if multiplexed else ()), *_LEVELS, "100kHzTimebase", "None", *_counters(counters),
    )  # fmt: skip


def chassis() -> tuple[str, ...]:
    """A CompactDAQ or TestScale chassis: three timing engines for inputs, four counters."""
    engines = tuple(f"te{n}" for n in range(2))
    edges = tuple(f"{engine}/{signal}" for engine in engines for signal in ("ReferenceTrigger", "SampleClock", "StartTrigger"))
    levels = tuple(f"{engine}/{signal}" for engine in engines for signal in ("PauseTrigger", "SampleClockTimebase"))
    return (
        "20MHzTimebase", "80MHzTimebase", *_EDGES, *edges, "ChangeDetectionEvent", "AnalogComparisonEvent",
        *_LEVELS, *levels, "100kHzTimebase", "SyncPulse0", *_counters(4),
    )  # fmt: skip


def dynamic_signal(*, outputs: bool = False, express: bool = True, engines: tuple[str, ...] = ("ai",)) -> tuple[str, ...]:
    """A module with delta-sigma or other simultaneous converters in a PXI slot; `engines`: timing engines of its inputs."""
    slot = _backplane(pci=False) if express else (*(f"PXI_Trig{n}" for n in range(8)), "PXI_Star", "PXI_Clk10")
    parts = ("ao",) if outputs else engines
    signals = ("SampleClock", "StartTrigger", *(() if outputs else ("ReferenceTrigger",)), "SampleClockTimebase", "PauseTrigger")
    event = () if outputs else ("AnalogComparisonEvent",)
    return ("PFI0", *slot, *(f"{part}/{signal}" for part in parts for signal in signals), "SyncPulse", *event)
