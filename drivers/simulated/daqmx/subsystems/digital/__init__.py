"""Digital lines: acquired and put out by a sample clock, or as they are.

Imports triggering, timing, routing and core.
Imported by analog and counter, by the engine and by rooms above it.
"""
