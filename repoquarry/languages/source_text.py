"""Text processing for sources of any language: decodes bytes, normalizes layout, splits parameters, hashes function bodies.

Two signatures that differ in layout alone have the same text, so that a reformatted file changes no signature.

The text is read by strings, comments and lines and not by a grammar, so that one reader serves every language and costs a small part of
parsing; what differs between languages is which comments they have and whether layout means something. Identifiers count, those of local
variables included:
equal hashes then mean the same code and not a similar shape.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Final
from zlib import crc32

import msgspec

from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.language import CommentSyntax, Language
from repoquarry.languages.notebook import ENCODING as NOTEBOOK
from repoquarry.languages.notebook import is_notebook, read_notebook

_MARKS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def detect_encoding(content: bytes) -> str:
    """Return the Python codec for bytes of unknown encoding: a byte order mark, else UTF-8 if valid, else latin-1."""
    for mark, codec in _MARKS:
        if content.startswith(mark):
            return codec
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def as_utf8(content: bytes) -> tuple[bytes, str]:
    """The text as UTF-8 without a byte order mark, and the codec that reads the bytes given; what it cannot read is replaced."""
    encoding = detect_encoding(content)
    text = content if encoding == "utf-8" else content.decode(encoding, "replace").encode("utf-8", "replace")
    return unify_line_ends(text), encoding


_LONE_RETURN: Final = re.compile(rb"\r(?!\n)")


def unify_line_ends(text: bytes) -> bytes:
    """Replace carriage returns that end a line by themselves, as in old Mac files, by line feeds; offsets stay the same."""
    return _LONE_RETURN.sub(b"\n", text) if b"\r" in text else text


def decode_source(content: bytes, encoding: str) -> str:
    """Decode a file as its positions count lines and columns; undecodable bytes are replaced. A notebook is read as its script."""
    if encoding == NOTEBOOK:
        return read_notebook(content).text
    text = content.decode(encoding, "replace")
    return re.sub(r"\r(?!\n)", "\n", text) if "\r" in text else text


def decode_file(path: str, content: bytes) -> str:
    """Decode a file whose encoding is not stored; see `decode_source`."""
    return decode_source(content, NOTEBOOK if is_notebook(path) else "utf-8")


def split_lines(text: str) -> list[str]:
    """Split at the line ends that positions count: form feeds and Unicode separators, at which `splitlines` splits, end no line."""
    lines = re.split(r"\r\n|\r|\n", text) if "\r" in text else text.split("\n")
    return lines[:-1] if not lines[-1] else lines


_OPENING, _CLOSING = "([{", ")]}"
_STRING: Final = r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
_BLOCK_COMMENT: Final = r"/\*.*?\*/"


def find_closing(signature: str) -> int:
    """Return the place of the bracket that closes the parameters; -1 without parameters."""
    depth = 0
    for place, sign in enumerate(signature):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == ")" and depth == 0:
            return place
    return -1


def split_parameters(signature: str) -> list[str]:
    """Split the parameters of a signature at commas outside of inner brackets."""
    start, end = signature.find("("), find_closing(signature)
    parts, depth, part = [], 0, ""
    for sign in signature[start + 1 : end] + ",":
        depth += (sign in "([{<") - (sign in ")]}>")
        if sign == "," and depth <= 0:
            parts.append(part.strip())
            part = ""
        else:
            part += sign
    return parts


def normalize_layout(text: str, line_comment: str) -> str:
    """The text of parameters, annotations or types; `line_comment` is what begins a comment that ends with its line."""
    if _normalized(line_comment).fullmatch(text):
        return text
    return "".join(_Pieces(line_comment).of(text)).strip()


@lru_cache(maxsize=8)
def _normalized(line_comment: str) -> re.Pattern[str]:
    """Matches texts that are as they should be, as most are: single spaces, none inside brackets, each comma with one after it, no comments.

    It misses some that are so all the same: strings with backslashes.
    """
    return re.compile(
        rf"""(?:[^\s,"'`{line_comment[0]}]++|"[^"\\\n]*+"|'[^'\\\n]*+'|(?<=[^\s,(\[{{]),? (?=[^\s,)\]}}]))*+"""
    )


@lru_cache(maxsize=8)
def _tokens(line_comment: str) -> re.Pattern[str]:
    comments = rf"{re.escape(line_comment)}[^\n]*" + (f"|{_BLOCK_COMMENT}" if line_comment == "//" else "")
    return re.compile(
        rf"(?P<text>{_STRING})|(?P<layout>(?:\s|\\\r?\n|{comments})+)|(?P<bracket>[()\[\]{{}}])|(?P<comma>,)|(?P<word>\w+)|.",
        re.DOTALL,
    )


class _Pieces:
    """One pass over the tokens; a comma and a space wait until it is known what follows them."""

    def __init__(self, line_comment: str) -> None:
        self.tokens = _tokens(line_comment)
        self.open: list[bool] = []
        """For each open bracket whether a comma before its end says nothing: it does in a tuple of one."""
        self.comma = self.space = False
        self.last = ""

    def of(self, text: str) -> Iterator[str]:
        for match in self.tokens.finditer(text):
            kind, found = match.lastgroup, match.group()
            if kind == "layout":
                self.space = self.space or self.last not in _OPENING or self.comma
                continue
            if kind == "comma":
                self.space = self.space and self.comma
                yield from self._waiting(closed=False, drop=False)
                self.comma = True
                continue
            closes = kind == "bracket" and found in _CLOSING
            if closes:
                self.space = False
            yield from self._waiting(closed=closes, drop=closes and (not self.open or self.open[-1]))
            if closes:
                self.open[-1:] = []
            elif kind == "bracket":
                self.open.append(found != "(" or not self.open or self.last == "call")
            self.last = "call" if kind == "word" or found in (")", "]") else found
            yield found

    def _waiting(self, *, closed: bool, drop: bool) -> Iterator[str]:
        if self.comma and not drop:
            yield "," if closed else ", "
        elif self.space and not self.comma and self.last:
            yield " "
        self.comma = self.space = False


MIN_CHARACTERS: Final = 120
"""Without white space, comments and strings. Shorter bodies are alike by chance: getters, delegations, constructors that store their arguments."""

_DIGITS = 20
_QUOTES = "\"'`"
#: first character, and what follows it
_STRINGS: Final = (
    ('"', r'""[\s\S]*?"""'),
    ("'", r"''[\s\S]*?'''"),
    ('"', r'(?:\\[\s\S]|[^"\\\n])*"'),
    ("'", r"(?:\\[\s\S]|[^'\\\n])*'"),
    ("`", r"(?:\\[\s\S]|[^`\\])*`"),
)
_DOCUMENTATION = re.compile(
    r':[ \t]*(?:#[^\n]*)?\n\s*[rRuU]{0,2}("""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"[^"\n]*"|\'[^\'\n]*\')[ \t]*(?:;|#|\n|\Z)'
)
_NEWLINE = "\0"
"""Stands for line breaks that mean something while white space is taken away."""
_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}\n"))
_TRAILING = re.compile(r",\s*\n\s*(?=[)\]}])")
"""A comma before a bracket that closes on another line, which is layout."""


