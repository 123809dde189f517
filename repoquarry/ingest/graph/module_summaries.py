"""Summaries of modules: one line on the purpose of a file, from its documentation, the README or its names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from repoquarry.ingest.files.documents import MAX_SUMMARY, first_sentence, first_sentences
from repoquarry.languages.facts import Definition, FileFacts

_FILE_NAME: Final = re.compile(r"[\w./-]*\w\.\w{1,5}\b")
_MARKUP: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)|[`*|]+")
_COMMAND: Final = re.compile(
    r"^\s*(?:\$|>|python3?|node|npm|bash|sh|go|cargo|pip)\b|^(?: {4}|\t)| -{1,2}\w|\bpython3? \S"
)
_MIN_WORDS = 4
_NAME_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_VERBS: Final = frozenset({
    "add", "analyze", "append", "apply", "build", "calculate", "call", "change", "check", "clean", "close", "collect", "compare",
    "compile", "compose", "compute", "configure", "connect", "convert", "copy", "count", "crawl", "create", "crop", "decode",
    "decrypt", "delete", "demo", "detect", "discover", "display", "download", "draw", "dump", "embed", "encode", "encrypt",
    "estimate", "evaluate", "execute", "export", "extract", "fetch", "filter", "find", "fit", "format", "generate", "get", "handle",
    "hide", "import", "infer", "init", "initialize", "insert", "install", "iterate", "join", "list", "load", "log", "make", "map",
    "mask", "merge", "move", "normalize", "open", "optimize", "parse", "play", "plot", "post", "predict", "prepare", "process",
    "push", "put", "query", "read", "reconstruct", "record", "register", "remove", "render", "replace", "report", "reset", "resize",
    "resolve", "restore", "reveal", "run", "sample", "save", "scan", "score", "search", "segment", "select", "send", "serialize",
    "set", "show", "sort", "split", "start", "step", "stop", "store", "stylize", "test", "tokenize", "track", "train", "transform",
    "translate", "update", "upload", "validate", "verify", "visualize", "wait", "watch", "write",
})  # fmt: skip
_MAX_NAMES, _MAX_PHRASES = 3, 5


def find_file_mentions(prose: str) -> dict[str, str]:
    """Map the file names in a README to the first line of prose that mentions each; commands and code are skipped."""
    mentions: dict[str, str] = {}
    is_code = False
    for line in prose.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            is_code = not is_code
        elif not is_code and not _COMMAND.search(line):
            clean = _MARKUP.sub(lambda match: match[1] or " ", line).strip(" -+#:\t")
            names = _FILE_NAME.findall(line)
            if names and len(clean.split()) >= _MIN_WORDS + len(names):
                for name in names:
                    mentions.setdefault(name.lstrip("./"), first_sentences(clean, MAX_SUMMARY))
    return mentions


def summarize_module(facts: FileFacts, mentions: Mapping[str, str]) -> str | None:
    """Return the purpose of a module in one line, by the best of its sources; None if it defines nothing.

    Sources: its docstring, its mention in the README by path or name, the docstring of its largest definition, its names.
    """
    if sentence := first_sentence(facts.docstring):
        return sentence
    mention = mentions.get(facts.path) or mentions.get(facts.path.rsplit("/", 1)[-1])
    if mention:
        return mention
    outer = [one for one in facts.definitions if not one.parent and one.kind != "lambda"]
    if not outer:
        return None
    outer.sort(key=lambda one: (one.kind != "class", one.start_line - one.end_line))
    sentence = first_sentence(outer[0].docstring)
    return first_sentences(f"{outer[0].name}: {sentence}" if sentence else _summarize_names(facts, outer), MAX_SUMMARY)


def _summarize_names(facts: FileFacts, outer: list[Definition]) -> str:
    """Name the main definitions, and the actions that functions and methods are named after."""
    classes = [one.name for one in outer if one.kind == "class"]
    names = list(dict.fromkeys(classes or [one.name for one in outer]))
    phrases = list(dict.fromkeys(_iterate_phrases(facts.definitions)))
    if not phrases:
        return f"Defines {_list_some(names, _MAX_PHRASES)}."
    actions = _list_some(phrases, _MAX_PHRASES)
    return f"{_list_some(names, _MAX_NAMES)}: {actions}." if classes else f"Functions that {actions}."


def _iterate_phrases(definitions: Iterable[Definition]) -> Iterator[str]:
    """Yield the names of public functions and methods that begin with a verb, as words, largest definition first."""
    functions = [one for one in definitions if one.kind in ("function", "method") and not one.name.startswith("_")]
    for one in sorted(functions, key=lambda item: item.start_line - item.end_line):
        words = [word if word.isupper() else word.lower() for word in _NAME_WORD.findall(one.name)]
        if words and words[0].lower() in _VERBS:
            yield " ".join(words)


def _list_some(names: list[str], limit: int) -> str:
    more = [f"{len(names) - limit} more"] if len(names) > limit else []
    return ", ".join([*names[:limit], *more])
