"""CSV as other programs write it: each file gives the one right column, or is refused with the line and what to convert."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from rig.errors import ConfigError
from rig.playback import read
from rig.playback.column import Column
from tests.each_row import each_row
from tests.tiers import quick

TABLE = "time[s],force[kN]\n0,0\n0.01,1.5\n0.02,-3\n"
RIGHT = ("force", "N", 100.0, [0.0, 1500.0, -3000.0])


def played(folder: Path, content: str | bytes, column: str = "force", unit: str | None = None) -> tuple[str, str, float, list[float]]:
    path = folder / "drive.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found: Column = read(str(path), column, unit)
    return found.name, found.unit, found.rate, found.values.tolist()


def refusal(folder: Path, content: str | bytes, column: str = "force", unit: str | None = None) -> str:
    """What is said, which is one line."""
    with pytest.raises(ConfigError) as error:
        played(folder, content, column, unit)
    text = str(error.value).replace(f"{folder}/", "")
    assert text.isprintable() and len(text) < 2100, text
    return text


NO_NUMBERS = [
    *("12#####", "1.#QNAN", "-1.#IND", "1.#INF", "#####", "#N/A", "#DIV/0!", "12#comment", "# 12", "NULL", "-", "ok", "12 kN", "12kN"),
    *("1_000", "0x10", "1.5.2", "1,5", "1'000", "1 000", "1\u00a0000", "--1", "1e", "e5", "1e5.5", "+", ".", "12;", "(12)", "12-"),
    *("2026-01-01", "12:30:00", "TRUE", "1+2j", "=1+1", "\u22125", "1\uff12", "1d3", "\x00", "12\ufffd"),
]  # fmt: skip


@each_row("cell", NO_NUMBERS)
def test_a_cell_that_is_no_number_is_told_with_its_line(cell: str, tmp_path: Path) -> None:
    text = refusal(tmp_path, TABLE.replace("1.5", cell))
    assert "line 3" in text or "zero bytes" in text


@pytest.mark.parametrize("cell", ["nan", "NaN", "-nan", "inf", "-Infinity", "1e400", "-1e400"])
def test_what_is_no_finite_number_is_counted(cell: str, tmp_path: Path) -> None:
    assert "holds 1 values that are not numbers, the first at sample 1 (0.01 s)" in refusal(tmp_path, TABLE.replace("1.5", cell))


@pytest.mark.parametrize("place", ["", '""', " "])
def test_an_empty_cell_is_told_with_its_line(place: str, tmp_path: Path) -> None:
    assert "line 3: column 'force' is empty" in refusal(tmp_path, TABLE.replace("1.5", place))
    assert "line 3: the time is empty" in refusal(tmp_path, TABLE.replace("0.01", place))


@each_row("cell", ["1.5", "+1.5", " 1.5 ", '"1.5"', "1.50", "15e-1", "0.15E+1", ".15e1", "1.5,", "1.5,,"])
def test_a_number_may_be_written_in_many_ways(cell: str, tmp_path: Path) -> None:
    assert played(tmp_path, TABLE.replace("1.5", cell)) == RIGHT


@each_row(
    "content",
    [
        TABLE.encode("utf-8-sig"),
        TABLE.encode("utf-16"),
        TABLE.encode("utf-32"),
        b"\xfe\xff" + TABLE.encode("utf-16-be"),
        TABLE.replace("\n", "\r\n"),
        TABLE.replace("\n", "\r"),
        TABLE.rstrip("\n"),
        TABLE + "\n\n",
        TABLE + ",\n,\n",
        TABLE.replace("force[kN]", "force[kN],"),
        TABLE.replace("\n", ",\n"),
        "\n\n" + TABLE,
        "sep=,\n" + TABLE,
        TABLE.replace(",", "\t"),
        TABLE.replace(",", ";"),
        "sep=;\n" + TABLE.replace(",", ";"),
        TABLE.replace(",", ";").replace(".", ","),
        TABLE.replace(",", "\t").replace(".", ","),
        TABLE.replace("time[s],force[kN]", '"time[s]","force[kN]"'),
        TABLE.replace("time[s],force[kN]", "time (s),force (kN)"),
        TABLE.replace("time[s],force[kN]", "# time[s],force[kN]"),  # as numpy writes it
        TABLE.replace("time[s],force[kN]", "t[sec],force[kN]"),
        TABLE.replace("time[s],force[kN]", "time,force\ns,kN"),
        TABLE.replace("time[s],force[kN]", "time,force\n[s],[kN]"),
        TABLE.replace("time[s],force[kN]", "time[s],force\n\n(s),(kN)"),
        TABLE.replace("time[s],force[kN]", "time[ms],force[kN]").replace("0.01", "10").replace("0.02", "20"),
        TABLE.replace("force[kN]", 'force[kN],note, of "it"')
        .replace("-3", '-3,"a, b",')
        .replace(",0\n", ",0,x,\n")
        .replace("1.5", "1.5,,"),
    ],
)
def test_what_other_programs_make_of_a_table_is_the_same_table(content: str | bytes, tmp_path: Path) -> None:
    assert played(tmp_path, content) == RIGHT


@each_row(
    ("unit", "seconds"),
    [
        ("s", 1.0),
        ("ms", 1e-3),
        ("us", 1e-6),
        ("\u00b5s", 1e-6),
        ("\u03bcs", 1e-6),
        ("ns", 1e-9),
        ("min", 60.0),
        ("h", 3600.0),
        ("Seconds", 1.0),
    ],
)
def test_time_in_other_units(unit: str, seconds: float, tmp_path: Path) -> None:
    _, _, rate, _ = played(tmp_path, f"time[{unit}],force[N]\n0,1\n2,2\n4,3\n")
    assert rate == pytest.approx(0.5 / seconds, rel=1e-9)


@each_row("head", ["time", "time[]", "sample", "sample[#]", "time[samples]", "time[m]", "time[S]", "time[MS]", "index[-]", "Datum"])
def test_a_time_axis_in_anything_but_time_is_refused(head: str, tmp_path: Path) -> None:
    said = refusal(tmp_path, TABLE.replace("time[s]", head))
    assert "expected a time in s, ms, us, µs, ns, min, h; convert it to seconds" in said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (TABLE.replace("time[s]", "time"), "and say so by time[s] in the header"),
        ("no,time[s],force[kN]\n0,0,1\n1,1,2\n", "column 2, 'time', is a time: put it first"),
        ("bench 2, sine, 5 Hz\n" + TABLE, "where this line is no header, take it out"),
    ],
)
def test_who_has_the_time_elsewhere_is_told_what_to_do(content: str, said: str, tmp_path: Path) -> None:
    assert said in refusal(tmp_path, content)


@pytest.mark.parametrize("line", ["# stop\n", "#0.01,1\n", "0.01,1 # stop\n", "0.01,1 // stop\n"])
def test_a_comment_within_the_table_is_told_as_one(line: str, tmp_path: Path) -> None:
    said = refusal(tmp_path, TABLE + line.replace("# stop\n", "# stop,\n", line.startswith("#")))
    assert "line 5: " in said and "take comments out of the table" in said and "too narrow" not in said


@pytest.mark.parametrize("unit", ["k^N", "^kN", "m^m", "m/s^^2"])
def test_a_power_stands_before_a_figure_only(unit: str, tmp_path: Path) -> None:
    assert f"has the unit '{unit}'" in refusal(tmp_path, TABLE.replace("kN", unit))


def test_dates_are_refused_with_what_to_write(tmp_path: Path) -> None:
    for first, second in (
        ("2026-01-01 00:00:00", "2026-01-01 00:00:01"),
        ("01.01.2026 12:00", "01.01.2026 12:01"),
        ("00:00:01.5", "00:00:02"),
    ):
        said = refusal(tmp_path, f"time[s],force[N]\n{first},1\n{second},2\n")
        assert f"line 2: the time is '{first}', which is not a number; write seconds from the start" in said


@pytest.mark.parametrize("mu", ["\u00b5", "\u03bc"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_both_micro_signs_in_every_encoding_that_has_them(mu: str, encoding: str, tmp_path: Path) -> None:
    if (mu, encoding) == ("\u03bc", "cp1252"):  # which has one of them only
        mu = "\u00b5"
    content = f"time[s],Weg_\u00e4[{mu}m]\n0,1\n0.5,2\n".encode(encoding)
    for column in ("Weg_\u00e4", "Weg_\u00e4[\u00b5m]", "Weg_\u00e4[\u03bcm]"):
        assert played(tmp_path, content, column) == ("Weg_\u00e4", "m", 2.0, [1e-6, 2e-6])
    assert played(tmp_path, "time[s],force\n0,1\n1,2\n", "force", f"{mu}m")[3] == [1e-6, 2e-6]


GERMAN = "time[s];force[kN]\n"


@pytest.mark.parametrize(
    ("rows", "values"),
    [
        ("0;1\n1;2\n", [1e3, 2e3]),
        ("0,0;1,234\n0,5;2,345\n", [1234.0, 2345.0]),  # the time tells that the comma is a decimal one
        ("0.0;1.234\n0.5;2.345\n", [1234.0, 2345.0]),
        ("0;1234,5\n1;2\n", [1234500.0, 2000.0]),
        ("0;0,125\n1;1,125\n", [125.0, 1125.0]),  # no thousands begin with a zero
        ("0;1e3\n1;1,5e3\n", [1e6, 1.5e6]),
        ('"0,0";"1,5"\n"0,5";"2,5"\n', [1500.0, 2500.0]),
    ],
)
def test_a_decimal_comma_is_read_where_it_can_be_no_other(rows: str, values: list[float], tmp_path: Path) -> None:
    assert played(tmp_path, GERMAN + rows)[3] == pytest.approx(values)


@each_row(
    ("content", "said"),
    [
        (GERMAN + "0;1,234\n1;2,345\n", r"'1,234' and all others .* separated by ';'.* thousands or three decimals"),
        (GERMAN + "0;1.234\n1;2.345\n", r"'1.234' and all others .* separated by ';'.* thousands or three decimals"),
        (GERMAN + "0,0;1,5\n0,1;1.234\n", "line 3: column 'force' is '1.234', but the file's decimals stand behind a comma and .* by ';'"),
        (GERMAN + "0.0;1.5\n0.1;1,234\n", "line 3: column 'force' is '1,234', but the file's decimals stand behind a point and .* by ';'"),
        (GERMAN + "0,0;1.234,5\n0,1;2\n", "line 2: .*'1.234,5', which is not a number; export it without thousands separators"),
        (GERMAN + "0,0;1 234\n0,1;2\n", "line 2: .*'1 234', which is not a number; export it without thousands separators"),
        ("time[s],force[kN]\n0,0,1,5\n0,1,2,5\n", r"line 2 has 4 cells \(separated by ','\), the header 2; where decimals"),
        ("time[s],force[kN]\n0,1,234\n1,2,345\n", r"line 2 has 3 cells \(separated by ','\), the header 2; where decimals"),
        ('time[s],force[kN]\n0,"1,234.5"\n1,2\n', "line 2: .*'1,234.5', which is not a number; export it without thousands separators"),
        ("time[s],force[kN]\n0;1\n1;2\n", "line 2 has only 1 of the header's 2 cells .*is ';' the separator there"),
        ("time[s] force[kN]\n0 1\n1 2\n", "line 1, 'time.s. force.kN.', has no comma, semicolon or tab"),
        (TABLE + "End of file\n", "line 5 has only 1 of the header's 2 cells"),
        (TABLE + "Mean,3\n", "line 5: the time is 'Mean', which is not a number"),
        (TABLE + "0.03", "line 5 has only 1 of the header's 2 cells .*breaks off"),
        (TABLE + '0.03,"5', "line 5: a quote that does not end"),
        (TABLE.replace("1.5", '"1.5\n'), "line 3: a quote that does not end"),
        (TABLE.replace("1.5", '"1"5'), "line 3: a quote that does not end"),
        (TABLE.replace("time[s],force[kN]", "time[s],force[N]\ns,kN"), "column 'force' is in 'N' in the header, but in 'kN' in the line"),
        (TABLE.replace("time[s],force[kN]", "time[ms],force[N]\ns,N"), "column 'time' is in 'ms' in the header, but in 's' in the line"),
        (TABLE.replace("[kN]", "(lbf)"), "column 'force' has the unit 'lbf'"),
        (TABLE.replace("[kN]", "[KN]"), "column 'force' has the unit 'KN'"),
        (TABLE.replace("0.02", "0.01"), "time does not rise after sample 1"),
        (TABLE.replace("0.02", "0.005"), "time does not rise after sample 1"),
        (TABLE.replace("0.02", "0.024") + "0.03,1\n", "time is not even: sample 2"),
        (TABLE.replace("0.02", "1.#INF"), "line 4: the time is '1.#INF'"),
        (TABLE.encode("utf-16-le"), "holds zero bytes; save it as text in UTF-8"),
        (TABLE.encode() + b"\0" * 20, "holds zero bytes"),
        ("a" * 200_000, "line 1 has more than 131071 characters"),
        (TABLE + "1" * 200_000, "line 5 has more than 131071 characters"),
        ("sep=|\ntime[s]|force[N]\n", "the line sep=| names another separator"),
        (TABLE.replace("force", "\x1b[31mforces"), "no column 'force'; there are .31mforces"),
    ],
    ids=map(str, range(100)),
)  # fmt: skip
def test_what_cannot_be_told_is_refused(content: str | bytes, said: str, tmp_path: Path) -> None:
    text = refusal(tmp_path, content)
    assert re.search(said.replace("sep=|", r"sep=\|"), text), text


def test_a_unit_that_is_said_twice_is_said_once_or_refused(tmp_path: Path) -> None:
    assert played(tmp_path, TABLE, unit="kN") == RIGHT
    assert "column 'force' is in kN by the file, but `unit` says N" in refusal(tmp_path, TABLE, unit="N")
    assert played(tmp_path, TABLE.replace("[kN]", ""), unit="kN") == RIGHT
    assert played(tmp_path, "time[s],a[m/s\u00b2]\n0,1\n1,2\n", "a")[1] == "m/s^2"


def test_columns_of_one_name_are_told_apart_by_their_units(tmp_path: Path) -> None:
    content = "time[s],force[N],force[kN]\n0,1,2\n1,3,4\n"
    assert "2 columns are called 'force'; there are force[N], force[kN]" in refusal(tmp_path, content)
    assert played(tmp_path, content, "force[kN]")[3] == [2e3, 4e3]
    assert played(tmp_path, content, "force(kN)")[3] == [2e3, 4e3]
    twice = content.replace("force[kN]", "force[N]")
    assert "2 columns are called 'force[N]'" in refusal(tmp_path, twice, "force[N]")


@pytest.mark.parametrize("form", quick(["{},{}\n", '"{}","{}"\n', "{},{},\n"], 1))
def test_long_files_are_read_as_short_ones_are(form: str, tmp_path: Path) -> None:
    rows = [(n / 1024, (-1) ** n * n / 8) for n in range(60_000)]
    content = "time[s],force[N]\n" + "".join(form.format(*row) for row in rows)
    _, _, rate, values = played(tmp_path, content)
    assert (rate, values) == (1024.0, [value for _, value in rows])
    german = content.replace(",", ";").replace(".", ",") if '"' not in form else content
    assert played(tmp_path, german)[2:] == (1024.0, values)
    wrong = content.replace(form.format(*rows[50_000]), form.format(rows[50_000][0], "1.#QNAN"))
    assert "line 50002: column 'force' is '1.#QNAN'" in refusal(tmp_path, wrong)


N = 100_000
LONG = [
    "[" * N + ",force[N]\n0,1\n",
    "(" * N + ",force[N]\n0,1\n",
    '"' * N + ",force[N]\n0,1\n",
    "time[s],a" + " " * N + "b\n0,1\n",
    TABLE.replace("1.5", "1" * N + "x"),
    TABLE.replace("0.01", "1" * N + "x"),
    TABLE.replace("1.5", "1'000" * (N // 5) + "x"),
    TABLE.replace("1.5", "1:" * (N // 2)),
    "a," * (N // 2) + "\n" + "s," * (N // 2) + "\n",
]


@each_row("content", LONG, ids=map(str, range(len(LONG))))
def test_long_nonsense_is_refused_at_once(content: str, tmp_path: Path) -> None:
    begun = time.process_time()
    refusal(tmp_path, content)
    assert time.process_time() - begun < 2.0
