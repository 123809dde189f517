from shop.cart import Cart, total as sum_of
# ^ uses: shop.cart.Cart, shop.cart.total
from shop.cart import LIMIT
# ^ uses: shop.cart.LIMIT
