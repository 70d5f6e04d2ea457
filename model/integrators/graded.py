"""Steps towards the end of a contact are graded, compiled: the last of them is a quarter of what one step would have been.

Where a contact ends, its force goes like delta^n, which for n = 1.5 has no second derivative there. A step D up to it leaves an error of
D^2.5, some hundred times that of other steps at the same tolerance, and so does one that ends shortly before. So such a step is taken in
two. The first keeps away from the end by a third of its own length, which leaves a hundredth of the error; the last has a thirtieth.
The estimate of the error is true of such a step; of others it tells a hundred times too much. So it is done from a fiftieth of the
tolerance on: below, other steps are as bad.
Nothing need be known of the law: where its force is smooth it is one step more, and the order stays.
"""

from __future__ import annotations

import math

from model.compiled.signatures import INDEX, REAL, compiled
from model.integrators import memory as at
from model.integrators.memory import MEMORY, METHOD, Memory, Method

LAST = 0.25  # share of the way to the contact's end that is left for the last step
CLOSE = 0.8  # of that share: an end so near to a step is too near
BARELY = 1.001  # the last step, by the time that the guard needs at its present rate: an end just passed is found at once
LEAST = 1e-4  # a way not worth dividing, share of the longest step
FAIR = math.log(1.0 / 50.0)  # estimate of a step's error up to which it is none of the worst, though it is true; see above. Logarithm
AGAIN = -1.0  # "error" of a step that is to be divided


@compiled(REAL(METHOD, MEMORY, INDEX, REAL), built_in=True)
def divide(method: Method, memory: Memory, k: int, way: float) -> float:
    """AGAIN, with STEP the first part, if the `way` (s) from the begin of the step to the end of contact k is to be divided; else 0."""
    clock, settings = memory.clock, method.settings
    if clock[at.DIVIDED] != 0.0 or settings[at.FIXED] > 0.0 or not memory.marks[at.CLOSED, k] > 0.0:
        return 0.0
    if not settings[at.DIVIDES] > 0.0:
        return 0.0
    if clock[at.LAST_ERROR] < FAIR or way < LEAST * settings[at.LONGEST]:
        return 0.0
    clock[at.STEP], clock[at.DIVIDED] = (1.0 - LAST) * way, 1.0 + k
    return AGAIN


@compiled(REAL(METHOD, MEMORY), built_in=True)
def approach(method: Method, memory: Memory) -> float:
    """AGAIN if a contact ends too shortly after the step just attempted, in which nothing happened; else 0.

    After the first part of a divided way, STEP becomes what is left of it, once. A contact that presses again may be divided again.
    """
    clock, marks = memory.clock, memory.marks
    if clock[at.DIVIDED] != 0.0:
        k = int(abs(clock[at.DIVIDED])) - 1
        if marks[at.RATE_THEN, k] <= 0.0:
            clock[at.DIVIDED] = 0.0
        elif clock[at.DIVIDED] > 0.0:
            clock[at.STEP] = min(clock[at.STEP], -BARELY * marks[at.THEN, k] / marks[at.RATE_THEN, k])
            clock[at.DIVIDED] = -clock[at.DIVIDED]
        return 0.0
    for k in range(marks.shape[1]):
        if marks[at.CLOSED, k] > 0.0 and marks[at.RATE_THEN, k] > 0.0:
            left = -marks[at.THEN, k] / marks[at.RATE_THEN, k]
            whole = clock[at.LENGTH] + left
            if left < CLOSE * LAST * whole and divide(method, memory, k, whole) == AGAIN:
                return AGAIN
    return 0.0
