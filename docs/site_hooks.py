"""What the site makes otherwise than the folder: links to files of the program become their names, and two pages are made from others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+([^)#]+)(#[^)]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """index.md is the README; decisions.md lists the decisions."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    readme = readme.replace("](docs/decisions)", "](decisions.md)").replace("](docs/", "](")
    files.append(File.generated(config, "index.md", content=readme))
    rows = []
    for path in sorted((ROOT / "docs" / "decisions").glob("*.md")):
        title = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        rows.append(f"- [{path.stem[:4]} {title}](decisions/{path.name})")
    files.append(File.generated(config, "decisions.md", content="\n".join(["# Decisions\n", *rows]) + "\n"))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links out of docs/ lead nowhere on a site."""
    if page.file.src_uri.startswith("decisions/"):
        markdown = re.sub(r"\[([^\]]+)\]\(\.\./([a-z_]+\.md)", r"[\1](../\2", markdown)
        return re.sub(r"\[([^\]]+)\]\(\.\./\.\./([^)]+)\)", r"`\2`", markdown)
    markdown = OUTSIDE.sub(r"`\2`", markdown)
    markdown = re.sub(r"\]\(decisions/?\)", "](decisions.md)", markdown)
    return re.sub(r"\[([^\]]+)\]\(([a-z_/]+\.py)\)", r"`docs/\2`", markdown)
