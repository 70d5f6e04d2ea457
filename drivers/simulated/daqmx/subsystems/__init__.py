"""The types of tasks: analogue, digital, counter; all of them share `task_type` and `runs`.

Imports triggering, timing, sensors, routing and core: state, never the engine.
Imported by the engine and by rooms above it.
"""
