"""Implementation of every RPC over a local store, for the servers and for the command line."""
