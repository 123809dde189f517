"""Extraction and import resolution shared by languages without call resolution, such as Go, C and Rust.

Such a language is a table (`rules.StructuralLanguage`) of the syntax nodes of its tree-sitter grammar and of their meanings. One query
made from the table finds these nodes at any depth without touching the others from Python (`rules`), and one sweep over them in source
order finds their nesting (`extraction`). Nothing here recurses, so deep nesting is harmless.
"""

from repoquarry.languages.structural.extraction import extract_structure
from repoquarry.languages.structural.rules import DefinitionRule, GrammarModule, RawImport, StructuralLanguage

__all__ = ["DefinitionRule", "GrammarModule", "RawImport", "StructuralLanguage", "extract_structure"]
