"""The edge to real models: what they and their servers do wrong, against a scripted server on the loopback interface."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import pytest

from repoquarry.agent.model.tool_offer import OWN_TOOLS, FinishCall
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import Budget, EventKind, TaskState
from repoquarry.agent.tools.base import available_tools
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.graphstore import token_counting
from repoquarry.graphstore.settings import SelectionSettings
from repoquarry.operations.base import Operation
from tests.integration.agent.conftest import Ask, Asked
from tests.integration.agent.test_chat import finish, look, model
from tests.scripted_chat import Reply, ScriptedChat, scripted_chat

QUESTION = "Where is a payment retried?"
GROUNDED = "It is retried in `Shop.pay`, webshop/shop.py:23."


def run(
    ask: Ask, chat: ScriptedChat, *, cancelled: Any = lambda: False, budget: Budget | None = None, **changes: Any
) -> Asked:
    """Ask without an opening, so that the model has seen nothing."""
    settings = model(chat, **{"opening_blocks": False, "opening_evidence": False, **changes})
    return ask(QUESTION, "webshop", policy="chat", settings=settings, cancelled=cancelled, budget=budget or Budget())


def check_sizes(chat: ScriptedChat, limit: int) -> None:
    """Check that every request fits the context with its tools and the reply."""
    for request in chat.requests:
        text = json.dumps([request["messages"], request["tools"]], separators=(",", ":"))
        assert len(text) / 4 + request["max_completion_tokens"] < limit * 1.05


def told(chat: ScriptedChat, request: int) -> str:
    """Newest message of a request."""
    return str(chat.requests[request]["messages"][-1]["content"])


@pytest.mark.parametrize(
    "text", [GROUNDED, "I will search now.", "<think>The shop, surely.</think>", "Somewhere in utils.py:7."]
)
def test_an_answer_without_a_tool_call_is_sent_back_and_then_labelled(ask: Ask, text: str) -> None:
    with scripted_chat(*[Reply(text=text)] * 5) as chat:
        asked = run(ask, chat)
    assert len(chat.requests) > 1
    assert "tool" in told(chat, 1)
    assert asked.result.text.startswith("Not grounded") or asked.result.state is TaskState.NO_ANSWER
    assert asked.result.repositories == ()
    assert asked.result.places == ()


def test_an_announcement_after_a_look_is_no_answer(ask: Ask) -> None:
    with scripted_chat(look(), Reply(text="Next I will look at the callers."), finish(GROUNDED)) as chat:
        asked = run(ask, chat)
    assert asked.result.text == GROUNDED
    assert asked.result.repositories == ("webshop",)


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "view", "arguments": {"target": "Shop.pay"}}\n</tool_call>',
        '```json\n{"tool": "view", "parameters": {"target": "Shop.pay"}}\n```',
        'I look: {"function": {"name": "view", "arguments": "{\\"target\\": \\"Shop.pay\\"}"}}',
    ],
)
def test_tool_calls_written_as_text_are_executed(ask: Ask, text: str) -> None:
    with scripted_chat(Reply(text=text), finish(GROUNDED)) as chat:
        asked = run(ask, chat)
    assert [event.data["tool"] for event in asked.of(EventKind.TOOL_CALLED)] == ["view"]
    assert "def pay" in told(chat, 1)


def test_finish_counts_only_after_the_other_calls_of_its_message(ask: Ask) -> None:
    both = Reply(calls=[("view", {"target": "Shop.pay"}), ("finish", {"text": "Done."})])
    with scripted_chat(both, finish(GROUNDED)) as chat:
        asked = run(ask, chat)
    assert asked.result.text == GROUNDED
    assert any("counts only alone" in str(message["content"]) for message in chat.requests[1]["messages"])


def test_what_an_answer_cites_is_checked(ask: Ask) -> None:
    invented = "See webshop/shop.py:23-900, webshop/shop.py:700, webshop/wallet.py:3 and `Wallet.refund_all`."
    with scripted_chat(look(), finish(invented), finish(invented)) as chat:
        asked = run(ask, chat)
    for problem in ("webshop/wallet.py is not a file", "`Wallet.refund_all` is not defined", "has 42 lines, not 700"):
        assert problem in told(chat, 2)
        assert problem in asked.result.text
    assert "webshop/shop.py:23-42, webshop/shop.py, webshop/wallet.py [not found]" in asked.result.text


def test_places_as_strings_are_paths_and_false_lines_are_dropped(ask: Ask) -> None:
    places = ["webshop/shop.py:23-31", {"path": "webshop/shop.py", "start_line": 999}, "webshop/retry.py"]
    call = Reply(calls=[("finish", {"text": GROUNDED, "places": places})])
    with scripted_chat(look(), call, call) as chat:
        asked = run(ask, chat)
    assert "webshop/retry.py is not a file of webshop" in told(chat, 2)
    assert [(place.start_line, place.end_line) for place in asked.result.places] == [(23, 31), (0, 0)]


def test_half_an_answer_is_sent_back(ask: Ask) -> None:
    with scripted_chat(look(), Reply(text="It is retried in webshop/sh", finish="length"), finish(GROUNDED)) as chat:
        asked = run(ask, chat)
    assert "cut" in told(chat, 2)
    assert asked.result.text == GROUNDED


def test_calls_that_are_cut_again_and_again_end_the_task(ask: Ask) -> None:
    cut = Reply(calls=[("search", '{"text": "pay')], finish="length")
    with scripted_chat(*[cut] * 20) as chat:
        asked = run(ask, chat)
    assert "smaller pieces" in told(chat, 1)
    assert len(chat.requests) < 8
    assert asked.result.stop == "malformed"


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (Reply(finish="content_filter"), "declines: its provider filtered the reply"),
        (Reply(refusal="I cannot help with that."), "declines: I cannot help with that."),
    ],
)
def test_a_refusal_is_the_answer(ask: Ask, reply: Reply, text: str) -> None:
    with scripted_chat(reply) as chat:
        asked = run(ask, chat, options={"disable_streaming": bool(reply.refusal)})
    assert text in asked.result.text
    assert (asked.result.state, asked.result.repositories) == (TaskState.ANSWERED, ())


def test_the_reply_has_a_limit_and_malformed_ids_are_replaced(ask: Ask) -> None:
    twice = [("view", {"target": "Shop.pay"}), ("view", {"target": "Shop.order"})]
    with scripted_chat(
        Reply(calls=twice, ids=["same", "same"]), Reply(calls=twice[:1], ids=[None]), finish(GROUNDED)
    ) as chat:
        asked = run(ask, chat, output_tokens=700)
    assert chat.requests[0]["max_completion_tokens"] == 700
    called = [call["id"] for message in chat.requests[2]["messages"] for call in message.get("tool_calls", ())]
    answered = [message["tool_call_id"] for message in chat.requests[2]["messages"] if message["role"] == "tool"]
    assert called == answered
    assert len(set(called)) == 3
    assert asked.result.state is TaskState.ANSWERED


def test_an_overflow_is_folded_and_retried_with_the_limit_that_the_server_names(ask: Ask) -> None:
    message = "request (13752 tokens) exceeds the available context size (2048 tokens), try increasing it"
    views = [
        Reply(calls=[("view", {"target": path})]) for path in ("webshop/shop.py", "webshop/prices.py", "webshop/cli.py")
    ]
    with scripted_chat(*views, Reply(status=400, error=message), finish(GROUNDED)) as chat:
        asked = run(ask, chat)
    before, after = (len(json.dumps(chat.requests[number])) for number in (3, 4))
    assert after < before / 2
    assert after / 4 < 2048
    assert asked.result.text == GROUNDED


@pytest.mark.parametrize("limit", [2_048, 4_096, 8_192])
def test_requests_keep_within_small_contexts(ask: Ask, limit: int) -> None:
    views = [
        Reply(calls=[("view", {"target": path})]) for path in ("webshop/shop.py", "webshop/prices.py", "README.md")
    ]
    with scripted_chat(*views, finish(GROUNDED)) as chat:
        run(ask, chat, context_tokens=limit)
    check_sizes(chat, limit)


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ([Reply(status=401, error="no such key")], "rejects the request"),
        ([Reply(status=503, error="down")] * 2, "failed 2 times"),
        ([Reply()] * 5, "gave no answer"),
        ([Reply(calls=[("search", {"text": "payment"})], usage=(900, 200))], "token limit of 1000 reached"),
    ],
)
def test_a_question_falls_back_to_the_answer_without_a_model(ask: Ask, replies: list[Reply], reason: str) -> None:
    with scripted_chat(*replies) as chat:
        asked = run(ask, chat, fallback=True, attempts=2, budget=Budget(tokens=1_000))
    assert asked.result.text.startswith("Answered without the model (")
    assert reason in asked.result.fallback
    assert asked.result.places[0].qualname == "Shop.pay"
    assert asked.result.state is (TaskState.BUDGET_REACHED if "limit of" in reason else TaskState.ANSWERED)


def test_a_slow_reply_arrives_and_silence_does_not(ask: Ask) -> None:
    slow = Reply(text=GROUNDED + " word" * 12, pause_seconds=0.15)
    with scripted_chat(look(), slow) as chat:
        asked = run(ask, chat, timeout_seconds=1.0)
    assert asked.result.state is TaskState.ANSWERED
    with scripted_chat(Reply(text="word " * 9, pause_seconds=1.2)) as chat:
        silent = run(ask, chat, timeout_seconds=0.4, attempts=1)
    assert silent.result.error_reason == "MODEL_UNAVAILABLE"
    assert "no token for 0.4 s" in silent.result.error


def test_cancelling_closes_the_connection_at_once(ask: Ask) -> None:
    with scripted_chat(Reply(text="word " * 2_000, pause_seconds=0.05)) as chat:  # 100 seconds
        asked = run(ask, chat, cancelled=lambda: bool(chat.requests))
        assert asked.result.state is TaskState.CANCELLED
        deadline = time.monotonic() + 50.0
        while not chat.closed and time.monotonic() < deadline:
            time.sleep(0.02)
    assert chat.closed


def test_lost_attempts_of_a_failed_task_are_counted(ask: Ask) -> None:
    silent = Reply(text="late", delay_seconds=5.0)
    with scripted_chat(silent, silent, Reply(status=503, error="down")) as chat:
        asked = run(ask, chat, attempts=3, timeout_seconds=1.5, prices={"openai:scripted": [10, 20]})
    assert asked.result.error_reason == "MODEL_UNAVAILABLE", asked.result.error
    sent = [int(str(event.data["tokens"])) for event in asked.of(EventKind.MODEL_REQUESTED)]
    assert asked.result.usage.input == sent[0] + sent[1]
    assert asked.result.usage.cost == pytest.approx(asked.result.usage.input * 10 / 1e6)
    assert asked.events[-1].usage == asked.result.usage


def test_every_event_carries_what_was_used_so_far(ask: Ask) -> None:
    with scripted_chat(look(), finish(GROUNDED)) as chat:
        asked = run(ask, chat, prices={"openai:scripted": [10, 20]})
    used = [(event.kind, event.steps, event.usage.input, event.usage.read > 0) for event in asked.events]
    assert used[:5] == [
        (EventKind.TASK_STARTED, 0, 0, False),
        (EventKind.MODEL_REQUESTED, 0, 0, False),
        (EventKind.MODEL_CALLED, 0, 100, False),
        (EventKind.PLAN, 0, 100, False),
        (EventKind.TOOL_CALLED, 0, 100, False),
    ]
    assert used[-1] == (EventKind.ANSWER, 1, 200, True)
    assert asked.events[-1].usage == asked.result.usage


@pytest.mark.parametrize(
    "report",
    [
        {"/v1/models": {"data": [{"id": "other", "max_model_len": 512}, {"id": "scripted", "max_model_len": 2_048}]}},
        {"/v1/models": {"data": [{"id": "model.gguf"}]}, "/props": {"default_generation_settings": {"n_ctx": 2_048}}},
        {"/v1/models": {"data": [{"id": "scripted", "context_length": 2_048}]}},
    ],
)
def test_the_context_that_the_server_reports_bounds_the_first_request(ask: Ask, report: dict[str, Any]) -> None:
    with scripted_chat(look(), finish(GROUNDED), report=report) as chat:
        run(ask, chat)
    check_sizes(chat, 2_048)


def test_lost_attempts_and_cached_tokens_are_counted(ask: Ask) -> None:
    broken = Reply(text="word " * 30, break_after=20)
    with scripted_chat(broken, Reply(calls=look().calls, cached=60), finish(GROUNDED)) as chat:
        asked = run(ask, chat, prices={"openai:scripted": [10, 20, 1]})
    assert asked.result.usage.input > 1_000
    assert asked.result.usage.cached == 60
    usage = asked.result.usage
    assert usage.cost == pytest.approx(((usage.input - 60) * 10 + 60 + usage.output * 20) / 1e6)


def test_repeated_call_is_refused_and_repetition_ends_the_task(ask: Ask) -> None:
    with scripted_chat(*[look()] * 20) as chat:
        asked = run(ask, chat)
    assert "you have this already (call-1)" in told(chat, 3)
    assert asked.result.stop == "repetition"
    assert asked.result.steps == 2
    assert chat.requests[-1]["tools"] == chat.requests[0]["tools"]
    assert len(chat.requests) < 12


def test_repeated_calls_are_reported_to_model_and_client(ask: Ask) -> None:
    views = [Reply(calls=[("search", {"text": f"payment {number}"})]) for number in range(14)]
    with scripted_chat(*views, finish(GROUNDED)) as chat:
        asked = run(ask, chat)
    assert any("showed nothing new" in json.dumps(request["messages"]) for request in chat.requests)
    assert any("nothing new" in str(event.data["text"]) for event in asked.of(EventKind.NOTICE))


def test_all_results_of_one_step_share_the_size_of_one_view(ask: Ask) -> None:
    paths = ("webshop/shop.py", "webshop/prices.py", "webshop/http/server.py")
    views = Reply(calls=[("view", {"target": path}) for path in paths])
    with scripted_chat(views, finish(GROUNDED)) as chat:
        settings = replace(
            model(chat, opening_blocks=False, opening_evidence=False), selection=SelectionSettings(view_tokens=600)
        )
        ask(QUESTION, "webshop", policy="chat", settings=settings)
    shown = [str(message["content"]) for message in chat.requests[1]["messages"] if message["role"] == "tool"]
    assert len(shown) == 3
    assert 200 < sum(map(token_counting.count_tokens, shown)) <= 600


def test_a_view_is_cut_to_its_subject_or_to_the_newest_reason(ask: Ask) -> None:
    target = {"target": "webshop/shop.py"}
    first = Reply(text="How is an order placed?", calls=[("view", target)])
    others = [
        Reply(calls=[("view", {**target, "start_line": 1})]),
        Reply(calls=[("view", {**target, "about": "attempt, sleep, gave up"})]),
    ]
    with scripted_chat(first, *others, finish(GROUNDED)) as chat:
        settings = replace(model(chat), selection=SelectionSettings(view_tokens=340))
        ask("Compare prices.", "webshop", policy="chat", settings=settings)
    order, again, pay = (told(chat, number) for number in (1, 2, 3))
    assert "gave up" not in order
    assert again == order
    assert "gave up" in pay


def test_a_question_without_an_answer_ends_as_such(ask: Ask) -> None:
    with scripted_chat(look(), finish("NO ANSWER: searched for blockchain.")) as chat:
        asked = run(ask, chat)
    assert asked.result.state is TaskState.NO_ANSWER


def test_a_batch_of_500_calls_is_answered(ask: Ask) -> None:
    many = Reply(calls=[("search", {"text": f"payment {number}"}) for number in range(500)])
    with scripted_chat(many, finish(GROUNDED)) as chat:
        asked = run(ask, chat)
    assert asked.result.steps == 16
    assert sum(message["role"] == "tool" for message in chat.requests[1]["messages"]) == 500


def test_long_streamed_arguments_are_read_in_linear_time(ask: Ask) -> None:
    """In quadratic time half a megabyte takes minutes."""
    long = Reply(calls=[("search", {"text": "line of text\n" * 40_000})])
    with scripted_chat(long, look(), finish(GROUNDED)) as chat:
        started = time.monotonic()
        asked = run(ask, chat)
    assert time.monotonic() - started < 60.0
    assert asked.result.text == GROUNDED
    assert "the arguments have more than 200000 characters" in told(chat, 1)


def test_the_opening_holds_the_four_blocks_as_a_stable_prefix(ask: Ask) -> None:
    with scripted_chat(look(), finish(GROUNDED)) as chat:
        run(ask, chat, opening_blocks=True)
    opening = chat.requests[0]["messages"][0]["content"]
    assert "<repository webshop>" in opening
    assert "webshop/shop.py" in opening
    assert chat.requests[1]["messages"][0]["content"] == opening


@pytest.mark.parametrize("evidence", [True, False])
def test_blocks_and_evidence_of_the_opening_are_switched_apart(ask: Ask, evidence: bool) -> None:
    opened = []
    for blocks in (True, False):
        with scripted_chat(look(), finish(GROUNDED)) as chat:
            run(ask, chat, opening_blocks=blocks, opening_evidence=evidence)
        opened.append(chat.requests[0])
    instructions = [str(request["messages"][0]["content"]) for request in opened]
    assert ("<repository" in instructions[0], "<repository" in instructions[1]) == (True, False)
    assert set(instructions[1].splitlines()) < set(instructions[0].splitlines()), "the blocks and nothing else"
    assert opened[0]["messages"][1:] == opened[1]["messages"][1:]
    assert opened[0]["tools"] == opened[1]["tools"]
    assert ("Evidence for this task" in str(opened[0]["messages"][1]["content"])) is evidence


_HOSTILE: list[Any] = [
    "\0",
    "\ud800",
    "x" * 8_000,
    -(2**70),
    1e400,
    None,
    [],
    {},
    [["a"]],
    {"a": {"b": []}},
    True,
    "../../../etc/passwd",
]


@pytest.mark.long
def test_malformed_model_output_becomes_an_error_message_to_it(ask: Ask, tmp_path: Any) -> None:
    """The arguments of every tool get hostile values, under hostile ids."""
    calls: list[tuple[str, dict[str, Any]]] = []
    tools: list[type[Operation]] = [*available_tools(workspace=True), *OWN_TOOLS, FinishCall]
    for tool in tools:
        names = tool.__struct_fields__
        for number, value in enumerate(_HOSTILE):
            calls.append((tool.name, {names[number % len(names)]: value}))
            if tool.name not in ("provision", "install"):  # These are correct, and install packages.
                calls.append((tool.name, {**dict.fromkeys(names, "pay"), names[number % len(names)]: value}))
        calls.append((tool.name, {names[0]: "x" * 1_000_000}))
    calls += [("", {}), ("\0", {}), ("finish\ud800", {}), ("x" * 1_000_000, {})]
    ids = (["same"] * 16, [None] * 16, ["\0\ud800"] * 16, ["x" * 10_000] * 16)
    groups = [[*calls[start : start + 15], ("tree", {"path": str(start)})] for start in range(0, len(calls), 15)]
    script = [Reply(calls=group, ids=ids[at % 4][: len(group)]) for at, group in enumerate(groups)]
    with scripted_chat(*script, Reply(calls=[("finish", {"text": "Done."})])) as chat:
        settings = AgentSettings(
            model=model(chat, context_tokens=40_000, options={"disable_streaming": True}).model,
            workspace=WorkspaceSettings(root=tmp_path, isolation="none"),
            max_steps=0, max_tokens=0, max_seconds=0.0,
        )  # fmt: skip
        asked = ask("Try.", "webshop", policy="chat", workspace=True, auto_approve=True, settings=settings)
    assert asked.result.state in (TaskState.ANSWERED, TaskState.BUDGET_REACHED), asked.result.error
    assert len(chat.requests) == len(groups) + 1
    broken = [event.data for event in asked.of(EventKind.TOOL_RETURNED) if " failed: " in str(event.data["summary"])]
    assert {str(data["summary"])[:160] for data in broken} == set()
