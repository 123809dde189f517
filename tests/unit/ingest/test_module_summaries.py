"""Summaries of modules: the purpose of a file, by docstring, README, definitions or names."""

import pytest

from repoquarry.ingest.graph.module_summaries import find_file_mentions, summarize_module
from repoquarry.languages.registry import language_for

README = """# Restore

Old photos are restored in three steps.

- `detect.py`: finds the scratches of a photo and writes masks
- [tools/train.py](tools/train.py) trains the network on pairs of photos

    python blend.py --input photos

Run python blend.py --input photos to blend all of them together.

```
model.py is the model that the code block speaks about
```
"""


@pytest.mark.parametrize(
    ("path", "source", "summary"),
    [
        ("detect.py", '"""Detector of scratches. More."""\n', "Detector of scratches."),
        ("src/detect.py", "def a(): ...\n", "detect.py : finds the scratches of a photo and writes masks"),
        ("tools/train.py", "def a(): ...\n", "tools/train.py trains the network on pairs of photos"),
        ("blend.py", 'class Mask:\n    """Mask of a photo."""\n', "Mask: Mask of a photo."),
        (
            "model.py",
            "class VAE:\n    def load_weights(self): ...\n    def trainStep(self): ...\n    def _save(self): ...\n    def size(self): ...\n",
            "Defines VAE.",
        ),
        ("io.py", "def read_PNG(): ...\ndef crop(): ...\ndef area(): ...\n", "Defines read_PNG, crop, area."),
        ("files.py", '"""This file provides:\n\n- a\n"""\ndef a(): ...\n', "Defines a."),
        ("urls.py", 'class URL:\n    """url = URL("http://a:b@c")"""\n', "Defines URL."),
        ("names.py", "class Scratch: ...\n", "Defines Scratch."),
        ("empty.py", "x = 1\n", None),
    ],
)
def test_the_purpose_of_a_file_comes_from_its_best_source(path: str, source: str, summary: str | None) -> None:
    facts = language_for(path).extract(path, source.encode())
    assert summarize_module(facts, find_file_mentions(README)) == summary


def test_long_lists_of_names_are_counted() -> None:
    source = "".join(f"def show_{number}(): ...\n" for number in range(9))
    facts = language_for("a.py").extract("a.py", source.encode())
    assert summarize_module(facts, {}) == "Defines show_0, show_1, show_2, show_3, show_4 and 4 more."
