"""The LangGraph graph that every policy runs through: decide, act, select, decide …, answer.

The only file that knows langgraph. It is imported when a task starts and not before, because importing it takes longer than
most answers; what the nodes do is in `repoquarry/agent/session.py`.
"""

from __future__ import annotations

from langgraph.graph import END, StateGraph

from repoquarry.agent.errors import AgentError
from repoquarry.agent.session import START, Session, State

_NODES_A_STEP = 3  # decide, act, select
_NO_LIMIT = 1_000_000  # LangGraph wants a bound; without a budget of steps the other budgets end a task long before


def run_graph(session: Session) -> State:
    """Walk the graph until there is an answer. Raises: AgentError."""
    builder = StateGraph(State)
    builder.add_node("decide", session.decide)
    builder.add_node("act", session.act)
    builder.add_node("select", session.select)
    builder.add_node("answer", session.answer)
    builder.set_entry_point("decide")
    builder.add_conditional_edges("decide", _after_decision, {"act": "act", "answer": "answer"})
    builder.add_edge("act", "select")
    builder.add_conditional_edges("select", _after_selection, {"decide": "decide", "answer": "answer"})
    builder.add_edge("answer", END)
    steps = session.budget.steps
    limit = _NODES_A_STEP * (steps + 2) + 2 if steps else _NO_LIMIT
    final = builder.compile().invoke(START, {"recursion_limit": limit})
    if final.get("answer") is None:
        raise AgentError("the graph ended without an answer")
    return final  # type: ignore[return-value]  # invoke is typed as a dictionary whatever the state's type


def _after_decision(state: State) -> str:
    return "answer" if state["answer"] is not None or state["stop"] else "act"


def _after_selection(state: State) -> str:
    return "answer" if state["stop"] else "decide"
