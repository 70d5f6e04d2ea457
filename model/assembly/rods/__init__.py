"""Rods of a planar mechanism that give way: ANCF beams which joints, springs, loads and sensors meet at their nodes.

Imports layout, elements, description, functions and what is below assembly.
Imported by model.assembly and model.mechanisms.planar.
"""
