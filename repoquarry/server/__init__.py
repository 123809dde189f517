"""gRPC services, durable jobs, authentication, settings, wiring and the command line."""
