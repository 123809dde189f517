from storefront.orders import Order


def test_limited():
    assert Order({"nail": 12}).limited() == {"nail": 10}
