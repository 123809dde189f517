# Starts a Neo4j of the page's own at $REPOQUARRY_STORE_NEO4J_URI, with the folders `conf` and `neo4j` of the current one.
if [ -z "$NEO4J_HOME" ]; then
    echo "no Neo4j: set NEO4J_HOME to an unpacked distribution"
    exit 77
fi
mkdir -p conf neo4j/data neo4j/logs neo4j/run neo4j/import
cp "$NEO4J_HOME"/conf/*.xml conf
cat > conf/neo4j.conf << END
server.bolt.listen_address=${REPOQUARRY_STORE_NEO4J_URI#bolt://}
server.http.enabled=false
server.directories.data=$PWD/neo4j/data
server.directories.logs=$PWD/neo4j/logs
server.directories.run=$PWD/neo4j/run
server.directories.import=$PWD/neo4j/import
server.directories.transaction.logs.root=$PWD/neo4j/data/transactions
server.memory.heap.max_size=512m
server.memory.pagecache.size=128m
server.jvm.additional=-XX:TieredStopAtLevel=1
dbms.security.auth_enabled=false
dbms.usage_report.enabled=false
END
export NEO4J_CONF="$PWD/conf"
neo4j start > /dev/null
echo "neo4j stop" >> "$PAGE_STATE/at-end"
