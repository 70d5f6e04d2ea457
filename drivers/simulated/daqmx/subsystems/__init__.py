"""What a task of each type does with its samples: analogue, digital, counter; `task_type` and `runs` are what all of them share.

Imports triggering, timing, sensors, routing and core: state, never the engine.
Imported by the engine and by rooms above it.
"""
