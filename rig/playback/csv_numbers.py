"""Two columns of numbers out of the lines of a CSV file, each as it stands there or not at all."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence

import numpy as np

from rig.formats.text_lines import rows
from rig.playback.column import Floats, enough
from rig.playback.csv_header import SEPARATORS

NUMBER = re.compile(r"[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf|infinity)", re.ASCII | re.IGNORECASE)
GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)  # 1,234: thousands, or three decimals
THOUSANDS = re.compile(r"[+-]?\d{1,3}([.,' \u00a0\u2009\u202f]\d{3})+([.,]\d*)?", re.ASCII)
CLOCK = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}.*|\d+:\d+.*", re.ASCII)
COMMENT = re.compile(r".*(?:#(?![#\w]|\Z)|//)|#[^A-Z#\n]")  # not the errors of Excel (#N/A, #####) or of Windows (1.#INF)
LONGEST = 400  # characters of a number
DOUBTFUL, SLOW = 100_000, 1_000_000  # lines
POINT = str.maketrans({",": ".", ".": "!"})  # a point among decimal commas makes no number


class Numbers:
    """The time and one other column, line by line.

    sign: what decimals stand behind. In a file that is separated by commas it is the point. Else the first cell with a sign tells, all
    others must have the same, and at least one must be no group of thousands: "1,234" alone could be two numbers.
    """

    def __init__(self, separator: str, columns: int, column: int, name: str) -> None:
        self._separator, self._columns, self._column, self._name = separator, columns, column, name
        self.sign = "." if separator == "," else ""
        self._certain = separator == ","
        self._doubtful, self._slow = "", 0
        self._time, self._values = array("d"), array("d")

    def take(self, first: int, lines: Sequence[str]) -> None:
        """Read lines, the first of which has this number. Raises ValueError with the line and the cell."""
        if not self._quickly(lines):
            self._slow += len(lines)
            for number, cells in rows(lines, self._separator, first):
                self._row(number, cells)
            self._refuse_many()
        enough(self._name, len(self._values))

    def columns(self) -> tuple[Floats, Floats]:
        """(time, values), (N,) each. Raises ValueError where it could be thousands or decimals that a sign stands before."""
        self._refuse_doubtful()
        return np.frombuffer(self._time), np.frombuffer(self._values)

    def _quickly(self, lines: Sequence[str]) -> bool:
        """Read lines that nothing is particular about; False, with nothing read, where there is."""
        if not self._certain and any("." in line or "," in line for line in lines):
            return False
        if lines and lines[0].endswith(self._separator):
            lines = [line.rstrip(self._separator) for line in lines]
        if not lines or any(line.count(self._separator) != self._columns - 1 or '"' in line for line in lines):
            return False
        texts = [line.translate(POINT) for line in lines] if self.sign == "," else lines
        try:
            table = np.loadtxt(texts, delimiter=self._separator, usecols=(0, self._column), comments=None, ndmin=2)
        except ValueError:
            return False
        if len(table) != len(lines):
            return False
        self._time.frombytes(table[:, 0].tobytes())
        self._values.frombytes(table[:, 1].tobytes())
        return True

    def _row(self, number: int, cells: Sequence[str]) -> None:
        if len(cells) != self._columns:
            if not any(cell.strip() for cell in cells):
                return
            if len(cells) < self._columns or any(cell.strip() for cell in cells[self._columns :]):
                raise ValueError(self._miscounted(number, cells))
        time, value = cells[0].strip(), cells[self._column].strip()
        if time or value or any(cell.strip() for cell in cells):
            self._time.append(self._number(number, "the time", time))
            self._values.append(self._number(number, f"column {self._name!r}", value))

    def _refuse_many(self) -> None:
        """Looking at every cell takes microseconds: what is so large ends here."""
        if self._slow > DOUBTFUL:
            self._refuse_doubtful()
        if self._slow > SLOW:
            raise ValueError(f"more than {SLOW} lines with quotes, gaps or cells to spare; export numbers alone, without quotes")

    def _refuse_doubtful(self) -> None:
        if not self._certain and self._doubtful:
            raise ValueError(
                f"{self._doubtful!r} and all others with such a sign (cells are separated by {self._separator!r}) could be thousands or "
                "three decimals; export it without thousands separators, and with decimals behind a point"
            )

    def _miscounted(self, number: int, cells: Sequence[str]) -> str:
        if len(cells) < self._columns:
            others = next(
                (f"; is {sign!r} the separator there?" for sign in SEPARATORS if sign != self._separator and sign in "".join(cells)), ""
            )
            text = f"line {number} has only {len(cells)} of the header's {self._columns} cells (separated by {self._separator!r})"
            return text + (others or "; the file breaks off, or ends with something that is no table")
        text = f"line {number} has {len(cells)} cells (separated by {self._separator!r}), the header {self._columns}"
        if self._separator == ",":
            return f"{text}; where decimals stand behind a comma, separate by semicolons, or write decimals behind a point"
        return f"{text}; expected one for each column"

    def _number(self, number: int, what: str, text: str) -> float:
        if not text:
            raise ValueError(f"line {number}: {what} is empty, expected a number; fill the gap, or cut the file before it")
        if len(text) > LONGEST or not NUMBER.fullmatch(text):
            raise ValueError(f"line {number}: {what} is {text[:40]!r}, which is not a number{_advice(text)}")
        if sign := next((sign for sign in ",." if sign in text), ""):
            self.sign = self.sign or sign
            if sign != self.sign:
                behind = {",": "comma", ".": "point"}[self.sign]
                raise ValueError(
                    f"line {number}: {what} is {text[:40]!r}, but the file's decimals stand behind a {behind} and cells are separated by "
                    f"{self._separator!r}; export it without thousands separators and with one decimal sign"
                )
            self._certain = self._certain or not GROUPS.fullmatch(text)
            self._doubtful = self._doubtful or text
        return float(text.replace(",", "."))


def _advice(text: str) -> str:
    if len(text) > LONGEST:
        return ""
    if THOUSANDS.fullmatch(text):
        return "; export it without thousands separators"
    if CLOCK.fullmatch(text):
        return "; write seconds from the start for dates and times of day"
    if COMMENT.match(text):
        return "; take comments out of the table"
    if "#" in text:
        return "; the program that wrote it had none there, or its cell was too narrow"
    return ""
