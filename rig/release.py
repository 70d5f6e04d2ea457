"""Version of the program, for whoever writes it down."""

VERSION = "0.1.0"
"""The same as in pyproject.toml, which a test holds it to."""
