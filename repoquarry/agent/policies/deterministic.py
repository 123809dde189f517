"""Policy without a model: answers a question from the graph and the source, in one step.

The same question has the same answer every time and costs nothing. A task with a workspace is refused, because nothing here writes a
program.
"""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.agent.decisions import Act, Answer, Observation
from repoquarry.agent.errors import ModelRequiredError
from repoquarry.agent.policies.base import Policy, PolicyContext
from repoquarry.agent.questions.answers import QuestionReader
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import TaskRequest
from repoquarry.execution.errors import TaskCancelledError


class DeterministicPolicy:
    """Policy that answers one question."""

    resumable = False

    def __init__(self, context: PolicyContext) -> None:
        self._context = context
        self._question: QuestionReader | None = None

    def decide(self, observations: Sequence[Observation]) -> Act | Answer:
        if self._question is None:
            context = self._context
            self._question = QuestionReader(
                context.request.text, context.repositories, context.reader, self._check_cancelled
            )
            return Act((), self._question.plan())
        return self._question.answer()

    def conclude(self, observations: Sequence[Observation], reason: str) -> Answer:
        return Answer(f"Stopped early: {reason}.")

    def unfinished(self, problem: str) -> bool:
        """Return False: a question is answered once."""
        return False

    def remembered(self) -> None:
        """Return nothing: the same question has the same answer."""

    def restore(self, memory: object) -> None:
        raise ValueError("a question is answered from its beginning")

    def _check_cancelled(self) -> None:
        if self._context.cancelled():
            raise TaskCancelledError("the task was cancelled")


def check(task: TaskRequest, settings: AgentSettings) -> None:
    """Raises: ModelRequiredError for a task with a workspace."""
    if task.workspace:
        raise ModelRequiredError(
            "a task that writes files or runs commands needs a chat model: set one up (agent.model.name) and ask for "
            "the policy 'chat'; a question without a workspace is answered without a model"
        )


def create(context: PolicyContext) -> Policy:
    """Create the policy for one question."""
    return DeterministicPolicy(context)
