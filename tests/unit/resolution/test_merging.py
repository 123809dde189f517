"""Resolutions of several families as one: every record has the numbers of the whole."""

from __future__ import annotations

from typing import get_args, get_type_hints

from repoquarry.ingest.resolution import families, resolve
from repoquarry.ingest.resolution.model import Resolution
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.registry import language_for

SOURCES = {
    "app/base.py": "class Base:\n    def run(self):\n        pass\n",
    "app/main.py": "from app.base import Base\n\n\nclass Job(Base):\n    def run(self):\n        missing()\n\n\n"
    "def start(job: Job):\n    Job().run()\n\n\nif __name__ == '__main__':\n    start(Job())\n",
    "web/base.js": "export class Base { run() {} }\n",
    "web/main.js": "import { Base } from './base.js';\nexport class Page extends Base { run() { absent(); } }\n"
    "export function show() { new Page().run(); }\nshow();\n",
}


def _facts(wanted: str) -> list[FileFacts]:
    return [
        language_for(path).extract(path, SOURCES[path].encode()) for path in sorted(SOURCES) if path.endswith(wanted)
    ]


def _told(found: Resolution, name: str) -> set[tuple[object, ...]]:
    """The records of a list with names in place of numbers."""

    def shown(number: int) -> object:
        return found.path_key(number) or found.external(number)

    def row(record: object) -> tuple[object, ...]:
        numbers = families._LISTS[name].numbers
        fields = record.__struct_fields__  # type: ignore[attr-defined]
        return tuple(
            shown(getattr(record, one)) if one in numbers else getattr(record, one)
            for one in fields
            if one != "candidates"
        )

    return {row(record) for record in getattr(found, name)}


def test_every_list_of_records_is_in_the_table() -> None:
    kinds = {name: get_args(kind)[0] for name, kind in get_type_hints(Resolution).items() if get_args(kind)}
    beside = {"symbols", "externals", "modules"}
    assert {name: kind for name, kind in kinds.items() if name not in beside} == {
        name: one.record for name, one in families._LISTS.items()
    }


def test_two_families_together_say_what_each_says_alone() -> None:
    python, javascript, whole = resolve(_facts(".py")), resolve(_facts(".js")), resolve(_facts(""))
    for name in families._LISTS:
        assert _told(whole, name) == _told(python, name) | _told(javascript, name), name
        assert len(getattr(whole, name)) == len(getattr(python, name)) + len(getattr(javascript, name))
    assert all(_told(whole, name) for name in ("imports", "unresolved", "inherits", "overrides", "exports"))
