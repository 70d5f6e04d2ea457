"""Bytes in, messages out: one codec for both ends of a line. No input or output, no state.

Imports nothing of the other rooms.
Imported by the serial line's users: axes, loaders and instruments, and their simulated device sides.
"""
