"""The closed forms of an impact against the same relations in 60 decimal digits, solved by bisection.

Of hu2016: a (1 + e) = ln((1 + a)/(1 - a e)); m v dv/ddelta = -K delta^n (1 + a v/v0), which integrates to
phi(a w) = phi(a) (1 - (delta/delta_max)^(n+1)) with phi(z) = z - ln(1 + z) and w = v/v0.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext

import numpy as np
import pytest

from model.contact.impact import Impact, integrated_restitution, profile_exponent
from model.contact.restitution import (
    compression_integral,
    energy_shares,
    exact_damping,
    largest_penetration,
    phi,
    restitution,
    speed_profile,
)
from model.errors import ModelError, NotConverged
from tests.each_row import each_row

DIGITS = 60
DAMPINGS = [1e-12, 1e-6, 1e-3, 0.01, 0.03, 0.049, 0.0499999, 0.05, 0.0500001, 0.06, 0.15, 0.7, 1.5, 4.0, 30.0]
WANTED = [0.002, 0.02, 0.1, 0.3, 0.5, 0.8, 0.95, 0.966, 0.9671, 0.968, 0.99, 0.9999, 0.999999]


def phi_of(z: Decimal) -> Decimal:
    return z - (1 + z).ln()


def root(rising: Callable[[Decimal], Decimal], low: Decimal, high: Decimal) -> Decimal:
    for _ in range(150):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return low


def exact_restitution(a: float) -> float:
    """e, of phi(-a e) = phi(a)."""
    with localcontext() as context:
        context.prec = DIGITS
        d = Decimal(a)
        return float(root(lambda e: phi_of(-d * e) - phi_of(d), Decimal(0), min(Decimal(1), (1 - Decimal("1e-50")) / d)))


def damping_of(e: float) -> float:
    """a, of phi(-a e) = phi(a), above the root at 0."""
    with localcontext() as context:
        context.prec = DIGITS
        wanted = Decimal(e)
        return float(root(lambda a: phi_of(-a * wanted) - phi_of(a), Decimal("1e-12"), (1 - Decimal("1e-50")) / wanted))


@each_row("z", [sign * a for a in DAMPINGS for sign in (1.0, -1.0) if sign * a > -1.0])
def test_phi(z: float) -> None:
    with localcontext() as context:
        context.prec = DIGITS
        exact = float(phi_of(Decimal(z)))
    assert phi(z) == pytest.approx(exact, rel=1e-12, abs=0.0)


@each_row("a", DAMPINGS)
def test_what_comes_out_of_a_damping(a: float) -> None:
    """Restitution, the share that goes in each phase, the depth of bodies with an exponent of 2.

    Lambert's function is taken near its branch point, which costs 1e-16/a^2 of e, 4e-14 at the a where the series end.
    """
    out = exact_restitution(a)
    with localcontext() as context:
        context.prec = DIGITS
        g = float(phi_of(Decimal(a)) / Decimal(a) ** 2)
    assert restitution(a) == pytest.approx(out, abs=1e-13)
    assert compression_integral(a) == pytest.approx(g, rel=1e-12)
    assert energy_shares(a) == pytest.approx((1.0 - 2.0 * g, 2.0 * g - out**2), abs=1e-12)
    assert largest_penetration(a, 3e8, 2.0, 0.2, 0.5) == pytest.approx((3.0 * g * 0.2 * 0.5**2 / 3e8) ** (1.0 / 3.0), rel=1e-12)


def test_an_elastic_impact_is_exactly_that() -> None:
    assert (phi(0.0), restitution(0.0), exact_damping(1.0), compression_integral(0.0)) == (0.0, 1.0, 0.0, 0.5)
    assert energy_shares(0.0) == (0.0, 0.0)


@each_row("e", WANTED)
def test_what_damping_a_wanted_restitution_takes(e: float) -> None:
    """Near 1 a relative error of 1e-16 of e is one of 1e-16/(1 - e) of the damping."""
    assert exact_damping(e) == pytest.approx(damping_of(e), rel=2e-13 + 1e-15 / (1.0 - e))


@pytest.mark.parametrize(("a", "n"), [(0.01, 1.5), (0.15, 1.5), (0.8, 1.0), (3.0, 2.0)])
def test_speed_while_compressing(a: float, n: float) -> None:
    share = np.array([[0.0, 0.1, 0.5], [0.9, 0.999, 1.0]])

    def speed(share: float) -> float:
        with localcontext() as context:
            context.prec = DIGITS
            d = Decimal(a)
            level = phi_of(d) * (1 - Decimal(share) ** (Decimal(n) + 1))
            return float(root(lambda w: phi_of(d * w) - level, Decimal(0), Decimal(1)))

    np.testing.assert_allclose(speed_profile(a, n, share), np.vectorize(speed)(share), rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("n", [1.0, 1.5, 3.0])
def test_without_damping_the_profile_is_that_of_the_energy(n: float) -> None:
    """v^2 = v0^2 (1 - (delta/delta_max)^(n + 1)): the exponent that is fitted is n + 1."""
    assert profile_exponent(Impact(1e9, n, 0.5, 0.3, 0.0)) == pytest.approx(n + 1.0, abs=1e-9)


@pytest.mark.parametrize(("c", "v0", "beta"), [(2e9, 0.8, 2.4103), (2e10, 0.1, 2.3906)])
def test_the_exponents_of_the_example_impacts_to_their_last_digit(c: float, v0: float, beta: float) -> None:
    """A thousand samples uniform in penetration, as the published fit has them."""
    assert profile_exponent(Impact(1.07e10, 1.5, 0.033, v0, c * v0 / 1.07e10)) == pytest.approx(beta, abs=1e-4)


def test_an_impact_so_damped_that_it_creeps_apart() -> None:
    """With a large damping the bodies part at nearly v0/a, which takes a times delta_max/v0: more than a thousand is refused."""
    assert integrated_restitution(Impact(1e10, 1.5, 0.03, 0.7, 800.0)) == pytest.approx(1.0 / 800.0, rel=1e-9)
    with pytest.raises(NotConverged, match=r"impact: still in contact after \d"):
        integrated_restitution(Impact(1e10, 1.5, 0.03, 0.7, 1500.0))


@pytest.mark.parametrize("e", [0.0, -0.2, 1.0001, float("nan")])
def test_a_restitution_that_there_is_not(e: float) -> None:
    with pytest.raises(ModelError, match=r"restitution must be in \(0, 1\], got"):
        exact_damping(e)


@pytest.mark.parametrize("a", [-1e-9, float("inf"), float("nan")])
def test_a_damping_that_there_is_not(a: float) -> None:
    with pytest.raises(ModelError, match="damping of a contact law must be at least 0 and finite"):
        restitution(a)


@each_row(("name", "changed"), [("stiffness", 0), ("mass", 1), ("approach speed", 2)])
@each_row("value", [0.0, -1.0, float("inf"), float("nan")])
def test_an_impact_that_there_is_not(name: str, changed: int, value: float) -> None:
    values = [1e10, 0.03, 0.7]
    values[changed] = value
    with pytest.raises(ModelError, match=f"{name} of an impact must be more than 0 .* and finite, got"):
        largest_penetration(0.1, values[0], 1.5, values[1], values[2])
