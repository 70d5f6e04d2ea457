"""The engine lets bench time pass: a slice of time after the other, through all tasks, routes and the plant.

Imports subsystems, timing, triggering, routing and core.
Imported by system and all rooms above it, and by who serves devices.
"""
