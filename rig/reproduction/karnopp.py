"""karnopp: steady motion of the driven slider, its sticking, the jumps of acceleration and torque, and the four contact areas by mount."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.slider_bar.config import Config
from rig.prediction.simulation import Simulated
from rig.reproduction.study import Computed, Conditions, Panel, Statement, Study

Floats = NDArray[np.float64]

SETTLING, WATCHED = 10, 2  # turns of the bar
FRICTIONS = {"event": "mechanism.stick_band=0 m/s", "band": "mechanism.stick_band=1 mm/s"}
MOUNTS = ("slider", "ground")
V, STICKING, TORQUE, FRICTION = 1, 2, 3, 4  # columns
NORMALS = slice(6, 10)
LOADED = 1e-6  # N: what counts as contact in an area


def _run(study: Study, friction: str = "event", mount: str = "slider", name: str = "slider_bar") -> Simulated:
    """Twelve turns; ten pass until the motion repeats itself."""
    rate = "simulate.output_rate=1 kHz"
    return study.simulated(name, FRICTIONS[friction], f"mechanism.motor_mount={mount}", _lasting(study, name), rate)


def _lasting(study: Study, name: str) -> str:
    return f"simulate.duration={(SETTLING + WATCHED) * _turn(study, name)!r} s"


def _turn(study: Study, name: str = "slider_bar") -> float:
    return float(2.0 * math.pi / study.experiment(name).mechanism_as(Config).speed)


def _steady(study: Study, run: Simulated) -> slice:
    return slice(round(SETTLING * _turn(study) * run.rate), len(run.values))


def _conditions(friction: str, mount: str = "slider") -> Conditions:
    return {"stick_band": 0.0 if friction == "event" else 1e-3, "motor_mount": mount}


def _times(study: Study, run: Simulated, kind: str) -> list[float]:
    return [event["time_s"] for event in run.events if event["kind"] == kind and event["time_s"] >= (SETTLING - 1) * _turn(study)]


def _period(friction: str) -> Statement:
    """Time after which the slider is where it was: between one beginning of a stick and the next at the same place of the turn, s."""

    def statement(study: Study) -> Computed:
        run = _run(study, friction)
        sticks = _times(study, run, "stick")
        places = [round(time * run.rate) for time in sticks]
        x = run.values[:, 0]
        for later in range(1, len(places)):
            shift = places[later] - places[0]
            rows = np.arange(places[0], len(x) - shift)
            if len(rows) and np.max(np.abs(x[rows + shift] - x[rows])) < 1e-3 * np.ptp(x[rows]):
                return Computed(sticks[later] - sticks[0], _conditions(friction), f"{later} stick phases in it")
        return Computed(None, _conditions(friction), "no stick phase comes again")

    return statement


def _sticking(friction: str) -> Statement:
    """Share of the steady time that the slider sticks."""

    def statement(study: Study) -> Computed:
        run = _run(study, friction)
        return Computed(float(np.mean(run.values[_steady(study, run), STICKING])), _conditions(friction))

    return statement


def _reversal_jumps(study: Study, run: Simulated, column: int) -> Floats:
    """Change of a quantity over the two samples around each reversal of the velocity."""
    places = [int(time * run.rate) for time in _times(study, run, "reversal")]
    return np.array([run.values[n + 2, column] - run.values[n - 1, column] for n in places if 0 < n < len(run.values) - 2])


def _acceleration_jump(friction: str) -> Statement:
    """Largest jump of the acceleration where the velocity changes its sign, m/s^2: that of the friction by the mass that it moves."""

    def statement(study: Study) -> Computed:
        run, mechanism = _run(study, friction), study.experiment("slider_bar").mechanism_as(Config)
        jumps = _reversal_jumps(study, run, FRICTION) / (mechanism.bar_mass + mechanism.slider_mass)
        return Computed(float(np.max(np.abs(jumps))) if len(jumps) else 0.0, _conditions(friction), f"{len(jumps)} reversals")

    return statement


def _torque_jump(friction: str) -> Statement:
    """Largest jump of the torque at a reversal, of the torque's amplitude."""

    def statement(study: Study) -> Computed:
        run = _run(study, friction)
        jumps = _reversal_jumps(study, run, TORQUE)
        amplitude = float(np.max(np.abs(run.values[_steady(study, run), TORQUE])))
        largest = float(np.max(np.abs(jumps))) / amplitude if len(jumps) else 0.0
        return Computed(largest, _conditions(friction), f"amplitude {amplitude:.4g} N m")

    return statement


