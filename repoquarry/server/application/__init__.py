"""Application: every RPC over a local store."""
