"""Pure computation: contact laws, joints, mechanisms, integrators (numpy, scipy, numba; SI units throughout)."""
