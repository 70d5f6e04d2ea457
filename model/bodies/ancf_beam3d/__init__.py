"""Spatial ANCF beam: the bar and its matrices, its formulations, and bars condensed to their ends.

Imports the planar beam, integrators (return codes) and compiled.
Imported by the mechanisms with flexible bars.
"""
