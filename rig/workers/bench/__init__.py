"""The bench worker, the only process that has drivers: from the first line opened to the last output at rest.

Imports drivers, checks, control, trajectory and streaming.
Started by the runtime.
"""
