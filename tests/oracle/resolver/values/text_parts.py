"""Methods of a text that give its parts: `"app.stores.FileStore".rsplit(".", 1)` holds a module and a class that are looked up by name."""

from __future__ import annotations

from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.calls.arguments import Arguments
from tests.oracle.resolver.outside import world as outside
from tests.oracle.resolver.outside.library_calls import LibraryCalls

_SPACES = " \t\n\r\f"
#: parts further behind than this have no place of their own
_MOST_PLACES = 64


class TextParts(LibraryCalls):
    """Adds the parts of constant texts."""

    def call_builtin_method(self, held: int, place: int, arguments: Arguments, target: int, how: str) -> None:
        receiver, name = self.objects.b[held], self.objects.name[held]
        if receiver < 0 or self.objects.kind[receiver] != ob.CONSTANT:
            super().call_builtin_method(held, place, arguments, target, how)
            return
        self.note_outside(place, name, how)
        if self.is_loader(place) or not self._is_plain(receiver) or arguments.splats or arguments.mappings:
            self._give_type(name, target)
            return
        given = arguments.positional
        separator = given[0] if given else arguments.keywords.get("sep", -1)
        limit = given[1] if len(given) > 1 else arguments.keywords.get("maxsplit", -1)
        if separator >= 0:
            self.listen(separator, self._on_separator, receiver, self.name_number(name), place, target, limit)
        elif limit >= 0:
            self.listen(limit, self._on_limit, receiver, self.name_number(name), place, target, -1)
        else:
            self._cut(receiver, name, place, target, -1, -1)

    def is_loader(self, place: int) -> bool:
        """Whether what the function of a place gives is resolved by the argument of each of its calls."""
        raise NotImplementedError

    def _on_separator(self, held: int, text: int, method: int, place: int, target: int, limit: int) -> None:
        is_none = self.type_name(held) == "builtins.NoneType" and self.objects.kind[held] in (ob.RESULT, ob.CONSTANT)
        if not is_none and not self._is_plain(held):
            self._give_type(self.name_of(method), target)
        elif limit >= 0:
            self.listen(limit, self._on_limit, text, method, place, target, -1 if is_none else held)
        else:
            self._cut(text, self.name_of(method), place, target, -1 if is_none else held, -1)

    def _on_limit(self, held: int, text: int, method: int, place: int, target: int, separator: int) -> None:
        digits = self.objects.name[held] if self.objects.is_key(held) else ""
        if len(digits) == 1 and digits in "0123456789":
            self._cut(text, self.name_of(method), place, target, separator, int(digits))
        else:
            self._give_type(self.name_of(method), target)

    def _cut(self, text: int, method: str, place: int, target: int, separator: int, most: int) -> None:
        whole = self.objects.name[text].strip("'\"")
        at = self.objects.name[separator].strip("'\"") if separator >= 0 else None
        if at is None:
            whole = whole.strip(_SPACES)
        parts = list(getattr(whole, method.rpartition(".")[2])(*([at] if method.endswith("partition") else [at, most])))
        if method == "builtins.str.partition" and not parts[1]:
            parts = parts[:1]
        elif method == "builtins.str.rpartition" and not parts[1]:
            parts = parts[2:]
        number = self._made(place, "tuple" if method.endswith("partition") else "list", target)
        for position, part in enumerate(parts):
            if part:
                key = str(position) if position < _MOST_PLACES else "*"
                constant = self.objects.get(ob.CONSTANT, self.objects.a[text], name=f"'{part}'")
                self.put(self.element(number, key), constant)

    def _give_type(self, method: str, target: int) -> None:
        if (result := outside.result_type(method)) is not None:
            self.put(target, self.objects.get(ob.RESULT, name=result))

    def _is_plain(self, held: int) -> bool:
        """Whether an object is a constant text whose letters are those between its quotes."""
        if not self.objects.is_key(held) or self.type_name(held) != "builtins.str":
            return False
        text = self.objects.name[held][1:-1]
        return bool(text) and not any(letter in text for letter in "\\'\"")