def add_body_hashes(facts: FileFacts, source: bytes, language: Language) -> FileFacts:
    """`facts` with the hash of each definition's body, empty for classes, lambdas and what is too short."""
    if not any(_counts(definition) for definition in facts.definitions):
        return facts
    lines = [f"{line}\n" for line in split_lines(decode_source(source, facts.encoding))]
    hashes = [
        _hash(_text(lines, definition), definition, language.comments) if _counts(definition) else ""
        for definition in facts.definitions
    ]
    return msgspec.structs.replace(facts, bodies=tuple(hashes))


_WORD: Final = re.compile(r"(?:\$|[^\W\d])[\w$]*")
_BEGINNING: Final = re.compile(r"(?<!\w)([^\W\d]\w*_)(?=[\"'`{$%#])|(?<!\w)([^\W\d]\w+)(?=\$\{)")
"""A word in a string that a computed part follows: `f"visit_{kind}"`, `"do_" + name`, `on${Name}`."""
_JOINED: Final = re.compile(r"[\"'`]([^\W\d]\w+)[\"'`]\s*[+.]\s*[\w(]")
"""A string that is a word, joined with another: `"set" + Name`."""
_SEVERAL_WORDS: Final = re.compile(r"[\"'`](_[^\W\d]\w*_\w+)[\"'`]")
"""A private name of several words, which may be joined with another one elsewhere: `dispatch(self, "_apply_operator", kind)`."""
_COMPUTED_NAME: Final = re.compile(r"[\"'`]+_(?:[%{$]|[\"'`]+\s*\+)")
"""A string that begins a computed name with nothing else: `"_" + state`, `f"_{state}"`."""


