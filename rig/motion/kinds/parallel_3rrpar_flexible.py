"""The 3-RRPaR mechanism with bars that bend: it publishes what the rigid one does, and its bars are drawn straight."""

from rig.motion.kinds.parallel_3rrpar import CHANNELS, motion

__all__ = ["CHANNELS", "motion"]
