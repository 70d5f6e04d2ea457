"""Cartesian paths that a point of a mechanism follows: a file each, with the keys of [trajectory] path = "NAME" as its `Config`.

Imports numpy only; a `Config` derives from model.paths.course.Timed.
Found by kind; imported by mechanisms and the rig.
"""
