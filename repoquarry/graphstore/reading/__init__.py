"""Read operations on indexed code: each function reads a store for one question and returns a typed report, which callers only format.

| operation | module |
|---|---|
| search, locate | `repoquarry.graphstore.search` |
| resolution of a name, descriptions of the found nodes | `name_resolution`, `names` |
| tree, source, owners | `files` |
| relations by kind, callers, callees, imports, importers, subclasses | `relations` |
| paths along relationships, call paths | `paths` |
| impact of a change, tests to run | `impact`, `regression_tests` |
| source views, map, review of a diff, overview, evidence pack | `source_views`, `map_view`, `change_view`, `overview`, `evidence_pack` |
| duplicates; diff of two repositories; constants; launchpad text for agents | `duplicates`, `repository_diff`, `constants`, `context` |

Reports are complete unless a request has a limit; callers cut them to their own budgets.
"""
