"""How bodies and pins of a mechanism move along a recorded test, by the model; pictures of it: orbits in the clearance, an animation.

Imports the report's drawing, the comparison and the model's mechanisms; the geometry is `rig.motion`'s.
Imported by commands and by the report as a document.
"""
