// Most important modules and what they import
MATCH (m:Module) WITH m ORDER BY m.importance DESC LIMIT 20
OPTIONAL MATCH (m)-[i:IMPORTS]->(used:Module)
RETURN m, i, used;
