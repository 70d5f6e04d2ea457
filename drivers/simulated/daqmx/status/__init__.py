"""Status codes, their words, and the driver's names of properties.

Imports nothing of the other rooms.
Imported by every room above it.
"""
