"""Every function, class and module of some repositories, looked up by each of its usual forms.

A form is right if the wanted definition is the one thing found, listed if it is among the candidates, missed if nothing is found,
and wrong if something else is found. A folder stands for its index file, and a text that is exactly the name of something else is
no other case. `python -m tests.benchmarks.tasks.name_forms STORE REPOSITORY...` prints the counts.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from repoquarry.code.name_resolution import NameMatch, find_name, find_nearest
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store

_TYPING_ERRORS_EVERY = 20
"""Every n-th name is also looked up with two letters swapped, which takes long."""


def list_forms(item: DefinitionRecord) -> Iterator[tuple[str, str]]:
    """Yield (form, text) of the usual ways to write the name of a definition."""
    yield "id", item.id
    if not item.qualname:
        yield "path", item.path
        yield "end of a path", "/".join(item.path.split("/")[-2:])
        yield "module", item.name
        return
    yield "name", item.name
    yield "qualified name", item.qualname
    yield "path and name", f"{item.path}::{item.qualname}"
    yield "end of a path and name", f"{item.path.rpartition('/')[2]}::{item.qualname}"
    yield "place", f"{item.path}:{item.start_line}"
    yield "other separator", item.qualname.replace(".", "::")
    yield "other case", item.qualname.lower()


def grade(reader: CodeReader, repository: str) -> Iterator[tuple[str, str, str]]:
    """Yield (form, grade, text) of every form of every definition; lambdas and anonymous classes have no name."""
    modules = reader.modules([repository], limit=100_000)
    items = [item for module in modules for item in (module, *reader.inside(repository, module.path))]
    named = [item for item in items if "<" not in item.qualname]
    for number, item in enumerate(named):
        for form, text in list_forms(item):
            if form != "other case" or text == item.qualname or not _is_name(reader, repository, text):
                yield form, _grade(reader, repository, item, text), text
        if number % _TYPING_ERRORS_EVERY == 0 and item.qualname and len(item.name) > 4:
            wrong = item.qualname[:-2] + item.qualname[-1] + item.qualname[-2]
            found = find_name(reader, wrong, [repository])
            near = find_nearest(reader, wrong, [repository]) if found is None else ()
            is_near = any(item.qualname.endswith(name) for name in near)
            exists = wrong == item.qualname or found is not None
            yield "typing error", "right" if exists or is_near else "missed", wrong


def _is_name(reader: CodeReader, repository: str, text: str) -> bool:
    found = find_name(reader, text, [repository])
    return found is not None and found.match in (NameMatch.ID, NameMatch.NAME)


def _grade(reader: CodeReader, repository: str, item: DefinitionRecord, text: str) -> str:
    found = find_name(reader, text, [repository])
    if found is None:
        return "missed"
    groups = [{node.id for node in group} for group in found.subjects()]
    if not any(item.id in group for group in groups):
        is_same_place = found.match is NameMatch.PATH and text.endswith(f":{item.start_line}")
        is_folder = found.nodes[0].id == f"{repository}:{item.path.rpartition('/')[0]}"
        return "listed" if is_same_place or is_folder else "wrong"
    return "right" if len(groups) == 1 else "listed"


def main() -> None:
    with Store.open(StoreSettings(Path(sys.argv[1]))) as store:
        for repository in sys.argv[2:]:
            begin, counts, bad = time.perf_counter(), Counter[tuple[str, str]](), list[str]()
            for form, result, text in grade(CodeReader(store), repository):
                counts[form, result] += 1
                bad += [f"  {result}: {form}: {text}"] if result in ("missed", "wrong") else []
            print(f"{repository}: {sum(counts.values()):,} look-ups in {time.perf_counter() - begin:.0f} s")
            for form in dict.fromkeys(form for form, _ in counts):
                shares = (f"{counts[form, result]:,} {result}" for result in ("right", "listed", "missed", "wrong"))
                print(f"  {form}: {', '.join(shares)}")
            print("\n".join(bad[:20]))


if __name__ == "__main__":
    main()
