// Methods that give `this` give the object that they are called on.
class Query {
  on(): this {
    return this;
  }
  also() {
    return this;
  }
  execute() {}
}
class Insert extends Query {
  values(): this {
    return this;
  }
  execute() {}
}
class Delete extends Query {
  execute() {}
}
interface Chain {
  next(): this;
  end(): void;
}
function follow(chain: Chain) {
  chain.next().end();
  // ^ calls: fluent_builders.Chain.next, fluent_builders.Chain.end
}
const insert = new Insert();
// ^ calls: fluent_builders.Insert
const remove = new Delete();
// ^ calls: fluent_builders.Delete
insert.values().on().execute();
// ^ calls: fluent_builders.Insert.values, fluent_builders.Query.on, fluent_builders.Insert.execute
remove.on().execute();
// ^ calls: fluent_builders.Query.on, fluent_builders.Delete.execute
remove.also().execute();
// ^ calls: fluent_builders.Query.also, fluent_builders.Delete.execute
