"""Two small repositories, indexed by the real pipeline into one store with the model that is shipped."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import write_tree
from tests.thread_workers import thread_workers

MAIL: dict[str, str | bytes] = {
    "README.md": "# Post\n\nSends letters and keeps trying when the server does not answer.\n",
    "post/__init__.py": "",
    "post/delivery.py": '"""Getting letters to their addressee."""\n\n\n'
    "class Courier:\n"
    '    """Carries letters."""\n\n'
    "    def deliver(self, letter, attempts=3):\n"
    '        """Hand over a letter, and try again when nobody opens."""\n'
    "        for attempt in range(attempts):\n"
    "            if self.knock(letter):\n"
    "                return attempt\n"
    '        raise TimeoutError("nobody opened the door for %s" % letter)\n\n'
    "    def knock(self, letter):\n"
    "        return bool(letter)\n\n\n"
    "def retry_limit(text):\n"
    '    """Read how many attempts are allowed."""\n'
    "    return int(text)\n",
    "post/stamps.py": "def price_of_stamp(weight):\n    return weight * 2\n\n\ndef parseWeight(text):\n    return float(text)\n",
    "tests/test_delivery.py": "from post.delivery import Courier\n\n\n"
    "def test_deliver_tries_again():\n    assert Courier().deliver('letter') == 0\n",
}
SHOP: dict[str, str | bytes] = {
    "shop/cart.py": "class Cart:\n    def total_price(self, items):\n        return sum(item.price for item in items)\n\n\n"
    "async def retry_payment(card):\n    return card\n",
    "shop/weights.py": "# weight is always in grams\n\n\ndef parse_weight(text):\n    # grams\n    return float(text)\n",
    **{f"shop/parts/part_{n}.py": f"def weigh_part_{n}(scale):\n    return scale.weight\n" for n in range(12)},
}


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with the repositories `mail` and `shop`."""
    folder: Path = tmp_path_factory.mktemp("town")
    with Store.open(StoreSettings(folder=folder / "store"), writable=True) as store:
        with thread_workers():
            for name, files in (("mail", MAIL), ("shop", SHOP)):
                index_repository(str(write_tree(folder / name, files)), store, IngestSettings(workers=1))
        yield store
