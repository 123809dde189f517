// What some modules import from outside the repository.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (a:Module {id: id})-[r:IMPORTS]->(b)
  WHERE b:External
RETURN a.id AS known, b.qualname AS name, size(r.lines) AS count, r.lines AS lines
