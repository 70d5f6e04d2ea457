"""Text and TOML files of the user, read within bounds, and the values that they hold.

Imports nothing of the other rooms.
Imported by the simulated devices and by whatever reads a file of the user.
"""
