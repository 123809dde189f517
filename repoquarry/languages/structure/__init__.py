"""The kit of languages that are read by structure: definitions, imports, documentation and counts, and no calls yet.

Such a language is a table (`rules.Structure`) of the syntax nodes of its tree-sitter grammar and of what each stands for. One
query made from the table finds these nodes at any depth without touching the others from Python (`grammar`), one sweep over them in
source order finds out which stands in which (`sweep`), and `reading` makes facts of it. Nothing here recurses, so depth is no danger.
"""

from repoquarry.languages.structure.reading import read_structure
from repoquarry.languages.structure.rules import Grammar, ImportSeen, Rule, Structure

__all__ = ["Grammar", "ImportSeen", "Rule", "Structure", "read_structure"]
