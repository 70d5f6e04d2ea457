"""Campaigns: many models or tests that differ in a few keys, computed by Dask, kept task by task, and what the figures depend on.

Dask, Zarr, xarray and SALib come with the extra `campaign`, and are imported when they are used.
Imports configuration, prediction, and what keeps files. Imported by the command `rig sweep`.
"""
