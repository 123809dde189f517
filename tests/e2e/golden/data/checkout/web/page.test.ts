import { expect, test } from "vitest";
import { format, Money } from "./money";

test("whole amounts", () => {
  expect(format(new Money(200))).toBe("2 EUR");
});
