"""The words of an attribute's name, and what they make of a number under it: a scale, a thing that is harmless, or what nobody knows.

The lists err on one side. What may change values and is not understood is refused; what is passed over must have a word here that says
what else it is.
"""

from __future__ import annotations

import re
from typing import Literal

Meaning = Literal["factor", "offset", "counts", "flag", "harmless", "unknown"]

SIGNS = re.compile(r"[\W_]")
LETTERS = re.compile(r"[^\W\d_]+|\d+")
CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\WA-Z\d_]+|[A-Z]+|\d+")
WHOLE = {"kHz", "MHz", "mHz", "GHz", "dB", "mV", "uV", "kN", "MN", "kS", "LSB"}
"""Capitals within that begin no new word."""

FACTORS = {
    "scale", "scales", "scaling", "factor", "factors", "slope", "gain", "gains", "multiplier", "multiply", "mult", "coefficient",
    "coefficients", "coeff", "coeffs", "coef", "coefs", "polynomial", "poly", "conversion", "convert", "conv", "calibration", "calib",
    "cal", "amplification", "attenuation", "si", "per", "digital", "physical", "phys", "removed", "subtracted", "steigung",
    "verstaerkung", "verst\u00e4rkung", "umrechnung", "facteur", "echelle", "\u00e9chelle", "pente",
}  # fmt: skip
"""Neutral at 1."""
OFFSETS = {
    "offset", "offsets", "off", "intercept", "zero", "bias", "tare", "exponent", "shift", "db", "decibel", "magnitude", "baseline",
    "pedestal", "nullpunkt", "nullabgleich", "decalage",
}  # fmt: skip
"""Neutral at 0."""
GLUED = re.compile(
    r"[xyzvw]?(scal(e|ing)\w*|\w*(scale|scaling|factor|faktor|slope|offset|multiplier|intercept|exponent|coefficient|koeffizient)s?"
    r"|(calib|kalib|skalier|multipl|polynom|amplif|verst(ae|\u00e4)rk)\w*|[xyzvw](mult|off|zero|gain)|\w+gain|gain\w+)"
)
"""The same where a name has no sign between its words: ymult, calfactor, scalefactor, adcgain."""
CORRECTIONS = {"correction", "corr", "korrektur", "compensation", "coefficient", "coefficients"}
"""Which are no harmless temperature, nor the sensitivity of anything."""
INTO = re.compile(r"[^\W\d_](2|_to_|To(?=[A-Z]))[^\W\d_]")
"""counts2N, volts_to_newton."""
NO_SCALES = {"again", "timescale", "grayscale", "greyscale", "amplifier"}
OF_COUNTS = {"sensitivity", "empfindlichkeit", "kennwert", "lsb", "resolution", "counts", "bit", "bits", "quantum", "digit", "digits"}
"""Which say where numbers come from that are no counts, and what counts are worth."""
OF_RANGES = {"range", "span", "max", "min", "maximum", "minimum", "fullscale", "full", "capacity", "limit", "limits", "volts", "voltage"}
"""The same, beside a whole number: 32768 counts may be what it is the end of."""
FLAGS = {
    "log", "log10", "ln", "logarithmic", "inverted", "invert", "inverse", "negated", "reversed", "unsigned", "unscaled", "uncalibrated",
    "raw", "packed", "encoded", "normalized", "normalised",
}  # fmt: skip
"""Which say that the values are not what they look like, where they are true."""
SURELY = {
    "id", "ids", "serial", "number", "index", "date", "year", "month", "day", "due", "expires", "expiry", "certificate", "version",
    "revision", "temperature", "uncertainty", "name", "checksum", "crc", "note", "notes", "comment", "comments", "description",
    "remark", "remarks", "info", "laboratory", "lab", "operator", "model", "manufacturer", "file", "path", "url", "software", "program",
    "creator",
}  # fmt: skip
"""Which decide what a number is whatever stands beside them: the serial number of a gain, the date of a calibration."""
OF_WHEN = {"time", "start", "utc", "gmt", "timezone", "tz", "trigger", "sample", "samples", "file", "byte", "bytes", "epoch"}
"""What is offset by them is no value."""
HARMLESS = SURELY | {
    # which one it is
    "channel", "channels", "chan", "input", "output", "location", "column", "row", "position", "pos", "slot", "module", "device",
    "port", "pin", "node", "axis", "axes", "dim", "dimension", "dims", "ndim", "rank", "order", "signal", "primary", "specimen", "test",
    "run", "trial", "pass", "cycle", "cycles", "repeat", "repeats", "block", "blocks", "segment", "segments", "part", "batch", "lot",
    "line", "level", "levels", "stage", "phase",
    # how many there are
    "count", "length", "size", "points", "npoints", "nsamples", "npts", "rows", "columns", "width", "height", "depth", "num", "shape",
    "first", "last", "begin", "end", "duration",
    # when it was
    "time", "times", "timestamp", "start", "stop", "created", "modified", "trigger", "pretrigger", "delay", "epoch", "utc", "t0",
    "tstart",
    # what the values are like
    "min", "max", "minimum", "maximum", "mean", "average", "avg", "median", "std", "stdev", "rms", "variance", "peak", "sum",
    "amplitude", "noise", "snr", "error", "accuracy", "tolerance", "precision", "range", "span", "fullscale", "full", "capacity",
    "limit", "limits", "lower", "upper", "low", "high", "threshold", "crest", "confidence", "nominal", "setpoint", "preload", "load",
    "age", "days",
    # what it was measured with, and on
    "sensitivity", "lsb", "resolution", "bit", "bits", "counts", "kennwert", "empfindlichkeit", "quantum", "digit", "digits", "volts",
    "voltage", "excitation", "resistance", "impedance", "bridge", "gage", "gauge", "current", "supply", "bandwidth", "cutoff", "corner",
    "filter", "lowpass", "highpass", "poles", "damping", "humidity", "pressure", "area", "thickness", "diameter", "radius", "mass",
    "stiffness", "density", "modulus", "latitude", "longitude", "lat", "lon", "altitude", "elevation", "angle", "azimuth", "stroke",
    "crosshead",
    # how it is stored or drawn
    "chunk", "chunks", "chunksize", "chunksizes", "deflate", "shuffle", "compression", "storage", "endianness", "fletcher32", "color",
    "colour", "visible", "priority", "quality", "status", "state", "valid", "enabled", "active", "extdim", "transposed", "dirty",
    "interpretation", "averaging", "averages", "window", "overlap", "coupling", "type", "format", "mode",
}  # fmt: skip
OF_SAMPLES = {"sample", "samples", "n", "total", "of", "wf", "nr", "no", "in", "all", "per"}
"""All of them together: how many samples there are. `sample_dist` is something else."""
BY_THEIR_WRITER = ("_netcdf4", "_nc", "matlab_", "h5path", "pytables_", "field_", "nx_")
"""Beginnings of names that a library keeps for itself: the shape of an array, the class of an object."""
COUNTED = {
    "sample", "samples", "point", "points", "cycle", "cycles", "block", "blocks", "frame", "frames", "channels", "pulses", "teeth",
    "steps",
}  # fmt: skip


