// Modules and lines by owner, with the day of the last change.
// $repository: string = ""; id of the repository, empty for all
MATCH (m:Module)
WHERE m.owner IS NOT NULL AND ($repository = '' OR m.repository = $repository)
RETURN m.owner AS owner, count(*) AS modules, sum(m.lines) AS lines, max(m.last_changed) AS last_changed
ORDER BY lines DESC, owner LIMIT 20
