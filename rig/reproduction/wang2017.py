"""wang2017: torque of the slider-crank with clearance in pin and guide, its peaks and where its power lies, rod rigid or flexible.

The motion is chaotic: each figure is the median over members whose clearance differs by hundredths of a percent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from model.mechanisms.slider_crank.config import Config
from model.spectrum import COUNTED, DISCARDED, Spectrum, of_revolutions
from rig.prediction.simulation import Simulated
from rig.reproduction.study import Computed, Conditions, Panel, Statement, Study

Floats = NDArray[np.float64]

MEMBERS, MANY, FEW = 5, 15, 3  # usual, with --full, in a check of convergence
PERTURBED = 1e-4  # of the clearance, from member to member
MODULI = (2, 6, 20, 80)  # GPa
RIGID = math.inf  # GPa
GAPS = (0.05, 0.2)  # mm
HIGH = 1000.0  # Hz, from where on a response counts as one of high frequency
MAIN = (2000.0, 3000.0)  # Hz
# What the paper leaves open, chosen so that the spectra are steady: damped rod, damped guide, soft restitution.
DAMPED = ("mechanism.contact.restitution=0.5", "mechanism.guide_damping=1 s/m")
DAMPED_ROD = (*DAMPED, "mechanism.rod.damping=2e-6 s")
TORQUE, FORCE = 1, 5  # columns


def _run(study: Study, gap: float, modulus: float | None = None) -> Simulated:
    """Seven revolutions with both clearances of `gap` mm; rod of `modulus` GPa. None: rigid; RIGID: rigid, with a flexible one's joints."""
    both = (f"mechanism.clearance={gap!r} mm", f"mechanism.guide_clearance={gap!r} mm", "simulate.output_rate=50 kHz")
    name = "slider_crank" if modulus in (None, RIGID) else "slider_crank_flexible"
    speed = study.experiment(name).mechanism_as(Config).speed
    lasting = f"simulate.duration={(DISCARDED + COUNTED + 0.01) * 2.0 * math.pi / speed!r} s"
    rod = () if modulus is None else DAMPED if modulus == RIGID else (*DAMPED_ROD, f"mechanism.rod.youngs_modulus={modulus} GPa")
    return study.simulated(name, *both, lasting, *rod)


def _members(study: Study, gap: float, modulus: float | None = None) -> list[Simulated]:
    count = 1 if gap == 0.0 else FEW if study.fine else MANY if study.full else MEMBERS
    gaps = [gap * (1.0 + PERTURBED * k) for k in range(count)]
    _run(study, gaps[0], modulus)  # what is read from files is read once
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda one: _run(study, one, modulus), gaps))


def _median(study: Study, measure: Callable[[Simulated], float], gap: float, modulus: float | None = None) -> float:
    return float(np.median([measure(run) for run in _members(study, gap, modulus)]))


def _steady(study: Study, run: Simulated) -> slice:
    """Rows of the counted revolutions."""
    turn = run.rate * 2.0 * math.pi / study.experiment("slider_crank").mechanism_as(Config).speed
    return slice(round(DISCARDED * turn), round((DISCARDED + COUNTED) * turn))


def _rest(study: Study, run: Simulated) -> Floats:
    """Torque less the ideal mechanism's, N m."""
    rest: Floats = run.values[:, TORQUE] - _run(study, 0.0).values[: len(run.values), TORQUE]
    return rest


def _spectrum(study: Study, run: Simulated) -> Spectrum:
    return of_revolutions(_rest(study, run), run.rate, study.experiment("slider_crank").mechanism_as(Config).speed)


def _peak(study: Study, run: Simulated, column: int = TORQUE) -> float:
    rows = _steady(study, run)
    return float(max(run.high[rows, column].max(), -run.low[rows, column].min()))


def _within(study: Study, run: Simulated, lowest: float, highest: float = math.inf) -> float:
    """rms of the torque's rest between two frequencies, N m (amplitudes of lines: half of the squares)."""
    found = _spectrum(study, run)
    inside = (found.frequency >= lowest) & (found.frequency <= highest)
    return float(np.sqrt(0.5 * np.sum(found.amplitude[inside] ** 2)))


def _conditions(gap: float | tuple[float, ...], modulus: float | tuple[float, ...] | None, study: Study) -> Conditions:
    gaps = [one * 1e-3 for one in gap] if isinstance(gap, tuple) else gap * 1e-3
    moduli = [one * 1e9 for one in modulus] if isinstance(modulus, tuple) else modulus and modulus * 1e9
    return {"clearance": gaps, "youngs_modulus": moduli, "members": MANY if study.full else MEMBERS}


def _ideal_peak(study: Study) -> Computed:
    return Computed(_peak(study, _run(study, 0.0)), {"clearance": 0.0})


def _torque_peak(gap: float, modulus: int | None = None) -> Statement:
    def statement(study: Study) -> Computed:
        return Computed(_median(study, lambda run: _peak(study, run), gap, modulus), _conditions(gap, modulus, study))

    return statement


def _rougher(study: Study) -> Computed:
    """rms of the torque's rest without and with clearance."""
    gaps = (0.0, *GAPS)
    return Computed([_median(study, lambda run: _within(study, run, 0.0), gap) for gap in gaps], _conditions(gaps, None, study))


