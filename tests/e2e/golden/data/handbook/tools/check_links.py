"""Check that every page is named in the contents."""

import sys
from pathlib import Path


def pages(folder: Path) -> list[Path]:
    """List the pages of the handbook."""
    return sorted(folder.rglob("*.md"))


def missing(folder: Path) -> list[str]:
    """List the pages that the contents do not name."""
    contents = (folder / "README.rst").read_text(encoding="utf-8")
    return [page.name for page in pages(folder) if page.name not in contents]


if __name__ == "__main__":
    sys.exit("\n".join(missing(Path())))
