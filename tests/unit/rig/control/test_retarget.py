"""Another amplitude, mean or frequency is asked for under amplitude control: what was learned stays, and the command has no jump."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from rig.control.amplitude import CHANGED, Bounds, Config, Control, Note
from rig.control.corrector import Corrector, Schedule
from rig.control.wave import Wave
from rig.trajectory import create, sine
from rig.workers.bench.setpoints.setpoint import Setpoint, Timing
from rig.workers.bench.setpoints.start import Start

RATE, FREQUENCY, A, MEAN, STOP = 4000.0, 5.0, 30e3, 5e3, 0.4
PERIOD, BLOCK, AHEAD, LEAD_IN, COME_IN = round(RATE / FREQUENCY), 40, 400, 200, 0.5
SINE = sine.Config(amplitude=A, frequency=FREQUENCY, cycles=30, mean=MEAN, soft_start=STOP, soft_stop=STOP)
SMALLER = replace(SINE, amplitude=20e3, mean=-2e3)
RESPONSE = 0.92 * cmath.exp(-0.2j)
WHEN = LEAD_IN + round(STOP * RATE) + 14 * PERIOD + 600  # cycle 14 has been given out, and is not back yet
Change = Callable[[Setpoint], None]


def corrected(change: Change, response: complex = RESPONSE, bounds: Bounds | None = None) -> tuple[np.ndarray, Control, list[Note]]:
    """(command (N, 7), its control, what was told) of a loop that has `response` at every frequency; changed at the sample WHEN."""
    trajectory, config = create(SINE), Config()
    wave = Wave.from_trajectory(trajectory)
    learning = Control(config, wave, RATE, bounds or Bounds(-50e3, 50e3, 2e6), STOP)
    schedule = Schedule(round(config.blend * PERIOD), (trajectory.duration - STOP) * RATE, STOP * RATE)
    setpoint = Setpoint(trajectory, RATE, 0.0, Timing(LEAD_IN, 100), Corrector(learning, wave, schedule))
    out, n, told = setpoint.next(AHEAD), 0, list[Note]()
    while n < setpoint.end:
        if n <= WHEN < n + BLOCK:
            change(setpoint)
        command = out[n : n + BLOCK]
        mean = np.full(len(command), MEAN) + command[:, 6]
        wide = command[:, 0] - mean
        quadrature = np.gradient(out[:, 0])[n : n + BLOCK] * RATE / (2.0 * np.pi * FREQUENCY * setpoint.pace)
        measured = mean + response.real * wide + response.imag * quadrature
        told += setpoint.learn(n, command, measured)
        out = np.concatenate([out, setpoint.next(BLOCK)])
        n += BLOCK
    return out[: setpoint.end], learning, told


def to(settings: sine.Config) -> Change:
    return lambda setpoint: setpoint.exchange(create(settings), COME_IN)


def cycle(command: np.ndarray, number: int) -> tuple[float, float]:
    """(amplitude, mean) of a counted cycle as it went out."""
    value = command[command[:, 2] == number, 0]
    return 0.5 * float(value.max() - value.min()), 0.5 * float(value.max() + value.min())


def test_what_has_been_learned_is_kept_and_the_command_has_no_jump() -> None:
    command, learning, _ = corrected(to(SMALLER), response=0.92 + 0j)
    before, after = command[command[:, 2] == 14.0], command[command[:, 2] == 18.0]
    assert before[-1, 4] == pytest.approx(1.0 / 0.92 - 1.0, abs=3e-3)
    assert np.all(after[:, 4] == before[-1, 4]), "as many times what is asked for"
    assert cycle(command, 18)[0] == pytest.approx(20e3 / 0.92, rel=3e-3)
    # The faster of both waves, and what the difference adds: 1.5 times it over the time that it takes.
    rate = 2.0 * math.pi * FREQUENCY * A * 1.1 + 1.5 * (10e3 * 1.1 + 7e3) / COME_IN
    counted = command[command[:, 2] >= 1.0, 0]
    assert np.max(np.abs(np.diff(counted))) * RATE <= rate
    assert np.array_equal(np.unique(command[:, 2]), np.arange(-1, 30)) and abs(command[-1, 0]) < 1.0
    assert learning.figures()["amplitude_asked"] == pytest.approx(20e3) and learning.figures()["mean_asked"] == pytest.approx(-2e3)


def test_from_a_cycle_in_which_it_comes_in_nothing_is_learned_and_nothing_wrong_is_told() -> None:
    _, learning, told = corrected(to(replace(SINE, amplitude=20e3)))
    rows = {row["cycle"]: row for row in learning.history}
    changed = [number for number, row in rows.items() if row["why_not"] == CHANGED]
    assert changed == [14, 15, 16, 17], "one that was on its way, and 0.5 s from 0.05 s behind its end on"
    assert abs(rows[14]["amplitude_error"]) < 5e-3, "reckoned by what was asked of it"
    assert not any("amplitude_error" in rows[number] for number in (15, 16, 17))
    assert abs(rows[max(changed) + 1]["amplitude_error"]) < 5e-3 and abs(rows[29]["amplitude_error"]) < 1e-3
    assert not any("unreachable" in note.text or "nothing learned" in note.text for note in told)
    assert sum("are what was asked" in note.text for note in told) == 2, "once for each aim"


@pytest.mark.parametrize("pace", [0.5, 1.3])
def test_at_another_frequency_it_goes_on_learning(pace: float) -> None:
    command, learning, _ = corrected(lambda setpoint: setpoint.change_pace(pace, COME_IN))
    rows = [row for row in learning.history if row["cycle"] >= 22]
    assert any(row["learned"] for row in rows) and not any("expected" in row["why_not"] for row in rows)
    assert abs(rows[-1]["amplitude_error"]) < 5e-3
    assert np.count_nonzero(command[:, 2] == 25.0) == pytest.approx(PERIOD / pace, abs=1.0)


def test_what_would_pass_a_bound_with_its_correction_is_refused_and_nothing_changes() -> None:
    """37 kN fit into 40 kN by themselves, not as the 37 / 0.92 kN that the loop needs to reach them."""
    refused: list[str] = []

    def change(setpoint: Setpoint) -> None:
        with pytest.raises(ValueError, match="with its correction it reaches") as error:
            setpoint.exchange(create(replace(SINE, amplitude=35e3)), COME_IN)
        refused.append(str(error.value))
        with pytest.raises(ValueError, match="with its correction it moves at up to"):
            setpoint.change_pace(3.0, COME_IN)

    bounds = Bounds(-42e3, 42e3, 2e6)
    command, _, _ = corrected(change, 0.92 + 0j, bounds)
    plain, _, _ = corrected(lambda setpoint: None, 0.92 + 0j, bounds)
    assert "the command may go -42000..42000 N" in refused[0] and np.array_equal(command, plain)


def test_a_session_that_goes_on_at_another_pace_expects_its_cycles_at_that() -> None:
    learning = Control(Config(), Wave.from_trajectory(create(SINE)), RATE, Bounds(), STOP)
    corrector = Corrector(learning, Wave.from_trajectory(create(SINE)), Schedule(100, 1e5, 1600.0))
    setpoint = Setpoint(create(SINE), RATE, 0.0, Timing(LEAD_IN, 100), corrector)
    setpoint.take_up(Start(create(SINE), SINE, True, pace=2.0, correction=(10.0, 1e3, 0.0)), 0.2)
    assert learning._wave.frequency == 2.0 * FREQUENCY and setpoint.correction_offset == [10.0, 1e3, 0.0]
