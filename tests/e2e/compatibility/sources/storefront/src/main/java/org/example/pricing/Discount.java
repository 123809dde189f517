package org.example.pricing;

/** A reduction of prices. */
public interface Discount {
    long apply(long cents);
}
