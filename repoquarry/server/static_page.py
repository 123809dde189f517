"""One static file of a change or a symbol: the built template with the response and the same facts as plain HTML."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from html import escape

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from repoquarry.graphstore.model.values import count_noun
from repoquarry.server.errors import RequestError, SettingsError, invalid_field
from repoquarry.server.page_server import load_page_file
from repoquarry.v1 import basis_pb2
from repoquarry.v1 import view_service_pb2 as pb

MAX_BYTES = 2_000_000
_CHANGE_LIMITS = ((500, 20), (300, 10), (100, 5), (40, 2))
"""Definitions, and call sites of each, the largest first."""
_JSON_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
_PLACES = ("<!--TITLE-->", "<!--FACTS-->", "<!--FOOT-->", "<!--RESPONSE-->", 'data-entry=""', 'data-range=""')


def render_change_file(response: pb.GetChangeResponse, commits: str, foot: str) -> bytes:
    """Render a change; `foot` says how the file was made. Raises: RequestError for a file above the limit, SettingsError."""
    return _fill("change", response.title, response, "".join(_change_facts(response)), commits, foot)


def render_fitting_change_file(
    read_change: Callable[[int, int], pb.GetChangeResponse], commits: str, foot: str
) -> bytes:
    """Render a change with as many definitions and call sites as the file can hold; the response counts what is cut.

    `read_change` gets the maximum number of definitions, and of call sites of each. Raises: as `render_change_file`.
    """
    *larger, smallest = _CHANGE_LIMITS
    for limits in larger:
        with contextlib.suppress(RequestError):
            return render_change_file(read_change(*limits), commits, foot)
    return render_change_file(read_change(*smallest), commits, foot)


def render_symbol_file(response: pb.GetSymbolResponse, foot: str) -> bytes:
    """Render a definition. Raises: as `render_change_file`."""
    title = response.entity.qualname or response.entity.path
    return _fill("symbol", title, response, "".join(_symbol_facts(response)), "", foot)


def _fill(entry: str, title: str, response: Message, facts: str, commits: str, foot: str) -> bytes:
    template = load_page_file("static.html")
    if template is None:
        raise SettingsError("the page is not built into this installation; build it with: npm run build (in web/)")
    json = MessageToJson(response, indent=None).translate(_JSON_ESCAPES)
    data = f'data-entry="{entry}"', f'data-range="{escape(commits)}"'
    values = (escape(title), facts, f"<p>{escape(foot)}</p>", json, *data)
    text = template.decode()
    # Each part is placed from the end, so that a value that looks like a place is never filled.
    places = sorted(
        ((text.index(place), place, value) for place, value in zip(_PLACES, values, strict=True)), reverse=True
    )
    for start, place, value in places:
        text = f"{text[:start]}{value}{text[start + len(place) :]}"
    content = text.encode()
    if len(content) > MAX_BYTES:
        raise invalid_field("--export", f"the file would have {len(content):,} bytes; the limit is {MAX_BYTES:,}")
    return content


def _change_facts(response: pb.GetChangeResponse) -> Iterator[str]:
    figures = response.figures
    yield f"<h1>{escape(response.title)}</h1>"
    yield (
        f"<p>{count_noun(figures.outside_sites, 'call site')} outside the diff, {count_noun(figures.signatures, 'signature')} changed or removed, "
        f"{count_noun(figures.definitions, 'changed definition')}, {count_noun(figures.reached, 'definition')} reached.</p>"
    )
    changed = [(item.after.qualname or item.before.qualname, item) for item in response.definitions]
    sites = [
        (name, f"{site.caller.path}:{site.line}", site.source_line)
        for name, item in changed
        for site in item.outside_sites
    ]
    yield from _table(("Changed", "Call site", "Source"), sites)
    calls = [
        (name, "added" if edge.appeared else "removed", edge.target.id) for name, item in changed for edge in item.edges
    ]
    if calls:
        yield from _table(("Changed", "Call", "Target"), calls)
    for tier in response.tests[:1]:
        yield f"<p>Tests to run: {escape(tier.meaning)}.</p>"
        yield from (f"<pre>{escape(command)}</pre>" for command in tier.commands)
    yield from _limits(response.basis)


def _symbol_facts(response: pb.GetSymbolResponse) -> Iterator[str]:
    entity, figures = response.entity, response.figures
    yield f"<h1>{escape(entity.qualname or entity.path)}</h1><p>{escape(f'{entity.path}:{entity.start_line}')}</p>"
    yield (
        f"<p>{count_noun(figures.callers, 'caller')} in {count_noun(figures.caller_files, 'file')}, {figures.test_callers:,} in tests, "
        f"{count_noun(figures.unresolved_sites, 'unresolved call')} may be callers.</p>"
    )
    callers = [
        (row.entity.qualname or row.entity.path, row.entity.path, ", ".join(map(str, row.lines)), row.confidence)
        for group in response.callers.groups
        for row in group.rows
    ]
    cells = [(name, f"{path}:{lines}", f"{confidence:.2f}") for name, path, lines, confidence in callers]
    yield from _table(("Caller", "Call site", "Confidence"), cells)
    yield "<pre>" + escape("\n".join(line.text for line in response.source.lines)) + "</pre>"
    yield from _limits(response.basis)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    yield "<table><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>"
    for row in rows:
        yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
    yield "</table>"


def _limits(basis: basis_pb2.AnswerBasis) -> Iterator[str]:
    """Yield the basis of the answer."""
    for item in basis.repositories:
        calls = item.unresolved_calls
        commit = f"commit {item.commit[:12]}" if item.commit else f"revision {item.revision[:12]}"
        text = (
            f"{item.repository} at {commit}; {count_noun(item.left_out_count, 'file')} skipped; "
            f"{calls.relevant:,} of {calls.total:,} unresolved calls may affect this answer; "
            f"{count_noun(calls.external, 'call')} of external code {'has' if calls.external == 1 else 'have'} a name of this answer."
        )
        yield f"<p>{escape(text)}</p>"
    yield from (f"<p>{escape(note)}</p>" for note in basis.notes)
