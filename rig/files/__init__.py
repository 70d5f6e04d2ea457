"""Files of the program and of the user: written whole, read within limits.

Imports host.
Imported by whatever reads or writes a file.
"""
