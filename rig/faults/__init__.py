"""The fault campaign: a table of what can go wrong (table.toml), what is expected of the program then, and whether that is what happens.

Imports everything up to the supervision of a test; the test itself is run by who is handed in.
Imported by commands.
"""
