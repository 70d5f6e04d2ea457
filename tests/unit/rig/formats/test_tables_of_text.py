"""CSV as programs export it: what is found out of its form, and what is refused with its line."""

from __future__ import annotations

import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.formats.reading import opened
from tests.thorough import times

Rows = list[tuple[str, ...]]


def read(path: Path) -> dict[str, tuple[str, list[float]]]:
    with opened(path) as contents:
        return {column.name: (column.unit, column.values[0 : len(column.values)].tolist()) for column in contents.columns}


def start(path: Path) -> datetime.datetime | None:
    with opened(path) as contents:
        return contents.start


PLAIN = {"Time": ("s", [0.0, 0.001, 0.002]), "Force": ("kN", [1.5, -2.25, 1000.5])}


@pytest.mark.parametrize(
    "text",
    [
        "Time[s],Force[kN]\n0,1.5\n0.001,-2.25\n0.002,1000.5\n",
        "Time (s);Force (kN)\n0;1,5\n0,001;-2,25\n0,002;1000,5\n",
        "Time\tForce\ns\tkN\n0\t1.5\n0.001\t-2.25\n0.002\t1000.5\n",
        "Time;Force\n[s];[kN]\n0,0;1,5\n0,001;-2,25\n0,002;1000,5\n\n",
        '"Time","Force"\n"s","kN"\n0,1.5\n0.001,-2.25\n0.002,1000.5\n',
        "Title;Prüfung 7\nOperator;N. N.\n\nTime;Force;\ns;kN;\n0;1,5;\n0,001;-2,25;\n0,002;1000,5;\n",
        "sep=;\nTime;Force\ns;kN\n0;1,5\n0,001;-2,25\n0,002;1000,5\n",
        "# Time [s]  Force\n Time Force\n s kN\n 0 1.5E+00\n 1e-3 -2.25\n 2e-3 1000.5\n",
        "Time[s],Force[kN]\r\n0,1.5\r\n0.001,-2.25\r\n0.002,1.0005e3\r\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_the_same_table_in_many_forms(text: str, encoding: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(text.encode(encoding))
    assert read(tmp_path / "a.csv") == PLAIN


@given(
    st.lists(st.tuples(*[st.floats(-1e9, 1e9, allow_nan=False)] * 2), min_size=3, max_size=40),
    st.sampled_from([(",", "."), (";", ","), (";", "."), ("\t", ",")]),
)
@settings(max_examples=times(60), deadline=None)
def test_numbers_come_back_whatever_the_signs(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[float, float]], signs: tuple[str, str]
) -> None:
    separator, decimal = signs
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    lines = [separator.join(repr(float(x)).replace(".", decimal) for x in row) for row in rows]
    path.write_text(f"F[N]{separator}x[mm]\n" + "\n".join(lines) + "\n")
    found = read(path)
    assert np.array_equal(np.array([found["F"][1], found["x"][1]]).T, rows)


def test_what_is_missing_is_no_number_and_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("t[s];F[N];x[mm]\n0;1;2\n1;;3\n2;NaN;4\n3;5;n/a\n")
    with opened(tmp_path / "a.csv") as contents:
        assert np.isnan(contents.columns[1].values[0:4]).tolist() == [False, True, True, False]
        assert "3 cells are empty" in contents.said[-1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("t[s],F[N]\n0,1\n1,2\n2,OL\n3,4\n", "line 4: column 'F' is 'OL', which is not a number"),
        ("t[s];F[N]\n0;1,5\n1;2,5\n2;2.5\n3;2,5\n", "decimals stand behind a comma in some cells and behind a point in others"),
        ("t[s],F[N]\n0,1\n1,2\n2,3,4\n3,4\n", "line 4 has 3 cells .separated by commas., expected 2"),
        ("t[s],F[N]\n0,1\n1,2\n2\n3,4\n", "line 4 has 1 cells .separated by commas., expected 2"),
        ("nothing but words\nand more of them\n", "holds no table of numbers"),
        ("t[s];F[N]\n0;1\n1;2\n2;3\nmean;2\n", "line 5: column 't' is 'mean'"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ValueError, match=said):
        read(tmp_path / "a.csv")


def test_a_comma_that_comes_late_is_refused_with_its_line(tmp_path: Path) -> None:
    lines = [f"{k};{k}.5" for k in range(1000)]
    lines[900] = "900;900,5"
    (tmp_path / "a.csv").write_text("t[s];F[N]\n" + "\n".join(lines))
    with pytest.raises(
        ValueError, match="line 902: column 'F' is '900,5', which is not a number; decimals stand behind a point in this file"
    ):
        read(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ("Date;01.03.2026\nTime;10:30:15,25\n", datetime.datetime(2026, 3, 1, 10, 30, 15, 250_000)),
        ("Start: 2026-03-01T10:30:15Z\n", datetime.datetime(2026, 3, 1, 10, 30, 15, tzinfo=datetime.UTC)),
        ("recorded 2026/03/01 10:30:15 +01:00\n", datetime.datetime(2026, 3, 1, 9, 30, 15, tzinfo=datetime.UTC)),
        ("Serial 2026-03-01 10:30:15\n", None),
        ("Date;31.02.2026\nTime;10:30:15\n", None),
        ("", None),
    ],
)
def test_when_it_was_recorded(above: str, expected: datetime.datetime | None, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"{above}t[s];F[N]\n0;1\n1;2\n2;3\n")
    assert start(tmp_path / "a.csv") == expected


def test_stamps_are_times_from_the_first_one_on(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Stamp;F[N]\n01.03.2026 23:59:59,500;1,5\n02.03.2026 00:00:00,000;2,5\n02.03.2026 00:00:00,500;3,5\n")
    assert read(tmp_path / "a.csv")["Stamp"] == ("s", [0.0, 0.5, 1.0])
    assert start(tmp_path / "a.csv") == datetime.datetime(2026, 3, 1, 23, 59, 59, 500_000)


def test_a_table_of_numbers_alone_has_numbered_columns(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1 2\n3 4\n5 6\n")
    assert list(read(tmp_path / "a.txt")) == ["column_1", "column_2"]
