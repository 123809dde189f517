"""Golden answers of every operation on code on every surface: RPC, MCP, terminal and questions without a model, in one process.

`golden/operations` has one file for each surface: a line `> …` per request, and the answer below. Values that vary from run to run are
`~`. `pytest --update-golden` rewrites the files.
"""

import contextlib
import json
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from repoquarry import v1 as pb
from repoquarry.agent.questions.answers import QuestionReader
from repoquarry.agent.tools import base as agent_tools
from repoquarry.code.name_resolution import NameMatch, resolve_name
from repoquarry.code.reader import CodeReader
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.server.application.application import Application
from repoquarry.server.errors import to_failure
from repoquarry.server.mcp_server import Gateway
from repoquarry.server.settings.sections import Settings
from repoquarry.server.value_messages import to_dict
from tests.e2e.service import run_here, succeed
from tests.golden import GoldenFiles
from tests.source_trees import write_tree

_GOLDEN: Final = Path(__file__).parent / "golden" / "operations"
_WEBSHOP: Final = Path(__file__).parents[1] / "agent" / "data" / "webshop"
_PATCH: Final = Path(__file__).parents[2] / "e2e" / "golden" / "data" / "inputs" / "change.patch"
_ROUTER: Final = {
    "src/compose.ts": """/** Compose handlers into one. */
export const compose = (handlers: Array<(n: number) => number>) => {
  return (first: number) => {
    const dispatch = (at: number): number => {
      if (at >= handlers.length) {
        return first
      }
      return handlers[at](dispatch(at + 1))
    }
    return dispatch(0)
  }
}
""",
    "src/router.ts": """import { compose } from './compose'

export class Route {
  constructor(readonly path: string) {}
  match(path: string) {
    return this.path === path
  }
}

export class Prefix extends Route {
  match(path: string) {
    return path.startsWith(this.path)
  }
}

export function start(paths: string[]) {
  const routes = paths.map((path) => new Route(path))
  return compose(routes.map(() => (n: number) => n + 1))
}

export function every(paths: string[]) {
  return [compose([]), compose([]), start(paths), new Prefix('/').match('/a')]
}
""",
    "test/compose.test.ts": """import { compose } from '../src/compose'

describe('compose', () => {
  it('adds', () => {
    compose([(n) => n + 1])(0)
  })
})
""",
}
"""A function whose file has its name, with functions inside."""
_BANK: Final = {
    "bank/account.py": """class account:
    def __init__(self, owner):
        self.owner = owner
        self.log()

    def log(self):
        return audit(self.owner)

    def close(self):
        def again(count):
            return again(count - 1) if count else self.log()

        return again(3)


class Savings(account):
    def __init__(self, owner):
        super().__init__(owner)


class Plain:
    pass


def audit(owner):
    return audit(owner[1:]) if owner else Plain()
""",
    "bank/audit.py": """from bank.account import Savings, account, audit


def audit_all(owners):
    audit("all")
    return [account(owner) for owner in owners], Savings("x"), account("y"), audit("end")


def unused():
    return None
""",
    "bank/idle.py": "import bank.audit\n",
    "tests/test_account.py": """from bank.account import Plain, account


def test_close():
    assert account("a").close() is not Plain()
""",
}
"""Functions and classes that have the name of their file, call themselves or hold a function that does."""
_PIPES: Final = {
    "pipes/flow.kt": "package pipes\n\n// Flow runs.\nfun flow() { drain() }\n\nfun drain() {}\n",
    "README.md": "# Pipes\n\nMoves water. `Flow` starts it.\n",
}
"""Calls of its language are not resolved."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folder of the trees and their store; commands run in it, because an answer names a working folder that is not indexed."""
    folder = tmp_path_factory.mktemp("operations").resolve()
    shutil.copytree(_WEBSHOP, folder / "webshop", ignore=shutil.ignore_patterns("__pycache__"))
    write_tree(folder / "router", _ROUTER)
    write_tree(folder / "pipes", _PIPES)
    write_tree(folder / "bank", _BANK)
    for name in ("webshop", "router", "pipes", "bank"):
        succeed(folder / "store", "index", str(folder / name))
    shop = folder / "webshop" / "webshop" / "shop.py"
    shop.write_text(shop.read_text().replace("retry a payment", "repeat a payment"))
    succeed(folder / "store", "index", str(folder / "webshop"), "--name", "webshop-2")
    with contextlib.chdir(folder):
        yield folder


