"""Kinds of drive in a planar description: a file each, with the keys of [[mechanism.drives]] as its `Config`.

Imports the elements of model.assembly, and of the joints the slide.
Found by kind; imported by no other room.
"""
