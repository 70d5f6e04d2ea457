"""Mechanisms: a folder each, whose `Config` holds the keys of [mechanism] and sets it in motion (model.mechanisms.mechanism).

Imports every room below: assembly, bodies, joints, contact, stepping, paths.
Found by kind; imported by separation, ensemble, warmup and the rig.
"""
