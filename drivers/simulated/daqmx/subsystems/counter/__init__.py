"""Counters: what they measure, follow and generate, their terminals and timebases.

Imports digital, triggering, timing, sensors, routing and core.
Imported by the engine and by rooms above it.
"""
