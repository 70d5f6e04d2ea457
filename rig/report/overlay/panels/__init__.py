"""The panels of overlay.png, one file each, and those of the user's own.

Imports the page's content and the report's drawing.
Imported by the page alone, which looks them up by kind.
"""
