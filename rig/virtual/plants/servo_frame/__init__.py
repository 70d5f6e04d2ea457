"""The servo-hydraulic frame with a linkage in it: settings, kernel, controller, noise.

Imports compiled code.
Imported by the plants that are such frames.
"""
