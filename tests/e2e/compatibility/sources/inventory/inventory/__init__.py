"""Stock levels of a warehouse."""

from inventory.warehouse import OutOfStockError, Warehouse

__all__ = ["OutOfStockError", "Warehouse"]
