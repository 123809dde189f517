"""Service over the graph store: gRPC and MCP servers, web page, durable jobs, settings and command line."""
