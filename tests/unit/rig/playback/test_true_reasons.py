"""A file that cannot be played is told why: not a quote where a cell is too long, not "no number" where one is too large."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from rig import playback
from rig.errors import ConfigError
from tests.unit.rig.playback import universal_file as uff


def refusal(path: Path, content: str | bytes, column: str = "force") -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ConfigError) as caught:
        playback.read(str(path), column)
    return str(caught.value).removeprefix(f"{path}: ")


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("1" * 200_000, "line 2: a cell has more than 131071 characters; expected a number"),
        (f'"{"1" * 200_000}"', "line 2: a cell has more than 131071 characters; expected a number"),
        ('"1', "line 2: a quote that does not end where its cell ends"),
    ],
    ids=["long", "long and quoted", "quote"],
)
def test_a_cell_that_is_too_long_is_no_quote(cell: str, said: str, tmp_path: Path) -> None:
    assert refusal(tmp_path / "a.csv", f"time[s],force[kN]\n0,{cell}\n0.01,2\n0.02,3\n") == said


INFINITE = "column 'force' holds 1 values that are not numbers, the first at sample 1 (0.01 s), which is infinite or too large for one"
LARGE = "column 'force' holds 1 values that are too large for a number in N, the first at sample 1 (0.01 s): 1e+306 kN"


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("1e306", LARGE),  # 1e309 N; doubles end at 1.8e308
        (
            "1e400",
            "column 'force' holds 1 values that are not numbers, the first at sample 1 (0.01 s), which is infinite or too large for one",
        ),
        (
            "1" * 350,
            "column 'force' holds 1 values that are not numbers, the first at sample 1 (0.01 s), which is infinite or too large for one",
        ),
        (
            "inf",
            "column 'force' holds 1 values that are not numbers, the first at sample 1 (0.01 s), which is infinite or too large for one",
        ),
        ("nan", "column 'force' holds 1 values that are not numbers, the first at sample 1 (0.01 s)"),
    ],
    ids=["in newtons", "by itself", "in figures", "infinite", "none"],
)
def test_a_number_that_is_too_large_is_one(cell: str, said: str, tmp_path: Path) -> None:
    assert refusal(tmp_path / "a.csv", f"time[s],force[kN]\n0,1\n0.01,{cell}\n0.02,3\n") == said


def test_one_that_is_too_large_by_the_factor_of_its_file_is_one_too(tmp_path: Path) -> None:
    said = refusal(tmp_path / "a.uff", uff.text([0.0, 1e306, 1.0], ordinate=uff.axis(13, "kN")))
    assert said == f"function 'force': {LARGE.replace('1e+306 kN', '1e+306 times 1000 N')}"


@pytest.mark.parametrize("count", [0, 12, 10**11])
def test_a_wrong_count_of_bytes_is_told_as_that(count: int, tmp_path: Path) -> None:
    """Seven single values are 28 bytes; behind them the line end that some programs write. 2I6,2I12 behind 58b."""
    content = uff.binary(ordinate_type=2)
    content = re.sub(rb"58b(.{6})(.{6})(.{12})(.{12})", lambda found: b"58b" + found[1] + found[2] + found[3] + b"%12d" % count, content)
    begin, end = content.rindex(b"    -1"), b"\n    -1\n"
    said = refusal(tmp_path / "a.uff", content[:begin] + end)
    assert said == (
        f"function 'force' says in its first line that it has {count} bytes of values, but the 7 values of its record 7 take 28; "
        "correct the one that is wrong"
    )


@pytest.mark.parametrize("content", [b"    -1\n    58\n" + bytes(1000), uff.text().encode()[:600] + bytes(300)])
def test_a_header_of_zero_bytes_was_never_written(content: bytes, tmp_path: Path) -> None:
    said = refusal(tmp_path / "a.uff", content, "1")
    assert said == "function '1': its header holds zero bytes: it was never written to its end, or is no text"


def test_a_field_that_is_filled_up_with_zero_bytes_is_that_field(tmp_path: Path) -> None:
    """As programs in C do it."""
    path = tmp_path / "a.uff"
    path.write_bytes(uff.text().encode().replace(b"N" + b" " * 19, b"N" + bytes(19)))
    assert playback.read(str(path), "force").unit == "N"


@pytest.mark.skipif(not hasattr(os, "SEEK_HOLE"), reason="a system that tells no holes")
@pytest.mark.parametrize(("name", "begin"), [("a.uff", b"    -1\n    58\nforce\n"), ("a.csv", b"time[s],force[kN]\n0,1\n0.01,2\n")])
def test_a_text_with_a_hole_is_refused_before_it_is_looked_through(
    name: str, begin: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    path.write_bytes(begin)
    os.truncate(path, 1_900_000_000)
    with path.open("rb") as file:
        if os.lseek(file.fileno(), 0, os.SEEK_HOLE) == 1_900_000_000:
            pytest.skip("a file system without holes")
    monkeypatch.setattr(playback, "digest", lambda path: pytest.fail("it was looked through"))
    with pytest.raises(ConfigError, match=r"was never written from byte \d+ on, and reads as zeros there; write it whole$"):
        playback.read(str(path), "1")


def test_a_hole_in_binary_values_may_be_zeros(tmp_path: Path) -> None:
    """A program that copies makes holes of zeros, and nobody could tell."""
    values = [1.0, *[0.0] * 300_000, 1.0]
    path = tmp_path / "a.uff"
    content = uff.binary(values)
    with path.open("wb") as file:
        file.write(content[: (at := content.index(bytes(4096)) + 8)])
        file.seek(1_000_000, os.SEEK_CUR)
        file.write(content[at + 1_000_000 :])
    assert len(playback.read(str(path), "force").values) == len(values)
