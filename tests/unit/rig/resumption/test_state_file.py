"""The state of a test on the disk: what was written comes back, what was cut or changed is known as such."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from rig.errors import ConfigError
from rig.resumption import state_file
from rig.resumption.state_file import FILE, State

STATE = State(
    run="0001-linkage", session=1, state="running", outcome="", reason="", written=1.8e9, boot="b", sample=123456, rate=51200.5, cycle=37,
    cycles_total=1_000_000, phase=232.4, block="flat, cycles 0 to 99", pace=1.25, changes={"amplitude": 9000.0},
    correction=[1.0, -2.0, 3.5], memory={"present": {"damage": [[0.25, 1.0, 2.0]], "learned": {"0 peak force": [0.0, 12.5, 10.0]}}},
)  # fmt: skip


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    state_file.write(tmp_path, STATE)
    assert state_file.read(tmp_path) == STATE
    state_file.write(tmp_path, replace(STATE, cycle=38))
    assert state_file.read(tmp_path).cycle == 38
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_cut_at_any_byte_it_is_refused(tmp_path: Path) -> None:
    state_file.write(tmp_path, STATE)
    whole = (tmp_path / FILE).read_bytes()
    for length in range(len(whole) - 1):  # the newline at its end says nothing
        (tmp_path / FILE).write_bytes(whole[:length])
        with pytest.raises(ConfigError, match=r"state\.json: (cut or changed|.*empty).*" if length else r"state\.json") as error:
            state_file.read(tmp_path)
        assert "--cycle N" in str(error.value) and "\n" not in str(error.value)


def test_a_changed_byte_is_refused(tmp_path: Path) -> None:
    state_file.write(tmp_path, STATE)
    whole, dice = (tmp_path / FILE).read_bytes(), random.Random(3)
    told = 0
    for _ in range(2000):
        at, changed = dice.randrange(len(whole) - 1), bytearray(whole)
        changed[at] ^= dice.randrange(1, 256)
        (tmp_path / FILE).write_bytes(changed)
        try:
            assert state_file.read(tmp_path) == STATE, "only what means the same may pass: a blank for another one"
        except ConfigError:
            told += 1
    assert told > 1900


def test_another_version_and_none_at_all(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is none"):
        state_file.read(tmp_path)
    state_file.write(tmp_path, replace(STATE, version=2))
    with pytest.raises(ConfigError, match="version 2, expected 1"):
        state_file.read(tmp_path)


def test_a_write_that_is_broken_off_leaves_the_old_one(tmp_path: Path) -> None:
    state_file.write(tmp_path, STATE)
    (tmp_path / f"{FILE}.new").write_text(json.dumps({"sha256": ""})[:9])
    assert state_file.read(tmp_path) == STATE
    state_file.write(tmp_path, replace(STATE, cycle=39))
    assert state_file.read(tmp_path).cycle == 39
