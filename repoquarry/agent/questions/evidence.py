"""Evidence for questions that no intent answers: the pack of `explore`, and commands that follow it up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from repoquarry.agent.questions.reply import Finding, QuestionScope, Reply
from repoquarry.code.excerpts.evidence_pack import EvidenceRequest, build_evidence_pack
from repoquarry.operations.result import Place

_MAX_SEARCHED_CHARACTERS = 80
_DOCUMENT_RANK = 4
"""Number of places before the documents."""
_COLUMNS = 80
_COMMANDS = tuple(
    (re.compile(pattern, re.IGNORECASE), command)
    for pattern, command in (
        (r"\b(?:circular|cyclic|import cycles?|import loops?|dependency cycles?)\b", "repoquarry check import-cycles"),
        (
            r"\b(?:never (?:called|used)|unused|dead code|unreachable|not (?:called|used) anywhere)\b",
            "repoquarry query --named possibly-dead-code",
        ),
        (r"^who (?:last )?(?:wrote|changed|maintains|owns)\b|\bowners? of\b", "repoquarry show NAME --owners"),
    )
)
"""Questions without an intent that one command answers; evidence by their words would not."""
_SOURCE_LINE = re.compile(r" *\d+  ")


def find_command(text: str) -> str:
    """Return the command that answers a question without an intent; empty if there is none."""
    return next((command for pattern, command in _COMMANDS if pattern.search(text)), "")


def find_evidence(scope: QuestionScope, text: str) -> Reply:
    """Return the evidence pack of a text; without findings where nothing matches."""
    body, findings = build_pack(scope, text)
    if not findings:
        return Reply("No match in the index.")
    lead = "Without a model, this question is answered with evidence and not in prose."
    commands = _suggest_commands(findings, text)
    return Reply(lead, tuple(findings), (commands,) if commands else (), body=body)


def _suggest_commands(findings: Sequence[Finding], text: str) -> str:
    best = next((one.place for one in findings if one.place.qualname), None)
    commands = []
    if best is not None:
        name = f"{best.path}::{best.qualname}"
        commands = [
            f"repoquarry explore '{name}' -r {best.repository}",
            f"repoquarry impact --symbol '{name}' -r {best.repository}",
        ]
    words = text.replace("`", "")
    if len(words) <= _MAX_SEARCHED_CHARACTERS and "'" not in words:
        commands.append(f"repoquarry search '{words}'")
    return "Continue with:\n" * bool(commands) + "\n".join(f"- `{command}`" for command in commands)


def build_pack(scope: QuestionScope, text: str) -> tuple[str, list[Finding]]:
    """Return the evidence pack of a text and its places."""
    pack = build_evidence_pack(scope.reader, EvidenceRequest(text, scope.repositories))
    findings = []
    documents = [item for item in pack.places if item.label == "Document"]
    code = [item for item in pack.places if item.label != "Document"]
    for item in (*code[:_DOCUMENT_RANK], *documents, *code[_DOCUMENT_RANK:]):
        why = pack.why_by_id.get(item.id, "")
        findings.append(Finding(Place.of(item, why, 0.0, (why,) if why else ()), is_test=item.is_test))
    lines = (_cut_source(line) for line in pack.text.split("\n"))
    return "\n".join(lines), findings


def _cut_source(line: str) -> str:
    """Cut a numbered line of source to the columns of a terminal."""
    is_long = len(line) > _COLUMNS and _SOURCE_LINE.match(line)
    return f"{line[: _COLUMNS - 1]}…" if is_long else line
