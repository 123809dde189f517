"""The policy with a chat model: the model chooses the tools, the graph calls them, the same events come of it.

The model ends by calling `finish`, which takes the answer with its places; an answer in plain text is taken as well. Either
way a place is only passed on when it is in the index, because models name files that do not exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from repoquarry.agent.decisions import Act, Answer, Folded, Observation, Plan, ToolCall, UnresolvedCalls
from repoquarry.agent.errors import ToolArgumentsError
from repoquarry.agent.policies.base import PolicyContext
from repoquarry.agent.policies.chat_model import (
    ChatModel,
    Reply,
    human,
    open_model,
    system,
    tool_returned,
)
from repoquarry.agent.policies.conversation import Conversation
from repoquarry.agent.policies.finishing import FINISH, FinishArguments, NamedPlace, finish_arguments, finish_call
from repoquarry.agent.policies.prompt import instructions
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import Place, TaskRequest, TokenUsage, UnresolvedName
from repoquarry.graphstore.reading.relations import CallerReport

_MAX_EMPTY_REPLIES = 3
_SEEN_PLACES = 10


class ChatPolicy:
    """A conversation with one model about one task."""

    resumable = True

    def __init__(self, context: PolicyContext, model: ChatModel) -> None:
        self._context = context
        self._model = model
        opening = (system(instructions(context)), human(context.request.text))
        self._conversation = Conversation(opening, context.folded, context.settings.model.context_tokens)
        self._waiting: dict[str, ToolCall] = {}
        self._seen: dict[tuple[str, str, str], Place] = {}
        self._unresolved = UnresolvedCalls()
        self._said = ""
        self._spent = TokenUsage()
        self._calls = 0

    def decide(self, observations: Sequence[Observation]) -> Act | Answer:
        self._hear(observations)
        first = self._conversation.is_opening
        for _ in range(_MAX_EMPTY_REPLIES):
            reply = self._ask()
            answer = self._answer_of(reply)
            if answer is not None:
                return replace(answer, usage=self._take_usage())
            if self._sent_back(reply):
                continue
            if calls := self._numbered(reply):
                plan = Plan("chat", (), reply.text or "let the model choose the tools") if first else None
                return Act(calls, plan, self._take_usage())
        return replace(self._plain("The model gave no answer."), usage=self._take_usage())

    def conclude(self, observations: Sequence[Observation], reason: str) -> Answer:
        """One last question without tools when only the steps are used up; else what was seen has to do."""
        self._hear(observations)
        if reason.endswith("steps is used up"):
            self._conversation.add(human(f"Stop here: {reason}. Answer now from what you have seen, in plain text."))
            reply = self._model.ask(self._conversation.shortened(), with_tools=False)
            self._spent += reply.usage
            answer = self._plain(reply.text or reply.refusal)
        else:
            answer = self._plain(self._said)
        return replace(answer, text=f"Cut short: {reason}.\n\n{answer.text}", usage=self._take_usage())

    def unfinished(self, problem: str) -> bool:
        """Tell the model what does not hold."""
        self._conversation.close_calls("not accepted: the task is not done")
        self._waiting.clear()
        self._conversation.add(human(f"The task is not done: {problem}. Go on, and call finish when it is."))
        return True

    def remembered(self) -> dict[str, Any]:
        return {
            "conversation": self._conversation.remembered(),
            "waiting": msgspec.to_builtins(self._waiting),
            "seen": msgspec.to_builtins(list(self._seen.values())),
            "unresolved": msgspec.to_builtins(self._unresolved.names()),
            "folded": msgspec.to_builtins(self._context.folded),
            "said": self._said,
            "calls": self._calls,
        }

    def restore(self, memory: Any) -> None:
        self._conversation.restore(memory["conversation"])
        self._waiting = msgspec.convert(memory["waiting"], dict[str, ToolCall])
        seen = msgspec.convert(memory["seen"], list[Place])
        self._seen = {(place.repository, place.path, place.qualname): place for place in seen}
        self._unresolved = UnresolvedCalls(msgspec.convert(memory["unresolved"], list[UnresolvedName]))
        self._context.folded[:] = msgspec.convert(memory["folded"], list[Folded])
        self._said, self._calls = memory["said"], memory["calls"]

    def _ask(self) -> Reply:
        self._conversation.fold()
        reply = self._model.ask(self._conversation.shortened())
        self._spent += reply.usage
        self._conversation.add(reply.message)
        self._said = reply.text or self._said
        return reply

    def _hear(self, observations: Sequence[Observation]) -> None:
        """Put what the calls brought into the conversation, under the ids that the model gave them."""
        for observation in observations:
            asked = self._waiting.pop(observation.call.id)
            failed = observation.result is None
            self._conversation.add(tool_returned(asked.id, observation.text, failed=failed))
            for place in observation.result.places if observation.result else ():
                self._seen.setdefault((place.repository, place.path, place.qualname), place)
            for record in observation.result.records if observation.result else ():
                if isinstance(record, CallerReport):
                    self._unresolved.add(record.possible)
        self._conversation.close_calls("not called: a budget was used up")
        self._waiting.clear()

    def _numbered(self, reply: Reply) -> tuple[ToolCall, ...]:
        """The calls under ids of our own, because models repeat theirs."""
        made = []
        for call in reply.calls:
            self._calls += 1
            mine = replace(call, id=f"call-{self._calls}", why=reply.text[:200])
            self._waiting[mine.id] = call
            made.append(mine)
        return tuple(made)

    def _answer_of(self, reply: Reply) -> Answer | None:
        """The answer in a reply, None while the model goes on."""
        if reply.refusal:
            return self._plain(f"The model declines: {reply.refusal}")
        call = finish_call(reply)
        if call is None:
            return None if reply.calls or not reply.text.strip() else self._plain(reply.text)
        try:
            return self._checked(finish_arguments(call))
        except ToolArgumentsError:
            return None

    def _sent_back(self, reply: Reply) -> bool:
        """Tell the model that its reply was empty or its `finish` malformed."""
        call = finish_call(reply)
        if call is None and reply.calls:
            return False
        problem = "Call a tool, or answer with finish."
        if call is not None:
            try:
                finish_arguments(call)
            except ToolArgumentsError as error:
                problem = str(error)
        for one in reply.calls:
            self._conversation.add(tool_returned(one.id, problem, failed=True))
        if not reply.calls:
            self._conversation.add(human(problem))
        return True

    def _checked(self, given: FinishArguments) -> Answer:
        """The model's answer with the places that exist; the others are named as left out."""
        places, unknown = [], []
        for rank, named in enumerate(given.places, 1):
            place = self._place(named, 1.0 / rank)
            if place is None:
                unknown.append(named.path)
            else:
                places.append(place)
        text = given.text
        if unknown:
            text += f"\n\nThe model also named what is not in the index: {', '.join(f'`{path}`' for path in unknown)}."
        return self._answer(text, tuple(places))

    def _place(self, named: NamedPlace, score: float) -> Place | None:
        context = self._context
        wanted = (named.repository,) if named.repository in context.repositories else context.repositories
        files = context.reader.files_ending(named.path.strip("/").removeprefix("./"), wanted)
        if not files:
            return None
        repository, path = files[0]
        reason = "named by the model"
        if any(seen[:2] == (repository, path) for seen in self._seen):
            reason += ", which a tool showed it"
        place = Place(repository, path, "", named.start_line, named.end_line, score, named.why, (reason,))
        for item in context.reader.inside(repository, path) if named.qualname else ():
            if item.qualname == named.qualname:
                return Place.of(item, named.why, score, (reason,))
        return place

    def _plain(self, text: str) -> Answer:
        """An answer in words: its places are those that tools showed and that it names."""
        named = [place for place in self._seen.values() if self._names(text, place)]
        found = named or list(self._seen.values())[:_SEEN_PLACES]
        reason = "named in the answer" if named else "shown by a tool"
        places = tuple(
            replace(place, score=1.0 / rank, why=place.why or reason, reasons=(*place.reasons, reason))
            for rank, place in enumerate(found, 1)
        )
        return self._answer(text or "The model gave no answer.", places)

    @staticmethod
    def _names(text: str, place: Place) -> bool:
        return place.path in text and (not place.qualname or place.qualname.rpartition(".")[2] in text)

    def _answer(self, text: str, places: tuple[Place, ...]) -> Answer:
        repositories = tuple(dict.fromkeys(place.repository for place in places)) or self._context.repositories
        return Answer(text, places, self._unresolved.names(), repositories)

    def _take_usage(self) -> TokenUsage:
        spent, self._spent = self._spent, TokenUsage()
        return spent


def check(task: TaskRequest, settings: AgentSettings) -> None:
    """Raises: ModelRejectedError when no model is configured or it cannot be opened."""
    open_model(settings.model)


def create(context: PolicyContext) -> ChatPolicy:
    """The policy for one task. Raises: ModelRejectedError when no model is configured or it cannot be opened."""
    schemas: list[dict[str, Any]] = [
        {"type": "function", "function": {"name": t.name, "description": t.summary, "parameters": t.schema()}}
        for t in (*context.tools, FINISH)
    ]
    model = ChatModel(context.settings.model, schemas, context.emit, context.cancelled, context.seconds_left)
    return ChatPolicy(context, model)
