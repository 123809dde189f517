package app;

import static limits.Limits.MAX;
// ^ uses: limits.Limits.MAX
import static limits.Limits.smallest;
// ^ uses: limits.Limits.smallest
import limits.Limits;
// ^ uses: limits.Limits
import limits.Limits.Color;
// ^ uses: limits.Limits.Color
import java.util.List;

class Uses extends Limits {
    private final int size = MAX;
    // ^ uses: limits.Limits.MAX
    private Shade shade = Shade.DARK;
    // ^ uses: app.Uses.Shade.DARK

    int read(Uses other, int size) {
        this.count = size;
        // ^ uses: limits.Limits.count
        count++;
        // ^ uses: limits.Limits.count
        switch (shade) {
            // ^ uses: app.Uses.shade
            case LIGHT: return size + this.size;
            // ^ uses: app.Uses.Shade.LIGHT, app.Uses.size
            default: return other.shade.weight + Limits.MAX;
            // ^ uses: app.Uses.shade, app.Uses.Shade.weight, limits.Limits.MAX
        }
    }

    enum Shade {
        LIGHT, DARK;

        int weight;
    }

    record Pair(int first, int second) {
        int sum() {
            return first + second;
            // ^ uses: app.Uses.Pair.first, app.Uses.Pair.second
        }
    }
}
