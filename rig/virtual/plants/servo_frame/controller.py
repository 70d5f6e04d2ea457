"""The loader's controller as its client sees it: six lines in, three lines out, interlocks that latch.

| line in | meaning |
|---|---|
| hydraulics | high: pressure wanted |
| mode_stroke | high: the loop closes on stroke, low: on force; taken over only while `program_run` is low |
| interlock | high: the client agrees; its fall interlocks, its rise while `program_run` is low resets |
| program_run | rise: the loop follows the analogue command; low: force setpoint to zero by a ramp, stroke setpoint at the feedback |
| heartbeat | edges keep a running program alive; without one for `heartbeat_timeout` the controller interlocks |
| hydraulics_high | high: full pressure, low: low pressure; at any time, also while a program runs |

| line out | meaning |
|---|---|
| interlock_ok | nothing is latched; low after power-up until the first reset |
| hydraulics_on | pressure is up; never while interlocked |
| estop_ok | the emergency stop is released; nobody presses it here |

An interlock shuts the valve and takes the pressure away at once; the force bleeds off through the piston's leakage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rig.virtual.plants.servo_frame.kernel import FOLLOWING, FORCE_LIMIT, HEARTBEAT_LOST, HOLDING, NEVER, SHUT, STROKE_LIMIT

LINES_IN = ("hydraulics", "mode_stroke", "interlock", "program_run", "heartbeat", "hydraulics_high")
LINES_OUT = ("interlock_ok", "hydraulics_on", "estop_ok")
SOURCE = "controller"


@dataclass(frozen=True)
class _Lines:
    """State of the lines in."""

    hydraulics: bool = False
    mode_stroke: bool = False
    interlock: bool = False
    program_run: bool = False
    heartbeat: bool = False
    hydraulics_high: bool = False


class Controller:
    """Works on the kernel's records: lines become its loop state, its trips become events."""

    def __init__(self, state: NDArray[np.void], parameters: NDArray[np.void]) -> None:
        self._state, self._parameters = state, parameters
        self._lines = _Lines()
        self._ok = False
        self._beat: float | None = None
        self._events: list[tuple[float, str, str]] = []
        self._set_pressure()

    def lines_out(self) -> NDArray[np.bool_]:
        """(LINES_OUT,)."""
        return np.array([self._ok, self._shut_not(), True])

    def take_events(self) -> list[tuple[float, str, str]]:
        """Events since the last call: (bench time in s, source, text)."""
        events, self._events = self._events, []
        return events

    def take_lines(self, time: float, states: NDArray[np.bool_]) -> None:
        """The lines as they are from bench time `time` (s) on: (LINES_IN,)."""
        before, self._lines = self._lines, _Lines(*(bool(state) for state in states))
        if before == self._lines:
            return
        if before.heartbeat != self._lines.heartbeat:
            self._beat = time
            self._expect_heartbeat(time)
        if before.interlock and not self._lines.interlock and self._ok:
            self._shut(time, "interlock: the client's line fell; valve shut, pressure off")
        elif self._lines.interlock and not before.interlock:
            self._reset(time)
        self._pressure(time)
        if before.program_run and not self._lines.program_run:
            self._program_off(time)
        self._mode(time)  # a program that starts together with a mode starts in it
        if self._lines.program_run and not before.program_run:
            self._program_on(time)

    def notice(self) -> None:
        """Make an event of what the kernel did by itself."""
        state, p = self._state[0], self._parameters[0]
        trip = int(state["trip"])
        if not trip:
            return
        state["trip"] = 0
        time = float(state["trip_step"] * p["step"])
        if trip == HEARTBEAT_LOST:
            last = "never" if self._beat is None else f"at {self._beat:.6f} s"
            why = f"heartbeat lost: last edge {last}, time-out {float(p['heartbeat_timeout']):g} s"
        else:
            why = passed(trip, state, p)
        self._shut(time, f"interlock: {why}; valve shut, pressure off")

    # -- transitions ---------------------------------------------------------------------------------------------------------------

    def _say(self, time: float, text: str) -> None:
        self._events.append((time, SOURCE, text))

    def _shut_not(self) -> bool:
        return bool(self._state[0]["loop"] != SHUT)

    def _shut(self, time: float, text: str) -> None:
        self._ok = False
        self._state[0]["loop"] = SHUT
        self._say(time, text)

    def _reset(self, time: float) -> None:
        if self._lines.program_run:
            self._say(time, "reset refused: program_run is high")
        elif not self._ok:
            self._ok = True
            self._say(time, "interlock reset by the client")

    def _pressure(self, time: float) -> None:
        before = float(self._state[0]["pressure"])
        self._set_pressure()
        wanted = self._ok and self._lines.hydraulics
        if wanted and not self._shut_not():
            self._hold(self._lines.mode_stroke)
            self._say(time, f"hydraulics on, {self._mode_name()} mode")
        elif not wanted and self._shut_not():
            self._state[0]["loop"] = SHUT
            self._say(time, "hydraulics off")
        if wanted and before != self._state[0]["pressure"]:
            self._say(time, f"{'high' if self._lines.hydraulics_high else 'low'} pressure")

    def _set_pressure(self) -> None:
        state = self._state[0]
        state["pressure"] = 1.0 if self._lines.hydraulics_high else self._parameters[0]["low_pressure"]
        state["speed"] = math.sqrt(state["pressure"])

    def _mode(self, time: float) -> None:
        state = self._state[0]
        if state["loop"] == HOLDING and bool(state["stroke_mode"]) != self._lines.mode_stroke:
            self._hold(self._lines.mode_stroke)
            self._say(time, f"{self._mode_name()} mode")

    def _program_on(self, time: float) -> None:
        if self._state[0]["loop"] != HOLDING:
            self._say(time, "program refused: " + ("hydraulics are off" if self._ok else "interlocked"))
            return
        self._state[0]["loop"] = FOLLOWING
        self._expect_heartbeat(time)
        self._say(time, f"program runs, {self._mode_name()} mode")

    def _program_off(self, time: float) -> None:
        if self._state[0]["loop"] == FOLLOWING:
            self._hold(bool(self._state[0]["stroke_mode"]))
            self._say(time, "program off")

    def _hold(self, stroke_mode: bool) -> None:
        """No step anywhere: the setpoint starts from the feedback of the mode, and force goes to zero by a ramp."""
        state, p = self._state[0], self._parameters[0]
        feedback = state["x3"] if stroke_mode else state["feedback"] + p["force_zero"]
        if state["loop"] == SHUT or bool(state["stroke_mode"]) != stroke_mode:
            state["integral"] = 0.0
            state["setpoint"] = feedback
        state["setpoint_end"] = feedback if stroke_mode else 0.0
        state["setpoint_rate"] = abs(state["setpoint"] - state["setpoint_end"]) / p["release_ramp"]
        state["loop"], state["stroke_mode"] = HOLDING, int(stroke_mode)

    def _expect_heartbeat(self, time: float) -> None:
        state, p = self._state[0], self._parameters[0]
        due = (time + p["heartbeat_timeout"]) / p["step"]
        state["deadline"] = int(due) if np.isfinite(due) else NEVER

    def _mode_name(self) -> str:
        return "stroke" if self._state[0]["stroke_mode"] else "force"


def passed(trip: int, state: NDArray[np.void], p: NDArray[np.void]) -> str:
    """What is beyond a limit of the controller, in words."""
    if trip == FORCE_LIMIT:
        return f"force {float(state['feedback']) / 1e3:.1f} kN beyond the controller's limit {float(p['force_limit']) / 1e3:g} kN"
    assert trip == STROKE_LIMIT
    return f"stroke {float(state['x3']) * 1e3:.3f} mm beyond the controller's limit {float(p['stroke_limit']) * 1e3:g} mm"
