// Classes below a base class
MATCH path = (c:Class)-[:INHERITS*1..4]->(base:Class {name: 'Model'})
RETURN path LIMIT 200;
