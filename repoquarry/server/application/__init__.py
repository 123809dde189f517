"""The application: every method of the contract over a store in this process, in protobuf messages and without gRPC."""