@pytest.fixture(scope="module")
def application(root: Path) -> Iterator[Application]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root / "webshop")  # Answers name a working folder that is not indexed.
        opened = Application(Settings(store=StoreSettings(root / "store")), writable=False)
    yield opened
    opened.close()


_VARYING: Final = frozenset(
    ("revision", "index_time", "check_time", "indexer", "last_commit_time", "next_page_token", "source")
)
_VARYING_TEXT: Final = re.compile(r"(?<=\brevision )[0-9a-f]{8,}|(?<=@)[0-9a-f]{12}\b|(?<=--page-token )\S+")


def _compact(value: Any) -> Any:
    """Leave out empty values, and round floats."""
    if isinstance(value, Mapping):
        items = ((key, "~" if key in _VARYING and item else _compact(item)) for key, item in value.items())
        return {key: item for key, item in items if item not in (None, "", 0, False, [], {})}
    if isinstance(value, list):
        return [_compact(item) for item in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def _lines(value: Any, indent: int = 0) -> Iterator[str]:
    """Format JSON with as much on a line as fits."""
    margin = "  " * indent
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) < 140 or not isinstance(value, dict | list):
        yield margin + flat
        return
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        name = f"{key}: " if isinstance(key, str) else "- "
        inner = list(_lines(item, indent + 1))
        if len(inner) == 1:
            yield f"{margin}{name}{inner[0].strip()}"
        else:
            yield f"{margin}{name.rstrip()}"
            yield from inner


def _check(golden_files: GoldenFiles, surface: str, root: Path, answers: Mapping[str, str]) -> None:
    text = "\n\n".join(f"> {request}\n{answer.rstrip()}" for request, answer in answers.items()) + "\n"
    text = _VARYING_TEXT.sub("~", text.replace(str(root), "<root>"))
    golden_files.check(_GOLDEN / f"{surface}.txt", text)


_CALLS = pb.RELATION_KIND_CALLS
_INCOMING = pb.DIRECTION_INCOMING
_SHOP: Final = ("webshop",)
_REQUESTS: Final = {
    "code": (
        pb.SearchRequest(query="retry a payment", repositories=_SHOP, page_size=3),
        pb.SearchRequest(query="PaymentError(", mode=pb.SEARCH_MODE_EXACT, repositories=_SHOP, page_size=2),
        pb.SearchRequest(query=" "),
        pb.LocateRequest(text="Retrying a payment waits too long", max_files=2, max_definitions=3),
        pb.ResolveNameRequest(symbol="Price", repositories=_SHOP),
        pb.ResolveNameRequest(symbol="compose"),
        pb.ResolveNameRequest(symbol="Shop.order"),
        pb.ResolveNameRequest(symbol="Shop.ordr"),
        pb.ExploreRequest(target="Shop.pay", repositories=_SHOP),
        pb.ExploreRequest(target="compose", max_chars=900),
        pb.ExploreRequest(target="where are payments retried", repositories=_SHOP),
        pb.ExploreRequest(target="Shop"),
        pb.ReadSourceRequest(repository="webshop", path="webshop/shop.py", start_line=24, end_line=28),
        pb.ReadSourceRequest(repository="webshop", path="nowhere.py"),
        pb.GetTreeRequest(repository="router", depth=3, definitions=True),
        pb.ListRelationsRequest(symbol="compose", kind=_CALLS, direction=_INCOMING),
        pb.ListRelationsRequest(symbol="Route", kind=_CALLS, direction=_INCOMING, hops=2),
        pb.ListRelationsRequest(symbol="Shop.pay", kind=_CALLS, repositories=_SHOP),
        pb.ListRelationsRequest(symbol="Price", kind=pb.RELATION_KIND_USES, direction=_INCOMING, repositories=_SHOP),
        pb.ListRelationsRequest(symbol="drain", kind=_CALLS, direction=_INCOMING),
        pb.ListRelationsRequest(symbol="Shop.pay"),
        pb.FindPathsRequest(from_symbol="Shop.order", to_symbol="Shop.charge", repositories=_SHOP),
        pb.ListOwnersRequest(symbol="Shop.order", repositories=_SHOP),
        pb.CompareRepositoriesRequest(before="webshop", after="webshop-2"),
        pb.AnalyzeImpactRequest(repository="webshop", symbols=["Shop.charge"]),
        pb.AnalyzeImpactRequest(repository="webshop", patch=_PATCH.read_text()),
        pb.AnalyzeImpactRequest(repository="webshop", symbols=["Shop"], range="a..b"),
        pb.FindDuplicatesRequest(repository="webshop", symbol="Shop.order"),
        pb.BuildContextRequest(repository="router", max_tokens=300),
    ),
    "views": (
        pb.GetSymbolRequest(symbol="compose"),
        pb.GetSymbolRequest(symbol="Shop"),
        pb.GetSymbolRequest(symbol="Shop.pay", repositories=_SHOP, external=True),
        pb.GetSymbolRequest(symbol="Route"),
        pb.ListHopsRequest(symbol="compose", direction=_INCOMING),
        pb.ListHopsRequest(symbol="Shop.order", repositories=_SHOP),
        pb.GetFileRequest(repository="router", path="src/compose.ts"),
        pb.GetLevelsRequest(repository="webshop"),
        pb.GetChangeRequest(repository="webshop", patch=_PATCH.read_text()),
        pb.GetOverviewRequest(repository="router"),
    ),
    "repositories": (
        pb.FindRepositoriesRequest(query="take orders for books", page_size=2),
        pb.GetRepositoryRequest(name="pipes"),
    ),
}


