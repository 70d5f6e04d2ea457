"""Agreement over many specimens, the controls that must fail, and the reported delay: all in lockstep, so exactly repeatable."""

import pytest
from agreement_runs import (
    ELASTIC_LAW,
    LATE,
    NO_CLEARANCE,
    OTHER_LAWS,
    POINTS,
    WAVEFORMS,
    WRONG_CLEARANCES,
    at_point,
    late,
    law,
    lockstep,
    sees_clearance,
)
from campaign_results import Results

pytestmark = pytest.mark.campaign

SPECIMENS = range(1, 21)
NEEDED = 19
FEW = range(1, 4)
CYCLES = 12


@pytest.mark.parametrize("point", POINTS)
def test_agreement(results: Results, point: str) -> None:
    found = [
        results.once(f"agreement/{point}/seed {seed}", lambda seed=seed: lockstep(seed, *at_point(point, CYCLES))) for seed in SPECIMENS
    ]
    assert all(one["half_cycles"] == 2 * (CYCLES - 2) for one in found)
    failing = {seed: one["reason"] for seed, one in zip(SPECIMENS, found, strict=True) if one["verdict"] != "pass"}
    assert len(found) - len(failing) >= NEEDED, failing


@pytest.mark.parametrize("seed", FEW)
@pytest.mark.parametrize("clearance", WRONG_CLEARANCES)
def test_a_wrong_clearance_fails(results: Results, clearance: str, seed: int) -> None:
    found = results.once(f"clearance/{clearance}/seed {seed}", lambda: lockstep(seed, WRONG_CLEARANCES[clearance]))
    assert sees_clearance(found), found


@pytest.mark.parametrize("seed", FEW)
def test_a_delay_left_in_fails_where_there_is_no_clearance(results: Results, seed: int) -> None:
    straight = results.once(f"no clearance/straight/seed {seed}", lambda: lockstep(seed, *NO_CLEARANCE))
    delayed = results.once(f"no clearance/late/seed {seed}", lambda: lockstep(seed, *NO_CLEARANCE, late(straight)))
    assert straight["verdict"] == "pass", straight["reason"]
    assert not delayed["passed"]["nrms"], delayed


@pytest.mark.parametrize("seed", FEW)
@pytest.mark.parametrize("name", OTHER_LAWS)
def test_another_law_cannot_be_told_apart(results: Results, name: str, seed: int) -> None:
    found = results.once(f"law/{name}/seed {seed}", lambda: lockstep(seed, law(name)))
    assert found["verdict"] == "cannot_discriminate", found


@pytest.mark.parametrize("seed", FEW)
def test_a_law_without_restitution_is_not_validated(results: Results, seed: int) -> None:
    found = results.once(f"law/{ELASTIC_LAW}/seed {seed}", lambda: lockstep(seed, law(ELASTIC_LAW)))
    assert found["verdict"] in ("cannot_discriminate", "fail"), found


@pytest.mark.parametrize("seed", FEW)
@pytest.mark.parametrize("waveform", WAVEFORMS)
def test_a_delay_is_reported(results: Results, waveform: str, seed: int) -> None:
    straight = results.once(f"delay/{waveform}/straight/seed {seed}", lambda: lockstep(seed, WAVEFORMS[waveform]))
    delayed = results.once(f"delay/{waveform}/late/seed {seed}", lambda: lockstep(seed, WAVEFORMS[waveform], late(straight)))
    assert delayed["delay_samples"] - straight["delay_samples"] == pytest.approx(LATE, abs=0.1)
