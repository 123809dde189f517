"""gRPC servicers, interceptors, and the executor of their calls."""
