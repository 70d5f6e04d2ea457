"""hu2016: fits of the speed profile, quality of the restitution, and the three loading series under every metric and load source."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from model.contact.impact import Impact, integrated_restitution, profile_exponent
from model.contact.laws import LAWS, damping
from model.contact.restitution import restitution, speed_profile
from model.mechanisms.linkage.config import Config
from rig.comparison.channels import agreement
from rig.comparison.preparation import Settings
from rig.prediction.metrics import metrics
from rig.prediction.simulation import Simulated
from rig.reproduction.study import Computed, Conditions, Panel, Statement, Study
from rig.reproduction.values import numbers

OWN = "hu_guo"  # the law that the paper proposes
SOURCES = ("ideal", "flow_limited", "servo")
CYCLES, DISCARDED = 5, 2
LOWPASS = 1000.0  # Hz, under the closed loop
SHARES = np.linspace(0.0, 1.0, 1001)  # of the deepest penetration
GRID = np.round(np.arange(0.01, 1.005, 0.01), 2)  # restitutions over which a law is judged
USEFUL = 0.05  # |e_out - e_in| up to which a law counts as applicable
CLEARANCES, FREQUENCIES, AMPLITUDES = (0.0, 0.2, 0.4), (2.0, 5.0, 7.0), (10.0, 20.0, 30.0)  # mm, Hz, kN
METRICS = {"ideal": ("max", "reversal_peak", "overshoot"), "servo": ("max", "impact_peak", "overshoot")}
METRICS["flow_limited"] = METRICS["ideal"]
LARGE = 0.5  # of the fastest approach: what counts as a large impact


def _example(damping_constant: float, speed: float) -> Impact:
    """An impact of the paper's two spheres (section 1.2; 0.033 kg is one whole sphere)."""
    stiffness = 1.07e10
    return Impact(stiffness=stiffness, exponent=1.5, mass=0.033, speed=speed, damping=damping_constant * speed / stiffness)


EXAMPLES = {"fast": _example(2.0e9, 0.8), "slow": _example(2.0e10, 0.1)}


def _exponent(name: str) -> Statement:
    def statement(_study: Study) -> Computed:
        impact = EXAMPLES[name]
        return Computed(profile_exponent(impact), {"speed": impact.speed, "a": impact.damping, "samples": "uniform in penetration"})

    return statement


def _round_exponent(_study: Study) -> Computed:
    """Largest distance of the curve with beta = 5/2 from the solution, of v0."""
    rounded = np.sqrt(1.0 - SHARES**2.5)
    apart = [np.max(np.abs(rounded - speed_profile(impact.damping, impact.exponent, SHARES))) for impact in EXAMPLES.values()]
    return Computed(float(max(apart)), {"beta": 2.5})


def _errors(law: str) -> np.ndarray:
    return np.array([abs(restitution(damping(law, float(e))) - e) for e in GRID])


def _nearness(_study: Study) -> Computed:
    errors = _errors(OWN)
    return Computed(float(errors.max()), {"law": OWN, "at_restitution": float(GRID[errors.argmax()])})


def _rank(_study: Study) -> Computed:
    """Place of the paper's law among the published ones, by the largest error."""
    worst = {law: float(_errors(law).max()) for law in LAWS if law not in ("exact", "hertz")}
    ranked = sorted(worst, key=worst.__getitem__)
    integrated = abs(integrated_restitution(Impact(1e10, 1.5, 1.0, 1.0, damping(OWN, 0.2))) - restitution(damping(OWN, 0.2)))
    best = ", ".join(f"{law} {worst[law]:.4f}" for law in ranked[:3])
    remark = f"largest |e_out - e_in|: {best}; closed form and integrated impact differ by {integrated:.1e}"
    return Computed(ranked.index(OWN) + 1, {"over": [float(GRID[0]), float(GRID[-1])]}, remark)


