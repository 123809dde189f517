package org.example.pricing;

/** A discount by percent. */
public class SeasonDiscount implements Discount {
    private final int percent;

    public SeasonDiscount(int percent) {
        this.percent = percent;
    }

    @Override
    public long apply(long cents) {
        return cents - share(cents);
    }

    private long share(long cents) {
        return cents * percent / 100;
    }
}
