"""Sample clocks: rates that devices take, timebases, convert clocks.

Imports routing and core.
Imported by triggering, subsystems, the engine and rooms above it.
"""
