"""Reading operations on indexed code, called by RPC, command line and tools."""
