"""What `rig calibrate` takes and says: the points as a person sets them, and the record that they give.

Imports hardware, sensors and configuration.
Imported by `rig calibrate`.
"""
