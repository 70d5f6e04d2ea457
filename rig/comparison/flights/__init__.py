"""Where a joint is out of contact, as measured and as predicted: stretches of the angle, matched, and the share on which both agree.

Imports the series and the intervals of the comparison.
Imported by reports.
"""
