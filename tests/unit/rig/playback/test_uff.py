"""Universal files: units by label, data type and dataset 164, every form of dataset 58, and what is refused.

Files are written here by the specification of SDRC (datasets 58 and 164) and UC-SDRL (58b), not by the library of Python.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from rig.errors import ConfigError
from rig.playback import read
from tests.each_row import each_row
from tests.unit.rig.playback.universal_file import VALUES, axis, binary, header, text, units

FOOT, POUND, KILOGRAM = 0.3048, 4.4482216152605, 9.80665  # exact, NIST SP 811


def played(folder: Path, content: str | bytes, column: str = "1", unit: str | None = None) -> tuple[str, float, list[float]]:
    path = folder / "drive.uff"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = read(str(path), column, unit)
    return found.unit, found.rate, found.values.tolist()


def refusal(folder: Path, content: str | bytes, column: str = "1", unit: str | None = None) -> str:
    with pytest.raises(ConfigError) as error:
        played(folder, content, column, unit)
    said = str(error.value)
    assert said.isprintable() and len(said) < 2100, said
    return said


@each_row(
    ("label", "seconds"),
    [("s", 1.0), ("ms", 1e-3), ("msec", 1e-3), ("SEC", 1.0), ("Seconds", 1.0), ("us", 1e-6), ("\u00b5s", 1e-6), ("\u03bcs", 1e-6)]
    + [("min", 60.0), ("NONE", 1.0), ("", 1.0)],
)  # fmt: skip
def test_time_is_in_the_unit_of_its_axis(label: str, seconds: float, tmp_path: Path) -> None:
    even = text(increment=0.5, abscissa=axis(17, label))
    uneven = text(times=[0.5 * n for n in range(7)], abscissa=axis(17, label))
    for content in (even, uneven):
        assert played(tmp_path, content)[1] == pytest.approx(2.0 / seconds, rel=1e-5)


@pytest.mark.parametrize("label", ["Hz", "S", "samples", "m", "rev", "deg", "Time"])
def test_an_axis_in_anything_but_time_is_refused(label: str, tmp_path: Path) -> None:
    assert f"abscissa is in {label!r}, expected a time in s, ms" in refusal(tmp_path, text(abscissa=axis(17, label)))


@each_row(
    ("kind", "label", "unit", "factor"),
    [
        *((13, "N", "N", 1.0), (13, "kN", "N", 1e3), (9, "MN", "N", 1e6), (0, "kN", "N", 1e3), (1, "kN", "N", 1e3)),
        *((8, "mm", "m", 1e-3), (8, "\u00b5m", "m", 1e-6), (8, "\u03bcm", "m", 1e-6)),
        *((12, "g", "m/s^2", 9.80665), (12, "m/s\u00b2", "m/s^2", 1.0), (12, "m/s2", "m/s^2", 1.0)),
        *((13, "NONE", "N", 1.0), (9, "", "N", 1.0), (8, "none", "m", 1.0), (12, "NONE", "m/s^2", 1.0)),
    ],
)
def test_values_are_in_the_unit_of_their_axis_or_of_their_type(kind: int, label: str, unit: str, factor: float, tmp_path: Path) -> None:
    found = played(tmp_path, text(ordinate=axis(kind, label)))
    assert (found[0], found[2]) == (unit, pytest.approx([factor * value for value in VALUES]))


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_labels_in_latin_1_are_read_too(encoding: str, tmp_path: Path) -> None:
    assert played(tmp_path, text(ordinate=axis(8, "\u00b5m"), name="Weg \u00e4").encode(encoding), "Weg \u00e4")[2][1] == pytest.approx(
        1.5e-6
    )


@each_row(
    ("code", "length", "force", "to_metre", "to_newton"),
    [
        (1, 1.0, 1.0, 1.0, 1.0),
        (2, 3.28083989501312334, 0.224808943099710480, FOOT, POUND),  # as the example of the specification
        (3, 1.0, 1 / KILOGRAM, 1.0, KILOGRAM),
        (4, 1 / FOOT, 7.2330138512, FOOT, 0.138254954376),
        (5, 1e3, 1e3, 1e-3, 1e-3),
        (6, 1e2, 1e2, 1e-2, 1e-2),
        (7, 39.3700787402, 0.224808943099710480, FOOT / 12, POUND),
        (8, 1e3, 1 / KILOGRAM, 1e-3, KILOGRAM),
        (9, 1e6, 1e-3, 1e-6, 1e3),
        (10, 1e3, 1.0, 1e-3, 1.0),
    ],
)
def test_without_a_label_the_units_are_those_of_dataset_164(
    code: int, length: float, force: float, to_metre: float, to_newton: float, tmp_path: Path
) -> None:
    for kind, unit, factor in ((8, "m", to_metre), (9, "N", to_newton), (13, "N", to_newton), (12, "m/s^2", to_metre)):
        found = played(tmp_path, units(code, length, force) + text(ordinate=axis(kind)))
        assert (found[0], found[2]) == (unit, pytest.approx([factor * value for value in VALUES], rel=1e-9))
    general = played(tmp_path, units(code, length, force) + text(ordinate=axis(1, exponents=(0, 1, 0))))
    assert general[2] == pytest.approx([to_newton * value for value in VALUES], rel=1e-9)


def test_dataset_164_counts_for_what_follows_it(tmp_path: Path) -> None:
    mn, kn = units(10, 1e3, 1.0), units(9, 1.0, 1e-3)
    bare = text(ordinate=axis(13))
    assert [played(tmp_path, mn + bare + kn + bare, n)[2][1] for n in ("1", "2")] == [1.5, 1500.0]
    labelled = text(ordinate=axis(13, "N"))
    assert played(tmp_path, labelled + kn)[2][1] == 1.5  # nothing is said of it but by its label
    assert played(tmp_path, bare + units(1, 1.0, 1.0))[2][1] == 1.5  # SI, whichever way it is meant
    for content, unit, value in ((bare + kn, "kN", 1500.0), (mn + kn + bare, "kN", 1500.0), (kn + mn + bare, "N", 1.5)):
        assert played(tmp_path, content, "1", unit)[2][1] == value
    assert played(tmp_path, kn + units(3, 1.0, 1 / KILOGRAM) + units(9, 1.0, 1e-3) + text(ordinate=axis(8)))[2][1] == 1.5  # all metres


def test_a_dataset_164_that_may_be_meant_otherwise_is_refused(tmp_path: Path) -> None:
    kn, mm = units(9, 1.0, 1e-3), units(5, 1e3, 1e3)
    bare, labelled = text(ordinate=axis(13)), text(ordinate=axis(13, "N"))
    other = "    -1\n   151\nmodel\n    -1\n"
    for content in (bare + kn, bare + other + mm, bare + bare + kn):
        with pytest.raises(ConfigError, match=r"no label says its unit, and dataset 164 .* stands behind it.*put it in front"):
            played(tmp_path, content)
    for content in (kn + mm + bare, mm + kn + bare, kn + mm + labelled, units(1, 1.0, 1.0) + mm + bare):
        with pytest.raises(ConfigError, match=r"several datasets 164 .* in front of it, with the factors .*; leave the wrong ones out"):
            played(tmp_path, content)
    assert played(tmp_path, kn + other + units(1, 1.0, 1.0) + bare)[2][1] == 1.5  # each is of what follows it


@each_row(
    ("content", "unit", "value"),
    [
        (units(10, 1e3, 1.0) + text(ordinate=axis(8, "mm")), None, 1.5e-3),  # both say the same
        (units(1, 1.0, 1.0) + text(ordinate=axis(13, "kN")), "kN", 1500.0),  # `unit` decides
        (units(1, 1.0, 1.0) + text(ordinate=axis(13, "kN")), "N", 1.5),
        (text(ordinate=axis(13)), "kN", 1500.0),
        (text(ordinate=axis(0)), "kN", 1500.0),
        (text(ordinate=axis(1, exponents=(1, 0, 0))), "mm", 1.5e-3),
        (text(ordinate=axis(1, "mm", exponents=(1, 0, 0))), None, 1.5e-3),
        (text(ordinate=axis(13, "kN", exponents=(0, 1, 0))), None, 1500.0),
    ],
    ids=map(str, range(100)),
)
def test_what_is_said_twice_agrees_or_is_decided(content: str, unit: str | None, value: float, tmp_path: Path) -> None:
    assert played(tmp_path, content, "1", unit)[2][1] == pytest.approx(value)


LENGTH_OF_ANYTHING = r"a length by any power of time .* `unit` says which"


@each_row(
    ("content", "unit", "said"),
    [
        (
            units(1, 1.0, 1.0) + text(ordinate=axis(13, "kN")),
            None,
            r"is in kN \(1000 N\) and the units of dataset 164 \(1 N\), which contradict",
        ),
        (
            units(10, 1e3, 1.0) + text(ordinate=axis(8, "m")),
            None,
            r"is in m and the units of dataset 164 \(0.001 m\), which contradict each other",
        ),
        (text(ordinate=axis(13, "kN")), "N", r"is in kN \(1000 N\) by the file, but `unit` says N"),
        (units(10, 1e3, 1.0) + text(ordinate=axis(8)), "m", r"is in the units of dataset 164 \(0.001 m\) by the file, but `unit` says m"),
        (text(ordinate=axis(13, "mm")), None, r"is in mm, but by its data type 13 \(excitation force\) in N"),
        (text(ordinate=axis(8)), "kN", r"is in kN, but by its data type 8 \(displacement\) in m"),
        (text(ordinate=axis(13, "lbf")), None, "has the unit 'lbf'"),
        (text(ordinate=axis(13, "lbf")), "N", "has the unit 'lbf'"),
        (text(ordinate=axis(13, "N*m")), None, r"has the unit 'N\*m'"),
        (text(ordinate=axis(0)), None, "has no unit"),
        (text(ordinate=axis(1)), None, "has no unit"),
        (text(ordinate=axis(1, exponents=(1, 0, 0))), None, LENGTH_OF_ANYTHING),
        (text(ordinate=axis(1, exponents=(1, 1, 0))), None, "exponents length 1, force 1, temperature 0"),
        (text(ordinate=axis(1, exponents=(-2, 1, 0))), "N", "exponents length -2, force 1, temperature 0"),
        (text(ordinate=axis(13, exponents=(1, 1, 0))), None, r"type 13 \(excitation force\), but has the exponents length 1, force 1"),
        (units(5, 1e3, 1.0) + text(ordinate=axis(13)), None, "units code 5, whose factor of force is 1000, but says 1"),
        (units(9, 0.0, 1.0) + text(ordinate=axis(8)), None, r"dataset 164 \(units\) cannot be read"),
        (units(9, float("nan"), 1.0) + text(ordinate=axis(8)), None, r"dataset 164 \(units\) cannot be read"),
        *((text(ordinate=axis(kind)), None, f"its ordinate is of type {kind}") for kind in (2, 3, 5, 6, 11, 15, 16, 17, 18, 19, 20, 77)),
        *((text(direction=direction), None, f"its ordinate turns .direction {direction}") for direction in (4, -5, 6)),
        (text(denominator=axis(13)), None, r"is a ratio \(its denominator is type 13 \(excitation force\)\)"),
        (text(denominator=axis(0, "V")), None, r"is a ratio \(its denominator is V\)"),
        (text(kind=4), None, "is a frequency response, expected a time response"),
        (text(kind=9), None, "is a power spectral density, expected a time response"),
        (text(kind=25), None, "is of function type 25, expected a time response"),
        (text(abscissa=axis(18, "Hz")), None, r"is not over time \(abscissa of type 18 \(frequency\), expected 17\)"),
        (text(abscissa=axis(0)), None, "is not over time"),
        (text(ordinate_type=6), None, "is complex"),
        (text(ordinate_type=3), None, "has the ordinate data type 3, expected 2 or 4"),
        (text(increment=0.0), None, "increment of its time is 0"),
        (text(increment=-0.01), None, "increment of its time is -0.01"),
        (text(increment=float("nan")), None, "record 7 holds 'NAN'"),
        (text(times=[0, 1, 2, 3, 3, 4, 5]), None, "time does not rise after sample 3"),
        (text(times=[0, 1, 2, 3, 4, 5, 8]), None, "a gap between 5 and 8 s"),
        (text(times=[0, 1, 2, 3, 4.3, 5, 6]), None, "time is not even"),
        (text(records=header(8)), None, "breaks off: 7 values, its header says 8"),
        (text(records=header(6)), None, "has more values than its header says .6."),
        (text(records=header(-7)), None, "has -7 values by its header"),
        (text(records=header(10**8)), None, "has 100000000 samples, expected at most 16777216"),
        (text(records=header(7, even=2)), None, "abscissa spacing 2, expected 0 .uneven. or 1 .even."),
        (text()[:-8], None, "breaks off: the file ends before the line -1"),
        (text()[:-40], None, "breaks off: the file ends before the line -1"),
        (text().replace("1.500000000000E+00", "1.50000000000E+###"), None, "holds '1.50000000000E.###', which is not a number"),
        (text().replace(" 1.500000000000E+00", "            1.#QNAN"), None, "holds '1.#QNAN', which is not a number"),
        (text().replace("1.500000000000E+00", "1.5000000000000+00"), None, "holds '1.5000000000000.00', which is not a number"),
        (text().replace(" 1.500000000000E+00", "                NaN"), None, "holds 1 values that are not numbers, the first at sample 1"),
        (text().replace(" 1.500000000000E+00", " 1.5000000000E+400"), None, "holds 1 values that are not numbers, the first at sample 1"),
        (text(ordinate=" " + axis(13, "N", name="Force")), None, "record 9 is not in the columns|record 9"),
        (text(ordinate=axis(13, "N", name="Force")[1:]), None, "record 9 is not in the columns of its format"),
        (binary()[:-20], None, "breaks off: the file ends before the line -1"),
        (binary(form=1), None, "is binary with byte order 1 and number format 1; expected 1 or 2"),
        (binary().replace(b"b     1", b"b     3"), None, "is binary with byte order 3"),
        (
            binary(ordinate_type=2).replace(f"{2:10d}{7:10d}".encode(), f"{4:10d}{7:10d}".encode()),
            None,
            "breaks off: 3 values, its header says 7",
        ),
        (binary().replace(f"{4:10d}{7:10d}".encode(), f"{4:10d}{6:10d}".encode()), None, "has 56 bytes of values, expected 48 for the 6"),
        (b"    -1\n" * 100_000, None, "has more than 20000 datasets"),
        (b"    -1x" * 3_000_000, None, "holds too many lines with -1"),
        ("    -1\n    58\n", None, "record 7 holds ''"),
        ("hello\n", None, "no column '1'; there are none"),
    ],
    ids=map(str, range(100)),
)
def test_what_cannot_be_played_is_refused(content: str | bytes, unit: str | None, said: str, tmp_path: Path) -> None:
    told = refusal(tmp_path, content, "1", unit)
    assert re.search(said, told), told


TIMES = [0.01 * n for n in range(7)]


@each_row(
    "content",
    [
        text(),
        text(ordinate_type=2),
        text(times=TIMES),
        text(times=TIMES, ordinate_type=2),
        text().replace("E", "D").replace("NOND", "NONE"),
        text().replace("\n", "\r\n"),
        text().replace("\n", "\r"),
        "\n".join(line.ljust(80) for line in text().split("\n")),
        text().rstrip("\n"),
        "\n" + text(),
        "    -1\n   151\nmodel\n    -1\n" + text().replace("force", "other") + text(),
        text().replace(f"{4:10d}{7:10d}{1:10d}", "4 7 1 "),
        *(binary(order=order, ordinate_type=size) for order in "<>" for size in (2, 4)),
        *(binary(times=TIMES, order=order, ordinate_type=size) for order in "<>" for size in (2, 4)),
        binary().replace(b"\n", b"\r\n", 13).replace(b"    -1\n", b"    -1\r\n"),
        binary([*VALUES[:-1], 9.0], name="other") + binary(),
        binary(name="\u00e4hnlich") + text().encode(),
        b"\xef\xbb\xbf" + text().encode(),
    ],
    ids=map(str, range(100)),
)
def test_every_form_of_a_function_is_the_same_function(content: str | bytes, tmp_path: Path) -> None:
    unit, rate, values = played(tmp_path, content, "force")
    assert (unit, rate, values) == ("N", pytest.approx(100.0), VALUES)


def test_binary_values_that_look_like_the_end_of_a_dataset_are_values(tmp_path: Path) -> None:

    odd = struct.unpack("<d", b"\n    -1\n")[0]
    assert played(tmp_path, binary([1.0, odd, 2.0]) + text().encode(), "1")[2] == [1.0, odd, 2.0]
    assert played(tmp_path, binary([1.0, odd, 2.0]) + text(name="next").encode(), "next")[2] == VALUES


@each_row("order", "<>")
@each_row("size", [2, 4])
@each_row("times", [None, TIMES])
def test_a_byte_order_that_is_not_the_one_of_the_values_is_refused(
    order: str, size: int, times: list[float] | None, tmp_path: Path
) -> None:
    """1.5 with its bytes turned round is 4e-320: played as it stands it would be silence."""
    said, meant = ("b     1", "b     2") if order == "<" else ("b     2", "b     1")
    content = binary(times=times, order=order, ordinate_type=size).replace(said.encode(), meant.encode(), 1)
    assert f"in the other byte order than its header says ({meant[-1]}" in refusal(tmp_path, content)


def test_small_numbers_are_no_turned_ones(tmp_path: Path) -> None:
    assert played(tmp_path, binary([0.0, 1e-35, 2.0]))[2] == [0.0, 1e-35, 2.0]
    assert played(tmp_path, binary([0.0, 0.0, 0.0]))[2] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("content", [text().encode("utf-16"), b"    -1\n   151\nmodel\n    -1\n", b"no universal file\n"])
def test_a_file_without_a_function_is_told_what_was_expected(content: bytes, tmp_path: Path) -> None:
    assert "there are none; expected a dataset 58 between two lines -1, as ASCII or UTF-8" in refusal(tmp_path, content)
