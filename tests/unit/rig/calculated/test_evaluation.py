"""Values against formulas, the same bits for any division into blocks, and what is not a number."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.calculated.evaluation import Evaluation, constant, recomputed
from rig.calculated.expression import ARITY, parse
from rig.calculated.rows import Floats, Rows
from tests.thorough import times

RATE = 1000.0
FREQUENCY = 5.0
LEAD_IN = 150


def rows(samples: int, hold: tuple[int, int] | None = None) -> Rows:
    """x leads the command by 0.3 rad about 2 with amplitude 3, y is its mirror with noise; counted from LEAD_IN on."""
    n = np.arange(samples, dtype=np.float64)
    turned = np.maximum(n - LEAD_IN, 0.0)
    if hold is not None:
        turned = np.where(n < hold[0], turned, np.maximum(turned - (hold[1] - hold[0]), hold[0] - LEAD_IN))
    phase = 2.0 * np.pi * FREQUENCY * turned / RATE
    cycle = np.where(n < LEAD_IN, -1.0, np.floor(turned * FREQUENCY / RATE))
    x = 2.0 + 3.0 * np.sin(phase + 0.3)
    noise = np.random.default_rng(1).standard_normal(samples)
    return Rows({"x": x, "y": -x + 0.1 * noise, "command": np.sin(phase)}, phase % (2.0 * np.pi), cycle)


def one(text: str, of: Rows) -> Floats:
    return recomputed([("it", parse(text))], RATE, of)[:, 0]


def part(of: Rows, first: int, last: int) -> Rows:
    return Rows({name: values[first:last] for name, values in of.values.items()}, of.phase[first:last], of.cycle[first:last])


ALL = (
    "x*y - 2/x + abs(y)**1.5", "sqrt(x) + sin(x) * cos(y) - tan(x) + atan2(x, y) + hypot(x, y)", "exp(x) + log(abs(y)) + asin(x/9)",
    "acos(x/9) + atan(y)", "min(x, y, 1) + max(x, y)", "rate(x)", "mean(x)", "mean(x, 0.1)", "rms(y)", "rms(y, 0.003)", "rms(y, 0.25)",
    "peak(y)", "valley(y)", "amplitude(y)", "fundamental(y)", "phase(y)", "stiffness(x, y)", "damage(y, 5, 6)",
    "play(x, y)", "loaded_stiffness(x, y)", "peak(rms(x, 0.05))",
    "mean(peak(x), 0.1)", "rate(peak(x) - first)",
)  # fmt: skip


def test_every_function_is_tried() -> None:
    assert all(any(f"{name}(" in text for text in ALL) for name in ARITY)


@settings(max_examples=times(10, thorough=25), deadline=None)
@given(st.lists(st.integers(1, 700), min_size=1, max_size=30), st.booleans())
def test_the_division_into_blocks_changes_no_bit(sizes: list[int], held: bool) -> None:
    of = rows(6000, (777, 1200) if held else None)
    definitions = [("first", parse("x + 1")), *((f"c{n}", parse(text)) for n, text in enumerate(ALL))]
    whole = recomputed(definitions, RATE, of)
    borders = [*np.minimum(np.cumsum(sizes), 6000), 6000]
    live = Evaluation(definitions, RATE)
    parts = [live.take(part(of, first, last)) for first, last in zip([0, *borders[:-1]], borders, strict=True)]
    assert np.array_equal(np.concatenate(parts).view(np.int64), whole.view(np.int64))


def test_values_of_a_cycle_are_those_of_the_wave() -> None:
    of = rows(3000)
    last = {text: one(text, of)[-1] for text in ("peak(x)", "valley(x)", "amplitude(x)", "mean(x)", "rms(x)", "fundamental(x)", "phase(x)")}
    assert last["peak(x)"] == pytest.approx(5.0, abs=2e-3) and last["valley(x)"] == pytest.approx(-1.0, abs=2e-3)
    assert last["amplitude(x)"] == pytest.approx(3.0, abs=2e-3)
    assert last["mean(x)"] == pytest.approx(2.0) and last["rms(x)"] == pytest.approx(math.sqrt(4.0 + 4.5))
    assert last["fundamental(x)"] == pytest.approx(3.0) and last["phase(x)"] == pytest.approx(0.3)
    assert one("stiffness(3*x, x)", of)[-1] == pytest.approx(3.0)


def test_play_is_what_a_dead_zone_has_whatever_the_spring_and_the_unit_of_force() -> None:
    """Behind a dead zone of 0.8 a spring, softer to one side. The secant of the loop has the play in it (the control)."""
    of = rows(3000)
    force = np.sin(of.phase)
    for scale in (1e-3, 1.0, 3.7e4):
        of.values["f"] = scale * force
        of.values["d"] = 0.4 * np.sign(force) + force / np.where(force > 0.0, 2.0, 3.0)
        assert one("play(d, f)", of)[-1] == pytest.approx(0.8, rel=1e-9)
        assert one("loaded_stiffness(f, d)", of)[-1] == pytest.approx(scale * 2.4, rel=1e-9)  # by the mean of 1/2 and 1/3
        assert one("stiffness(f, d)", of)[-1] < 0.75 * scale * 2.4
    of.values["f"] = 1.0 + 0.5 * force
    assert math.isnan(one("play(d, f)", of)[-1])  # never pushed


def test_a_hold_belongs_to_no_cycle() -> None:
    plain, held = rows(3000), rows(3400, (900, 1300))
    for text in ("mean(x)", "phase(x)", "peak(x)", "rms(x)"):
        assert one(text, held)[-1] == one(text, plain)[-1]
    assert one("mean(x, 0.05)", held)[1200] != one("mean(x, 0.05)", plain)[1200]  # the control: a window counts time


def test_a_cycle_begins_to_count_with_the_next_one() -> None:
    of = rows(1000)
    made = Evaluation([("it", parse("peak(x)"))], RATE)
    values = made.take(of)[:, 0]
    first_whole = LEAD_IN + 200
    assert made.begun == (first_whole,)
    assert np.isnan(values[:first_whole]).all() and np.isfinite(values[first_whole:]).all()


def test_windows_and_rates() -> None:
    n = np.arange(4000.0)
    of = Rows({"x": n, "s": np.sin(2.0 * np.pi * 50.0 * n / RATE)}, n * 0.0, n * 0.0 - 1.0)
    assert one("rate(x)", of)[10:] == pytest.approx(RATE)
    made = Evaluation([("it", parse("mean(x, 0.16)"))], RATE)
    values = made.take(of)[:, 0]
    assert made.begun == (159,) and values[159] == np.mean(n[:160]) and values[169] == np.mean(n[10:170])
    assert one("rms(s, 0.16)", of)[-1] == pytest.approx(math.sqrt(0.5))


def test_what_is_not_finite_is_not_a_number() -> None:
    zero = np.array([0.0, 1.0, -1.0])
    of = Rows({"x": zero}, zero, zero)
    for text in ("1/x", "-1/x", "log(x)", "x**-1", "exp(1000 + 0*x)", "sqrt(x - 5)"):
        assert math.isnan(one(text, of)[0]), text
    assert one("1/x", of)[1] == 1.0  # the control, and state is not spoilt
    nan = rows(2000)
    nan.values["x"][400] = math.nan
    peaks = one("peak(x)", nan)
    assert math.isnan(peaks[600]) and math.isfinite(peaks[800])
    assert math.isfinite(one("rms(x, 0.1)", nan)[-1]) and math.isnan(one("rms(x, 0.1)", nan)[420])


def test_damage_of_a_steady_wave_is_its_number_of_cycles() -> None:
    n = np.arange(200_000.0)
    of = Rows({"x": 1.0 + 2.0 * np.sin(2.0 * np.pi * n / 100.0)}, n, n * 0.0)
    assert one("damage(x, 5, 4)", of)[-1] == pytest.approx(2000, rel=0.04)  # range 4 to a class of 1/16: 1.5 % times 5
    assert one("damage(x, 5, 8)", of)[-1] == pytest.approx(2000 / 2**5, rel=0.1)


def test_damage_of_the_example_of_astm() -> None:
    """ASTM E1049-85, figure 6: closed within the history E-F, range 4; the rest are half cycles, which stay open here."""
    history = np.repeat([-2.0, 1.0, -3.0, 5.0, -1.0, 3.0, -4.0, 4.0, -2.0], 500)
    of = Rows({"x": history}, history, history * 0.0)
    assert one("damage(x, 1, 4)", of)[-1] == pytest.approx(4.0 / 4.0)


def test_a_constant() -> None:
    assert constant(parse("2 * 0.5 + 1")) == 2.0 and math.isnan(constant(parse("1 / 0")))
