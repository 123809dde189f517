// Source files below a folder, the most important first.
// $repositories: list; ids of the repositories
// $folder: string = ""; folder with its slash, empty for all
// $limit: integer = 200; maximum number of rows
MATCH (n:Module)
WHERE n.repository IN $repositories AND n.path STARTS WITH $folder
RETURN n AS node ORDER BY n.importance DESC, n.id LIMIT $limit
