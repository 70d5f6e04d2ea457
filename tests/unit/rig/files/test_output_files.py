"""Names of files to write: what no file can be called here is said before anything is computed; a file is whole or not there."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from rig.errors import ConfigError
from rig.files import output_files

CSV = (".csv",)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x.txt", "expected a name that ends in .csv"),
        ("", "expected a name that ends in .csv"),
        ("folder.csv", "is a folder"),
        ("pipe.csv", "is no file but a device, a pipe or the like"),
        ("none/x.csv", "there is no folder none"),
        ("file/x.csv", "a part of this path is a file, not a folder"),
        ("n" * 300 + ".csv", "File name too long"),
        ("d" * 300 + "/x.csv", "File name too long"),
        ("loop.csv", "Too many levels of symbolic links"),
        ("a\0b.csv", "null"),
    ],
)
def test_a_name_that_no_file_can_have_is_refused_in_words(folder: Path, name: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        output_files.checked("--out", Path(name), CSV)
    text = str(caught.value)
    assert text.startswith("--out ") and said in text and len(text) < 450


def test_where_nothing_may_be_written_it_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests as root may write everywhere."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(ConfigError, match=r"x\.csv: may not be written"):
        output_files.checked("--out", Path("x.csv"), CSV)
    with pytest.raises(ConfigError, match="may not be written"):
        output_files.folder("--out", folder / "new")


@pytest.mark.parametrize("name", ["x.csv", "ü≤.csv", "a\nb.csv", "n" * 251 + ".csv", "x.CSV"])
def test_a_name_that_a_file_can_have_is_used(folder: Path, name: str) -> None:
    path = output_files.checked("--out", Path(name), CSV)
    with output_files.whole("--out", path) as new:
        assert new.suffix == path.suffix
        new.write_text("1", encoding="utf-8")
        assert not path.exists()
    assert path.read_text(encoding="utf-8") == "1"
    assert not list(folder.glob("*.part*")) and not list(folder.glob(".*"))


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("no number"), OSError(errno.ENOSPC, "No space left on device")])
def test_what_is_broken_off_is_not_left_as_if_it_were_whole(folder: Path, error: BaseException) -> None:
    path = folder / "x.csv"
    path.write_text("of yesterday", encoding="utf-8")
    kind = ConfigError if isinstance(error, OSError) else type(error)
    with pytest.raises(kind) as caught, output_files.whole("--out", path) as new:
        new.write_text("half of", encoding="utf-8")
        raise error
    assert path.read_text(encoding="utf-8") == "of yesterday"
    assert not list(folder.glob(".*"))
    if isinstance(error, OSError):
        assert str(caught.value) == f"--out {path}: cannot be written: No space left on device"


@pytest.mark.parametrize("name", ["file", "file/x", "n" * 300])
def test_a_folder_that_cannot_be_made_is_refused_in_words(folder: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="no folder can be made there"):
        output_files.folder("--out", Path(name))


@pytest.mark.parametrize(
    ("name", "why"),
    [("file", "{0}/file is no folder"), ("file/a/b", "a part of this path is a file, not a folder"), ("a\0b", "embedded null byte")],
)
def test_where_no_folder_could_be_made_is_told_before_one_is_wanted(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError) as caught:
        output_files.place("--out", tmp_path / name)
    assert str(caught.value) == f"--out {tmp_path / name}: no folder can be made there: {why.format(tmp_path)}".replace("\0", "\\x00")


def test_where_one_can_be_made_none_is(tmp_path: Path) -> None:
    assert output_files.place("--out", tmp_path / "a" / "b") == tmp_path / "a" / "b" and not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder that permissions say nothing about")
def test_a_folder_that_takes_no_file_is_told_before_anything_is_computed() -> None:
    """/proc may be written by its permissions, and takes nothing."""
    checks = (lambda: output_files.checked("--out", Path("/proc/x.csv"), CSV), lambda: output_files.folder("--out", Path("/proc")),
              lambda: output_files.place("--out", Path("/proc/runs")))  # fmt: skip
    for check in checks:
        with pytest.raises(ConfigError, match=r"^--out /proc.*(nothing can be written in /proc|may not be written)"):
            check()


def test_a_file_of_another_that_may_be_written_is_one_also_where_no_new_one_can_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is appended to needs no room beside it."""
    log = tmp_path / "log"
    log.write_text("")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) == log)
    assert output_files.file("--log", log) == log
    with pytest.raises(ConfigError, match=r"^--log .*other: may not be written$"):
        output_files.file("--log", tmp_path / "other")
