"""What the compiled loop works on between two calls, laid out once; plain arrays with named places."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from model.integrators.tableau import Tableau
from model.signatures import TABLE, VECTOR

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

# Places in `clock`. TIME is where the state is, the last step went from BEGAN over LENGTH; TIME is its end, or an event in it.
# LAST_ERROR is a logarithm. AFTER: 1 + the contact whose end the next step follows, minus that if its begin, or 0.
# ROUGH: the fifth-order estimate of the last attempt's error, in units of what is allowed; negative: not made yet.
TIME, STEP, BEGAN, LENGTH, DENSE, LAST_ERROR, ROWS, EVENTS, ACCEPTED, REJECTED, EVALUATIONS, STIFF, WATCHED, AFTER, ROUGH, CLOCK_SIZE = (
    range(16)
)
# Places in `settings`.
TOLERANCE, LONGEST, FIXED, MAIN = range(4)
# Rows of `states`.
Y, F, Y_NEW, F_NEW, Y_LAST, SCRATCH, FIFTH, THIRD, SCALE, LIMIT, STATE_ROWS = range(11)
# Rows of `marks` (guards). AFTER_END, AFTER_BEGIN: step that did after the last end and begin of this contact.
NOW, THEN, RATE_NOW, RATE_THEN, FOUND, UNUSED, AFTER_END, AFTER_BEGIN, MARK_ROWS = range(9)
# Rows of `trace` (channels): value and rate at both ends of the step, time and value of the extremum within, running extremes, scratch.
VALUE, RATE, VALUE_NEW, RATE_NEW, EXTREMUM_TIME, EXTREMUM, LOW, HIGH, ROW, AHEAD, TRACE_ROWS = range(11)

OK, TOO_SHORT, DIVERGED, CHATTER, EVENTS_FULL, UNSTABLE = range(6)
REASONS = {
    TOO_SHORT: "the step fell below what time can resolve",
    DIVERGED: "the motion grew beyond all bounds",
    CHATTER: "contact switches on and off without time passing",
    UNSTABLE: "the fixed step is above the stability limit of the contact that is closed; choose a smaller one, or dop853",
}


class Method(NamedTuple):
    """A tableau and its settings, as the loop wants them.

    Row i of a is weights[starts[i] : starts[i + 1]], for the stages in `columns`; the zeros, a third of all, are left out.
    """

    weights: Floats
    columns: Places
    starts: Places
    c: Floats
    errors: Floats
    extension: Floats
    free: Floats
    settings: Floats


class Memory(NamedTuple):
    """State of a run."""

    clock: Floats
    states: Floats
    stages: Floats
    dense: Floats
    marks: Floats
    trace: Floats
    during: Floats  # the discrete state as it was in the last step


PLACES = types.int64[::1]
METHOD = types.NamedTuple((VECTOR, PLACES, PLACES, VECTOR, TABLE, TABLE, TABLE, VECTOR), Method)  # type: ignore[no-untyped-call]
MEMORY = types.NamedTuple((VECTOR, TABLE, TABLE, TABLE, TABLE, TABLE, VECTOR), Memory)  # type: ignore[no-untyped-call]


def method(tableau: Tableau, tolerance: float, longest: float) -> Method:
    """`longest`: largest step in s, and the step itself of a method without error estimates."""
    settings = np.array([tolerance, longest, float(tableau.errors.size == 0), float(tableau.main)])
    rows, columns = np.nonzero(tableau.a)
    starts = np.searchsorted(rows, np.arange(len(tableau.c) + 1)).astype(np.int64)
    weights = tableau.a[rows, columns]
    return Method(weights, columns.astype(np.int64), starts, tableau.c, tableau.errors, tableau.extension, tableau.free, settings)


def memory(tableau: Tableau, scale: Floats, discrete: int, guards: int, channels: int) -> Memory:
    """Room for len(scale) states, `discrete` discrete ones, and so on; a state beyond 1e6 times its scale has diverged."""
    size = len(scale)
    states = np.zeros((STATE_ROWS, size))
    states[SCALE], states[LIMIT] = scale, 1e6 * scale
    return Memory(
        clock=np.zeros(CLOCK_SIZE),
        states=states,
        stages=np.zeros((len(tableau.c), size)),
        dense=np.zeros((8, size)),
        marks=np.zeros((MARK_ROWS, guards)),
        trace=np.zeros((TRACE_ROWS, channels)),
        during=np.zeros(discrete),
    )
