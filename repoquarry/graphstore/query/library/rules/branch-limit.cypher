// No function outside tests with more branches than the limit.
// rule
// $repository: string = ""; id of the repository, empty for all
// $branches: integer = 20; highest number of branches
MATCH (f:Function)
WHERE f.branches > $branches AND NOT f.is_test AND ($repository = '' OR f.repository = $repository)
RETURN f.path AS path, f.start_line AS line, f.qualname AS name, f.branches AS branches
ORDER BY branches DESC, path, name
