"""The picture of a run, as a notebook shows it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rig.files import output_files
from rig.recorder.examination import run_folder
from rig.report.summary import PICTURE, compared_run


@dataclass(frozen=True)
class Picture:
    """A picture; a notebook shows it where it is the last value of a cell."""

    png: bytes = field(repr=False)

    def _repr_png_(self) -> bytes:
        return self.png

    def save(self, path: str | Path) -> Path:
        """Write it. Raises ConfigError for a name that does not end in .png, or a place that does not take it."""
        to = output_files.checked("save", Path(path), (".png",))
        with output_files.whole("save", to) as temporary:
            temporary.write_bytes(self.png)
        return to


def drawn(path: Path, overrides: Sequence[str]) -> Picture:
    """See `rig.plot`."""
    with tempfile.TemporaryDirectory() as aside:
        _, pictures = compared_run(run_folder(path), overrides=overrides, picture=Path(aside) / PICTURE)
        to, draw = pictures["overlay"]
        draw()
        return Picture(to.read_bytes())
