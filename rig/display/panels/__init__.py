"""What is drawn: curves, bars, loops, spectra, tables of events. Each panel is one file.

Imports sources and the display's theme.
Imported by the windows.
"""
