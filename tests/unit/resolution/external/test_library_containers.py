"""Containers of Python's library hand out what was put into them."""

import pytest

from repoquarry.ingest.resolution import resolve
from repoquarry.languages.python import extract

CLASSES = """
import asyncio, bisect, collections, concurrent.futures, heapq, itertools, queue, random, types, weakref
from typing import Deque
class Job:
    def run(self): pass
class Key:
    def turn(self): pass
job, key = Job(), Key()
def make(*given): return Job()
"""
HANDED_OUT = [
    # deque
    "d = collections.deque(); d.append(job); d.popleft().run()",
    "d = collections.deque([job]); d.pop().run()",
    "d = collections.deque(maxlen=3); d.appendleft(job); d[0].run()",
    "d = collections.deque(); d.extendleft([job]); d.popleft().run()",
    "d = collections.deque(); d.insert(0, job); d.copy().pop().run()",
    "def f(d: Deque[Job]): d.popleft().run()",
    "def f(d: collections.deque[Job]): d.popleft().run()",
    # sets and tuples
    "s = set(); s.add(job); s.pop().run()",
    "s = {job}; t = s | {key}; t.pop().run()",
    "s = {job}; t = s - {key}; t.pop().run()",
    "s = {job}; t = {key}.union(s); t.pop().run()",
    "s = set(); s.update([key], [job]); s.pop().run()",
    "s = weakref.WeakSet(); s.add(job); s.pop().run()",
    "for j in frozenset([job]): j.run()",
    "def f(s: set[Job]): s.pop().run()",
    # mappings
    "d = {'a': job}; d.popitem()[1].run()",
    "d = collections.OrderedDict(); d['a'] = job; d.popitem(last=False)[1].run()",
    "d = collections.OrderedDict(); d['a'] = job; d.popitem(False)[1].run()",
    "d = collections.OrderedDict(); d[job] = 1; d.popitem()[0].run()",
    "d = collections.defaultdict(Job); d['a'].run()",
    "d = collections.defaultdict(list); d['a'].append(job); d['b'].pop().run()",
    "d = collections.defaultdict(list, {'a': job}); d['a'].run()",
    "d = collections.defaultdict(list, a=job); d['a'].run()",
    "d = collections.defaultdict(list); d[job].append(1)\nfor j in d: j.run()",
    "d = {}; d[job] = 1\nfor j in d: j.run()",
    "d = {}; d[job] = 1\nfor j, n in d.items(): j.run()",
    "d = {}; d.setdefault(job, 1); list(d)[0].run()",
    "for j in dict([(job, 1)]): j.run()",
    "def f(d: dict[Job, int]):\n    for j in d: j.run()",
    "d = weakref.WeakKeyDictionary(); d[job] = 1\nfor j in d.keys(): j.run()",
    "types.MappingProxyType({'a': job})['a'].run()",
    # queues
    "q = queue.Queue(); q.put(job); q.get().run()",
    "q = queue.PriorityQueue(); q.put((1, job)); q.get()[1].run()",
    "q = queue.LifoQueue(); q.put_nowait(job); q.get_nowait().run()",
    "def f(q: queue.Queue[Job]): q.get().run()",
    "async def f():\n    q = asyncio.Queue(); await q.put(job); (await q.get()).run()",
    "async def f(q: asyncio.Queue[Job]):\n    (await q.get()).run()",
    # heapq, random
    "heapq.nsmallest(1, [job])[0].run()",
    "for j in heapq.merge([job], [key]): j.run()",
    "random.sample([job], 1)[0].run()",
    # itertools
    "for j in itertools.islice([job], 1): j.run()",
    "for j in itertools.cycle([job]): j.run()",
    "for j in itertools.chain([key], [job]): j.run()",
    "for j in itertools.takewhile(None, [job]): j.run()",
    "for j in itertools.filterfalse(None, [job]): j.run()",
    "for a, b in itertools.zip_longest([key], [job]): b.run()",
    "for a, b in itertools.groupby([job], len):\n    for j in b: j.run()",
    "for a, b in itertools.groupby([1], make): a.run()",
]


@pytest.mark.parametrize("statements", HANDED_OUT)
def test_what_a_container_hands_out_is_what_was_put_in(statements: str) -> None:
    resolution = resolve([extract("main.py", (CLASSES + statements + "\n").encode())])
    calls = {resolution.symbols[edge.callee].key for edge in resolution.calls if edge.callee >= 0}
    assert "Job.run" in calls
