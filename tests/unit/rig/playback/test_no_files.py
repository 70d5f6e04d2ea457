"""What stands where a played file should be: told in one line, before anything is opened that never ends."""

from __future__ import annotations

import hashlib
import os
import socket
import sys
from pathlib import Path

import h5py
import pytest

from rig.config.loading import load_setup
from rig.errors import ConfigError
from rig.playback import another, digest, read
from rig.playback.playable import LARGEST

EXPERIMENT = Path(__file__).resolve().parents[4] / "configs" / "experiments" / "playback.toml"
posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX has these")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def folder(path: Path) -> None:
    path.mkdir()


def nothing(path: Path) -> None:
    path.touch()


def never_written(path: Path) -> None:
    path.touch()
    os.truncate(path, 1_000_000)


def huge(path: Path) -> None:
    """5 GB of which hardly anything is on the disk."""
    path.write_text("time[s],force[N]\n0,0\n")
    os.truncate(path, 5_000_000_000)


SAID = [
    pytest.param(pipe, "is a pipe, expected a file", marks=posix),
    pytest.param(zeros, "is a device, expected a file", marks=posix),
    pytest.param(loop, "Too many levels of symbolic links", marks=posix),
    (folder, "is a directory, expected a file"),
    (nothing, "the file is empty"),
    (never_written, "begins with zero bytes"),
    (huge, f"has 5 GB, expected at most {LARGEST / 1e9:g}"),
]


@pytest.mark.parametrize("suffix", [".csv", ".h5", ".uff"])
@pytest.mark.parametrize(("make", "said"), SAID)
def test_what_is_no_file_is_told_in_one_line(make: object, said: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"drive{suffix}"
    make(path)  # type: ignore[operator]
    with pytest.raises(ConfigError) as error:
        read(str(path), "force")
    assert str(error.value).startswith(f"{path}: {said}")
    assert str(error.value).isprintable()
    with pytest.raises(OSError):
        digest(path)
    assert another(str(path), "0" * 64) == ""  # said when it is read


@posix
def test_a_socket_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # whose path may be longer than that of a socket
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("drive.csv")
        with pytest.raises(ConfigError, match=r"drive\.csv: is a socket, expected a file"):
            read("drive.csv", "force")


@pytest.mark.parametrize("name", ["a\0b.csv", "x" * 5000 + ".csv", "\ud800.csv"])
def test_names_that_no_file_has_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        read(str(tmp_path / name), "force")


def test_the_digest_of_a_file_is_that_of_its_content_however_it_was_changed(tmp_path: Path) -> None:
    """Of one size, and with its time set back, as some programs do."""
    path = tmp_path / "drive.csv"
    for n in range(5):
        path.write_text(f"time[s],force[N]\n0,{n}\n1,1\n")
        os.utime(path, ns=(10**18, 10**18))
        assert digest(path) == digest(path) == hashlib.sha256(path.read_bytes()).hexdigest()


@posix
def test_a_file_that_stands_is_not_looked_through_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "drive.csv"
    path.write_text("time[s],force[N]\n0,1\n1,1\n")
    now = path.stat().st_ctime_ns
    monkeypatch.setattr("rig.playback.playable.time.time_ns", lambda: now + 3_000_000_000)
    first = digest(path)
    monkeypatch.setattr("rig.playback.hashlib.file_digest", None)
    assert digest(path) == first


def experiment(folder: Path, file: str) -> Path:
    """One that plays a file of its own folder."""
    text = EXPERIMENT.read_text(encoding="utf-8").replace("../benches", str(EXPERIMENT.parents[1] / "benches"))
    path = folder / "played.toml"
    path.write_text(text.replace('"road.csv"', f'"{file}"'), encoding="utf-8")
    return path


@pytest.mark.parametrize(("make", "said"), SAID)
def test_an_experiment_with_such_a_file_is_refused_in_words(make: object, said: str, tmp_path: Path) -> None:
    make(tmp_path / "drive.csv")  # type: ignore[operator]
    with pytest.raises(ConfigError) as error:
        load_setup(experiment(tmp_path, "drive.csv"), [], None)
    assert said in str(error.value)


@pytest.mark.parametrize("name", ["a\\u0000b.csv", "x" * 5000 + ".csv"])
def test_an_experiment_with_a_name_that_no_file_has_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"the character U\+0000|File name too long"):
        load_setup(experiment(tmp_path, name), [], None)


def test_a_text_that_calls_itself_hdf5_never_reaches_the_library(tmp_path: Path) -> None:
    path = tmp_path / "drive.h5"
    path.write_text("time[s],force[N]\n0,0\n1,1\n")
    with pytest.raises(ConfigError, match=r"drive\.h5: not an HDF5 file$"):
        read(str(path), "force")


def test_a_signature_behind_a_block_of_the_user_s_is_found(tmp_path: Path) -> None:
    path = tmp_path / "drive.h5"
    with h5py.File(path, "w", userblock_size=1024) as file:
        file["force"] = [0.0, 1.0, 2.0]
        file["force"].attrs.update({"rate": 100.0, "units": "N"})
    with path.open("r+b") as block:
        block.write(b"written by another program")
    assert read(str(path), "force").values.tolist() == [0.0, 1.0, 2.0]