def _useful_from(law: str) -> Statement:
    """Restitution from which on the law keeps within USEFUL."""

    def statement(_study: Study) -> Computed:
        wrong = np.flatnonzero(_errors(law) > USEFUL)
        return Computed(float(GRID[wrong[-1] + 1]) if len(wrong) else float(GRID[0]), {"law": law, "largest_error": USEFUL})

    return statement


def _loss(study: Study) -> Computed:
    """Share of the impact's energy that the law really takes, for the linkage's restitution, against 1 - e^2."""
    e = study.experiment("linkage").mechanism_as(Config).contact.restitution
    lost = 1.0 - restitution(damping(OWN, e)) ** 2
    return Computed(float(lost - (1.0 - e**2)), {"law": OWN, "restitution": e})


def _run(study: Study, source: str, clearance: float, amplitude: float, frequency: float) -> Simulated:
    return study.simulated(
        "linkage", f"mechanism.load_source={source}", f"mechanism.clearance={clearance} mm", f"trajectory.amplitude={amplitude} kN",
        f"trajectory.frequency={frequency} Hz", f"trajectory.cycles={CYCLES}", "simulate.output_rate=50 kHz",
    )  # fmt: skip


def _measures(run: Simulated, source: str) -> dict[str, float | None]:
    """The force's metrics from the solver's extremes; under the closed loop those of NOTES' servo definitions, behind the low-pass."""
    excess = len(run.channels)
    found = metrics(run, DISCARDED, source == "servo", excess)["transmitted_force"]
    assert run.command is not None and run.frequency is not None
    measures = {"max": found["max_abs"], "reversal_peak": found["reversal_peak"], "overshoot": found["overshoot"]}
    if source == "servo":
        force = run.values[:, 0]
        settings = Settings(lowpass=LOWPASS, discard_cycles=DISCARDED)
        same = agreement(
            force, force, rate=run.rate, command=run.command, cycle=run.cycle, amplitude=float(np.max(np.abs(run.command))),
            frequency=run.frequency, settings=settings,
        )  # fmt: skip
        measures |= {"impact_peak": same.impact_peak_predicted, "overshoot": same.overshoot_predicted}
    return measures


def _series(source: str, metric: str, over: str) -> Statement:
    """A metric over one of the paper's three series."""

    def statement(study: Study) -> Computed:
        points, conditions = _points(over)
        values = [_measures(_run(study, source, *point), source)[metric] for point in points]
        return Computed(values, {"load_source": source, "metric": metric, **conditions})

    return statement


def _points(over: str) -> tuple[list[tuple[float, float, float]], Conditions]:
    """(clearance mm, amplitude kN, frequency Hz) of a series, and the same in SI for the reader."""
    if over == "clearance":
        return [(c, 10.0, 3.0) for c in CLEARANCES], {"clearance": [c * 1e-3 for c in CLEARANCES], "amplitude": 10e3, "frequency": 3.0}
    if over == "frequency":
        return [(0.4, 30.0, f) for f in FREQUENCIES], {"clearance": 0.4e-3, "amplitude": 30e3, "frequency": list(FREQUENCIES)}
    return [(0.4, a, 4.0) for a in AMPLITUDES], {"clearance": 0.4e-3, "amplitude": [a * 1e3 for a in AMPLITUDES], "frequency": 4.0}


def _growth(source: str, metric: str) -> Statement:
    """Relative growth from the lowest to the highest frequency."""

    def statement(study: Study) -> Computed:
        series = _series(source, metric, "frequency")(study)
        first, *_, last = numbers(series.value)
        return Computed(float(last / first) - 1.0 if np.isfinite(last / first) else None, series.conditions)

    return statement


