const limits = require('./limits');
import { Pool, open as start } from './pool';
// ^ uses: pool.Pool, pool.open
import Store from './store';
// ^ uses: store.Store
import make from './barrel';
// ^ uses: store.Store

class Queue {
    #depth = 0;

    constructor(other) {
        this.items = [];
        this.#depth = limits.TIMEOUT;
        // ^ uses: app.Queue.#depth, limits.TIMEOUT
        other.items = limits.names;
        // ^ uses: limits.names
    }

    take() {
        return [1].map(() => this.items);
        // ^ calls: globalThis.Array.map, app.Queue.take.<lambda1>
        // ^ uses: app.Queue.items
    }
}

function read(names) {
    return names.concat(new Queue().items);
    // ^ calls: app.Queue, app.Queue.constructor
    // ^ uses: app.Queue.items
    // ^ unresolved: unknown receiver
}
