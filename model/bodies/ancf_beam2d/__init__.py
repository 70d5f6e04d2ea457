"""Planar ANCF beam: the bar and its matrices, and the compiled functions of its elements.

Imports compiled.
Imported by model.assembly.rods, model.mechanisms.slider_crank_flexible and the spatial beam.
"""
