"""The delay of measured behind predicted: searched, doubted, and how sure it is.

Imports the series of the comparison.
Imported by the comparison, and for shifts by parts of a sample by the overlay and by what imports recordings.
"""
