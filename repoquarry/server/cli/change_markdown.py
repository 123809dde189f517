"""A change as Markdown for the comment of a pull request; empty where nothing outside the diff is concerned."""

from __future__ import annotations

import re
from collections.abc import Iterator

from repoquarry.graphstore.model.values import count_noun
from repoquarry.v1.view_service_pb2 import ChangedDefinition, ChangedKind, GetChangeResponse

_MAX_CARDS = 5
_MAX_SITES = 5


def format_change(change: GetChangeResponse) -> str:
    """Format the answer line, the first definitions with call sites outside the diff, and the tests to run."""
    figures = change.figures
    if not figures.outside_sites and not figures.signatures:
        return ""
    lines = [
        f"**{count_noun(figures.outside_sites, 'call site')} outside the diff** {'uses' if figures.outside_sites == 1 else 'use'} what changed; "
        f"{count_noun(figures.signatures, 'signature')} changed or removed, {count_noun(figures.reached, 'definition')} reached, "
        f"{count_noun(figures.test_files, 'test file')} {'calls' if figures.test_files == 1 else 'call'} them."
    ]
    cards = [item for item in change.definitions if item.outside_total]
    for item in cards[:_MAX_CARDS]:
        lines += ["", *_format_card(item)]
    if len(cards) > _MAX_CARDS:
        lines += [
            "",
            f"{count_noun(len(cards) - _MAX_CARDS, 'more changed definition')} with call sites outside the diff.",
        ]
    commands = [command for tier in change.tests if tier.name == "close" for command in tier.commands]
    if commands:
        lines += ["", "Tests close to the change:", "", "```sh", *commands, "```"]
    return "\n".join(lines)


def _format_card(item: ChangedDefinition) -> Iterator[str]:
    record = item.after if item.HasField("after") else item.before
    kind = ChangedKind.Name(item.kind).removeprefix("CHANGED_KIND_").lower()
    words = "; ".join(item.parameters_changed) or f"{kind} changed" if kind in ("signature", "body") else kind
    yield f"- {_code(record.qualname)} {_code(f'{record.path}:{record.start_line}')}: {_escape(words)}; {count_noun(item.outside_total, 'call site')}"
    for site in item.outside_sites[:_MAX_SITES]:
        yield f"  - {_code(f'{site.caller.path}:{site.line}')} {_code(site.source_line)}"


def _code(text: str) -> str:
    """Return a code span whose fence no run of backquotes in the text closes."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    space = " " if longest else ""
    return f"{fence}{space}{text}{space}{fence}"


def _escape(text: str) -> str:
    """Escape Markdown outside of code spans."""
    parts = text.split("`")
    return "`".join(
        re.sub(r"([\\*_<>\[\]#|])", r"\\\1", part) if number % 2 == 0 else part for number, part in enumerate(parts)
    )
