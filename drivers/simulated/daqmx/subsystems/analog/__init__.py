"""Analogue input and output: converters, couplings, shunts, input memory, logs of what is acquired.

Imports `task_type`, `runs`, triggering, timing, sensors, routing and core; no other subsystem.
Imported by the engine and by rooms above it.
"""
