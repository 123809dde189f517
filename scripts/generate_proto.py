"""Generator of the Python code of the contract, or check of the committed code.

    python scripts/generate_proto.py            write repoquarry/v1/*_pb2*.py[i], repoquarry/v1/__init__.py[i] and the messages of SCIP
    python scripts/generate_proto.py --check    exit 1 and list the files that differ

The generated code is committed so that installing needs no compiler. `grpcio-tools` is pinned to its oldest supported version because
generated code requires a runtime at least as new as its compiler.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path("repoquarry/v1")
SCIP = Path("repoquarry/ingest/scip")
_DOCSTRING = '"""Generated messages and services of the contract; a name is loaded on its first use."""'
_PACKAGE = f"""{_DOCSTRING}

from importlib import import_module

_MODULES = {{{{
{{rows}}
}}}}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {{{{__name__!r}}}} has no attribute {{{{name!r}}}}")
    found: object = getattr(import_module(f"{{{{__name__}}}}.{{{{_MODULES[name]}}}}"), name)
    globals()[name] = found
    return found
"""


def generate(target: Path) -> list[Path]:
    """Write the generated code below `target` and return its relative paths. Raises: SystemExit if protoc fails."""
    sources = sorted((ROOT / "proto" / PACKAGE).glob("*.proto"))
    arguments = [
        "protoc",
        f"--proto_path={ROOT / 'proto'}",
        f"--proto_path={files('grpc_tools') / '_proto'}",
        f"--plugin=protoc-gen-mypy={Path(sys.executable).parent / 'protoc-gen-mypy'}",
        f"--python_out={target}",
        f"--mypy_out=quiet:{target}",
        f"--plugin=protoc-gen-mypy_grpc={Path(sys.executable).parent / 'protoc-gen-mypy_grpc'}",
        f"--mypy_grpc_out=quiet:{target}",
        f"--grpc_python_out={target}",
        f"--descriptor_set_out={target / 'contract.binpb'}",
        *(str(source) for source in sources),
    ]
    if protoc.main(arguments) != 0:
        raise SystemExit("protoc failed")
    for path in target.joinpath(PACKAGE).glob("*_pb2_grpc.py*"):
        if "_service_pb2" not in path.name:
            # Files without a service give an empty module.
            path.unlink()
    _write_package(target)
    _generate_scip(target)
    return sorted(path.relative_to(target) for path in _generated_files(target))


def _generate_scip(target: Path) -> None:
    arguments = [
        "protoc",
        f"--proto_path={ROOT}",
        f"--plugin=protoc-gen-mypy={Path(sys.executable).parent / 'protoc-gen-mypy'}",
        f"--python_out={target}",
        f"--mypy_out=quiet:{target}",
        str(ROOT / SCIP / "scip.proto"),
    ]
    if protoc.main(arguments) != 0:
        raise SystemExit("protoc failed")


def _generated_files(root: Path) -> list[Path]:
    own = [path for pattern in ("*_pb2*.py*", "__init__.py*") for path in root.joinpath(PACKAGE).glob(pattern)]
    return [*own, *root.joinpath(SCIP).glob("*_pb2.py*")]


def _write_package(target: Path) -> None:
    """Write the package: its names are those of all files, each loaded on its first use."""
    contract = target / "contract.binpb"
    names: dict[str, list[str]] = {}
    for file in FileDescriptorSet.FromString(contract.read_bytes()).file:
        values = (value.name for kind in file.enum_type for value in kind.value)
        module = f"{Path(file.name).stem}_pb2"
        names[module] = sorted(
            (*(one.name for one in file.message_type), *(one.name for one in file.enum_type), *values)
        )
    contract.unlink()
    rows = [f"    {name!r}: {module!r},".replace("'", '"') for module, found in names.items() for name in found]
    (target / PACKAGE / "__init__.py").write_text(_PACKAGE.format(rows="\n".join(rows)), encoding="utf-8")
    lines = [
        f"from repoquarry.v1.{module} import {name} as {name}" for module, found in names.items() for name in found
    ]
    (target / PACKAGE / "__init__.pyi").write_text("\n".join((_DOCSTRING, "", *lines, "")), encoding="utf-8")


def differences(expected: Path) -> list[str]:
    """List paths whose committed text differs from `expected`, and committed files that are no longer generated."""
    wanted = {path: (expected / path).read_bytes() for path in generate(expected)}
    committed = {path.relative_to(ROOT): path.read_bytes() for path in _generated_files(ROOT)}
    return sorted(str(path) for path in wanted.keys() | committed.keys() if wanted.get(path) != committed.get(path))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when the committed code differs")
    if not parser.parse_args().check:
        generate(ROOT)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        stale = differences(Path(folder))
    for path in stale:
        print(f"{path} differs from its .proto; run python scripts/generate_proto.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
