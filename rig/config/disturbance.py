"""What a laboratory does to a signal between plant and DAQ device of a virtual bench: `[[disturbances]]`, one table a signal."""

from __future__ import annotations

from dataclasses import dataclass, field

HIGHEST = 1e7
"""Hz: beyond what any conditioner passes."""


@dataclass(frozen=True)
class CrossTalk:
    """What comes over from another signal: one element of the cross-talk matrix."""

    of: str = field(metadata={"doc": "the other signal of the plant"})
    share: float = field(default=0.0, metadata={"unit": "1", "doc": "volts for one volt of it"})


@dataclass(frozen=True)
class Disturbance:
    """What is added to one analogue output of the plant, or taken from it; all 0 leaves its bits alone.

    Sensor first (cross-talk, hysteresis, nonlinearity, gain, zero), then cable (hum, noise, interference), then conditioner (delay, clock,
    end of its range).
    """

    signal: str = field(metadata={"doc": "output of the plant, as wired"})
    crosstalk: tuple[CrossTalk, ...] = field(default=(), metadata={"doc": "row of the cross-talk matrix"})
    full_scale: float = field(default=10.0, metadata={"unit": "V", "over": 0.0, "doc": "of the sensor, for hysteresis and nonlinearity"})
    hysteresis: float = field(
        default=0.0, metadata={"unit": "1", "at_least": 0.0, "at_most": 0.5, "doc": "way up against way down, share of full scale"}
    )
    nonlinearity: float = field(
        default=0.0,
        metadata={
            "unit": "1",
            "at_least": -0.3,
            "at_most": 0.3,
            "doc": "most that it bends off the line through its ends, share of full scale",
        },
    )
    gain_error: float = field(
        default=0.0, metadata={"unit": "1", "over": -1.0, "at_most": 100.0, "doc": "share by which it shows too much"}
    )
    gain_drift: float = field(default=0.0, metadata={"unit": "1/s", "doc": "growth of that share"})
    zero: float = field(default=0.0, metadata={"unit": "V", "doc": "what it shows of nothing"})
    zero_drift: float = field(default=0.0, metadata={"unit": "V/s", "doc": "growth of that"})
    hum: float = field(default=0.0, metadata={"unit": "V", "at_least": 0.0, "doc": "amplitude at the mains' frequency"})
    hum_frequency: float = field(default=50.0, metadata={"unit": "Hz", "over": 0.0, "at_most": HIGHEST})
    hum_harmonics: tuple[float, ...] = field(default=(), metadata={"doc": "amplitudes of the 2nd, 3rd, ... harmonic, as shares of hum"})
    coloured_noise: float = field(default=0.0, metadata={"unit": "V", "at_least": 0.0, "doc": "rms"})
    noise_exponent: float = field(
        default=1.0, metadata={"unit": "1", "at_least": 0.0, "at_most": 4.0, "doc": "a of its density 1/f^a; 1: pink, 2: brown"}
    )
    noise_lowest: float = field(default=0.1, metadata={"unit": "Hz", "over": 0.0, "at_most": HIGHEST, "doc": "where its spectrum begins"})
    noise_highest: float = field(default=1000.0, metadata={"unit": "Hz", "over": 0.0, "at_most": HIGHEST, "doc": "where its spectrum ends"})
    interference: float = field(
        default=0.0, metadata={"unit": "V", "at_least": 0.0, "doc": "amplitude of a tone, as of a converter's switching"}
    )
    interference_frequency: float = field(
        default=50e3,
        metadata={"unit": "Hz", "over": 0.0, "at_most": HIGHEST, "doc": "above half the sample rate it comes out folded (aliasing)"},
    )
    delay: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0, "at_most": 1.0, "doc": "of the conditioner"})
    skew_ppm: float = field(
        default=0.0, metadata={"at_least": 0.0, "at_most": 1e5, "doc": "how much too slow the conditioner's own clock goes"}
    )
    fault: str = field(
        default="none",
        metadata={"choices": ("none", "frozen", "open"), "doc": "frozen: its last value stays; open: 0 V, as unplugged; neither has noise"},
    )
    fault_begin: float = field(default=0.0, metadata={"unit": "s", "at_least": 0.0, "doc": "of the bench's clock, when that comes"})
    saturation: float = field(default=0.0, metadata={"unit": "V", "at_least": 0.0, "doc": "end of the conditioner's range; 0: none"})

    def __post_init__(self) -> None:
        if not self.noise_lowest < self.noise_highest:
            raise ValueError(f"noise_lowest: expected less than noise_highest, {self.noise_highest:g} Hz, got {self.noise_lowest:g} Hz")
        if self.signal in {talk.of for talk in self.crosstalk}:
            raise ValueError(f"crosstalk: {self.signal} cannot talk into itself; a wrong gain is gain_error")
