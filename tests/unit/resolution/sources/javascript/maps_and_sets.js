class Entry {
  open() {}
}
const byName = new Map();
// ^ calls: globalThis.Map
byName.set("a", new Entry());
// ^ calls: maps_and_sets.Entry, globalThis.Map.set
byName.get("a").open();
// ^ calls: maps_and_sets.Entry.open, globalThis.Map.get
for (const [name, entry] of byName) {
  entry.open();
  // ^ calls: maps_and_sets.Entry.open
}
const all = new Set([new Entry()]);
// ^ calls: maps_and_sets.Entry, globalThis.Set
for (const one of all) one.open();
// ^ calls: maps_and_sets.Entry.open
