"""Device sides of motor drives: what answers the drivers of `drivers.axes`, and turns a shaft.

Imports the line's device end, shafts of the plant, and the protocols.
Imported by the virtual bench.
"""
