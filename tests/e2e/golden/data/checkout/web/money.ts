/** An amount in cents. */
export class Money {
  constructor(readonly cents: number) {}

  plus(other: Money): Money {
    return new Money(this.cents + other.cents);
  }
}

export function format(amount: Money): string {
  if (amount.cents % 100 === 0) return `${amount.cents / 100} EUR`;
  return `${(amount.cents / 100).toFixed(2)} EUR`;
}
