"""Agent tools of a task: recall of earlier results, and indexing of further repositories."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Tool, ToolContext
from repoquarry.code.excerpts.text_view import TextView, ViewKind
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.model.values import count_noun
from repoquarry.graphstore.search.text_analysis import score_texts
from repoquarry.operations.base import Effect

_PASSAGE_LINES: Final = 40


class RecallCall(Tool, frozen=True):
    name = "recall"
    summary = "Find in what earlier calls of this task brought, after they were folded out of the conversation."
    of_task = True

    text: Annotated[str, Meta(description="words that what is looked for holds")]
    passages: Annotated[int, Meta(description="passages of at most 40 lines", ge=1, le=20)] = 4

    def run(self, context: ToolContext) -> ToolResult:
        passages = []
        for number, item in enumerate(context.folded, 1):
            lines = item.text.splitlines()
            for start in range(0, max(len(lines), 1), _PASSAGE_LINES):
                body = "\n".join(lines[start : start + _PASSAGE_LINES])
                passages.append((f"call {number}, {item.call.tool}, lines {start + 1}-{start + _PASSAGE_LINES}", body))
        scores = score_texts([body for _, body in passages], self.text)
        best = sorted(range(len(passages)), key=lambda number: (-scores[number], number))[: self.passages]
        found = [number for number in sorted(best) if scores[number] > 0]
        text = "\n\n".join(f"[{passages[number][0]}]\n{passages[number][1]}" for number in found)
        summary = f"{len(found)} of {len(passages)} passages of {len(context.folded)} folded calls"
        return ToolResult(TextView(ViewKind.DOCUMENT, text or "(nothing)", summary), summary)


class IndexRepositoryCall(Tool, frozen=True):
    name = "index_repository"
    summary = "Clone and index a repository that `repositories` found online; a person may have to approve it. It then belongs to this task."
    effect = Effect.INDEXES
    of_task = True

    address: Annotated[str, Meta(description="git address, as `repositories` names it", min_length=1)]

    def run(self, context: ToolContext) -> ToolResult:
        if context.index is None:
            raise ToolError("this task cannot index repositories")
        added = context.index(self.address, context.cancelled)
        found = {item.id: item for item in context.reader.repositories()}[added]
        summary = f"{added} is indexed: {count_noun(found.files, 'file')}, {found.summary or 'no description'}"
        return ToolResult.from_text(summary, repository=added)


TOOLS: Final = (RecallCall, IndexRepositoryCall)
