"""Calculated channels: an expression over channels, evaluated block by block. Pure functions of arrays and state.

Imports numpy and the rainflow library; units are the configuration's business.
Imported by the configuration, checks, workers, and whoever computes a channel again from a record.
"""
