"""Deformable bodies: beams of ANCF elements, plates of triangles; each with its mass, stiffness and internal forces.

Imports integrators (return codes), compiled and errors.
Imported by the mechanisms.
"""
