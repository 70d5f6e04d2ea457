"""State without the passing of time: bench, task, channels, buffers, clocks, edges, what is behind the terminals.

Imports status and products, the bench's clock, and what stands behind a device.
Imported by every room above it.
"""
