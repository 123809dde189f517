"""Durable work: queue, threads, recovery after a crash.

Threads, because a store is written by the process that holds its engine, and indexing does its heavy work in processes of its
own. A piece of work belongs to the process that queued it (`owner`); work whose owner is gone is recovered by the next process
that opens the store for writing.

All kinds of long work live in one table, because they share everything but their payload: a state, an owner, attempts and a
gap-free history of events. Payloads are serialized protobuf messages that this module does not look into. Every change of
state and the event that tells of it are one transaction, so that a killed process leaves neither without the other.
"""
