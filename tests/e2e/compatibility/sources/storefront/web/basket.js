import { currency, formatPrice } from "./format.js";

/** Items that a customer has chosen. */
export class Basket {
  constructor() {
    this.items = [];
  }

  add(item) {
    this.items.push(item);
  }

  total() {
    return this.items.reduce((sum, item) => sum + item.cents, 0);
  }
}

export function renderBasket(basket) {
  return `${formatPrice(basket.total())} ${currency}`;
}

export function startBasket() {
  return renderBasket(new Basket());
}
