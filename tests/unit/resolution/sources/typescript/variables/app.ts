import { Base, Color, make } from './limits';
// ^ uses: limits.Base, limits.Color, limits.make
import type { Point } from './index';
// ^ uses: limits.Point
export { Base as Root } from './index';
// ^ uses: limits.Base
import { LIMIT as top } from './index';
// ^ uses: limits.LIMIT
import * as limits from './limits';

let cache = 0;

class Derived extends Base {
    constructor(private readonly peer: Base) {
        super();
        // ^ calls: limits.Base
        cache = limits.LIMIT;
        // ^ uses: app.cache, limits.LIMIT
        this.size = top;
        // ^ uses: limits.Base.size, limits.LIMIT
    }

    read(point: limits.Point, unknown) {
        const cache = Base.MAX;
        // ^ uses: limits.Base.MAX
        return this.peer.size + point.x + unknown.size + cache + Color.RED;
        // ^ uses: app.Derived.peer, limits.Base.size, limits.Point.x, limits.Color.RED
    }

    later = () => make().size;
    // ^ calls: limits.make
    // ^ uses: limits.Base.size
}
