"""gRPC servicers: thin adapters from the wire to the application, one file a service."""
