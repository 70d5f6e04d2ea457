"""Names under which programs keep a sample rate or the time between samples, with the unit that they have in them: rate_in_kHz, dt_ms."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from rig.playback.hdf5_attributes import Said
from rig.playback.hdf5_words import SIGNS, plain_key, words


class TimeBase(NamedTuple):
    """What a number under a name is: `factor` times it is Hz, or s between two samples."""

    between: bool
    factor: float


HERTZ = {
    "rate", "sampling", "samplerate", "samplesrate", "samplingrate", "samplefrequency", "samplingfrequency", "samplefreq",
    "samplingfreq", "fs", "fsample", "fsampling", "fsamp", "sr", "srate", "sfreq", "freq", "frequency", "odr", "fps",
    "samplespersecond", "samplespersec", "sps", "acquisitionrate", "acquisitionfrequency", "scanrate", "datarate", "framerate",
    "nominalrate", "nominalsrate", "wfsamplerate", "clockrate", "clock", "sampleclockrate", "daqrate", "updaterate", "digitizerrate",
}  # fmt: skip
SECONDS = {
    "dt", "deltat", "deltatime", "timedelta", "dtime", "dx", "deltax", "xdelta", "sampleinterval", "samplinginterval", "sampleperiod",
    "samplingperiod", "sampletime", "samplingtime", "samplestep", "samplespacing", "timeincrement", "timeinc", "tinc", "timestep",
    "tstep", "timeinterval", "timespacing", "timeresolution", "timeperstep", "timepersample", "period", "interval", "increment",
    "xincrement", "xinc", "xincr", "xstep", "xspacing", "xinterval", "wfincrement", "ts", "tsample", "tsampling", "secondspersample",
    "dwell", "dwelltime", "stepsize", "dts", "dtsec", "dtseconds", "delta", "spacing", "abtastzeit", "timebase", "looptime",
    "cycletime",
}  # fmt: skip
OF_GROUPS = {"rate", "fs", "dt"}
"""What a group may say of all that is in it without a word of sampling; its `frequency` is of what was done."""
OF_SAMPLING = re.compile("samp|abtast|acqui|daq|digit|scan|messrate|messfreq|echant|\u00e9chant|cadence")
RATES = {"rate", "freq", "frequency", "frequenz", "frequence", "fr\u00e9quence", "takt", "cadence"}
RATE_ENDS = ("rate", "freq", "frequency", "frequenz")
VERBS = {
    "accelerate", "separate", "calibrate", "integrate", "generate", "operate", "moderate", "accurate", "substrate", "saturate",
    "corporate", "concentrate", "vibrate", "penetrate", "bitrate",
}  # fmt: skip
BETWEEN = {
    "dt", "deltat", "delta", "interval", "intervall", "spacing", "period", "increment", "timestep", "abtastzeit", "abtastintervall",
    "dwell",
}  # fmt: skip
BETWEEN_SAMPLES = {"step", "distance", "dist", "int", "schritt", "schrittweite", "abstand", "periode"}
"""The same, beside a word of sampling."""
OF_OTHERS = {
    "cutoff", "filter", "lowpass", "highpass", "corner", "bandwidth", "load", "loading", "strain", "stress", "test", "natural",
    "resonance", "resonant", "resonator", "carrier", "excitation", "drive", "fundamental", "mains", "line", "bit", "baud", "heart",
    "cycle", "cyclic", "refresh", "flow", "fall", "cooling", "heating", "leak", "error", "failure", "decay", "drift", "temperature",
    "slew", "ramp", "rated", "confidence", "calibration", "cal", "maintenance", "crosshead", "feed", "lower", "upper", "lowest",
    "highest",
}  # fmt: skip
"""Beside which a rate, frequency or interval is not that of sampling."""
THINNED = re.compile("decimat|down_?sampl|sub_?sampl|over_?sampl|under_?sampl|up_?sampl|prescaler|rate_?divi|clock_?divi|^divi(der|sor)$")

LASTING = {"duration", "recordduration", "totalduration", "measurementduration", "totaltime", "dauer", "messdauer", "recordlength"}
"""How long all of it is; the last only with a unit of time, as else it counts samples."""

FREQUENCIES = {
    "hz": 1.0, "hertz": 1.0, "khz": 1e3, "kilohertz": 1e3, "mhz": 1e6, "megahertz": 1e6, "ghz": 1e9, "sps": 1.0, "ksps": 1e3, "msps": 1e6,
}  # fmt: skip
TIMES = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("ms", "msec", "millis", "millisecond", "milliseconds"), 1e-3),
    **dict.fromkeys(("us", "\u00b5s", "\u03bcs", "usec", "micros", "microsecond", "microseconds"), 1e-6),
    **dict.fromkeys(("ns", "nsec", "nanosecond", "nanoseconds"), 1e-9),
    **dict.fromkeys(("min", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hour", "hours"), 3600.0),
}
LONGEST_FIRST = sorted({**FREQUENCIES, **TIMES}, key=len, reverse=True)
_TIME = "|".join(sorted(TIMES, key=len, reverse=True))
SAMPLES_PER = re.compile(rf"(?:\w*?)(?:samples?|points?|pts|scans?|frames?|readings?|values?|messwerte)(?:per|pro)({_TIME})")
PER_SAMPLE = re.compile(rf"({_TIME})(?:per|pro)(?:samples?|points?|pts|scans?|readings?|values?|messwerte?)")
WITH_UNIT = re.compile(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(\S*)\s*")


def time_base(key: str) -> TimeBase | None:
    """What a number under this name is; None for what is no rate, and no time between samples."""
    plain, found = plain_key(key), words(key)
    if "nyquist" in found:
        return TimeBase(False, 2.0 * next((FREQUENCIES[word] for word in found if word in FREQUENCIES), 1.0))
    if OF_OTHERS & {*found} and not OF_SAMPLING.search(plain) and _parted(plain)[0] not in SECONDS:
        return None
    for pattern, between in ((SAMPLES_PER, False), (PER_SAMPLE, True)):
        if per := pattern.fullmatch(plain_key(key.replace("/", "per"))):
            return TimeBase(between, TIMES[per[1]] if between else 1.0 / TIMES[per[1]])
    name, unit = _parted(plain)
    milli = 1e-9 if unit == "mhz" and "mHz" in key else 1.0  # whose capital letter alone tells it from a million
    if name in HERTZ or (not name and unit in FREQUENCIES):
        return TimeBase(False, FREQUENCIES.get(unit, 1.0) * milli)
    if name in SECONDS:
        return TimeBase(True, TIMES.get(unit, 1.0))
    return _by_words(found, milli)


def _parted(plain: str) -> tuple[str, str]:
    """(name, unit) of a name that ends with its unit, or is known without one."""
    if plain in HERTZ | SECONDS:
        return plain, ""
    for unit in LONGEST_FIRST:
        name = plain.removesuffix(unit)
        for one in (name, name.removesuffix("in")):
            if name != plain and one in (HERTZ if unit in FREQUENCIES else SECONDS) | ({""} if unit in FREQUENCIES else set()):
                return one, unit
    return plain, ""


def _by_words(found: list[str], milli: float) -> TimeBase | None:
    frequencies = [FREQUENCIES[word] for word in found if word in FREQUENCIES]
    if any(word in RATES or (word.endswith(RATE_ENDS) and word not in VERBS) for word in found):
        return TimeBase(False, frequencies[0] * milli if frequencies else 1.0)
    between = {*found} & BETWEEN or any(word.endswith(("interval", "intervall")) for word in found)
    if OF_SAMPLING.search("".join(found)) and {*found} & BETWEEN_SAMPLES:
        between = True
    if between and not frequencies:
        return TimeBase(True, next((TIMES[word] for word in found[1:] if word in TIMES), 1.0))
    return None


def lasting(key: str) -> float | None:
    """Factor that makes seconds of a number that says how long all of it is; None for another name."""
    plain = plain_key(key)
    for unit in ("", *(unit for unit in LONGEST_FIRST if unit in TIMES)):
        if plain.endswith(unit) and (name := plain.removesuffix(unit).removesuffix("in" if unit else "")) in LASTING:
            return None if name == "recordlength" and not unit else TIMES.get(unit, 1.0)
    return None


def is_of_sampling(key: str) -> bool:
    """Whether a rate or a time under this name is that of sampling, also where a group has it."""
    plain = plain_key(key)
    return OF_SAMPLING.search(plain) is not None or _parted(plain)[0] in OF_GROUPS


def is_of_time(key: str) -> bool:
    """Whether a name is of a rate or of a time between two things, those of sampling or others; what it says is for `hertz` then."""
    return time_base(key) is not None or is_thinning(key) or _by_words(words(key), 1.0) is not None


def is_thinning(key: str) -> bool:
    """Whether a name says how many samples were left out, or made one of."""
    return THINNED.search("_".join(words(key))) is not None and "rate" not in words(key)


def is_unit_of_rate(key: str) -> bool:
    """Whether a name is that of the unit of a rate or of a time between samples."""
    found = words(key)
    if len(found) < 2 or found[-1] not in ("unit", "units"):
        return plain_key(key) in ("rateunit", "rateunits")
    return time_base(SIGNS.sub("_", key).rstrip("_").lower().removesuffix(found[-1])) is not None


def hertz(told: Said, base: TimeBase) -> float | None:
    """Hz of what stands under a name; None where that is words alone. Raises ValueError for what is no number."""
    if told.kind in ("flag", "other"):
        return None
    value, factor, between = math.nan, base.factor, base.between
    if told.kind == "text" and not any(sign.isdigit() for text in told.values for sign in text):
        return None
    if told.kind == "text" and len(told.values) == 1 and (parts := WITH_UNIT.fullmatch(told.values[0])):
        value, unit = _number(parts[1]), parts[2].lower()
        if unit in FREQUENCIES or unit in ("1/s", "s^-1", "s/s"):
            between, factor = False, 1e-3 if parts[2] == "mHz" else FREQUENCIES.get(unit, 1.0)
        elif unit:
            between, factor = True, TIMES.get(unit, math.nan)
    elif told.kind == "number" and len(told.values) == 1 and not isinstance(told.values[0], complex):
        value = float(told.values[0])
    elif told.kind != "number" or len(told.values) != 1:
        raise ValueError(f"{told.key} = {told.shown}, expected a number")
    said = value * factor
    return said if not between else 1.0 / said if said else math.inf


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
