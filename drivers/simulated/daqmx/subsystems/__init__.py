"""What a task of each type does with its samples: analogue, digital, counter; what all types share is in `task_type`.

Imports triggering, timing, sensors, routing and core: state, never the engine.
Imported by the engine and by rooms above it.
"""
