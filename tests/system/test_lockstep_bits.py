"""Lockstep records keep their bits: the same as when their digests were taken, before the program's files found their present places."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lockstep_digests import CASES, FILE, digests, machine


@pytest.mark.soak
@pytest.mark.parametrize("experiment", CASES)
def test_a_record_has_the_bits_that_it_had(experiment: str, tmp_path: Path) -> None:
    expected = json.loads(FILE.read_text()).get(machine())
    if expected is None:
        pytest.skip(f"no digests were taken on {machine()}; `python tests/system/lockstep_digests.py` of an earlier revision takes them")
    found = digests(experiment, tmp_path)
    assert expected[experiment].items() <= found.items(), "data sets may be added, and none may change"
