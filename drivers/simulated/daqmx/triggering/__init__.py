"""From triggers and clock to the instants of samples: start, pause, reference, retriggering.

Imports timing, routing and core.
Imported by subsystems, the engine and rooms above it.
"""