def _areas_run(study: Study, mount: str, name: str) -> Simulated:
    return _run(study, "band" if name != "slider_bar" else "event", mount, name)


def _normals(study: Study, mount: str, name: str) -> Floats:
    run = _areas_run(study, mount, name)
    normals: Floats = np.abs(run.values[_steady(study, run), NORMALS])
    return normals


def _unloaded(name: str) -> Statement:
    """Share of time that each of the four areas is without contact."""

    def statement(study: Study) -> Computed:
        return Computed([float(share) for share in np.mean(_normals(study, "slider", name) < LOADED, axis=0)], {"motor_mount": "slider"})

    return statement


def _both_faces(study: Study, mount: str, name: str) -> NDArray[np.bool_]:
    loaded = _normals(study, mount, name) > LOADED
    both: NDArray[np.bool_] = (loaded[:, 0] | loaded[:, 1]) & (loaded[:, 2] | loaded[:, 3])
    return both


def _two_sided(mount: str, name: str) -> Statement:
    """Share of time with contact on both faces."""

    def statement(study: Study) -> Computed:
        return Computed(float(np.mean(_both_faces(study, mount, name))), {"motor_mount": mount})

    return statement


def _two_sided_sticking(mount: str, name: str) -> Statement:
    """Share of time with contact on both faces of a slider that sticks."""

    def statement(study: Study) -> Computed:
        run = _areas_run(study, mount, name)
        sticks = run.values[_steady(study, run), STICKING] > 0.5
        return Computed(float(np.mean(_both_faces(study, mount, name) & sticks)), {"motor_mount": mount})

    return statement


MODELS = {"rigid": "slider_bar", "flexible": "slider_bar_flexible"}

STATEMENTS: dict[str, Statement] = {
    **{f"period_{friction}": _period(friction) for friction in FRICTIONS},
    **{f"sticking_{friction}": _sticking(friction) for friction in FRICTIONS},
    "acceleration_jump": _acceleration_jump("event"),
    "torque_jump": _torque_jump("event"),
    "torque_jump_small": _torque_jump("event"),
    **{f"unloaded_{model}": _unloaded(name) for model, name in MODELS.items()},
    **{f"two_sided_{model}_{mount}": _two_sided(mount, name) for model, name in MODELS.items() for mount in MOUNTS},
    **{f"two_sided_sticking_{mount}": _two_sided_sticking(mount, MODELS["flexible"]) for mount in MOUNTS},
}


def picture(study: Study) -> Sequence[Panel]:
    """Panels: the paper's figures 5 to 9 over one steady turn."""
    run = _run(study)
    rows = slice(_steady(study, run).start, _steady(study, run).start + round(_turn(study) * run.rate))
    time = run.time[rows] - run.time[rows.start]
    acceleration = np.gradient(run.values[:, V], 1.0 / run.rate)[rows]
    panels: list[Panel] = [
        {"title": title, "x": "s", "y": unit, "lines": [("", time, values)]}
        for title, unit, values in (
            ("position", "m", run.values[rows, 0]),
            ("velocity", "m/s", run.values[rows, V]),
            ("acceleration", "m/s^2", acceleration),
            ("motor torque", "N m", run.values[rows, TORQUE]),
        )
    ]
    areas = [(f"area {k + 1}", time, run.values[rows, NORMALS.stop + k]) for k in range(4)]
    return [*panels, {"title": "friction in the four areas", "x": "s", "y": "N", "lines": areas}]
