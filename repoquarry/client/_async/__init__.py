"""The client for an event loop; `_sync` is generated from these modules."""
