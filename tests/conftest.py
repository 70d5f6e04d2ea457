"""Seeded property tests without a deadline: the machines that they run on are shared."""

from hypothesis import settings

settings.register_profile("rig", deadline=None, derandomize=True)
settings.load_profile("rig")
