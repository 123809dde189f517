"""The policy without a model: reads the question, follows the steps for its kind, and explains what it found.

Costs nothing, gives the same answer twice, and every sentence of the answer comes from the graph or the source.
"""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.agent.answers import compose
from repoquarry.agent.policies.base import Act, Answer, Observation, Plan, PolicyContext
from repoquarry.agent.questions.inquiry import Inquiry
from repoquarry.agent.questions.reading import read_question
from repoquarry.agent.questions.registry import load_question


class DeterministicPolicy:
    """Runs the generator of one question."""

    def __init__(self, context: PolicyContext) -> None:
        self._question = read_question(context.request.text)
        self._inquiry = Inquiry(context.request.text, self._question, context.repositories, context.reader)
        self._steps = load_question(self._question.kind)(self._inquiry)
        self._begun = False

    def decide(self, observations: Sequence[Observation]) -> Act | Answer:
        try:
            if self._begun:
                return Act(self._steps.send(observations))
            self._begun = True
            return Act(next(self._steps), self._plan())
        except StopIteration:
            return compose(self._inquiry)

    def conclude(self, observations: Sequence[Observation], reason: str) -> Answer:
        self._steps.close()
        return compose(self._inquiry, reason)

    def _plan(self) -> Plan:
        question = self._question
        frames = (f"{frame.path}:{frame.line}" for frame in question.frames)
        subjects = (question.subject, question.goal, *question.names, *frames)
        return Plan(question.kind, tuple(dict.fromkeys(filter(None, subjects))), _PLANS[question.kind])


_PLANS = {
    "where": "look up the names and stack frames in the task, locate it by words and meaning, follow calls around the best "
    "places, read them, and rank them",
    "flow": "locate both ends, search call paths between them, read what speaks of both, and name the modules on the way",
    "callers": "find everything the name means, list resolved callers, then calls that may mean it, then what stays unknown",
    "callees": "find everything the name means and list what it calls inside, outside, and unresolved",
    "impact": "find everything the name means, follow callers, subclasses, overriding methods and importers, and find its tests",
    "module": "find everything the name means, read its documentation and outline, and say what it uses and what uses it",
    "subclasses": "find everything the name means and follow inheritance down to every level",
    "usage": "read the README for the goal, find entry points and core classes, and locate the code that does it",
}


def create(context: PolicyContext) -> DeterministicPolicy:
    """The policy for one task."""
    return DeterministicPolicy(context)
