"""Kit for languages that are read by structure only, without calls.

Such a language is a table (`rules.Structure`) of the syntax nodes of its tree-sitter grammar and of their meanings. One
query made from the table finds these nodes at any depth without touching the others from Python (`grammar`), one sweep over them in
source order finds out which contains which (`sweep`), and `reading` makes facts of it. Nothing here recurses, so deep nesting is harmless.
"""

from repoquarry.languages.structural.extraction import extract_structure
from repoquarry.languages.structural.rules import DefinitionRule, GrammarModule, RawImport, StructuralLanguage

__all__ = ["DefinitionRule", "GrammarModule", "RawImport", "StructuralLanguage", "extract_structure"]
