"""Text and TOML files of the user, read within bounds.

Imports nothing of the other rooms.
Imported by the simulated devices and by whatever reads a file of the user.
"""
