"""Model files: paths, refusals with line and reason, and what `check --models` reports."""

from pathlib import Path

import pytest

from repoquarry.ingest.model_check import check_models
from repoquarry.ingest.resolution import resolve
from repoquarry.languages import registry
from repoquarry.languages.model_files import FOLDER, ModelFileError, load_models, parse_model
from repoquarry.languages.model_paths import ModelPathError, compile_path

OWN = ".repoquarry/models/records.toml"


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("receiver", "receiver"),
        ("instance(argument[0, to])", "argument:0|to instance"),
        ("of(@a/b.C, class(receiver))", "receiver class of:@a/b.C"),
        ("argument[0].load(receiver, key=element)", "argument:0 attribute:load receiver element call:1:key"),
        ("element(*1)", "element call:*1"),
        ("element(*)", "element call:*0"),
        ("later(argument[0]())", "argument:0 later:0"),
        ('add(class(value), argument[name], "_set", owner)', "value class argument:name owner add:_set"),
    ],
)
def test_paths_become_steps(path: str, steps: str) -> None:
    assert compile_path(path) == steps.split()


@pytest.mark.parametrize(
    "path",
    [
        "",
        "instanc(receiver)",
        "argument",
        "argument[",
        "instance(receiver",
        "receiver receiver",
        "later(owner)",
        "of(A)",
    ],
)
def test_other_texts_are_no_paths(path: str) -> None:
    with pytest.raises(ModelPathError):
        compile_path(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[function]]\nof = "a.b"\ngives = "instanc(receiver)"\n', f"{OWN}:3: unknown word 'instanc'"),
        ('[[function]]\nof = "a.b"\ngive = "receiver"\n', f"{OWN}:3: Object contains unknown field `give`"),
        ("[[function]]\nof = 1\n", f"{OWN}:"),
        ("[[function]\n", f"{OWN}: "),
        ('[[framework]]\nroute = "a"\n', f"{OWN}:1: a framework without `packages`"),
    ],
)
def test_wrong_files_are_refused_with_line_and_reason(text: str, message: str) -> None:
    with pytest.raises(ModelFileError) as refused:
        parse_model(OWN, text.encode())
    assert str(refused.value).startswith(message)


def test_all_models_that_come_along_are_right() -> None:
    counts = {ecosystem: len(load_models(ecosystem)) for ecosystem in ("pypi", "npm", "maven")}
    assert sum(counts.values()) == len(list(FOLDER.rglob("*.toml")))
    assert load_models("") == ()


def calls(model: str) -> list[str]:
    code = b"import records\nclass A:\n    def run(self): pass\ndef use():\n    records.find(A).run()\n"
    files = [registry.language_for("app.py").extract("app.py", code)]
    found = resolve(files, configuration={OWN: model.encode()})
    return [edge.how for edge in found.calls if edge.callee >= 0]


def test_models_of_a_repository_apply_and_refused_ones_do_not(caplog: pytest.LogCaptureFixture) -> None:
    assert calls('[[function]]\nof = "records.find"\ngives = "instance(argument[0])"\n') == ["model:records"]
    assert calls('[[function]]\nof = "records.other"\ngives = "instance(argument[0])"\n') == []
    assert calls("wrong") == []
    assert "model_refused" in caplog.text


def test_check_lists_refused_files_and_rows_that_never_apply(tmp_path: Path) -> None:
    (tmp_path / OWN).parent.mkdir(parents=True)
    (tmp_path / "app.py").write_text("import records\nrecords.find(1)\n")
    rows = [
        '[[function]]\nof = "records.find"\ngives = "argument[0]"\n',
        '[[function]]\nof = "records.gone"\ngives = "argument[0]"\n',
    ]
    (tmp_path / OWN).write_text("".join([*rows, '[[type]]\nof = "records.find"\nextends = "records.Base"\n']))
    (tmp_path / OWN).with_name("wrong.toml").write_text("[[function]]\nof = 1\n")
    count, found = check_models(tmp_path)
    assert count == 2
    assert [str(one) for one in found][1:] == [
        f"{OWN}:9: no model describes the extended type records.Base",
        f"{OWN}:5: the code never uses records.gone",
    ]
