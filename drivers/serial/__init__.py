"""The serial line itself: ports, exchanges and their deadlines, numbers as devices write them.

Imports pyserial, and nothing of the other rooms.
Imported by axes, loaders and instruments.
"""
