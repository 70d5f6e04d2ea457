"""The model's figures over the free numbers, near to what was found, as polynomials: what the model does between two of its runs.

A model with impacts is rough: its figures jump a little wherever an impact changes places. Polynomials through many runs are smooth, and
how far single runs lie beside them is known; figures that they do not follow count for less in a fit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Executor
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

from rig.identification.weighting import Weighting

Floats = NDArray[np.float64]
Predict = Callable[[Floats], Floats]
"""Shares (p,) of the free numbers' ranges -> figures (d,); raises ModelError."""

CUBIC_TO = 2
"""Free numbers; of more the surfaces are quadratic."""
RUNS_EACH, LEAST_RUNS = 4, 24
"""Runs of the model for each coefficient of a figure, and at least."""
PLACES = 4096
"""At which a surface is looked at before the best place is gone on from."""
REFINEMENTS = 30


class Region:
    """A box of shares, (p,) each, within 0 and 1. Local numbers go from -1 to 1."""

    def __init__(self, low: Floats, high: Floats) -> None:
        self.low, self.high = low, high

    @classmethod
    def about(cls, centre: Floats, radius: Floats) -> Region:
        """Centre +- radius (p,), as far as there are shares."""
        return cls(np.maximum(centre - radius, 0.0), np.minimum(centre + radius, 1.0))

    def shares(self, local: Floats) -> Floats:
        """Of local numbers (..., p)."""
        return np.asarray(self.low + 0.5 * (local + 1.0) * (self.high - self.low))

    def local(self, shares: Floats) -> Floats:
        """Of shares (..., p)."""
        return np.asarray(2.0 * (shares - self.low) / (self.high - self.low) - 1.0)


class Surface:
    """Of the figures over a region. coefficients (terms, d); beside (d,): variance of single runs of the model about it."""

    def __init__(self, region: Region, coefficients: Floats, beside: Floats) -> None:
        self.region, self.coefficients, self.beside = region, coefficients, beside
        self._powers = _powers(len(region.low))

    @classmethod
    def through(cls, region: Region, predict: Predict, pool: Executor, seed: int) -> Surface:
        """Through runs of the model spread in the region. Raises ModelError where the model does not run."""
        count = len(region.low)
        powers = _powers(count)
        runs = max(LEAST_RUNS, RUNS_EACH * len(powers))
        places = qmc.Sobol(count, rng=np.random.default_rng(seed)).random_base2(math.ceil(math.log2(runs)))
        local = 2.0 * places - 1.0
        shown = np.stack(list(pool.map(predict, [region.shares(one) for one in local])))
        terms = _terms(local, powers)
        coefficients = np.asarray(np.linalg.lstsq(terms, shown, rcond=None)[0])
        rest = shown - terms @ coefficients
        return cls(region, coefficients, np.sum(rest**2, axis=0) / (len(local) - len(powers)))

    def terms(self, local: Floats) -> Floats:
        """(..., terms) of local numbers (..., p)."""
        return _terms(local, self._powers)

    def slopes(self, local: Floats) -> Floats:
        """(..., terms, p): derivatives of the terms at local numbers (..., p)."""
        found = []
        for k, row in enumerate(np.eye(local.shape[-1], dtype=int)):
            lower = np.maximum(self._powers - row, 0)  # where the term has not the number, the factor is zero
            found.append(self._powers[:, k] * _terms(local, lower))
        return np.stack(found, axis=-1)

    def at(self, shares: Floats) -> Floats:
        """Figures (d,)."""
        return np.asarray(self.terms(self.region.local(shares)) @ self.coefficients)


