// Modules and lines by the year of their last change.
// $repository: string = ""; id of the repository, empty for all
MATCH (m:Module)
WHERE m.last_changed IS NOT NULL AND ($repository = '' OR m.repository = $repository)
RETURN date(m.last_changed).year AS year, count(*) AS modules, sum(m.lines) AS lines ORDER BY year DESC
