"""A test of a rig as a device of bluesky's own RunEngine: paused, resumed and collected; paused and aborted."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import h5py
import numpy as np
import pytest
from bluesky import RunEngine, plans
from bluesky import preprocessors as bpp
from bluesky.utils import RunEngineInterrupted
from event_model import DocumentNames, schema_validators

from rig.bluesky import RigTest, fly
from rig.recorder.reading import read_run
from tests.documented_commands import ROOT

Documents = list[tuple[str, Any]]


@pytest.fixture
def engine() -> Iterator[tuple[RunEngine, Documents]]:
    """Every document that it emits is valid by its schema."""
    found: Documents = []

    def take(name: str, document: Any) -> None:
        schema_validators[DocumentNames[name]].validate(document)
        found.append((name, document))

    engine = RunEngine({}, context_managers=[])  # Ctrl-C is the test runner's
    engine.subscribe(take)
    yield engine, found
    engine.loop.call_soon_threadsafe(engine.loop.stop)


def device(out: Path, cycles: int) -> RigTest:
    sets = ["bench.pace=lockstep", "bench.loader.preparation.enabled=false", f"trajectory.cycles={cycles}"]
    return RigTest(ROOT / "configs/experiments/linkage.toml", "linkage", sets, out=out, picture=False)


def paused(engine: RunEngine, plan: Any, test: RigTest) -> None:
    """The plan, paused as soon as the test runs."""

    def pause() -> None:
        while test._test is None or test._test.state != "running":
            time.sleep(0.01)
        engine.request_pause()

    threading.Thread(target=pause, daemon=True).start()
    with pytest.raises(RunEngineInterrupted):
        engine(plan)
    assert engine.state == "paused" and test._test is not None and test._test.state == "hold"


def test_a_plan_is_paused_resumed_and_has_all_samples(engine: tuple[RunEngine, Documents], tmp_path: Path) -> None:
    run, documents = engine
    test = device(tmp_path, cycles=4)
    paused(run, fly(test, {"operator": "M. Weber"}), test)
    run.resume()
    assert test.result["outcome"] == "done"
    counts = Counter(name for name, _ in documents)
    assert (counts["start"], counts["stop"], counts["descriptor"]) == (1, 1, 2), "no second test was started by the replay"
    start, stop = documents[0][1], documents[-1][1]
    record = read_run(test.folder)
    assert (start["plan_name"], start["operator"], stop["exit_status"]) == ("fly", "M. Weber", "success")
    cycles = json.loads((test.folder / "summary.json").read_text(encoding="utf-8"))["cycles"]
    assert cycles["judged"] >= 1, "the one in which it was held is in no figure"
    assert stop["num_events"] == {"primary": record.samples, "linkage_cycles": cycles["judged"]}
    assert counts["stream_datum"] == counts["stream_resource"] == 1 + sum(len(channels) for channels in record.streams.values())
    place = next(doc for _, doc in documents if doc.get("data_key") == "linkage-measured-stroke")
    with h5py.File(urlparse(place["uri"]).path) as file:
        assert np.array_equal(file[place["parameters"]["dataset"]][()], record.channel("measured", "stroke"))
    assert any("the RunEngine was paused" in event.text for event in record.events)


@pytest.mark.long
def test_an_abort_stops_the_test_by_a_ramp(engine: tuple[RunEngine, Documents], tmp_path: Path) -> None:
    run, documents = engine
    test = device(tmp_path, cycles=500)
    paused(run, bpp.stage_wrapper(plans.fly([test]), [test]), test)
    run.abort("somebody is in the cell")
    assert test._test is not None and test._test.over.exception(60.0) is None
    assert test.result["outcome"] == "stopped"
    record = read_run(test.folder)
    assert record.complete and record.channel("command", "value")[-1] == 0.0, "outputs are safe"
    assert [event.text.split(":")[0] for event in record.events if event.kind == "state"][-2:] == ["stopping", "stopped"]
    assert (documents[-1][0], documents[-1][1]["exit_status"]) == ("stop", "abort")
