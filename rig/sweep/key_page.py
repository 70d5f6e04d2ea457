"""The page of every key of a campaign file, made from the classes that read them: `python -m rig.sweep.key_page`."""

from __future__ import annotations

import sys

from rig.report.pages.configuration_keys import file_keys
from rig.sweep.campaign import Campaign

HEAD = """# Keys of a campaign file

Made from the program by `python -m rig.sweep.key_page > docs/campaign_keys.md`; a test holds it to that. How a campaign is run:
[campaigns](sweep.md).
"""


def page() -> str:
    """The page as Markdown."""
    return "\n".join([HEAD, *file_keys("Campaign file", Campaign)]).rstrip("\n") + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
