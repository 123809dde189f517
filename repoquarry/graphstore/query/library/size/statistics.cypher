// Sizes of repositories, counted as in table 5 of GitTaskBench.
// $repository: string = ""; id of the repository, empty for all
MATCH (m:Module)
WHERE m.parses AND ($repository = '' OR m.repository = $repository)
RETURN m.repository AS repository, count(m) AS files, sum(m.class_count) AS classes, sum(m.function_count) AS functions,
       sum(m.lines) AS loc, sum(m.import_count) AS imports, sum(m.call_count) AS calls ORDER BY repository
