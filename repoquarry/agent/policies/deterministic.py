"""The policy without a model: reads the question, follows the steps for its kind, and explains what it found.

It answers questions; a task with a workspace is refused, because nothing here writes a program.

Costs nothing, gives the same answer twice, and every sentence of the answer comes from the graph or the source.
"""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.agent.decisions import Act, Answer, Observation, Plan
from repoquarry.agent.errors import ModelRequiredError
from repoquarry.agent.policies.base import Policy, PolicyContext
from repoquarry.agent.questions.answers import compose
from repoquarry.agent.questions.inquiry import Inquiry
from repoquarry.agent.questions.reading import read_question
from repoquarry.agent.questions.registry import load_question
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import TaskRequest


class DeterministicPolicy:
    """Runs the generator of one question."""

    resumable = False

    def __init__(self, context: PolicyContext) -> None:
        self._question = read_question(context.request.text)
        self._inquiry = Inquiry(context.request.text, self._question, context.repositories, context.reader)
        self._kind = load_question(self._question.kind)
        self._steps = self._kind.answer(self._inquiry)
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

    def unfinished(self, problem: str) -> bool:
        """A question is answered once."""
        return False

    def remembered(self) -> None:
        """Nothing: the same question gives the same steps again, and they only read."""

    def restore(self, memory: object) -> None:
        raise ValueError("a question is answered from its beginning")

    def _plan(self) -> Plan:
        question = self._question
        frames = (f"{frame.path}:{frame.line}" for frame in question.frames)
        subjects = (question.subject, question.goal, *question.names, *frames)
        return Plan(question.kind, tuple(dict.fromkeys(filter(None, subjects))), self._kind.plan)


def check(task: TaskRequest, settings: AgentSettings) -> None:
    """Raises: ModelRequiredError for a task with a workspace."""
    if task.workspace:
        raise ModelRequiredError(
            "a task that writes files or runs commands needs a chat model: set one up (agent.model.name) and ask for "
            "the policy 'chat'; a question without a workspace is answered without a model"
        )


def create(context: PolicyContext) -> Policy:
    """The policy for one question."""
    return DeterministicPolicy(context)
