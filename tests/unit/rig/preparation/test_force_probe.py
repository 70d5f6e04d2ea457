"""The force about the preload: how it goes there, what it makes of what came back."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from rig.preparation.force_probe import ForceProbe
from tests.unit.rig.preparation.stage_readings import BLOCK, PRELOAD, PROBE, TOUCH, reading, refused, settings

STEP = 1000.0  # N in 10 ms: from plateau to plateau, 5 kN, in 50 ms
HIGH, LOW = PRELOAD + PROBE, PRELOAD - PROBE


def begun(**shares: float) -> ForceProbe:
    stage = ForceProbe(settings(**shares))
    assert stage.begin(reading(0.0, PRELOAD, 1e-3)) == PRELOAD
    return stage


def through(stage: ForceProbe, force: Callable[[float], float], start: float = PRELOAD) -> list[float]:
    """Every setpoint that it asks for, in order, of a bench on which `force` is there at once."""
    setpoints = [start]
    while (asked := stage.next(reading(setpoints[-1], force(setpoints[-1]), 1e-3, before=1.0))) is not None:
        setpoints.append(asked)
        assert len(setpoints) < 300
    return setpoints


def test_it_goes_up_down_and_back_and_stays_long_enough_on_each() -> None:
    """30 ms where it was, 50 ms from plateau to plateau, 80 ms on each."""
    stage = begun()
    up, down, back = [6000.0, 7000.0], [6500.0, 5500.0, 4500.0, 3500.0], [3500.0, 4500.0]
    expected = [PRELOAD] * 4 + up + [HIGH] * 9 + down + [LOW] * 9 + back + [PRELOAD] * 8
    assert through(stage, lambda setpoint: setpoint) == expected
    assert stage.gain == 1.0
    assert stage.figures() == "force follows with a gain of 1.0000"


def test_in_compression_it_is_the_same_mirrored() -> None:
    stage = ForceProbe(settings(preload=-0.02))
    assert stage.begin(reading(0.0, -PRELOAD, 1e-3)) == -PRELOAD
    setpoints = through(stage, lambda setpoint: setpoint, -PRELOAD)
    assert (max(setpoints), min(setpoints)) == (-LOW, -HIGH)
    assert stage.gain == 1.0


@pytest.mark.parametrize(("gain", "passes"), [(1.019, True), (0.981, True), (1.021, False), (0.979, False), (1.15, False), (0.85, False)])
def test_a_span_is_taken_within_the_tolerance_and_no_further(gain: float, passes: bool) -> None:
    """2 %, as docs/loader.md states."""
    stage = begun()

    def force(setpoint: float) -> float:
        return PRELOAD + gain * (setpoint - PRELOAD)

    if passes:
        through(stage, force)
        assert stage.gain == pytest.approx(gain)
    else:
        said = refused("span", lambda: through(stage, force))
        assert said.startswith(f"the force follows with a gain of {gain:.4f}, expected 1 within 2 %")
        assert f"(it looks like {100.0 * gain:.0f} %)" in said


def test_the_tolerance_is_the_one_that_was_asked_for() -> None:
    stage = begun(tolerance=0.2)
    through(stage, lambda setpoint: PRELOAD + 1.19 * (setpoint - PRELOAD))
    refused("span", lambda: through(begun(tolerance=0.2), lambda setpoint: PRELOAD + 1.21 * (setpoint - PRELOAD)))


def test_a_force_that_goes_the_other_way_is_inverted() -> None:
    said = refused("sign", lambda: through(begun(), lambda setpoint: 2.0 * PRELOAD - setpoint))
    assert said == "the force goes the other way (gain -1.000): command or force monitor is inverted"


def test_a_plateau_counts_by_its_last_20_ms() -> None:
    """However it came there."""
    stage, plateau = begun(), 0
    setpoint = PRELOAD
    while True:
        on = setpoint in (HIGH, LOW)
        plateau = plateau + 1 if on else 0
        ripple = 6.0 if plateau % 2 else -2.0  # 2 N in two blocks of 10 ms, whichever they are
        force = setpoint + (300.0 if on and plateau < 5 else 38.0 + ripple if setpoint == HIGH else 0.0)
        if (asked := stage.next(reading(setpoint, force, 1e-3, before=1.0))) is None:
            break
        setpoint = asked
    assert stage.gain == pytest.approx((HIGH + 40.0 - LOW) / (2.0 * PROBE))


@pytest.mark.parametrize(("drift", "rests"), [(4.9, True), (5.1, False), (-4.9, True), (-5.1, False)])
def test_a_force_that_still_moves_is_waited_for_and_not_for_ever(drift: float, rests: bool) -> None:
    """It may move by 10 N, 0.4 % of the probe, from one 20 ms to the next: by 5 N a block."""
    stage, n = begun(tolerance=0.5), 0
    setpoint, blocks = PRELOAD, 0
    with_refusal = ""
    try:
        while True:
            blocks += 1
            n = n + 1 if setpoint == HIGH else 0
            asked = stage.next(reading(setpoint, setpoint - 400.0 + drift * n if n else setpoint, 1e-3, before=1.0))
            if asked is None:
                break
            setpoint = asked
    except Exception as error:
        with_refusal = str(error)
    if rests:
        assert with_refusal == ""
    else:
        assert with_refusal == "no rest: the force does not come to rest at 7.50 kN within 1 s"
        assert blocks == 4 + 2 + 101, "held, risen, a second and a block"


def test_a_plateau_counts_once_it_rests_however_long_that_took() -> None:
    """It rises by 50 N a block until the twelfth; after three more all four blocks of the last 40 ms are alike."""
    stage, setpoint, plateau = begun(), PRELOAD, 0
    asked: float | None = PRELOAD
    while asked is not None:
        setpoint = asked
        plateau += setpoint == HIGH
        asked = stage.next(reading(setpoint, setpoint - 50.0 * max(0, 12 - plateau) * (setpoint == HIGH), 1e-3, before=1.0))
    assert plateau == 15 + 1, "and the one in which it sets out"
    assert stage.gain == 1.0


def test_a_force_that_was_followed_and_falls_is_a_specimen() -> None:
    stage = begun()
    for _ in range(4):
        stage.next(reading(PRELOAD, PRELOAD, 1e-3))
    stage.explain(reading(6000.0, 0.8 * 6000.0))
    said = refused("specimen", lambda: stage.explain(reading(6000.0, 0.79 * 6000.0)))
    assert said == "the force fell to 4.74 kN when 6.00 kN were asked"


@pytest.mark.parametrize(("share", "name"), [(1.2, ""), (1.21, "span"), (0.8, ""), (0.79, "span"), (0.0, "span"), (-0.01, "sign")])
def test_a_force_that_never_followed_is_wired_or_set_wrong(share: float, name: str) -> None:
    stage = begun()
    for _ in range(4):
        stage.next(reading(PRELOAD, 0.79 * PRELOAD, 1e-3))
    far = reading(6000.0, share * 6000.0)
    if name:
        said = refused(name, lambda: stage.explain(far))
        assert f"force {6.0 * share:.2f} kN when 6.00 kN were asked" in said
        assert name != "span" or said.endswith(f"(it looks like {100.0 * share:.0f} %)")
    else:
        stage.explain(far)


def test_what_had_followed_closely_enough_counts_as_followed() -> None:
    """Within a fifth, either way, in the last block before the force is moved."""
    for held, name in ((0.81, "specimen"), (1.19, "specimen"), (0.79, "span"), (1.21, "span")):
        stage = begun()
        for _ in range(3):
            stage.next(reading(PRELOAD, held * PRELOAD, 1e-3))
        refused(name, partial(stage.explain, reading(6000.0, 0.5 * 6000.0)))
        compressed = ForceProbe(settings(preload=-0.02))
        compressed.begin(reading(0.0, -PRELOAD, 1e-3))
        for _ in range(3):
            compressed.next(reading(-PRELOAD, -held * PRELOAD, 1e-3))
        refused(name, partial(compressed.explain, reading(-6000.0, -0.5 * 6000.0)))


def test_a_small_setpoint_explains_nothing() -> None:
    stage = begun()
    stage.explain(reading(TOUCH - 1.0, 0.0))
    refused("span", lambda: stage.explain(reading(TOUCH, 0.0)))
    refused("span", lambda: stage.explain(reading(-TOUCH, 0.0)))


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_stroke_that_goes_too_far_in_force_mode_is_stopped(way: float) -> None:
    """0.2 mm; with the force gone it is the specimen."""
    begun().next(reading(PRELOAD, PRELOAD, 1e-3 + way * 0.199e-3))
    said = refused("stroke bound", lambda: begun().next(reading(PRELOAD, TOUCH, 1e-3 + way * 0.201e-3)))
    assert said == f"the stroke went {way * 0.201:.3f} mm in force mode, allowed 0.2 mm"
    said = refused("specimen", lambda: begun().next(reading(PRELOAD, TOUCH - 1.0, 1e-3 + way * 0.201e-3)))
    assert said == f"the force fell to 1.00 kN and the stroke went {way * 0.2:.2f} mm"


def test_contact_that_is_lost_is_told() -> None:
    """Below half of what tells contact from none."""
    begun().next(reading(PRELOAD, 0.5 * TOUCH, 1e-3))
    stage = begun()
    said = refused("specimen", lambda: stage.next(reading(TOUCH - 1.0, 0.5 * TOUCH - 1.0, 1e-3)))
    assert said == "the force fell to 0.50 kN: contact lost"
    assert "were asked" in refused("span", lambda: begun().next(reading(PRELOAD, 0.5 * TOUCH - 1.0, 1e-3)))
    compressed = ForceProbe(settings(preload=-0.02))
    compressed.begin(reading(0.0, -PRELOAD, 1e-3))
    compressed.next(reading(-PRELOAD, -0.5 * TOUCH, 1e-3))
    refused("span", lambda: compressed.next(reading(-PRELOAD, -0.5 * TOUCH + 1.0, 1e-3)))


def test_ripple_about_a_plateau_is_none_of_its_force() -> None:
    """By the mean, not by what it swings to."""
    stage, setpoint = begun(), PRELOAD
    while True:
        swing = 200.0 * (-1.0) ** np.arange(BLOCK) if setpoint == HIGH else np.zeros(BLOCK)
        one = reading(setpoint, setpoint, 1e-3, before=1.0)
        if (asked := stage.next(dataclasses.replace(one, force=one.force + swing))) is None:
            break
        setpoint = asked
    assert stage.gain == pytest.approx(1.0)


def test_a_force_that_does_not_answer_at_all_is_a_span_of_nothing() -> None:
    assert "(it looks like 0 %)" in refused("span", lambda: through(begun(), lambda setpoint: PRELOAD))


def test_a_force_that_neither_rests_nor_follows_is_told_by_what_it_does_not_follow() -> None:
    n = iter(range(1000))
    said = refused("specimen", lambda: through(begun(), lambda setpoint: setpoint if setpoint < HIGH else 4000.0 + 6.0 * next(n)))
    assert said == "the force fell to 4.60 kN when 7.50 kN were asked"
