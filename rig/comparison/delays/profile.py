"""Residual sums of squares over the whole range of shifts, by block FFTs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from rig.comparison.delays.fits import Fits
from rig.comparison.series import Floats

BLOCK = 1 << 15


class Profile(NamedTuple):
    """Residual sums of squares (2 reach + 1,) for d = -reach .. reach, with a gain above zero, and with one below; inf where the best
    gain has the other sign."""

    along: Floats
    against: Floats

    @classmethod
    def from_fits(cls, fits: Fits, reach: int) -> Profile:
        """That of all whole shifts within `reach` samples."""
        mp, wp, wpp = _sums(fits.m, fits.p, fits.w, reach)
        variance = wpp - wp**2 / np.count_nonzero(fits.w)
        with np.errstate(divide="ignore", invalid="ignore"):
            rss = float(np.dot(fits.m, fits.m)) - mp**2 / variance  # m has no mean over w, so mp is the covariance
        along, against = (np.where((sign * mp > 0.0) & (variance > 0.0), rss, np.inf) for sign in (1.0, -1.0))
        return cls(along, against)


def _sums(m: Floats, p: Floats, w: NDArray[np.bool_], reach: int) -> tuple[Floats, Floats, Floats]:
    """Sums over n of m(n) p(n-d), w(n) p(n-d), w(n) p(n-d)^2 for d = -reach .. reach, block by block."""
    block = max(BLOCK, 1 << (4 * reach).bit_length())
    size = scipy.fft.next_fast_len(block + 2 * reach, real=True)
    padded = np.concatenate((np.zeros(reach), p, np.zeros(reach)))
    spectra = np.zeros((3, size // 2 + 1), dtype=np.complex128)
    for start in range(0, len(m), block):
        context = padded[start : start + block + 2 * reach]
        values, squares = scipy.fft.rfft(context, size), scipy.fft.rfft(context**2, size)
        template = np.conj(scipy.fft.rfft(w[start : start + block].astype(np.float64), size))
        spectra[0] += np.conj(scipy.fft.rfft(m[start : start + block], size)) * values
        spectra[1] += template * values
        spectra[2] += template * squares
    lags = scipy.fft.irfft(spectra, size, axis=1)[:, : 2 * reach + 1]
    mp, wp, wpp = lags[:, ::-1]  # entry j of `lags` is p(n - reach + j)
    return mp, wp, wpp
