// Most important modules, with the features of the score.
// $repository: string = ""; id of the repository, empty for all
MATCH (m:Module)
WHERE $repository = '' OR m.repository = $repository
RETURN m.path AS path, m.importance AS importance, m.dependency AS dependency, m.usage AS usage,
       m.complexity AS complexity
ORDER BY importance DESC, path LIMIT 20
