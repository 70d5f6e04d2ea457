"""Pure functions of sampled signals: filters, shaft speed, contact loss, statistics, units on paper.

Imports numpy and scipy only.
Imported everywhere above.
"""
