"""What Java code is started by from outside a repository: `main`, tests, and what frameworks find by its annotations."""

from __future__ import annotations

from collections.abc import Iterator

from repoquarry.languages.facts import Definition, FileFacts

_ROUTES = frozenset(
    {
        "RequestMapping", "GetMapping", "PostMapping", "PutMapping", "DeleteMapping", "PatchMapping", "MessageMapping", "Path", "GET", "POST",
        "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "WebServlet",
    }
)  # fmt: skip
_TESTS = frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory", "Property"})
_FIXTURES = frozenset(
    {
        "Before", "After", "BeforeEach", "AfterEach", "BeforeAll", "AfterAll", "BeforeClass", "AfterClass", "BeforeMethod", "AfterMethod",
        "MethodSource", "DataProvider",
    }
)  # fmt: skip
_HOOKS = frozenset(
    {
        "Bean", "PostConstruct", "PreDestroy", "Scheduled", "EventListener", "KafkaListener", "RabbitListener", "JmsListener", "ExceptionHandler",
        "InitBinder", "ModelAttribute", "Subscribe", "Provides", "PrePersist", "PostLoad", "Around", "Aspect",
    }
)  # fmt: skip
_COMMANDS = frozenset({"Command", "ShellMethod"})
_KINDS = {
    **dict.fromkeys(_ROUTES, "route"),
    **dict.fromkeys(_TESTS, "test"),
    **dict.fromkeys(_FIXTURES, "fixture"),
    **dict.fromkeys(_HOOKS, "hook"),
    **dict.fromkeys(_COMMANDS, "command"),
}


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool, /) -> Iterator[tuple[str, str]]:
    """As `repoquarry.languages.family.EntryPoints`."""
    if definition.name == "main" and definition.kind == "method" and "String" in definition.signature:
        yield "main", "main"
    seen = False
    for decorator in definition.decorators:
        kind = _KINDS.get(decorator.name)
        if kind is not None:
            seen = seen or kind == "test"
            yield kind, definition.name if kind in ("test", "fixture") else decorator.text
    if in_test_class and not seen and definition.kind == "method" and definition.name.startswith("test"):
        yield "test", definition.name


def is_test(definition: Definition) -> bool:
    """Whether a method is a test by its annotations or, before there were such, by its name."""
    return definition.name.startswith("test") or any(one.name in _TESTS for one in definition.decorators)
