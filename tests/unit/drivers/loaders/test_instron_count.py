"""The event that ends a waveform by its count, and the states of the generator: ends that do not come, or come too soon, are told."""

from __future__ import annotations

import time

import pytest

from drivers.errors import Refused
from drivers.loaders import instron
from drivers.loaders.instron import Config
from drivers.protocols import instron_ascii
from drivers.simulated.loaders.instron import Instron
from drivers.simulated.loaders.instron_habits import Habits
from drivers.simulated.serial.serial_side import SerialSide

# A laboratory's start of a counted waveform (ISISComputingGroup/EPICS-instron, controls_waveform.db): event off, what it does to the
# waveform (3: hold) and to the log (0: nothing), event armed, start.
START = ("C212,0", "C213,3", "C214,0", "C212,2", "C200,1")


def test_a_counted_waveform_is_started_as_a_laboratory_does(loader: instron.Instron) -> None:
    loader.prepare()
    heard: list[str] = []
    send = loader.line.send
    loader.line.send = lambda data: (heard.append(data.decode().split("\r\n")[2]), send(data))  # type: ignore[assignment, func-returns-value]
    loader.start_waveform("sine", 3.0, 4e3, 3)
    at = [heard.index(command) for command in START]
    assert at == sorted(at) and heard.index("C209,12") < heard.index("C212,2") < heard.index("C200,1")


# controls_waveform.db, "Status of the wave generator".
NAMES = ("Stopped", "Running", "Holding", "Finishing", "Aborted", "Disabled", "Slaved", "Slave Locked", "Sweeping", "Dwelling")


def test_states_have_the_names_that_others_give_them() -> None:
    assert tuple(name.lower() for name in NAMES) == instron_ascii.STATES


@pytest.mark.parametrize("state", range(10))
def test_a_generator_in_any_state_is_either_at_rest_or_named(device: Instron, loader: instron.Instron, state: int) -> None:
    """Stopped, aborted and disabled ask nothing of the loop; all others may move it, whatever they are."""
    device.habits = Habits(generator=state or instron_ascii.STOPPED)
    device.wave_state = state
    device._end_wave = lambda how, state: None  # type: ignore[method-assign]  # nothing that it is told ends it
    if state in (0, 4, 5):
        loader.prepare()
        loader.disable()
    else:
        with pytest.raises(Refused, match=f"while its waveform generator is {NAMES[state].lower()}; stop it at the panel"):
            loader.prepare()
        with pytest.raises(Refused, match="it goes on; press the emergency stop"):
            loader.disable()


def test_a_generator_that_somebody_takes_in_mid_run_is_told(side: SerialSide, device: Instron, loader: instron.Instron) -> None:
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 1000)
    side.advance(0.3)
    for state, words in (
        (5, r"after 2\.25 of 1000 cycles: its generator was disabled"),
        (8, "its generator is sweeping; look at the panel"),
    ):
        device.wave_state = state
        with pytest.raises(Refused, match=words):
            loader.extend()


def ran_out(side: SerialSide, habits: Habits) -> instron.Instron:
    """A loader whose two cycles are over by now."""
    loader = Config(side.url, chunk=1.0, pause=0.0, reply_timeout=0.3, settle=0.05).create("force")
    loader.connect()
    side.device.habits = habits  # type: ignore[attr-defined]
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 2)
    side.advance(side.clock.now() + 0.5)
    return loader


def test_a_waveform_that_its_count_does_not_end_is_told(side: SerialSide) -> None:
    loader = ran_out(side, Habits(ends=False))
    with pytest.raises(Refused, match=r"goes on after 4(\.\d+)? cycles, though its controller was to end it after 2 \(C209,8; C213,3\)"):
        loader.extend()
    loader.close()


def test_one_that_stands_at_its_count_without_an_end_is_not_waited_for_for_ever(side: SerialSide, device: Instron) -> None:
    """Counted to the last quarter, and still running, so it says: that is no end."""
    loader = ran_out(side, Habits())
    device._held, device.wave_state = False, instron_ascii.RUNNING
    assert loader.extend() == 1
    time.sleep(0.06)
    with pytest.raises(Refused, match=r"goes on after 2 cycles, .* for 0\.05 s"):
        loader.extend()
    loader.close()


def test_a_held_end_is_ended_for_good(side: SerialSide, device: Instron) -> None:
    loader = ran_out(side, Habits())
    assert device.wave_state == instron_ascii.HOLDING and loader.extend() == 0
    assert loader.waveform_state() == instron_ascii.ABORTED  # asked behind the order, which has no answer
    assert device.wave_state == instron_ascii.ABORTED and device.setpoint == pytest.approx(0.0, abs=1e-9)
    loader.close()


def test_a_spoilt_count_is_no_runaway(side: SerialSide, loader: instron.Instron) -> None:
    loader.prepare()
    loader.start_waveform("sine", 8.0, 10e3, 1000)
    asked = loader._readings.text
    answers = iter(["900"])
    loader._readings.text = lambda command: next(answers, asked("Q210")) if command == "Q210" else asked(command)  # type: ignore[method-assign]
    assert loader.extend() > 900
