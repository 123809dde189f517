"""Evidence for questions that no intent answers: documentation, the pack of `explore`, and commands that follow it up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from repoquarry.agent.questions.reply import Finding, QuestionScope, Reply, Subject
from repoquarry.code.excerpts.document_sections import STATES_DEFAULT, DocumentBlock, find_section
from repoquarry.code.excerpts.evidence_pack import EvidenceRequest, build_evidence_pack
from repoquarry.graphstore.search.text_analysis import terms
from repoquarry.operations.result import Place

_MAX_SEARCHED_CHARACTERS = 80
_DOCUMENT_RANK = 4
"""Number of places before the documents."""
_COLUMNS = 80
_MAX_LINES = 16
_MAX_PROSE = 400
_MIN_STATED = 0.7
"""Share of a question's terms that one paragraph or block must contain to open the answer to a question that does not ask how."""
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


def answer_how_to(scope: QuestionScope, subject: Subject) -> Reply:
    """Quote the best section of the documentation; the evidence in code follows."""
    evidence = find_evidence(scope, subject.phrase)
    return _open_with(scope, subject.phrase, evidence, 0.0)


def answer_with_evidence(scope: QuestionScope, text: str) -> Reply:
    """Return the evidence in code, behind the documentation where one paragraph or block of it is about the question."""
    return _open_with(scope, text, find_evidence(scope, text), _MIN_STATED)


def quote_default(scope: QuestionScope, phrase: str) -> str:
    """Quote the section of the documentation with this title if it states a default; empty for none."""
    section, blocks = find_section(scope.reader, f"default {phrase}", scope.repositories)
    is_about = section is not None and set(terms(section.title)) == set(terms(phrase))
    stated = [block for block in blocks if STATES_DEFAULT.search(block.text) and not block.is_code]
    return (
        f"The documentation says (`{section.path}:{section.line}`): {_shorten(stated[0].text)}"
        if section and is_about and stated
        else ""
    )


def _open_with(scope: QuestionScope, question: str, evidence: Reply, min_share: float) -> Reply:
    section, blocks = find_section(scope.reader, question, scope.repositories)
    best = max(range(len(blocks)), key=lambda place: (blocks[place].share, -place), default=-1)
    if section is None or best < 0 or blocks[best].share < min_share:
        return evidence
    codes = [place for place, block in enumerate(blocks) if block.is_code]
    if not min_share and codes and not blocks[best].is_code and not blocks[min(best + 1, len(blocks) - 1)].is_code:
        # Who asks how wants code: the block that is, or whose introduction is, most about the question.
        best = max(codes, key=lambda place: (max(blocks[place].share, blocks[max(place - 1, 0)].share), -place))
    shown = [*blocks[max(best - 1, 0) : best], blocks[best]] if blocks[best].is_code else blocks[best : best + 2]
    shown = [
        block for block in shown if block is blocks[best] or block.is_code != blocks[best].is_code or _is_list(block)
    ]
    where = f"`{section.path}:{section.line}`" + (f" in {section.repository}" if len(scope.repositories) > 1 else "")
    parts = [f"The documentation has a section “{section.title}” ({where}).", *map(_format_block, shown)]
    return Reply("\n\n".join(parts), evidence.findings, evidence.notes, body=evidence.body)


def _is_list(block: DocumentBlock) -> bool:
    return not block.is_code and block.text.lstrip().startswith(("- ", "* ", "+ ", "1. "))


def _format_block(block: DocumentBlock) -> str:
    lines = block.text.split("\n")
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    shown = [line[indent:] for line in lines[:_MAX_LINES]] + ["…"] * (len(lines) > _MAX_LINES)
    if block.is_code:
        return "```\n" + "\n".join(shown) + "\n```"
    return "\n".join(shown) if "\n- " in block.text or _is_list(block) else _shorten(block.text)


def _shorten(text: str) -> str:
    prose = " ".join(text.split())
    return prose if len(prose) <= _MAX_PROSE else f"{prose[:_MAX_PROSE].rpartition(' ')[0]}…"
