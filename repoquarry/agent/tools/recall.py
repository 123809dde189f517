"""Tool `recall`: what earlier calls of this task brought, after the conversation was folded."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Tool, ToolContext
from repoquarry.agent.views.view import ToolView, ViewKind, relevance

_LINES: Final = 40


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
            for start in range(0, max(len(lines), 1), _LINES):
                body = "\n".join(lines[start : start + _LINES])
                passages.append((f"call {number}, {item.call.tool}, lines {start + 1}-{start + _LINES}", body))
        scores = relevance([body for _, body in passages], self.text)
        best = sorted(range(len(passages)), key=lambda number: (-scores[number], number))[: self.passages]
        found = [number for number in sorted(best) if scores[number] > 0]
        text = "\n\n".join(f"[{passages[number][0]}]\n{passages[number][1]}" for number in found)
        summary = f"{len(found)} of {len(passages)} passages of {len(context.folded)} folded calls"
        return ToolResult(ToolView(ViewKind.DOCUMENT, text or "(nothing)", summary), summary)


TOOLS: Final = (RecallCall,)
