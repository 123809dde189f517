from collections import OrderedDict

from shop import Cart, sum_of
# ^ uses: shop.cart.Cart, shop.cart.total
from shop import cart
from shop import *


def later():
    from shop.cart import Cart as Basket
    # ^ uses: shop.cart.Cart
    return Basket
