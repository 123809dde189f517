"""Durable job queue: work is stored in a database, runs in threads, and is recovered after a crash.

Work runs in threads, because a store is written by the process that holds its engine, and indexing does its heavy work in
subprocesses. Work belongs to the process that queued it (`owner`); the next process that opens the store for writing recovers
the work of an owner that has exited.

All kinds of work are rows of one table, because they share everything but their payload: a state, an owner, attempts and a
gap-free history of events. Payloads are serialized protobuf messages that this package does not parse. A change of state and its
event are one transaction, so that a killed process never leaves one without the other.
"""
