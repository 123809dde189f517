"""Dead code of indexed trees: names in any text, computed names, bases of other packages, and conventions of tools."""

from pathlib import Path

import pytest

from repoquarry.graphstore.query.query_library import QueryLibrary
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

_USED_BY = "from app import core\ncore.start()\n"
_CORE = "def start(): return 1\ndef really_dead(): return 2\ndef {name}(): return 3\n"


def _dead(folder: Path, settings: IngestSettings, tree: dict[str, str]) -> dict[str, str]:
    """Index a tree; return what is listed, and whether it is private or public."""
    store_settings = StoreSettings(folder / "store", embedding=None)
    with Store.open(store_settings, writable=True) as store:
        index_repository(str(write_tree(folder / "tree", dict(tree))), store, settings, name="tree")
        query = QueryLibrary().require("possibly-dead-code")
        return {str(row[2]): str(row[3]) for row in store.query(query.text, query.bind({})).rows}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("page.html", "<button onclick='save_all()'>"),
        ("dialog.ui", '<signal handler="save_all"/>'),
        ("settings.yml", "hook: app.core.save_all"),
        ("README.md", "Call `save_all`."),
        ("app/other.py", 'handlers = ["save_all"]\n'),
        ("app/other.py", "# save_all is called by cron\n"),
        ("app/other.py", "def run(this, kind):\n    return getattr(this, f'save_{kind}')()\n"),
        ("app/other.py", "def run(this, kind):\n    return getattr(this, 'save_' + kind)()\n"),
        ("app/other.py", "def run(this):\n    return this.save_all\n"),
        ("app/other.py", "class Page:\n    def save_all(self): return 1\n"),
    ],
)
def test_a_name_in_any_text_is_a_possible_use(tmp_path: Path, settings: IngestSettings, path: str, text: str) -> None:
    tree = {"app/core.py": _CORE.format(name="save_all"), "main.py": _USED_BY}
    assert _dead(tmp_path / "without", settings, tree) == {"really_dead": "public", "save_all": "public"}
    assert _dead(tmp_path / "with", settings, {**tree, path: text}) == {"really_dead": "public"}


def test_its_own_recursion_and_longer_names_are_no_use(tmp_path: Path, settings: IngestSettings) -> None:
    core = "def start(): return 1\ndef _walk(n):\n    return _walk(n - 1)\ndef walk_all():\n    return '_walking'\n"
    assert _dead(tmp_path, settings, {"app/core.py": core, "main.py": _USED_BY}) == {
        "_walk": "private",
        "walk_all": "public",
    }


def test_names_joined_in_camel_case_are_possible_uses(tmp_path: Path, settings: IngestSettings) -> None:
    tree = {
        "lib.ts": "export function onClose() {}\nexport function once() {}\nexport function start() {}\nfunction hidden() {}\n",
        "main.ts": "import { start } from './lib'\nstart()\nfunction run(a, kind) { return a[`on${kind}`]() }\nrun({}, 1)\n",
    }
    assert _dead(tmp_path, settings, tree) == {"hidden": "private", "once": "public"}


def test_private_methods_of_javascript_are_used_by_their_name_in_any_form(
    tmp_path: Path, settings: IngestSettings
) -> None:
    tree = {
        "lib.js": "const $size = Symbol()\nexport class Box {\n  #shown() {}\n  #hidden() {}\n  [$size]() {}\n  [Symbol.toPrimitive]() {}\n"
        "  onTables() {}\n  build(x) { x.listen(this.#shown.bind(this)); x['on' + x.kind]() }\n  handleEvent() {}\n}\n",
        "main.js": "import { Box } from './lib.js'\nnew Box().build(window)\n",
        "page.vue": "<script>\nexport default { beforeRouteLeave(to) { return to } }\n</script>\n",
    }
    assert _dead(tmp_path, settings, tree) == {"Box.#hidden": "private"}


def test_keys_of_an_object_may_be_called_by_who_has_it(tmp_path: Path, settings: IngestSettings) -> None:
    tree = {
        "lib.ts": "import { program } from 'commander'\nexport function start() {\n  program.configureHelp({\n    optionTerm(o) { return o },\n"
        "    commandTerm: (o) => o,\n    async argumentTerm(o) { return o },\n  })\n}\n"
        "const hidden = () => 1\nasync function hiddenToo() {}\nlet later\nlater = function () {}\n",
        "main.ts": "import { start } from './lib'\nstart()\n",
    }
    assert _dead(tmp_path, settings, tree) == {"hidden": "private", "hiddenToo": "private"}


def test_members_that_override_an_external_base_are_not_listed(tmp_path: Path, settings: IngestSettings) -> None:
    tree = {
        "enc.py": "import ast\nimport html.parser\nimport json\nimport threading\n\n"
        "class Enc(json.JSONEncoder):\n    def default(self, o): return 1\n"
        "class Worker(threading.Thread):\n    def run(self): return 2\n"
        "class Names(ast.NodeVisitor):\n    def visit_Name(self, node): return 3\n"
        "class Base(html.parser.HTMLParser): pass\n"
        "class Tags(Base):\n    def handle_starttag(self, tag, attrs): return 4\n"
        "def really_dead(): return 5\n"
        "json.dumps({}, cls=Enc)\nWorker().start()\nNames().visit(ast.parse('a'))\nTags().feed('<b>')\n",
        "Bytes.java": "import java.io.InputStream;\nclass Bytes extends InputStream {\n"
        "  public int read() { return 1; }\n  static int reallyDead() { return 2; }\n}\n"
        "class Main { public static void main(String[] a) { new Bytes(); } }\n",
        "box.ts": "export class Box extends HTMLElement {\n  connectedCallback() {}\n}\nfunction reallyDead2() {}\n"
        "customElements.define('a-box', Box)\n",
    }
    assert _dead(tmp_path, settings, tree) == {"really_dead": "public", "reallyDead2": "private"}


def test_what_tools_load_by_file_or_by_name_is_not_listed(tmp_path: Path, settings: IngestSettings) -> None:
    tree = {
        "app/core.py": _CORE.format(name="other_dead"),
        "main.py": _USED_BY,
        "hooks/hook-pip.py": "def hook(api):\n    return api\n",
        "migrations/a1.py": "def upgrade():\n    return 1\n",
        "migrations/a2.py": "def upgrade():\n    return 2\n",
        "page.tsx": "export default function Page() { return <b/> }\n",
        "Bean.java": "class Bean { int size; public int getSize() { return size; } public void grow() { size++; } }\n",
        "Main.java": "class Main { public static void main(String[] a) { new Bean(); } }\n",
        "types.go": "package main\n\ntype opml struct{}\n\nfunc (o opml) MarshalXML() int { return 1 }\n\nfunc unused() int { return 1 }\n\n"
        "func main() { _ = opml{} }\n",
        "go.mod": "module example.org/tool\n",
    }
    public = {"Bean.grow": "public", "other_dead": "public", "really_dead": "public"}
    assert _dead(tmp_path, settings, tree) == public | {"unused": "private"}


def test_a_skipped_source_is_a_text_too(tmp_path: Path, settings: IngestSettings) -> None:
    tree = {"app/core.py": _CORE.format(name="setup_remote"), "main.py": _USED_BY, ".gitignore": "local.py\n"}
    assert _dead(tmp_path, settings, {**tree, "local.py": "core.setup_remote()\n"}) == {"really_dead": "public"}
