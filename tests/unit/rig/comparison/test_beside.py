"""What a pass does not say: that a line is late, that a gain is off by more than its sensor's uncertainty, that clocks run apart."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pytest

from rig.comparison import Settings, verdict
from rig.comparison.channels import agreement
from rig.comparison.result import ChannelAgreement
from tests.tiers import quick

RATE, FREQUENCY, CYCLES = 10_000.0, 5.0, 20
n = np.arange(int(CYCLES * RATE / FREQUENCY))


@dataclass(frozen=True)
class Wanted:
    channel: str = "force"
    metric: str = "nrms"
    tolerance: float = 0.2


def found(gain: float = 1.0, late: float = 0.0, skew: float = 0.0, drift: float = 0.0, seed: int = 1) -> ChannelAgreement:
    """Of a wave with harmonics, noise of 0.2 % and a sensor with U = 0.5 %. late: samples; skew, drift: shares over the whole test."""

    def wave(t: np.ndarray) -> np.ndarray:
        angle = 2.0 * np.pi * FREQUENCY * t / RATE
        return 1e4 * (np.sin(angle) + 0.3 * np.sin(3.0 * angle + 0.4) + 0.2 * np.sin(7.0 * angle))

    measured = (gain + drift * n / len(n)) * wave((n - late) * (1.0 + skew))
    measured = measured + 20.0 * np.random.default_rng(seed).standard_normal(len(n))
    cycle = np.floor(n * FREQUENCY / RATE)
    one = agreement(measured, wave(n), rate=RATE, command=wave(n), cycle=cycle, frequency=FREQUENCY, settings=Settings(1000.0, 2), unit="N")
    return one.with_uncertainty(0.005 * (one.max_measured or 0.0))


def told(one: ChannelAgreement, *criteria: Wanted) -> tuple[str, ...]:
    judged = verdict({"force": one}, criteria or [Wanted()])
    assert judged.result == "pass", judged.reason
    assert judged.to_json()["beside"] == [*judged.beside]
    return judged.beside


@pytest.mark.parametrize("seed", quick(range(5), 1))
def test_where_nothing_is_off_nothing_is_said(seed: int) -> None:
    assert told(found(seed=seed)) == ()
    assert told(found(gain=1.004, seed=seed)) == (), "what the sensor's calibration leaves"


def test_a_delay_of_two_samples_is_named_beside_a_pass() -> None:
    (late,) = told(found(late=2.0))
    said = re.fullmatch(
        r"force: measured comes ([0-9.]+) ms \(2.0 \+- 0.00[23] samples\) after predicted, or has an error of the phase", late
    )
    assert said is not None and float(said[1]) == pytest.approx(0.2, abs=0.002)
    (early,) = told(found(late=-2.0))
    assert "before predicted" in early
    assert told(found(late=2.0), Wanted(), Wanted(metric="delay", tolerance=1e-3)) == (), "which is judged itself"


def test_a_gain_beyond_the_sensor_is_named_beside_a_pass() -> None:
    (text,) = told(found(gain=1.02))
    assert text.startswith("force: measured is 1.02 times predicted, which U = 0.5 % of the sensor does not explain")
    assert told(found(gain=1.02), Wanted(), Wanted(metric="delay", tolerance=1e-3)) == (text,)


def test_a_gain_that_drifts_is_named() -> None:
    assert any("changes by 0.4" in text or "changes by 0.5" in text for text in told(found(drift=0.005)))


def test_clocks_that_run_apart_by_200_ppm_are_named_or_no_delay_is_known() -> None:
    one = found(skew=200e-6)  # 8 samples over the test
    assert one.delay_samples is None or any("one clock" in text for text in told(one))
    assert one.delay_samples is not None or one.delay_contradicted


def test_nothing_is_said_beside_a_failure() -> None:
    judged = verdict({"force": found(gain=1.02, late=2.0)}, [Wanted(tolerance=1e-3)])
    assert judged.result == "fail" and judged.beside == ()
