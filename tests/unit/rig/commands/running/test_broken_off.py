"""Whether a test that was broken off may go on: its plan is the one that its state was kept with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import rig
from rig.commands.running.broken_off import _differences, need_no_iteration, need_resumable
from rig.config import load
from rig.errors import ConfigError
from rig.resumption.state_file import digest_of
from rig.trajectory.ramp import Config as Ramp
from tests.unit.rig.resumption.test_differences import LINKAGE, plan_of
from tests.unit.rig.resumption.test_state_file import STATE


def test_another_plan_than_the_state_s_is_a_difference_that_has_to_be_accepted() -> None:
    setup = load(LINKAGE)
    plan = plan_of(setup)
    own = replace(STATE, rig_version=rig.__version__, plan_sha256=digest_of(plan.experiment_text, plan.bench_text))
    assert _differences(plan, setup, own, accepted=False) == []
    other = replace(own, plan_sha256=digest_of(plan.experiment_text, plan.bench_text + "\n# changed by hand"))
    with pytest.raises(ConfigError, match=r"plan\.json: not the one that state\.json was kept with"):
        _differences(plan, setup, other, accepted=False)
    assert len(_differences(plan, setup, other, accepted=True)) == 1


def test_sensitivities_that_a_data_sheet_gave_are_compared_with_those_it_gives_now() -> None:
    """The plan has what was adopted; so must what it is compared with."""
    setup = load(LINKAGE)
    first, *others = setup.bench.channels
    adopted = replace(first, sensor=replace(first.sensor, sensitivity=1.01 * first.sensor.sensitivity))
    now = replace(setup, bench=replace(setup.bench, channels=(adopted, *others)))
    own = replace(STATE, rig_version=rig.__version__, plan_sha256=digest_of(setup.experiment_text, setup.bench_text))
    assert _differences(plan_of(now), now, own, accepted=False) == []
    with pytest.raises(ConfigError, match=rf"sensor {first.name}\.sensitivity"):
        _differences(plan_of(now), setup, own, accepted=False)


def test_a_drive_that_was_iterated_is_told_what_can_be_done_with_it(tmp_path: Path) -> None:
    need_no_iteration(tmp_path)
    (tmp_path / "0001-identification").mkdir()
    (tmp_path / "0001-identification/plan.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"identified and iterated from the beginning. Its 1 passes stay. Begin anew with rig run$"):
        need_no_iteration(tmp_path)
    (tmp_path / "drive.npy").write_bytes(b"")
    with pytest.raises(ConfigError, match=r'kind = "drive", file = ".*drive.npy". A test that plays it can be resumed'):
        need_no_iteration(tmp_path)
    (tmp_path / "plan.json").write_text("{}")
    need_no_iteration(tmp_path)


def test_what_cannot_go_on_says_what_to_do_instead() -> None:
    said = r"each step rests on the one before.*Look at the specimen; then begin anew with rig run"
    with pytest.raises(ConfigError, match=said):
        need_resumable(plan_of(load(LINKAGE.with_name("pseudo_dynamic.toml"))), None)
    setup = load(LINKAGE)
    still = replace(setup.experiment, trajectory=Ramp(end=1.0, duration=1.0, soft_stop=0.5))
    with pytest.raises(ConfigError, match=r"counts no cycles.*Begin anew with rig run"):
        need_resumable(plan_of(replace(setup, experiment=still)), None)
    need_resumable(plan_of(setup), None)
