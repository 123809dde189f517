"""Inputs of a resolution decide how much is resolved again: nothing, one family of languages, or all."""

import hashlib
from collections.abc import Iterator

import msgspec
import pytest

from repoquarry.graphstore.storage.compression import decompress
from repoquarry.ingest import resolver_client
from repoquarry.ingest.previous_state import CachedResolution, FamilyResolution, encode_facts
from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.ingest.resolver_client import PrestartedResolver, resolve_in_subprocess
from repoquarry.ingest.run_monitor import RunMonitor
from repoquarry.ingest.settings import IngestSettings
from repoquarry.languages.registry import language_for

_FILES = {
    "app/__init__.py": "",
    "app/main.py": "from app import tools\n\n\ndef run():\n    return tools.helper()\n",
    "app/tools.py": "def helper():\n    return 1\n",
    "web/index.js": "import { shown } from './page.js';\nexport function start() { return shown(); }\n",
    "web/page.js": "export function shown() { return document.title; }\n",
}


def _facts(**changed: str) -> list[bytes]:
    files = _FILES | {path.replace("__", "/").replace("_dot_", "."): text for path, text in changed.items()}
    return [encode_facts(language_for(path).extract(path, text.encode())) for path, text in sorted(files.items())]


def _resolved(
    facts: list[bytes], kept: CachedResolution | None = None, steps: int = 0
) -> tuple[Resolution, CachedResolution]:
    settings = IngestSettings(resolver_steps=steps) if steps else IngestSettings()
    meter = RunMonitor(lambda progress: None, lambda: False)
    return resolve_in_subprocess([*facts], PrestartedResolver(settings, {}, kept or CachedResolution()), meter)


def _damaged(part: FamilyResolution) -> FamilyResolution:
    return msgspec.structs.replace(part, packed=part.packed[:-9])


def _digests(kept: CachedResolution) -> list[bytes]:
    return [part.digest for part in kept.parts]


def _pairs(old: CachedResolution, new: CachedResolution) -> Iterator[tuple[FamilyResolution, FamilyResolution]]:
    return zip(old.parts, new.parts, strict=True)


def test_the_same_facts_start_no_resolver(monkeypatch: pytest.MonkeyPatch) -> None:
    found, kept = _resolved(_facts())
    assert len(kept.parts) == 2

    def refuse(*_: object) -> None:
        raise AssertionError("a resolver was started")

    monkeypatch.setattr(resolver_client, "start", refuse)
    assert _resolved(_facts(), kept) == (found, kept)
    with pytest.raises(AssertionError, match="was started"):
        _resolved(_facts(), kept, steps=1_000)


def test_an_edit_in_one_language_keeps_the_resolution_of_the_other() -> None:
    edited = _facts(app__tools_dot_py="def helper():\n    return other()\n\n\ndef other():\n    return 2\n")
    _, before = _resolved(_facts())
    found, after = _resolved(edited, before)
    assert found == _resolved(edited)[0]
    assert [old == new for old, new in zip(_digests(before), _digests(after), strict=True)] == [False, True]
    assert after.parts[1] is before.parts[1]


def test_added_or_removed_language_resolves_from_scratch() -> None:
    _, both = _resolved(_facts())
    alone = [facts for facts in _facts() if msgspec.msgpack.decode(decompress(facts))[0].endswith(".py")]
    found, one = _resolved(alone, both)
    assert found == _resolved(alone)[0]
    assert _resolved(_facts(), one) == _resolved(_facts())


def test_damage_is_resolved_anew() -> None:
    edited = _facts(app__tools_dot_py="def helper():\n    return 3\n\n\ndef more():\n    return helper()\n")
    for facts in (_facts(), edited):
        expected, whole = _resolved(facts)
        _, kept = _resolved(_facts())
        damaged = CachedResolution(tuple(_damaged(part) for part in kept.parts), kept.digest)
        assert _resolved(facts, damaged) == (expected, whole)


def test_a_part_tells_whether_its_content_is_another() -> None:
    _, before = _resolved(_facts())
    _, lines_moved = _resolved(_facts(app__main_dot_py=f"\n{_FILES['app/main.py']}"))
    _, said_more = _resolved(_facts(app__main_dot_py=f"{_FILES['app/main.py']}\n\nAGE = 1\n"))
    for part in before.parts:
        assert part.content == hashlib.sha256(decompress(part.packed)).digest()
    assert [old.content == new.content for old, new in _pairs(before, lines_moved)] == [False, True]
    assert [old.content == new.content for old, new in _pairs(before, said_more)] == [True, True]
    assert [old.digest == new.digest for old, new in _pairs(before, said_more)] == [False, True]


def test_parts_that_do_not_say_what_their_content_is_are_not_used() -> None:
    _, kept = _resolved(_facts())
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(kept), type=CachedResolution) == kept
    without = msgspec.msgpack.encode(([(part.digest, part.packed) for part in kept.parts], kept.digest))
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(without, type=CachedResolution)


def test_united_parts_are_what_one_call_gives() -> None:
    files = [language_for(path).extract(path, text.encode()) for path, text in _FILES.items()]
    assert _resolved(_facts())[0] == resolve(files)
