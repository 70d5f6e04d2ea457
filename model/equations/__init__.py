"""Equations of motion generated for one planar mechanism: its description becomes straight-line source, compiled and kept.

Imports assembly and what is below.
Imported by mechanisms.
"""
