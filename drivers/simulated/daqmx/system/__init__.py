"""Devices of a system: their properties, power-up states, watchdogs, data sheets of sensors, calibration, custom scales.

Imports the engine and what lies below it.
Imported by configuration and all rooms above it.
"""
