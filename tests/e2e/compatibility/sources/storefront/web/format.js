/** Format cents as a price. */
export function formatPrice(cents) {
  return (cents / 100).toFixed(2);
}

export const currency = "EUR";
