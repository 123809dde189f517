"""Call resolution for languages with declared types: one evaluator over one small expression language.

A language *lowers* each of its files to declarations and expressions (`lowered_tree`) while it is extracted, and describes how it
differs from others in a `Dialect`. Everything else is common: names in spaces (`name_resolver`), members of types
(`member_lookup`), types of expressions (`evaluator`, `call_evaluator`), bases and overriding methods (`declaration_edges`). A
receiver of unknown type gives no edge.
"""
