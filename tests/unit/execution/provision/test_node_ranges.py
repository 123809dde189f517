"""Ranges of Node.js as package.json states them."""

import pytest

from repoquarry.execution.provision.javascript.manifest import Version, is_in_range


@pytest.mark.parametrize(
    ("stated", "version", "fitting"),
    [
        (">=10", (20, 1, 0), True),
        (">= 10.5.0", (10, 4, 9), False),
        ("^18.12.0 || >=20", (19, 0, 0), False),
        ("^18.12.0 || >=20", (18, 20, 2), True),
        ("^0.10.3", (0, 11, 0), False),
        ("~12.1", (12, 2, 0), False),
        ("~12.1", (12, 1, 9), True),
        ("14.x", (14, 21, 3), True),
        ("14.x", (15, 0, 0), False),
        ("*", (20, 0, 0), True),
        ("", (20, 0, 0), True),
        ("12 - 16", (16, 20, 0), True),
        ("12 - 16", (17, 0, 0), False),
        (">4 <9", (4, 9, 1), False),
        (">4 <9", (8, 0, 0), True),
        ("<=8.1.2", (8, 1, 2), True),
        ("<=8.1.2", (8, 1, 3), False),
        ("v16.3.0", (16, 3, 0), True),
        ("lts/*", (20, 0, 0), True),
        ("<=8.1", (8, 1, 9), True),
        (">8.1", (8, 1, 9), False),
        (">8", (9, 0, 0), True),
        (">=14.0.0-0", (14, 0, 0), True),
        ("~> 12.1.0", (12, 2, 0), False),
    ],
)
def test_range_holds_the_same_versions_as_in_npm(stated: str, version: Version, fitting: bool) -> None:
    assert is_in_range(version, stated) is fitting
