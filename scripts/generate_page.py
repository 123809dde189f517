"""Generate the page's TypeScript messages from the contract, or check that what is committed is what would be generated.

    python scripts/generate_page.py            write web/src/v1/repoquarry/v1/*_pb.ts
    python scripts/generate_page.py --check    exit 1 and name the files that differ

The generator is `protoc-gen-es` of web/package.json; `npm ci` in web/ installs it.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
TARGET = ROOT / "web" / "src" / "v1"
PLUGIN = ROOT / "web" / "node_modules" / ".bin" / "protoc-gen-es"


def generate(target: Path) -> dict[str, bytes]:
    """Write the generated code below `target` and return it by path. Raises: SystemExit when the plugin or protoc fails."""
    if not PLUGIN.exists():
        raise SystemExit("protoc-gen-es is not installed; run `npm ci` in web/")
    protoc = importlib.import_module("grpc_tools.protoc")
    sources = [str(path) for path in sorted((PROTO / "repoquarry" / "v1").glob("*.proto"))]
    includes = [f"--proto_path={PROTO}", f"--proto_path={files('grpc_tools') / '_proto'}"]
    plugin = [f"--plugin=protoc-gen-es={PLUGIN}", f"--es_out={target}", "--es_opt=target=ts"]
    target.mkdir(parents=True, exist_ok=True)
    if protoc.main(["protoc", *includes, *plugin, *sources]) != 0:
        raise SystemExit("protoc failed")
    return read_generated(target)


def read_generated(folder: Path) -> dict[str, bytes]:
    """Return the generated files below a folder by relative path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*_pb.ts"))}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when the committed code differs")
    if not parser.parse_args().check:
        generate(TARGET)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        expected = generate(Path(folder))
    committed = read_generated(TARGET)
    stale = sorted(path for path in expected.keys() | committed.keys() if expected.get(path) != committed.get(path))
    for path in stale:
        print(f"web/src/v1/{path} is out of date: run `python scripts/generate_page.py`", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
