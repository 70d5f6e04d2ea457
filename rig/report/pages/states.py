"""The page of the states of a test, made from their table: `python -m rig.report.pages.states > docs/states.md`."""

from __future__ import annotations

from rig.streaming.states import table

HEAD = """# States of a test

Made from the program by `python -m rig.report.pages.states > docs/states.md`; a test holds it to that. The window, the supervisor, the
bench worker and the record use the same table. How to hold, resume and change a test: [hold and resume](holding.md).

Limits without `states` are armed except in `stopped`. A request that the second table has no way for is refused, in words.

"""


def page() -> str:
    """The page as Markdown."""
    return HEAD + table() + "\n"


if __name__ == "__main__":
    print(page(), end="")
