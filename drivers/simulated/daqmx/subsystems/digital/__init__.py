"""Digital lines: acquired and put out by a sample clock, or as they are.

Imports `task_type`, `runs`, triggering, timing, routing and core; no other subsystem.
Imported by the engine and by rooms above it.
"""
