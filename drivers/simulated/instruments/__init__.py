"""Device sides of instruments that are only read.

Imports the line's device end.
Imported by the virtual bench.
"""
