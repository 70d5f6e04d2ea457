"""The slider-crank with a rigid rod (model.mechanisms.slider_crank), by its state and the crank's angle."""

from __future__ import annotations

import numpy as np

from model.mechanisms.slider_crank import Config
from model.mechanisms.slider_crank.kernel import PHI, PSI, X, Y
from model.mechanisms.slider_crank.start import places
from model.mechanisms.slider_crank_flexible import config as flexible
from rig.motion.drawing import Coordinates
from rig.motion.parts import Floats, Guide, Motion, Outline, Pin, box, slider_ends, turned
from rig.motion.traced import Traced

CHANNELS = ("crank_angle",)
NAMES = {PHI: ("rod_angle", "rad"), X: ("slider_x", "m"), Y: ("slider_y", "m"), PSI: ("slider_angle", "rad")}


def coordinates(mechanism: Config) -> Coordinates:
    """Those that its clearances leave it."""
    return tuple(NAMES[place] for place in places(mechanism))


def motion(mechanism: Config, traced: Traced) -> Motion:
    """The crank's bearing at the origin, the guide along x."""
    crank = turned(traced.channels["crank_angle"], mechanism.crank.length, 0.0)
    found = {place: traced.state[:, k] for k, place in enumerate(places(mechanism))}
    phi = found.get(PHI, np.arcsin(-crank[:, 1] / mechanism.rod.length))
    rod = turned(phi, mechanism.rod.length, 0.0)
    hinged = crank + rod
    middle = np.column_stack((found.get(X, hinged[:, 0]), found.get(Y, np.zeros(len(phi)) if X in found else hinged[:, 1])))
    begin = crank if mechanism.clearance_joint == "rod_slider" or mechanism.clearance == 0.0 else middle - rod
    return drawn(mechanism, traced.time, crank, np.stack((begin, begin + rod), axis=1), (middle, found.get(PSI, np.zeros(len(phi)))))


def drawn(mechanism: Config | flexible.Config, time: Floats, crank: Floats, rod: Floats, slider: tuple[Floats, Floats]) -> Motion:
    """By the crank's pin (M, 2), places of the rod (M, k, 2) from the crank on, and the slider's middle (M, 2) and angle (M,)."""
    middle, psi = slider
    pins, guides = list[Pin](), list[Guide]()
    if mechanism.clearance > 0.0:
        at_crank = mechanism.clearance_joint == "crank_rod"
        journal, bush = (crank, rod[:, 0]) if at_crank else (middle, rod[:, -1])
        pins = [Pin("crank-rod pin" if at_crank else "rod-slider pin", mechanism.clearance, journal - bush, bush)]
    size = (mechanism.slider.length, mechanism.slider.height)
    if mechanism.guide_clearance > 0.0:
        guides = [Guide("guide", mechanism.guide_clearance, *slider_ends(middle[:, 1], psi, *size))]
    journals = (((1, 0),), ()) if pins and mechanism.clearance_joint == "crank_rod" else ((), ())
    bodies = (
        Outline("crank", np.stack((np.zeros_like(crank), crank), axis=1), journals=journals[0]),
        Outline("rod", rod),
        Outline("slider", box(middle, psi, 4.0 * size[0], 2.0 * size[1]), loop=True, guide=0 if guides else None),
    )
    reach = mechanism.crank.length + mechanism.rod.length
    faces = [np.array([[0.5 * reach, side * size[1]], [1.1 * reach, side * size[1]]]) for side in (-1.0, 1.0)]
    return Motion(time, tuple(pins), tuple(guides), bodies, (np.zeros((1, 2)), *([] if guides else faces)))
