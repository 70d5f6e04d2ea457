"""What moves the specimen, behind one interface: a loader on an output, one that runs waveforms, axes of a motor rig.

Imports drivers of axes and loaders.
Imported by the bench worker through `choice`.
"""
