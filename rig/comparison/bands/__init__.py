"""The band of an ensemble beside what was measured: how often this lies inside, how wide the band is, and whether it keeps what it says.

Imports the series and the intervals of the comparison.
Imported by the comparison's result, and by reports.
"""
