// Callers of a function, two steps back
MATCH path = (caller:Function)-[:CALLS*1..2]->(:Function {name: 'save'})
RETURN path LIMIT 100;
