"""`rig export --to bluesky`: documents that event-model's own validators take, and whose samples are those of the record."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import h5py
import jsonschema
import numpy as np
import pytest
from event_model import DocumentNames, schema_validators, unpack_event_page

from rig.exchange.export import export
from rig.exchange.outgoing import Wanted
from rig.recorder.reading import RunData
from rig.recorder.run_files import SUMMARY
from tests.unit.rig.exchange.small_record import GAP, RATE, SAMPLES, column, make

Documents = list[tuple[str, dict[str, Any]]]
START = 1772357415.25  # 2026-03-01T10:30:15.250+01:00


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunData:
    return make(tmp_path_factory.mktemp("run") / "0001-linkage")


def exported(run: RunData, path: Path, wanted: Wanted = Wanted()) -> Documents:  # noqa: B008  # it is frozen
    """All documents of the file, each valid by its schema."""
    export(run, "bluesky", wanted, path)
    rows = [json.loads(line, parse_constant=_refused) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        schema_validators[DocumentNames[row["name"]]].validate(row["doc"])
    return [(row["name"], row["doc"]) for row in rows]


def _refused(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def only(documents: Documents, named: str, /, **like: object) -> dict[str, Any]:
    (found,) = (doc for kind, doc in documents if kind == named and like.items() <= doc.items())
    return found


def test_a_whole_record_is_pointed_at(run: RunData, tmp_path: Path) -> None:
    documents = exported(run, tmp_path / "a.jsonl")
    assert Counter(name for name, _ in documents) == {"start": 1, "descriptor": 1, "stream_resource": 12, "stream_datum": 12, "stop": 1}
    keys = only(documents, "descriptor", name="primary")["data_keys"]
    force = keys["measured-transmitted_force"]
    assert (force["units"], force["external"], force["shape"], force["sensor"]["sensor_serial"]) == ("N", "STREAM:", [1], "LC-7")
    place = only(documents, "stream_resource", data_key="measured-transmitted_force")
    with h5py.File(urlparse(place["uri"]).path) as file:
        there = file[place["parameters"]["dataset"]][()]
    expected = column("measured", "transmitted_force")
    expected[GAP.first : GAP.first + GAP.count] = np.nan
    assert np.array_equal(there, expected, equal_nan=True)
    datum = only(documents, "stream_datum", stream_resource=place["uid"])
    assert datum["indices"] == {"start": 0, "stop": SAMPLES} and datum["seq_nums"] == {"start": 1, "stop": SAMPLES + 1}
    assert only(documents, "stop")["num_events"] == {"primary": SAMPLES}


def test_a_part_of_it_stands_in_pages(run: RunData, tmp_path: Path) -> None:
    first = GAP.first - 100
    wanted = Wanted(("measured/stroke",), begin=first / RATE, until=(first + 1999) / RATE)
    documents = exported(run, tmp_path / "a.jsonl", wanted)
    pages = [doc for name, doc in documents if name == "event_page"]
    events = [event for page in pages for event in unpack_event_page(page)]
    assert [len(page["time"]) for page in pages] == [1000, 1000] and [event["seq_num"] for event in events] == [*range(1, 2001)]
    values = np.array([event["data"]["measured-stroke"] for event in events], dtype=float)  # null becomes NaN
    expected = column("measured", "stroke")
    expected[GAP.first : GAP.first + GAP.count] = np.nan
    assert np.array_equal(values, expected[first : first + 2000], equal_nan=True), "to the bit"
    assert [event["time"] for event in events[:2]] == pytest.approx([START + first / RATE, START + (first + 1) / RATE], abs=1e-6)
    assert events[5]["data"]["sample_time"] == (first + 5) / RATE
    assert len({event["uid"] for event in events}) == 2000


def test_what_was_tested_by_whom_and_how_it_ended(tmp_path: Path) -> None:
    text = 'title = "Play"\n[document]\nspecimen = "No. 7"\noperator = "M. Weber"\n'
    run = make(tmp_path / "0002-play", experiment_text=text)
    (run.path.parent / SUMMARY).write_text('{"outcome": "tripped", "reason": "force 31.2 kN"}')
    documents = exported(run, tmp_path / "a.jsonl", Wanted(("command",)))
    start, stop = only(documents, "start"), only(documents, "stop")
    assert (start["title"], start["sample"], start["operator"], start["time"]) == ("Linkage", "No. 7", "M. Weber", START)
    assert start["clearance_rig"]["gaps"] == [{"stream": "measured", "first": 5000, "count": 20, "reason": "lost"}]
    assert (stop["exit_status"], stop["reason"]) == ("fail", "force 31.2 kN")
    assert stop["time"] == pytest.approx(START + SAMPLES / RATE, abs=1e-6)


def test_the_same_export_is_the_same_run_and_another_is_another(run: RunData, tmp_path: Path) -> None:
    first, second = exported(run, tmp_path / "a.jsonl"), exported(run, tmp_path / "b.jsonl")
    assert first == second
    other = exported(run, tmp_path / "c.jsonl", Wanted(rate=1000.0))
    assert only(other, "start")["uid"] != only(first, "start")["uid"]


def test_the_validators_do_refuse(run: RunData, tmp_path: Path) -> None:
    start = only(exported(run, tmp_path / "a.jsonl"), "start")
    with pytest.raises(jsonschema.ValidationError, match="'uid' is a required property"):
        schema_validators[DocumentNames.start].validate({key: value for key, value in start.items() if key != "uid"})
