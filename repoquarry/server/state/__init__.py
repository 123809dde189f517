"""Durable index jobs, batches, tasks and provisionings: `state.db` in the store's folder (SQLite, write-ahead log).

All kinds of long work live in one table, because they share everything but their payload: a state, an owner, attempts and a
gap-free history of events. Payloads are serialized protobuf messages that this module does not look into. Every change of
state and the event that tells of it are one transaction, so that a killed process leaves neither without the other.
"""
