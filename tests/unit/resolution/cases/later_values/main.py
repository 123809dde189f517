import asyncio
import queue


class Result:
    def read(self):
        pass


def driven(generator):
    def start(*args):
        return asyncio.ensure_future(generator(*args))

    return start


@driven
def inner():
    future = asyncio.Future()
    future.set_result(Result())
    found = yield future
    found.read()
    raise StopIteration(found)


def outer():
    waiting = queue.Queue()
    waiting.put(Result())
    waiting.get().read()


async def both():
    (await asyncio.wait_for(fetch(), 1)).read()


async def fetch():
    return Result()


outer()
asyncio.run(both())
