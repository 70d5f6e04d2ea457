"""The cases, one row each. A new one: an experiment in configs/experiments, and a row here."""

from __future__ import annotations

from dataclasses import replace

from rig.benchmark.case import Case, Metric

SLIDER = (Metric("slider_velocity", "m/s", 1e-3), Metric("slider_position", "m", 1e-7))
EARLY = tuple(replace(metric, until=5e-3) for metric in SLIDER)  # both clearances: chaotic from there on
PIN_ONLY = ("mechanism.guide_clearance=0", "mechanism.friction=0")  # e = 0.9, c = 0.05 mm are the experiment's
CONSISTENT = ("trajectory.blend=off",)
FLEXIBLE = (Metric("slider_position", "m", 2e-6), Metric("slider_velocity", "m/s", 1e-2))
FLEXIBLE_ROD = ("mechanism.guide_clearance=0", "mechanism.friction=0.1", "mechanism.friction_none_below=0")


def tolerances(*values: float) -> tuple[tuple[str, ...], ...]:
    """Settings that differ in the tolerance only."""
    return tuple((f"integrator.tolerance={value:g}",) for value in values)


def steps(kind: str, *values: float) -> tuple[tuple[str, ...], ...]:
    """Settings of an integrator with fixed steps (s)."""
    return tuple((f"integrator.kind={kind}", f"integrator.step={value:g}") for value in values)


CASES = (
    Case("linkage", "linkage", 1.0, (Metric("transmitted_force", "N", 1.0),), rate=50e3),
    Case(
        "slider_crank_rigid", "slider_crank", 12e-3, SLIDER, PIN_ONLY,
        settings=tolerances(1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8), frame_setting=3,
        peers=("exudyn_slider_crank", "mujoco_slider_crank", "drake_slider_crank"),
    ),
    Case("slider_crank_rigid_friction", "slider_crank", 12e-3, EARLY, settings=tolerances(1e-3, 1e-4, 1e-6, 1e-8)),
    Case(
        "slider_crank_flexible", "slider_crank_flexible", 1.2e-3, FLEXIBLE, FLEXIBLE_ROD,
        settings=(*steps("leapfrog", 1e-6, 5e-7, 2.5e-7, 1.25e-7), *tolerances(1e-2, 1e-4)), frame_setting=1,
        reference=("integrator.tolerance=1e-9",), check=("integrator.tolerance=1e-8",), peers=("exudyn_slider_crank_flexible",),
    ),
    Case(
        "slider_crank_generic", "slider_crank_generic", 12e-3, (Metric("slider_vx", "m/s", 1e-3), Metric("slider_x", "m", 1e-7)),
        settings=tolerances(1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8), frame_setting=3,
    ),
    Case(
        "four_bar", "four_bar", 0.4, (Metric("rocker_angle", "rad", 1e-6),), settings=tolerances(1e-5, 1e-6, 1e-7, 1e-9), rate=10e3,
        frame_setting=2,
    ),
    Case(
        "slider_bar_rigid", "slider_bar", 16.0, (Metric("x", "m", 1e-6),), ("mechanism.stick_band=0",),
        settings=tolerances(1e-4, 1e-6, 1e-8), rate=1e3,
    ),
    Case(
        "slider_bar_flexible", "slider_bar_flexible", 16.0, (Metric("x", "m", 1e-5),), settings=tolerances(1e-4, 1e-6, 1e-8), rate=1e3,
        reference=("integrator.tolerance=1e-10",), check=("integrator.tolerance=1e-9",),
    ),
    Case(
        "parallel_rigid", "parallel_3rrpar", 2.0, (Metric("x", "m", 1e-5), Metric("x", "m", 1e-6, until=10e-3)), CONSISTENT, rate=10e3,
        settings=(*tolerances(1e-5, 1e-6, 1e-7, 1e-8), *steps("rk4", 2e-5)), frame_setting=1,
        reference=("integrator.tolerance=1e-11",), check=("integrator.tolerance=1e-10",), peers=("exudyn_parallel_rigid",),
    ),
    *(
        Case(
            name, "flexible_pendulum", 1.0, (Metric("tip_z", "m", 1e-4), Metric("tip_vz", "m/s", 1e-2)), rate=1e3,
            settings=steps("generalized_alpha", 1e-3, 5e-4, 2.5e-4, 1.25e-4), reference=steps("generalized_alpha", 1e-5)[0],
            check=steps("generalized_alpha", 2e-5)[0], peers=(f"exudyn_{name}",), frame_setting=0,
        )
        for name in ("flexible_pendulum", "flexible_pendulum_beam")  # beside Exudyn's cable and its beam
    ),
    *(
        Case(
            f"parallel_flexible{name}", "parallel_3rrpar_flexible", 2.0, (Metric("x", "m", 1e-8), Metric("r3_force", "N", 5e-2)),
            (*CONSISTENT, "mechanism.clearance=0 mm", f"mechanism.bars.elements={elements}"), rate=1e3,
            settings=steps("generalized_alpha", 1e-3, 5e-4), reference=steps("generalized_alpha", 5e-5)[0],
            check=steps("generalized_alpha", 1e-4)[0], frame_setting=0,
            peers=("exudyn_parallel_flexible", "exudyn_parallel_flexible_cable"),
        )
        for name, elements in (("", 3), ("_4", 4))
    ),
    *(
        Case(
            f"parallel_{name}", "parallel_3rrpar_flexible", 2.0, (Metric("x", "m", 1e-6), Metric("r3_force", "N", 1.0)),
            (*CONSISTENT, "mechanism.bars.elements=3", f"mechanism.bars.formulation={formulation}", f"mechanism.clearance={gap} mm"),
            rate=1e3, settings=steps("generalized_alpha", *lasting), reference=steps("generalized_alpha", 1e-5)[0],
            check=steps("generalized_alpha", 2e-5)[0], frame_setting=0,
        )
        for name, formulation, gap, lasting in (
            ("flexible_clearance", "elastic_line", 0.1, (2e-4, 1e-4, 5e-5, 2e-5)),  # the last: what the fast form is compared with
            ("flexible_knocking", "elastic_line", 0.5, (1e-4, 5e-5, 2e-5)),  # pins that part
            ("reduced", "reduced", 0.1, (2e-4, 1e-4, 5e-5)),
        )
    ),
    Case(
        "ensemble_16", "", 0.0, members=16, rate=50e3,
        together=(("linkage", (), 0.5), ("slider_crank", (*PIN_ONLY, "integrator.tolerance=1e-4"), 0.05)),
    ),
)  # fmt: skip
