"""How sure a figure of a comparison is: intervals from how cycles differ, and peaks that noise does not raise.

Imports signals and the series of the comparison.
Imported by the comparison only.
"""
