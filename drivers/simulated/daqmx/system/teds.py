"""Electronic data sheets of sensors (IEEE 1451.4) at analogue inputs: what a client configured from a file, and what stands in it.

The basic part is 64 bits, each number with its lowest bit first: manufacturer (14), model (15), version letter (5), version number (6),
serial number (24); behind it stand templates (`teds_templates`). Checked against the bit stream of a voltage sensor in NI's own tests of
its nidaqmx package. A file that stands for a sensor holds the stream; or the memory with the check sums of its pages (32 bytes, the first
of which brings the sum to a multiple of 256); or one byte a bit, 0 or 1, as NI's own virtual data sheets have it, behind a head of 40 bits
(learned from SDL-MCI/SDLMA-Core, which writes such files for NI's driver).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase

from drivers.files.text_files import Unusable, read_bytes
from drivers.simulated.daqmx.core.names import terminal
from drivers.simulated.daqmx.engine.engine import Engine
from drivers.simulated.daqmx.sensors import teds_templates
from drivers.simulated.daqmx.sensors.teds_bits import Bits
from drivers.simulated.daqmx.sensors.teds_templates import Template
from drivers.simulated.daqmx.status.errors import DaqmxError
from drivers.simulated.daqmx.system.enumeration import Physical

BASIC_BYTES = 8
LARGEST_FILE = 2**16
"""Bytes: a memory of 4 kbit, and more than ten times that, at one byte a bit."""
PAGE = 32
FIRST_MANUFACTURER = 17
"""Lower numbers are reserved by the standard; some of NI's own virtual data sheets have none, and no letter."""
LETTERS = ("", *ascii_uppercase)
WITHOUT_TEDS = {"position"}
"""Kinds of inputs whose devices know no TEDS: nidaqmx-python, tests/component/task/channels/test_ai_channel.py (AB#2647979)."""
HEAD, HEAD_BITS = 0xDA6E0CCCBA, 40
"""What NI's virtual data sheets begin with, highest bit first."""


@dataclass(frozen=True)
class Sensor:
    """The basic part of a data sheet, and its templates."""

    manufacturer: int
    model: int
    version_letter: str
    version_number: int
    serial: int
    templates: tuple[Template, ...]


def decode(stream: bytes) -> Sensor:
    """What stands in a data sheet. Raises DaqmxError -200826 for one that is none."""
    bits = Bits(stream)
    if len(stream) < BASIC_BYTES:
        raise DaqmxError(-200826)
    manufacturer, model, letter, version, serial = (bits.take(count) for count in (14, 15, 5, 6, 24))
    if 0 < manufacturer < FIRST_MANUFACTURER or letter > 26 or not any(stream):
        raise DaqmxError(-200826)
    return Sensor(manufacturer, model, LETTERS[letter], version, serial, teds_templates.read(bits))


def read_data_sheet(path: Path) -> bytes:
    """The stream in a file. Raises Unusable for one that cannot be the memory of a sensor."""
    return without_check_sums(read_bytes(path, "TEDS", LARGEST_FILE))


def without_check_sums(raw: bytes) -> bytes:
    """The stream in a file: of single bits, of the memory's pages, or `raw` itself where these have no check sums."""
    if len(raw) > 8 * BASIC_BYTES and not set(raw) - {0, 1}:
        return _packed(raw)
    pages = [raw[at : at + PAGE] for at in range(0, len(raw), PAGE)]
    if not raw or any(sum(page) % 256 for page in pages):
        return raw
    return b"".join(page[1:] for page in pages)


def _packed(bits: bytes) -> bytes:
    """A stream that has one byte a bit."""
    if int("".join(map(str, bits[:HEAD_BITS])), 2) == HEAD:
        bits = bits[HEAD_BITS:]
    number = sum(bit << place for place, bit in enumerate(bits))
    return number.to_bytes(-(-len(bits) // 8), "little")


def configure(engine: Engine, channel: Physical, path: str) -> None:
    """Read the data sheet of the sensor at an input, or of the file that is to stand for it.

    Raises DaqmxError: -200969 (no analogue input), -200741 (one of a device that knows no TEDS), -200709 (no file is named, and there is no
    sensor with a memory), -200784 (no such file), -200753 (no data sheet in the file or the memory).
    """
    _need_input(channel)
    inputs = engine.devices[channel.device].inputs
    if inputs is not None and not set(inputs.kinds) - WITHOUT_TEDS:
        raise DaqmxError(-200741, Physical_Channel_Name=channel.name)
    engine.nonvolatile.teds[terminal(channel.name)] = _sheet(channel, path, -200753) if path else _content(engine, channel)


def _content(engine: Engine, channel: Physical) -> bytes:
    """What stands in the memory of the sensor at an input. Raises DaqmxError -200709 where there is none, -200753 for no data sheet."""
    stream = _memory(engine, channel)
    try:
        decode(stream)
    except DaqmxError:
        raise DaqmxError(-200753, Physical_Channel_Name=channel.name) from None
    return stream


def _sheet(channel: Physical, path: str, spoilt: int) -> bytes:
    """The stream of a virtual data sheet. Raises DaqmxError -200784 where there is no such file, `spoilt` for one that is no data sheet."""
    code = spoilt if _is_file(path) else -200784
    try:
        stream = read_data_sheet(Path(path))
        decode(stream)
    except (Unusable, DaqmxError):
        raise DaqmxError(code, Physical_Channel_Name=channel.name, File_Path=path) from None
    return stream


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file() and os.access(path, os.R_OK)
    except (OSError, ValueError):  # a name that no file can have
        return False


def clear(engine: Engine, channel: Physical) -> None:
    """Forget the sensor at an input. Raises DaqmxError -200969."""
    _need_input(channel)
    engine.nonvolatile.teds.pop(terminal(channel.name), None)


def configured(engine: Engine, channel: Physical) -> bytes:
    """The stream that was configured for an input. Raises DaqmxError -200709."""
    stream = engine.nonvolatile.teds.get(terminal(channel.name))
    if stream is None:
        raise DaqmxError(-200709, Physical_Channel_Name=channel.name)
    return stream


def write(engine: Engine, channel: Physical, stream: bytes) -> None:
    """Write to the memory of the sensor at an input. Raises DaqmxError -200826 (no data sheet), -200709 (no such sensor)."""
    _need_input(channel)
    decode(stream)
    _memory(engine, channel)
    engine.nonvolatile.sensors[terminal(channel.name)] = stream


def write_file(engine: Engine, channel: Physical, path: str) -> None:
    """The same from a file. Raises DaqmxError -200827 (no data sheet), -200709, -200784 (no such file)."""
    _need_input(channel)
    write(engine, channel, _sheet(channel, path, -200827) if path else b"")


def _memory(engine: Engine, channel: Physical) -> bytes:
    stream = engine.nonvolatile.sensors.get(terminal(channel.name))
    if stream is None:
        raise DaqmxError(-200709, Physical_Channel_Name=channel.name)
    return stream


def _need_input(channel: Physical) -> None:
    if "ai" not in channel.kinds:
        raise DaqmxError(-200969, Physical_Channel_Name=channel.name)
