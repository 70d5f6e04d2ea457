"""One-way coupling, the paper's co-simulation: the rigid 3-RRPaR with clearance moves by itself and leads the flexible one's pins.

What it hands over (chen2026 section 2.1, steps 3 and 4; eq 32), at every step of the flexible mechanism:

| symbol | unit | meaning |
|---|---|---|
| e | m | centre of the pin from that of the bush, at R1 and R3, along X and s |
| m | N m | moment of the contact's friction on the short bar, from X towards Z |

Nothing goes back. Where e is given, the contact's force on pin and bush is what the joint holds: as a load of its own it would act on
nothing that is left to move, but for the moment m.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from model.compiled.parameters import packed
from model.compiled.signatures import CHANNELS, INDEX, REAL, VECTOR, ContactLaw, Floats, compiled
from model.integrators import dop853
from model.mechanisms.parallel_3rrpar import kernel as rigid
from model.mechanisms.parallel_3rrpar import state as timed
from model.mechanisms.parallel_3rrpar import stepper as rigid_motion
from model.mechanisms.parallel_3rrpar.start import start
from model.mechanisms.parallel_3rrpar_flexible.config import Config
from model.paths.course import Course
from model.stepping.explicit import Kernels, Motion, Stepper

REMARK = "mechanism.coupling = one_way: pins and bushes knock in the rigid mechanism that leads; contacts are not counted here"
# Of the table: steps a second, number of its points; then of each point e of R1 and of R3, m of both.
RATE, POINTS, TABLE = 0, 1, 2
MOMENTS, EACH = 2 * rigid.PINS, 3 * rigid.PINS


@compiled(CHANNELS.signature)
def channels(t: float, y: Floats, values: Floats, p: Floats, s: Floats, u: Floats, law: ContactLaw) -> int:
    """A point of the table, from the rigid mechanism's state."""
    of_platform = rigid.platform(y, p, rigid.tip(1, t, p))
    for pin in range(rigid.PINS):
        leg = rigid.swung(pin, y, p, of_platform, rigid.tip(rigid.ALONG_Y[pin], t, p))
        values[2 * pin], values[2 * pin + 1] = leg[0], -leg[1]
        values[MOMENTS + pin] = rigid.pressed(pin, leg, p, s, law)[2]
    return 0


@compiled(REAL(REAL, INDEX, VECTOR))
def led(t: float, what: int, table: Floats) -> float:
    """One of a point's numbers at t, s; on a straight line between two steps."""
    at = min(max(t * table[RATE], 0.0), table[POINTS] - 1.0)
    n = int(min(math.floor(at), table[POINTS] - 2.0))
    place = TABLE + EACH * n + what
    return float(table[place] + (at - n) * (table[place + EACH] - table[place]))


def table(config: Config, tolerance: float, step: float, path: Course, lasting: float) -> NDArray[np.float64]:
    """The rigid mechanism's motion for `lasting` s by steps of its own (dop853); a point for every `step`, s."""
    integrator = dop853.Config(tolerance=tolerance)
    points = math.ceil(lasting / step) + 2
    p = rigid_motion.parameters(config, path, points * step + integrator.longest_step + rigid_motion.MARGIN)
    kernels = Kernels(timed.rhs, timed.guards, timed.switch, channels, config.contact.force)
    motion = Motion(kernels, p, rigid_motion.SCALE, rigid.PINS, EACH, EACH, 0.0, divides=False)
    stepper = Stepper(
        motion, dop853.tableau(), integrator.tolerance, integrator.longest_step, 1.0 / step,
        lambda _: start(config, path, len(rigid_motion.SCALE)),
    )  # fmt: skip
    stepper.start(np.zeros(stepper.lookahead))
    found = stepper.advance(np.zeros(points))
    return packed(TABLE + found.size, {RATE: 1.0 / step, POINTS: points, TABLE: found})
