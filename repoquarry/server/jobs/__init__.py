"""Runs queued work in threads, durably: whatever kills the process, each piece of work is resumed or reported at the next start.

Threads, because a store is written by the process that holds its engine, and indexing does its heavy work in processes of its
own. A piece of work belongs to the process that queued it (`owner`); work whose owner is gone is recovered by the next process
that opens the store for writing.
"""
