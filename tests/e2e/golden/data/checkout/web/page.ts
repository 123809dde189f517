import { format, Money } from "./money";
import { render } from "preact";

/** A basket as the page shows it. */
export class BasketPage {
  constructor(private readonly prices: Money[]) {}

  /** Sum of all prices. */
  total(): Money {
    return this.prices.reduce((sum, price) => sum.plus(price), new Money(0));
  }

  show(root: HTMLElement): void {
    render(format(this.total()), root);
  }
}

export const open = async (root: HTMLElement): Promise<void> => new BasketPage([new Money(10)]).show(root);
