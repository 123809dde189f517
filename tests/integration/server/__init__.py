"""The server's parts with real stores and real processes, without a port."""