def _call(service: Any, request: Any) -> str:
    """Call the method of a request, and format the response or the failure."""
    name = type(request).__name__.removesuffix("Request")
    method = getattr(service, re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower())
    try:
        return "\n".join(_lines(_compact(to_dict(method(request)))))
    except Exception as exc:
        failure = to_failure(exc)
        return f"{failure.reason}: {failure.message}"


def _title(request: Any) -> str:
    values = {field.name: value for field, value in request.ListFields() if field.name != "patch"}
    words = [f"{name}={list(value) if not isinstance(value, str | int) else value!r}" for name, value in values.items()]
    return f"{type(request).__name__} {' '.join([*words, *(['patch'] * bool(getattr(request, 'patch', '')))])}"


def test_rpc_gives_golden_answers_to_every_operation(
    application: Application, root: Path, golden_files: GoldenFiles
) -> None:
    answers = {
        _title(request): _call(getattr(application, service), request)
        for service, requests in _REQUESTS.items()
        for request in requests
    }
    _check(golden_files, "rpc", root, answers)


_TOOL_CALLS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("explore", {"target": "Shop.order", "repository": "webshop"}),
    ("explore", {"target": "Route.match", "max_chars": 700}),
    ("explore", {"target": "how are handlers composed?", "repository": "router"}),
    ("explore", {"target": "compoze", "repository": "router"}),
    ("search", {"text": "retry a payment", "repository": "webshop", "limit": 3}),
    ("search", {"text": "dispatch(", "mode": "exact"}),
    ("search", {"text": "Retrying a payment waits too long", "mode": "task", "repository": "webshop"}),
    ("view", {"target": "Shop.pay", "repository": "webshop"}),
    ("view", {"target": "src/router.ts", "start_line": 3, "end_line": 8}),
    ("view", {"target": "webshop/http", "repository": "webshop"}),
    ("relations", {"target": "compose", "kind": "callers"}),
    ("relations", {"target": "compose", "kind": "callers", "hops": 2}),
    ("relations", {"target": "Route", "kind": "callers"}),
    ("relations", {"target": "time.sleep", "kind": "callers", "repository": "webshop"}),
    ("relations", {"target": "drain", "kind": "callers"}),
    ("relations", {"target": "Shop.pay", "kind": "callees", "repository": "webshop"}),
    ("relations", {"target": "Price", "kind": "subclasses", "repository": "webshop", "hops": 2}),
    ("relations", {"target": "src/router.ts", "kind": "imports"}),
    ("relations", {"target": "src/compose.ts", "kind": "importers"}),
    ("relations", {"target": "Shop.prices", "kind": "references", "repository": "webshop"}),
    ("relations", {"target": "Shop", "kind": "callers"}),
    ("impact", {"target": "Shop.charge", "repository": "webshop"}),
    ("impact", {"patch": _PATCH.read_text(), "repository": "webshop"}),
    ("constants", {"text": "prices", "repository": "webshop"}),
    ("tree", {"repository": "webshop"}),
    ("tree", {"repository": "router", "path": "src/router.ts"}),
    ("cypher", {"query": "MATCH (f:Function {repository: 'router'}) RETURN f.qualname AS name ORDER BY name"}),
    ("cypher", {"query": "MATCH (f:Function) RETURN"}),
    ("paths", {"start": "Shop.order", "end": "Shop.charge", "repository": "webshop"}),
    ("paths", {"start": "test/compose.test.ts", "end": "src/compose.ts", "kind": "imports"}),
    ("repositories", {}),
    ("repositories", {"text": "take orders for books"}),
    ("context", {"repository": "pipes"}),
    ("duplicates", {"target": "Shop.order", "repository": "webshop"}),
    ("view", {"target": "Shop.pay", "nome": 1}),
)


