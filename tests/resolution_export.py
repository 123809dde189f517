"""Facts and resolutions that no store holds: read from case files and folders, and written as golden text."""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from repoquarry.ingest.resolution import Resolution, by_family
from repoquarry.languages import registry
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import Configuration, PointsToConfig
from tests.golden import digest
from tests.kernel_state import kernel_state

_FLAGS = ("is_async", "is_generator", "is_abstract")
GOLDEN = Path(__file__).parent / "unit" / "resolution" / "golden"
PROGRAMS = Path(__file__).parent / "programs"


def read_program(case: Path) -> tuple[list[FileFacts], dict[str, bytes]]:
    """Read the facts of a file or folder, in path order, and its configuration files."""
    root = case if case.is_dir() else case.parent
    paths = sorted(path for path in case.rglob("*") if path.is_file()) if case.is_dir() else [case]
    texts = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    files = [
        registry.language_for(path).extract(path, text) for path, text in texts.items() if registry.is_source(path)
    ]
    return files, {path: text for path, text in texts.items() if registry.is_configuration(path)}


def read_programs(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield title and texts by path of the programs in a file of `tests/programs`."""
    for section in path.read_text(encoding="utf-8").removeprefix("=== ").split("\n=== "):
        title, *parts = re.split(r"^--- (.+)\n", section, flags=re.MULTILINE)
        texts = dict(zip(parts[::2], parts[1::2], strict=True))
        yield title.strip(), {name: text for name, text in texts.items() if name != "found"}


def format_programs(path: Path, find: Callable[[dict[str, str]], Iterable[str]]) -> str:
    """Return the text of a file of programs with the lines of `find` below each program."""
    lines: list[str] = []
    for title, texts in read_programs(path):
        lines.append(f"=== {title}\n")
        lines += (f"--- {name}\n{text}" for name, text in texts.items())
        lines += ("--- found\n", *(f"{line.rstrip()}\n" for line in find(texts)), "\n")
    return "".join(lines[:-1])


def golden_section(
    name: str, files: Sequence[FileFacts], configuration: Configuration, resolution: Resolution
) -> Iterator[str]:
    """Yield the lines of one case: the digest of all bytes, the solved state of the kernel, and every record of the resolution."""
    yield f"\n== {name}"
    yield f"bytes {digest(msgspec.structs.astuple(resolution))}{', budget hit' * resolution.budget_hit}"
    for family, own in by_family(files):
        if isinstance(family.method, PointsToConfig):
            state, _ = kernel_state(own, family=family, configuration=configuration)
            yield f"state {family.name}: {state.summary()}"
    yield from list_records(resolution)


def list_records(resolution: Resolution) -> Iterator[str]:
    """Yield a line for each record; targets are `path:key`, a path for a module, or a bracketed external name."""
    names = [f"{symbol.path}:{symbol.key}".removesuffix(":") for symbol in resolution.symbols]
    names += [f"[{name}]" for name in reversed(resolution.externals)]  # a negative number counts from the end
    for module in resolution.modules:
        yield f"module {module.path} {module.name}{f' root {module.root}' * bool(module.root)}"
    for edge in resolution.imports:
        how = f"{edge.how}{' deferred' * edge.deferred}"
        yield f"import {names[edge.source]} -> {names[edge.target]}  {how} {','.join(edge.names)}  {_joined(edge.lines)}"
    for call in resolution.calls:
        yield f"call {names[call.caller]} -> {names[call.callee]}  {call.how} {call.confidence}  {_joined(call.lines)}"
    for site in resolution.unresolved:
        candidates = "".join(f" {names[at]}" for at in site.candidates)
        yield f"unresolved {names[site.caller]} -> {site.name or '?'}  {site.reason}  {_joined(site.lines)}{candidates}"
    for base in resolution.inherits:
        yield f"inherits {names[base.cls]} -> {names[base.base]}  {base.position}"
    for override in resolution.overrides:
        yield f"overrides {names[override.method]} -> {names[override.overridden]}"
    for mention in resolution.references:
        yield f"reference {names[mention.source]} -> {names[mention.target]}  {mention.how}  {_joined(mention.lines)}"
    for use in resolution.uses:
        kinds = ",".join(use.kinds)
        yield f"use {names[use.source]} -> {names[use.owner]} {use.name}  {use.how} {kinds}  {_joined(use.lines)}"
    for export in resolution.exports:
        yield f"export {names[export.module]} {export.name} -> {names[export.target]}"
    for entry in resolution.entry_points:
        yield f"entry {names[entry.target]}  {entry.kind} {entry.name}"


def list_facts(facts: FileFacts) -> Iterator[str]:
    """Yield a line for each fact except the constraints."""
    flags = f"{' package' * facts.is_package}{' stub' * facts.is_stub}"
    counts = f"lines {facts.loc} branches {facts.branches} indent {facts.deepest_indent}"
    yield f"file {facts.path} {facts.language} {facts.encoding} {facts.namespace}:{facts.module_name}{flags}  {counts}"
    if facts.docstring:
        yield f"doc {facts.docstring!r}"
    yield from (f"error {error.line} {error.message}" for error in facts.parse_errors)
    for one in facts.definitions:
        yield from _list_definition(one)
    for item in facts.imports:
        depth = f"{'' if item.at_module_level else ' inside'}{' deferred' * item.deferred}"
        yield f"import {'.' * item.level}{item.module} {item.name or '-'} as {item.alias or '-'}  {item.how} {item.line}{depth}"
    if facts.exports is not None:
        yield f"exports {','.join(facts.exports)}"
    yield from (f"start {kind} {text} {line}" for kind, text, line in facts.entry_points)
    for held in facts.variables:
        owner = facts.definitions[held.owner].key if held.owner >= 0 else ""
        yield f"variable {owner}:{held.name} {held.line}{' received' * held.is_received}"


def _list_definition(one: Definition) -> Iterator[str]:
    kind = f"{one.kind}/{one.form}".removesuffix("/")
    flags = "".join(f" {flag.removeprefix('is_')}" for flag in _FLAGS if getattr(one, flag))
    lines = (
        f"{one.start_line}-{one.name_line}-{one.end_line} indent {one.indent} branches {one.branches} calls {one.calls}"
    )
    qualname = f" named {one.qualname}" * (one.qualname != one.key)
    yield f"{kind} {one.key} in {one.parent or '-'}{qualname}  {lines}{flags}  {one.signature}"
    if one.docstring:
        yield f"  doc {one.docstring!r}"
    yield from (f"  base {base}" for base in one.bases)
    yield from (f"  decorator {found.text} = {found.dotted} {found.arguments!r}" for found in one.decorators)
    yield from (f"  overload {signature}" for signature in one.overloads)


def _joined(lines: Sequence[int]) -> str:
    return ",".join(map(str, lines))


def keys(found: Resolution, *numbers: int) -> tuple[str, ...]:
    return tuple(found.symbols[number].key if number >= 0 else found.externals[~number] for number in numbers)


def damaged(rng: random.Random, text: bytes, pieces: Sequence[bytes]) -> bytes:
    """Return the text with parts deleted and repeated, and pieces inserted."""
    changed = bytearray(text)
    for _ in range(rng.choice((1, 3, 10, 30))):
        at = rng.randrange(len(changed) + 1)
        if rng.random() < 0.4:
            del changed[at : at + rng.randrange(1, 8)]
        else:
            changed[at:at] = rng.choice((*pieces, bytes(changed[at // 2 : at // 2 + 20])))
    return bytes(changed)