def _distortion(run: Simulated) -> float:
    """rms of the transmitted force beside its fundamental, of the fundamental's rms; whole cycles."""
    assert run.frequency is not None
    kept = run.time >= DISCARDED / run.frequency - 0.5 / run.rate
    force, angle = run.values[kept, 0][:-1], 2.0 * np.pi * run.frequency * run.time[kept][:-1]
    basis = np.column_stack([np.sin(angle), np.cos(angle), np.ones_like(angle)])
    share, *_ = np.linalg.lstsq(basis, force, rcond=None)
    rest = force - basis @ share
    return float(np.sqrt(np.mean(rest**2)) / (math.hypot(*share[:2]) / math.sqrt(2.0)))


def _pure(source: str) -> Statement:
    def statement(study: Study) -> Computed:
        return Computed(_distortion(_run(study, source, 0.0, 10.0, 3.0)), {"load_source": source, "clearance": 0.0})

    return statement


def _smoother(source: str) -> Statement:
    def statement(study: Study) -> Computed:
        points, conditions = _points("amplitude")
        return Computed([_distortion(_run(study, source, *point)) for point in points], {"load_source": source, **conditions})

    return statement


def _impacts(source: str) -> Statement:
    """Large impacts a cycle: contacts of a joint that begin with more than half of the fastest approach, those of T/8 taken as one."""

    def statement(study: Study) -> Computed:
        counts = []
        for clearance in CLEARANCES[1:]:
            run = _run(study, source, clearance, 10.0, 3.0)
            assert run.frequency is not None
            began = [e for e in run.events if e["kind"] == "contact_start" and e["time_s"] >= DISCARDED / run.frequency]
            fastest = max((e["approach_speed"] or 0.0 for e in began), default=math.nan)
            times = np.array([e["time_s"] for e in began if (e["approach_speed"] or 0.0) >= LARGE * fastest])
            clusters = 1 + int(np.count_nonzero(np.diff(times) > 0.125 / run.frequency)) if len(times) else 0
            counts.append(clusters / (CYCLES - DISCARDED))
        return Computed(counts, {"load_source": source, "clearance": [c * 1e-3 for c in CLEARANCES[1:]]})

    return statement


def _every() -> dict[str, Statement]:
    statements: dict[str, Statement] = {
        "beta_fast": _exponent("fast"),
        "beta_slow": _exponent("slow"),
        "beta_rounded": _round_exponent,
        "restitution_near": _nearness,
        "restitution_best": _rank,
        "energy_loss": _loss,
        "lankarani_nikravesh_from": _useful_from("lankarani_nikravesh"),
        "hunt_crossley_from": _useful_from("hunt_crossley"),
    }
    for source in SOURCES:
        statements[f"pure_sine_{source}"] = _pure(source)
        statements[f"impacts_{source}"] = _impacts(source)
        statements[f"smoother_{source}"] = _smoother(source)
        for metric in METRICS[source]:
            statements[f"growth_{source}_{metric}"] = _growth(source, metric)
            for over in ("clearance", "frequency", "amplitude"):
                statements[f"{over}_{source}_{metric}"] = _series(source, metric, over)
    return statements


STATEMENTS = _every()


def picture(study: Study) -> Sequence[Panel]:
    """Panels of lines: the transmitted force over one settled cycle, for each series, under the closed loop and the open source."""
    panels: list[Panel] = []
    for source in ("flow_limited", "servo"):
        for over, unit in (("clearance", "mm"), ("frequency", "Hz"), ("amplitude", "kN")):
            points, _ = _points(over)
            place = {"clearance": 0, "frequency": 2, "amplitude": 1}[over]
            lines = []
            for point in points:
                run = _run(study, source, *point)
                assert run.frequency is not None
                kept = (run.time >= DISCARDED / run.frequency) & (run.time <= (DISCARDED + 1) / run.frequency)
                label = f"{point[place]:g} {unit}"
                lines.append((label, run.time[kept] * run.frequency - DISCARDED, run.values[kept, 0] * 1e-3))
            panels.append({"title": f"{source}: {over}", "x": "cycle", "y": "transmitted force, kN", "lines": lines})
    return panels