def _call_tool(gateway: Gateway, tool: str, arguments: Mapping[str, Any]) -> str:
    try:
        return gateway.call(tool, arguments)
    except Exception as exc:
        failure = to_failure(exc)
        return f"{failure.reason}: {failure.message}"


def test_mcp_gives_golden_answers_to_every_tool(
    application: Application, root: Path, golden_files: GoldenFiles
) -> None:
    gateway = Gateway(application, max_tokens=8_000)
    answers = {
        f"{tool} {' '.join(f'{key}={value!r}' for key, value in arguments.items() if key != 'patch')}"
        f"{' patch' * ('patch' in arguments)}".rstrip(): _call_tool(gateway, tool, arguments)
        for tool, arguments in _TOOL_CALLS
    }
    tools = [f"{tool.name}: {json.dumps(tool.input_schema, ensure_ascii=False)}" for tool in gateway.tools()]
    _check(golden_files, "mcp", root, {**answers, "list of tools": "\n".join(tools)})


_QUESTIONS: Final = (
    "Who calls compose?",
    "Who calls Route?",
    "Who calls Shop.pay?",
    "Who calls drain?",
    "Who calls time.sleep?",
    "What does Shop.order call?",
    "Where is Price used?",
    "Which classes inherit from Price?",
    "What overrides Route.match?",
    "What does SalePrice inherit from?",
    "Which tests cover Shop.order?",
    "What breaks if I change Shop.charge?",
    "Where is Shop.pay defined?",
    "What does Shop.pay do?",
    "What raises PaymentError?",
    "What does Shop.pay raise?",
    "What is the value of prices?",
    "What are the entry points?",
    "Which functions are never called?",
    "Which functions are the most complex?",
    "Are there import cycles?",
    "How is a payment retried?",
    "Who calls nothing_of_the_kind?",
)


def test_questions_get_golden_answers(application: Application, root: Path, golden_files: GoldenFiles) -> None:
    repositories = ("webshop", "router", "pipes")
    answers = {}
    for question in _QUESTIONS:
        reader = QuestionReader(question, repositories, CodeReader(application.host.store), lambda: None)
        answer = reader.answer()
        places = [f"{place.path}:{place.start_line} {place.qualname} {place.why}".rstrip() for place in answer.places]
        answers[question] = "\n".join([answer.text, "places:", *places])
    _check(golden_files, "questions", root, answers)


_COMMAND_LINES: Final = (
    "show compose",
    "show Price -r webshop --why",
    "show Shop.order",
    "show Shop.pay --callers -r webshop",
    "show compose --callers --hops 2",
    "show Route --callers",
    "show Shop.pay --callees -r webshop",
    "show Price --references -r webshop",
    "show Price --relation INHERITS --incoming -r webshop",
    "show Shop.pay --source -r webshop",
    "show Shop.order --owners -r webshop",
    "explore compose",
    "explore where are payments retried -r webshop --max-chars 900",
    "search payment -r webshop --limit 2",
    "locate 'Retrying a payment waits too long' -r webshop --files 2 --definitions 2",
    "choose 'take orders for books'",
    "context pipes --tokens 200",
    "diff webshop webshop-2",
    "duplicates webshop --of Shop.order",
    "impact webshop --symbol Shop.charge",
    f"impact webshop --patch {_PATCH}",
    f"impact webshop --patch {_PATCH} --format markdown",
    "impact webshop --symbol Shop.charge --format junit-list",
    "list",
)


