"""Run of an operation by name and arguments: the text within a budget of tokens, and what the answer is based on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from repoquarry.code.excerpts.text_truncation import truncate_view
from repoquarry.graphstore.settings import SelectionSettings
from repoquarry.operations.base import Operation, OperationScope
from repoquarry.operations.result import Place


@dataclass(frozen=True)
class OperationAnswer:
    text: str
    tokens: int
    tokens_before: int
    """Tokens of the text before it was cut to the budget."""
    summary: str
    places: tuple[Place, ...]
    repositories: frozenset[str]
    """Repositories that the answer is based on: those of its places, or else all that were searched."""
    relevant_names: frozenset[str] | None
    """Short names whose unresolved calls may affect the answer; None if any may."""


def run_operation(
    operation: type[Operation],
    arguments: Mapping[str, object],
    scope: OperationScope,
    selection: SelectionSettings,
    subject: str = "",
) -> OperationAnswer:
    """Run an operation; the parts of a long answer stay that mention the subject, or else the arguments. Raises: as `Operation.call`."""
    call = operation.parse(arguments)
    result = call.answer(scope)
    words = subject or " ".join(value for value in arguments.values() if isinstance(value, str))
    chosen = truncate_view(result.view, words, selection)
    named = str(arguments.get("repository") or "")
    based_on = scope.chosen(named) if named else {place.repository for place in result.places} or scope.repositories
    names = call.relevant_names(result)
    return OperationAnswer(
        chosen.text,
        chosen.tokens_after,
        chosen.tokens_before,
        result.summary,
        result.places,
        frozenset(based_on),
        None if names is None else frozenset(names),
    )
