// Importance recomputed from its features, as the profile `degrees` does.
// $repository: string = ""; id of the repository, empty for all
MATCH (m:Module)
WHERE $repository = '' OR m.repository = $repository
WITH m, m.dependency + m.complexity + m.usage + m.semantic + m.documentation + m.history AS six
RETURN m.path AS path, m.importance AS stored,
       (six + m.inward + m.outward) * CASE WHEN m.is_test THEN 0.5 ELSE 1.0 END AS degrees
ORDER BY degrees DESC, path LIMIT 20
