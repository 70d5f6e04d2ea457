"""Sensors as data and formulas: characteristics, units, scales, rosettes, templates of data sheets.

Imports core.
Imported by subsystems, the engine and rooms above it.
"""
