"""Facts as a damaged cache would give them."""

from random import Random

import msgspec

from repoquarry.languages.facts import FileFacts


def damaged(facts: FileFacts, random: Random) -> FileFacts:
    """The facts with a few numbers of one array changed, or the array cut."""
    name = random.choice(("code", "first", "roots", "scopes", "functions", "mentions"))
    owner = facts if name == "mentions" else facts.graph
    numbers = list(memoryview(getattr(owner, name)).cast("i"))
    for _ in range(random.randint(1, 3) if numbers else 0):
        numbers[random.randrange(len(numbers))] = random.choice(
            (-1, 0, 1, -7, 10**6, -(2**31), 2**31 - 1, random.randint(-40, 400))
        )
    if random.random() < 0.2:
        del numbers[random.randrange(len(numbers) + 1) :]
    raw = b"".join(number.to_bytes(4, "little", signed=True) for number in numbers)
    if owner is facts:
        return msgspec.structs.replace(facts, mentions=raw)
    return msgspec.structs.replace(facts, graph=msgspec.structs.replace(facts.graph, **{name: raw}))
