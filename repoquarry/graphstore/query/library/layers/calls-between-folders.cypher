// Likely calls from one folder into another: of the top level, or directly below a folder.
// $repository: string = ""; id of the repository, empty for all
// $below: string = ""; folder whose subfolders are compared, with a final slash
MATCH (a:Function)-[r:CALLS]->(b:Function)
WHERE r.confidence >= 0.5 AND a.path STARTS WITH $below AND b.path STARTS WITH $below
  AND ($repository = '' OR a.repository = $repository)
WITH split(substring(a.path, size($below)), '/') AS a, split(substring(b.path, size($below)), '/') AS b, r.count AS sites
WITH CASE WHEN size(a) > 1 THEN a[0] ELSE '.' END AS from, CASE WHEN size(b) > 1 THEN b[0] ELSE '.' END AS to, sites
WHERE from <> to
RETURN from, to, sum(sites) AS sites ORDER BY sites DESC, from, to
