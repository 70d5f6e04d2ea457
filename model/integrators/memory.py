"""What the compiled loop works on between two calls, laid out once; plain arrays with named places."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from model.compiled.parameters import packed
from model.compiled.signatures import TABLE, VECTOR
from model.floats import Floats
from model.integrators.tableau import Tableau

Places = NDArray[np.uint32]  # unsigned: compiled code then need not look for places counted from the end

# Places in `clock`. TIME is where the state is, the last step went from BEGAN over LENGTH; TIME is its end, or an event in it.
# LAST_ERROR is a logarithm. AFTER: 1 + the contact whose end the next step follows, minus that if its begin, or 0.
# ROUGH: the fifth-order estimate of the last attempt's error, in units of what is allowed; negative: not made yet.
# DIVIDED: 1 + the contact to whose end the way is divided (model.integrators.graded), minus that once its last step is being taken, or 0.
(
    TIME, STEP, BEGAN, LENGTH, DENSE, LAST_ERROR, ROWS, EVENTS, ACCEPTED, REJECTED, EVALUATIONS, STIFF, WATCHED, AFTER, ROUGH, DIVIDED,
    CLOCK_SIZE,
) = range(17)  # fmt: skip
# Places in `settings`. ERRORS, FREE, EXTENSION: first row of the error estimates' and the extensions' weights. DOUBT: see `DOUBTFUL`.
# DIVIDES: more than 0 where ways to the ends of contacts are divided (model.integrators.graded).
TOLERANCE, LONGEST, FIXED, MAIN, ERRORS, FREE, EXTENSION, DOUBT, DIVIDES, SETTINGS = range(10)
# How far apart the last two stages, both at the end of the step, may be: this by the fourth root of the tolerance, in units of what the
# error may be (they part as h^6). It keeps steps to where the estimate holds: when a contact all but opens in a long step, the estimate
# may be small and the error five times what is allowed. A few steps in a hundred are shortened by it; those with the largest errors are.
DOUBTFUL = 0.6
# Rows of `states`.
Y, F, Y_NEW, F_NEW, Y_LAST, SCRATCH, FIFTH, THIRD, SCALE, LIMIT, ZERO, STATE_ROWS = range(12)
# Rows of `marks` (guards). AFTER_END, AFTER_BEGIN: step that did after the last end and begin of this contact. CLOSED: more than 0 since
# its begin was noted, until its end is.
NOW, THEN, RATE_NOW, RATE_THEN, FOUND, UNUSED, AFTER_END, AFTER_BEGIN, CLOSED, MARK_ROWS = range(10)
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

    Row i is weights[starts[i] : starts[i + 1]], for the stages in `columns`; the zeros, a third of all, are left out.
    First come the rows of a, then those of the error estimates, of the free extension and of the other one.
    """

    weights: Floats
    columns: Places
    starts: Places
    c: Floats
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


PLACES = types.uint32[::1]
METHOD = types.NamedTuple((VECTOR, PLACES, PLACES, VECTOR, VECTOR), Method)  # type: ignore[no-untyped-call]
MEMORY = types.NamedTuple((VECTOR, TABLE, TABLE, TABLE, TABLE, TABLE, VECTOR), Memory)  # type: ignore[no-untyped-call]


def method(tableau: Tableau, tolerance: float, longest: float, divides: bool = True) -> Method:
    """`longest`: largest step in s, and the step itself of a method without error estimates. divides: see `DIVIDES`."""
    tables = tableau.a, tableau.errors, tableau.free, tableau.extension
    every = np.vstack([np.pad(table, ((0, 0), (0, len(tableau.c) - table.shape[1]))) for table in tables])
    errors, free, extension = np.cumsum([len(table) for table in tables[:-1]])
    places = {
        TOLERANCE: tolerance, LONGEST: longest, FIXED: tableau.errors.size == 0, MAIN: tableau.main,
        ERRORS: errors, FREE: free, EXTENSION: extension, DOUBT: tolerance**0.25 / DOUBTFUL, DIVIDES: divides,
    }  # fmt: skip
    settings = packed(SETTINGS, places)
    rows, columns = np.nonzero(every)
    starts = np.searchsorted(rows, np.arange(len(every) + 1)).astype(np.uint32)
    return Method(every[rows, columns], columns.astype(np.uint32), starts, tableau.c, settings)


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
