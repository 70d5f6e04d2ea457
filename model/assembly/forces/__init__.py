"""Kinds of force in a planar description: a file each, with the keys of [[mechanism.forces]] as its `Config`.

Imports the elements of model.assembly.
Found by kind; imported by no other room.
"""
