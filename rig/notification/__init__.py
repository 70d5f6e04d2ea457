"""Telling somebody what a test does, by programs that the bench file names: which notices there are, how often they go out, how a program
is kept within bounds. `process` is a program of its own, so that whoever follows the test waits for nothing of this.

Imports nothing of the rig.
Imported by the configuration and by supervision.
"""
