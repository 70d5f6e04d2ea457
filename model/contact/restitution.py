"""What a law F = K delta^n (1 + a delta'/v0) does in a free impact, in closed form; independent of K, m, n and v0 unless named.

| symbol | unit | meaning |
|---|---|---|
| a | 1 | damping at the approach speed |
| e | 1 | restitution that comes out: rebound speed / approach speed |
| phi(z) | 1 | z - ln(1 + z); an impact obeys phi(a) = phi(-a e) |
| g | 1 | phi(a)/a^2 |

From m v dv/ddelta = -K delta^n (1 + a v/v0): both phases end at the same delta_max, which gives a (1 + e) = ln((1 + a)/(1 - a e)).
Near a = 0 the formulas lose all digits and series take over.
"""

from __future__ import annotations

import math

import numpy as np

from model.errors import ModelError

SERIES_BELOW = 0.05  # |z| and a below which the series are used; there 16 terms leave less than 1e-16
TERMS = 16


def _restitution_series() -> tuple[float, ...]:
    """Coefficients of e(a) = u/a, where u u'/(1 - u) = a/(1 + a), ' = d/da: that of a^k follows from those before it.

    With S_m = sum u_i u_(m-i) the term of a^k in (1 + a) u u' = a (1 - u) reads (k + 1)/2 S_(k+1) + k/2 S_k = -u_(k-1).
    """
    u = [0.0, 1.0]
    for k in range(2, TERMS + 2):
        before = sum(u[i] * u[k - i] for i in range(1, k))
        known = sum(u[i] * u[k + 1 - i] for i in range(2, k))
        u.append(((-2.0 * u[k - 1] - k * before) / (k + 1) - known) / 2.0)
    return tuple(u[1:])


RESTITUTION_SERIES = _restitution_series()


def phi(z: float) -> float:
    """z - ln(1 + z) for z > -1, to full precision near 0."""
    if abs(z) < SERIES_BELOW:
        return float(sum((-1) ** k * z**k / k for k in range(2, TERMS + 2)))
    return z - math.log1p(z)


def restitution(damping: float) -> float:
    """e of a free impact with damping a >= 0: (1 + W0(-(1 + a) exp(-(1 + a))))/a. Raises ModelError for a < 0 or not finite."""
    if not 0.0 <= damping < math.inf:
        raise ModelError(f"damping of a contact law must be at least 0 and finite, got {damping:g}")
    if damping < SERIES_BELOW:
        return float(sum(c * damping**k for k, c in enumerate(RESTITUTION_SERIES)))
    from scipy.special import lambertw  # takes half a second, which who only reads a configuration need not wait for

    return float((1.0 + lambertw(-(1.0 + damping) * math.exp(-1.0 - damping)).real) / damping)


def exact_damping(wanted: float) -> float:
    """a whose free impact has exactly the restitution `wanted` in (0, 1]: the inverse of `restitution`.

    Bisection and Newton on ln a of phi(a) - phi(-a e), which is increasing between 0 and 1/e. Raises ModelError outside (0, 1].
    """
    if not 0.0 < wanted <= 1.0:
        raise ModelError(f"restitution must be in (0, 1], got {wanted:g}")
    if wanted == 1.0:
        return 0.0
    low, high = 0.0, 1.0 / wanted
    a = min(1.5 * (1.0 - wanted) / wanted, 0.999 * high)
    for _ in range(200):
        error, slope = _mismatch(a, wanted)
        low, high = (a, high) if error < 0.0 else (low, a)
        proposed = a - error / slope if slope > 0.0 else low
        nearer = proposed if low < proposed < high else 0.5 * (low + high)
        if nearer == a or abs(nearer - a) <= 1e-16 * a:
            return nearer
        a = nearer
    return a


def _mismatch(a: float, e: float) -> tuple[float, float]:
    """(phi(-a e) - phi(a))/a^2 and its slope: negative where a gives more than e. Divided, since both vanish as a^2."""
    u = a * e
    if a < SERIES_BELOW:
        terms = [(e**k - (-1) ** k) / k for k in range(2, TERMS + 2)]
        return sum(c * a**k for k, c in enumerate(terms)), sum(k * c * a ** (k - 1) for k, c in enumerate(terms) if k)
    if u >= 1.0:
        return 1.0, 0.0
    difference = phi(-u) - phi(a)
    slope = e * u / (1.0 - u) - a / (1.0 + a)
    return difference / a**2, (slope - 2.0 * difference / a) / a**2


def compression_integral(damping: float) -> float:
    """g = (a - ln(1 + a))/a^2; 1/2 for a = 0."""
    if damping < SERIES_BELOW:
        return float(sum((-1) ** k * damping ** (k - 2) / k for k in range(2, TERMS + 2)))
    return phi(damping) / damping**2


def largest_penetration(damping: float, stiffness: float, exponent: float, mass: float, speed: float) -> float:
    """delta_max, m: delta_max^(n+1) = (n + 1) g m v0^2/K with K in N/m^n, m in kg (reduced mass), v0 in m/s."""
    for name, value, unit in (("stiffness", stiffness, "N/m^n"), ("mass", mass, "kg"), ("approach speed", speed, "m/s")):
        if not 0.0 < value < math.inf:
            raise ModelError(f"{name} of an impact must be more than 0 {unit} and finite, got {value:g}")
    n = exponent
    return float(((n + 1.0) * compression_integral(damping) * mass * speed**2 / stiffness) ** (1.0 / (n + 1.0)))


def energy_shares(damping: float) -> tuple[float, float]:
    """Energy lost while compressing and while recovering, as shares of m v0^2/2; together 1 - e^2."""
    recovered = 2.0 * compression_integral(damping)
    return 1.0 - recovered, recovered - restitution(damping) ** 2


def speed_profile(damping: float, exponent: float, share: np.ndarray) -> np.ndarray:
    """delta'/v0 while compressing, at penetrations `share` = delta/delta_max (any shape): phi(a w) = phi(a) (1 - share^(n+1)).

    By Newton from above, where it converges monotonically; phi is convex.
    """
    level = 2.0 * compression_integral(damping) * (1.0 - np.asarray(share, dtype=float) ** (exponent + 1.0))
    w = np.sqrt(level)
    for _ in range(60):
        z = damping * w
        value = 2.0 * w**2 * np.array([compression_integral(float(v)) for v in np.ravel(z)]).reshape(z.shape)
        slope = 2.0 * w / (1.0 + z)
        step = np.divide(value - level, slope, out=np.zeros_like(w), where=slope > 0.0)
        w = w - step
        if np.max(np.abs(step), initial=0.0) < 1e-15:
            break
    return w
