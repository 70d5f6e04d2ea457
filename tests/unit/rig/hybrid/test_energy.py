"""The ledger of a test: it adds up, and it shows what a loader's error puts in."""

from __future__ import annotations

import math

import pytest

from rig.hybrid.energy import Instant, Ledger
from rig.hybrid.splitting import BETA, Splitting, Structure

MASS, STIFFNESS, STEP = 120e3, 19.6e6, 0.005


def vibrated(undershoot: float, corrected: bool, damping: float = 0.0, pull: float = 0.0, believed: float = 1.0) -> Ledger:
    """Five periods from 1 mm, under a constant load `pull` (N); K_I is `believed` times the specimen's stiffness."""
    structure = Structure(MASS, damping, believed * STIFFNESS)
    method = Splitting(structure, STEP, BETA["average_acceleration"])
    stands = 1e-3
    state = method.start(1e-3, 0.0, STIFFNESS * 1e-3, pull)
    ledger = Ledger(structure, Instant(state, pull, stands, STIFFNESS * stands))
    for _ in range(round(10.0 * math.pi / math.sqrt(STIFFNESS / MASS) / STEP)):
        target = method.target(state)
        stands += (1.0 - undershoot) * (target - stands)
        force = method.at_target(target, stands, STIFFNESS * stands) if corrected else STIFFNESS * stands
        state = method.complete(state, target, force, pull)
        ledger.add(Instant(state, pull, stands, STIFFNESS * stands))
    return ledger


@pytest.mark.parametrize(("damping", "pull"), [(0.0, 0.0), (5e4, 0.0), (5e4, 8e3)])
def test_what_goes_in_is_what_comes_out(damping: float, pull: float) -> None:
    ledger = vibrated(0.0, True, damping, pull)
    assert abs(ledger.residual) < 1e-4 * ledger.supplied
    assert ledger.supplied >= 0.5 * STIFFNESS * 1e-6
    assert (ledger.damping > 0.1 * ledger.supplied) == (damping > 0.0)


def test_an_undershoot_drives_an_uncorrected_test_and_the_ledger_says_by_how_much() -> None:
    plain, corrected = vibrated(0.01, False), vibrated(0.01, True, believed=0.9)
    first = 0.5 * STIFFNESS * 1e-6
    grown = plain.kinetic + plain.specimen  # the specimen's own energy above that of 1 mm, and the mass'
    assert plain.error < 0.0
    assert -plain.error == pytest.approx(grown, rel=0.1)
    assert -plain.error / first == pytest.approx(0.01 * STEP * math.sqrt(STIFFNESS / MASS) * 10.0 * math.pi, rel=0.15)  # 2 e omega h/2
    assert corrected.largest < 0.25 * plain.largest


def test_shares_of_nothing_are_unknown() -> None:
    structure = Structure(MASS, 0.0, STIFFNESS)
    state = Splitting(structure, STEP, 0.0).start(0.0, 0.0, 0.0, 0.0)
    assert Ledger(structure, Instant(state, 0.0, 0.0, 0.0)).figures()["error_share"] is None