def hash_words(words: Iterable[str]) -> bytes:
    """Return the hashes of words, sorted: four bytes each."""
    return array("I", sorted({crc32(word.encode("utf-8", "surrogatepass")) for word in words})).tobytes()


def word_of(name: str) -> str:
    """Return the word by which code names a definition: `close` of `#close`, `$size` of `[$size]`."""
    found = _WORD.search(name)
    return found[0] if found is not None else name


def words_of(text: str) -> set[str]:
    """Return the words of a text of any kind."""
    return set(_WORD.findall(text))


def add_words(facts: FileFacts, source: bytes) -> FileFacts:
    """`facts` with the words that the file has besides its own definitions, and the beginnings of computed names."""
    text = decode_source(source, facts.encoding)
    counts = Counter(_WORD.findall(text))
    own = Counter(word_of(one.name) for one in facts.definitions)
    repeated = [one for one in facts.definitions if counts[word_of(one.name)] > own[word_of(one.name)]]
    lines = text.split("\n") if repeated else []
    for name, inside in _count_inside(repeated, lines).items():
        counts[name] -= max(inside - own[name], 0)
    words = hash_words({word for word, count in counts.items() if count > own[word]} | _keys_of_objects(facts, text))
    return msgspec.structs.replace(facts, words=words, beginnings=tuple(sorted(_beginnings(text))))


def _count_inside(definitions: Iterable[Definition], lines: Sequence[str]) -> Counter[str]:
    """Count the names of definitions inside of these: a function that calls itself is not used by that."""
    found: Counter[str] = Counter()
    for one in definitions:
        word = word_of(one.name)
        found[word] += _WORD.findall("\n".join(lines[one.name_line - 1 : one.end_line])).count(word)
    return found


_DECLARED: Final = re.compile(r"\b(?:function|const|let|var|class|enum|namespace|interface)\b|=(?!>)[^=]*$")


def _keys_of_objects(facts: FileFacts, text: str) -> set[str]:
    """Return the functions of JavaScript that are keys of an object, which code outside may call: `configure({ term() {} })`."""
    if facts.language not in ("javascript", "typescript"):
        return set()
    classes = {one.key for one in facts.definitions if one.kind == "class"}
    lines = text.split("\n")
    functions = (one for one in facts.definitions if one.kind != "class" and one.parent not in classes)
    return {word_of(one.name) for one in functions if _is_key(lines[one.name_line - 1], one.name)}


def _is_key(line: str, name: str) -> bool:
    before, found, after = line.partition(name)
    return bool(found) and not _DECLARED.search(before) and not re.match(r"[\w$.]*\s*=", after)


def _beginnings(text: str) -> set[str]:
    found = {one[1] or one[2] for one in _BEGINNING.finditer(text)}
    found.update(_JOINED.findall(text))
    found.update(f"{name}_" for name in _SEVERAL_WORDS.findall(text))
    return found | {"_"} if _COMPUTED_NAME.search(text) else found


def _counts(definition: Definition) -> bool:
    """Return whether its text is its own: several lines, none of them shared with its neighbors."""
    several = definition.end_line > definition.name_line + 1
    return several and definition.kind in ("function", "method") and not definition.is_abstract


def _text(lines: Sequence[str], definition: Definition) -> str:
    """The text after its name."""
    first = lines[definition.name_line - 1] if definition.name_line else ""
    at = first.find(definition.name)
    rest = first[at + len(definition.name) :] if at >= 0 else first
    return "".join([rest, *lines[definition.name_line : definition.end_line]])


def _hash(text: str, definition: Definition, comments: CommentSyntax) -> str:
    code, strings = _code(text, definition.name, comments, documented=bool(definition.docstring))
    if len(code) < MIN_CHARACTERS:
        return ""
    said = "\0".join([code, *strings])
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=_DIGITS // 2).hexdigest()


