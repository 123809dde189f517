"""Descriptors of the contract with their comments, and steps shared by the generators of code from the contract."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from google.protobuf import descriptor_pb2

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"


def descriptors() -> descriptor_pb2.FileDescriptorSet:
    """Return all files of the contract. Raises: SystemExit if protoc fails."""
    protoc = importlib.import_module("grpc_tools.protoc")
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "set"
        sources = [str(path) for path in sorted((PROTO / "repoquarry/v1").glob("*.proto"))]
        includes = [f"--proto_path={PROTO}", f"--proto_path={files('grpc_tools') / '_proto'}"]
        if protoc.main(["protoc", *includes, "--include_source_info", f"--descriptor_set_out={output}", *sources]) != 0:
            raise SystemExit("protoc failed")
        return descriptor_pb2.FileDescriptorSet.FromString(output.read_bytes())


def leading_comments(file: descriptor_pb2.FileDescriptorProto) -> Mapping[tuple[int, ...], str]:
    """Map the path of each element (field numbers) to the comment above it, with its line breaks."""
    return {
        tuple(place.path): "\n".join(line.strip() for line in place.leading_comments.strip().split("\n"))
        for place in file.source_code_info.location
    }


def service_files() -> list[descriptor_pb2.FileDescriptorProto]:
    """The files that define a service, by name."""
    files = [file for file in descriptors().file if file.service and file.name.startswith("repoquarry/")]
    return sorted(files, key=lambda file: file.name)


def module_name(file: descriptor_pb2.FileDescriptorProto) -> str:
    """Name of the module with the messages of a file."""
    return Path(file.name).stem + "_pb2"


def short_name(file: descriptor_pb2.FileDescriptorProto) -> str:
    """Subject of a service's file, such as `batch`."""
    return Path(file.name).stem.removesuffix("_service")


def snake_case(name: str) -> str:
    """Convert the name of a method to Python's convention."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def format_source(source: str, path: Path) -> str:
    """Sort the imports and format as the file at `path` is formatted."""
    ruff = str(Path(sys.executable).parent / "ruff")
    first_party = 'lint.isort.known-first-party=["repoquarry"]'  # else it depends on which folders are there already
    for step in (["check", "--select", "I", "--config", first_party, "--fix", "--quiet"], ["format", "--quiet"]):
        command = [ruff, *step, "--stdin-filename", str(path), "-"]
        source = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    return source


def report_stale_files(files: Mapping[Path, str], *, check: bool, committed: Mapping[Path, str] | None = None) -> int:
    """Write the files; with `check` name those that differ from what is committed. Returns the exit code."""
    if not check:
        for path, text in files.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return 0
    if committed is None:
        committed = {path: path.read_text(encoding="utf-8") if path.exists() else "" for path in files}
    stale = sorted(path for path in files.keys() | committed.keys() if files.get(path) != committed.get(path))
    for path in stale:
        print(f"{path.relative_to(ROOT)} is out of date: run `make generate`", file=sys.stderr)
    return 1 if stale else 0
