"""Who may inject what into a running test, and in what words it stands in the record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rig.config import load_bench
from rig.config.bench import Bench
from rig.config.injection import Injection
from rig.supervision import injecting

BENCHES = Path(__file__).resolve().parents[4] / "configs/benches"
ASKED = {
    "injections": [{"what": "frozen", "target": "stroke_monitor"}],
    "fault": "sensor frozen",
    "operator": "somebody",
    "reason": "why not",
}


@pytest.fixture(scope="module")
def bench() -> Bench:
    return load_bench(BENCHES / "virtual_loader.toml")[0]


def test_a_virtual_bench_of_its_own_takes_it(bench: Bench) -> None:
    assert injecting.refused(bench, True, ASKED) == ""
    assert injecting.asked(ASKED) == "injected: sensor frozen by somebody in another terminal: why not"


def test_real_hardware_refuses_in_words(bench: Bench) -> None:
    real = load_bench(BENCHES / "example_pcie6363.toml")[0]
    assert injecting.refused(real, False, ASKED) == "this bench is real hardware; a fault is injected on a virtual bench only"
    assert "a program of its own (bench.address)" in injecting.refused(bench, False, ASKED)


@pytest.mark.parametrize("given", [None, [], [3], [{"target": "x"}], [{"what": 5}]])
def test_what_is_no_injection_is_refused(bench: Bench, given: object) -> None:
    assert injecting.refused(bench, True, {**ASKED, "injections": given})  # type: ignore[dict-item]


def test_what_the_bench_file_injects_is_told(bench: Bench) -> None:
    made = replace(bench, injections=(Injection("frozen", "stroke_monitor", begin=2.5, fault="sensor frozen"),))
    assert list(injecting.configured(made)) == [
        "injected: sensor frozen: frozen of stroke_monitor, 2.5 s after the device begins to sample, by the bench's configuration"
    ]
    assert list(injecting.configured(bench)) == []


def test_what_the_bench_says_of_an_injection_names_the_sample_that_it_comes_with() -> None:
    line = "injection sensor frozen: frozen of stroke_monitor, from sample 2000 on"
    assert injecting.begun(line) == ("sensor frozen: frozen of stroke_monitor", 2000)
    assert injecting.begun("injection play could not be done: no joint") == ("play could not be done: no joint", None)
    assert injecting.begun("listening 127.0.0.1:4711") is None
