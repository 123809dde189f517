"""Registry of languages: what its table says before a language is loaded is what the language says."""

import pytest

from repoquarry.languages.registry import LANGUAGES, family_name, load


@pytest.mark.parametrize(
    ("module", "language"), [(module, name) for module, one in LANGUAGES.items() for name in one.suffixes]
)
def test_the_family_of_a_file_is_known_without_its_language(module: str, language: str) -> None:
    family = load(language).family
    for suffix in LANGUAGES[module].suffixes[language]:
        assert family_name(f"folder/file{suffix}") == (family.name if family is not None else language)
