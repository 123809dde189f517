"""Cost of plain tree-sitter parsing of a tree, by language: `python -m tests.benchmarks.indexing.plain_parsing FOLDER`, one line of JSON.

The source files are those that indexing selects, each read before the clock starts and parsed once by its language's grammar. A process of
its own, so that the peak is that of parsing.
"""

import json
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from tree_sitter import Language, Parser

from repoquarry.ingest.files.selection import select_files
from repoquarry.ingest.settings import IngestSettings
from repoquarry.languages.registry import language_for

#: suffix -> distribution and function of the grammar
GRAMMARS = {
    suffix: grammar
    for suffixes, grammar in {
        ".py .pyi": ("tree_sitter_python", "language"),
        ".js .jsx .mjs .cjs": ("tree_sitter_javascript", "language"),
        ".ts .mts .cts": ("tree_sitter_typescript", "language_typescript"),
        ".tsx": ("tree_sitter_typescript", "language_tsx"),
        ".java": ("tree_sitter_java", "language"),
        ".c .h": ("tree_sitter_c", "language"),
        ".cc .cpp .cxx .hh .hpp .hxx": ("tree_sitter_cpp", "language"),
        ".go": ("tree_sitter_go", "language"),
        ".rs": ("tree_sitter_rust", "language"),
        ".cs": ("tree_sitter_c_sharp", "language"),
        ".rb": ("tree_sitter_ruby", "language"),
        ".php": ("tree_sitter_php", "language_php"),
        ".kt .kts": ("tree_sitter_kotlin", "language"),
    }.items()
    for suffix in suffixes.split()
}


def parse(folder: Path) -> Iterator[tuple[str, int, float]]:
    """(language, lines, processor seconds) of each source file that has a grammar of its own."""
    parsers: dict[str, Parser] = {}
    for file in select_files(folder, IngestSettings()).files:
        suffix = Path(file.path).suffix
        if file.kind != "source" or suffix not in GRAMMARS:
            continue
        if suffix not in parsers:
            module, function = GRAMMARS[suffix]
            parsers[suffix] = Parser(Language(getattr(import_module(module), function)()))
        content = (folder / file.path).read_bytes()
        started = time.process_time()
        parsers[suffix].parse(content)
        yield language_for(file.path).name, content.count(b"\n"), time.process_time() - started


def main() -> int:
    found: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0.0])
    for language, lines, seconds in parse(Path(sys.argv[1])):
        row = found[language]
        row[0], row[1], row[2] = row[0] + 1, row[1] + lines, row[2] + seconds
    languages = {
        name: {"files": row[0], "lines": row[1], "cpu_seconds": round(row[2], 2)} for name, row in sorted(found.items())
    }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(
        json.dumps({"languages": languages, "cpu_seconds": sum(row[2] for row in found.values()), "peak_bytes": peak})
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
