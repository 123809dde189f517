"""Definitions that the words of a question name: the whole name as it is written, in code before tests, samples and files."""

from __future__ import annotations

from dataclasses import dataclass

from repoquarry.agent.questions.intents import split_words
from repoquarry.agent.questions.reply import QuestionScope, sample_folder
from repoquarry.code.name_resolution import NameMatch, clean_name, find_name
from repoquarry.code.records import DefinitionRecord
from repoquarry.graphstore.search.text_analysis import terms

_CLASS_KINDS = split_words("interface interfaces class classes protocol trait type abstract base")
_BASE_PREFIXES = ("", "Base", "Abstract")
"""What a class begins with whose kind is meant by ordinary words: "an item exporter" for `BaseItemExporter`."""


@dataclass(frozen=True)
class Subjects:
    """What a name refers to, in groups that are one thing each."""

    groups: tuple[tuple[DefinitionRecord, ...], ...] = ()
    others: tuple[DefinitionRecord, ...] = ()
    """Members and local definitions of the name, where a definition has exactly this name."""

    @property
    def definitions(self) -> tuple[DefinitionRecord, ...]:
        return tuple(item for group in self.groups for item in group)


def find_subjects(scope: QuestionScope, phrase: str, holder: str = "", *, wants_class: bool = False) -> Subjects:
    """Find the definitions that have a whole name; a similar name is not taken for it.

    With `wants_class` only classes count, and a class may be meant by its kind ("the Router interface", "an item exporter"), or by its last
    word if its documentation has the others ("a result backend").
    """
    weak = Subjects()
    for name in _spell_names(phrase, holder, wants_class=wants_class):
        resolution = find_name(scope.reader, name, scope.repositories)
        nodes = resolution.preferred() if resolution else []
        groups = [tuple(scope.reader.definitions(node.id for node in group)) for group in nodes]
        found = [group for group in groups if group and (not wants_class or any(_is_class(item) for item in group))]
        is_path = "/" in name or (resolution is not None and resolution.match in (NameMatch.ID, NameMatch.PATH))
        strong = [group for group in found if is_path or not _is_weak(group[0])]
        if wants_class and " " in phrase and name == name.capitalize() and name.lower() in phrase.split():
            strong = [group for group in strong if _mentions(scope, group[0], phrase)]
        if strong:
            wanted = clean_name(name)
            exact = {group[0].repository for group in strong if group[0].qualname == wanted}
            kept = [one for one in strong if one[0].repository not in exact or one[0].qualname == wanted]
            return Subjects(tuple(kept), tuple(group[0] for group in strong if group not in kept))
        weak = weak if weak.groups else Subjects(tuple(found))
    return weak


def _spell_names(phrase: str, holder: str, *, wants_class: bool) -> list[str]:
    """Return the names that words may mean, the most literal first."""
    words = phrase.split()
    if holder:
        return [f"{holder}.{phrase}", f"{holder}::{phrase}"]
    prefixes = _BASE_PREFIXES if wants_class else ("",)
    if phrase.islower() and wants_class and phrase.endswith("s"):  # "readers" for `BaseReader`
        words[-1] = words[-1].removesuffix("s")
    camel = "".join(f"{word[:1].upper()}{word[1:]}" for word in words)
    if len(words) == 1:
        return [phrase, *(f"{prefix}{camel}" for prefix in prefixes)] if phrase.islower() else [phrase]
    names = ["_".join(words), *(f"{prefix}{camel}" for prefix in prefixes)]
    if wants_class and words[-1].lower() in _CLASS_KINDS:
        return [words[0], *names]
    return [*names, words[-1].capitalize()] if wants_class else names


def _mentions(scope: QuestionScope, item: DefinitionRecord, phrase: str) -> bool:
    """Return whether name, path and documentation of a definition and its file have all words of a phrase."""
    module = scope.reader.module(item.repository, item.path)
    texts = (item.name, item.path, item.docstring, module.docstring if module else "")
    return set(terms(phrase)) <= set(terms(" ".join(texts)))


def _is_class(item: DefinitionRecord) -> bool:
    return item.label == "Class"


def _is_weak(item: DefinitionRecord) -> bool:
    return item.is_test or item.label == "Module" or bool(sample_folder(item.path))
