"""Kinds of drive in a planar description: a file each, with the keys of [[mechanism.drives]] as its `Config`.

Imports the elements and the functions of model.assembly, and what drives come down to.
Found by kind; imported by no other room.
"""
