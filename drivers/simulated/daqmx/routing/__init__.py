"""Signals at terminals: wires, routes, pins that have several names or that nothing is connected to.

Imports core.
Imported by timing, triggering, subsystems, the engine and rooms above it.
"""
