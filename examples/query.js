// Node.js client without generated code: node query.js 127.0.0.1:50151 PROTO_FOLDER
// Install first: npm install @grpc/grpc-js @grpc/proto-loader
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");

const [server, includeDir] = process.argv.slice(2);
const files = ["query_service.proto", "repository_service.proto"].map((name) => `repoquarry/v1/${name}`);
const definition = loader.loadSync(files, { includeDirs: [includeDir], keepCase: true });
const { QueryService, RepositoryService } = grpc.loadPackageDefinition(definition).repoquarry.v1;
const channel = grpc.credentials.createInsecure();

new RepositoryService(server, channel).ListRepositories({ page_size: 50 }, (error, page) => {
  if (error) throw error;
  for (const repository of page.repositories) console.log(repository.name);

  const query = "MATCH (c:Class) RETURN DISTINCT c.name AS name ORDER BY name";
  const parts = new QueryService(server, channel).ExecuteCypher({ query });
  parts.on("data", (part) => part.rows?.rows.forEach((row) => console.log(row.values[0].string_value)));
  parts.on("error", (problem) => { throw problem; });
});
