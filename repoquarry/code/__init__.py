"""Operations on indexed code: each function reads a store for one question and returns a typed report, which callers only format.

| operation | module |
|---|---|
| search, locate | `repoquarry.graphstore.search` |
| resolution of a name, descriptions of the found nodes | `name_resolution`, `names` |
| tree, source, owners | `files` |
| relations by kind, callers, callees, imports, importers, subclasses | `relations` |
| paths along relationships, call paths | `paths` |
| impact of a change, tests to run | `impact`, `regression_tests` |
| duplicates; diff of two repositories; constants; ranking of repositories | `duplicates`, `repository_diff`, `constants`, `repository_ranking` |
| views of source, map, review of a diff, overview | `views` |
| texts within a budget: evidence pack, launchpad text for agents, truncated files | `excerpts` |

Reports are complete unless a request has a limit; callers cut them to their own budgets.
"""
