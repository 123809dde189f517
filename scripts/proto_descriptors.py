"""Descriptors of the contract with their comments, for the generated documentation and client."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from google.protobuf import descriptor_pb2

PROTO = Path(__file__).resolve().parent.parent / "proto"


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
