"""Page of what a change touches: packages by their imports, which the import contracts hold to one direction, and generated files."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_GENERATED = (
    ("`proto/`", "`repoquarry/v1`, `web/src/v1`, `repoquarry/client/*/services.py`, `repoquarry/server/services/servicers.py`, `rpc.md`"),
    ("`repoquarry/client/_async`", "`repoquarry/client/_sync`"),
    ("`repoquarry/graphstore/model/schema.tsv`", "`schema.md`, page sources"),
    ("`repoquarry/server/cli/commands`", "`cli.md`, `man/repoquarry.1`, `docs/data/cli_json.schema.json`"),
    ("settings of any package", "`settings.md`"),
    ("`repoquarry/server/tables/error_reasons.tsv`", "`errors.md`"),
    ("`repoquarry/graphstore/query/cypher`, shipped queries", "`cypher-constructs.md`, `cookbook.md`"),
    ("`repoquarry/operations`, `repoquarry/agent/tools`", "`agent-reference.md`"),
    ("`docs/data/*.csv`", "tables of pages, `docs/pictures/*.svg`"),
    ("`web/`", "`repoquarry/server/page` (`make page`)"),
)  # fmt: skip


def change_page() -> str:
    """Return docs/reference/change-map.md: for each package what it uses, who uses it and its tests; then generated files."""
    uses = _uses()
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    lines = [
        "# What a change touches",
        "",
        "<!-- generated from imports and import contracts by scripts/generate_docs.py -->",
        "",
        "A change of a package can affect the packages that use it, and you have to know those that it uses; the others you need not",
        f"know. `make check` holds the directions with {len(contracts)} contracts (`pyproject.toml`):",
        "",
        *(f"- {contract['name']}" for contract in contracts),
        "",
        "| a change of | needs knowledge of | may affect |",
        "|---|---|---|",
    ]
    for name in sorted(uses):
        users = sorted(other for other, used in uses.items() if name in used)
        lines.append(f"| `{name}` | {_names(sorted(uses[name]))} | {_names(users)} |")
    lines += [
        "",
        "`make generate` renews what is generated from a source:",
        "",
        "| a change of | generated from it |",
        "|---|---|",
    ]
    lines += [f"| {source} | {files} |" for source, files in _GENERATED]
    return "\n".join(lines) + "\n"


def _names(packages: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in packages) or "-"


def _uses() -> dict[str, set[str]]:
    """Map each package to the packages that it imports, imports for types included."""
    uses: dict[str, set[str]] = {}
    for path in sorted((ROOT / "repoquarry").rglob("*.py")):
        parts = path.relative_to(ROOT / "repoquarry").with_suffix("").parts
        if len(parts) > 1 and parts[0] != "v1":
            uses.setdefault(parts[0], set()).update(set(_imports(path)) - {parts[0]})
    return uses


def _imports(path: Path) -> Iterator[str]:
    """Yield the packages of this product that a module imports from."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            if name.startswith("repoquarry."):
                package = name.split(".")[1]
                if (ROOT / "repoquarry" / package).is_dir():
                    yield package
