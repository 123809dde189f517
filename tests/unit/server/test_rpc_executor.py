"""Threads of the server, shared by the owners of calls."""

import asyncio
import threading

from repoquarry.server.services.rpc_executor import _SharedThreads


def test_one_owner_has_half_of_the_threads_even_for_calls_that_it_abandoned() -> None:
    asyncio.run(_share())


async def _share() -> None:
    threads, release, begun = _SharedThreads(4, "test"), threading.Event(), threading.Semaphore(0)

    def work() -> None:
        begun.release()
        release.wait()

    calls = [asyncio.ensure_future(threads.run("greedy", work)) for _ in range(8)]
    for _ in range(2):
        await asyncio.to_thread(begun.acquire)
    for call in calls[:4]:
        call.cancel()  # two that run, two that wait
    await asyncio.gather(*calls[:4], return_exceptions=True)
    assert await threads.run("other", lambda: "answered") == "answered"
    assert not begun.acquire(blocking=False), "no further call of the owner was started"
    release.set()
    await asyncio.gather(*calls[4:])
    assert sum(begun.acquire(blocking=False) for _ in range(8)) == 4, "calls that were abandoned in the queue never ran"
    threads.close()
