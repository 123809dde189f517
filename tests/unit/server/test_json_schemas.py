"""The published schema of `--json` holds for every recorded answer of the command line, and refuses other objects."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

_ROOT = Path(__file__).resolve().parents[3]
_SCHEMA = json.loads((_ROOT / "docs/data/cli_json.schema.json").read_text("utf-8"))
_ANSWERS = sorted((_ROOT / "tests/e2e/golden/answers").glob("*.json"))
_VARYING = "~"
_OTHER_FORMATS = ("export", "evaluate")
"""Commands whose output is a file of a format of its own."""


def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": _SCHEMA["$defs"]})


def _answers(path: Path) -> Iterator[tuple[str, Any, Any]]:
    for line, answer in json.loads(path.read_text("utf-8")).items():
        if line.split()[0] not in _OTHER_FORMATS and "--json" in line.split():
            yield line, answer.get("stdout"), answer.get("error")


def _errors(name: str, value: object) -> list[str]:
    """Values that vary from run to run are recorded as `~`, whatever their type is."""
    return [error.message[:300] for error in _validator(name).iter_errors(_without_varying(value))]


def _without_varying(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            key: _STANDINS.get(key, item) if item == _VARYING else _without_varying(item) for key, item in value.items()
        }
    return [_without_varying(item) for item in value] if isinstance(value, list) else value


_STANDINS = {"seconds": 0.0, "cpu_seconds": 0.0, "rate_per_second": 0.0, "peak_memory_bytes": 0, "last_sequence": 0}


@pytest.mark.parametrize("path", _ANSWERS, ids=lambda path: path.stem)
def test_recorded_answers_have_the_published_form(path: Path) -> None:
    checked = 0
    for line, output, error in _answers(path):
        if isinstance(output, Mapping):
            assert _errors(f"command.{line.split()[0]}", output) == [], line
            checked += 1
        if isinstance(error, Mapping):
            assert _errors("error", error) == [], line
    assert checked > 5


def test_every_command_with_a_schema_is_recorded_and_other_objects_are_refused() -> None:
    recorded = {
        line.split()[0] for path in _ANSWERS for line, output, _ in _answers(path) if isinstance(output, Mapping)
    }
    published = {name.removeprefix("command.") for name in _SCHEMA["$defs"] if name.startswith("command.")}
    assert recorded <= published
    for name in published - {"files"}:
        assert not _validator(f"command.{name}").is_valid({"surprise": 1})