def _band(gap: float, modulus: int | None = None) -> Statement:
    """Frequency of the most power, Hz, and that without clearance beside it."""

    def statement(study: Study) -> Computed:
        values = [_spectrum(study, run).peak() for run in _members(study, gap, modulus)]
        remark = f"members {min(values):.0f} to {max(values):.0f} Hz"
        if modulus is not None:
            remark += f"; without any clearance {_spectrum(study, _run(study, 0.0, modulus)).peak():.0f} Hz"
        return Computed(float(np.median(values)), _conditions(gap, modulus, study), remark)

    return statement


def _main_band(study: Study) -> Computed:
    """rms between 2 and 3 kHz at both clearances."""
    return Computed([_median(study, lambda run: _within(study, run, *MAIN), gap) for gap in GAPS], _conditions(GAPS, None, study))


def _softer(gap: float) -> Statement:
    """rms above HIGH over the moduli, the softest first."""

    def statement(study: Study) -> Computed:
        values = [_median(study, lambda run: _within(study, run, HIGH), gap, modulus) for modulus in MODULI]
        return Computed(values, _conditions(gap, MODULI, study))

    return statement


def _flexible_peak(study: Study) -> Computed:
    values = [_median(study, lambda run: _peak(study, run), GAPS[0], modulus) for modulus in MODULI]
    return Computed(max(values), _conditions(GAPS[0], MODULI, study), f"at each modulus {', '.join(f'{value:.0f}' for value in values)}")


def _cushion(study: Study) -> Computed:
    """Largest force in the pin over the moduli, the rigid rod with the same joints last."""
    kinds = (*MODULI, RIGID)
    values = [_median(study, lambda run: _peak(study, run, FORCE), GAPS[0], modulus) for modulus in kinds]
    return Computed(values, {**_conditions(GAPS[0], MODULI, study), "last": "rigid rod"})


def _cushion_high(study: Study) -> Computed:
    """Least ratio of the torque above HIGH with a rigid rod to that with a flexible one and the same joints, over moduli and gaps."""
    above = {gap: [_median(study, lambda run: _within(study, run, HIGH), gap, modulus) for modulus in (*MODULI, RIGID)] for gap in GAPS}
    ratios = [rigid / flexible for *softer, rigid in above.values() for flexible in softer]
    remark = f"at each modulus, 0.05 and then 0.2 mm: {', '.join(f'{one:.2f}' for one in ratios)}"
    return Computed(min(ratios), _conditions(GAPS, MODULI, study), remark)


def _peaks_grow(study: Study) -> Computed:
    """Largest torque at both clearances, rigid rod."""
    return Computed([_median(study, lambda run: _peak(study, run), gap) for gap in GAPS], _conditions(GAPS, None, study))


def _bands_rise(study: Study) -> Computed:
    """Frequency of the most power over the moduli, Hz."""
    bands = [float(np.median([_spectrum(study, run).peak() for run in _members(study, GAPS[0], modulus)])) for modulus in MODULI]
    return Computed(bands, _conditions(GAPS[0], MODULI, study))


def _wider(study: Study) -> Computed:
    """Least ratio of the torque's rest at 0.2 to that at 0.05 mm, over the moduli."""
    ratios = []
    for modulus in MODULI:
        narrow, wide = (_median(study, lambda run: _within(study, run, 0.0), gap, modulus) for gap in GAPS)
        ratios.append(wide / narrow)
    return Computed(min(ratios), _conditions(GAPS, MODULI, study), f"at each modulus {', '.join(f'{one:.2f}' for one in ratios)}")


STATEMENTS: dict[str, Statement] = {
    "ideal_peak": _ideal_peak,
    "rougher": _rougher,
    "peak_narrow": _torque_peak(GAPS[0]),
    "peak_wide": _torque_peak(GAPS[1]),
    "peaks_grow": _peaks_grow,
    "band_rigid_narrow": _band(GAPS[0]),
    "band_rigid_wide": _band(GAPS[1]),
    "main_band_grows": _main_band,
    **{f"band_{modulus}": _band(GAPS[0], modulus) for modulus in MODULI},
    "flexible_peak": _flexible_peak,
    "softer_narrow": _softer(GAPS[0]),
    "softer_wide": _softer(GAPS[1]),
    "bands_rise": _bands_rise,
    "cushion": _cushion,
    "cushion_high": _cushion_high,
    "wider": _wider,
}


def picture(study: Study) -> Sequence[Panel]:
    """Panels: torque of two revolutions, and spectra with the control without clearance."""
    panels: list[Panel] = []
    for gap in GAPS:
        lines = []
        for label, run in (("ideal", _run(study, 0.0)), (f"{gap} mm, rigid", _run(study, gap))):
            rows = slice(_steady(study, run).start, _steady(study, run).start + 1200)
            lines.append((label, run.time[rows] * 1e3, run.values[rows, TORQUE]))
        panels.append({"title": f"torque, {gap} mm", "x": "ms", "y": "N m", "lines": lines})
    for gap in (*GAPS, 0.0):
        lines = []
        for modulus in (*MODULI, None) if gap else MODULI:
            found = _spectrum(study, _run(study, gap, modulus))
            inside = (found.frequency > 100.0) & (found.frequency < 4000.0)
            label = "rigid" if modulus is None else f"{modulus} GPa"
            lines.append((label, found.frequency[inside], np.sqrt(found.power[inside])))
        title = f"less the ideal torque, {gap} mm" if gap else "the same without any clearance"
        panels.append({"title": title, "x": "Hz", "y": "N m", "lines": lines})
    return panels
