"""Files that are no files of settings, or were changed: one line each, and never a traceback, a long wait or much memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from changed_files import KINDS, configs, tried

from drivers.simulated.device_file import BadDeviceFile
from drivers.simulated.device_file import read as read_devices
from rig.commands.bench.calibration.points import read_file
from rig.config import load, load_bench, load_experiment
from rig.errors import ConfigError
from rig.files import json_files
from rig.trajectory import drive
from tests.each_row import each_row
from tests.thorough import times
from tests.tiers import quick

DEEP = 100_000
CHANGES = times(60, thorough=200)
TEXTS = {
    "lists in lists": ("x = " + "[" * DEEP, "nested too deep"),
    "tables in tables": ("x = " + "{a = " * DEEP, "nested too deep"),
    "a dotted key": ("a." * DEEP + "a = 1", "a key of more than 32 parts"),
    "a quoted dotted key": ('"a".' * DEEP + "a = 1", "a key of more than 32 parts"),
    "a dotted table": ("[" + "a." * DEEP + "a]", "a key of more than 32 parts"),
    "tables and keys": ("[" + ".".join("a" * 31) + "]\n" + ".".join("b" * 30) + " = 1", "nested too deep"),
    "5000 digits": ("x = " + "9" * 5000, "a key or number of more than 256 characters"),
    "800 bits": ("x = 0x" + "f" * 200, "at most 64 bits, got one of 800"),
    "NUL": ('title = "a\\u0000b"', r"with the character U\+0000"),
    "a raw NUL": ('title = "a\0b"', "not TOML"),
    "an escape sequence": ('title = "\\u001b[31m"', r"with the character U\+001B"),
    "a long title": (f'title = "{"x" * 100_000}"', "expected a text of at most 65536 characters, got 100000"),
    "a huge title": (f'title = "{"x" * 2**21}"', "expected an? .* file of at most 1048576"),
    "many values": ("x = [" + "1," * 200_000 + "]", "more than 50000 values"),
    "an open string": ('x = "' + '\\"' * 400_000, "not TOML"),
}


@pytest.mark.parametrize("name", quick(TEXTS, TEXTS.keys() - {"many values", "an open string"}))
def test_toml_beyond_its_bounds_is_one_line(tmp_path: Path, name: str) -> None:
    text, words = TEXTS[name]
    path = tmp_path / "x.toml"
    path.write_text(text, encoding="utf-8")
    for read in READERS.values():
        with pytest.raises((ConfigError, BadDeviceFile), match=words) as caught:
            read(path)
        assert len(caught.value.problems) == 1
        assert str(caught.value).startswith(str(path))


def _sensor(path: Path) -> object:
    with TemporaryDirectory() as folder:
        bench = Path(folder) / "bench.toml"
        bench.write_text(f'title = "b"\n[[channels]]\nname = "f"\nsensor = {str(path)!r}\n', encoding="utf-8")
        return load_bench(bench)


READERS: dict[str, Callable[[Path], object]] = {
    "experiment": load, "computed": load_experiment, "bench": load_bench, "devices": read_devices, "sensor": _sensor,
}  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_not_opened(tmp_path: Path, reader: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "zeros").touch()
    os.truncate(tmp_path / "zeros", 2**30)
    for name, words in (
        ("/dev/zero", "this is a device"), (tmp_path / "pipe", "this is a pipe"), (tmp_path, "this is a folder"),
        (tmp_path / "loop", "symbolic links"), (tmp_path / "zeros", "1073741824 bytes, expected an? .* file of at most 1048576"),
        (tmp_path / ("x" * 5000), "File name too long"),
    ):  # fmt: skip
        with pytest.raises((ConfigError, BadDeviceFile), match=words) as caught:
            READERS[reader](Path(name))
        assert len(caught.value.problems) == 1 and len(str(caught.value)) < 2500


def test_points_of_a_calibration_are_no_device(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--points /dev/zero: this is a device, expected the points file"):
        read_file(Path("/dev/zero"), "N")
    (tmp_path / "points.csv").write_bytes(b"\xef\xbb\xbfreference[kN]\r\n1\r\n2.5\r\n")
    assert read_file(tmp_path / "points.csv", "N") == [1000.0, 2500.0]


def test_an_empty_file_is_told_of_by_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").touch()
    with pytest.raises(ConfigError, match=r"bench: expected \[bench\]"):
        load(tmp_path / "empty.toml")
    with pytest.raises(BadDeviceFile, match="devices: missing"):
        read_devices(tmp_path / "empty.toml")


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r"])
def test_a_byte_order_mark_and_other_ends_of_lines_are_read(tmp_path: Path, mark: bytes, end: bytes) -> None:
    """Windows' Notepad writes both."""
    experiments = configs(tmp_path) / "experiments"
    plain = load(experiments / "linkage.toml")
    for folder in ("experiments", "benches"):
        for path in (tmp_path / "configs" / folder).glob("*.toml"):
            path.write_bytes(mark + path.read_bytes().replace(b"\n", end))
    found = load(experiments / "linkage.toml")
    assert (found.experiment, found.bench) == (plain.experiment, plain.bench)
    assert "\ufeff" not in found.experiment_text and "\r" not in found.experiment_text
    devices = tmp_path / "configs" / "devices" / "lab.toml"
    whole = read_devices(devices)
    devices.write_bytes(mark + devices.read_bytes().replace(b"\n", end))
    assert read_devices(devices) == whole


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ('title = "a"'.encode("utf-16"), "is in UTF-16, expected UTF-8; save it again"),
        ('title = "a"'.encode("utf-32"), "is in UTF-32, expected UTF-8; save it again"),
        ('x = 1\ntitle = "Prüfung"'.encode("latin-1"), r"not a text file in UTF-8 \(byte 17, 0xFC in line 2\); save it again"),
    ],
)
def test_another_encoding_is_refused_by_name(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(data)
    for read in READERS.values():
        with pytest.raises((ConfigError, BadDeviceFile), match=words):
            read(path)


@each_row(
    ("given", "words"),
    [
        (f"title={'[' * 100_000}", "nested too deep"),
        (f"{'a.' * 100}b=1", "a key of 101 parts"),
        (f"title={'x' * 100_000}", "more than 256 characters"),
        (f'title="{"x" * 100_000}"', "at most 65536 characters, got 100000"),
        ("title=a\0b", r"U\+0000"),
        ("title=Pr\udcfcf", r"U\+DCFC"),
        (f"bench.seed={'9' * 5000}", "more than 256 characters"),
        (f"limits.{'9' * 5000}.maximum=1", "at most 256 characters"),
        ("limits.9999999999999.maximum=1", "none is called"),
        ("acquisition.rate=inf", "got inf"),
        ("acquisition.rate=2026-05-31", "expected a frequency"),
        ("trajectory.amplitude=1e300", "expected 0, or a number from 1e-40 to 1e\\+40"),
        ("bench.file=/dev/zero", "."),
    ],
)
def test_overrides_of_these_kinds_are_one_line_each(given: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        load(Path(__file__).parents[4] / "configs" / "experiments" / "linkage.toml", [given])
    assert all(text.isprintable() for text in caught.value.problems)


@pytest.mark.parametrize("name", ["linkage.toml", "../experiments/linkage.toml"])
def test_a_file_that_names_itself_is_read_once(tmp_path: Path, name: str) -> None:
    path = configs(tmp_path) / "experiments" / "linkage.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("../benches/virtual_loader.toml", name), encoding="utf-8")
    with pytest.raises(ConfigError, match="channels"):
        load(path)
    bench = tmp_path / "configs" / "benches" / "virtual_loader.toml"
    bench.write_text('title = "b"\n[[channels]]\nname = "f"\nsensor = "virtual_loader.toml"\n', encoding="utf-8")
    with pytest.raises(ConfigError):
        load_bench(bench)


def test_json_that_is_none_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for text, words in (("[" * 100_000, "nested too deep"), ("NaN", "NaN is no number"), ("1e999", "too large"), ("9" * 5000, "digits")):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(json_files.Damaged, match=words):
            json_files.read(path, "tare")


def test_a_drive_is_as_long_as_its_head_says(tmp_path: Path) -> None:
    path = tmp_path / "drive.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00v\x00" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 3), }".ljust(117) + b"\n")
    with pytest.raises(ConfigError, match="expected 24000000000 bytes for 1000000000 samples"):
        drive.Config(str(path), 1000.0).create().bounds()
    with pytest.raises(ConfigError, match="this is a device"):
        drive.Config("/dev/zero", 1000.0).create().bounds()


def test_a_date_is_no_unit(tmp_path: Path) -> None:
    bench = (configs(tmp_path) / "benches/virtual_loader.toml").read_text(encoding="utf-8").replace('unit = "m"', "unit = 2026-01-15", 1)
    (tmp_path / "configs/benches/bench.toml").write_text(bench, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"expected the name of a unit such as N, m or m/s\^2, got '2026-01-15'"):
        load_bench(tmp_path / "configs/benches/bench.toml")


@pytest.mark.parametrize("kind", quick(KINDS, 2))
def test_no_random_change_of_a_file_is_a_fault(tmp_path: Path, kind: str) -> None:
    found = tried(KINDS[kind](), tmp_path, CHANGES, seed=1)
    assert found.faults == ()
    assert found.read + found.refused == CHANGES
    assert found.refused > CHANGES / 20, "the changes change nothing"
