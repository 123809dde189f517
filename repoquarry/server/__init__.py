"""Service: gRPC, MCP, durable jobs, settings, command line."""