class SurfaceFit:
    """Least squares on a surface: where its figures come closest to given ones."""

    def __init__(self, surface: Surface, weighting: Weighting, seed: int) -> None:
        self._surface, self._weighting = surface, weighting
        # All that a fit needs of the figures is their part in the space of the coefficients: as many numbers as there are terms.
        self._basis, self._coordinates = np.linalg.qr(weighting.whitened(surface.coefficients.T))
        count = len(surface.region.low)
        places = qmc.Sobol(count, rng=np.random.default_rng(seed)).random(PLACES)
        ends = np.array(np.meshgrid(*[(-1.0, 1.0)] * count)).reshape(count, -1).T
        self._places = np.concatenate((2.0 * places - 1.0, ends))
        self._shown = surface.terms(self._places) @ self._coordinates.T
        self._shown_squared = np.sum(self._shown**2, axis=1)

    def of(self, figures: Floats) -> tuple[Floats, float]:
        """(shares (p,), sum of squares that is left) of figures (d,)."""
        shares, left = self.each(figures[None])
        return shares[0], float(left[0])

    def each(self, figures: Floats) -> tuple[Floats, Floats]:
        """(shares (n, p), sums of squares that are left (n,)) of n specimens' figures (n, d), each fitted by itself."""
        whitened, inside = self._whitened(figures)
        local = self._refined(self._nearest(inside), inside, list(range(self._places.shape[1])))
        return self._surface.region.shares(local), self._left(local, whitened)

    @property
    def region(self) -> Region:
        """Where the surface is."""
        return self._surface.region

    def left_at(self, figures: Floats, shares: Floats) -> Floats:
        """Sums of squares (n,) that are left of figures (d,) at each of shares (n, p)."""
        return self._left(self._surface.region.local(shares), self._whitened(figures[None])[0])

    def places(self, k: int, count: int) -> Floats:
        """Shares (count,) of number k from one end of the region to the other."""
        return np.linspace(self._surface.region.low[k], self._surface.region.high[k], count)

    def along(self, figures: Floats, k: int, shares: Floats) -> Floats:
        """Sums of squares (n,) that are left of figures (d,), or of n specimens' figures (n, d), where number k is held at each of shares
        (n,) and the others are fitted."""
        whitened, inside = self._whitened(np.broadcast_to(figures, (len(shares), figures.shape[-1])))
        region, others = self._surface.region, [i for i in range(self._places.shape[1]) if i != k]
        local = self._nearest(inside)
        local[:, k] = 2.0 * (shares - region.low[k]) / (region.high[k] - region.low[k]) - 1.0
        return self._left(self._refined(local, inside, others) if others else local, whitened)

    def _whitened(self, figures: Floats) -> tuple[Floats, Floats]:
        """Figures (n, d) in deviations that are independent of each other (n, d); their part in the space of the coefficients (n, c)."""
        whitened = self._weighting.whitened(figures.T).T
        return whitened, whitened @ self._basis

    def _nearest(self, inside: Floats) -> Floats:
        """(n, p): of all places the one whose figures come closest to each of (n, c)."""
        return np.asarray(self._places[np.argmin(self._shown_squared[:, None] - 2.0 * self._shown @ inside.T, axis=0)])

    def _shown_at(self, local: Floats) -> Floats:
        """(n, c): part of the surface's figures in the space of the coefficients, at local numbers (n, p)."""
        return np.asarray(self._surface.terms(local) @ self._coordinates.T)

    def _left(self, local: Floats, whitened: Floats) -> Floats:
        """Sums of squares (n,)."""
        return np.asarray(np.sum((whitened - self._shown_at(local) @ self._basis.T) ** 2, axis=1))

    def derivatives(self, shares: Floats) -> Floats:
        """(d, p) of the figures by the shares."""
        region = self._surface.region
        local = self._surface.slopes(region.local(shares)) * (2.0 / (region.high - region.low))
        return np.asarray(self._surface.coefficients.T @ local)

    def _refined(self, local: Floats, inside: Floats, free: list[int]) -> Floats:
        """Gauss-Newton with halved steps over the free ones of the numbers (n, p), within the region; each row until no step helps it."""
        local = local.copy()
        best = np.sum((inside - self._shown_at(local)) ** 2, axis=1)
        going = np.arange(len(local))
        for _ in range(REFINEMENTS):
            error = inside[going] - self._shown_at(local[going])
            slopes = self._coordinates @ self._surface.slopes(local[going])[..., free]
            step = np.zeros((len(going), local.shape[1]))
            step[:, free] = (np.linalg.pinv(slopes) @ error[..., None])[..., 0]
            helped = np.zeros(len(going), dtype=bool)
            for share in 0.5 ** np.arange(8):
                rest = np.flatnonzero(~helped)
                there = np.clip(local[going[rest]] + share * step[rest], -1.0, 1.0)
                misfit = np.sum((inside[going[rest]] - self._shown_at(there)) ** 2, axis=1)
                nearer = misfit < best[going[rest]]
                rows = going[rest[nearer]]
                local[rows], best[rows] = there[nearer], misfit[nearer]
                helped[rest[nearer]] = True
                if helped.all():
                    break
            going = going[helped]
            if not len(going):
                break
        return local


def _powers(count: int) -> NDArray[np.int_]:
    """(terms, count): exponents of all terms of a polynomial in so many numbers."""
    found = []
    for total in range((3 if count <= CUBIC_TO else 2) + 1):
        for chosen in combinations_with_replacement(range(count), total):
            found.append([chosen.count(k) for k in range(count)])
    return np.array(found)


def _terms(local: Floats, powers: NDArray[np.int_]) -> Floats:
    """(..., terms) of local numbers (..., p) and exponents (terms, p)."""
    of_each = np.stack([local**n for n in range(int(powers.max()) + 1)], axis=-1)  # (..., p, exponent)
    return np.asarray(np.prod(of_each[..., np.arange(powers.shape[1]), powers], axis=-1))
