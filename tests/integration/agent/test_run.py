"""Tasks as a whole: budgets, cancellation, selection and everything that makes a task impossible."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import Budget, EventKind, TaskState
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.graphstore.settings import SelectionSettings
from tests.integration.agent.conftest import Ask, Asked
from tests.integration.agent.test_chat import finish, model
from tests.scripted_chat import Reply, scripted_chat

QUESTION = "Where is a payment retried?"
WITH_WORKSPACE = AgentSettings(workspace=WorkspaceSettings(Path("workspaces"), isolation="none"))


def looking(ask: Ask, calls: int = 3, settings: AgentSettings | None = None, **options: Any) -> Asked:
    """Ask a chat model that searches as often as it may."""
    replies = [Reply(calls=[("search", {"text": "payment"})]) for _ in range(calls)]
    with scripted_chat(*replies, finish()) as chat:
        with_model = replace(settings or AgentSettings(), model=model(chat).model)
        return ask(QUESTION, "webshop", policy="chat", settings=with_model, **options)


def test_events_come_in_order_and_agree_with_the_result(ask: Ask) -> None:
    asked = looking(ask)
    making, asking = (
        [EventKind.TOOL_CALLED, EventKind.TOOL_RETURNED],
        [EventKind.MODEL_REQUESTED, EventKind.MODEL_CALLED],
    )
    assert asked.kinds() == [
        EventKind.TASK_STARTED,
        *making,
        *[*asking, *making] * 2,
        *asking,
        *asking,
        EventKind.ANSWER,
    ]
    assert ask(QUESTION, "webshop").kinds() == [EventKind.TASK_STARTED, EventKind.PLAN, EventKind.ANSWER]
    assert asked.of(EventKind.TOOL_CALLED)[0].data["tool"] == "explore"
    called, returned = asked.of(EventKind.TOOL_CALLED), asked.of(EventKind.TOOL_RETURNED)
    assert [event.data["call"] for event in called] == [event.data["call"] for event in returned]
    assert [event.data["step"] for event in called] == list(range(1, asked.result.steps + 1)) == [1, 2, 3]
    answer = asked.events[-1].data
    assert answer["text"] == asked.result.text
    assert answer["steps"] == asked.result.steps
    assert answer["read_tokens"] == asked.result.usage.read > 0


@pytest.mark.parametrize(
    ("budget", "name"),
    [(Budget(steps=2), "steps"), (Budget(tokens=50), "tokens"), (Budget(seconds=0.000001), "seconds")],
)
def test_a_budget_ends_a_task_with_what_was_found(ask: Ask, budget: Budget, name: str) -> None:
    asked = looking(ask, budget=budget)
    assert asked.result.state is TaskState.BUDGET_REACHED
    assert asked.of(EventKind.BUDGET_REACHED)[0].data == {"budget": name, "limit": getattr(budget, name)}
    assert asked.kinds()[-1] is EventKind.ANSWER
    limit = {"steps": "step limit of 2", "tokens": "token limit of 50", "seconds": "time limit of 1e-06 s"}[name]
    assert asked.result.text.startswith(f"Stopped early: {limit} reached")
    assert asked.result.steps == {"steps": 2, "tokens": 2, "seconds": 1}[name]


def test_a_budget_ends_a_question_without_a_model(ask: Ask) -> None:
    asked = ask(QUESTION, "webshop", budget=Budget(seconds=0.000001))
    assert asked.result.state is TaskState.BUDGET_REACHED
    assert asked.result.text.startswith("Stopped early: time limit of 1e-06 s reached")


def test_a_budget_cannot_be_larger_than_the_settings(ask: Ask) -> None:
    asked = looking(ask, budget=Budget(steps=10_000), settings=AgentSettings(max_steps=1))
    assert asked.events[0].data["steps"] == 1
    assert asked.result.steps == 1


@pytest.mark.parametrize("after", [0, 3, 9])
def test_cancelling_ends_a_task_at_the_next_step(ask: Ask, after: int) -> None:
    asks = count()
    asked = looking(ask, cancelled=lambda: next(asks) >= after)
    assert asked.result.state is TaskState.CANCELLED
    assert asked.kinds()[-1] is EventKind.TASK_CANCELLED
    assert asked.result.places == ()


def test_long_views_are_cut_and_the_event_says_so(ask: Ask) -> None:
    settings = AgentSettings(selection=SelectionSettings(view_tokens=60))
    asked = looking(ask, settings=settings)
    cuts = asked.of(EventKind.SELECTION)
    assert cuts
    for cut in cuts:
        assert int(str(cut.data["tokens_after"])) <= 60 < int(str(cut.data["tokens_before"]))
    assert {"rows", "subtrees", "chunks"} >= {cut.data["method"] for cut in cuts}


@pytest.mark.parametrize(
    ("text", "repositories", "options", "message"),
    [
        ("  ", (), {}, "empty"),
        ("x" * 200_001, (), {}, "characters"),
        ("q", ("nowhere",), {}, "nowhere"),
        ("q", (), {"policy": "oracle"}, "known: chat, deterministic"),
        ("q", (), {"workspace": True}, "agent.workspace.root"),
        ("q", (), {"workspace": True, "settings": WITH_WORKSPACE}, "needs a chat model"),
        ("q", (), {"budget": Budget(steps=-1)}, "negative"),
    ],
)
def test_impossible_tasks_fail_with_the_reason(
    ask: Ask, text: str, repositories: tuple[str, ...], options: dict[str, object], message: str
) -> None:
    asked = ask(text, *repositories, **options)
    assert asked.result.state is TaskState.FAILED
    assert message in asked.result.error
    assert asked.result.error_reason in {"TASK_INVALID", "NOT_FOUND", "MODEL_REQUIRED"}
    assert asked.kinds() == [EventKind.TASK_FAILED]


def test_importing_the_agent_is_cheap() -> None:
    script = "import repoquarry.agent.loop.run, sys; print([n for n in sys.modules if n.partition('.')[0] in ('langgraph', 'langchain')])"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
