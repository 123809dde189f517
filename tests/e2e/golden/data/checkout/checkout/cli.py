"""Command line of the checkout."""

import asyncio

import httpx

from checkout import Basket
from checkout.receipt import write_receipt


async def send(text: str) -> int:
    """Send a receipt to the customer."""
    async with httpx.AsyncClient() as client:
        answer = await client.post("https://example.org/receipts", content=text)
    return answer.status_code


def main() -> None:
    """Order a book and send its receipt."""
    basket = Basket().add("book")
    asyncio.run(send(write_receipt(basket, list(basket.totals()))))


if __name__ == "__main__":
    main()
