"""The device's end of a serial line: bytes by bench time, and what every serial device shares.

Imports the bench's clock.
Imported by the simulated axes, loaders and instruments.
"""
