"""Trying in the finished environment what the code imports and what its tests collect."""
