"""The computer: its clock, signals, the end of a process, the home of a user.

Imports the standard library only.
Imported everywhere above.
"""
