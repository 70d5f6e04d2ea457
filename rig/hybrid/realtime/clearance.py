"""A clearance between the actuator's rod and the specimen, and what such a test would show with an actuator without error.

    valve and actuator as in `transfer_system`; the rod m_r x_r'' = p - d_r x_r' - N; the specimen m x'' + c x' + k x = N
    N = K delta^n (1 + a delta'/v_0) of what the rod is beyond half the clearance, either way (model.contact.force)

The actuator's own displacement loop, and its displacement sensor, are at the rod; the force sensor is behind the clearance. Rod and seal
are not in the benchmark: their values are our own. Runge-Kutta's method of fourth order within a sample; the approach speed is latched at
the first step in contact.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from model.compiled.signatures import INDEX, REAL, TABLE, VECTOR, compiled
from model.contact.force import force as contact_force
from model.contact.force import parameters as contact_parameters
from model.contact.laws import damping
from rig.hybrid.realtime.control_plant import PLANT_SIGNATURE, ControlPlant
from rig.hybrid.realtime.frame import Partition
from rig.hybrid.realtime.transfer_system import TransferSystem

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Clearance:
    """Between rod and specimen; all of it our own choice. SI."""

    size: float = field(metadata={"unit": "m", "over": 0.0, "doc": "from one stop to the other"})
    stiffness: float = field(default=1e10, metadata={"unit": "N/m^1.5", "over": 0.0, "doc": "K of the contact"})
    restitution: float = field(default=0.6, metadata={"unit": "1", "over": 0.0, "at_most": 1.0})
    law: str = field(default="flores", metadata={"doc": "a contact law of model.contact.laws"})
    rod_mass: float = field(default=10.0, metadata={"unit": "kg", "over": 0.0})
    seal_damping: float = field(default=4000.0, metadata={"unit": "N*s/m", "at_least": 0.0})
    substeps: int = field(default=16, metadata={"at_least": 1, "doc": "within a sample"})


EXPONENT = 1.5
SLOWEST = 1e-3  # m/s: an approach that is slower counts as this
CONTACT = 4  # numbers of the contact's parameters: stiffness, exponent, damping, approach speed

# Places in the parameters after the contact's.
A1_B0, A2, A3, B1, B2, MASS, DAMPING, STIFFNESS, ROD, SEAL, HALF, SUBSTEPS, STEP = range(CONTACT, CONTACT + 13)
# State: valve, its rate, force of the actuator, rod, its speed, specimen, its speed; side in contact; the contact's numbers, since the
# approach speed among them is latched; then four slopes and a trial.
STATES, SIDE, LAW = 7, 7, 8
SLOPES = LAW + CONTACT
ROOM = 49


@compiled(REAL(VECTOR, VECTOR, REAL, REAL, REAL, REAL))
def contact(latch: Floats, law: Floats, half: float, gap: float, rate: float, opened: float) -> float:
    """Force on the specimen, N; gap, rate: rod less specimen. latch[0]: side that is in contact; `opened` > 0 lets it change."""
    side = 1.0 if gap > half else -1.0 if gap < -half else 0.0
    if opened > 0.0 and side != latch[0]:
        if side != 0.0:
            law[CONTACT - 1] = max(abs(rate), SLOWEST)
        latch[0] = side
    if side == 0.0 or law[CONTACT - 1] <= 0.0:
        return 0.0
    return side * contact_force(side * gap - half, side * rate, law)


@compiled(INDEX(VECTOR, VECTOR, VECTOR, REAL, REAL, VECTOR, VECTOR))
def _slope(y: Floats, slope: Floats, p: Floats, command: float, opened: float, latch: Floats, law: Floats) -> int:
    n = contact(latch, law, p[HALF], y[3] - y[5], y[4] - y[6], opened)
    slope[0] = y[1]
    slope[1] = p[A1_B0] * (command - y[3]) - p[B2] * y[0] - p[B1] * y[1]
    slope[2] = y[0] - p[A3] * y[2] - p[A2] * y[4]
    slope[3] = y[4]
    slope[4] = (y[2] - p[SEAL] * y[4] - n) / p[ROD]
    slope[5] = y[6]
    slope[6] = (n - p[DAMPING] * y[6] - p[STIFFNESS] * y[5]) / p[MASS]
    return 0


@compiled(PLANT_SIGNATURE)
def loose_plant(state: Floats, parameters: Floats, command: float, output: Floats) -> int:
    """State and parameters: see above; the gain of the command stands after STEP."""
    h = parameters[STEP]
    latch, law = state[SIDE : SIDE + 1], state[LAW : LAW + CONTACT]
    trial = state[SLOPES + 4 * STATES : SLOPES + 5 * STATES]
    scaled = command * parameters[STEP + 1]
    for _ in range(int(parameters[SUBSTEPS])):
        for i in range(STATES):
            trial[i] = state[i]
        for stage in range(4):
            slope = state[SLOPES + stage * STATES : SLOPES + (stage + 1) * STATES]
            _slope(trial, slope, parameters, scaled, 1.0 if stage == 0 else 0.0, latch, law)
            if stage < 3:
                share = h if stage == 2 else 0.5 * h
                for i in range(STATES):
                    trial[i] = state[i] + share * slope[i]
        for i in range(STATES):
            at = SLOPES + i
            state[i] += h / 6.0 * (state[at] + 2.0 * state[at + STATES] + 2.0 * state[at + 2 * STATES] + state[at + 3 * STATES])
    output[0], output[2] = state[3], state[5]
    output[1] = contact(latch, law, parameters[HALF], state[3] - state[5], state[4] - state[6], 0.0)
    return 0


def loose(system: TransferSystem, clearance: Clearance, rate: float) -> ControlPlant:
    """The control plant with a clearance; rate: Hz."""
    s, c = system.specimen, clearance
    law = contact_parameters(c.stiffness, EXPONENT, damping(c.law, c.restitution))
    own = [
        system.a1_b0, system.a2, system.a3, system.b1, system.b2, s.mass, s.damping, s.stiffness, c.rod_mass, c.seal_damping, 0.5 * c.size,
        float(c.substeps), 1.0 / (rate * c.substeps), system.gain,
    ]  # fmt: skip
    state = np.zeros(SLOPES + 5 * STATES)
    state[LAW : LAW + CONTACT] = law
    return ControlPlant(loose_plant, np.concatenate([law, own]), state, linear=False)


@compiled(INDEX(VECTOR, TABLE, VECTOR, VECTOR, VECTOR, TABLE))
def ideal(ground: Floats, a: Floats, b: Floats, f: Floats, parameters: Floats, floors: Floats) -> int:
    """Fill `floors` (N, 3), m: the structure whose first floor moves the specimen through the clearance, without an actuator between.

    ground: (N + 1,) m/s^2, straight in between. a: (6, 6), b, f: (6,) of the structure, continuous. parameters: of `loose`, and after
    these ROOM numbers, to work with; the approach speed among the contact's is latched.
    """
    h, substeps = parameters[STEP], int(parameters[SUBSTEPS])
    at = STEP + 2
    y, trial, latch = parameters[at : at + 8], parameters[at + 8 : at + 16], parameters[at + 16 : at + 17]
    slopes, law = parameters[at + 17 : at + 49], parameters[:CONTACT]
    for i in range(8):
        y[i] = 0.0
    latch[0] = 0.0
    for k in range(floors.shape[0]):
        for i in range(3):
            floors[k, i] = y[i]
        for sub in range(substeps):
            for i in range(8):
                trial[i] = y[i]
            for stage in range(4):
                share = 0.0 if stage == 0 else 1.0 if stage == 3 else 0.5
                part = (sub + share) / substeps
                acceleration = ground[k] + part * (ground[k + 1] - ground[k])
                opened = 1.0 if stage == 0 else 0.0
                n = contact(latch, law, parameters[HALF], trial[0] - trial[6], trial[3] - trial[7], opened)
                slope = slopes[8 * stage : 8 * stage + 8]
                for i in range(6):
                    total = b[i] * acceleration + f[i] * n
                    for j in range(6):
                        total += a[i, j] * trial[j]
                    slope[i] = total
                slope[6] = trial[7]
                slope[7] = (n - parameters[DAMPING] * trial[7] - parameters[STIFFNESS] * trial[6]) / parameters[MASS]
                if stage < 3:
                    for i in range(8):
                        trial[i] = y[i] + (h if stage == 2 else 0.5 * h) * slope[i]
            for i in range(8):
                y[i] += h / 6.0 * (slopes[i] + 2.0 * slopes[8 + i] + 2.0 * slopes[16 + i] + slopes[24 + i])
    return 0


def reference(partition: Partition, clearance: Clearance, ground: Floats, rate: float) -> Floats:
    """(N, 3) floors, m, of the test that a perfect actuator would give; ground: (N + 1,) m/s^2.

    The ground moves the specimen's mass as well: its inertia is among the loads of the first floor, as in the divided structure.
    """
    plant = loose(TransferSystem(specimen=partition.specimen), clearance, rate)
    floors = np.zeros((len(ground) - 1, 3))
    a, b, f = partition.continuous()
    ideal(ground, np.ascontiguousarray(a), b, f, np.concatenate([plant.parameters, np.zeros(ROOM)]), floors)
    return floors
