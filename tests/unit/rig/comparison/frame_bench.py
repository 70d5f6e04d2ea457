"""A load frame as small as it can be, to be judged by its channels: one mass behind a spring with play, a loop, a valve, an oil column.

Its own equations and steps: nothing of the program's plants or models is in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rig.comparison.evidence import Evidence

RATE, WAVE, AMPLITUDE, CYCLES = 8_000.0, 3.0, 10e3, 4
OWN = ("stiffness", "mass", "damping", "gain", "column", "leakage")
"""In which frames differ from their drawing."""


@dataclass(frozen=True)
class Frame:
    """SI units."""

    stiffness: float = 1.1e8
    play: float = 0.8e-3
    grows: float = 0.0
    mass: float = 120.0
    damping: float = 2e3
    friction: float = 0.0
    gain: float = 5e-6
    integral: float = 2e-5
    column: float = 5e-9
    leakage: float = 5e-8
    deadband: float = 0.0
    hysteresis: float = 0.0
    ripple: float = 0.0
    swinging: float = 0.0


def run_of(frame: Frame, seed: int, noisy: bool = True, every: int = 4) -> dict[str, np.ndarray]:
    """command, cycle, and what the channels show, (N,) each at RATE; `every`: steps in a sample."""
    h, n = 1.0 / (RATE * every), int((CYCLES + 1) * RATE * every / WAVE)
    t = np.arange(n) * h
    command = AMPLITUDE * np.sin(2.0 * np.pi * WAVE * t) * np.minimum(1.0, t * WAVE)
    x = v = acting = summed = spool = drawn = force = y = w = swung = 0.0
    rows = np.empty((n, 4))
    for k in range(n):
        error = command[k] - force
        summed += h * error
        asked = frame.gain * error + frame.integral * summed
        drawn = min(max(drawn, asked - frame.hysteresis), asked + frame.hysteresis)
        spool += h * 900.0 * (drawn - spool)  # m/s
        flow = np.sign(spool) * max(0.0, abs(spool) - frame.deadband) * (1.0 + frame.ripple * np.sin(2.0 * np.pi * 225.0 * t[k]))
        half = 0.5 * (frame.play + frame.grows * t[k])
        outside = np.sign(x) * max(0.0, abs(x) - half)
        slope = frame.stiffness if outside else 0.0
        # At the end of the step, u its speed: acting = force + mass u' + damping u + friction, u = flow - column acting' - leakage acting.
        spring = frame.stiffness * outside + 3e3 * v * bool(outside)
        per_speed = slope * h + frame.mass / h + frame.damping
        fixed = spring - frame.mass * v / h + frame.swinging * swung
        share = frame.column / h + frame.leakage
        free = (flow + frame.column * acting / h - share * fixed) / (1.0 + share * per_speed)
        rubs = np.clip(free * (1.0 + share * per_speed) / share, -frame.friction, frame.friction)
        u = (flow + frame.column * acting / h - share * (fixed + rubs)) / (1.0 + share * per_speed)
        acting = fixed + rubs + per_speed * u
        a, x, v = (u - v) / h, x + h * u, u
        swung = -((2.0 * np.pi * 120.0) ** 2) * (y - x) - 2.0 * 0.02 * 2.0 * np.pi * 120.0 * (w - v)
        w += h * swung
        y += h * w
        force = acting - frame.mass * a - frame.damping * v - rubs
        if frame.swinging:
            force = spring + slope * h * u
        rows[k] = force, acting, x, a
    rng = np.random.default_rng(seed)
    start, stop = int(RATE * every / WAVE), n
    kept = slice(start, stop, every)
    shown = dict(zip(("force", "actuator", "stroke", "acceleration"), rows[kept].T.copy(), strict=True))
    if noisy:
        for name, size in (("force", 25.0), ("actuator", 25.0), ("stroke", 5e-7), ("acceleration", 0.5)):
            white = rng.standard_normal(len(shown[name]) + 7)
            shown[name] += size * np.convolve(white, np.full(8, 0.125), "valid")
    return {"command": command[kept], "cycle": np.floor(t[kept] * WAVE) - 1.0, **shown}


def seen(measured: dict[str, np.ndarray], predicted: dict[str, np.ndarray]) -> Evidence:
    """What is looked at of the two."""
    channels = ("force", "actuator", "stroke", "acceleration")
    return Evidence(
        rate=RATE, begin=1.0 / WAVE, command=measured["command"], cycle=measured["cycle"], first=1.0,
        measured={name: measured[name] for name in channels}, predicted={name: predicted[name] for name in channels},
    )  # fmt: skip


def individual(seed: int, **faults: float) -> Frame:
    """One that differs from its drawing as frames do, and has these faults besides."""
    rng, drawing = np.random.default_rng([seed, 1]), Frame()
    own = {name: getattr(drawing, name) * (1.0 + 0.02 * rng.uniform(-1.0, 1.0)) for name in OWN}
    return replace(drawing, **{**own, "play": drawing.play + rng.uniform(-2e-6, 2e-6), **faults})