def test_terminal_gives_golden_answers_to_every_command(root: Path, golden_files: GoldenFiles) -> None:
    answers = {}
    for line in _COMMAND_LINES:
        done = run_here(root / "store", *shlex.split(line), COLUMNS="160")
        error = done.stderr.rstrip().rpartition("\n")[2] if done.returncode else ""
        answers[line.replace(str(_PATCH), "change.patch")] = f"{done.stdout}{error}\nexit {done.returncode}"
    _check(golden_files, "terminal", root, answers)


_CALLERS = """
MATCH (a)-[:CALLS]->(b)
WHERE b.id = $id OR EXISTS { (:Class {id: $id})-[:DEFINES]->(b) WHERE b.kind = 'constructor' }
RETURN DISTINCT a.id AS id, coalesce(a.is_test, false) AS is_test
"""


def _count_in_text(text: str) -> int:
    match = re.search(r"\b(\d+|no|1) callers?\b", text)
    return int(match[1]) if match and match[1] != "no" else 0


@pytest.mark.parametrize("repository", ["bank", "router", "webshop"])
def test_every_surface_counts_the_callers_that_cypher_counts(application: Application, repository: str) -> None:
    """A name has the callers of exactly its definition: not those of functions inside it, or of the file that has its name."""
    reader = CodeReader(application.host.store)
    gateway = Gateway(application, max_tokens=8_000)
    compared = 0
    for item in reader.preload(repository).definition_by_id.values():
        found = resolve_name(reader, item.qualname, [repository]) if item.qualname and item.kind != "lambda" else None
        if found is None or found.match is not NameMatch.NAME or len(found.preferred()) > 1:
            continue
        if found.preferred()[0][0].id != item.id:
            continue
        rows = application.host.store.query(_CALLERS, {"id": item.id}).rows
        callers = {str(id_) for id_, _ in rows}
        scope: dict[str, Any] = {"symbol": item.qualname, "repositories": [repository]}
        relations = application.code.list_relations(pb.ListRelationsRequest(**scope, kind=_CALLS, direction=_INCOMING))
        symbol = application.views.get_symbol(pb.GetSymbolRequest(**scope))
        hops = application.views.list_hops(pb.ListHopsRequest(**scope, direction=_INCOMING))
        told = gateway.call("relations", {"target": item.qualname, "kind": "callers", "repository": repository})
        asked = QuestionReader(f"Who calls `{item.qualname}`?", (repository,), reader, lambda: None).answer()
        pack = application.code.explore(
            pb.ExploreRequest(target=item.qualname, repositories=[repository], max_chars=50_000)
        )
        shown = re.search(r"^Callers:\n((?:- .*\n)+)", f"{pack.text}\n", re.MULTILINE)
        counts = {
            "ListRelations": len({one.entity.id for meaning in relations.meanings for one in meaning.relations}),
            "GetSymbol": symbol.figures.callers,
            "ListHops": hops.total,
            "relations": _count_in_text(told),
            "question": _count_in_text(asked.text),
        }
        assert counts == dict.fromkeys(counts, len(callers)), item.id
        code = {str(id_) for id_, is_test in rows if not is_test} - {item.id}
        assert (shown[1].count("\n") if shown else 0) == len(code), item.id
        compared += bool(callers)
    assert compared > 4


def test_operation_is_on_every_surface_by_its_line_of_the_table(application: Application, root: Path) -> None:
    arguments = {"target": "bank/audit.py", "repository": "bank"}
    gateway = Gateway(application, max_tokens=8_000, all_tools=True)
    assert "unused_imports" in {tool.name for tool in gateway.tools()}
    told = gateway.call("unused_imports", arguments)
    assert "  1 file without a use\nFILE  NAMES  LINES\nbank/idle.py  " in told
    response = application.tools.call_tool(pb.CallToolRequest(tool="unused_imports", arguments=json.dumps(arguments)))
    assert response.text in told
    line = ["tool", "unused_imports", *(f"{name}={value}" for name, value in arguments.items())]
    assert response.text in run_here(root / "store", *line).stdout
    assert "unused_imports" in {tool.name for tool in agent_tools.available_tools(workspace=False)}
    used = {"target": "bank/account.py", "repository": "bank"}
    assert "no files without a use" in gateway.call("unused_imports", used)
