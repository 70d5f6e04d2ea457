"""Files that describe devices: TOML of this project's own, and exports of NI MAX (.ini). All that is wrong is told at once."""

from __future__ import annotations

from pathlib import Path

from drivers.files.text_files import Unusable, read_text
from drivers.simulated.device_setup import BadDeviceFile, Setup, together
from drivers.simulated.device_toml import bad_product, read_toml
from drivers.simulated.max_export import read_export

__all__ = ["BadDeviceFile", "Setup", "bad_product", "read"]


def read(path: Path) -> Setup:
    """The setup of a .toml or .ini file. Raises BadDeviceFile."""
    try:
        text = read_text(path, "devices")
    except Unusable as error:
        raise BadDeviceFile([str(error)]) from None
    problems: list[str] = []
    setup = read_export(path, text, problems) if path.suffix.lower() == ".ini" else read_toml(path, text, problems)
    problems += together(setup)
    if problems:
        raise BadDeviceFile([f"{path}: {problem}" for problem in problems])
    return setup
