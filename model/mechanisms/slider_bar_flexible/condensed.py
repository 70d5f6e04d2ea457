"""The flexible slider as its contact nodes and its hinge see it: unit loads, compliance, the kernels' parameters."""

from __future__ import annotations

import numpy as np

from model.compiled.parameters import packed
from model.errors import ModelError
from model.floats import Floats
from model.mechanisms.slider_bar import stepper
from model.mechanisms.slider_bar_flexible import contact
from model.mechanisms.slider_bar_flexible.config import Config


def interface(config: Config) -> Floats:
    """Unit loads as columns, (coordinates, 4 nodes of a face + 3): x and y of each contact node, then the hinge's x, y and moment.

    Raises ModelError for a hinge without nodes.
    """
    plate = config.plate
    nodes, faces = plate.nodes, np.concatenate([plate.lower_face, plate.upper_face])
    columns = np.zeros((2 * len(nodes), 2 * len(faces) + contact.HINGE))
    columns[2 * faces, np.arange(0, 2 * len(faces), 2)] = columns[2 * faces + 1, np.arange(1, 2 * len(faces), 2)] = 1.0
    near = np.flatnonzero(np.linalg.norm(nodes, axis=1) <= config.hinge_radius)
    arms = nodes[near] - nodes[near].mean(axis=0) if len(near) else np.zeros((0, 2))
    if len(near) < 2:
        raise ModelError(
            f"hinge_radius: nodes of the slider's mesh within {config.hinge_radius:g} m of its centre: {len(near)}, expected at least 2, "
            "which carry the hinge; choose a larger radius or a finer mesh"
        )
    columns[2 * near, -3] = columns[2 * near + 1, -2] = 1.0 / len(near)
    columns[2 * near, -1] = -arms[:, 1] / np.sum(arms**2)
    columns[2 * near + 1, -1] = arms[:, 0] / np.sum(arms**2)
    return columns


def compliance(config: Config) -> Floats:
    """C at the interface without inertia, relative to the slider's mean motion, m/N."""
    loads = interface(config)
    found: Floats = loads.T @ config.plate.flexibility(loads)
    return 0.5 * (found + found.T)


def parameters(config: Config, c: Floats) -> Floats:
    """p of the kernels."""
    x = config.plate.nodes[config.plate.lower_face, 0]
    size = contact.PLACES_X + len(x) + c.size + contact.BAR_MASS
    own = {
        contact.FACE: len(x), contact.NORMAL_STIFFNESS: config.normal_stiffness, contact.TANGENT_STIFFNESS: config.tangential_stiffness,
        contact.HALF_PLAY: 0.5 * config.total_clearance, contact.PLACES_X: x, contact.PLACES_X + len(x): c,
        size - contact.BAR_MASS: config.bar_mass,
    }  # fmt: skip
    return packed(size, stepper.places(config) | own)