def plain_key(key: str) -> str:
    """The name of an attribute without what programs write differently: capitals, underscores, blanks."""
    return SIGNS.sub("", key).lower()


def words(key: str) -> list[str]:
    """The words of a name in small letters: `Rate_in_kHz`, `rateInKHz` and `rate in kHz` are rate, in, khz."""
    found: list[str] = []
    for run in LETTERS.findall(key):
        for word in (run,) if run in WHOLE else CAMEL.findall(run):
            if word == "Hz" and found and found[-1] in ("k", "m", "g"):
                found[-1] += "hz"
            else:
                found.append(word.lower())
    return found


def meaning(key: str, whole: bool) -> Meaning:
    """What a number under a name does to the values, as far as the name tells. whole: they are whole numbers, which may be counts."""
    if key.lower().startswith(BY_THEIR_WRITER):
        return "harmless"
    found = words(key)
    there = {*found, plain_key(key)}
    if there & CORRECTIONS and not there & (SURELY - {"temperature"}):
        return "factor"
    if there & SURELY:
        return "harmless"
    if "per" in found and (kind := _per(found, whole)):
        return kind
    if INTO.search(key) and not there & (OF_WHEN | COUNTED):
        return "factor"
    if (kind := _scale(there)) is not None:
        return kind
    if whole and there & (OF_COUNTS | OF_RANGES):
        return "counts"
    if there & FLAGS:
        return "flag"
    if there & HARMLESS or (there & {"sample", "samples"} and not {*found} - OF_SAMPLES):
        return "harmless"
    return "unknown"


def _scale(there: set[str]) -> Meaning | None:
    if there & OFFSETS or any(re.fullmatch(r"\w*offset|[xyzvw](off|zero)", word) for word in there):
        return "harmless" if there & OF_WHEN else "offset"
    if "full" in there:  # full scale is the end of a range
        there = there - {"scale", "fullscale"}
    if there & FACTORS or any(GLUED.fullmatch(word) for word in there - NO_SCALES - {"fullscale"}):
        return "factor"
    return None


def _per(found: list[str], whole: bool) -> Meaning | None:
    """Samples per block are counted; what one count is worth is none of numbers that are no counts."""
    at = found.index("per")
    if set(found[:at]) & COUNTED:
        return "harmless"
    if {*found[at + 1 :]} & {"count", "counts", "bit", "lsb", "digit", "digits"}:
        return "counts" if whole else "harmless"
    return "factor"
