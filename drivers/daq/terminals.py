"""Metadata of a field in a driver's configuration that names a terminal of the DAQ device: what it has to be is checked with the file."""

from __future__ import annotations

LINE = {"terminal": "a digital line"}
OUTPUT = {"terminal": "an analogue output"}
