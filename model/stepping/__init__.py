"""Mechanisms in motion: input samples in, output samples out, at any block size (model.stepping.contract).

Imports integrators and compiled.
Imported by mechanisms, contact and ensemble.
"""
