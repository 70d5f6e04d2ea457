"""Counters: measuring, following and generating, their terminals and timebases.

Imports `task_type`, `runs`, triggering, timing, sensors, routing and core; no other subsystem.
Imported by the engine and by rooms above it.
"""
