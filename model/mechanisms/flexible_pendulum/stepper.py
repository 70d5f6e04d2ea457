"""From the flexible pendulum's configuration to a stepper: parameters, consistent start."""

from __future__ import annotations

import math

import numpy as np

from model.bodies.ancf_beam3d.bar import store_size
from model.compiled.parameters import packed
from model.contact.force import force
from model.errors import ModelError
from model.floats import Floats
from model.integrators import generalized_alpha
from model.integrators.method import Integrator
from model.mechanisms.flexible_pendulum import kernel
from model.mechanisms.flexible_pendulum.config import Config
from model.stepping.implicit import Constrained, ImplicitStepper, Kernels


def stepper(config: Config, integrator: Integrator, rate: float) -> ImplicitStepper:
    """See `model.mechanisms.flexible_pendulum`."""
    if not isinstance(integrator, generalized_alpha.Config):
        name = type(integrator).__module__.rpartition(".")[2]
        raise ModelError(f"integrator.kind: {name} does not suit flexible_pendulum; choose generalized_alpha")
    beam = config.bar.beam
    motion = Constrained(
        kernels=Kernels(kernel.residual, kernel.condensed, kernel.guards, kernel.switch, kernel.channels, force, kernel.solved),
        parameters=packed(kernel.WEIGHT + beam.coordinates, {kernel.BAR: beam.parameters, kernel.WEIGHT: weight(config)}),
        coordinates=beam.coordinates,
        constraints=kernel.HELD,
        guards=1,
        channels=len(Config.CHANNELS),
        force=beam.mass * max(abs(config.gravity), config.turning**2 * beam.length, beam.length),
        length=beam.length,
        mass=beam.mass,
        scratch=beam.coordinates,
    )
    return ImplicitStepper(motion, integrator, rate, lambda: start(config))


def weight(config: Config) -> Floats:
    """Generalised, (coordinates,)."""
    return config.bar.beam.gravity(np.array([0.0, 0.0, -config.gravity]))


def start(config: Config) -> tuple[Floats, Floats, Floats]:
    """(y, s, jerk) at t = 0: accelerations and multipliers from the equations of motion, and from their rates."""
    beam, angle = config.bar.beam, config.start_angle
    cosine, sine = math.cos(angle), math.sin(angle)
    q = beam.straight(np.zeros(3), np.array([[cosine, 0.0, -sine], [0.0, 1.0, 0.0], [sine, 0.0, cosine]]))
    v = beam.turning(q, np.zeros(3), np.array([0.0, 0.0, config.turning]))
    n = beam.coordinates
    system = np.zeros((n + kernel.HELD, n + kernel.HELD))
    system[:n, :n] = beam.mass_matrix()
    system[n:, : kernel.HELD] = system[: kernel.HELD, n:] = np.eye(kernel.HELD)
    nothing = np.zeros(kernel.HELD)
    found = np.linalg.solve(system, np.concatenate([weight(config) - beam.internal_force(q, v), nothing]))
    rates = -beam.stiffness(q, v) @ v - beam.damping_matrix(q) @ found[:n]
    jerk = np.linalg.solve(system, np.concatenate([rates, nothing]))[:n]
    return np.concatenate([q, v, found]), np.zeros(kernel.STORE + store_size(beam.elements)), jerk
