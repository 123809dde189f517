"""The chat policy through the real provider package, against a scripted server on the loopback interface."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from repoquarry.agent.settings import AgentSettings, ModelSettings
from repoquarry.agent.task import EventKind, TaskState
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.graphstore.settings import SelectionSettings
from tests.integration.agent.conftest import Ask
from tests.scripted_chat import Reply, ScriptedChat, scripted_chat

KEY = "sk-very-secret-key"
PLACE = {"repository": "webshop", "path": "webshop/shop.py", "qualname": "Shop.pay", "why": "It retries."}


def model(chat: ScriptedChat, **changes: Any) -> AgentSettings:
    """Settings that send the chat policy to the scripted server."""
    options = {"base_url": chat.base_url, "api_key": KEY, **changes.pop("options", {})}
    given = {
        "name": "openai:scripted",
        "options": options,
        "timeout_seconds": 5.0,
        "retry_seconds": 0.05,
        "fallback": False,
        **changes,
    }
    return AgentSettings(model=ModelSettings(**given))


def finish(text: str = "It is retried in Shop.pay.", *places: dict[str, Any]) -> Reply:
    return Reply(calls=[("finish", {"text": text, "places": list(places or (PLACE,))})])


def look() -> Reply:
    return Reply(calls=[("view", {"target": "Shop.pay"})])


def test_tool_calls_go_round_and_the_answer_names_places(ask: Ask) -> None:
    with scripted_chat(
        Reply(
            text="Let me look.",
            calls=[
                ("search", {"text": "payment retried", "mode": "task"}),
                ("relations", {"target": "Shop.pay", "kind": "callers"}),
            ],
        ),
        finish(),
    ) as chat:
        asked = ask("Where is a payment retried?", "webshop", policy="chat", settings=model(chat))
    result = asked.result
    assert result.state is TaskState.ANSWERED
    assert result.text == "It is retried in Shop.pay."
    place = result.places[0]
    assert (place.path, place.qualname, place.start_line, place.why) == (
        "webshop/shop.py",
        "Shop.pay",
        23,
        "It retries.",
    )
    assert "which a tool showed it" in place.reasons[0]
    assert (result.usage.input, result.usage.output) == (200, 20)
    assert result.usage.read > 0
    first, second = chat.requests
    offered = {tool["function"]["name"] for tool in first["tools"]}
    assert {"search", "view", "more_tools", "finish"} <= offered
    assert "cypher" in offered
    assert not offered & {"run_command", "write_file"}  # no workspace was asked for
    opening = ["system", "user"]  # No turn of the model that it did not make.
    assert [message["role"] for message in first["messages"]] == opening
    assert (
        "Callers of Shop.pay" in first["messages"][1]["content"]
    )  # the evidence pack that an answer without a model shows
    assert [message["role"] for message in second["messages"]] == [*opening, "assistant", "tool", "tool"]
    assert "webshop/shop.py:23-31" in second["messages"][3]["content"]
    assert "Shop.order" in second["messages"][4]["content"]


def test_malformed_arguments_and_unknown_tools_are_sent_back_to_the_model(ask: Ask) -> None:
    with scripted_chat(
        Reply(calls=[("search", '{"text": "payment'), ("teleport", {"to": "moon"}), ("relations", {"nome": "x"})]),
        Reply(calls=[("view", {"target": "../../etc/passwd"}), ("run_command", {"command": "ls"})]),
        Reply(calls=[("finish", {"texto": "?"})]),
        finish(),
        finish(),
    ) as chat:
        asked = ask("Where is a payment retried?", "webshop", policy="chat", settings=model(chat))
    assert asked.result.state is TaskState.ANSWERED
    returned = [event.data for event in asked.of(EventKind.TOOL_RETURNED)]
    assert [data["failed"] for data in returned] == [False, *[True] * 5]
    problems = {str(data["tool"]): str(data["summary"]) for data in returned}
    assert "not a JSON object" in problems["search"]
    assert "known:" in problems["teleport"]
    assert "view" in problems["teleport"]
    assert "nome" in problems["relations"]
    assert "nothing is called" in problems["view"]
    assert "needs a workspace" in problems["run_command"]
    told = [message["content"] for message in chat.requests[3]["messages"] if message["role"] == "tool"]
    assert len(told) == 6
    assert "texto" in told[-1] or "text" in told[-1]


def test_a_provider_without_streaming_gives_the_same_answer(ask: Ask) -> None:
    with scripted_chat(
        Reply(text="Let me look.", calls=[("search", {"text": "payment", "mode": "task"})]), finish()
    ) as chat:
        settings = model(chat, options={"disable_streaming": True})
        asked = ask("Where is a payment retried?", "webshop", policy="chat", settings=settings)
    assert not any(request.get("stream") for request in chat.requests)
    assert asked.result.text == "It is retried in Shop.pay."
    assert (asked.result.usage.input, asked.result.usage.output) == (200, 20)


def test_provider_errors_are_retried_and_then_succeed(ask: Ask) -> None:
    with scripted_chat(
        Reply(status=500, error="overloaded"),
        Reply(status=429, error=f"slow down, {KEY}", retry_after="0.4"),
        look(),
        finish(),
    ) as chat:
        asked = ask("Where is a payment retried?", "webshop", policy="chat", settings=model(chat))
    assert asked.result.state is TaskState.ANSWERED
    retried = asked.of(EventKind.MODEL_RETRIED)
    assert [event.data["attempt"] for event in retried] == [1, 2]
    assert [event.data["wait_seconds"] for event in retried] == [0.05, 0.4]
    assert KEY not in str([event.data for event in asked.events])
    assert asked.of(EventKind.MODEL_CALLED)[0].data["attempt"] == 3


def test_a_provider_that_keeps_failing_fails_the_task_clearly(ask: Ask) -> None:
    with scripted_chat(Reply(drop=True), Reply(status=503, error="down"), Reply(delay_seconds=1.5)) as chat:
        settings = model(chat, timeout_seconds=0.5, attempts=3)
        asked = ask("Where is a payment retried?", "webshop", policy="chat", settings=settings)
    assert asked.result.state is TaskState.FAILED
    assert asked.result.error_reason == "MODEL_UNAVAILABLE"
    assert len(chat.requests) == 3
    failed = asked.of(EventKind.TASK_FAILED)[0].data
    assert failed["reason"] == "MODEL_UNAVAILABLE"
    assert "failed 3 times" in str(failed["message"])
    assert "imeout" in str(failed["message"])


def test_rejected_key_is_neither_retried_nor_printed(ask: Ask) -> None:
    with scripted_chat(Reply(status=401, error=f"Incorrect API key provided: {KEY}")) as chat:
        asked = ask("Where is a payment retried?", "webshop", policy="chat", settings=model(chat))
    assert asked.result.error_reason == "MODEL_REJECTED"
    assert len(chat.requests) == 1
    assert KEY not in asked.result.error
    assert chat.headers[0]["authorization"] == f"Bearer {KEY}"


def test_no_model_and_unknown_models_are_refused_in_words(ask: Ask) -> None:
    without = ask("Where?", "webshop", policy="chat")
    assert without.result.error_reason == "MODEL_REJECTED"
    assert "no chat model is configured" in without.result.error
    unknown = ask("Where?", "webshop", policy="chat", settings=AgentSettings(model=ModelSettings("nobody:none")))
    assert unknown.result.error_reason == "MODEL_REJECTED"
    assert "nobody" in unknown.result.error


def test_tokens_are_counted_locally_without_usage_of_the_provider(ask: Ask) -> None:
    with scripted_chat(Reply(text="It is in `pay`.", usage=None), finish()) as chat:
        asked = ask("Where is a payment retried?", "webshop", policy="chat", settings=model(chat))
    called = asked.of(EventKind.MODEL_CALLED)[0].data
    assert called["estimated"] is True
    assert asked.result.usage.input > 500  # the instructions and the tools' schemas alone
    assert int(str(called["output_tokens"])) > 0
    assert asked.of(EventKind.MODEL_CALLED)[1].data["estimated"] is False


def test_long_conversations_are_folded_and_what_was_folded_is_found_again(ask: Ask) -> None:
    view = Reply(calls=[("view", {"target": "webshop/http/server.py"})])
    note = Reply(calls=[("plan", {"steps": ["look at prices"], "facts": ["webshop/shop.py:23 retries"]})])
    others = [Reply(calls=[("view", {"target": path})]) for path in ("webshop/shop.py", "webshop/prices.py")] * 4
    recall = Reply(calls=[("more_tools", {"tool": "recall", "arguments": {"text": "Accepts connections"}})])
    with scripted_chat(view, note, *others, recall, finish()) as chat:
        settings = model(chat, context_tokens=1_900, output_tokens=200)
        ask("Where is a payment retried?", "webshop", policy="chat", settings=settings)
    messages = chat.requests[-2]["messages"]
    summary = messages[2]["content"]
    assert [message["role"] for message in messages[:4]] == ["system", "user", "user", "assistant"]
    assert "view(target='webshop/http/server.py') -> webshop webshop/http/server.py:1-26" in summary
    assert "Facts: webshop/shop.py:23 retries" in summary
    assert "Accepts connections" not in str(messages)
    found = chat.requests[-1]["messages"][-1]["content"]
    assert '1 """Accepts connections and turns bytes into requests."""' in found


def test_commands_wait_for_approval_and_run_in_the_workspace(ask: Ask, tmp_path: Path) -> None:
    script = (
        Reply(
            calls=[("checkout", {"repository": "webshop"}), ("write_file", {"path": "t.py", "text": "print(6 * 7)"})]
        ),
        Reply(calls=[("run_command", {"command": "python3 t.py; ls webshop"})]),
        finish("It works."),
    )
    with scripted_chat(*script) as chat:
        settings = AgentSettings(
            model=model(chat).model, workspace=WorkspaceSettings(root=tmp_path), selection=SelectionSettings()
        )
        granted = ask("Run it", "webshop", policy="chat", workspace=True, settings=settings, approve=lambda asked: True)
    assert granted.result.state is TaskState.ANSWERED
    told = chat.requests[-1]["messages"][-1]["content"]
    assert "42" in told
    assert "README.md" in told
    assert granted.of(EventKind.APPROVAL_REQUESTED)[0].data["tool"] == "run_command"
    assert granted.of(EventKind.APPROVAL_DECIDED)[0].data["granted"] is True
    assert Path(granted.result.workspace).parent == tmp_path
    with scripted_chat(*script) as chat:
        denied = ask("Run it", "webshop", policy="chat", workspace=True, settings=AgentSettings(
            model=model(chat).model, workspace=WorkspaceSettings(root=tmp_path)
        ))  # fmt: skip
    assert "was not approved" in chat.requests[-1]["messages"][-1]["content"]
    assert denied.of(EventKind.APPROVAL_DECIDED)[0].data["granted"] is False


def test_a_question_has_no_evidence_of_reading_tools_without_exploration(ask: Ask) -> None:
    first = []
    for explores in (True, False):
        with scripted_chat(finish()) as chat:
            settings = replace(model(chat), exploration=explores)
            ask("Where is a payment retried?", "webshop", policy="chat", settings=settings)
        first.append([str(message["content"]) for message in chat.requests[0]["messages"]])
    assert "Callers of Shop.pay" in first[0][1]
    assert "Callers of Shop.pay" not in first[1][1]


def test_a_denied_reading_tool_is_refused_with_the_setting(ask: Ask) -> None:
    with scripted_chat(Reply(calls=[("search", {"text": "payment"})]), finish()) as chat:
        ask("Where is a payment retried?", "webshop", policy="chat", settings=replace(model(chat), exploration=False))
    assert "the setting agent.exploration denies" in str(chat.requests[1]["messages"][-1]["content"])
