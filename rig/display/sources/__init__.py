"""Where the numbers come from: rings of a test that runs, or a record; reduced to what a screen can show.

Imports streaming, recorder and configuration; nothing of Qt.
Imported by panels and windows.
"""
