class Entity {
  save() {}
}
function store<T extends Entity>(entity: T): T {
  entity.save();
  // ^ calls: generic_bounds.Entity.save
  return entity;
}
store(new Entity()).save();
// ^ calls: generic_bounds.store, generic_bounds.Entity, generic_bounds.Entity.save
