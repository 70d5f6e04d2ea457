"""Kinds of joint in a planar description: a file each, with the keys of [[mechanism.joints]] as its `Config`.

Imports the elements of model.assembly.
Found by kind; of the other rooms drives know the slide that they move.
"""
