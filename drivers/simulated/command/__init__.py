"""The command `daqmx-sim`: serve simulated devices, run a program on them, look at products and files of devices.

Imports the simulated devices; what only one subcommand needs is loaded by it.
Imported by nobody.
"""
