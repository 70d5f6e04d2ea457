"""What sensors make of a quantity: characteristics, units, scales, rosettes, templates of data sheets.

Imports core.
Imported by subsystems, the engine and rooms above it.
"""
