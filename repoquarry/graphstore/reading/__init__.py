"""Reading operations on indexed code: functions from a store and a question to a typed report, which callers only format.

| operation | module |
|---|---|
| search, locate | `repoquarry.graphstore.search` |
| meanings of a name, descriptions of nodes | `names` |
| tree, source, owners | `files` |
| relations by kind, callers, callees, imports, importers, subclasses | `relations` |
| paths along relationships, call paths | `paths` |
| impact of a change, tests to run | `impact`, `regression_tests` |
| duplicates; differences of two repositories; constants; launchpad text | `duplicates`, `repository_diff`, `constants`, `context` |

Reports are complete unless a request has a limit; callers cut them to their own budgets.
"""
