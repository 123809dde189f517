"""Notebooks are read as scripts: cells in order, magics as comments, no outputs; damaged ones say so."""

import json

import pytest

from repoquarry.languages.notebook import read_notebook
from repoquarry.languages.registry import language_for
from repoquarry.languages.source_text import decode_source


def notebook(*cells: str | tuple[str, str], language: str = "python") -> bytes:
    """An nbformat 4 document; a cell is code, or (type, text)."""
    listed = [("code", cell) if isinstance(cell, str) else cell for cell in cells]
    outputs = [{"output_type": "stream", "text": ["def secret_output(): pass\n"]}]
    return json.dumps(
        {
            "nbformat": 4,
            "metadata": {"kernelspec": {"name": "x", "language": language}},
            "cells": [
                {"cell_type": kind, "source": text.splitlines(keepends=True), "outputs": outputs}
                for kind, text in listed
            ],
        }
    ).encode()


def test_cells_become_one_script_that_names_them() -> None:
    content = notebook("import os\n", ("markdown", "# Title\ntext"), ("raw", "x"), "def load():\n    return os.name")
    assert read_notebook(content).text == (
        "# %% cell 1\nimport os\n# %% cell 2 [markdown]\n# # Title\n# text\n# %% cell 3 [raw]\n# %% cell 4\n"
        "def load():\n    return os.name\n"
    )


def test_definitions_have_lines_of_the_script() -> None:
    content = notebook("x = 1", "%matplotlib inline\ndef load():\n    return helper()\n")
    facts = language_for("lab/Study.ipynb").extract("lab/Study.ipynb", content)
    assert (facts.language, facts.encoding, facts.module_name) == ("python", "ipynb", "Study.ipynb")
    assert [(one.qualname, one.start_line, one.end_line) for one in facts.definitions] == [("load", 5, 6)]
    lines = decode_source(content, facts.encoding).split("\n")
    assert lines[4] == "def load():"
    assert facts.loc == len(lines) - 1
    assert not facts.parse_errors


@pytest.mark.parametrize(
    ("cell", "script"),
    [
        ("%load_ext autoreload\nx = 1", "# %load_ext autoreload\nx = 1\n"),
        ("!pip install 'a\nx = 1", "# !pip install 'a\nx = 1\n"),
        ("!ls \\\n  -l (\nx = 1", "# !ls \\\n#   -l (\nx = 1\n"),
        ("if x:\n    !ls\ny = 2", "if x:\n    pass  # !ls\ny = 2\n"),
        ("files = !ls *.csv\nn = len(files)", "files = None  # !ls *.csv\nn = len(files)\n"),
        ("a, b = %time f()", "a, b = None  # %time f()\n"),
        ("len?\n?len\nx = 1", "# len?\n# ?len\nx = 1\n"),
        ("%%bash\nfor i in 1; do\ndone", "# %%bash\n# for i in 1; do\n# done\n"),
        ("%%time\ndef f(): pass", "# %%time\ndef f(): pass\n"),
        ("x = (a\n%b)\ny = 1", "x = (a\n%b)\ny = 1\n"),
        ('t = """\n!kept\n%kept\n"""\n!gone', 't = """\n!kept\n%kept\n"""\n# !gone\n'),
        ("x = 5 \\\n%y\nz != 1", "x = 5 \\\n%y\nz != 1\n"),
        ("s = 'it''s'  # don't (\n!ls", "s = 'it''s'  # don't (\n# !ls\n"),
        ("a\r\nb\rc", "a\nb\nc\n"),
        ("", ""),
    ],
)
def test_magics_become_comments_and_keep_their_lines(cell: str, script: str) -> None:
    assert read_notebook(notebook(cell)).text == f"# %% cell 1\n{script}"


def test_outputs_are_left_out() -> None:
    assert "secret_output" not in read_notebook(notebook("x = 1")).text


def test_the_third_format_is_read() -> None:
    cells = [
        {"cell_type": "heading", "source": ["Old"], "level": 1},
        {"cell_type": "code", "input": ["def f():\n", "    pass"], "language": "python", "outputs": []},
    ]
    old = json.dumps({"nbformat": 3, "metadata": {"name": "x"}, "worksheets": [{"cells": cells}]}).encode()
    found = read_notebook(old)
    assert found.text == "# %% cell 1 [markdown]\n# Old\n# %% cell 2\ndef f():\n    pass\n"
    assert found.language == "python"


@pytest.mark.parametrize("language", ["julia", "R", "javascript"])
def test_other_kernels_are_named(language: str) -> None:
    assert read_notebook(notebook("x", language=language)).language == language.lower()


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"cells": [{"source": 5}]}', b"\xff\xfe", b'{"cells": ' + b"[" * 100_000, b"null"]
)
def test_damaged_documents_are_parse_errors(content: bytes) -> None:
    facts = language_for("a.ipynb").extract("a.ipynb", content)
    assert [error.message.startswith("not a notebook") for error in facts.parse_errors] == [True]
    assert facts.definitions == ()


def test_large_cells_are_read_in_linear_time() -> None:
    for cell in ("(\n" * 200_000, '"""' * 100_000, "a" * 1_000_000, "!x \\\n" * 100_000, "a.?" * 100_000):
        assert read_notebook(notebook(cell)).text
