"""The processes of a run: their start, their signs of life, their death, the outcome; and a bench that is opened for one command.

Imports workers, hardware and the virtual bench.
Imported by commands.
"""
