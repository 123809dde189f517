"""Answers without a chat model about values: defaults, constants and settings, stated only for the whole name that was asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from repoquarry.agent.questions.evidence import quote_default
from repoquarry.agent.questions.reply import (
    Finding,
    QuestionScope,
    Reply,
    Subject,
    find_place,
    join_names,
    one_sentence,
    sample_folder,
)
from repoquarry.agent.questions.subjects import find_subjects
from repoquarry.code.constants import Constant, find_constants, find_values, is_named, iterate_constants
from repoquarry.code.records import DefinitionRecord
from repoquarry.graphstore.model.values import count_noun
from repoquarry.graphstore.search.text_analysis import terms
from repoquarry.operations.result import Place

_MAX_CONSTANTS = 5
_MAX_SETTINGS = 8
_MAX_DOCSTRING = 4_000
_SETTING = re.compile(r"\b[A-Z][A-Z\d]*_[A-Z\d_]+\b")
_ASKS_AMOUNT = re.compile(r"^how (?:many|much|long|large|big|often|far)\b|\bby default\b", re.IGNORECASE)
_AMOUNT_TERMS = frozenset(
    terms("how many much long large big often far does do is are by default the a of for it make open have")
)
_MAX_NEAR = 3
_MARKUP = re.compile(r"</?[a-z]+>")
_ASKS_SETTINGS = re.compile(r"\b(?:settings|options|constants|variables)\b", re.IGNORECASE)


def answer_words(scope: QuestionScope, text: str, phrase: str, holder: str) -> Reply:
    """Answer a question about a value; "timeout of Session.send" and "Session.send.timeout" name where the value is set."""
    if not holder and "." in phrase and " " not in phrase:
        holder, _, phrase = phrase.rpartition(".")
    is_word = holder.islower() and holder.isalpha() and f"`{holder}`" not in text
    outer = tuple(
        item for item in find_subjects(scope, holder, wants_class=is_word).definitions if holder and not item.is_test
    )
    full = phrase if outer or is_word else ".".join(filter(None, (holder, phrase)))
    if tail := re.search(rf"\b{re.escape(phrase)}\s+(name|class|size|type)\b", text, re.IGNORECASE):
        full = f"{full} {tail[1]}"  # A word such as "name" is part of what is asked for.
    is_code = (
        phrase not in text or not phrase.islower() or re.search(r"\W|_", phrase) is not None or f"`{phrase}`" in text
    )
    if not holder and is_code and " " not in full:
        owners = tuple(item for item in find_subjects(scope, phrase).definitions if item.label != "Module")
        if owners and all(item.name == phrase for item in owners):
            subject = Subject(phrase, owners)
            return (_ASKS_SETTINGS.search(text) and _answer_settings(scope, subject)) or _answer_defaults(
                scope, subject
            )
    if not outer and _ASKS_SETTINGS.search(text) and full.islower() and f"`{phrase}`" not in text:
        return _list_settings(scope, full)
    return answer_value(scope, Subject(full, outer), text)


def _list_settings(scope: QuestionScope, phrase: str) -> Reply:
    """List the names in capitals, then others, that share words with what settings are asked for: none of them is the one asked for."""
    found = find_constants(scope.reader, phrase, scope.repositories)
    found = _unique(_product_first(sorted(found, key=lambda item: not item.name.isupper())), _MAX_SETTINGS)
    places = tuple(_constant_finding(scope, item) for item in found)
    lead = f"Names with words of `{phrase}` that are set to a literal:"
    return Reply(
        lead if places else f"Nothing with words of `{phrase}` is set to a literal.",
        places,
        max_shown=_MAX_SETTINGS,
        is_exact=False,
    )


def list_near_values(scope: QuestionScope, text: str) -> Reply | None:
    """List the values with words of a question that asks how much, where it has no name; None if nothing shares two words."""
    if not _ASKS_AMOUNT.search(text):
        return None
    wanted = set(terms(text)) - _AMOUNT_TERMS
    found = find_constants(scope.reader, " ".join(sorted(wanted)), scope.repositories)
    near = [one for one in found if len(wanted.intersection(terms(f"{one.name} {one.comment} {one.path}"))) > 1]
    near = [one for one in _product_first(near) if wanted.intersection(terms(one.name)) and re.search(r"\d", one.value)]
    near.sort(key=lambda one: one.value.strip("\"'") == "0")  # A counter begins with 0.
    places = tuple(_constant_finding(scope, one) for one in _unique(near)[:_MAX_NEAR])
    return Reply("Numbers near in words:", places) if places else None


def answer_value(scope: QuestionScope, subject: Subject, text: str = "") -> Reply:
    """State the value of a name; definitions of the subject are the class or function in which the value is set.

    Only a constant or key with the whole name is stated; others that share its words are listed as near.
    """
    phrases = [subject.phrase] if subject.definitions else [subject.phrase, f"default {subject.phrase}"]
    phrases = phrases[::-1] if "default" in text.lower() else phrases
    found: list[Constant] = []
    named: list[Constant] = []
    for phrase in phrases:
        values = find_values(scope.reader, phrase, scope.repositories)
        if subject.definitions:
            values = [item for item in values if any(_is_inside(item, outer) for outer in subject.exact)]
        found += values
        named += [item for item in values if is_named(item, phrase) and not _is_key(item)]
        if any(not sample_folder(item.path) for item in named):
            break
    spelled = [item for item in named if subject.phrase in (item.name, item.full_name)]
    named = spelled if any(not sample_folder(item.path) for item in spelled) else named
    makers = [maker for item in subject.exact for maker in scope.reader.constructors(item)]
    named = [item for item in named if any(_is_inside(item, maker) for maker in makers)] or named
    named = _unique(_product_first(named))
    if not named:
        is_number = _ASKS_AMOUNT.search(text) is not None
        found.sort(key=lambda item: is_number and not re.search(r"\d", item.value))
        return _report_no_value(scope, subject, _product_first(found))
    best = named[0]
    same = [item for item in named if item.name == best.name and not sample_folder(item.path)]
    lead = f"`{best.full_name}` is `{best.value}`{_follow_constant(scope, best)}."
    if sample := sample_folder(best.path):
        lead = f"`{best.full_name}` is set to `{best.value}` in {sample} (`{best.path}`); no other code sets it to a literal."
    elif len({item.value.strip("\"'") for item in same}) > 1:
        lead = f"`{best.full_name}` is set in {count_noun(len(same), 'place')}, to different values; the first is `{best.value}`"
        lead += f"{_follow_constant(scope, best)}."
    return Reply(lead, tuple(_constant_finding(scope, item) for item in named))


def _product_first(found: Iterable[Constant]) -> list[Constant]:
    return sorted(found, key=lambda item: bool(sample_folder(item.path)))


def _report_no_value(scope: QuestionScope, subject: Subject, found: Sequence[Constant]) -> Reply:
    """Say that no literal was found for a name, with the sentence of its documentation, or else with what is near in words."""
    holder = f" in `{subject.definitions[0].title}`" if subject.definitions else ""
    lead = f"No assignment of a literal to `{subject.phrase}`{holder} was found."
    if documented := _quote_documented(scope, subject):
        return Reply(f"{lead} {documented.lead}", documented.findings, is_exact=False)
    if quoted := quote_default(scope, subject.phrase):
        return Reply(f"{lead} {quoted}", is_exact=False)
    near = tuple(_constant_finding(scope, item) for item in _unique(found))
    return Reply(
        f"Nothing called `{subject.phrase}` is set to a literal{holder}. Near in words:" if near else lead,
        near,
        is_exact=False,
    )


def _answer_defaults(scope: QuestionScope, subject: Subject) -> Reply:
    """List the initial values of the fields of a class, or the defaults of the parameters of a function."""
    values = _unique((value for item in subject.exact for value in _iterate_defaults(scope, item)), 0)
    noun = "field" if subject.exact[0].label == "Class" else "parameter"
    if not values:
        places = tuple(find_place(scope, one) for one in subject.exact)
        lead = f"No {noun} of {subject.title} is set to a literal."
        documented = _quote_documented(scope, subject)
        return Reply(f"{lead} {documented.lead}" if documented else lead, documented.findings if documented else places)
    stated = (f"{one.name}` is `{one.value}" for one in values)
    have = "has" if len(values) == 1 else "have"
    lead = f"{count_noun(len(values), noun).capitalize()} of {subject.title} {have} a literal default: {join_names(stated, _MAX_CONSTANTS)}."
    return Reply(lead, tuple(_constant_finding(scope, item) for item in values))


def _iterate_defaults(scope: QuestionScope, item: DefinitionRecord) -> Iterable[Constant]:
    """Yield the constants in the head of a function, or in a class outside the functions that are no constructors."""
    makers = {one.id for one in scope.reader.constructors(item)}
    others = [one for one in scope.reader.members(item) if one.label == "Function" and one.id not in {item.id, *makers}]
    head = next(
        (
            n
            for n, line in enumerate(scope.reader.lines(item))
            if line.split(" #")[0].rstrip().endswith((":", "{", "=>"))
        ),
        None,
    )
    end = item.end_line if item.label == "Class" or head is None else item.start_line + head
    for one in iterate_constants(item.repository, item.path, scope.reader.text(item.repository, item.path), None):
        if item.start_line <= one.line <= end and not any(_is_inside(one, other) for other in others):
            yield one


def _answer_settings(scope: QuestionScope, subject: Subject) -> Reply | None:
    """List the constants in capitals that a function names; None if it names none."""
    if subject.exact[0].label != "Function":
        return None
    names = {name for item in subject.exact for line in scope.reader.lines(item) for name in _SETTING.findall(line)}
    found = [
        one
        for name in sorted(names)
        for one in find_constants(scope.reader, name, scope.repositories)
        if one.name == name
    ]
    values = _unique(_product_first(found))
    if not values:
        return None
    lead = f"{subject.title} names {join_names(one.name for one in values)}."
    return Reply(lead, tuple(_constant_finding(scope, item) for item in values))


def _quote_documented(scope: QuestionScope, subject: Subject) -> Reply | None:
    """Quote the sentence with a default and a number in the documentation of the name, or about it in that of its function."""
    name = subject.phrase.rpartition(".")[2]
    candidates = [one for item in subject.exact for one in (*scope.reader.members(item), item)]
    if not subject.definitions and name.isidentifier():
        candidates = scope.reader.named([name], scope.repositories)
    for item in sorted(candidates, key=lambda one: (one.is_test, bool(sample_folder(one.path)), -one.importance)):
        for sentence in re.split(r"(?<=[.!?])\s+", " ".join(item.docstring[:_MAX_DOCSTRING].split())):
            is_about = item.name == name or set(terms(name)) <= set(terms(sentence))
            if is_about and "default" in sentence.lower() and re.search(r"\d", sentence):
                quoted = _MARKUP.sub("", sentence)
                return Reply(f"The documentation of `{item.title}` says: “{quoted}”", (find_place(scope, item),))
    return None


def _is_key(item: Constant) -> bool:
    """Return whether a value is only the name itself, as for the keys of settings."""
    return _letters(item.value) == _letters(item.name)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def _is_inside(item: Constant, outer: DefinitionRecord) -> bool:
    is_same_file = (item.repository, item.path) == (outer.repository, outer.path)
    return is_same_file and outer.start_line <= item.line <= outer.end_line


def _follow_constant(scope: QuestionScope, item: Constant) -> str:
    """Describe the value of the constant that another one is set to; empty for a literal."""
    name = item.value.rpartition(".")[2]
    if not name.isidentifier() or not name.isupper():
        return ""
    found = [other for other in find_constants(scope.reader, name, [item.repository]) if other.name == name]
    return f", which is `{found[0].value}` (`{found[0].path}:{found[0].line}`)" if found else ""


def _unique(found: Iterable[Constant], limit: int = _MAX_CONSTANTS) -> list[Constant]:
    """Return the first constants, one of each name, value and file; 0 means no limit."""
    by_place: dict[tuple[str, str, str], Constant] = {}
    for item in found:
        by_place.setdefault((item.full_name, item.value, item.path), item)
    return list(by_place.values())[: limit or None]


def _constant_finding(scope: QuestionScope, item: Constant) -> Finding:
    why = one_sentence(item.comment)
    line = scope.reader.text(item.repository, item.path).split("\n")[item.line - 1].strip()
    place = Place(item.repository, item.path, item.name, item.line, item.line, item.score, why, (why,) if why else ())
    return Finding(place, item.line, line)
