"""A conversation with a chat model keeps to the model's context: old outputs are shortened, older calls folded, every call answered."""

from __future__ import annotations

from langchain_core.messages import AIMessage

from repoquarry.agent.decisions import Folded
from repoquarry.agent.policies.chat_model import human, system, tool_returned
from repoquarry.agent.policies.conversation import Conversation
from repoquarry.graphstore import token_counting

_LONG = "a line of what a tool showed\n" * 100


def _asked(*ids: str) -> AIMessage:
    return AIMessage("", tool_calls=[{"id": one, "name": "search", "args": {"text": one}} for one in ids])


def _conversation(limit: int, folded: list[Folded] | None = None) -> Conversation:
    found = Conversation((system("Look."), human("Where is it?")), folded if folded is not None else [], limit)
    for number in range(3):
        found.add(_asked(f"call-{number}"), tool_returned(f"call-{number}", f"{number} {_LONG}", failed=False))
    return found


def _outputs(conversation: Conversation) -> list[str]:
    return [str(message.content) for message in conversation.shortened() if message.type == "tool"]


def _cut(limit: int) -> list[bool]:
    """Which of the outputs were shortened, the oldest first."""
    return [text.endswith("[the rest was left out to save tokens]") for text in _outputs(_conversation(limit))]


def test_the_oldest_outputs_give_way_first_and_the_newest_never() -> None:
    one = token_counting.count_tokens(f"0 {_LONG}")
    assert _cut(limit=2 * one + 300) == [True, False, False]
    assert _cut(limit=10) == [True, True, False]
    assert _outputs(_conversation(limit=0)) == [f"{number} {_LONG}" for number in range(3)]


def test_folded_calls_can_be_recalled_and_stand_in_one_message() -> None:
    folded: list[Folded] = []
    conversation = _conversation(2_000, folded)
    conversation.fold()
    assert [item.call.id for item in folded] == ["call-0", "call-1"]
    assert folded[0].text == f"0 {_LONG}"
    messages = conversation.shortened()
    assert [message.type for message in messages] == ["system", "human", "human", "ai", "tool"]
    assert "search(text='call-1')" in str(messages[2].content)
    conversation.fold()
    assert len(folded) == 2


def test_what_fits_is_not_folded() -> None:
    folded: list[Folded] = []
    conversation = _conversation(0, folded)
    conversation.fold()
    assert not folded


def test_calls_without_an_answer_are_closed_once() -> None:
    conversation = Conversation((system("Look."), human("Where?")), [], 0)
    assert conversation.is_opening
    conversation.add(_asked("one", "two"), tool_returned("one", "found", failed=False))
    assert not conversation.is_opening
    conversation.close_calls("not called")
    conversation.close_calls("not called")
    assert [str(message.content) for message in conversation.shortened()[3:]] == ["found", "not called"]


def test_it_goes_on_from_what_was_remembered() -> None:
    before, after = _conversation(0), Conversation((system(""), human("")), [], 0)
    after.restore(before.remembered())
    assert after.shortened() == before.shortened()
