"""The record of a test: journal and HDF5 file, written, recovered, opened, read, examined.

Imports streaming, files and configuration.
Imported by the recorder worker, display, reports and commands.
"""
