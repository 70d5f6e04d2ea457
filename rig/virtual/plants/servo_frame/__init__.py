"""The servo-hydraulic frame with a linkage in it: settings, kernel, controller, noise.

Imports compiled code and the plants' contact.
Imported by the plants that are such frames.
"""
