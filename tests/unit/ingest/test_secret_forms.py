"""Secrets in settings files: each form is masked before the file is stored, with its length and its lines, and the rest stays."""

import json
from pathlib import Path

import pytest

from repoquarry.graphstore.store import Store
from repoquarry.ingest.freshness import check_freshness
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.languages.setting_files import hide_secrets, mask_setting_file
from tests.source_trees import commit_tree, write_tree

S = "hunter2hunter2"
FORMS = {
    "a.yaml": [
        f"password: {S}", f"password: '{S}'", f'db:\n  password: "{S}"', f"passwords:\n  - {S}\n  - {S}x",
        f"env:\n  - name: DB_PASSWORD\n    value: {S}", f"env:\n  - value: {S}\n    name: DB_PASSWORD",
        f'- name: "API_KEY"\n  value: "{S}"', f"? password\n: {S}", f"apiKey: {S}", f"a: {{password: {S}}}",
        f"token: |\n  {S}\n  {S}", f"url: https://user:{S}@host/x", f"header: Bearer {S}", f"# password: {S}",
        f"secrets: [{S}, {S}]", f"clientSecret: {S}", f"AWS_SECRET_ACCESS_KEY: {S}",
    ],
    "a.json": [
        json.dumps({"password": S}), json.dumps({"password": S}, indent=2), f'{{"password":\n  "{S}"}}',
        f'{{"tokens": [\n "{S}",\n "{S}"\n]}}', f'[{{"name": "DB_PASSWORD", "value": "{S}"}}]',
        f'[{{"value": "{S}", "name": "DB_PASSWORD"}}]', f'{{"pass\\u0077ord": "{S}"}}', f'{{"a": {{"apiKey": "{S}"}}}}',
        f'{{"dsn": "https://{S}@host/1"}}', f'{{"authorization": "Basic {S}"}}',
    ],
    ".env": [
        f"PASSWORD={S}", f"export API_KEY='{S}'", f'DB_PASS="{S}"', f"AUTH=Bearer {S}", f"SENTRY_DSN=https://{S}@host/1",
        f"DATABASE_URL=postgres://u:{S}@h/d", f"MY_KEY={S}", f"# TOKEN={S}",
    ],
    "a.properties": [f"db.password={S}", f"db.password {S}", f"db.password: {S}", f"token=x{S}\\\n  {S}"],
    "a.ini": [f"[a]\npassword = {S}", f"[a]\npassword: {S}", f"[a]\ntoken =\n  {S}"],
    "a.toml": [f'[a]\npassword = "{S}"', f'token = """\n{S}\n"""', f'a = {{ secret = "{S}" }}', f'tokens = [\n  "{S}",\n]'],
}  # fmt: skip
_PLAIN = {
    "a.yaml": "name: shop\nenv:\n  - name: MODE\n    value: fast\nsecretary: Ann\nurl: https://host/a@b\n",
    "a.json": '{"name": "shop", "keys": ["a"], "passes": 3, "tokenizer": "bpe"}',
    "a.toml": "[tool.ruff]\nline-length = 120\n",
    ".env": "MODE=fast\n",
    "a.properties": "monkey=1\nname shop\n",
}


@pytest.mark.parametrize(("path", "text"), [(path, text) for path, texts in FORMS.items() for text in texts])
def test_secret_is_masked_with_its_length_and_lines(path: str, text: str) -> None:
    masked = mask_setting_file(path, text.encode())
    assert S.encode() not in masked
    assert len(masked) == len(text.encode())
    assert [len(line) for line in masked.split(b"\n")] == [len(line) for line in text.encode().split(b"\n")]
    assert S not in hide_secrets(path, text)
    if path.endswith(".json"):
        json.loads(masked)


@pytest.mark.parametrize(("path", "text"), _PLAIN.items())
def test_other_settings_stay(path: str, text: str) -> None:
    assert mask_setting_file(path, text.encode()) == text.encode()


@pytest.mark.parametrize("content", ["password: pässwörd", "password: 密码密码", "token: \udcff\udcfe"])
def test_length_in_bytes_stays(content: str) -> None:
    given = content.encode("utf-8", "surrogateescape")
    masked = mask_setting_file("a.yaml", given)
    assert len(masked) == len(given)
    assert masked.partition(b": ")[2].strip(b"*") == b""


def test_no_secret_of_settings_is_stored_and_source_stays(tmp_path: Path, store: Store) -> None:
    files = {f"conf{number}/{path}": text for path, texts in FORMS.items() for number, text in enumerate(texts)}
    root = write_tree(tmp_path / "shop", {**files, "a.py": f"password = '{S}x'\n"})
    commit_tree(root)
    index_repository(str(root), store, IngestSettings(workers=1))
    texts = {path: store.sources.text("shop", path) for path in store.sources.files("shop")}
    assert len(texts) == len(files) + 1
    assert [path for path, text in texts.items() if S in text] == ["a.py"]
    assert store.repository("shop")["dirty"] is False
    assert check_freshness(store.repository("shop"), store.sources, IngestSettings()).moved_on is False
