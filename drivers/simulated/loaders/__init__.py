"""Device sides of servo-hydraulic controllers.

Imports the line's device end, load frames of the plant, and the protocols.
Imported by the virtual bench.
"""
