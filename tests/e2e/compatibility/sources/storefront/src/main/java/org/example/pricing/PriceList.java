package org.example.pricing;

import java.util.HashMap;
import java.util.Map;

/** Prices by item name. */
public class PriceList {
    private final Map<String, Long> prices = new HashMap<>();
    private final Discount discount;

    public PriceList(Discount discount) {
        this.discount = discount;
    }

    public void set(String name, long cents) {
        prices.put(name, cents);
    }

    public long price(String name) {
        return discount.apply(prices.get(name));
    }

    public static PriceList summerSale() {
        PriceList list = new PriceList(new SeasonDiscount(20));
        list.set("nail", 5);
        return list;
    }
}
