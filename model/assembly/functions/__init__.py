"""Functions of one variable that a description gives: curves through points, formulas; tables of numbers that a kernel reads.

Imports nothing of model.assembly.
Imported by its elements, its constraints and loads, and by the kinds of joints, drives and forces.
"""
