"""Every compiled function, run once in every combination of source and integrator: what happens before a test, not in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from model.assembly.description import Body
from model.assembly.joints import revolute
from model.bodies.ancf_beam3d import bar
from model.contact.impact import Impact, integrated_restitution
from model.friction import coulomb, karnopp
from model.integrators import dop853, generalized_alpha, leapfrog, newmark, rk4
from model.mechanisms import (
    flexible_pendulum,
    four_bar,
    linkage,
    parallel_3rrpar,
    parallel_3rrpar_flexible,
    planar,
    slider_bar,
    slider_bar_flexible,
    slider_crank,
    slider_crank_flexible,
)
from model.paths import trajectory_1
from model.stepping.contract import Stepper

RATE = 10e3  # Hz
SAMPLES = 20
PENDULUM = planar.Config(bodies=(Body("bar", 1.0, 1.0),), joints=(revolute.Config("pin", ("ground.origin", "bar.origin")),))


def warm() -> None:
    """Compile, or load from the cache, and run a few samples of everything."""
    coulomb.force(1.0, 1.0, np.ones(1))
    karnopp.force(1.0, 1.0, 1.0, np.ones(3))
    karnopp.ratio(karnopp.FORWARD, np.ones(3))
    integrated_restitution(Impact(stiffness=1e10, exponent=1.5, mass=1.0, speed=1.0, damping=0.1))
    bar.store_size(1)  # compiled when it is imported
    _run(flexible_pendulum.Config().create(generalized_alpha.Config(step=1e-4), RATE))
    _warm_parallel()
    for integrator in (dop853.Config(), rk4.Config()):
        for source in linkage.Config.SOURCES:
            for load_source in ("servo", "flow_limited", "ideal"):
                for clearance in (0.0, 0.4e-3):
                    config = linkage.Config(load_source=load_source, clearance=clearance)
                    _run(config.create(integrator, RATE, source))
        for friction in (0.0, 0.1):
            for source in ("", *four_bar.Config.DRIVEN[:1]):
                _run(four_bar.Config(friction=friction).create(integrator, RATE, source))
        for joint in ("rod_slider", "crank_rod"):
            for pin, guide in ((0.0, 0.0), (0.0, 5e-5), (5e-5, 0.0), (5e-5, 5e-5)):
                planar_config = slider_crank.Config(clearance_joint=joint, clearance=pin, guide_clearance=guide)
                for source in ("", *slider_crank.Config.DRIVEN[:1]):
                    _run(planar_config.create(integrator, RATE, source))
        _run(PENDULUM.create(integrator, RATE))
        for source in ("", *slider_bar.Config.DRIVEN[:1]):
            _run(slider_bar.Config().create(integrator, RATE, source))
        _run(slider_bar_flexible.Config().create(integrator, RATE))
    _run(slider_bar_flexible.Config().create(newmark.Config(), RATE))
    for method in (dop853.Config(), rk4.Config(), leapfrog.Config(), generalized_alpha.Config()):
        _run(slider_crank_flexible.Config().create(method, 1e6))


def _warm_parallel() -> None:
    path, lasting = trajectory_1.Config().create(), SAMPLES / RATE
    for source in ("", *parallel_3rrpar.Config.DRIVEN):
        _run(parallel_3rrpar.Config().create(dop853.Config(), RATE, source, path=path, lasting=lasting))
    for clearance in (0.0, 0.1e-3):
        flexible = parallel_3rrpar_flexible.Config(clearance=clearance)
        reduced = replace(flexible, bars=replace(flexible.bars, formulation="reduced"))
        for config in (flexible, replace(flexible, coupling=parallel_3rrpar_flexible.config.ONE_WAY), reduced):
            _run(config.create(generalized_alpha.Config(step=1e-4), RATE, path=path, lasting=lasting))


def _run(stepper: Stepper) -> None:
    stepper.start(np.zeros(stepper.lookahead))
    stepper.advance(np.zeros(SAMPLES))
