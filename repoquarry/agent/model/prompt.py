"""Instructions of a chat model: procedure, citation form, budget, platform, repositories and their four blocks."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Final

from repoquarry.agent.model.context_window import is_small
from repoquarry.agent.task import Budget, TaskRequest
from repoquarry.agent.tools.base import ToolContext
from repoquarry.graphstore.model.values import count_noun
from repoquarry.graphstore.reading.context import ContextRequest, build_context
from repoquarry.graphstore.reading.repository_ranking import rank_repositories

_RULES: Final = """\
You answer questions about indexed source code repositories by calling tools.

Procedure: 1. find candidates (explore, search, tree); 2. read them (view); 3. follow calls (relations) where the task asks for
them; 4. call finish, alone in its message, with the answer and its places, best first.
- State only what a tool showed you. Cite code as `path:line`, for example `shop/cart.py:42`.
- A name may mean several things: say which ones you mean.
- Calls that could not be resolved are listed as possible; say so where they matter.
- Long results are cut to the argument `about`, or to the subject of your last message. Do not repeat a call.
- If the repositories hold no answer, call finish with text that begins with NO ANSWER and say what you searched."""

_WORKSPACE: Final = """\
- You have a workspace: a folder in which you may write files and run commands. `checkout` puts the tree of a repository there.
  Inputs are in inputs/; deliver results in outputs/. The output of every command is stored in logs/.
- Work in turns: look, write a script, run it, read its output, look up the definitions that a traceback names, repair, run again.
- A person may have to approve commands; do not retry a declined command. When one repository fails, use the next one and say so."""
_NO_REPOSITORY: Final = "none yet: find one with `repositories`, and add it with `index_repository`"
_NAMED: Final = 10
_BLOCKS: Final = 3
_SHARE: Final = 0.12
"""Share of the context for the blocks of repositories."""
_MAX_BLOCK_TOKENS: Final = 6_000
_UNLIMITED_TOKENS: Final = 100_000


def build_instructions(context: ToolContext, request: TaskRequest, budget: Budget, limit: int, *, blocks: bool) -> str:
    """Build the instructions: a prefix that is the same for all tasks with these repositories, then what belongs to the task."""
    chosen = _choose(context)
    parts = [_RULES + ("\n" + _WORKSPACE if request.workspace else "")]
    if request.workspace:
        network = ", ".join(request.hosts) or "none but for installations"
        parts.append(f"Platform: {platform.system()} {platform.machine()}, Python {platform.python_version()}.")
        parts.append(f"Isolation of commands: {context.settings.workspace.isolation}; network: {network}.")
    parts.append("Repositories:\n" + ("\n".join(_describe(context, chosen)) or _NO_REPOSITORY))
    if chosen and blocks and not is_small(limit):
        tokens = min(int((limit or _UNLIMITED_TOKENS) * _SHARE), _MAX_BLOCK_TOKENS) // min(len(chosen), _BLOCKS)
        parts += [_block(context, name, tokens) for name in chosen[:_BLOCKS]]
    limits = ((budget.steps, "tool calls"), (budget.tokens, "tokens"), (int(budget.seconds), "seconds"))
    if named := ", ".join(f"{value} {unit}" for value, unit in limits if value):
        parts.append(f"Budget: {named}.")
    if request.inputs:
        parts.append("Files of this task:\n" + "\n".join(f"- inputs/{path}" for path in request.inputs))
    if request.checks:
        checks = "\n".join(f"- {check}" for check in request.checks)
        parts.append(f"The task is done when all of this holds, and not before:\n{checks}")
    return "\n\n".join(parts)


def _choose(context: ToolContext) -> Sequence[str]:
    """The repositories of the task; of many those that fit the task best."""
    if len(context.repositories) <= _BLOCKS:
        return context.repositories
    ranked = [item.repository for item in rank_repositories(context.reader, context.repositories, context.task)]
    return list(dict.fromkeys([*ranked, *context.repositories]))[:_NAMED]


def _describe(context: ToolContext, chosen: Sequence[str]) -> list[str]:
    known = {item.id: item for item in context.reader.repositories()}
    lines = [
        f"- {name}: {known[name].summary or 'no description'} ({count_noun(known[name].files, 'file')})"
        for name in chosen
        if name in known
    ]
    if (more := len(context.repositories) - len(chosen)) > 0:
        lines.append(f"- {more} more; repositories (see more_tools) ranks all of them for a task")
    return lines


def _block(context: ToolContext, repository: str, tokens: int) -> str:
    """README, modules, core classes and tree of a repository."""
    store = context.reader.store
    built = build_context(store, ContextRequest(repository, max(tokens, 200), settings=store.settings.context))
    return f"<repository {repository}>\n{built.text}\n</repository>"