def body_code(text: str, name: str, comments: CommentSyntax, *, documented: bool) -> str:
    """Return the body of a function without signature, comments, documentation and layout; equal for equal code.

    `text` begins after the name.
    """
    code, strings = _code(text, name, comments, documented=documented)
    depth = 0
    for at, character in enumerate(code):
        depth += (character in "([") - (character in ")]")
        ends = character == ":" if _is_indented(comments) else character == "{" or code[at : at + 2] == "=>"
        if ends and depth == 0:
            code = code[at + 1 :]
            break
    return "\0".join([code, *strings])


def _is_indented(comments: CommentSyntax) -> bool:
    return not comments.block and comments.line == ("#",)


def _code(text: str, name: str, comments: CommentSyntax, *, documented: bool) -> tuple[str, list[str]]:
    """Return code with a placeholder for each string, and the strings."""
    pattern, indented = _pattern(comments), _is_indented(comments)
    if indented and documented:
        documentation = _DOCUMENTATION.search(text)
        if documentation is not None:
            text = text[: documentation.start(1)] + text[documentation.end(1) :]
    parts = pattern.split(text)
    strings = [skipped for skipped in parts[1::2] if skipped[0] in _QUOTES]
    parts[1::2] = ['"' if skipped[0] in _QUOTES else " " for skipped in parts[1::2]]
    code = _without(_TRAILING.sub("", "".join(parts)), name)
    return (_laid_out(code) if indented else "".join(code.split())), strings


def _without(code: str, name: str) -> str:
    """`code` without a name where it stands as a word of its own. A regular expression for each name takes longer to make than to use."""
    kept: list[str] = []
    start, at = 0, code.find(name) if name else -1
    while at >= 0:
        end = at + len(name)
        if any(beside.isalnum() or beside == "_" for beside in (code[at - 1 : at], code[end : end + 1])):
            at = code.find(name, at + 1)
        else:
            kept.append(code[start:at])
            start, at = end, code.find(name, end)
    return "".join([*kept, code[start:]]) if kept else code


def _laid_out(code: str) -> str:
    """Code of a language in which lines and their indentation mean something outside brackets.

    Indentation is expressed as the depth of a block, so that its width does not count.
    """
    open_brackets = 0
    widths = [0]
    newline = f"{_NEWLINE}{len(widths)}"
    said: list[str] = []
    brackets = code.encode("utf-8", "surrogatepass").translate(None, _NO_BRACKETS).split(b"\n")
    for line, opened in zip(code.split("\n"), map(_opened, brackets), strict=True):
        rest = line.lstrip()
        if not rest:
            continue
        if not open_brackets and said:
            width = len(line) - len(rest)
            if width != widths[-1]:
                newline = _newline(widths, width)
            said.append(newline)
        said.append(rest)
        if opened:
            open_brackets = max(0, open_brackets + opened)
    return "".join("".join(said).split()).replace(_NEWLINE, "\n")


@lru_cache(maxsize=1 << 12)
def _opened(brackets: bytes) -> int:
    """How many more of them open than close."""
    return sum(1 if bracket in b"([{" else -1 for bracket in brackets)


def _newline(widths: list[int], width: int) -> str:
    """Return a line's beginning by how deep its block lies."""
    while len(widths) > 1 and width < widths[-1]:
        widths.pop()
    if width > widths[-1]:
        widths.append(width)
    return f"{_NEWLINE}{len(widths)}"


@cache
def _pattern(comments: CommentSyntax) -> re.Pattern[str]:
    """Strings and comments, in a group. It begins with a set of characters, which is searched for much faster than alternatives are."""
    skipped = [
        (opening[0], rf"{re.escape(opening[1:])}[\s\S]*?(?:{re.escape(closing)}|\Z)")
        for opening, closing in comments.block
    ]
    skipped += [(marker[0], rf"{re.escape(marker[1:])}[^\n]*") for marker in comments.line]
    skipped += _STRINGS
    first = re.escape("".join(dict.fromkeys(mark for mark, _ in skipped)))
    rest = "|".join(f"(?<={re.escape(mark)}){following}" for mark, following in skipped)
    return re.compile(f"([{first}](?:{rest}))")
