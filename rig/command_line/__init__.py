"""What commands share: names of files as they are given, confirmations, results and how they are told, pictures that are drawn at the end.

Imports everything below; no command.
Imported by commands.
"""
