"""Graph store: model, storage, queries, engines, search and reading of indexed repositories."""
