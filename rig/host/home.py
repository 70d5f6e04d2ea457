"""A home for a user whom the system does not know, as in a container that runs under a number: caches and settings are kept in one."""

import os


def ensure() -> None:
    """Where neither HOME nor the system names a home it is the temporary folder, for this program and those that it starts."""
    if os.path.expanduser("~") == "~":  # noqa: PTH111  # pathlib raises RuntimeError, and takes its time to be imported
        import tempfile

        os.environ["HOME"] = tempfile.gettempdir()
