"""What stands behind a device: signals, shafts and load frames, as protocols that a plant fulfils.

Imports nothing of the other rooms.
Imported by all simulated devices, and by the plants of rig.
"""
