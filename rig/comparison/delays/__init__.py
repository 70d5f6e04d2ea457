"""The delay of measured behind predicted: searched, doubted, and how sure it is.

Imports the series of the comparison.
Imported by the comparison, and by the overlay of its report for shifts by parts of a sample.
"""
