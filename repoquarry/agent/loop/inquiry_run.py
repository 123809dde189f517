"""`InquiryRun`: the steps of the deterministic answer to one question, as decisions of the graph.

Results of its calls hold records that no checkpoint can store, so a run stays in its process and is started anew in another one: its
steps only read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from repoquarry.agent.decisions import Answer, Observation, Plan, ToolCall
from repoquarry.agent.questions.answers import compose
from repoquarry.agent.questions.inquiry import Inquiry
from repoquarry.agent.questions.reading import read_question
from repoquarry.agent.questions.registry import load_question
from repoquarry.graphstore.reading.code_reader import CodeReader


class InquiryRun:
    """Run of one question."""

    def __init__(self, text: str, repositories: Sequence[str], reader: CodeReader) -> None:
        self._question = read_question(text)
        self._inquiry = Inquiry(text, self._question, tuple(repositories), reader)
        self._kind = load_question(self._question.kind)
        self._steps = self._kind.answer(self._inquiry)
        self._asked: dict[str, ToolCall] = {}
        self._observed: dict[str, Observation] = {}
        self.is_started = False

    def plan(self) -> Plan:
        """Describe what the steps do."""
        question = self._question
        frames = (f"{frame.path}:{frame.line}" for frame in question.frames)
        subjects = (question.subject, question.goal, *question.names, *frames)
        return Plan(question.kind, tuple(dict.fromkeys(filter(None, subjects))), self._kind.plan)

    def decide(self, first: int, step: int) -> tuple[ToolCall, ...] | Answer:
        """Return the next calls, with ids from `first` and steps from `step`, or the answer."""
        try:
            calls = self._steps.send(self._take_observations()) if self.is_started else next(self._steps)
        except StopIteration:
            return compose(self._inquiry)
        self.is_started = True
        numbered = tuple(
            replace(call, id=f"call-{first + number}", step=step + number) for number, call in enumerate(calls)
        )
        self._asked = {mine.id: call for mine, call in zip(numbered, calls, strict=True)}
        return numbered

    def observe(self, observation: Observation) -> None:
        """Take what a call brought."""
        self._observed[observation.call.id] = observation

    def conclude(self, reason: str) -> Answer:
        """Return the answer from what was found so far, because a budget ended."""
        self._steps.close()
        return compose(self._inquiry, reason)

    def _take_observations(self) -> list[Observation]:
        made = [replace(self._observed[id_], call=call) for id_, call in self._asked.items() if id_ in self._observed]
        self._observed.clear()
        return made
