"""Baskets and receipts."""

from checkout.basket import Basket

__all__ = ["Basket"]
