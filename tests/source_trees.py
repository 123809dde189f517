"""Source trees on disk: files by path, and git repositories of them."""

import io
import os
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path

from repoquarry.graphstore.storage.source_store import SourceStore

_IDENTITY = ("-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")


def write_tree(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files by path and return the root."""
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def pack_tar(files: Mapping[str, str], wrapper: str = "package/", compression: str = "gz") -> bytes:
    """Return an archive of files by path below a folder."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=f"w:{compression}") as archive:  # type: ignore[call-overload]
        for path, text in files.items():
            entry = tarfile.TarInfo(wrapper + path)
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return out.getvalue()


def git(root: Path, *arguments: str, **variables: str) -> str:
    command, env = ["git", *_IDENTITY, *arguments], {**os.environ, **variables}
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True, env=env).stdout.strip()


def commit_tree(root: Path, message: str = "First") -> Path:
    """Commit everything below a folder, which becomes a repository with the branch `main` if it is none."""
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return root


def read_texts(sources: SourceStore, repository: str) -> dict[str, str]:
    """Return the indexed texts of a repository by path."""
    return {path: sources.text(repository, path) for path in sources.files(repository)}
