"""What is injected comes at its sample, however time is cut; before it, and without it, each bit is the plant's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from rig.config.injection import Injection
from rig.virtual.injection.injected_plant import InjectedPlant
from rig.virtual.rig_plant import RigPlant
from tests.thorough import times

Floats = NDArray[np.float64]
RATE = 1000.0
TIMES = np.arange(1, 201) / RATE


class Toy(RigPlant):
    """Two outputs: a ramp of time, and the input; a line that is handed on; edges each 10 ms."""

    analogue_inputs = ("command",)
    analogue_outputs = ("ramp", "echo")
    digital_inputs = ("enable",)
    digital_outputs = ("ok",)
    edge_outputs = ("tick",)
    edge_levels = (False,)

    def __init__(self) -> None:
        self.now = 0.0
        self.high = True
        self._told = 0

    def advance(self, times: Floats, volts: Floats, lines: NDArray[np.bool_]) -> Floats:
        self.now, self.high = (float(times[-1]) if len(times) else self.now), bool(lines[0])
        return np.column_stack([times, volts[:, 0]])

    def take_events(self) -> list[tuple[float, str, str]]:
        return []

    def read_lines(self) -> NDArray[np.bool_]:
        return np.array([self.high])

    def take_edges(self) -> list[Floats]:
        count = int(self.now / 0.010 + 1e-9)
        edges = 0.010 * np.arange(self._told + 1, count + 1)
        self._told = count
        return [edges]


def driven(cuts: list[int], *injections: Injection) -> tuple[Floats, Floats, InjectedPlant]:
    """(outputs, edges) over TIMES, asked for in pieces."""
    plant = InjectedPlant(toy := Toy(), toy, seed=1)
    plant.add(injections)
    edges, out = [np.empty(0)], []
    for part in np.split(np.arange(len(TIMES)), sorted(set(cuts))):
        out.append(plant.advance(TIMES[part], np.full((len(part), 1), 2.0), np.array([True])))
        edges.append(plant.take_edges()[0])
    return np.concatenate(out), np.concatenate(edges), plant


def test_without_an_injection_each_bit_is_the_plants_own() -> None:
    out, edges, plant = driven([50])
    assert np.array_equal(out, np.column_stack([TIMES, np.full(len(TIMES), 2.0)]))
    assert len(edges) == 20 and plant.take_events() == []


@pytest.mark.parametrize(
    ("what", "value", "expected"),
    [
        ("constant", 7.0, lambda t: np.full(len(t), 7.0)),
        ("gain", -3.0, lambda t: -3.0 * t),
        ("offset", 0.5, lambda t: t + 0.5),
        ("drift", 4.0, lambda t: t + 4.0 * (t - 0.1)),
        ("frozen", 0.0, lambda t: np.full(len(t), 0.1)),
    ],
)
def test_a_signal_fails_at_its_sample(what: str, value: float, expected: object) -> None:
    out, _, _ = driven([30, 140], Injection(what, "ramp", value, begin=0.1))
    before = TIMES < 0.1
    assert np.array_equal(out[before, 0], TIMES[before])
    assert np.allclose(out[~before, 0], expected(TIMES[~before]), rtol=0.0, atol=1e-12)  # type: ignore[operator]
    assert np.all(out[:, 1] == 2.0), "the other signal"


def test_nan_is_nan_and_over_when_it_is_over() -> None:
    out, _, plant = driven([], Injection("nan", "ramp", begin=0.05, lasts=0.02))
    gone = np.isnan(out[:, 0])
    assert np.array_equal(TIMES[gone], TIMES[(TIMES >= 0.05) & (TIMES < 0.07)])
    assert [text for _, _, text in plant.take_events()] == ["nan of ramp", "nan of ramp is over"]


def test_what_comes_in_is_spoilt_before_the_plant_sees_it() -> None:
    out, _, _ = driven([], Injection("constant", "command", -1.0, begin=0.1))
    assert np.array_equal(out[:, 1], np.where(TIMES < 0.1, 2.0, -1.0))


@settings(deadline=None, max_examples=times(50))
@given(
    cuts=st.lists(st.integers(1, 199), max_size=6), begin=st.floats(0.0, 0.2), what=st.sampled_from(["constant", "frozen", "drift", "nan"])
)
def test_it_does_not_matter_how_time_is_cut(cuts: list[int], begin: float, what: str) -> None:
    one = Injection(what, "ramp", 3.0, begin=begin, lasts=0.05)
    whole, cut = driven([], one), driven(cuts, one)
    assert np.array_equal(whole[0], cut[0], equal_nan=True)


def test_a_line_stays_where_it_is_put() -> None:
    _, _, plant = driven([], Injection("constant", "enable", 0.0, begin=0.1), Injection("constant", "ok", 1.0, begin=0.15))
    itself = plant.inner
    assert isinstance(itself, Toy) and not itself.high
    assert plant.read_lines().tolist() == [True], "the line out is bridged, whatever the plant says"


@settings(deadline=None, max_examples=times(50))
@given(begin=st.floats(0.001, 0.15), lasts=st.floats(0.001, 0.05), cuts=st.lists(st.integers(1, 199), max_size=4))
def test_edges_that_are_lost_come_in_pairs(begin: float, lasts: float, cuts: list[int]) -> None:
    """Else the level would be the other one from then on."""
    _, edges, _ = driven(cuts, Injection("silent", "tick", begin=begin, lasts=lasts))
    assert (20 - len(edges)) % 2 == 0 or edges[-1] < begin + lasts
    assert not np.any((edges >= begin) & (edges < begin + lasts))


def test_a_clock_that_is_too_fast_shows_the_laboratory_late() -> None:
    out, _, _ = driven([], Injection("clock", value=1e5, begin=0.1))
    assert np.array_equal(out[TIMES <= 0.1, 0], TIMES[TIMES <= 0.1])
    later = TIMES > 0.1
    assert np.allclose(out[later, 0], 0.1 + (TIMES[later] - 0.1) / 1.1, rtol=0.0, atol=1e-12)


def test_a_target_that_there_is_not_is_refused() -> None:
    plant = InjectedPlant(toy := Toy(), toy, seed=1)
    with pytest.raises(ValueError, match="expected one of ramp, echo, command, enable, ok; got 'rampe'"):
        plant.add([Injection("constant", "rampe")])
    with pytest.raises(ValueError, match="expected one of tick"):
        plant.add([Injection("silent", "ramp")])


def test_what_the_machine_has_not_is_told_where_it_was_to_come() -> None:
    _, _, plant = driven([], Injection("parameter", "v_max", begin=0.1))
    (event,) = plant.take_events()
    assert event[0] == pytest.approx(0.1) and "could not be done" in event[2]


def test_what_a_bench_file_plans_counts_from_the_first_sample() -> None:
    plant = InjectedPlant(toy := Toy(), toy, seed=1)
    plant.plan([Injection("constant", "ramp", 7.0, begin=0.03)])
    lines, since = np.array([True]), [None, 0.1]
    plant.sampled_since = lambda: since[0]
    out = plant.advance(TIMES[:100], np.zeros((100, 1)), lines)
    assert np.array_equal(out[:, 0], TIMES[:100]), "nobody samples yet"
    since.pop(0)
    out = plant.advance(TIMES[100:], np.zeros((100, 1)), lines)
    assert np.array_equal(out[:, 0] == 7.0, TIMES[100:] >= 0.13)
