"""Measured against predicted: pure functions of arrays, the same live and from the record.

Imports signals.
Imported by prediction, display, reports and reproduction.
"""

from rig.comparison.channels import Commanded, Compared, agreement, agreements
from rig.comparison.preparation import Settings
from rig.comparison.result import CONVENTION, ChannelAgreement, CycleAgreement
from rig.comparison.verdicts import METRICS, Criterion, Line, Verdict, verdict, withheld

__all__ = [
    "CONVENTION", "METRICS", "ChannelAgreement", "Commanded", "Compared", "Criterion", "CycleAgreement", "Line", "Settings", "Verdict",
    "agreement", "agreements", "verdict", "withheld",
]  # fmt: skip
