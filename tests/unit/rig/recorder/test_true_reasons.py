"""A record that is damaged or tampered with is told in words that a person can use; one whose texts cannot be read says so."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from rig import commands
from rig.errors import ConfigError
from rig.recorder import embedded
from rig.recorder.examination import need_readable
from rig.recorder.reading import read_run
from tests.thorough import some
from tests.unit.rig.recorder.record_changes import Change, attribute, make

FORCE = "measured/transmitted_force"
INTERNAL = re.compile(r"Error|synchronously|locate attribute|asstr|dset|NoneType|numpy|h5py|0x|subscript|invalid index|__|object '")
"""What only a programmer of Python, or of HDF5, reads."""


def instead(where: str, value: Any) -> Change:
    def change(entry: h5py.Group) -> None:
        kept = dict(entry[where].attrs)
        del entry[where]
        entry[where] = value
        entry[where].attrs.update(kept)

    return change


def without(where: str) -> Change:
    return lambda entry: entry.__delitem__(where)


DAMAGED = {
    "no rate": (attribute("time", "rate"), "/entry/time: the attribute 'rate' is missing"),
    "no time": (without("time"), "/entry/time: 'time' is missing"),
    "no units": (attribute(FORCE, "units"), "/entry: the attribute 'units' is missing"),
    "no column": (attribute(FORCE, "column"), "/entry: the attribute 'column' is missing"),
    "columns": (attribute(FORCE, "column", [1, 2]), "/entry: it is missing, or has another kind or shape"),
    "not said whether complete": (attribute("", "complete"), "/entry: the attribute 'complete' is missing"),
    "a number for the experiment": (instead("config/experiment", 5), "/entry/config/experiment: it is missing, or has another kind"),
    "no experiment": (without("config/experiment"), "/entry/config/experiment: 'experiment' is missing"),
    "no config": (without("config"), "/entry/config/experiment: "),
    "no events": (without("events"), "'events' is missing"),
    "numbers for events": (instead("events", np.zeros(5)), "it is missing, or has another kind or shape"),
    "numbers for gaps": (instead("gaps", np.zeros(5)), "it is missing, or has another kind or shape"),
    "one gap that is a number": (instead("gaps", 5), "it is missing, or has another kind or shape"),
    "no sensors": (without("sensors"), "'sensors' is missing"),
    "a number for the sensors": (instead("sensors", 5), "it is missing, or has another kind or shape"),
    "a number for a stream": (instead("predicted", 5.0), "/entry: it is missing, or has another kind or shape"),
}


@pytest.mark.parametrize(("what", "read"), [*((what, read_run) for what in DAMAGED), *((what, need_readable) for what in some(DAMAGED, 4))])
def test_a_damaged_record_is_told_in_words(what: str, read: Callable[[Path], Any], run: Path) -> None:
    change, said = DAMAGED[what]
    make(change, run)
    with pytest.raises(ConfigError) as caught:
        read(run / "run.h5")
    text = str(caught.value).removeprefix(f"{run}/run.h5: ")
    assert said in text and not INTERNAL.search(text), text


TEXTS = {
    "no TOML": ("experiment", "[[[", "the text cannot be read ("),
    "nested": ("experiment", "a=" + "[" * 100_000, "the text cannot be read ("),
    "empty": ("bench", "", "the text is empty"),
}


@pytest.mark.parametrize("what", TEXTS)
def test_a_text_in_the_record_that_cannot_be_read_is_warned_of(what: str, run: Path) -> None:
    name, text, said = TEXTS[what]
    make(instead(f"config/{name}", text), run)
    (warning,) = embedded.doubts(read_run(run))
    assert warning.startswith(f"{run}/run.h5: /entry/config/{name}: {said}")
    assert warning.endswith("; the record says no more what the test ran with")


def test_the_texts_of_a_whole_record_are_no_matter(run: Path) -> None:
    assert embedded.doubts(read_run(run)) == []


def test_a_picture_of_such_a_record_comes_with_the_warning(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make(instead("config/experiment", "[[["), run)
    assert commands.main(["view", str(run), "--picture", str(tmp_path / "v.png")]) == 0
    assert "warning: " in (said := capsys.readouterr().err) and "/entry/config/experiment: the text cannot be read" in said
