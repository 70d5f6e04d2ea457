"""Whether a test that was broken off may go on: its plan is the one that its state was kept with."""

from __future__ import annotations

from dataclasses import replace

import pytest

import rig
from rig.commands.running.broken_off import _differences
from rig.config import load
from rig.errors import ConfigError
from rig.resumption.state_file import digest_of
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
