"""What is told of real-time hybrid tests: tables and a picture.

Imports hybrid.
Imported by the commands.
"""
