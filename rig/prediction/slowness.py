"""A simulation that will take far longer than usual says so while it computes, with what makes it slow."""

from __future__ import annotations

import sys
import time

from model.stepping.contract import Stepper

SOON = 5.0  # s of computing after which it is clear
LONG = 60.0  # s still to go, that need a word
USUAL = 10.0  # real-time factor


class Slowness:
    """The `watch` of a stepper (model.stepping.interruptible) that is to move for `lasting` s; told once, on standard error."""

    def __init__(self, lasting: float) -> None:
        self._lasting, self._begun, self._told = lasting, time.perf_counter(), False

    def __call__(self, stepper: Stepper) -> None:
        spent = time.perf_counter() - self._begun
        if self._told or spent < SOON:
            return
        if line := said(stepper, spent, self._lasting):
            self._told = True
            print(line, file=sys.stderr, flush=True)


def said(stepper: Stepper, spent: float, lasting: float) -> str:
    """What there is to say after `spent` s of computing, if anything."""
    reached = min(max(stepper.time, 1e-12), lasting)
    left, factor = spent * (lasting / reached - 1.0), spent / reached
    if left < LONG or factor < USUAL:
        return ""
    work = stepper.work
    steps = work["accepted"] + work["rejected"]
    line = f"simulate: slow: {reached:.3g} s of {lasting:g} s in {spent:.0f} s, about {_duration(left)} to go "
    line += f"(real-time factor {factor:.3g}); {steps} steps so far, of {reached / max(steps, 1):.2g} s on average"
    return f"{line}, since {stepper.slow_since}" if stepper.slow_since else line


def _duration(seconds: float) -> str:
    for size, unit in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2.0 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.0f} s"
